//! The conditions on an invariant for a role: N1 to N7, F3, and of F2 that every block is used.
//!
//! What N1 to N6 require at an instruction is collected from the instructions before it, so that only one set at a time
//! is marked.

use crate::certificate::{Block, Invariant};
use crate::error::Refusal;
use crate::instructions::{Code, Entry};
use crate::model::{BodyId, LockId, Mode, Op};
use crate::pieces::{Piece, Use, is_same_lock};
use crate::program::{Program, operations};
use crate::roles::{Action, Moment, Role};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// An invariant with the role that it is checked for.
struct Checker<'a> {
    program: &'a Program<'a>,
    invariant: &'a Invariant,
    role: &'a Role,
    /// The number of each lock of the model in the invariant.
    locks: HashMap<LockId, Use>,
    bodies: Vec<BodyId>,
    /// The blocks by body, unit and phase, then by context, and whether N2 or N6 uses them.
    blocks: HashMap<(BodyId, bool, usize), HashMap<&'a [Use], usize>>,
    used: Vec<Cell<bool>>,
    /// The bodies that are not silent (N7).
    loud: Vec<bool>,
    /// For each body with a block, the uses of each open list.
    open: HashMap<BodyId, Vec<Rc<[Use]>>>,
}

/// A block that is checked.
#[derive(Clone, Copy)]
struct View<'a> {
    block: &'a Block,
    body: BodyId,
    code: &'a Code,
}

/// A segment that is required: numbers of pieces, new pieces, numbers of pieces.
struct Required<'r> {
    condition: &'static str,
    /// The instruction that requires it.
    by: usize,
    before: &'r [usize],
    new: Vec<Piece>,
    after: &'r [usize],
    /// Whether its last piece is closed.
    is_closed: bool,
}

/// The set that must cover the required segments, with a mark for each of its segments that covers one.
struct Covering<'a> {
    number: usize,
    set: &'a [usize],
    marks: Vec<bool>,
    name: &'static str,
}

enum Change {
    Acquire(Use),
    Release(Use),
}

type Checked = Result<(), Refusal>;

/// Checks an invariant for a role.
pub(crate) fn check(program: &Program<'_>, invariant: &Invariant, role: &Role) -> Checked {
    let checker = Checker::new(program, invariant, role)?;
    if role.wanted().any(|lock| !checker.locks.contains_key(&lock)) {
        return Err(Refusal::new("N5", "the locks of the invariant do not include those of its events"));
    }
    // N2
    let Some(entry) = checker.block(role.process, &[], false, role.first) else {
        return Err(Refusal::new("N2", format!("no block of the process in phase {}", role.first)));
    };
    checker.used[entry].set(true);
    for (block, body) in invariant.blocks.iter().zip(&checker.bodies) {
        let view = View { block, body: *body, code: &program.codes[body.0] };
        for number in 0..view.code.instructions.len() {
            checker.instruction(view, number)?;
        }
        checker.ends(view)?;
    }
    match checker.used.iter().position(|used| !used.get()) {
        Some(unused) => Err(Refusal::new("F2", format!("no condition uses block {unused}"))),
        None => Ok(()),
    }
}

