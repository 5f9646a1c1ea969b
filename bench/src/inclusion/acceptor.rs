//! Whether a path of a model includes a projected trace.
//!
//! The acceptor simulates all paths at once: it keeps the set of places that paths can reach after each event. Between
//! two events a path may do anything, except acquire a lock that the thread does not hold at that time. When the thread
//! releases a lock, paths that still hold it are dropped.
//!
//! Most nodes of a model are *silent* for a trace: they access a location that no event accesses, or do nothing. A path
//! passes them in one step, to the next nodes that are not silent ([`Acceptor::loud`]).

use super::frames::{FrameKey, Frames, Held, Item, Progress, Unit};
use super::trace::{Hold, ObjectId};
use asercheck::model::{LocationId, LockId, Mode, Model, NodeId, Operation, ProcedureId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Limit of visited places for one trace.
const MOST_ITEMS: usize = 100_000;

/// Further acquisitions of a lock in one procedure are not counted.
const MOST_COUNT: u8 = 4;

/// An access that a path must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The access is to one of these locations.
    pub locations: BTreeSet<LocationId>,
    /// Whether it may be a read, and whether it may be a write.
    pub allowed: [bool; 2],
}

impl Access {
    /// Creates a read or a write of one of these locations.
    pub fn new(locations: BTreeSet<LocationId>, is_write: bool) -> Self {
        Self { locations, allowed: [!is_write, is_write] }
    }

    fn is_done_by(&self, operation: Operation) -> bool {
        match operation {
            Operation::Read(location) => self.allowed[0] && self.locations.contains(&location),
            Operation::Write(location) => self.allowed[1] && self.locations.contains(&location),
            _ => false,
        }
    }
}

/// An element of a projected trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// An access.
    Access(Access),
    /// A lock is acquired.
    Take(ObjectId, Hold),
    /// One acquisition of a lock is released.
    Give(ObjectId, Hold),
    /// A lock is released completely.
    GiveAll(ObjectId),
    /// A call of a library method on these containers begins; the accesses must happen before it ends.
    Begin(Vec<ObjectId>, Vec<Access>),
    /// The innermost call ends.
    End,
}

/// The objects of a real heap that a lock of a model stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// One of these objects.
    Objects(BTreeSet<ObjectId>),
    /// One of these library objects, whose methods hold its monitor. The recorder reports such a monitor only for the
    /// receiver of a call; if one of the objects is an argument, its monitor may be held.
    Monitors(BTreeSet<ObjectId>),
    /// An unknown object, perhaps that of a running library method.
    Anything,
    /// The lock of a model that makes single operations of these objects atomic.
    Operations(BTreeSet<ObjectId>),
}

/// Result for a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A path includes the trace.
    Included,
    /// No path has the symbol with this number.
    Missing(usize),
    /// There are too many paths.
    TooLarge,
}

/// The locks that a thread really holds.
#[derive(Clone, Debug, Default)]
struct World {
    held: BTreeMap<ObjectId, [u32; 2]>,
    /// Library calls that have not ended: their containers, and the numbers of their accesses.
    calls: Vec<(Vec<ObjectId>, Vec<usize>)>,
}

impl World {
    fn holds(&self, object: ObjectId, mode: Mode) -> bool {
        let [shared, alone] = self.held.get(&object).copied().unwrap_or_default();
        alone > 0 || (mode == Mode::Read && shared > 0)
    }

    fn holds_one(&self, objects: &BTreeSet<ObjectId>, mode: Mode) -> bool {
        objects.iter().any(|object| self.holds(*object, mode))
    }

    fn change(&mut self, object: ObjectId, hold: Hold, change: impl Fn(u32) -> u32) {
        let counts = self.held.entry(object).or_default();
        let count = &mut counts[usize::from(hold == Hold::Alone)];
        *count = change(*count);
    }

