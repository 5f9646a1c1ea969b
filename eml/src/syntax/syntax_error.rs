//! Syntax errors: violations of the grammar, found before names are resolved.

use std::fmt;

use super::diagnostic::Diagnostic;
use super::found_token::FoundToken;
use super::mistake::Mistake;
use super::span::Span;
use super::token::TokenSet;

/// A place where the text does not follow the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place.
    pub span: Span,
    /// The kind of error.
    pub kind: SyntaxErrorKind,
}

/// The kinds of syntax errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// A token that was not expected.
    Unexpected {
        /// The tokens that would be accepted.
        expected: TokenSet,
        /// The token found.
        found: FoundToken,
        /// The probable mistake.
        mistake: Option<Mistake>,
    },
    /// A statement or a declaration does not end in `;`.
    MissingSemicolon,
    /// The text ends, or the next item begins, inside a block.
    UnclosedBrace {
        /// The brace that is not closed.
        open: Span,
        /// A pair of braces with different indentation: perhaps the opening one is not closed.
        suspect: Option<BracePair>,
        /// The token found instead of `}`.
        found: FoundToken,
    },
    /// A `}` that closes nothing.
    UnmatchedBrace,
    /// A `/*` without `*/`.
    UnterminatedComment,
    /// A declaration, function or process inside a block.
    NestedItem {
        /// Its first word.
        keyword: String,
    },
    /// More instances than can be counted.
    NumberTooLarge,
    /// The text has 4 GiB or more.
    TooLarge,
    /// There are more errors, which are not reported.
    TooMany,
}

/// An opening brace and the closing one that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracePair {
    /// The opening brace.
    pub open: Span,
    /// The closing brace.
    pub close: Span,
}

impl SyntaxError {
    /// Returns the message for users.
    pub fn diagnostic(&self) -> Diagnostic {
        let span = self.span;
        match &self.kind {
            SyntaxErrorKind::Unexpected {
                expected,
                found,
                mistake,
            } => {
                let message = format!("expected {expected}, found {found}");
                let diagnostic = Diagnostic::error(message).at(span, format!("expected {expected}"));
                match mistake {
                    Some(mistake) => diagnostic.help(mistake.advice()),
                    None => diagnostic,
                }
            }
            SyntaxErrorKind::MissingSemicolon => Diagnostic::error("missing `;`")
                .at(span, "expected `;`")
                .help("every statement and declaration without a block ends in `;`"),
            SyntaxErrorKind::UnclosedBrace {
                open,
                suspect,
                found,
            } => unclosed_brace(span, *open, *suspect, found),
            SyntaxErrorKind::UnmatchedBrace => Diagnostic::error("this `}` closes nothing")
                .at(span, "no block is open here")
                .help("remove it, or look for a `{` missing before it"),
            SyntaxErrorKind::UnterminatedComment => Diagnostic::error("the comment has no end")
                .at(span, "begins here")
                .help("close it by `*/`; a comment that ends with its line begins with `//`"),
            SyntaxErrorKind::NestedItem { keyword } => {
                Diagnostic::error(format!("`{keyword}` inside a block"))
                    .at(span, "not allowed here")
                    .help("declarations, functions and processes are written outside of all blocks; is a `}` missing before this line?")
            }
            SyntaxErrorKind::NumberTooLarge => Diagnostic::error("the number is too large")
                .at(span, format!("at most {}", u32::MAX))
                .help("in most models two instances suffice; `* many` stands for any number"),
            SyntaxErrorKind::TooLarge => Diagnostic::error("the text is too large")
                .help("a model has less than 4 GiB"),
            SyntaxErrorKind::TooMany => Diagnostic::error("too many errors")
                .at(span, "the text is not checked from here on"),
        }
    }
}

/// Returns the message for a block that is not closed before the end of the text or the next item.
fn unclosed_brace(span: Span, open: Span, suspect: Option<BracePair>, found: &FoundToken) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("missing `}}` before {found}"))
        .at(span, "expected `}`")
        .also(open, "this `{` is not closed");
    match suspect {
        None => diagnostic.help("close the block by `}`"),
        Some(pair) => diagnostic
            .also(pair.open, "or is it this one that should be closed earlier?")
            .also(pair.close, "this `}` closes it, but has another indentation")
            .help("close the block by `}`; the indentation shows where one may be missing"),
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.span.start;
        write!(formatter, "{}:{}: {}", start.line, start.column, self.diagnostic())
    }
}

impl std::error::Error for SyntaxError {}
