//! Tests of the whole crate on all paths of a small world.

mod paper_examples;
mod paths;
mod support;
mod symbolic;
