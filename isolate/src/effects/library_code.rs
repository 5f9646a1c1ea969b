//! The effects of library code, as the machine calls them.

use crate::Stuck;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::{Interpreter, LibraryCode};
use crate::exec::state::State;
use crate::value::Value;
use java::ir::Variable;

/// Library code as the rows of the table describe it.
pub(crate) struct LibraryRows;

impl LibraryCode for LibraryRows {
    fn call(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        class: &str,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        machine.row(execution, at, after, state, class, call)
    }

    fn call_unknown(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        machine.unknown(execution, at, after, state, call)
    }

    fn construct(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        state: State,
        call: &Call<'_>,
        made: (Value, Variable),
    ) -> Result<Vec<CallExit>, Stuck> {
        machine.construct_of_library(execution, at, state, call, made)
    }

    fn call_named(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        place: (Value, Option<Variable>),
        name: &str,
    ) -> Result<Option<usize>, Stuck> {
        machine.call_named(execution, at, after, place, name)
    }
}
