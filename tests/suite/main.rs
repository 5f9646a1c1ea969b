//! Tests of the whole program.

mod corpus;
mod differential;
mod dominance;
mod models;
mod reductions;
mod starts;
mod support;
