//! The conditions on an invariant for a role: N1 to N7, F3, and of F2 that every block is used.
//!
//! Each instruction, with each segment of its set, requires segments in other sets of its block. A mark in a set says
//! that a segment covers one of them.

use crate::certificate::{Block, Entry, Invariant, Segment};
use crate::code::Code;
use crate::ops::{BodyId, LockId, Op, SomeUse, Use};
use crate::pieces::{Piece, has};
use crate::program::Program;
use crate::roles::{Action, Moment, Role};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

type Checked = Result<(), String>;

/// An invariant with the role that it is checked for.
struct Checker<'a> {
    program: &'a Program<'a>,
    invariant: &'a Invariant,
    role: &'a Role,
    blocks: HashMap<&'a Entry, usize>,
    /// Whether N2 or N6 uses a block.
    used: Vec<Cell<bool>>,
    /// The bodies that are not silent (N7).
    loud: Vec<bool>,
    /// For each body with a block, the uses of each open list.
    open: HashMap<BodyId, Vec<Rc<[Use]>>>,
    /// For each segment of each set, whether it covers something that is required.
    marks: Vec<Vec<Cell<bool>>>,
}

/// An instruction of a block, the state in which a participant is there, and a segment of its set.
struct Point<'p> {
    block: &'p Block,
    number: usize,
    now: &'p Moment,
    segment: &'p Segment,
    /// The phase of the last piece.
    phase: usize,
}

