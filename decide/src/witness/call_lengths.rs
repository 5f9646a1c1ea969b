//! Calls that are one step of a witness, and the length of their shortest execution.
//!
//! While such a call runs, no other thread moves. So its possible executions depend only on the moment when it begins.
//! It acquires only locks that no other thread holds and whose wanting its phase never forbids, and it performs no
//! action that the automaton forbids in its phase. The length of a call is the number of steps of the shortest
//! execution of the function under these conditions that neither waits nor uses read-write locks. Steps are counted as
//! a witness lists them, including the call and the return; branching and `skip` count nothing. Reentrant acquisitions
//! are always possible, since only locks held by *others* count. Whether a begin or an end is that of an outermost unit
//! depends on whether the call is made in one.
//!
//! The least number satisfies equations over procedures: `d(entry) = 0`; `d(next) = d(node) + 1` along an edge, plus
//! the number of the callee if the node is a call; and the number of a call is that of the callee's `return`, plus two.
//! They are solved by Dijkstra's algorithm with procedures in place of edges (Knuth 1977, *A generalization of
//! Dijkstra's algorithm*): all numbers are sums of smaller ones, so the smallest known one is final. A procedure is
//! begun when it is first called. Its entry has the number zero, which is smaller than numbers that are final already.
//! This is sound, because everything that depends on it has at least the number of the call.
//!
//! This is part of the replay, and like the interpreter it uses nothing but the model.

use eml::model::{LocationId, LockId, LockKind, Model, NodeId, Operation, ProcedureId};
use phases::{Access, ActionKind, Automaton, ForbiddenAction, LockParameter, Phase, Step, ThreadParameter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A step as automata see it.
type Act = Step<LocationId, LockId>;

/// The conditions under which a call runs.
struct Conditions<'a> {
    model: &'a Model,
    /// Whether no other thread holds the lock.
    is_free: &'a dyn Fn(LockId) -> bool,
    /// Whether the phase allows the step.
    allows: &'a dyn Fn(Act) -> bool,
    /// Whether the phase allows the thread to want the lock, whatever it holds then.
    may_want: &'a dyn Fn(LockId) -> bool,
}

/// Whether an operation can be part of a call that is one step of a witness for this automaton: it does not wait, uses
/// no read-write locks, and takes no locks if the automaton forbids to want some lock.
pub(super) fn can_be_in_whole_call(model: &Model, automaton: &Automaton, operation: Operation) -> bool {
    match operation {
        Operation::Acquire(lock, _) => {
            model.lock(lock).kind() == LockKind::Plain && !automaton.phases().iter().any(forbids_wanting)
        }
        Operation::Release(lock, _) => model.lock(lock).kind() == LockKind::Plain,
        Operation::Wait(_) | Operation::Resume(_) => false,
        Operation::Skip
        | Operation::Read(_)
        | Operation::Write(_)
        | Operation::Begin
        | Operation::End
        | Operation::Call(_)
        | Operation::Start(_)
        | Operation::Return => true,
    }
}

fn forbids_wanting(phase: &Phase) -> bool {
    phase.forbidden.iter().any(|one| matches!(one.action, ForbiddenAction::One(ActionKind::Wants { .. })))
}

/// Whether a phase may forbid a thread to want the lock of this parameter, depending on what it holds then.
pub(super) fn may_forbid_wanting(phase: &Phase, thread: Option<ThreadParameter>, lock: Option<LockParameter>) -> bool {
    phase.forbidden.iter().filter(|one| one.thread.is_none() || one.thread == thread).any(
        |one| matches!(one.action, ForbiddenAction::One(ActionKind::Wants { wanted, .. }) if Some(wanted.lock) == lock),
    )
}

/// A procedure that is called inside or outside of a unit.
pub(super) type CalledProcedure = (ProcedureId, bool);

/// The lengths of calls under some conditions, computed on demand; none for calls that cannot return.
#[derive(Clone, Debug, Default)]
struct LengthsAtMoment(FxHashMap<CalledProcedure, Option<u64>>);

/// The moment of a call, as far as it matters to the call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Moment {
    /// The state of the automaton.
    pub(super) phase: usize,
    /// The thread that makes the call.
    pub(super) thread: usize,
    /// The locks that other threads hold, in order.
    pub(super) taken: Vec<LockId>,
}

/// The lengths of calls at all moments so far.
#[derive(Clone, Debug, Default)]
pub(super) struct CallLengths(FxHashMap<Moment, LengthsAtMoment>);

impl CallLengths {
    /// The length of a call at this moment; none if it cannot return. `allows` says which steps the phase allows the
    /// thread, and `may_want` which locks it may want.
    pub(super) fn of(
        &mut self,
        model: &Model,
        moment: Moment,
        called: CalledProcedure,
        allows: &dyn Fn(Act) -> bool,
        may_want: &dyn Fn(LockId) -> bool,
    ) -> Option<u64> {
        let taken = moment.taken.clone();
        let conditions = Conditions { model, is_free: &|lock| taken.binary_search(&lock).is_err(), allows, may_want };
        self.0.entry(moment).or_default().of(&conditions, called)
    }
}

