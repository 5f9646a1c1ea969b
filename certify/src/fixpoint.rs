//! The least invariant of a participant: all segments that reach each instruction.
//!
//! This is a worklist over the conditions N1 to N7. A set keeps only segments that no other one in it covers: covering
//! ones have fewer statements, and every condition is monotone, so all that follows from the covered one is covered,
//! too. A set of the result is not changed by its covered segments, since these are removed when their cover comes.
//!
//! The number of segments is finite. It may be exponential in the number of locks and phases, so a budget of steps
//! ends the computation.

use crate::code::Code;
use crate::instructions::{BodyId, Instruction, Lock, Opened, Operation, open_after};
use crate::pieces::{SegmentId, Segments, Uses};
use crate::reach::Calls;
use crate::roles::{Action, Forbidden, Role};
use eml::syntax::ast::Mode;
use indexmap::{IndexMap, IndexSet};
use limits::{Meter, StopReason};
use phases::Access;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// The entry of a body: its context and phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Entry {
    pub(crate) body: BodyId,
    pub(crate) holds: Uses,
    pub(crate) in_unit: bool,
    /// From 0.
    pub(crate) phase: usize,
}

/// The segments of a body that is entered in this way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// For each instruction, those that reach it.
    pub(crate) at: Vec<Vec<SegmentId>>,
    /// Those of paths that end with the last phase.
    pub(crate) ends: Vec<SegmentId>,
    /// The calls that enter the block: block, instruction and segment.
    callers: Vec<(usize, usize, SegmentId)>,
}

/// The segments of all paths of a participant.
#[derive(Clone, Debug)]
pub(crate) struct Invariant {
    pub(crate) locks: Vec<Lock>,
    pub(crate) segments: Segments,
    /// The first block is that of the process.
    pub(crate) blocks: IndexMap<Entry, Block, FxBuildHasher>,
    /// The number of steps that it took.
    pub(crate) steps: u64,
}

impl Invariant {
    /// The blocks that are entered from the block of the process, directly or not, in the order in which they are
    /// found; that of the process is the first.
    ///
    /// Others were entered by segments that are covered now.
    pub(crate) fn entered_blocks(&self, question: Question<'_>) -> Vec<usize> {
        let is_silent = silent_bodies(question);
        let mut entered = IndexSet::<usize, FxBuildHasher>::from_iter([0]);
        let mut next = 0;
        while let Some(&number) = entered.get_index(next) {
            let Some((entry, block)) = self.blocks.get_index(number) else { break };
            for (instruction, at) in question.code.body(entry.body).instructions.iter().zip(&block.at) {
                let Operation::Call(callee) = instruction.operation else { continue };
                if is_silent[callee.0 as usize] {
                    continue;
                }
                let held = held(question.locks, entry, instruction);
                let place = Place { entry, instruction, locks: question.locks, held };
                for segment in at {
                    let phase = entry.phase + self.segments.length(*segment) - 1;
                    if !place.is_forbidden(&question.role.phases[phase].forbidden) {
                        let entry = Entry { body: callee, holds: held, in_unit: place.in_unit(), phase };
                        entered.extend(self.blocks.get_index_of(&entry));
                    }
                }
            }
            next += 1;
        }
        entered.into_iter().collect()
    }
}

/// Whether a call of each body is a step without effect (N7). A call that never returns is none.
fn silent_bodies(question: Question<'_>) -> Vec<bool> {
    let is_silent = |body| {
        let reached = question.calls.of(body);
        question.calls.returns(body) && reached.is_silent(question.locks, question.role.actions())
    };
    question.code.ids().map(is_silent).collect()
}

/// A computation that was not completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Incomplete {
    /// The budget of steps was used up.
    Budget,
    Stopped(StopReason),
}

/// The inputs of a computation.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) code: &'a Code,
    pub(crate) calls: &'a Calls,
    pub(crate) process: BodyId,
    pub(crate) role: &'a Role,
    /// The locks of the invariant, at most [`Uses::MOST_LOCKS`].
    pub(crate) locks: &'a [Lock],
}