/// The ends of the block of N2 of an invariant that was checked.
pub(crate) fn ends<'c>(program: &Program<'_>, invariant: &'c Invariant, role: &Role) -> &'c [usize] {
    let name = program.model.bodies[role.process.0].name;
    let is_entry = |block: &&Block| {
        block.is_process && block.body == name && block.holds.is_empty() && !block.unit && block.phase == role.first
    };
    invariant.blocks.iter().find(is_entry).map_or(&[], |block| &invariant.sets[block.ends])
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program<'a>, invariant: &'a Invariant, role: &'a Role) -> Result<Checker<'a>, Refusal> {
        let mut locks = HashMap::new();
        for (number, name) in invariant.locks.iter().enumerate() {
            let lock = program.model.locks.get(name.as_str());
            let lock = lock.ok_or_else(|| Refusal::new("F1", format!("the model has no lock `{name}`")))?;
            locks.insert(*lock, number as Use);
        }
        let loud = program.reaching(loud_operations(&locks, role));
        let used = vec![Cell::new(false); invariant.blocks.len()];
        let (bodies, blocks, open) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut checker = Checker { program, invariant, role, locks, bodies, blocks, used, loud, open };
        for (number, block) in invariant.blocks.iter().enumerate() {
            checker.add_block(number, block)?;
        }
        Ok(checker)
    }

    fn add_block(&mut self, number: usize, block: &'a Block) -> Checked {
        let model = &self.program.model;
        let names = if block.is_process { &model.processes } else { &model.functions };
        let body = names.get(block.body.as_str()).copied();
        let body = body.ok_or_else(|| Refusal::new("F1", format!("the model has no body `{}`", block.body)))?;
        let code = &self.program.codes[body.0];
        if block.at.len() != code.instructions.len() {
            let reason = format!("block {number} has {} sets, not {}", block.at.len(), code.instructions.len());
            return Err(Refusal::new("F1", reason));
        }
        if block.phase < self.role.first || block.phase > self.role.phases.len() {
            return Err(Refusal::new("F2", format!("block {number} is of a phase that the participant has not")));
        }
        let contexts = self.blocks.entry((body, block.unit, block.phase)).or_default();
        if contexts.insert(&block.holds, number).is_some() {
            return Err(Refusal::new("F2", format!("block {number} is there already")));
        }
        self.bodies.push(body);
        if !self.open.contains_key(&body) {
            let open = self.open_uses(code);
            self.open.insert(body, open);
        }
        Ok(())
    }

    /// The uses of each open list of a body. A lock is held in write mode if one of its entries has it.
    fn open_uses(&self, code: &Code) -> Vec<Rc<[Use]>> {
        let mut all: Vec<Rc<[Use]>> = vec![Rc::new([])];
        for open in &code.open[1..] {
            let shorter = all[open.shorter].clone();
            let new = match open.entry {
                Entry::Lock(lock, mode) => self.use_of(lock, mode),
                Entry::Unit => None,
            };
            let old = new.and_then(|new| shorter.iter().find(|old| is_same_lock(**old, new)).copied());
            all.push(match (new, old) {
                (Some(new), None) => sorted(shorter.iter().copied().chain([new])),
                (Some(new), Some(old)) if new < old => {
                    sorted(shorter.iter().map(|one| if *one == old { new } else { *one }))
                }
                _ => shorter,
            });
        }
        all
    }

    fn use_of(&self, lock: LockId, mode: Mode) -> Option<Use> {
        self.locks.get(&lock).map(|number| 2 * number + Use::from(mode == Mode::Read))
    }

    fn block(&self, body: BodyId, holds: &[Use], unit: bool, phase: usize) -> Option<usize> {
        self.blocks.get(&(body, unit, phase))?.get(holds).copied()
    }

    fn set(&self, number: usize) -> &'a [usize] {
        &self.invariant.sets[number]
    }

    fn pieces(&self, segment: usize) -> &'a [usize] {
        &self.invariant.segments[segment]
    }

    /// The phase of the last piece of a segment of a block.
    fn phase(&self, view: View<'_>, segment: usize) -> usize {
        view.block.phase + self.pieces(segment).len() - 1
    }

    /// The uses that are held in a context with an open list.
    fn merged(&self, view: View<'_>, list: usize) -> Vec<Use> {
        let holds = &view.block.holds;
        let is_new = |one: &&Use| !holds.iter().any(|held| is_same_lock(*held, **one));
        let mut uses: Vec<Use> = self.open[&view.body][list].iter().filter(is_new).chain(holds).copied().collect();
        uses.sort_unstable();
        uses
    }

    /// The uses that are held at an instruction; a resume holds all but its own lock.
    fn held(&self, view: View<'_>, number: usize) -> Vec<Use> {
        let instruction = &view.code.instructions[number];
        let mut uses = self.merged(view, instruction.open.unwrap_or(0));
        if let Op::Resume(lock) = instruction.op
            && let Some(own) = self.use_of(lock, Mode::Write)
        {
            uses.retain(|one| !is_same_lock(*one, own));
        }
        uses
    }

    /// The effect of an instruction; none if the thread stays there for ever.
    fn changes(&self, view: View<'_>, number: usize, held: &[Use]) -> Option<Vec<Change>> {
        let instruction = &view.code.instructions[number];
        let held_as = |one: Use| held.iter().find(|held| is_same_lock(**held, one)).copied();
        Some(match instruction.op {
            Op::Acquire(lock, mode) => match self.use_of(lock, mode).map(|one| (one, held_as(one))) {
                Some((one, None)) => vec![Change::Acquire(one)],
                // Held in read mode, wanted in write mode.
                Some((one, Some(held))) if one < held => return None,
                _ => Vec::new(),
            },
            Op::Release(lock, _) => {
                let before = self.use_of(lock, Mode::Write).and_then(held_as);
                let next = instruction.next.first().and_then(|next| view.code.instructions[*next].open);
                let after = self.merged(view, next.unwrap_or(0));
                let after = before.and_then(|one| after.into_iter().find(|other| is_same_lock(one, *other)));
                match (before, after) {
                    (Some(before), None) => vec![Change::Release(before)],
                    (Some(before), Some(after)) if before != after => {
                        vec![Change::Release(before), Change::Acquire(after)]
                    }
                    _ => Vec::new(),
                }
            }
            Op::Wait(lock) => match self.use_of(lock, Mode::Write) {
                Some(one) => vec![Change::Release(held_as(one)?)],
                None => Vec::new(),
            },
            Op::Resume(lock) => self.use_of(lock, Mode::Write).map(Change::Acquire).into_iter().collect(),
            _ => Vec::new(),
        })
    }

    /// The state before an instruction, given to a function.
    fn at<T>(&self, view: View<'_>, number: usize, held: &[Use], ask: impl FnOnce(&Moment<'_>) -> T) -> T {
        let op = view.code.instructions[number].op;
        let in_unit = |number: usize| view.block.unit || view.code.in_unit(number);
        let next = view.code.instructions[number].next.first();
        let mode = |lock| {
            let number = 2 * self.locks.get(&lock)?;
            let one = held.iter().find(|held| is_same_lock(**held, number))?;
            Some(if *one == number { Mode::Write } else { Mode::Read })
        };
        ask(&Moment { op, unit: (in_unit(number), next.is_some_and(|next| in_unit(*next))), mode: &mode })
    }

    /// Whether an instruction performs the own event of a phase.
    fn performs(&self, phase: usize, at: &Moment<'_>) -> bool {
        self.role.own(phase).is_some_and(|own| own.is_performed(at))
    }

    /// N1 to N7 and F3 for the set of an instruction.
    fn instruction(&self, view: View<'_>, number: usize) -> Checked {
        let set = self.set(view.block.at[number]);
        let mut to = Covering { number, set, marks: vec![false; set.len()], name: "its set" };
        let is_late = |segment: &&usize| self.phase(view, **segment) > self.role.phases.len();
        if set.iter().any(|segment| is_late(&segment)) {
            return Err(self.refusal(view, number, "F3", "a segment has too many pieces"));
        }
        if view.code.instructions[number].open.is_none() && !set.is_empty() {
            return Err(self.refusal(view, number, "F3", "no path leads here, but the set is not empty"));
        }
        if number == 0 {
            // N1
            let new = vec![Piece::beginning(view.block.holds.clone())];
            self.cover(view, &mut to, &Required::new("N1", 0, &[], new, &[], false))?;
        }
        for before in &view.code.instructions[number].before {
            match view.code.instructions[*before].op {
                Op::Call(body) if self.loud[body.0] => self.call(view, *before, &mut to, false)?,
                _ => self.step(view, *before, &mut to)?,
            }
            self.events(view, *before, &mut to, false)?;
        }
        self.events(view, number, &mut to, true)?;
        self.all_marked(view, &to)
    }

    /// N4 to N6 and F3 for the ends of a block.
    fn ends(&self, view: View<'_>) -> Checked {
        let set = self.set(view.block.ends);
        let mut to = Covering { number: 0, set, marks: vec![false; set.len()], name: "the ends" };
        let last = self.role.phases.len();
        for (number, instruction) in view.code.instructions.iter().enumerate() {
            let held = self.held(view, number);
            for segment in self.set(view.block.at[number]) {
                let is_own = self.role.own(last).is_some();
                let performs = is_own && self.at(view, number, &held, |at| self.performs(last, at));
                if self.phase(view, *segment) == last && (performs || !is_own) {
                    let condition = if performs { "N5" } else { "N4" };
                    let (before, piece) = self.closed(*segment, &held);
                    self.cover(view, &mut to, &Required::new(condition, number, before, vec![piece], &[], true))?;
                }
            }
            if let Op::Call(body) = instruction.op
                && self.loud[body.0]
            {
                self.call(view, number, &mut to, true)?;
            }
        }
        self.all_marked(view, &to)
    }

    /// N3: A step to a next instruction.
    fn step(&self, view: View<'_>, from: usize, to: &mut Covering<'_>) -> Checked {
        let held = self.held(view, from);
        let Some(changes) = self.changes(view, from, &held) else { return Ok(()) };
        let number = view.block.at[from];
        for (at, segment) in self.set(number).iter().enumerate() {
            let phase = self.phase(view, *segment);
            if self.at(view, from, &held, |at| self.role.forbids(phase, at)) {
                continue;
            }
            if changes.is_empty() && number == view.block.at[to.number] {
                // The segment covers itself.
                to.marks[at] = true;
                continue;
            }
            let (last, before) = split(self.pieces(*segment));
            let mut piece = self.invariant.pieces[last].clone();
            let mut held = held.clone();
            for change in &changes {
                match change {
                    Change::Acquire(new) => piece.acquire(*new, &held),
                    Change::Release(old) => {
                        piece.release(*old);
                        held.retain(|one| one != old);
                    }
                }
            }
            self.cover(view, to, &Required::new("N3", from, before, vec![piece], &[], false))?;
        }
        Ok(())
    }

    /// N4 and N5 for phases before the last one: with `here` those that stay at the instruction.
    fn events(&self, view: View<'_>, from: usize, to: &mut Covering<'_>, here: bool) -> Checked {
        let held = self.held(view, from);
        for segment in self.set(view.block.at[from]) {
            let phase = self.phase(view, *segment);
            if phase >= self.role.phases.len() {
                continue;
            }
            let condition = match self.role.own(phase) {
                None if here => "N4",
                Some(own) if here == matches!(own, Action::Wants { .. }) => "N5",
                _ => continue,
            };
            if condition == "N4" || self.at(view, from, &held, |at| self.performs(phase, at)) {
                let (before, piece) = self.closed(*segment, &held);
                let new = vec![piece, Piece::beginning(held.clone())];
                self.cover(view, to, &Required::new(condition, from, before, new, &[], false))?;
            }
        }
        Ok(())
    }

    /// N6: A call that returns, or, with `ends`, in which a path ends.
    fn call(&self, view: View<'_>, from: usize, to: &mut Covering<'_>, ends: bool) -> Checked {
        let Op::Call(body) = view.code.instructions[from].op else { return Ok(()) };
        let held = self.held(view, from);
        let unit = view.block.unit || view.code.in_unit(from);
        let code = &self.program.codes[body.0];
        for segment in self.set(view.block.at[from]) {
            let phase = self.phase(view, *segment);
            if self.role.forbidden(phase).contains(&Action::Step) {
                continue;
            }
            let Some(called) = self.block(body, &held, unit, phase) else {
                let reason = format!("the called body has no block for this context and phase {phase}");
                return Err(self.refusal(view, from, "N6", &reason));
            };
            self.used[called].set(true);
            let called = &self.invariant.blocks[called];
            let returns = code.instructions.iter().zip(&called.at).filter(|(it, _)| it.op == Op::Return);
            let mut sets: Vec<usize> = if ends { vec![called.ends] } else { returns.map(|(_, set)| *set).collect() };
            sets.sort_unstable();
            sets.dedup();
            let (last, before) = split(self.pieces(*segment));
            for inner in sets.into_iter().flat_map(|set| self.set(set)) {
                let inner = self.pieces(*inner);
                let returned = phase + inner.len() - 1;
                if !ends && self.role.forbidden(returned).contains(&Action::Step) {
                    continue;
                }
                let piece = self.invariant.pieces[last].then(&self.invariant.pieces[inner[0]], &held);
                self.cover(view, to, &Required::new("N6", from, before, vec![piece], &inner[1..], ends))?;
            }
        }
        Ok(())
    }

    /// A segment with its last piece closed, where these uses are held.
    fn closed(&self, segment: usize, held: &[Use]) -> (&'a [usize], Piece) {
        let (last, before) = split(self.pieces(segment));
        (before, Piece { held: held.to_vec(), ..self.invariant.pieces[last].clone() })
    }

    /// Marks the segments that cover the required one; there must be one.
    fn cover(&self, view: View<'_>, to: &mut Covering<'_>, required: &Required<'_>) -> Checked {
        let mut is_covered = false;
        for (segment, mark) in to.set.iter().zip(&mut to.marks) {
            if self.covers(self.pieces(*segment), required) {
                (*mark, is_covered) = (true, true);
            }
        }
        if is_covered {
            return Ok(());
        }
        let instruction = &view.code.instructions[to.number];
        let reason = match to.name {
            "the ends" => "the ends do not cover a segment from here".into(),
            _ => format!("the set of the instruction at {} does not cover a segment from here", instruction.place),
        };
        Err(self.refusal(view, required.by, required.condition, &reason))
    }

    fn covers(&self, segment: &[usize], required: &Required<'_>) -> bool {
        let pieces = &self.invariant.pieces;
        let (count, new) = (required.before.len(), required.new.len());
        if segment.len() != count + new + required.after.len() {
            return false;
        }
        let is_exact = |at: usize| at == 0 || at + 1 == segment.len() && !required.is_closed;
        let old =
            |at: usize, piece: usize| segment[at] == piece || pieces[segment[at]].covers(&pieces[piece], is_exact(at));
        required.before.iter().enumerate().all(|(at, piece)| old(at, *piece))
            && required.after.iter().enumerate().all(|(at, piece)| old(count + new + at, *piece))
            && required
                .new
                .iter()
                .enumerate()
                .all(|(at, piece)| pieces[segment[count + at]].covers(piece, is_exact(count + at)))
    }

    /// F3: Each segment covers something that is required.
    fn all_marked(&self, view: View<'_>, to: &Covering<'_>) -> Checked {
        match to.marks.iter().position(|mark| !mark) {
            Some(at) => {
                let reason = format!("nothing requires segment {} of {}", to.set[at], to.name);
                Err(self.refusal(view, to.number, "F3", &reason))
            }
            None => Ok(()),
        }
    }

    fn refusal(&self, view: View<'_>, number: usize, condition: &'static str, reason: &str) -> Refusal {
        let name = self.program.model.bodies[view.body.0].name.to_string();
        let message = format!("{reason} (block of phase {})", view.block.phase);
        Refusal { condition, at: Some((name, view.code.instructions[number].place)), message }
    }
}

