//! Lock histories of nested locks, explicit and as binary decision diagrams.
