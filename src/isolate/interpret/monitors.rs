//! Monitors that statements enter and leave.

use super::context::Piece;
use super::execution::{Execution, Here};
use super::interpreter::Interpreter;
use super::state::{Open, State};
use crate::isolate::Stuck;
use crate::isolate::graph::Step;
use crate::isolate::value::Value;
use crate::model::Mode;
use java::ir::Variable;

impl Interpreter<'_> {
    pub(super) fn monitor_enter(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
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
            after = execution.does(after, Piece::One(Step::Acquire(lock, Mode::Write)), at.line());
        }
        if !state.opens(lock.map_or(Open::Silent(object), Open::Monitor)) {
            return Err(self.not_nested(at));
        }
        execution.goes_on(after, at.next(), state);
        Ok(())
    }

    pub(super) fn monitor_exit(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        mut state: State,
        object: Variable,
    ) -> Result<(), Stuck> {
        let entered = state.entered(self.monitor(state.value(object)), object);
        if state.closes(entered, self.mode.overlaps) != Some(super::locks::Closed::Own) {
            return Err(self.not_nested(at));
        }
        let mut after = at.after;
        if let Open::Monitor(lock) = entered {
            after = execution.does(after, Piece::One(Step::Release(lock, Mode::Write)), at.line());
        }
        execution.goes_on(after, at.next(), state);
        Ok(())
    }
}
