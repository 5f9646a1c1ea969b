//! The program of instructions of a body: their successors and open lists.

use crate::error::{Place, Unread};
use crate::model::{Body, BodyId, LocationId, LockId, Mode, Statement};
use std::collections::HashMap;

/// The most instructions of a model.
const MOST: usize = 1 << 22;

/// An instruction without its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Skip,
    Access {
        write: bool,
        location: LocationId,
    },
    Begin,
    End,
    Acquire(LockId, Mode),
    /// Releases the last entry of the lock; with a mode the last one in this mode.
    Release(LockId, Option<Mode>),
    Wait(LockId),
    Resume(LockId),
    Call(BodyId),
    Start(BodyId),
    Return,
}

pub(crate) struct Instruction {
    pub op: Op,
    pub place: Place,
    pub next: Vec<usize>,
    pub before: Vec<usize>,
    /// The number of its open list; none if no path leads to it.
    pub open: Option<usize>,
}

/// An open list: a shorter one and a last entry.
pub(crate) struct Open {
    pub shorter: usize,
    pub entry: Entry,
    /// The number of open units.
    pub units: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Entry {
    Lock(LockId, Mode),
    Unit,
}

/// The program of a body.
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    /// The open lists; number 0 is the empty one. A shorter list has a smaller number.
    pub open: Vec<Open>,
    lists: HashMap<(usize, Entry), usize>,
}

/// A place in the text that an instruction continues at.
#[derive(Clone, Copy)]
enum Target {
    Unknown,
    Same(usize),
    At(usize),
}

/// A block that is open in the text.
enum Block {
    /// A `sync` or `atomic` block.
    Closed,
    /// A block of a choice: the skip before the choice, and the place after it.
    Choice {
        skip: usize,
        after: usize,
    },
    Loop {
        head: usize,
        after: usize,
    },
}

#[derive(Default)]
struct Writer {
    code: Vec<(Op, Place, Vec<usize>)>,
    places: Vec<Target>,
    /// The place that the next instruction gets.
    here: usize,
    most: usize,
}

impl Writer {
    fn place(&mut self) -> usize {
        self.places.push(Target::Unknown);
        self.places.len() - 1
    }

    /// Writes an instruction that continues at the next one, which begins a new place.
    fn write(&mut self, op: Op, place: Place) -> Result<usize, Unread> {
        let number = self.code.len();
        if number >= self.most {
            return Err((place, format!("the model has more than {MOST} instructions")));
        }
        self.places[self.here] = Target::At(number);
        self.here = self.place();
        self.code.push((op, place, vec![self.here]));
        Ok(number)
    }

    /// Writes what closes the blocks of a list, innermost first.
    fn close(&mut self, closers: &[Op], place: Place) -> Result<(), Unread> {
        closers.iter().rev().try_for_each(|op| self.write(*op, place).map(|_| ()))
    }

    /// Writes the skip of a jump.
    fn jump(&mut self, closers: &[Op], to: usize, place: Place) -> Result<(), Unread> {
        self.close(closers, place)?;
        let number = self.write(Op::Skip, place)?;
        self.code[number].2 = vec![to];
        Ok(())
    }

    /// The instruction at a place; all places are known at the end.
    fn resolve(&mut self, place: usize) -> usize {
        let mut end = place;
        while let Target::Same(other) = self.places[end] {
            end = other;
        }
        let Target::At(number) = self.places[end] else { return 0 };
        let mut step = place;
        while let Target::Same(other) = self.places[step] {
            self.places[step] = Target::At(number);
            step = other;
        }
        number
    }
}

/// For each label the number of the block that it stands in, and a place; blocks are numbered in the order of opening.
fn labels<'t>(body: &Body<'t>, writer: &mut Writer) -> Result<HashMap<&'t str, (usize, usize)>, Unread> {
    let (mut labels, mut open, mut count) = (HashMap::new(), vec![0], 0);
    for (statement, place) in &body.statements {
        match statement {
            Statement::Close | Statement::Or => drop(open.pop()),
            Statement::Label(name) => {
                let block = open.last().copied().unwrap_or(0);
                if labels.insert(*name, (block, writer.place())).is_some() {
                    return Err((*place, format!("label `{name}` is there already")));
                }
            }
            _ => {}
        }
        if opens(statement) {
            count += 1;
            open.push(count);
        }
    }
    Ok(labels)
}

fn opens(statement: &Statement<'_>) -> bool {
    use Statement::{Atomic, Choose, Loop, Or, Sync};
    matches!(statement, Sync(..) | Atomic | Loop | Choose | Or)
}