/// Computes the least invariant, with at most this number of steps.
///
/// # Errors
/// If the steps do not suffice, or a limit is reached.
pub(crate) fn least_invariant(question: Question<'_>, budget: u64, meter: &Meter) -> Result<Invariant, Incomplete> {
    let mut run = Run {
        is_silent: silent_bodies(question),
        question,
        segments: Segments::default(),
        blocks: IndexMap::default(),
        work: Vec::new(),
    };
    let entry = Entry { body: question.process, holds: Uses::default(), in_unit: false, phase: question.role.absent };
    run.enter(entry);
    let mut steps = 0;
    while let Some((block, place, segment)) = run.work.pop() {
        // A segment that was covered in the meantime has nothing to add.
        if run.blocks[block].at[place].contains(&segment) {
            let cost = 1 + run.open_count(block, place) / 16;
            steps += cost as u64;
            if steps > budget {
                return Err(Incomplete::Budget);
            }
            meter.work_of(4 * cost).map_err(Incomplete::Stopped)?;
            run.visit(block, place, segment);
        }
    }
    Ok(Invariant { locks: question.locks.to_vec(), segments: run.segments, blocks: run.blocks, steps })
}

struct Run<'a> {
    question: Question<'a>,
    is_silent: Vec<bool>,
    segments: Segments,
    blocks: IndexMap<Entry, Block, FxBuildHasher>,
    /// Segments whose consequences are to be added: block, instruction, segment.
    work: Vec<(usize, usize, SegmentId)>,
}

/// The effect of an instruction on the locks of the invariant.
enum Effect {
    None,
    Acquires(u8),
    Releases(u8),
    /// It gives up the first use and keeps the second one.
    Lowers(u8, u8),
    StaysForEver,
}

impl Run<'_> {
    /// The block of an entry; it is made if there is none (N1).
    fn enter(&mut self, entry: Entry) -> usize {
        if let Some(number) = self.blocks.get_index_of(&entry) {
            return number;
        }
        let count = self.question.code.body(entry.body).instructions.len();
        let block = Block { at: vec![Vec::new(); count], ..Block::default() };
        let number = self.blocks.insert_full(entry, block).0;
        let segment = self.segments.empty(entry.holds);
        self.add(number, 0, segment);
        number
    }

    /// Adds a segment at an instruction, unless one there covers it.
    fn add(&mut self, block: usize, place: usize, segment: SegmentId) {
        let Self { segments, blocks, .. } = self;
        if insert(segments, &mut blocks[block].at[place], segment, false) {
            self.work.push((block, place, segment));
        }
    }

    /// Adds an end to a block, and to all blocks that call it.
    fn add_end(&mut self, block: usize, segment: SegmentId) {
        let mut work = vec![(block, segment)];
        while let Some((block, segment)) = work.pop() {
            let Self { segments, blocks, .. } = self;
            if !insert(segments, &mut blocks[block].ends, segment, true) {
                continue;
            }
            for (caller, place, before) in self.blocks[block].callers.clone() {
                let held = self.held(caller, place);
                work.push((caller, self.segments.composed(before, segment, held)));
            }
        }
    }

    /// The length of the open list of an instruction of a block.
    fn open_count(&self, block: usize, place: usize) -> usize {
        let (entry, _) = self.blocks.get_index(block).expect("it is one of the blocks");
        self.question.code.body(entry.body).instructions[place].open.len()
    }

    /// The uses that an instruction of a block holds.
    fn held(&self, block: usize, place: usize) -> Uses {
        let (entry, _) = self.blocks.get_index(block).expect("it is one of the blocks");
        held(self.question.locks, entry, &self.question.code.body(entry.body).instructions[place])
    }

    /// Adds all that the conditions require for one segment.
    fn visit(&mut self, block: usize, place: usize, segment: SegmentId) {
        let Question { code, role, locks, .. } = self.question;
        let entry = *self.blocks.get_index(block).expect("it is one of the blocks").0;
        let instruction = &code.body(entry.body).instructions[place];
        let phase = entry.phase + self.segments.length(segment) - 1;
        let is_last = phase + 1 == role.phases.len();
        let now = &role.phases[phase];
        let held = held(locks, &entry, instruction);
        let at = Place { entry: &entry, instruction, locks, held };
        match &now.event {
            None => {
                let closed = self.segments.closing(segment, held, is_last);
                self.add_closed(block, &[place], closed, is_last);
            }
            Some(event) if at.performs(event) => {
                let closed = self.segments.closing(segment, held, is_last);
                self.add_closed(block, &instruction.next, closed, is_last);
            }
            Some(_) => {}
        }
        if at.is_forbidden(&now.forbidden) {
            return;
        }
        match instruction.operation {
            Operation::Return => self.add_exit(block, segment),
            Operation::Call(callee) if !self.is_silent[callee.0 as usize] => {
                let entered = Entry { body: callee, holds: held, in_unit: at.in_unit(), phase };
                let entered = self.enter(entered);
                self.blocks[entered].callers.push((block, place, segment));
                let returned = self.exits(entered);
                for exit in returned {
                    self.add_after(block, place, segment, exit, held);
                }
                for end in self.blocks[entered].ends.clone() {
                    let composed = self.segments.composed(segment, end, held);
                    self.add_end(block, composed);
                }
            }
            _ => {
                let after = match at.effect() {
                    Effect::None => segment,
                    Effect::Acquires(one) => self.segments.acquiring(segment, one, held),
                    Effect::Releases(one) => self.segments.releasing(segment, one),
                    Effect::Lowers(write, read) => {
                        let released = self.segments.releasing(segment, write);
                        self.segments.acquiring(released, read, held.without(Uses::of(write)))
                    }
                    Effect::StaysForEver => return,
                };
                for next in &instruction.next {
                    self.add(block, *next, after);
                }
            }
        }
    }

    fn add_closed(&mut self, block: usize, places: &[usize], closed: SegmentId, is_last: bool) {
        if is_last {
            self.add_end(block, closed);
        } else {
            places.iter().for_each(|place| self.add(block, *place, closed));
        }
    }

    /// The segments at the returns of a block, in whose phases steps are not forbidden.
    fn exits(&self, block: usize) -> Vec<SegmentId> {
        let (entry, block) = self.blocks.get_index(block).expect("it is one of the blocks");
        let instructions = self.question.code.body(entry.body).instructions.iter().zip(&block.at);
        let returns = instructions.filter(|(instruction, _)| instruction.operation == Operation::Return);
        let may_step = |segment: &SegmentId| {
            let phase = entry.phase + self.segments.length(*segment) - 1;
            !self.question.role.phases[phase].forbidden.contains(&Forbidden::Step)
        };
        let exits: FxHashSet<SegmentId> = returns.flat_map(|(_, at)| at.iter().copied()).filter(may_step).collect();
        let mut exits: Vec<_> = exits.into_iter().collect();
        exits.sort_unstable();
        exits
    }

    /// Continues the callers of a block at a return.
    fn add_exit(&mut self, block: usize, exit: SegmentId) {
        for (caller, place, before) in self.blocks[block].callers.clone() {
            let held = self.held(caller, place);
            self.add_after(caller, place, before, exit, held);
        }
    }

    fn add_after(&mut self, block: usize, place: usize, before: SegmentId, exit: SegmentId, held: Uses) {
        let composed = self.segments.composed(before, exit, held);
        let entry = self.blocks.get_index(block).expect("it is one of the blocks").0;
        let code = self.question.code;
        for next in &code.body(entry.body).instructions[place].next {
            self.add(block, *next, composed);
        }
    }
}

