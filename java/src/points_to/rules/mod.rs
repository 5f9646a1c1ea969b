//! The rules: they add the edges, objects and constraints that follow from code, from the library table, and from new
//! objects in the node of a constraint.

mod callbacks;
mod calls;
mod derived_objects;
mod escape;
mod external;
mod fields;
mod handles;
mod lambdas;
mod row_actions;
mod rows;
mod statements;

use crate::points_to::constraints::Constraint;
use crate::points_to::sets::SetId;
use crate::points_to::state::State;

impl State<'_> {
    /// Applies a constraint to the new objects of its node.
    pub(super) fn apply(&mut self, constraint: Constraint, new: SetId) {
        match constraint {
            Constraint::Load { field, to } => self.apply_load(new, field, to),
            Constraint::LoadAll(to) => self.apply_load_all(new, to),
            Constraint::Store { field, from } => self.apply_store(new, field, from),
            Constraint::Call(id) => self.call_on(id, new),
            Constraint::Callback(id) => self.apply_callback(id, new),
            Constraint::HandleAccess(id) => self.apply_handle_access(id, new),
            Constraint::View { of, to } => self.apply_view(new, of, to),
            Constraint::HoldsView(of) => self.apply_holds_view(new, of),
            Constraint::Enumerates(to) => self.apply_enumerates(new, to),
            Constraint::Clone { site, to } => self.apply_clone(new, site, to),
            Constraint::ClassOf(to) => self.apply_class_of(new, to),
            Constraint::Escapes => self.apply_escapes(new),
        }
    }
}