    fn is_in_call_on(&self, objects: &BTreeSet<ObjectId>) -> bool {
        self.calls.iter().any(|(on, _)| objects.is_empty() || on.iter().any(|object| objects.contains(object)))
    }
}

/// The beginning of a path: a procedure, and whether a unit of work is open.
pub type Beginning = (ProcedureId, bool);

/// A simulation of the paths of a model along one trace.
pub struct Acceptor<'a> {
    model: &'a Model,
    /// Indexed by lock.
    supports: &'a [Support],
    world: World,
    frames: Frames,
    /// Accesses of library calls, by number.
    due: Vec<Access>,
    /// The locations that the events of the trace access.
    locations: BTreeSet<LocationId>,
    /// For each node, the next nodes that are not silent.
    loud: FxHashMap<NodeId, Rc<[NodeId]>>,
    at: usize,
    visited: usize,
    /// Number of places that may still be visited, for this trace and others.
    budget: &'a Cell<usize>,
}

impl<'a> Acceptor<'a> {
    /// Creates an acceptor for a model whose locks are these objects. `budget` places may still be visited.
    pub fn new(model: &'a Model, supports: &'a [Support], budget: &'a Cell<usize>) -> Self {
        Self {
            model,
            supports,
            world: World::default(),
            frames: Frames::default(),
            due: Vec::new(),
            locations: BTreeSet::new(),
            loud: FxHashMap::default(),
            at: 0,
            visited: 0,
            budget,
        }
    }

    /// Decides whether a path from this beginning includes a trace, all of it in one unit.
    pub fn accepts(mut self, (procedure, is_in_unit): Beginning, trace: &[Symbol]) -> Verdict {
        self.locations = trace.iter().flat_map(accesses).flat_map(|access| access.locations.iter().copied()).collect();
        let progress = Progress { due: Vec::new(), unit: Unit::Fresh };
        let key = FrameKey { procedure, around: Vec::new(), progress, units: u8::from(is_in_unit), at: 0 };
        let mut items = vec![self.entered(key).0];
        for (number, symbol) in trace.iter().enumerate() {
            let Some(reached) = self.closure(items) else { return Verdict::TooLarge };
            items = self.step(reached, symbol);
            self.at = number + 1;
            if items.is_empty() {
                return Verdict::Missing(number);
            }
        }
        Verdict::Included
    }

    /// Returns all places that paths reach before the next event; none if there are too many.
    fn closure(&mut self, items: Vec<Item>) -> Option<Vec<Item>> {
        let mut seen: FxHashSet<Item> = items.iter().cloned().collect();
        let mut open = items;
        while let Some(item) = open.pop() {
            self.visited += 1;
            self.budget.set(self.budget.get().saturating_sub(1));
            if self.visited > MOST_ITEMS || self.budget.get() == 0 {
                return None;
            }
            for next in self.next(&item) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Some(seen.into_iter().collect())
    }

    /// Returns the places after the operation of an item, which is no event.
    fn next(&mut self, item: &Item) -> Vec<Item> {
        let operation = self.model.node(item.node).operation;
        let mut after = item.clone();
        match operation {
            Operation::Skip | Operation::Start(_) => {}
            Operation::Begin => after.units = (after.units + 1).min(MOST_COUNT),
            Operation::End => ends_unit(&mut after),
            Operation::Read(_) | Operation::Write(_) => self.settle(&mut after, operation),
            Operation::Acquire(lock, mode) if self.is_allowed(lock, mode) => take(&mut after.held, lock, mode),
            Operation::Release(lock, mode) => give(&mut after.held, lock, mode),
            Operation::Wait(lock) if after.waiting.is_none() && self.is_held(item, lock) => after.waiting = Some(lock),
            Operation::Resume(lock) if self.is_allowed(lock, Mode::Write) => after.waiting = None,
            Operation::Call(procedure) => return self.call(item, procedure),
            Operation::Return => return self.frames.leave(item.frame, &item.progress, self.at),
            Operation::Acquire(..) | Operation::Wait(_) | Operation::Resume(_) => return Vec::new(),
        }
        self.successors(&after)
    }

    fn successors(&mut self, item: &Item) -> Vec<Item> {
        let to = |node: &NodeId| Item { node: *node, ..item.clone() };
        self.loud(item.node).iter().map(to).collect()
    }

    /// The nodes that follow a node over silent nodes only, and are not silent. A node without successors is not, and
    /// nodes on a cycle without an end stand for themselves.
    fn loud(&mut self, from: NodeId) -> Rc<[NodeId]> {
        if let Some(known) = self.loud.get(&from) {
            return known.clone();
        }
        let mut known: FxHashSet<NodeId> = FxHashSet::default();
        let mut open: Vec<NodeId> = self.model.successors(from).to_vec();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if !known.insert(node) {
                continue;
            }
            match self.is_silent(node) {
                true => open.extend(self.model.successors(node)),
                false => found.push(node),
            }
        }
        if found.is_empty() {
            found.extend(self.model.successors(from));
        }
        let found: Rc<[NodeId]> = found.into();
        self.loud.insert(from, found.clone());
        found
    }

