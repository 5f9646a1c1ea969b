//! The extent of an interpretation: calls that are left out, and executions that are cut short.

use super::callback_stack::{CallbackStack, DEEPEST};
use super::interpreter::Interpreter;
use crate::{Assumption, Stuck};
use java::MethodId;

impl Interpreter<'_> {
    /// Whether calls of a method are left out in an analysis in part, because it
    /// [reaches too much](crate::facts::subject_facts::SubjectFacts::is_too_far).
    pub(crate) fn is_left_out(&mut self, method: MethodId) -> bool {
        let is_far = self.is_too_far(method);
        if is_far {
            self.assume(Assumption::LeftOut);
        }
        is_far
    }

    /// Turns a failure into the end of an execution, in an analysis in part.
    ///
    /// The execution ends where locks do not nest, and where there is no room for the next state. The thread stays
    /// there with all its locks, like a thread of the program that is never scheduled again. So each interleaving of
    /// the model is a prefix of one of the program: violations are real, and nothing is proved. The known states are
    /// still executed up to the fixpoint, so the facts about them are complete.
    pub(crate) fn unless_cut_short(&mut self, done: Result<(), Stuck>) -> Result<(), Stuck> {
        let ends = |stuck: &Stuck| match stuck {
            Stuck::NotNested { .. } => self.mode.max_reached.is_some(),
            Stuck::TooLarge { .. } => self.mode.is_cut_short,
            _ => false,
        };
        match done {
            Err(stuck) if ends(&stuck) => {
                self.assume(Assumption::CutShort);
                self.locks.stops_at_locks |= matches!(stuck, Stuck::NotNested { .. });
                self.notes.cut_off.get_or_insert(stuck);
                self.callback_stack = CallbackStack::default();
                Ok(())
            }
            done => done,
        }
    }

    /// Runs an action within a row; fails if rows are nested too deep.
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
