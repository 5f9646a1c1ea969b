//! Generated models: random small ones for differential tests, and families that grow.

pub mod compare;
pub mod random;
pub mod systems;
