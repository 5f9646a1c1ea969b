//! The conditions on an invariant for a role: N1 to N7, F3, and of F2 that every block is used.
//!
//! Each instruction, with each segment of its set, requires segments in other sets of its block. A mark in a set says
//! that a segment covers one of them.

use crate::certificate::{Block, Entry, Invariant, Segment};
use crate::code::{Code, Instruction};
use crate::ops::{Action, BodyId, LockId, Moment, Op, Phase, Role, Use};
use crate::pieces::{Piece, has};
use crate::program::Program;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

type Checked = Result<(), String>;

/// An invariant with the role that it is checked for.
struct Checker<'a> {
    program: &'a Program<'a>,
    invariant: &'a Invariant,
    role: &'a Role,
    /// The bodies that are not silent (N7).
    loud: Vec<bool>,
    /// The blocks that N2 or N6 uses.
    used: RefCell<BTreeSet<Entry>>,
    /// For each segment of each set, whether it covers something that is required.
    marks: Vec<Vec<Cell<bool>>>,
}

/// An instruction of a block, and the state in which a participant is there.
struct Point<'a> {
    entry: &'a Entry,
    block: &'a Block,
    number: usize,
    now: Moment,
    /// The uses that are held after it; none if a thread stays here for ever.
    after: Option<Vec<Use>>,
    /// The sets of the successors.
    next: Vec<usize>,
}

/// Checks an invariant for a role, and returns the ends of the block of N2.
pub(crate) fn check<'a>(
    program: &Program<'_>,
    invariant: &'a Invariant,
    role: &Role,
) -> Result<&'a [Rc<Segment>], String> {
    let is_named = |lock| has(&invariant.locks, lock);
    for action in role.actions() {
        if let Action::Wants { wanted, holding } = action
            && !(is_named(wanted.lock) && holding.is_none_or(|some| is_named(some.lock)))
        {
            return Err("N5: the locks of the invariant do not include those of its role".into());
        }
    }
    let longest: Vec<Option<usize>> = invariant.sets.iter().map(|set| set.iter().map(|it| it.len()).max()).collect();
    for (entry, block) in &invariant.blocks {
        let longest = block.at.iter().chain([&block.ends]).filter_map(|set| longest[*set]).max();
        if entry.phase < role.first || entry.phase + longest.unwrap_or(0) > role.phases.len() {
            let name = program.name(entry.body);
            return Err(format!("F3: a block of `{name}` has phases that the participant has not"));
        }
    }
    let checker = Checker {
        program,
        invariant,
        role,
        loud: program.reaching(|op| is_loud(op, &invariant.locks, role))?,
        used: RefCell::default(),
        marks: invariant.sets.iter().map(|set| vec![Cell::new(false); set.len()]).collect(),
    };
    let entry = Entry { body: role.process, holds: Vec::new(), unit: false, phase: role.first };
    let Some(block) = checker.entered(entry) else {
        return Err(format!("N2: there is no block of the process in phase {}", role.first + 1));
    };
    for (entry, block) in &invariant.blocks {
        checker.block(entry, block)?;
    }
    for (set, marks) in checker.marks.iter().enumerate() {
        if let Some(number) = marks.iter().position(|mark| !mark.get()) {
            return Err(format!("F3: nothing requires entry {number} of set {set}"));
        }
    }
    match invariant.blocks.keys().find(|entry| !checker.used.borrow().contains(*entry)) {
        Some(unused) => Err(format!("F2: no condition uses a block of `{}`", program.name(unused.body))),
        None => Ok(&invariant.sets[block.ends]),
    }
}

