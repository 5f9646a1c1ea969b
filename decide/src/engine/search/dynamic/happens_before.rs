//! The events on the path and the happens-before order, by vector clocks.
//!
//! An event happens before a later one if both are of one thread, if one starts the thread of the other, if they depend
//! on each other, or by transitivity.

use super::ThreadKey;
use super::wakeup_trees::Label;
use crate::engine::search::local_states::LocalStates;

/// A vector clock: the number of events of each thread that happened before, by the numbers of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<u32>);

impl Clock {
    fn of(&self, thread: ThreadKey) -> u32 {
        self.0.get(thread.0 as usize).copied().unwrap_or(0)
    }

    fn set(&mut self, thread: ThreadKey, count: u32) {
        let place = thread.0 as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        self.0[place] = count;
    }

    fn join(&mut self, other: &Self) {
        for (place, count) in other.0.iter().enumerate() {
            let thread = ThreadKey(place as u32);
            if self.of(thread) < *count {
                self.set(thread, *count);
            }
        }
    }
}

/// An executed event.
#[derive(Clone, Debug)]
pub(super) struct Event {
    label: Label,
    /// Its number among the events of its thread, from 1.
    number: u32,
    /// The events that happened before it, and itself.
    clock: Clock,
}

/// The events on the path.
#[derive(Clone, Debug, Default)]
pub(super) struct Events(Vec<Event>);

impl Events {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Keeps the events of a path with `length` states, one event fewer.
    pub(super) fn pop(&mut self, length: usize) {
        self.0.truncate(length.saturating_sub(1));
    }

    /// Returns the number of threads that a thread has started.
    pub(super) fn started_by(&self, thread: ThreadKey) -> u32 {
        self.0.iter().filter(|event| event.label.thread == thread && event.label.starts.is_some()).count() as u32
    }

    /// Adds an event of a thread whose clock was `before`; returns the clock after it.
    pub(super) fn push(&mut self, label: Label, before: Clock, locals: &mut LocalStates<'_>) -> Clock {
        let mut clock = before;
        for event in self.0.iter().rev() {
            let is_known = clock.of(event.label.thread) >= event.number;
            if !is_known && event.label.depends(&label, locals) {
                clock.join(&event.clock);
            }
        }
        let number = clock.of(label.thread) + 1;
        clock.set(label.thread, number);
        self.0.push(Event { label, number, clock: clock.clone() });
        clock
    }

    /// Whether an event races with a possible next event of a thread with the clock `known`: the event did not happen
    /// before, and either both orders matter, or the next event may enable a choice that the thread of the event did
    /// not have.
    pub(super) fn is_race(&self, place: usize, last: &Label, known: &Clock, locals: &mut LocalStates<'_>) -> bool {
        let Event { label, number, .. } = &self.0[place];
        let is_known = known.of(label.thread) >= *number || label.thread == last.thread;
        !is_known && (label.access.races(&last.access, locals) || label.waits_for(&last.access, locals))
    }

    /// Whether an event happens before a later one.
    pub(super) fn is_before(&self, place: usize, later: usize) -> bool {
        let event = &self.0[place];
        self.0[later].clock.of(event.label.thread) >= event.number
    }

    /// Returns the events after the first of these that are none of them and happen after none of them.
    pub(super) fn not_after(&self, places: &[usize]) -> Vec<Label> {
        let follows = |later: usize| places.iter().any(|place| *place <= later && self.is_before(*place, later));
        let after = places.first().map_or(self.0.len(), |first| first + 1)..self.0.len();
        after.filter(|later| !follows(*later)).map(|later| self.0[later].label.clone()).collect()
    }

    /// Returns the place at which the thread of an event began to run without interruption.
    pub(super) fn block_of(&self, place: usize) -> usize {
        let thread = self.0[place].label.thread;
        self.0[..place].iter().rposition(|event| event.label.thread != thread).map_or(0, |before| before + 1)
    }
}