impl<'r> Required<'r> {
    fn new(
        condition: &'static str,
        by: usize,
        before: &'r [usize],
        new: Vec<Piece>,
        after: &'r [usize],
        is_closed: bool,
    ) -> Required<'r> {
        Required { condition, by, before, new, after, is_closed }
    }
}

/// N7: The operations that make a body not silent.
fn loud_operations(locks: &HashMap<LockId, Use>, role: &Role) -> Vec<Op> {
    let mut ops: Vec<Op> = locks.keys().flat_map(|lock| operations(*lock)).collect();
    ops.extend([Op::Begin, Op::End]);
    for action in role.actions() {
        match action {
            Action::Access { location, .. } => {
                ops.extend([false, true].map(|write| Op::Access(write, location)));
            }
            Action::Start(process) => ops.push(Op::Start(process)),
            _ => {}
        }
    }
    ops
}

/// The last piece of a segment, and those before it; segments are not empty.
fn split(segment: &[usize]) -> (usize, &[usize]) {
    segment.split_last().map_or((0, &[]), |(last, before)| (*last, before))
}

fn sorted(uses: impl Iterator<Item = Use>) -> Rc<[Use]> {
    let mut uses: Vec<Use> = uses.collect();
    uses.sort_unstable();
    uses.into()
}
