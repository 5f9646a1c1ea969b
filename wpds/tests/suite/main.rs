//! Tests of the whole crate on random systems.

mod against_enumeration;
mod aims;
mod backward;
mod oracle;
mod order;
mod pdaaal;
mod runs;
mod semiring_laws;
mod support;
mod text;
mod transformations;
