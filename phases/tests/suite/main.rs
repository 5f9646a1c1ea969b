//! Tests of the whole crate.

mod building;
mod deadlocks;
mod errors;
mod fusing;
mod patterns;
mod running;
mod text;
mod views;
mod words;
