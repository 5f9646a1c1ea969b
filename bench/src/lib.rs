//! Generated models and automata: random small ones for differential tests, and families that grow.

pub mod analysis;
pub mod certificates;
pub mod compare;
pub mod correct_classes;
pub mod encodings;
pub mod entering;
pub mod hostile;
pub mod hostile_classes;
pub mod inclusion;
pub mod programs;
pub mod promela;
pub mod search;
pub mod subsumption;
pub mod systems;
