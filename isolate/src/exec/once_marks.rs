//! Marks of the steps that set, or find set, a location that is [set once](crate::facts::once_values).
//!
//! A mark is an acquisition with its release: of [`Lock::Once`] and [`Lock::Found`] around the step that sets the
//! location, and of [`Lock::Found`] in read mode after a step that finds it set. `modes::once_setters` turns them into
//! locks that units hold.

use super::cas_locations::outdated;
use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::State;
use crate::Rule;
use crate::facts::set_once::unset_side;
use crate::facts::stored::Stored;
use crate::graph::Step;
use crate::value::{Location, Lock, Value};
use eml::model::Mode;
use java::Condition;
use java::FieldId;
use java::ir::{Definition, Operation, Variable};

fn add(execution: &mut Execution, at: Position<'_>, after: Option<usize>, step: Step) -> Option<usize> {
    execution.add_steps(after, Steps::One(step), at.line())
}

impl Interpreter<'_> {
    /// Begins a step that sets a location.
    pub(crate) fn begin_setting(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        let begun = add(execution, at, after, Step::Acquire(Lock::Once(location), Mode::Write));
        add(execution, at, begun, Step::Acquire(Lock::Found(location), Mode::Write))
    }

    /// Ends a step that sets a location.
    pub(crate) fn end_setting(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        let set = add(execution, at, after, Step::Release(Lock::Found(location), Mode::Write));
        add(execution, at, set, Step::Release(Lock::Once(location), Mode::Write))
    }

    /// Adds an atomic step that sets a location.
    pub(crate) fn set_once(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        let begun = self.begin_setting(execution, at, after, location);
        let set = self.one_step(execution, at, begun, location, &[Step::Read(location), Step::Write(location)]);
        self.end_setting(execution, at, set, location)
    }

    /// Assigns a field that is set once.
    pub(super) fn store_once(&mut self, execution: &mut Execution, at: Position<'_>, state: State, location: Location) {
        let begun = self.begin_setting(execution, at, at.after, location);
        let written = self.add_write(execution, at, begun, location);
        let ended = self.end_setting(execution, at, written, location);
        execution.continue_at(ended, at.next(), outdated(&state, location));
    }

    /// Marks that a location is found set.
    pub(crate) fn find_set(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        if self.is_unobserved(at) {
            return after;
        }
        let begun = add(execution, at, after, Step::Acquire(Lock::Found(location), Mode::Read));
        add(execution, at, begun, Step::Release(Lock::Found(location), Mode::Read))
    }

    /// A value from a location that is set once: if only one followed object may be there, it is this one.
    pub(crate) fn only_region(&self, value: Value) -> Value {
        let Value::Open(of, _) = value else { return value };
        let options = self.options(of);
        let mut regions = options.iter().filter(|option| **option != Value::Other);
        match (regions.next(), regions.next()) {
            (Some(only), None) => *only,
            _ => value,
        }
    }

    /// Whether each assignment to a field outside of constructions sets it once, by [`SettersOnce`](Rule::SettersOnce).
    pub(super) fn sets_field_once(&self, field: FieldId) -> bool {
        !self.mode.is_program && self.heap.modality.omits(Rule::SettersOnce) && self.heap.is_assigned_once(field)
    }

    /// Marks that a branch has found a location set that is set once.
    pub(super) fn mark_found(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &mut State),
        (condition, values): (Condition, &[Variable]),
        is_taken: bool,
    ) -> Option<usize> {
        let is_asked = self.heap.modality.omits(Rule::SettersOnce) && !self.mode.is_program;
        if !is_asked || unset_side(condition).is_none_or(|unset| unset == is_taken) {
            return after;
        }
        let mut after = after;
        for value in values {
            let Some((location, is_lazy)) = self.once_location(at, state, (condition, *value)) else { continue };
            if !is_lazy {
                after = self.find_set(execution, at, after, location);
            }
            let found = state.value(*value);
            if !self.is_map_location(location) {
                state.replace(found, self.only_region(found));
            }
        }
        after
    }

    /// The location, set once, that a variable was read from, if a test against null or 0 finds out whether it is set.
    fn once_location(
        &mut self,
        at: Position<'_>,
        state: &State,
        of: (Condition, Variable),
    ) -> Option<(Location, bool)> {
        let Definition::Statement(id) = at.code.body.variable(of.1).definition else { return None };
        match &at.code.body.statement(id).operation {
            Operation::CheckCast(_, value) => self.once_location(at, state, (of.0, *value)),
            Operation::GetField { object, field } => {
                let Value::Region(region) = state.value(*object) else { return None };
                let field = self.heap.program.resolve_field(*field).found()?;
                let is_lazy = self.heap.is_lazily_made(field);
                self.sets_field_once(field).then(|| (self.field_location(region, field), is_lazy))
            }
            Operation::Invoke { member, arguments, .. } => {
                let Value::Region(region) = state.value(*arguments.first()?) else { return None };
                let objects = &self.regions.regions[region.index()].objects;
                let row = self.heap.row_of_member(*member)?;
                let only_reads = !row.writes_state() && !row.runs_functions();
                let is_null = matches!(of.0, Condition::Null | Condition::NotNull);
                let once = self.heap.once_value(objects);
                let is_lazy = once.as_ref().is_some_and(|once| once.is_lazy);
                let tests = match once.map(|once| once.first) {
                    Some(Stored::Null) => is_null,
                    Some(Stored::Int(0)) => !is_null && self.heap.gives_number(*member),
                    Some(_) => false,
                    None => (is_null || self.heap.gives_number(*member)) && self.heap.are_growing_maps(objects),
                };
                (only_reads && tests).then(|| (self.content_location(region), is_lazy))
            }
            _ => None,
        }
    }

    /// Whether a location is the content of a growing map.
    pub(crate) fn is_map_location(&self, location: Location) -> bool {
        let Location::Content(alias) = location else { return false };
        self.heap.are_growing_maps(&self.regions.aliases[alias.index()].objects)
    }

    /// Whether a location belongs to the entry of a map under one key.
    pub(crate) fn is_keyed_location(&self, location: Location) -> bool {
        let alias = match location {
            Location::Content(alias) | Location::Field(alias, _) | Location::Element(alias, _) => alias,
            Location::Static(_) | Location::Deep => return false,
        };
        let alias = &self.regions.aliases[alias.index()];
        alias.path.contains("[]") || self.heap.are_concurrent_maps(&alias.objects)
    }
}
