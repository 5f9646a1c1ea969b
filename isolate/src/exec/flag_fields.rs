//! Loads and stores of [flag fields](crate::facts::flag_fields) of followed objects.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::lock_effects::ReleasedLock;
use super::state::{HeldLock, State};
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::FieldId;

impl Interpreter<'_> {
    /// Releases a flag, if the thread has taken it.
    pub(crate) fn free_flag_field(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, State),
        (region, field): (RegionId, FieldId),
    ) -> (Option<usize>, State) {
        self.free(execution, at, (after, state), Lock::Flag(region, field))
    }

    /// Releases a flag or a counter, if the thread holds it.
    pub(crate) fn free(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, mut state): (Option<usize>, State),
        lock: Lock,
    ) -> (Option<usize>, State) {
        let unchanged = state.clone();
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let step = match state.release(HeldLock::Explicit(lock, Mode::Write), self.mode.overlaps) {
            Some(ReleasedLock::Own) => Step::Release(lock, Mode::Write),
            Some(ReleasedLock::OfCaller(number)) if !has_own && self.is_called_here(at) => {
                Step::ReleaseForCaller(lock, Mode::Write, number)
            }
            _ => return (after, unchanged),
        };
        (execution.add_steps(after, Steps::One(step), at.line()), state)
    }

    /// Whether a method of the program calls the method that is executed.
    fn is_called_here(&self, at: Position<'_>) -> bool {
        !self.contexts[at.id.index()].callers.is_empty()
    }

    /// The values of a flag field of a followed object, which are no data.
    pub(crate) fn flag_field_values(&self, field: FieldId) -> Option<Vec<Value>> {
        let taken = self.heap.flag_values(field)?;
        Some(std::iter::once(0).chain(taken.iter().copied()).map(Value::Int).collect())
    }
}
