//! Tests of the whole program.

mod baselines;
mod corpus;
mod differential;
mod dominance;
mod export;
mod forests;
#[cfg(feature = "java")]
mod isolate;
#[cfg(feature = "java")]
mod java_damaged;
#[cfg(feature = "java")]
mod java_features;
#[cfg(feature = "java")]
mod java_overlap;
#[cfg(feature = "java")]
mod java_programs;
#[cfg(feature = "java")]
mod java_spared;
mod java_statics;
#[cfg(feature = "java")]
mod languages;
mod limits;
mod lock_events;
mod lock_queries;
mod long_calls;
mod models;
mod modes;
mod one_by_one;
mod queries;
mod read_write;
mod reductions;
mod search;
mod starts;
mod stopping;
mod support;
mod switches;
#[cfg(feature = "java")]
mod translation;
mod translation_examples;
mod waiting;
