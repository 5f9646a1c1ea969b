//! Tests of the whole program.

mod corpus;
mod support;
