//! Objects that the unit has made and that others get: their variables become unresolved.

use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::Rule;
use crate::facts::argument_flows::Extent;
use crate::value::Value;
use java::MethodId;
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
            if !is_private(value) || (matches!(value, Value::This(_)) && self.stays_constructors_own(method)) {
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

    /// Whether nobody else has the object that a constructor constructs before it ends: by the constructor's code, or by
    /// [`Constructors`](Rule::Constructors).
    fn stays_constructors_own(&self, method: MethodId) -> bool {
        let is_omitted = self.heap.modality.omits(Rule::Constructors) && self.heap.program.is_constructor(method);
        is_omitted || !self.leaks_constructed(method)
    }

    /// Whether an object stays new although it is stored in this object: a constructor's own object, by
    /// [`NewObjects`](Rule::NewObjects). By [`Constructors`](Rule::Constructors), it is its own in the methods that the
    /// constructor calls, too.
    pub(crate) fn stays_new_in(&self, at: Position<'_>, holder: Value) -> bool {
        matches!(holder, Value::This(_))
            && self.heap.modality.omits(Rule::NewObjects)
            && (self.heap.modality.omits(Rule::Constructors)
                || self.stays_constructors_own(self.contexts[at.id.index()].method))
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
