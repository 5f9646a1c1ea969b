//! Tests of the program as its users run it: what it prints, and how it exits.

mod asked;
mod check;
mod format;
mod input;
mod json;
mod limits;
mod locks;
mod replay;
mod stable;
mod support;
mod usage;
