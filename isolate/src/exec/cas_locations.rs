//! Locations that some method compares and sets: their reads may be moved, and their accesses are atomic steps.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::State;
use crate::graph::Step;
use crate::value::{Location, Lock, Value};
use crate::{Rule, Stuck};
use eml::model::Mode;
use java::ir::Statement;

impl Interpreter<'_> {
    /// Adds accesses that happen in one atomic step.
    pub(crate) fn one_step(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        location: Location,
        steps: &[Step],
    ) -> Option<usize> {
        if self.is_unobserved(at) {
            return after;
        }
        let lock = operations_lock(location);
        let begin = lock.map(|lock| Step::Acquire(lock, Mode::Write));
        let end = lock.map(|lock| Step::Release(lock, Mode::Write));
        for step in begin.into_iter().chain(steps.iter().copied()).chain(end) {
            after = execution.add_steps(after, Steps::One(step), at.line());
        }
        after
    }

    /// The value of a read in place, and of a moved read if some method compares and sets the location.
    pub(crate) fn read_or_moved(
        &mut self,
        at: Position<'_>,
        location: Location,
        value: Value,
    ) -> (Value, Option<Value>) {
        self.cas.accessors.entry(location).or_default().insert(at.caller());
        if !self.cas.locations.contains(&location) {
            return (value, None);
        }
        // The content of an immutable object cannot change, so its identity may be forgotten.
        let is_plain = match value {
            Value::Any | Value::Derived => true,
            Value::Open(of, _) => self.is_immutable(of),
            _ => false,
        };
        match is_plain {
            true => (Value::Found(location, false), Some(Value::Found(location, true))),
            false => (value, None),
        }
    }

    /// Whether reads of objects from a location are noted at the variables that get them: in findings, if some method
    /// compares and sets the location, and the objects' identity matters.
    pub(crate) fn notes_objects(&self, location: Location, found: Value, moved: Option<Value>) -> bool {
        let is_object = matches!(found, Value::Open(..) | Value::Region(_));
        self.heap.modality.omits(Rule::FailedAttempts)
            && moved.is_none()
            && is_object
            && self.cas.locations.contains(&location)
    }

    /// Notes that a method compares and sets a location, so that reads of it may be moved; requeues its accessors.
    pub(crate) fn note_cas(&mut self, location: Location) {
        if self.cas.locations.insert(location) {
            let cas_accessors = self.cas.accessors.get(&location).cloned().unwrap_or_default();
            self.requeue(cas_accessors);
        }
    }

    /// Loads from a location that handles may compare and set.
    pub(super) fn load_location(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (location, value): (Location, Value),
    ) -> Result<(), Stuck> {
        let (found, moved) = self.read_or_moved(at, location, value);
        let read = match self.cas.locations.contains(&location) {
            true => self.one_step(execution, at, at.after, location, &[Step::Read(location)]),
            false => self.add_read(execution, at, at.after, location),
        };
        let notes = self.notes_objects(location, found, moved);
        let mut alternatives = Vec::new();
        for (after, value, is_moved) in [(read, Some(found), false), (at.after, moved.or(notes.then_some(value)), true)]
        {
            let Some(value) = value else { continue };
            let mut state = state.clone();
            if let Some(to) = statement.to {
                state.assign(&at.code.terms, to, value);
                if notes {
                    state.note_found(to, location, is_moved);
                }
            }
            alternatives.push((after, state));
        }
        self.fork(execution, at, alternatives)
    }

    /// Stores to a location that handles may compare and set.
    pub(super) fn store_location(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        state: State,
        location: Location,
    ) {
        self.cas.accessors.entry(location).or_default().insert(at.caller());
        let written = match self.cas.locations.contains(&location) {
            true => self.one_step(execution, at, at.after, location, &[Step::Write(location)]),
            false => self.add_write(execution, at, at.after, location),
        };
        execution.continue_at(written, at.next(), outdated(&state, location));
    }
}

/// The lock whose critical section is one atomic step on a location.
fn operations_lock(location: Location) -> Option<Lock> {
    match location {
        Location::Field(alias, _) | Location::Content(alias) | Location::Element(alias, _) => {
            Some(Lock::Operations(alias))
        }
        Location::Static(field) => Some(Lock::ExplicitStatic(field)),
        Location::Deep => None,
    }
}

/// The state after a write to a location: values read from it before are outdated.
pub(crate) fn outdated(state: &State, location: Location) -> State {
    let mut state = state.clone();
    for moved in [false, true] {
        state.replace(Value::Found(location, moved), Value::Any);
    }
    state.forget_found(location);
    state
}
