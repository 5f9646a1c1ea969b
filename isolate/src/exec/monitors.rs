//! Entry and exit of monitors.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::{HeldLock, State};
use crate::Stuck;
use crate::graph::Step;
use crate::value::Value;
use eml::model::Mode;
use java::ir::Variable;

impl Interpreter<'_> {
    pub(super) fn monitor_enter(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut state: State,
        object: Variable,
    ) -> Result<(), Stuck> {
        let value = state.value(object);
        self.may_be_null(execution, at, &state, object)?;
        if value == Value::Null {
            return Ok(());
        }
        let lock = self.monitor(value);
        let mut after = at.after;
        if let Some(lock) = lock {
            after = execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
        }
        if !state.acquire(lock.map_or(HeldLock::Unmodelled(object), HeldLock::Monitor)) {
            return Err(self.not_nested(at));
        }
        execution.continue_at(after, at.next(), state);
        Ok(())
    }

    pub(super) fn monitor_exit(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut state: State,
        object: Variable,
    ) -> Result<(), Stuck> {
        let entered = state.entered_monitor(self.monitor(state.value(object)), object);
        if state.release(entered, self.mode.overlaps) != Some(super::lock_effects::ReleasedLock::Own) {
            return Err(self.not_nested(at));
        }
        let mut after = at.after;
        if let HeldLock::Monitor(lock) = entered {
            after = execution.add_steps(after, Steps::One(Step::Release(lock, Mode::Write)), at.line());
        }
        execution.continue_at(after, at.next(), state);
        Ok(())
    }
}