    /// Whether a node does nothing for any event of the trace.
    fn is_silent(&self, node: NodeId) -> bool {
        let is_nothing = match self.model.node(node).operation {
            Operation::Skip | Operation::Start(_) => true,
            Operation::Read(location) | Operation::Write(location) => !self.locations.contains(&location),
            _ => false,
        };
        is_nothing && !self.model.successors(node).is_empty()
    }

    fn call(&mut self, item: &Item, procedure: ProcedureId) -> Vec<Item> {
        let mut around = self.frames.around(item.frame).to_vec();
        around.extend(item.held.iter().map(|held| (held.lock, held.mode)));
        around.sort_unstable();
        around.dedup();
        let progress = item.progress.clone();
        let (callee, is_new) = self.entered(FrameKey { procedure, around, progress, units: item.units, at: self.at });
        let mut found = Vec::new();
        for caller in self.successors(item) {
            found.extend(self.frames.returns_to(callee.frame, caller, self.at));
        }
        found.extend(is_new.then_some(callee));
        found
    }

    /// Returns the beginning of a frame, and whether the frame is new.
    fn entered(&mut self, key: FrameKey) -> (Item, bool) {
        let (progress, units) = (key.progress.clone(), key.units);
        let node = self.model.procedure(key.procedure).entry();
        let (frame, is_new) = self.frames.enter(key);
        (Item { node, frame, held: Vec::new(), progress, units, waiting: None }, is_new)
    }

    /// Removes the pending accesses that an operation performs.
    fn settle(&self, item: &mut Item, operation: Operation) {
        if !may_access(item) || !self.is_possible(item) {
            return;
        }
        let due = &mut item.progress.due;
        let before = due.len();
        due.retain(|due| !self.due[*due].is_done_by(operation));
        if due.len() < before {
            uses(item);
        }
    }

    fn is_held(&self, item: &Item, lock: LockId) -> bool {
        let around = self.frames.around(item.frame).iter().any(|(held, _)| *held == lock);
        around || item.held.iter().any(|held| held.lock == lock)
    }

    /// Whether the thread really holds a lock that a path acquires.
    fn is_allowed(&self, lock: LockId, mode: Mode) -> bool {
        match &self.supports[lock.index()] {
            Support::Objects(objects) => self.world.holds_one(objects, mode),
            Support::Monitors(objects) => self.world.holds_one(objects, mode) || self.world.is_in_call_on(objects),
            // A running library method may hold the monitor of its object, which the recorder does not report.
            Support::Anything => {
                !self.world.calls.is_empty() || self.world.held.keys().any(|object| self.world.holds(*object, mode))
            }
            Support::Operations(_) => true,
        }
    }