impl Code {
    /// The program of a body. `count` is the number of instructions of the bodies before it.
    pub fn new(body: &Body<'_>, count: usize) -> Result<Code, Unread> {
        let mut writer = Writer { most: MOST.saturating_sub(count), ..Writer::default() };
        writer.here = writer.place();
        let labels = labels(body, &mut writer)?;
        // The open blocks; for each block its number and how many closers are outside of it; what closes `sync` and
        // `atomic` blocks; the open loops; where each open block stands in `blocks`.
        let mut blocks: Vec<(Block, usize)> = Vec::new();
        let (mut closers, mut loops): (Vec<Op>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut open = HashMap::from([(0, 0)]);
        let mut numbers = vec![0];
        let mut count = 0;
        for (statement, place) in &body.statements {
            let place = *place;
            let write = match statement {
                Statement::Access { write, location } => Op::Access { write: *write, location: *location },
                Statement::Acquire(lock, mode) | Statement::Sync(lock, mode) => Op::Acquire(*lock, *mode),
                Statement::Release(lock) => Op::Release(*lock, None),
                Statement::Wait(lock) => Op::Wait(*lock),
                Statement::Begin | Statement::Atomic => Op::Begin,
                Statement::End => Op::End,
                Statement::Call(body) => Op::Call(*body),
                Statement::Start(body) => Op::Start(*body),
                Statement::Skip | Statement::Choose | Statement::Loop | Statement::Label(_) => Op::Skip,
                Statement::Return => {
                    writer.close(&closers, place)?;
                    Op::Return
                }
                Statement::Break | Statement::Continue => {
                    let inner = loops.last().map(|at| &blocks[*at]);
                    let Some((Block::Loop { head, after }, outside)) = inner else {
                        return Err((place, "there is no loop around this".into()));
                    };
                    let to = if matches!(statement, Statement::Break) { *after } else { *head };
                    writer.jump(&closers[*outside..], to, place)?;
                    continue;
                }
                Statement::Goto(name) => {
                    let label = labels.get(name).and_then(|(block, to)| open.get(block).map(|outside| (*outside, *to)));
                    let Some((outside, to)) = label else {
                        return Err((place, format!("there is no label `{name}` in the blocks around this")));
                    };
                    writer.jump(&closers[outside..], to, place)?;
                    continue;
                }
                Statement::Or | Statement::Close => {
                    if let Some(number) = numbers.pop() {
                        open.remove(&number);
                    }
                    match blocks.pop() {
                        Some((Block::Closed, outside)) => {
                            let inner = closers.split_off(outside);
                            writer.close(&inner, place)?;
                        }
                        Some((Block::Loop { head, after }, _)) => {
                            loops.pop();
                            writer.places[writer.here] = Target::Same(head);
                            writer.here = after;
                        }
                        Some((Block::Choice { skip, after }, outside)) => {
                            writer.places[writer.here] = Target::Same(after);
                            writer.here = after;
                            if matches!(statement, Statement::Or) {
                                writer.here = writer.place();
                                let first = writer.here;
                                writer.code[skip].2.push(first);
                                blocks.push((Block::Choice { skip, after }, outside));
                            }
                        }
                        None => {}
                    }
                    if matches!(statement, Statement::Or) {
                        count += 1;
                        numbers.push(count);
                        open.insert(count, closers.len());
                    }
                    continue;
                }
            };
            let before = writer.here;
            if let Statement::Label(name) = statement {
                writer.places[labels[name].1] = Target::Same(before);
            }
            let number = writer.write(write, place)?;
            let outside = closers.len();
            match statement {
                Statement::Wait(lock) => drop(writer.write(Op::Resume(*lock), place)?),
                Statement::Return => writer.code[number].2.clear(),
                Statement::Sync(lock, mode) => closers.push(Op::Release(*lock, Some(*mode))),
                Statement::Atomic => closers.push(Op::End),
                _ => {}
            }
            if opens(statement) {
                let after = if matches!(statement, Statement::Loop | Statement::Choose) { writer.place() } else { 0 };
                blocks.push((
                    match statement {
                        Statement::Loop => {
                            loops.push(blocks.len());
                            writer.code[number].2.push(after);
                            Block::Loop { head: before, after }
                        }
                        Statement::Choose => Block::Choice { skip: number, after },
                        _ => Block::Closed,
                    },
                    outside,
                ));
                count += 1;
                numbers.push(count);
                open.insert(count, closers.len());
            }
        }
        let last = writer.write(Op::Return, body.end)?;
        writer.code[last].2.clear();
        Code::linked(writer, body)
    }

    /// Resolves the successors, and computes the open lists.
    fn linked(mut writer: Writer, body: &Body<'_>) -> Result<Code, Unread> {
        let mut instructions = Vec::with_capacity(writer.code.len());
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
