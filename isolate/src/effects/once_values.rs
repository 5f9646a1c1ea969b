//! Accesses to atomics and maps that are [set once](crate::facts::once_values).
//!
//! A step that sets such a value is inside of a lock that stands for the location ([`Lock::Once`]). The entries that
//! set it hold this lock from begin to end (`modes::once_setters`).

use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::State;
use crate::facts::stored::{OnceValue, Stored};
use crate::graph::Step;
use crate::value::{RegionId, Value};
use java::library::{Action, Argument, Attribute, Row};

impl Interpreter<'_> {
    /// All exits of an access to an atomic that is set once; none if the access is as to any other atomic.
    pub(super) fn once_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        if row.attributes.has(Attribute::Handle) || self.mode.is_program {
            return None;
        }
        let Value::Region(region) = *call.values.first()? else { return None };
        let once = self.heap.once_value(&self.regions.regions[region.index()].objects)?;
        let location = self.content_location(region);
        let is_settled = state.is_settled_content(region);
        let mut settled = state.clone();
        if once.is_final {
            settled.settle_content(region);
        }
        let mut own = settled.clone();
        own.set_content(region);
        let gives_flag = self.heap.program.result_type(call.member.descriptor) == Some(java::Type::Boolean);
        let number = |number: i32| if gives_flag { Value::Int(number) } else { Value::Any };
        let is_main = |action: &&Action| !matches!(action, Action::Keeps { .. } | Action::Gives(_));
        match row.actions.iter().find(is_main)? {
            Action::Gets => self.once_read(execution, at, (after, state), (region, &once), call),
            Action::ComparesAndSets(pairs) if matches!(&pairs[..], [(expected, _)] if self.is_first(at, call, expected, &once.first)) =>
            {
                if is_settled {
                    return Some(vec![(after, state.clone(), Some(number(0)))]);
                }
                if once.is_lazy {
                    return Some(vec![(after, settled.clone(), Some(number(1))), (after, settled, Some(number(0)))]);
                }
                let set = self.set_once(execution, at, after, location);
                let read = self.one_step(execution, at, after, location, &[Step::Read(location)]);
                let read = self.find_set(execution, at, read, location);
                Some(vec![(set, own, Some(number(1))), (read, settled, Some(number(0)))])
            }
            Action::GetsAndSets(_) if once.is_flag => {
                let Stored::Int(first) = once.first else { return None };
                let late = vec![(after, state.clone(), Some(Value::Int(1 - first)))];
                if is_settled {
                    return Some(late);
                }
                let set = self.set_once(execution, at, after, location);
                let read = self.one_step(execution, at, after, location, &[Step::Read(location)]);
                let read = self.find_set(execution, at, read, location);
                Some(vec![(set, own, Some(Value::Int(first))), (read, settled, Some(Value::Int(1 - first)))])
            }
            _ => None,
        }
    }

    /// The exits of a read.
    fn once_read(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        (region, once): (RegionId, &OnceValue),
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let location = self.content_location(region);
        if !state.is_settled_content(region) && once.is_lazy {
            let value = self.assigned_value(at, state, call.to);
            return Some(vec![(after, state.clone(), Some(value))]);
        }
        if !state.is_settled_content(region) {
            // A branch that follows may repeat the read, so there is one case only.
            let read = self.one_step(execution, at, after, location, &[Step::Read(location)]);
            let value = self.assigned_value(at, state, call.to);
            return Some(vec![(read, state.clone(), Some(value))]);
        }
        let value = match once.first {
            Stored::Int(first) if once.is_flag => Value::Int(1 - first),
            _ => {
                let value = self.assigned_value(at, state, call.to);
                self.only_region(value)
            }
        };
        Some(vec![(after, state.clone(), Some(value))])
    }

    /// Whether an argument is certainly the first value.
    fn is_first(&self, at: Position<'_>, call: &Call<'_>, argument: &Argument, first: &Stored) -> bool {
        let Some(variable) = call.variables.and_then(|all| all.get(argument.index() + 1)) else { return false };
        self.heap.has_value(&at.code.body, self.contexts[at.id.index()].method, *variable, first)
    }

    /// The growing map to which a call adds a value if its key is absent.
    pub(super) fn growing_map(&self, call: &Call<'_>) -> Option<RegionId> {
        let Value::Region(region) = *call.values.first()? else { return None };
        let objects = &self.regions.regions[region.index()].objects;
        let grows = self.heap.adds_if_absent(call.member) && !self.mode.is_program;
        (grows && self.heap.are_growing_maps(objects)).then_some(region)
    }
}
