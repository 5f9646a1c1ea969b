//! EML, the modelling language: text, syntax tree, diagnostics and the pretty-printer.
//!
//! Details that the definition of the language leaves open:
//!
//! - Unicode defines letters (alphabetic characters), digits (numeric ones) and white space. Names are compared
//!   character by character, without normalization.
//! - A line ends at `\n`; a `\r` before it is white space. A text may begin with a byte order mark, which takes no
//!   column. An empty text is a program.
//! - Numbers of instances are ASCII digits and less than 2^32.
//! - Blocks may be nested to any depth. A text has less than 4 GiB.
//! - A comment belongs to the statement or item on whose last line it stands, otherwise to the next one. The
//!   pretty-printer moves a comment between the tokens of a statement, or of the head of an item, before it.

pub mod ast;
mod comments;
mod diagnostic;
mod found_token;
mod grammar;
mod lexer;
mod lines;
mod mistake;
mod parser;
mod positions;
mod print;
mod render;
mod render_all;
mod source;
mod span;
mod suggest;
mod syntax_error;
mod token;

pub use diagnostic::{Diagnostic, Label, Severity, quote};
pub use found_token::FoundToken;
pub use lines::span_in;
pub use mistake::Mistake;
pub use parser::parse;
pub use print::print;
pub use render_all::render_all;
pub use source::{ReadError, ReadErrorKind, SIZE_LIMIT, Source};
pub use span::{FileId, Position, Span};
pub use suggest::closest;
pub use syntax_error::{BracePair, SyntaxError, SyntaxErrorKind};
pub use token::{Token, TokenSet, is_name, keywords};
