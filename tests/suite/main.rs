//! Tests of the whole program.

mod baselines;
mod corpus;
mod differential;
mod dominance;
mod limits;
mod models;
mod queries;
mod reductions;
mod starts;
mod support;
mod switches;