    /// Whether the thread really holds all locks of a path.
    fn is_possible(&self, item: &Item) -> bool {
        let around = self.frames.around(item.frame).iter().map(|(lock, mode)| (*lock, *mode, true));
        let own = item.held.iter().map(|held| (held.lock, held.mode, held.is_used));
        around.chain(own).all(|(lock, mode, is_used)| match &self.supports[lock.index()] {
            Support::Operations(objects) => !is_used || self.world.is_in_call_on(objects),
            _ => item.waiting == Some(lock) || self.is_allowed(lock, mode),
        })
    }

    /// Returns the places after an event.
    fn step(&mut self, mut items: Vec<Item>, symbol: &Symbol) -> Vec<Item> {
        match symbol {
            Symbol::Access(access) => return self.access(&items, access),
            Symbol::Take(object, hold) => self.world.change(*object, *hold, |count| count + 1),
            Symbol::Give(object, hold) => self.world.change(*object, *hold, |count| count.saturating_sub(1)),
            Symbol::GiveAll(object) => {
                self.world.held.remove(object);
            }
            Symbol::Begin(containers, accesses) => {
                let first = self.due.len();
                self.due.extend(accesses.iter().cloned());
                let numbers: Vec<usize> = (first..self.due.len()).collect();
                items.iter_mut().for_each(|item| item.progress.due.extend(&numbers));
                items.retain(|item| self.is_possible(item));
                self.world.calls.push((containers.clone(), numbers));
                return items;
            }
            Symbol::End => {
                if let Some((_, numbers)) = self.world.calls.pop() {
                    items.retain(|item| !item.progress.due.iter().any(|due| numbers.contains(due)));
                }
            }
        }
        items.retain(|item| self.is_possible(item));
        items
    }

    /// Returns the places after an access.
    fn access(&mut self, items: &[Item], access: &Access) -> Vec<Item> {
        let does = |acceptor: &Self, item: &Item| {
            let operation = acceptor.model.node(item.node).operation;
            may_access(item) && access.is_done_by(operation) && acceptor.is_possible(item)
        };
        let mut found: FxHashSet<Item> = FxHashSet::default();
        for item in items {
            if !does(self, item) {
                continue;
            }
            let mut after = item.clone();
            uses(&mut after);
            found.extend(self.successors(&after));
        }
        found.into_iter().collect()
    }
}

/// The accesses of an event.
fn accesses(symbol: &Symbol) -> &[Access] {
    match symbol {
        Symbol::Access(access) => std::slice::from_ref(access),
        Symbol::Begin(_, accesses) => accesses,
        Symbol::Take(..) | Symbol::Give(..) | Symbol::GiveAll(_) | Symbol::End => &[],
    }
}

/// Whether an access of a path may be one of the trace: the path is in the unit of the whole trace.
fn may_access(item: &Item) -> bool {
    item.units > 0 && item.progress.unit != Unit::Over
}

/// Records that a path performs an access of the trace.
fn uses(item: &mut Item) {
    item.progress.unit = Unit::Used;
    item.held.iter_mut().for_each(|held| held.is_used = true);
}

fn ends_unit(item: &mut Item) {
    item.units = item.units.saturating_sub(1);
    if item.units == 0 && item.progress.unit == Unit::Used {
        item.progress.unit = Unit::Over;
    }
}

fn take(held: &mut Vec<Held>, lock: LockId, mode: Mode) {
    match held.iter_mut().find(|held| held.lock == lock && held.mode == mode) {
        Some(known) => known.count = (known.count + 1).min(MOST_COUNT),
        None => held.push(Held { lock, mode, count: 1, is_used: false }),
    }
    held.sort_unstable();
}

fn give(held: &mut Vec<Held>, lock: LockId, mode: Mode) {
    if let Some(place) = held.iter().position(|held| held.lock == lock && held.mode == mode) {
        held[place].count -= 1;
        if held[place].count == 0 {
            held.remove(place);
        }
    }
}

#[cfg(test)]
mod tests;
