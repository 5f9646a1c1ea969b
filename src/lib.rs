//! Decides atomic-set serializability of concurrent programs with recursion and nested locks.

pub mod eml;
pub mod model;
