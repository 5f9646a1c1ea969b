//! Whether a path of a model includes a projected trace.
//!
//! All paths are followed at once: the set of places at which one can be after each event. Between two events a path
//! may do anything, as long as it takes no lock that the thread does not really hold then; when the thread gives a lock
//! back, paths that still hold it are dropped.

use super::frames::{FrameKey, Frames, Held, Item, Progress, Unit};
use super::trace::{Hold, ObjectId};
use asercheck::model::{LocationId, LockId, Mode, Model, NodeId, Operation, ProcedureId};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// So many places are looked at for one trace.
const MOST_ITEMS: usize = 100_000;

/// A lock that is taken more often than this in one procedure is taken so often.
const MOST_COUNT: u8 = 4;

/// An access that has to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// To one of these locations.
    pub locations: BTreeSet<LocationId>,
    /// Whether it may be a read, and whether it may be a write.
    pub allowed: [bool; 2],
}

impl Access {
    /// A read or a write.
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

/// What a projected trace consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// An access.
    Access(Access),
    /// A lock is taken.
    Take(ObjectId, Hold),
    /// A lock is given back once.
    Give(ObjectId, Hold),
    /// A lock is given back completely.
    GiveAll(ObjectId),
    /// A library method is called that works on these containers, and has to do these accesses before it ends.
    Begin(Vec<ObjectId>, Vec<Access>),
    /// The call that began last ends.
    End,
}

/// What a lock of a model is in a real heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// One of these objects.
    Objects(BTreeSet<ObjectId>),
    /// One of these objects of the library, whose methods hold its monitor. What is held while such a method runs is
    /// only told for the object that a method is called on; if one of them is an argument, it may be held.
    Monitors(BTreeSet<ObjectId>),
    /// It is not known which object: perhaps that of a method of the library which runs.
    Anything,
    /// What makes single operations of these objects one step.
    Operations(BTreeSet<ObjectId>),
}

/// What becomes of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is included.
    Included,
    /// No path does what this symbol says.
    Missing(usize),
    /// There are too many paths.
    TooLarge,
}

/// What a thread really holds.
#[derive(Clone, Debug, Default)]
struct World {
    held: BTreeMap<ObjectId, [u32; 2]>,
    /// Library calls that have not ended: their containers, and the accesses that they have to do.
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

/// Where paths begin: at a procedure, in a unit of work or not.
pub type Beginning = (ProcedureId, bool);

/// Follows the paths of a model along one trace.
pub struct Acceptor<'a> {
    model: &'a Model,
    /// By the number of the lock.
    supports: &'a [Support],
    world: World,
    frames: Frames,
    /// Accesses of library calls, by number.
    due: Vec<Access>,
    at: usize,
    visited: usize,
    /// So many places may be looked at for this trace and others.
    budget: &'a Cell<usize>,
}

impl<'a> Acceptor<'a> {
    /// For a model whose locks are these objects; so many places may still be looked at.
    pub fn new(model: &'a Model, supports: &'a [Support], budget: &'a Cell<usize>) -> Self {
        let (world, frames) = (World::default(), Frames::default());
        Self { model, supports, world, frames, due: Vec::new(), at: 0, visited: 0, budget }
    }

    /// Whether a path that begins at a procedure, in a unit or not, includes a trace, all of it in one unit.
    pub fn accepts(mut self, (procedure, is_in_unit): Beginning, trace: &[Symbol]) -> Verdict {
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

    /// All places to which paths get before the next event; none if there are too many.
    fn closure(&mut self, items: Vec<Item>) -> Option<Vec<Item>> {
        let mut seen: HashSet<Item> = items.iter().cloned().collect();
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

    /// Where a path can be after the operation at which it stands, which is no event.
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

    fn successors(&self, item: &Item) -> Vec<Item> {
        let to = |node: &NodeId| Item { node: *node, ..item.clone() };
        self.model.successors(item.node).iter().map(to).collect()
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

    /// The beginning of a frame, and whether that is new.
    fn entered(&mut self, key: FrameKey) -> (Item, bool) {
        let (progress, units) = (key.progress.clone(), key.units);
        let node = self.model.procedure(key.procedure).entry();
        let (frame, is_new) = self.frames.enter(key);
        (Item { node, frame, held: Vec::new(), progress, units, waiting: None }, is_new)
    }

    /// Accesses that are due have happened.
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

    /// Whether the thread really holds what a path takes.
    fn is_allowed(&self, lock: LockId, mode: Mode) -> bool {
        match &self.supports[lock.index()] {
            Support::Objects(objects) => self.world.holds_one(objects, mode),
            Support::Monitors(objects) => self.world.holds_one(objects, mode) || self.world.is_in_call_on(objects),
            // A method of the library that runs may hold the monitor of its object, which is not told.
            Support::Anything => {
                !self.world.calls.is_empty() || self.world.held.keys().any(|object| self.world.holds(*object, mode))
            }
            Support::Operations(_) => true,
        }
    }

    /// Whether a path may go on to hold what it holds.
    fn is_possible(&self, item: &Item) -> bool {
        let around = self.frames.around(item.frame).iter().map(|(lock, mode)| (*lock, *mode, true));
        let own = item.held.iter().map(|held| (held.lock, held.mode, held.is_used));
        around.chain(own).all(|(lock, mode, is_used)| match &self.supports[lock.index()] {
            Support::Operations(objects) => !is_used || self.world.is_in_call_on(objects),
            _ => item.waiting == Some(lock) || self.is_allowed(lock, mode),
        })
    }

    /// The places after an event.
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

    /// The places behind an access.
    fn access(&self, items: &[Item], access: &Access) -> Vec<Item> {
        let does = |item: &&Item| {
            let operation = self.model.node(item.node).operation;
            may_access(item) && access.is_done_by(operation) && self.is_possible(item)
        };
        let mut found: HashSet<Item> = HashSet::new();
        for item in items.iter().filter(does) {
            let mut after = item.clone();
            uses(&mut after);
            found.extend(self.successors(&after));
        }
        found.into_iter().collect()
    }
}

/// Whether what a path does may be of the trace: it is in the unit in which all of it is.
fn may_access(item: &Item) -> bool {
    item.units > 0 && item.progress.unit != Unit::Over
}

/// A path does an access of the trace.
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
