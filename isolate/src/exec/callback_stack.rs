//! Recursion within one step of a method: calls of functions by library rows and by method references.
//!
//! *References.* A method reference may be bound to the same abstract reference: `f = g::apply`, where `g` may be such
//! an `f`. A call of it calls itself without a step in between. Its exits are the least solution of that recursion: the
//! exits without the recursive call. So a call that is already open has no exits, if only references stand between.
//!
//! *Rows.* A row has steps before and after its calls, so this argument does not apply. Rows nested deeper than
//! [`DEEPEST`] exceed the limits of the analysis.

use crate::value::Value;
use java::{InvokeKind, Member};

/// Maximum nesting of rows.
pub(super) const DEEPEST: usize = 8;

/// The open calls within one step.
#[derive(Debug, Default)]
pub(crate) struct CallbackStack {
    /// The number of open rows.
    pub(super) rows: usize,
    /// Open calls by references, each with the number of enclosing rows.
    references: Vec<(usize, InvokeKind, Member, Vec<Value>)>,
}

impl CallbackStack {
    /// Opens a call by a reference; returns false if the same call is open already.
    pub(crate) fn push(&mut self, kind: InvokeKind, member: Member, values: &[Value]) -> bool {
        let rows = self.rows;
        let is_same = |(around, of, named, with): &(usize, InvokeKind, Member, Vec<Value>)| {
            (*around, *of, *named) == (rows, kind, member) && with == values
        };
        let is_new = !self.references.iter().any(is_same);
        if is_new {
            self.references.push((rows, kind, member, values.to_vec()));
        }
        is_new
    }

    /// Closes the innermost call by a reference.
    pub(crate) fn pop(&mut self) {
        self.references.pop();
    }
}
