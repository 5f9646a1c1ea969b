//! The program of instructions of a body: their successors and open lists.

use crate::error::{Place, Unread};
use crate::model::{Body, LockId, Mode, Op, Statement};
use std::collections::HashMap;

/// The most instructions of a model.
const MOST: usize = 1 << 22;

pub(crate) struct Instruction {
    pub op: Op,
    pub place: Place,
    pub next: Vec<usize>,
    pub before: Vec<usize>,
    /// The number of its open list; none if no path leads to it.
    pub open: Option<usize>,
}

/// An open list: a shorter one, which has a smaller number, and a last entry.
pub(crate) struct Open {
    pub shorter: usize,
    pub entry: Entry,
    /// The number of open units.
    pub units: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    Lock(LockId, Mode),
    Unit,
}

/// The program of a body.
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    /// The open lists; number 0 is the empty one.
    pub open: Vec<Open>,
    lists: HashMap<(usize, Entry), usize>,
}

/// The instruction at a place in the text that others continue at.
#[derive(Clone, Copy)]
enum Target {
    Unknown,
    Same(usize),
    At(usize),
}

#[derive(Clone, Copy)]
enum Kind {
    Closed,
    /// The places of the head, and after the loop.
    Loop(usize, usize),
    /// The skip before a choice, and the place after it.
    Choice(usize, usize),
}

/// A block that is open in the text.
struct Block {
    number: usize,
    kind: Kind,
    /// The number of closers outside of it.
    outside: usize,
}

struct Writer<'t> {
    code: Vec<(Op, Place, Vec<usize>)>,
    most: usize,
    places: Vec<Target>,
    /// The place that the next instruction gets.
    here: usize,
    blocks: Vec<Block>,
    /// What closes the open `sync` and `atomic` blocks.
    closers: Vec<Op>,
    /// The places of the open loops in `blocks`.
    loops: Vec<usize>,
    /// For each block, in the order of opening, how many closers are open in it, as long as it is open.
    inside: Vec<Option<usize>>,
    /// For each label the number of its block, and its place.
    labels: HashMap<&'t str, (usize, usize)>,
}

impl<'t> Writer<'t> {
    fn place(&mut self) -> usize {
        self.places.push(Target::Unknown);
        self.places.len() - 1
    }

    /// Finds all labels, since jumps may stand before them.
    fn find_labels(&mut self, body: &Body<'t>) -> Result<(), Unread> {
        let (mut open, mut count) = (vec![0], 0);
        for (statement, place) in &body.statements {
            if let Statement::Label(name) = statement {
                let label = (open.last().copied().unwrap_or(0), self.place());
                if self.labels.insert(name, label).is_some() {
                    return Err((*place, format!("label `{name}` is there already")));
                }
            }
            if matches!(statement, Statement::Close | Statement::Or) {
                open.pop();
            }
            if matches!(statement, Statement::Closed(..) | Statement::Loop | Statement::Choose | Statement::Or) {
                count += 1;
                open.push(count);
            }
        }
        Ok(())
    }

    /// Writes an instruction that continues at the next one, which begins a new place.
    fn write(&mut self, op: Op, place: Place) -> Result<usize, Unread> {
        let number = self.code.len();
        if number >= self.most {
            return Err((place, format!("the model has more than {MOST} instructions")));
        }
        self.places[self.here] = Target::At(number);
        self.here = self.place();
        let next = if op == Op::Return { Vec::new() } else { vec![self.here] };
        self.code.push((op, place, next));
        Ok(number)
    }

    /// Writes the ends of all blocks but the outer ones, innermost first.
    fn close(&mut self, outside: usize, place: Place) -> Result<(), Unread> {
        (outside..self.closers.len()).rev().try_for_each(|at| self.write(self.closers[at], place).map(|_| ()))
    }

    fn jump(&mut self, outside: usize, to: usize, place: Place) -> Result<(), Unread> {
        self.close(outside, place)?;
        let skip = self.write(Op::Skip, place)?;
        self.code[skip].2 = vec![to];
        Ok(())
    }

