//! Accesses of rows to the contents of followed objects and of library objects that the unit has made.

use super::access::Access;
use super::rows::{RowCall, is_call};
use crate::Rule;
use crate::exec::context::Steps;
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::{RegionId, Value};
use java::points_to::Field;
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// Adds accesses to contents, one after the other.
    pub(super) fn add_accesses(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        contents: &[RegionId],
        accesses: &[Access],
    ) {
        if self.removes_in_one_step(row_call) {
            for region in contents {
                self.enter_step(execution, at, row_call, *region);
                self.add_content_accesses(execution, at, row_call, (*region, accesses));
            }
            return;
        }
        for region in contents {
            self.enter_step(execution, at, row_call, *region);
            self.add_content_accesses(execution, at, row_call, (*region, accesses));
            let only_reads = accesses == [Access::Read] && !row_call.row.actions.iter().any(is_call);
            if (row_call.is_traversal || row_call.row.traits.several) && self.is_unguarded(*region) {
                let steps = self.steps_of(*region, accesses);
                row_call.after = execution.add_steps(row_call.after, Steps::Optional(steps), at.line());
            } else if row_call.row.traits.several && !only_reads {
                self.leave_step(execution, at, row_call);
                self.enter_step(execution, at, row_call, *region);
                self.add_content_accesses(execution, at, row_call, (*region, accesses));
            }
        }
        if row_call.row.traits.several {
            self.leave_step(execution, at, row_call);
        }
    }

    /// Whether a call removes one element of a concurrent container, by
    /// [`WeakTraversals`](crate::Rule::WeakTraversals): the search before it is no observation, and the result says
    /// whether this call has removed the element.
    fn removes_in_one_step(&self, row_call: &RowCall<'_, '_>) -> bool {
        let program = self.heap.program;
        self.heap.modality.omits(crate::Rule::WeakTraversals)
            && row_call.row.guard() == java::library::Guard::Operations
            && ["remove", "removeFirstOccurrence", "removeLastOccurrence"]
                .contains(&program.text(row_call.call.member.name))
            && program.result_type(row_call.call.member.descriptor) == Some(java::Type::Boolean)
    }

    /// Adds accesses to the content of a region.
    pub(super) fn add_content_accesses(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        (region, accesses): (RegionId, &[Access]),
    ) {
        for access in accesses {
            for location in self.content_locations(region) {
                row_call.after = match access {
                    Access::Read => self.add_read(execution, at, row_call.after, location),
                    Access::Write => self.add_write(execution, at, row_call.after, location),
                };
            }
        }
    }

    /// The steps of accesses to a content, as alternatives.
    pub(crate) fn steps_of(&mut self, region: RegionId, accesses: &[Access]) -> Vec<Step> {
        let locations = self.content_locations(region);
        let step = |access: &Access, location| match access {
            Access::Read => Step::Read(location),
            Access::Write => Step::Write(location),
        };
        accesses.iter().flat_map(|access| locations.iter().map(move |location| step(access, *location))).collect()
    }

    /// The regions whose content is accessed through a value; for an object that the unit has made, those of the values
    /// that it keeps.
    pub(super) fn contents_of(&self, value: Value) -> Vec<RegionId> {
        let mut found = BTreeSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Region(region) | Value::View(region) | Value::Locked(region) => drop(found.insert(region)),
                Value::Made(made) if matches!(self.made(made).kind, MadeKind::Library(_)) => {
                    open.extend(self.made(made).fields.iter().map(|(_, value)| *value));
                }
                _ => {}
            }
        }
        found.into_iter().collect()
    }

    /// The region whose content a value has itself.
    pub(super) fn own_contents(&self, value: Value) -> Vec<RegionId> {
        value.region().into_iter().collect()
    }

    /// The value of a view.
    pub(super) fn view(
        &mut self,
        at: Position<'_>,
        row_call: &RowCall<'_, '_>,
        value: Value,
        is_locked: bool,
    ) -> Value {
        match value {
            // A wrapper of a program object calls its methods.
            Value::Region(region) if self.is_program_object(region) => Value::Region(region),
            Value::Region(region) if is_locked => Value::Locked(region),
            Value::Locked(region) => Value::Locked(region),
            Value::Region(region) | Value::View(region) => Value::View(region),
            Value::Made(_) | Value::Null => value,
            // An iterator of another list is none of the followed one.
            Value::Other if self.heap.modality.omits(Rule::SwappedOut) => value,
            Value::Any if self.heap.modality.omits(Rule::PrivateObjects) => Value::Other,
            _ => self.assigned_value(at, &row_call.state, row_call.call.to),
        }
    }

    /// Whether a region is an object that a client has made: the client must guard the position of its iterator.
    pub(super) fn is_of_client(&self, region: RegionId) -> bool {
        let objects = &self.regions.regions[region.index()].objects;
        objects.iter().all(|object| matches!(self.heap.kind_of(*object), ObjectKind::External(_)))
    }

    /// An element of the content of a value.
    pub(super) fn element_of(&mut self, at: Position<'_>, row_call: &RowCall<'_, '_>, value: Value) -> Value {
        match value {
            Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                self.content_value(&row_call.state, region, at, row_call.call.to)
            }
            Value::Made(made) if self.made(made).fields.len() == 1 => {
                let value = self.made(made).fields[0].1;
                match value {
                    Value::Region(region) | Value::View(region) | Value::Locked(region)
                        if self.made(made).fields[0].0 == Field::Captured(255) =>
                    {
                        self.content_value(&row_call.state, region, at, row_call.call.to)
                    }
                    _ => self.assigned_value(at, &row_call.state, row_call.call.to),
                }
            }
            _ => self.assigned_value(at, &row_call.state, row_call.call.to),
        }
    }
}