/// Inserts a segment unless one in the set covers it, and removes those that it covers.
fn insert(segments: &Segments, set: &mut Vec<SegmentId>, segment: SegmentId, is_closed: bool) -> bool {
    if set.iter().any(|own| segments.covers(*own, segment, is_closed)) {
        return false;
    }
    set.retain(|own| !segments.covers(segment, *own, is_closed));
    set.push(segment);
    true
}

/// The number of a lock among those of an invariant.
fn index_of(locks: &[Lock], lock: Lock) -> Option<usize> {
    locks.iter().position(|own| *own == lock)
}

/// The number of the use of a lock.
fn use_of(index: usize, mode: Mode) -> u8 {
    2 * index as u8 + u8::from(mode == Mode::Read)
}

/// The mode in which an open list holds a lock: write if one of its entries has it.
fn local_mode(open: &[Opened], lock: Lock) -> Option<Mode> {
    let has = |mode| open.contains(&Opened::Lock(lock, mode)).then_some(mode);
    has(Mode::Write).or(has(Mode::Read))
}

/// The uses that an instruction holds: those of the context and of its open list.
pub(crate) fn held(locks: &[Lock], entry: &Entry, instruction: &Instruction) -> Uses {
    let mut held = entry.holds;
    for opened in &instruction.open {
        if let Opened::Lock(lock, _) = opened
            && let Some(index) = index_of(locks, *lock)
            && held.common(Uses::of_lock(index)).is_empty()
            && let Some(mode) = local_mode(&instruction.open, *lock)
        {
            held = held.with(Uses::of(use_of(index, mode)));
        }
    }
    match instruction.operation {
        Operation::WantBack(lock) | Operation::Resume(lock) => {
            index_of(locks, lock).map_or(held, |index| held.without(Uses::of_lock(index)))
        }
        _ => held,
    }
}