    fn open(&mut self, kind: Kind) {
        let outside = self.closers.len();
        self.blocks.push(Block { number: self.inside.len(), kind, outside });
        self.inside.push(Some(outside + usize::from(matches!(kind, Kind::Closed))));
    }

    /// Closes the innermost block, and opens `another` one if it belongs to a choice.
    fn leave(&mut self, another: bool, place: Place) -> Result<(), Unread> {
        let Some(block) = self.blocks.pop() else { return Ok(()) };
        self.inside[block.number] = None;
        match block.kind {
            Kind::Closed => {
                self.close(block.outside, place)?;
                self.closers.truncate(block.outside);
            }
            Kind::Loop(to, after) | Kind::Choice(to, after) => {
                let is_loop = matches!(block.kind, Kind::Loop(..));
                self.places[self.here] = Target::Same(if is_loop { to } else { after });
                self.here = after;
                if is_loop {
                    self.loops.pop();
                } else if another {
                    self.here = self.place();
                    self.code[to].2.push(self.here);
                    self.open(block.kind);
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: Statement<'t>, place: Place) -> Result<(), Unread> {
        match statement {
            Statement::Simple(op) => {
                if op == Op::Return {
                    self.close(0, place)?;
                }
                self.write(op, place)?;
                if let Op::Wait(lock) = op {
                    self.write(Op::Resume(lock), place)?;
                }
            }
            Statement::Closed(first, last) => {
                self.write(first, place)?;
                self.open(Kind::Closed);
                self.closers.push(last);
            }
            Statement::Loop => {
                let (head, after) = (self.here, self.place());
                let skip = self.write(Op::Skip, place)?;
                self.code[skip].2.push(after);
                self.loops.push(self.blocks.len());
                self.open(Kind::Loop(head, after));
            }
            Statement::Choose => {
                let after = self.place();
                let skip = self.write(Op::Skip, place)?;
                self.open(Kind::Choice(skip, after));
            }
            Statement::Or | Statement::Close => self.leave(statement == Statement::Or, place)?,
            Statement::Break | Statement::Continue => {
                let inner = self.loops.last().map(|at| (self.blocks[*at].outside, self.blocks[*at].kind));
                let Some((outside, Kind::Loop(head, after))) = inner else {
                    return Err((place, "there is no loop around this".into()));
                };
                self.jump(outside, if statement == Statement::Break { after } else { head }, place)?;
            }
            Statement::Label(name) => {
                self.places[self.labels[name].1] = Target::Same(self.here);
                self.write(Op::Skip, place)?;
            }
            Statement::Goto(name) => {
                let label = self.labels.get(name).and_then(|(block, to)| Some((*self.inside.get(*block)?, *to)));
                let Some((Some(inside), to)) = label else {
                    return Err((place, format!("there is no label `{name}` in the blocks around this")));
                };
                self.jump(inside, to, place)?;
            }
        }
        Ok(())
    }

    /// The instruction at a place; all places are known at the end.
    fn resolve(&mut self, place: usize) -> usize {
        let (mut end, mut step) = (place, place);
        while let Target::Same(other) = self.places[end] {
            end = other;
        }
        let Target::At(number) = self.places[end] else { return 0 };
        while let Target::Same(other) = self.places[step] {
            self.places[step] = Target::At(number);
            step = other;
        }
        number
    }
}

impl Code {
    /// The program of a body. `count` is the number of instructions of the bodies before it.
    pub fn new(body: &Body<'_>, count: usize) -> Result<Code, Unread> {
        let mut writer = Writer {
            code: Vec::new(),
            most: MOST.saturating_sub(count),
            places: vec![Target::Unknown],
            here: 0,
            blocks: Vec::new(),
            closers: Vec::new(),
            loops: Vec::new(),
            inside: vec![Some(0)],
            labels: HashMap::new(),
        };
        writer.find_labels(body)?;
        for (statement, place) in &body.statements {
            writer.statement(*statement, *place)?;
        }
        writer.write(Op::Return, body.end)?;
        Code::linked(writer, body)
    }

    /// Resolves the successors, and computes the open lists.
    fn linked(mut writer: Writer<'_>, body: &Body<'_>) -> Result<Code, Unread> {
        let mut instructions = Vec::new();
        for (op, place, targets) in std::mem::take(&mut writer.code) {
            let mut next: Vec<usize> = targets.into_iter().map(|target| writer.resolve(target)).collect();
            next.sort_unstable();
            next.dedup();
            instructions.push(Instruction { op, place, next, before: Vec::new(), open: None });
        }
        for number in 0..instructions.len() {
            for next in instructions[number].next.clone() {
                instructions[next].before.push(number);
            }
        }
        let empty = Open { shorter: 0, entry: Entry::Unit, units: 0 };
        let mut code = Code { instructions, open: vec![empty], lists: HashMap::new() };
        code.instructions[0].open = Some(0);
        let mut work = vec![0];
        while let Some(number) = work.pop() {
            let after = code
                .after(number)
                .map_err(|reason| (code.instructions[number].place, format!("{reason}, in `{}`", body.name)))?;
            for next in code.instructions[number].next.clone() {
                match code.instructions[next].open {
                    None => {
                        code.instructions[next].open = Some(after);
                        work.push(next);
                    }
                    Some(other) if other == after || code.sorted(other) == code.sorted(after) => {}
                    Some(_) => {
                        let reason = format!("two paths lead here with different open lists, in `{}`", body.name);
                        return Err((code.instructions[next].place, reason));
                    }
                }
            }
        }
        Ok(code)
    }

    /// The open list after an instruction that has one.
    fn after(&mut self, number: usize) -> Result<usize, &'static str> {
        let list = self.instructions[number].open.unwrap_or(0);
        match self.instructions[number].op {
            Op::Acquire(lock, mode) => Ok(self.longer(list, Entry::Lock(lock, mode))),
            Op::Begin => Ok(self.longer(list, Entry::Unit)),
            Op::Release(lock, mode) => {
                let is =
                    |entry| matches!(entry, Entry::Lock(of, its) if of == lock && mode.is_none_or(|mode| mode == its));
                self.without(list, is).ok_or("a lock is released that is not open here")
            }
            Op::End => self.without(list, |entry| entry == Entry::Unit).ok_or("no unit is open here"),
            Op::Return if list != 0 => Err("a lock or unit is open at the return"),
            _ => Ok(list),
        }
    }

    fn longer(&mut self, shorter: usize, entry: Entry) -> usize {
        let new = self.open.len();
        let list = *self.lists.entry((shorter, entry)).or_insert(new);
        if list == new {
            let units = self.open[shorter].units + u32::from(entry == Entry::Unit);
            self.open.push(Open { shorter, entry, units });
        }
        list
    }

    /// A list without its last entry of a kind.
    fn without(&mut self, list: usize, is: impl Fn(Entry) -> bool) -> Option<usize> {
        let (mut kept, mut at) = (Vec::new(), list);
        while at != 0 && !is(self.open[at].entry) {
            kept.push(self.open[at].entry);
            at = self.open[at].shorter;
        }
        let shorter = (at != 0).then(|| self.open[at].shorter)?;
        Some(kept.into_iter().rev().fold(shorter, |list, entry| self.longer(list, entry)))
    }

    /// The entries of a list, those of each lock in order. Locks that overlap may be open in any order.
    fn sorted(&self, list: usize) -> Vec<Entry> {
        let (mut entries, mut at) = (Vec::new(), list);
        while at != 0 {
            entries.push(self.open[at].entry);
            at = self.open[at].shorter;
        }
        entries.sort_by_key(|entry| match entry {
            Entry::Lock(lock, _) => lock.0,
            Entry::Unit => usize::MAX,
        });
        entries
    }

    /// Whether the body has a unit open before an instruction.
    pub fn in_unit(&self, number: usize) -> bool {
        self.instructions[number].open.is_some_and(|list| self.open[list].units > 0)
    }
}
