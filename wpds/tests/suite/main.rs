//! Tests of the whole crate on random systems.

mod against_enumeration;
mod semiring_laws;
mod support;
