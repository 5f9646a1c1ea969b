//! Tests of the whole crate.

mod errors;
mod fusing;
mod patterns;
mod running;
mod text;
mod views;
mod words;
