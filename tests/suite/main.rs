//! Tests of the whole program.

mod baselines;
mod corpus;
mod differential;
mod dominance;
mod forests;
mod limits;
mod long_calls;
mod models;
mod modes;
mod queries;
mod reductions;
mod starts;
mod stopping;
mod support;
mod switches;
