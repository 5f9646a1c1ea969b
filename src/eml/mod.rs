//! EML, the modelling language: text, syntax tree, diagnostics and the pretty-printer.

pub mod ast;
mod span;

pub use span::{Position, Span};
