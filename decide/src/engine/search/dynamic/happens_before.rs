//! The events on the way, and what happened before each: vector clocks.
//!
//! An event happens before a later one if they are of one thread, one starts the thread of the other, they depend on
//! each other, or by such steps in between.

use super::ThreadKey;
use super::wakeup_trees::Label;
use crate::engine::search::local_states::LocalStates;

/// How many events of each thread are known to have happened, by the numbers of threads.
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

/// Something that happened.
#[derive(Clone, Debug)]
pub(super) struct Event {
    label: Label,
    /// How many events of its thread there are with it.
    number: u32,
    /// What happened before it, with itself.
    clock: Clock,
}

/// The events on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Events(Vec<Event>);

impl Events {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Keeps so many.
    pub(super) fn pop(&mut self, length: usize) {
        self.0.truncate(length.saturating_sub(1));
    }

    /// How many threads a thread has started.
    pub(super) fn started_by(&self, thread: ThreadKey) -> u32 {
        self.0.iter().filter(|event| event.label.thread == thread && event.label.starts.is_some()).count() as u32
    }

    /// Adds an event of a thread that knew so much before, and tells what it knows then.
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

    /// Whether an event races with what a thread may do next that knows so much: it is not known, and both orders
    /// matter, or the thread of the event would have another choice after this.
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

    /// The events after the first of these that are none of them and happen after none of them.
    pub(super) fn not_after(&self, places: &[usize]) -> Vec<Label> {
        let follows = |later: usize| places.iter().any(|place| *place <= later && self.is_before(*place, later));
        let after = places.first().map_or(self.0.len(), |first| first + 1)..self.0.len();
        after.filter(|later| !follows(*later)).map(|later| self.0[later].label.clone()).collect()
    }

    /// The place at which the thread of an event began to run without interruption.
    pub(super) fn block_of(&self, place: usize) -> usize {
        let thread = self.0[place].label.thread;
        self.0[..place].iter().rposition(|event| event.label.thread != thread).map_or(0, |before| before + 1)
    }
}