/// A node of a called procedure, and the number of units open there.
type Place = (CalledProcedure, NodeId, u32);

impl LengthsAtMoment {
    /// The length of a call. It saturates. Near-linear in the size of the called procedures.
    fn of(&mut self, conditions: &Conditions<'_>, called: CalledProcedure) -> Option<u64> {
        if let Some(known) = self.0.get(&called) {
            return *known;
        }
        if !(conditions.allows)(Act::Other) {
            return None;
        }
        let mut search =
            Search { conditions, known: &mut self.0, begun: FxHashMap::default(), waiting: BinaryHeap::new() };
        search.begin(called);
        search.run();
        // Procedures that were begun and have not returned never return.
        for called in search.begun.into_keys().collect::<Vec<_>>() {
            self.0.entry(called).or_insert(None);
        }
        self.0[&called]
    }
}

struct Search<'a> {
    conditions: &'a Conditions<'a>,
    known: &'a mut FxHashMap<CalledProcedure, Option<u64>>,
    /// For each procedure that was begun, the calls that wait for it, with their numbers.
    begun: FxHashMap<CalledProcedure, Vec<(Place, u64)>>,
    waiting: BinaryHeap<Reverse<(u64, Place)>>,
}

impl Search<'_> {
    fn begin(&mut self, called: CalledProcedure) {
        let entry = self.conditions.model.procedure(called.0).entry();
        self.begun.insert(called, Vec::new());
        self.waiting.push(Reverse((0, (called, entry, u32::from(called.1)))));
    }

    fn run(&mut self) {
        let mut done: FxHashMap<Place, u64> = FxHashMap::default();
        while let Some(Reverse((steps, place))) = self.waiting.pop() {
            if done.contains_key(&place) {
                continue;
            }
            done.insert(place, steps);
            self.execute(place, steps);
        }
    }

    /// Executes a place that is reached after `steps` steps of its procedure.
    fn execute(&mut self, place: Place, steps: u64) {
        let (called, node, units) = place;
        let in_unit = units > 0;
        let allows = |act: Act| (self.conditions.allows)(act);
        let access = |access, location| allows(Act::Access { access, location, in_unit });
        let is_plain = |lock| self.conditions.model.lock(lock).kind() == LockKind::Plain;
        let next = steps.saturating_add(1);
        match self.conditions.model.node(node).operation {
            Operation::Skip => self.go_on(place, units, steps),
            Operation::Read(location) if access(Access::Read, location) => self.go_on(place, units, next),
            Operation::Write(location) if access(Access::Write, location) => self.go_on(place, units, next),
            Operation::Acquire(lock, _) if is_plain(lock) && self.may_take(lock) => self.go_on(place, units, next),
            Operation::Release(..) | Operation::Start(_) => self.go_on(place, units, next),
            Operation::Begin if in_unit || allows(Act::Begin) => self.go_on(place, units + 1, next),
            Operation::End if units > 1 || allows(Act::End) => {
                self.go_on(place, units.saturating_sub(1), next);
            }
            Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Begin
            | Operation::End => {}
            Operation::Call(callee) => self.call(place, (callee, in_unit), steps),
            Operation::Return => self.complete(called, steps),
        }
    }

    fn may_take(&self, lock: LockId) -> bool {
        (self.conditions.is_free)(lock) && (self.conditions.may_want)(lock)
    }

    fn go_on(&mut self, (called, node, _): Place, units: u32, steps: u64) {
        for next in self.conditions.model.successors(node) {
            self.waiting.push(Reverse((steps, (called, *next, units))));
        }
    }

    fn call(&mut self, place: Place, callee: CalledProcedure, steps: u64) {
        match self.known.get(&callee) {
            Some(Some(inside)) => self.go_on(place, place.2, steps.saturating_add(*inside)),
            Some(None) => {}
            None => {
                if !self.begun.contains_key(&callee) {
                    self.begin(callee);
                }
                self.begun.entry(callee).or_default().push((place, steps));
            }
        }
    }

    /// Records that the procedure returns for the first time, after `steps` steps.
    fn complete(&mut self, called: CalledProcedure, steps: u64) {
        if self.known.contains_key(&called) {
            return;
        }
        // The call and the return are two more steps.
        let whole = steps.saturating_add(2);
        self.known.insert(called, Some(whole));
        for (place, before) in self.begun.get_mut(&called).map(std::mem::take).unwrap_or_default() {
            self.go_on(place, place.2, before.saturating_add(whole));
        }
    }
}
