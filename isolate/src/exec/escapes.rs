//! Objects that the unit has made and that others get: their variables become unresolved.
//!
//! A new object is none of those that the method knows already under other names. For findings, by rule
//! [`NewObjects`](Rule::NewObjects), these are left out of what its variable may hold: in
//! `copy = new Part(); hand(copy); copy.set(this.get())` the two objects are different.

use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::Rule;
use crate::facts::argument_flows::Extent;
use crate::value::{AliasId, Value};
use java::MethodId;
use java::ir::{Body, Definition, Operation, StatementId, Variable};
use java::points_to::ObjectId;
use std::collections::BTreeSet;

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
            if self.heap.modality.omits(Rule::NewObjects) && is_made_here(&at.code.body, alias) {
                let known = self.known_aliases(state);
                let is_known = |object: &ObjectId| {
                    self.regions.alias_of(&self.heap, *object).iter().any(|(alias, _)| known.contains(alias))
                };
                objects.retain(|object| !is_known(object));
            }
            let open = self.value_of_objects(state, objects);
            if open != Value::Any {
                state.set(alias, open);
            }
        }
    }

    /// The alias classes of the followed objects that the method knows. One object of each class is followed.
    fn known_aliases(&self, state: &State) -> BTreeSet<AliasId> {
        let region = |value: Value| if let Value::Region(region) = value { Some(region) } else { None };
        state.all_values().filter_map(region).map(|region| self.regions.alias(region)).collect()
    }

    /// Whether nobody else has the object that a constructor constructs before it ends: by the constructor's code, or
    /// by [`Constructors`](Rule::Constructors).
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

/// Whether a variable is assigned by an allocation only.
fn is_made_here(body: &Body, variable: Variable) -> bool {
    match body.variable(variable).definition {
        Definition::Statement(id) => matches!(body.statement(id).operation, Operation::New(_)),
        _ => false,
    }
}

/// Whether a value says that an object is no followed one, perhaps because the unit has made it.
fn is_private(value: Value) -> bool {
    matches!(value, Value::Any | Value::Other | Value::Derived | Value::Made(_) | Value::Fresh(_) | Value::This(_))
}
