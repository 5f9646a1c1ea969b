//! Errors of labels and jumps.

use crate::syntax::ast::Name;
use crate::syntax::{Diagnostic, Span, quote};

/// A violation of the rules for labels and jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JumpError {
    /// A label is declared twice in one function.
    DuplicateLabel {
        /// The second declaration.
        name: Name,
        /// The first one.
        first: Span,
    },
    /// A `goto` to a label that the function does not have.
    UndeclaredLabel {
        /// The use.
        name: Name,
        /// A label of the function that looks similar.
        closest: Option<String>,
    },
    /// A `goto` to a label inside a block that the `goto` is not in.
    IntoBlock {
        /// The use.
        name: Name,
        /// The label.
        label: Span,
    },
    /// `break` or `continue` outside of all loops.
    OutsideLoop {
        /// The keyword.
        keyword: &'static str,
        /// The statement.
        span: Span,
    },
}

impl JumpError {
    /// Returns the place of the error.
    pub fn span(&self) -> Span {
        match self {
            JumpError::DuplicateLabel { name, .. }
            | JumpError::UndeclaredLabel { name, .. }
            | JumpError::IntoBlock { name, .. } => name.span,
            JumpError::OutsideLoop { span, .. } => *span,
        }
    }

    /// Returns the message for users.
    pub fn diagnostic(&self) -> Diagnostic {
        let error = |message: String, label| Diagnostic::error(message).at(self.span(), label);
        match self {
            JumpError::DuplicateLabel { name, first } => {
                error(format!("the label {} is declared twice in its function", quote(&name.text)), "declared again")
                    .also(*first, "first declared here")
                    .help("rename one of them")
            }
            JumpError::UndeclaredLabel { name, closest } => {
                error(format!("the function has no label {}", quote(&name.text)), "no such label").help(match closest {
                    Some(closest) => format!("did you mean {}?", quote(closest)),
                    None => format!(
                        "a label is written {} before a statement of the same function",
                        quote(&format!("{}:", name.text))
                    ),
                })
            }
            JumpError::IntoBlock { name, label } => {
                error(format!("the jump to {} enters a block", quote(&name.text)), "jumps from outside of the block")
                    .also(*label, "the label is inside of the block")
                    .help("a `goto` can leave blocks, but not enter one; move the label or the `goto`")
            }
            JumpError::OutsideLoop { keyword, .. } => {
                error(format!("`{keyword}` outside of a loop"), "no loop around it")
                    .help("`break` and `continue` stand inside of `loop` blocks; `return` leaves the function")
            }
        }
    }
}