/// An instruction in a context.
struct Place<'a> {
    entry: &'a Entry,
    instruction: &'a Instruction,
    locks: &'a [Lock],
    held: Uses,
}

impl Place<'_> {
    fn in_unit(&self) -> bool {
        self.entry.in_unit || self.instruction.open.contains(&Opened::Unit)
    }

    /// The use in which a lock is held, if it is one of the invariant and is held.
    fn holds(&self, lock: Lock) -> Option<Mode> {
        let index = index_of(self.locks, lock)?;
        let mode = |mode| self.held.has(use_of(index, mode)).then_some(mode);
        mode(Mode::Write).or(mode(Mode::Read))
    }

    fn effect(&self) -> Effect {
        let index = |lock| index_of(self.locks, lock);
        match self.instruction.operation {
            Operation::Acquire(lock, mode) => match (index(lock), self.holds(lock)) {
                (None, _) => Effect::None,
                (Some(index), None) => Effect::Acquires(use_of(index, mode)),
                (Some(_), Some(Mode::Read)) if mode == Mode::Write => Effect::StaysForEver,
                (Some(_), Some(_)) => Effect::None,
            },
            Operation::Release(lock, _) => {
                let Some((index, mode)) = index(lock).zip(self.holds(lock)) else { return Effect::None };
                let is_callers = !self.entry.holds.common(Uses::of_lock(index)).is_empty();
                let after = if is_callers { Some(mode) } else { local_mode(&open_after(self.instruction), lock) };
                match (mode, after) {
                    (_, None) => Effect::Releases(use_of(index, mode)),
                    (Mode::Write, Some(Mode::Read)) => {
                        Effect::Lowers(use_of(index, Mode::Write), use_of(index, Mode::Read))
                    }
                    (_, Some(_)) => Effect::None,
                }
            }
            Operation::Wait(lock) => match (index(lock), self.holds(lock)) {
                (None, _) => Effect::None,
                (Some(_), None) => Effect::StaysForEver,
                (Some(index), Some(mode)) => Effect::Releases(use_of(index, mode)),
            },
            Operation::Resume(lock) => {
                index(lock).map_or(Effect::None, |index| Effect::Acquires(use_of(index, Mode::Write)))
            }
            _ => Effect::None,
        }
    }

    /// Whether the instruction performs the action.
    fn performs(&self, action: &Action) -> bool {
        match (*action, self.instruction.operation) {
            (Action::Access { access: Access::Read, location, in_unit }, Operation::Read(own))
            | (Action::Access { access: Access::Write, location, in_unit }, Operation::Write(own)) => {
                own == location && (!in_unit || self.in_unit())
            }
            (Action::Begin, Operation::Begin) => !self.in_unit(),
            (Action::End, Operation::End) => {
                !self.entry.in_unit && !open_after(self.instruction).contains(&Opened::Unit)
            }
            (Action::Wants { lock, mode, holding }, operation) => {
                let wanted = match operation {
                    Operation::Want(own, mode) if own == lock && self.holds(own).is_none() => Some(mode),
                    Operation::WantBack(own) if own == lock => Some(Mode::Write),
                    _ => None,
                };
                let holds = |(lock, mode): (Lock, Option<Mode>)| {
                    self.holds(lock).is_some_and(|own| mode.is_none_or(|mode| mode == own))
                };
                wanted.is_some_and(|own| mode.is_none_or(|mode| mode == own)) && holding.is_none_or(holds)
            }
            (Action::Start(process), Operation::Start(own)) => own == process,
            _ => false,
        }
    }

    fn is_forbidden(&self, forbidden: &[Forbidden]) -> bool {
        forbidden.iter().any(|one| match one {
            Forbidden::One(action) => self.performs(action),
            Forbidden::Every => {
                matches!(self.instruction.operation, Operation::Read(_) | Operation::Write(_))
                    || self.performs(&Action::Begin)
                    || self.performs(&Action::End)
            }
            Forbidden::Step => self.instruction.operation != Operation::Skip,
        })
    }
}
