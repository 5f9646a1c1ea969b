//! Operations on decision diagrams that can be interrupted.
//!
//! The library cannot interrupt its operations. But they call a function for the value of every pair of nodes, and the
//! function of this module returns `false` once the budget is spent. Then the operation ends at once, with a
//! meaningless diagram that is discarded.

use biodivine_lib_bdd::{Bdd, BddVariable, op_function};
use std::cell::Cell;
use std::fmt;

/// The budget was spent before an operation had finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the budget of an operation on decision diagrams is spent")
    }
}

impl std::error::Error for Exhausted {}

/// Number of pairs of nodes between two calls of the caller's function: well below a millisecond.
const INTERVAL: u32 = 4096;

/// A budget of time: regularly asks its owner whether to continue.
pub struct Budget<'a> {
    go_on: Box<dyn Fn() -> bool + 'a>,
    countdown: Cell<u32>,
    spent: Cell<bool>,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("spent", &self.spent).finish_non_exhaustive()
    }
}

type Value = Option<bool>;

impl<'a> Budget<'a> {
    /// Returns a budget that is spent once the function returns `false`; it is called at least once in every 4,096
    /// pairs of nodes.
    pub fn new(go_on: impl Fn() -> bool + 'a) -> Self {
        Self { go_on: Box::new(go_on), countdown: Cell::new(INTERVAL), spent: Cell::new(false) }
    }

    /// Returns a budget that is never spent.
    pub fn unlimited() -> Self {
        Self::new(|| true)
    }

    pub(crate) fn and(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, Exhausted> {
        self.finished(Bdd::binary_op(left, right, self.guard(op_function::and)))
    }

    pub(crate) fn or(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, Exhausted> {
        self.finished(Bdd::binary_op(left, right, self.guard(op_function::or)))
    }

    pub(crate) fn and_not(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, Exhausted> {
        self.finished(Bdd::binary_op(left, right, self.guard(op_function::and_not)))
    }

    /// Returns the conjunction, with the variables that `hidden` selects existentially quantified.
    pub(crate) fn and_exists(
        &self,
        left: &Bdd,
        right: &Bdd,
        hidden: impl Fn(BddVariable) -> bool,
    ) -> Result<Bdd, Exhausted> {
        let (outer, inner) = (self.guard(op_function::and), self.guard(op_function::or));
        self.finished(Bdd::binary_op_nested(left, right, hidden, outer, inner))
    }

    fn guard(&self, operation: impl Fn(Value, Value) -> Value) -> impl Fn(Value, Value) -> Value {
        move |left, right| if self.is_spent() { Some(false) } else { operation(left, right) }
    }

    fn is_spent(&self) -> bool {
        if self.spent.get() {
            return true;
        }
        let left = self.countdown.get() - 1;
        self.countdown.set(if left == 0 { INTERVAL } else { left });
        if left == 0 && !(self.go_on)() {
            self.spent.set(true);
        }
        self.spent.get()
    }

    fn finished(&self, result: Bdd) -> Result<Bdd, Exhausted> {
        if self.spent.get() { Err(Exhausted) } else { Ok(result) }
    }
}