/// Checks an invariant for a role, and returns the ends of the block of N2.
pub(crate) fn check<'a>(
    program: &Program<'_>,
    invariant: &'a Invariant,
    role: &Role,
) -> Result<&'a [Rc<Segment>], String> {
    let is_named = |one: SomeUse| has(&invariant.locks, one.lock);
    for action in role.actions() {
        if let Action::Wants { wanted, holding } = action
            && !(is_named(wanted) && holding.is_none_or(is_named))
        {
            return Err("N5: the locks of the invariant do not include those of its role".into());
        }
    }
    let checker = Checker::new(program, invariant, role)?;
    let entry = Entry { body: role.process, holds: Vec::new(), unit: false, phase: role.first };
    let Some(entry) = checker.blocks.get(&entry) else {
        return Err(format!("N2: there is no block of the process in phase {}", role.first));
    };
    checker.used[*entry].set(true);
    for block in &invariant.blocks {
        checker.block(block)?;
    }
    let marks = checker.marks.iter().enumerate();
    let unmarked = marks.filter_map(|(set, marks)| Some((set, marks.iter().position(|mark| !mark.get())?))).next();
    if let Some((set, number)) = unmarked {
        return Err(format!("F3: nothing requires entry {number} of set {set}"));
    }
    match checker.used.iter().position(|used| !used.get()) {
        Some(unused) => Err(format!("F2: no condition uses block {unused}")),
        None => Ok(&invariant.sets[invariant.blocks[*entry].ends]),
    }
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program<'a>, invariant: &'a Invariant, role: &'a Role) -> Result<Checker<'a>, String> {
        let loud = program.reaching(|op| is_loud(op, &invariant.locks, role))?;
        let used = vec![Cell::new(false); invariant.blocks.len()];
        let marks = invariant.sets.iter().map(|set| vec![Cell::new(false); set.len()]).collect();
        let (blocks, open) = (HashMap::new(), HashMap::new());
        let mut checker = Checker { program, invariant, role, blocks, used, loud, open, marks };
        for (number, block) in invariant.blocks.iter().enumerate() {
            let phase = block.entry.phase;
            let code = checker.code(block);
            checker.open.entry(block.entry.body).or_insert_with(|| open_uses(code, &invariant.locks));
            let sets = block.at.iter().chain([&block.ends]).map(|set| &invariant.sets[*set]);
            let is_late = |segment: &Rc<Segment>| phase + segment.len() - 1 > role.phases.len();
            if phase < role.first || sets.flatten().any(is_late) {
                return Err(format!("F3: block {number} has phases that the participant has not"));
            }
            if checker.blocks.insert(&block.entry, number).is_some() {
                return Err(format!("F2: block {number} is there already"));
            }
        }
        Ok(checker)
    }

    fn code(&self, block: &Block) -> &'a Code {
        &self.program.model.bodies[block.entry.body.0].code
    }

    fn set(&self, number: usize) -> &'a [Rc<Segment>] {
        &self.invariant.sets[number]
    }

    /// The uses that are held at an instruction; at a resume, and the instant before it, all but its own lock.
    fn held(&self, block: &Block, number: usize) -> Vec<Use> {
        let instruction = &self.code(block).instructions[number];
        let open = &self.open[&block.entry.body][instruction.open.unwrap_or(0)];
        let holds = &block.entry.holds;
        let is_new = |one: &&Use| !holds.iter().any(|held| held.lock == one.lock);
        let mut held: Vec<Use> = open.iter().filter(is_new).chain(holds).copied().collect();
        if let Op::WantBack(own) | Op::Resume(own) = instruction.op {
            held.retain(|one| one.lock != own.lock);
        }
        held.sort_unstable();
        held
    }

    fn moment(&self, block: &Block, number: usize) -> Moment {
        let code = self.code(block);
        let op = code.instructions[number].op;
        let in_unit = |number: usize| block.entry.unit || code.in_unit(number);
        let next = code.instructions[number].next.first();
        let unit = (in_unit(number), next.is_some_and(|next| in_unit(*next)));
        Moment { op, unit, held: self.held(block, number) }
    }

    /// N1 and N3 to N7 for a block.
    fn block(&self, block: &Block) -> Checked {
        let beginning = vec![Rc::new(Piece::beginning(block.entry.holds.clone()))];
        if !self.is_covered(block.at[0], &beginning, false) {
            return Err(self.refusal(block, 0, "N1: the first set does not cover the beginning"));
        }
        for number in 0..block.at.len() {
            let now = self.moment(block, number);
            let effect = self.effect(block, number, &now);
            for segment in self.set(block.at[number]) {
                let phase = block.entry.phase + segment.len() - 1;
                let point = Point { block, number, now: &now, segment, phase };
                if !self.role.forbids(phase, &now) {
                    match (self.called(&point)?, &effect) {
                        (Some(called), _) => self.call(&point, called)?,
                        (None, Some(effect)) => self.step(&point, effect)?,
                        (None, None) => {}
                    }
                }
                self.event(&point)?;
            }
        }
        Ok(())
    }

    /// N3: A step to each successor.
    fn step(&self, point: &Point<'_>, effect: &Effect) -> Checked {
        self.require(point, "N3", &self.sets_after(point), false, &effect.applied(point.segment, &point.now.held))
    }

    /// The sets of the successors.
    fn sets_after(&self, point: &Point<'_>) -> Vec<usize> {
        let successors = &self.code(point.block).instructions[point.number].next;
        successors.iter().map(|next| point.block.at[*next]).collect()
    }

    /// N3: The effect of an instruction: the uses that are held before it and not after it are released, and then the
    /// others acquired. None if the thread stays there for ever.
    fn effect(&self, block: &Block, number: usize, now: &Moment) -> Option<Effect> {
        match now.op {
            Op::Acquire(one) if !one.is_read && now.held_use(one.lock).is_some_and(|held| held.is_read) => None,
            Op::Wait(lock) if has(&self.invariant.locks, lock) && now.held_use(lock).is_none() => None,
            Op::Acquire(_) | Op::Release(_) | Op::Wait(_) | Op::Resume(_) => {
                let next = self.code(block).instructions[number].next.first();
                let after = next.map_or(Vec::new(), |next| self.held(block, *next));
                let released = now.held.iter().filter(|one| !has(&after, **one)).copied().collect();
                let acquired = after.iter().filter(|one| !has(&now.held, **one)).copied().collect();
                Some(Effect { released, acquired })
            }
            _ => Some(Effect::default()),
        }
    }

    /// N4 and N5: The phase ends at an instruction.
    fn event(&self, point: &Point<'_>) -> Checked {
        let own = self.role.own(point.phase);
        if own.is_some_and(|own| !own.is_performed(point.now)) {
            return Ok(());
        }
        let condition = if own.is_none() { "N4" } else { "N5" };
        let held = &point.now.held;
        let mut segment = point.segment.clone();
        if let Some(last) = segment.last_mut() {
            Rc::make_mut(last).held.clone_from(held);
        }
        if point.phase == self.role.phases.len() {
            return self.require(point, condition, &[point.block.ends], true, &segment);
        }
        segment.push(Rc::new(Piece::beginning(held.clone())));
        let sets = if own.is_none() { vec![point.block.at[point.number]] } else { self.sets_after(point) };
        self.require(point, condition, &sets, false, &segment)
    }

    /// The block that a call enters; a silent body needs none (N7).
    fn called(&self, point: &Point<'_>) -> Result<Option<&'a Block>, String> {
        let Point { block, number, now, phase, .. } = point;
        let Op::Call(body) = now.op else { return Ok(None) };
        let entry = Entry { body, holds: now.held.clone(), unit: now.unit.0, phase: *phase };
        match self.blocks.get(&entry) {
            Some(called) => {
                self.used[*called].set(true);
                Ok(Some(&self.invariant.blocks[*called]))
            }
            None if self.loud[body.0] => {
                let reason = format!("N6: the called body has no block for this context and phase {phase}");
                Err(self.refusal(block, *number, &reason))
            }
            None => Ok(None),
        }
    }

    /// N6: A call that returns, or in which a path ends.
    fn call(&self, point: &Point<'_>, called: &Block) -> Checked {
        let Point { block, now, segment, phase, .. } = point;
        // The sets of results, and whether a path ends there.
        let mut results = vec![(called.ends, true)];
        let returns = self.code(called).instructions.iter().zip(&called.at).filter(|(it, _)| it.op == Op::Return);
        results.extend(returns.map(|(_, set)| (*set, false)));
        results.dedup();
        let after = self.sets_after(point);
        for (set, is_end) in results {
            for inner in self.set(set) {
                let (before, last) = segment.split_at(segment.len() - 1);
                let joined = Rc::new(last[0].then(&inner[0], &now.held));
                let joined = [before, &[joined], &inner[1..]].concat();
                if is_end {
                    self.require(point, "N6", &[block.ends], true, &joined)?;
                } else if !self.role.forbidden(phase + inner.len() - 1).contains(&Action::Step) {
                    self.require(point, "N6", &after, false, &joined)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that sets of a block cover a segment, whose last piece may be closed.
    fn require(
        &self,
        point: &Point<'_>,
        condition: &str,
        sets: &[usize],
        is_closed: bool,
        required: &[Rc<Piece>],
    ) -> Checked {
        let count = sets.iter().map(|set| self.set(*set).len()).sum::<usize>();
        self.program.work((count + 1) * required.len())?;
        match sets.iter().find(|set| !self.is_covered(**set, required, is_closed)) {
            Some(set) => {
                let reason = format!("{condition}: set {set} does not cover a segment from here");
                Err(self.refusal(point.block, point.number, &reason))
            }
            None => Ok(()),
        }
    }

    /// Marks the segments of a set that cover a required one; there must be one.
    fn is_covered(&self, set: usize, required: &[Rc<Piece>], is_closed: bool) -> bool {
        let mut is_covered = false;
        for (segment, mark) in self.set(set).iter().zip(&self.marks[set]) {
            if covers(segment, required, is_closed) {
                mark.set(true);
                is_covered = true;
            }
        }
        is_covered
    }

    fn refusal(&self, block: &Block, number: usize, reason: &str) -> String {
        let name = self.program.name(block.entry.body);
        let place = self.code(block).instructions[number].place;
        format!("{reason} (block of phase {}), at {name}:{place}", block.entry.phase)
    }
}

/// Uses that are released, and uses that are acquired after that.
#[derive(Default)]
struct Effect {
    released: Vec<Use>,
    acquired: Vec<Use>,
}

impl Effect {
    /// The segment after the effect, where `held` was held before.
    fn applied(&self, segment: &Segment, held: &[Use]) -> Segment {
        let mut segment = segment.clone();
        let Some(last) = segment.last_mut() else { return segment };
        let piece = Rc::make_mut(last);
        for old in &self.released {
            piece.release(*old);
        }
        let held: Vec<Use> = held.iter().filter(|one| !has(&self.released, **one)).copied().collect();
        for new in &self.acquired {
            piece.acquire(*new, &held);
        }
        segment
    }
}

/// Whether a segment covers another one; `is_closed` if their last pieces are closed.
fn covers(segment: &[Rc<Piece>], required: &[Rc<Piece>], is_closed: bool) -> bool {
    let is_exact = |at: usize| at == 0 || at + 1 == segment.len() && !is_closed;
    let covers = |(at, (one, other)): (usize, (&Rc<Piece>, &Rc<Piece>))| {
        Rc::ptr_eq(one, other) || one.covers(other, is_exact(at))
    };
    segment.len() == required.len() && segment.iter().zip(required).enumerate().all(covers)
}

/// The uses of each open list of a body. A lock is held in write mode if one of its entries has it.
fn open_uses(code: &Code, locks: &[LockId]) -> Vec<Rc<[Use]>> {
    let mut all: Vec<Rc<[Use]>> = vec![Rc::new([])];
    for open in &code.open[1..] {
        let shorter = all[open.shorter].clone();
        let entry = open.entry.filter(|one| has(locks, one.lock));
        let is_new = |new: &Use| !shorter.iter().any(|old| old.lock == new.lock && old <= new);
        all.push(match entry.filter(is_new) {
            Some(new) => shorter.iter().filter(|old| old.lock != new.lock).chain([&new]).copied().collect(),
            None => shorter,
        });
    }
    all
}

/// N7: Whether an operation makes a body that is not silent.
fn is_loud(op: Op, locks: &[LockId], role: &Role) -> bool {
    match op {
        Op::Begin | Op::End => true,
        Op::Acquire(Use { lock, .. }) | Op::Resume(Use { lock, .. }) => has(locks, lock),
        Op::Release(SomeUse { lock, .. }) | Op::Wait(lock) => has(locks, lock),
        Op::Read(place) | Op::Write(place) => {
            role.actions().any(|action| matches!(action, Action::Access { location, .. } if location == place))
        }
        Op::Start(process) => role.actions().any(|action| action == Action::Start(process)),
        Op::Skip | Op::Want(_) | Op::WantBack(_) | Op::Call(_) | Op::Return => false,
    }
}
