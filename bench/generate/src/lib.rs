//! Generated models and automata, as text: random small ones for differential tests, and families that grow.
//!
//! The same seed gives the same text on every machine. No generator knows an engine.

pub mod automata;
pub mod family;
pub mod random;
pub mod seeds;
pub mod starts;
