//! Objects that the unit has made and that others get: their variables become unresolved.

use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::facts::argument_flows::Extent;
use crate::value::Value;
use java::ir::{Operation, StatementId, Variable};

impl Interpreter<'_> {
    /// The object of a variable escapes, with all that it reaches: the variables that may hold one of these objects
    /// become unresolved, even if the variable is unresolved already.
    pub(super) fn note_escape(&mut self, at: Position<'_>, state: &mut State, variable: Variable) {
        self.note_escape_of(at, state, (variable, Extent::Reached));
    }

    fn note_escape_of(&mut self, at: Position<'_>, state: &mut State, of: (Variable, Extent)) {
        let method = self.contexts[at.id.index()].method;
        for alias in self.escaping_aliases(method, of).iter().copied() {
            let value = state.value(alias);
            if !is_private(value) || (matches!(value, Value::This(_)) && !self.leaks_constructed(method)) {
                continue;
            }
            let mut objects = self.heap.variable(method, alias);
            if self.is_foreign(at.id) {
                objects = self.reached_from_foreign(None, objects);
            }
            let open = self.value_of_objects(state, objects);
            if open != Value::Any {
                state.set(alias, open);
            }
        }
    }

    /// Continues after a call that stores some of its arguments.
    pub(super) fn note_stored_arguments(&mut self, at: Position<'_>, state: &mut State, operation: &Operation) {
        let method = self.contexts[at.id.index()].method;
        let site = StatementId { block: at.point.block, index: at.point.index };
        for of in self.stored_arguments((method, site), operation).iter() {
            self.note_escape_of(at, state, *of);
        }
    }
}

/// Whether a value says that an object is no followed one, perhaps because the unit has made it.
fn is_private(value: Value) -> bool {
    matches!(value, Value::Any | Value::Other | Value::Derived | Value::Made(_) | Value::Fresh(_) | Value::This(_))
}