impl<'a> Checker<'a> {
    fn code(&self, body: BodyId) -> &'a Code {
        &self.program.model.bodies[body.0].code
    }

    /// The block of an entry, which is used.
    fn entered(&self, entry: Entry) -> Option<&'a Block> {
        let block = self.invariant.blocks.get(&entry)?;
        self.used.borrow_mut().insert(entry);
        Some(block)
    }

    /// N1 and N3 to N7 for a block.
    fn block(&self, entry: &Entry, block: &Block) -> Checked {
        for number in 0..block.at.len() {
            let point = self.point(entry, block, number)?;
            if number == 0 {
                let beginning = Rc::new(Piece::beginning(entry.holds.clone()));
                self.require(&point, "N1", &[block.at[0]], false, &[beginning])?;
            }
            for segment in &self.invariant.sets[block.at[number]] {
                let phase = entry.phase + segment.len() - 1;
                let Phase { forbidden, own } = &self.role.phases[phase];
                self.program.work(forbidden.len() + 1)?;
                if !forbidden.iter().any(|action| action.is_performed(&point.now)) {
                    self.step(&point, segment, phase)?;
                }
                if own.is_none_or(|own| own.is_performed(&point.now)) {
                    self.event(&point, segment, phase, own.is_some())?;
                }
            }
        }
        Ok(())
    }

    fn point<'p>(&self, entry: &'p Entry, block: &'p Block, number: usize) -> Result<Point<'p>, String> {
        let code = self.code(entry.body);
        let Instruction { op, next, .. } = &code.instructions[number];
        let in_unit = |number: usize| entry.unit || code.in_unit(number);
        let unit = (in_unit(number), next.first().is_some_and(|next| in_unit(*next)));
        let now = Moment { op: *op, unit, held: self.held(entry, number)? };
        let is_stuck = match *op {
            Op::Acquire(one) => !one.is_read && now.holds(one.lock, Some(true)),
            Op::Wait(lock) => has(&self.invariant.locks, lock) && !now.holds(lock, None),
            _ => false,
        };
        let after = next.first().filter(|_| !is_stuck).map(|next| self.held(entry, *next)).transpose()?;
        Ok(Point { entry, block, number, now, after, next: next.iter().map(|next| block.at[*next]).collect() })
    }

    /// The uses that are held at an instruction; at a resume, and the instant before it, all but its own lock. The mode
    /// is that of the context, or else write if an entry of the lock has it.
    fn held(&self, entry: &Entry, number: usize) -> Result<Vec<Use>, String> {
        let code = self.code(entry.body);
        let mut held = entry.holds.clone();
        for new in code.open(number) {
            self.program.work(1)?;
            match held.iter_mut().find(|one| one.lock == new.lock) {
                None if has(&self.invariant.locks, new.lock) => held.push(new),
                None => {}
                Some(one) => one.is_read &= new.is_read || has(&entry.holds, *one),
            }
        }
        if let Op::WantBack(own) | Op::Resume(own) = code.instructions[number].op {
            held.retain(|one| one.lock != own.lock);
        }
        held.sort_unstable();
        Ok(held)
    }

    /// N3, or N6 and N7 for a call: The instruction is carried out.
    fn step(&self, point: &Point<'_>, segment: &Segment, phase: usize) -> Checked {
        if let Op::Call(body) = point.now.op {
            let entry = Entry { body, holds: point.now.held.clone(), unit: point.now.unit.0, phase };
            match self.entered(entry) {
                Some(called) => return self.call(point, segment, phase, called),
                None if self.loud[body.0] => return self.refuse(point, "N6: the called body has no block for this"),
                None => {}
            }
        }
        let Some(after) = &point.after else { return Ok(()) };
        let stepped = with_last(segment, |last| last.step(&point.now.held, after));
        self.require(point, "N3", &point.next, false, &stepped)
    }

    /// N4 and N5: The phase ends here.
    fn event(&self, point: &Point<'_>, segment: &Segment, phase: usize, is_own: bool) -> Checked {
        let condition = if is_own { "N5" } else { "N4" };
        let held = &point.now.held;
        let mut segment = with_last(segment, |last| last.held.clone_from(held));
        if phase + 1 == self.role.phases.len() {
            return self.require(point, condition, &[point.block.ends], true, &segment);
        }
        segment.push(Rc::new(Piece::beginning(held.clone())));
        let here = [point.block.at[point.number]];
        self.require(point, condition, if is_own { &point.next } else { &here }, false, &segment)
    }

    /// N6: A call that returns, or in which a path ends.
    fn call(&self, point: &Point<'_>, segment: &Segment, phase: usize, called: &Block) -> Checked {
        let results = called.returns.iter().map(|set| (*set, false)).chain([(called.ends, true)]);
        for (set, is_end) in results {
            for inner in &self.invariant.sets[set] {
                self.program.work(inner.len())?;
                let mut joined = with_last(segment, |last| *last = last.then(&inner[0], &point.now.held));
                joined.extend_from_slice(&inner[1..]);
                if is_end {
                    self.require(point, "N6", &[point.block.ends], true, &joined)?;
                } else if !self.role.phases[phase + inner.len() - 1].forbidden.contains(&Action::Step) {
                    self.require(point, "N6", &point.next, false, &joined)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that sets of a block cover a segment, whose last piece may be closed, and marks what covers it.
    fn require(
        &self,
        point: &Point<'_>,
        condition: &str,
        sets: &[usize],
        is_closed: bool,
        required: &[Rc<Piece>],
    ) -> Checked {
        for set in sets {
            let segments = &self.invariant.sets[*set];
            self.program.work((segments.len() + 1) * required.len())?;
            let mut is_covered = false;
            for (segment, mark) in segments.iter().zip(&self.marks[*set]) {
                if covers(segment, required, is_closed) {
                    mark.set(true);
                    is_covered = true;
                }
            }
            if !is_covered {
                return self.refuse(point, &format!("{condition}: set {set} does not cover a segment from here"));
            }
        }
        Ok(())
    }

    fn refuse(&self, point: &Point<'_>, reason: &str) -> Checked {
        let Entry { body, phase, .. } = point.entry;
        let place = self.code(*body).instructions[point.number].place;
        Err(format!("{reason} (block of phase {}), at {}:{place}", phase + 1, self.program.name(*body)))
    }
}

/// A segment whose last piece is changed.
fn with_last(segment: &Segment, change: impl FnMut(&mut Piece)) -> Segment {
    let mut segment = segment.clone();
    segment.last_mut().map(Rc::make_mut).into_iter().for_each(change);
    segment
}

/// Whether a segment covers another one; `is_closed` if their last pieces are closed.
fn covers(segment: &[Rc<Piece>], required: &[Rc<Piece>], is_closed: bool) -> bool {
    let is_exact = |at: usize| at == 0 || at + 1 == segment.len() && !is_closed;
    let mut pairs = segment.iter().zip(required).enumerate();
    segment.len() == required.len() && pairs.all(|(at, (one, other))| one.covers(other, is_exact(at)))
}

/// N7: Whether an operation makes a body that is not silent. What a body releases or waits for, it acquires as well.
fn is_loud(op: Op, locks: &[LockId], role: &Role) -> bool {
    match op {
        Op::Begin | Op::End => true,
        Op::Acquire(one) | Op::Resume(one) => has(locks, one.lock),
        Op::Read(place) | Op::Write(place) => {
            role.actions().any(|action| matches!(action, Action::Access { location, .. } if location == place))
        }
        Op::Start(process) => role.actions().any(|action| action == Action::Start(process)),
        _ => false,
    }
}
