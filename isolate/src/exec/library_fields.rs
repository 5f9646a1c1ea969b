//! Fields declared by library classes: `count` of `java.io.ByteArrayOutputStream` in a subclass, `x` of
//! `java.awt.Point`.
//!
//! **Definition.** Such a field belongs to the *content* of its object, like everything that the library's own methods
//! access in the object: a load reads the content, a store writes it.
//!
//! *Why it suffices.* The field is a part of the location, and the methods of the library class access the same
//! location by their rows. So two accesses of one field are accesses of one location.
//!
//! Fields that the library assigns only in constructors (`facts::library_fields`) and that no program code
//! assigns are unchanging: reading one is no access.

use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::State;
use crate::Stuck;
use crate::value::Value;
use java::Member;
use java::ir::Statement;

impl Interpreter<'_> {
    /// Loads a library field of an object with this value.
    pub(super) fn get_library_field(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (base, field): (Value, Member),
    ) -> Result<(), Stuck> {
        let value = self.assigned_value(at, &state, statement.to);
        match base.region().filter(|_| !self.heap.is_unchanging_library_field(field)) {
            Some(region) => {
                let location = self.content_location(region);
                self.load_location(execution, at, statement, state, (location, value))
            }
            None => self.assign_value(execution, at, statement, state, value),
        }
    }

    /// Stores to a library field of an object with this value.
    pub(super) fn put_library_field(&mut self, execution: &mut Execution, at: Position<'_>, state: State, base: Value) {
        match base.region() {
            Some(region) => {
                let location = self.content_location(region);
                self.store_location(execution, at, state, location);
            }
            None => {
                let after = self.add_unfollowed_change(execution, at, at.after);
                execution.continue_at(after, at.next(), state);
            }
        }
    }
}
