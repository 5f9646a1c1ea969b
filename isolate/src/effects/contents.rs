//! Accesses of rows to the contents of followed objects and of library objects that the unit has made.

use super::access::Access;
use super::rows::{RowCall, is_repeated_call};
use crate::exec::context::Steps;
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::{RegionId, Value};
use crate::{Assumption, Rule};
use java::library::{Action, Attribute, Guard, Subject};
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
            let is_read = accesses == [Access::Read];
            let only_reads = is_read && !row_call.row.actions.iter().any(is_repeated_call);
            let is_whole = row_call.is_traversal || row_call.row.traits.several;
            let takes_steps = match self.is_unguarded(*region) {
                true => is_whole || self.takes_several_steps(*region),
                false => is_whole && is_read && self.is_outside_monitor(row_call, *region),
            };
            if takes_steps {
                let steps = self.steps_of(*region, accesses);
                row_call.after = execution.add_steps(row_call.after, Steps::Optional(steps), at.line());
            } else if row_call.row.traits.several && !only_reads {
                self.leave_step(execution, at, row_call);
                self.enter_step(execution, at, row_call, *region);
                self.add_content_accesses(execution, at, row_call, (*region, accesses));
            } else if is_read
                && (is_whole || self.is_part_of_container(row_call, *region))
                && self.is_seen_weakly(row_call, *region)
            {
                let name = self.called_name(row_call.call);
                self.assume(Assumption::AtOneTime(format!("`{name}`")));
            }
        }
        if row_call.row.traits.several {
            self.leave_step(execution, at, row_call);
        }
    }

    /// Whether a row reads an array that it gets, as a constructor of `String` does.
    pub(super) fn reads_array(&self, row_call: &RowCall<'_, '_>, action: &Action) -> bool {
        const BY_INDEX: &str = "java/lang/reflect/Array";
        let Action::Reads(subject @ Subject::Argument(_)) = action else { return false };
        let is_array = |region: RegionId| {
            let mut objects = self.regions.regions[region.index()].objects.iter();
            objects.any(|object| self.heap.is_array(*object))
        };
        self.heap.program.text(row_call.call.member.class) != BY_INDEX
            && Self::value_of(row_call.call, *subject).region().is_some_and(is_array)
    }

    /// Whether a method of an object without a guard takes several steps even if it visits few elements: a map that
    /// grows has its old table, then an empty one, then the full one. Findings do not rely on that
    /// ([`Rule::PlainSteps`]).
    fn takes_several_steps(&self, region: RegionId) -> bool {
        !self.heap.modality.omits(Rule::PlainSteps) && self.is_plain_structure(region)
    }

    /// Whether a row belongs to the object of a region, whose guard it holds, if the object has one.
    fn is_within_guard(row_call: &RowCall<'_, '_>, region: RegionId) -> bool {
        match Self::value_of(row_call.call, Subject::This) {
            Value::Locked(of) => of == region && row_call.monitor.is_some(),
            Value::Region(of) | Value::View(of) => of == region && row_call.row.guard() != Guard::None,
            _ => false,
        }
    }

    /// Whether a row visits an object whose methods hold its monitor without holding it throughout: it calls `next`
    /// again and again, or reads the content without the monitor.
    fn is_outside_monitor(&self, row_call: &RowCall<'_, '_>, region: RegionId) -> bool {
        !row_call.is_at_once && self.has_monitor(region) && !Self::is_within_guard(row_call, region)
    }

    /// Whether a row reads a view that is a collection or map itself: the row says what the interface says, and the
    /// view may count or search its elements.
    fn is_part_of_container(&self, row_call: &RowCall<'_, '_>, region: RegionId) -> bool {
        let class = self.heap.program.text(row_call.call.member.class);
        let is_container =
            ["java/util/Collection", "java/util/Map"].iter().any(|of| self.heap.library.is_subtype(class, of));
        is_container && !row_call.is_position && Self::value_of(row_call.call, Subject::This) == Value::View(region)
    }

    /// Whether a row takes several steps to read all of a concurrent container, although they count as one.
    fn is_seen_weakly(&self, row_call: &RowCall<'_, '_>, region: RegionId) -> bool {
        let is_own_step = !row_call.row.traits.several && Self::is_within_guard(row_call, region);
        !is_own_step && self.is_weakly_consistent(region, row_call.is_at_once)
    }

    /// Notes the assumption about a row that asks for the state of a lock.
    pub(super) fn assume_lock_state(&mut self, row_call: &RowCall<'_, '_>, whom: Subject) {
        let of_lock = [Attribute::Lock, Attribute::ReadWriteLock].iter().any(|it| row_call.row.attributes.has(*it));
        let is_lock = |region: RegionId| of_lock || self.is_semaphore_as_lock(region);
        if whom == Subject::This
            && let Some(region) = Self::value_of(row_call.call, whom).region()
            && is_lock(region)
        {
            let name = self.called_name(row_call.call);
            self.assume(Assumption::LockState(format!("`{name}`")));
        }
    }

    /// Whether a call removes one element of a concurrent container, by
    /// [`WeakTraversals`](crate::Rule::WeakTraversals): the search before it is no observation, and the result says
    /// whether this call has removed the element.
    fn removes_in_one_step(&self, row_call: &RowCall<'_, '_>) -> bool {
        let program = self.heap.program;
        self.heap.modality.omits(crate::Rule::WeakTraversals)
            && row_call.row.guard() == Guard::Operations
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
            Value::Region(region) | Value::View(region) | Value::Locked(region) => Value::View(region),
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
