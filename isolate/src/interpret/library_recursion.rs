//! Calls that are made within one step of a method: of functions, by rows of the library and by method references.
//!
//! *References.* A method reference may be bound to what is, as far as is known, the same reference: `f = g::apply`,
//! and `g` may be such an `f`. A call of it calls itself, and nothing stands between the two calls. The ways in which
//! it ends are the least solution of that: what it ends in without calling itself. So a call that is open already has
//! no way to end, if only references stand between.
//!
//! *Rows.* A row does something before and after it calls, so this is not so there. Rows that stand in each other
//! deeper than [`DEEPEST`] are too much to follow.

use super::interpreter::Interpreter;
use crate::Stuck;
use crate::value::Value;
use java::{InvokeKind, Member, MethodId};

/// Rows stand in each other so deep.
const DEEPEST: usize = 8;

/// The calls that are open in one step.
#[derive(Debug, Default)]
pub(super) struct CallbackStack {
    rows: usize,
    /// Calls by references, with the number of rows around.
    references: Vec<(usize, InvokeKind, Member, Vec<Value>)>,
}

impl CallbackStack {
    /// A call by a reference begins; not if it is open already.
    pub(super) fn push(&mut self, kind: InvokeKind, member: Member, values: &[Value]) -> bool {
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

    /// The call by a reference that began last ends.
    pub(super) fn pop(&mut self) {
        self.references.pop();
    }
}

impl Interpreter<'_> {
    /// Does something inside of a row; fails if too many stand in each other.
    pub(super) fn within_row<T>(
        &mut self,
        method: MethodId,
        does: impl FnOnce(&mut Self) -> Result<T, Stuck>,
    ) -> Result<T, Stuck> {
        if self.callback_stack.rows >= DEEPEST {
            return Err(self.too_large(method));
        }
        self.callback_stack.rows += 1;
        let done = does(self);
        self.callback_stack.rows -= 1;
        done
    }
}
