//! EML, the modelling language: text, syntax tree, diagnostics and the pretty-printer.

pub mod ast;
mod comments;
mod diagnostic;
mod found;
mod grammar;
mod lexer;
mod lines;
mod parser;
mod positions;
mod print;
mod render;
mod slip;
mod source;
mod span;
mod suggest;
mod syntax_error;
mod token;

pub use diagnostic::{Diagnostic, Label, Severity, quote};
pub use found::Found;
pub use parser::parse;
pub use print::print;
pub use render::render_all;
pub use slip::Slip;
pub use source::{ReadError, ReadErrorKind, SIZE_LIMIT, Source};
pub use span::{Position, Span};
pub use suggest::closest;
pub use syntax_error::{BracePair, MAX_DEPTH, SyntaxError, SyntaxErrorKind};
pub use token::{Token, TokenSet, is_name};
