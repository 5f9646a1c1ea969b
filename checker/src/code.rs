//! The instructions of a body: their successors and open lists.

use crate::ops::{Op, Use};
use crate::text::{Place, Token, Unread};
use std::collections::HashMap;

pub(crate) struct Instruction {
    pub op: Op,
    pub place: Place,
    pub next: Vec<usize>,
    /// The number of its open list; none if no path leads to it.
    pub open: Option<usize>,
}

/// An entry of an open list: a use, or none for a unit.
type Entry = Option<Use>;

/// An open list: a shorter one, which has a smaller number, and a last entry.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    pub shorter: usize,
    pub entry: Entry,
    pub units: usize,
}

/// The instructions of a body, and its open lists, of which number 0 is the empty one.
#[derive(Default)]
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    pub open: Vec<Open>,
    lists: HashMap<(usize, Entry), usize>,
    /// The number of entries below others that were visited to close or compare open lists.
    visited: usize,
}

/// A kind of blocks.
pub(crate) enum Kind {
    Body,
    /// A `sync` or `atomic` block, with the instruction that closes it.
    Closed(Op),
    /// A block of a choice, with the skip before the choice.
    Choice(usize),
    /// With the head.
    Loop(usize),
}

/// A block that is open in the text.
struct Block {
    number: usize,
    kind: Kind,
    /// The number of closers that are open in it.
    closers: usize,
    /// The jumps to the place after the whole statement.
    exits: Vec<usize>,
}

/// The instructions of a body in the making. Blocks nest to any depth, so they are kept in a list.
#[derive(Default)]
pub(crate) struct Writer<'t> {
    code: Vec<Instruction>,
    most: usize,
    blocks: Vec<Block>,
    block_count: usize,
    /// The instructions that close the open `sync` and `atomic` blocks.
    closers: Vec<Op>,
    /// The places of the open loops in `blocks`.
    loops: Vec<usize>,
    /// The number of the block of each label.
    label_blocks: HashMap<&'t str, usize>,
    /// The instructions of the labels that were written.
    labels: HashMap<&'t str, usize>,
    /// Jumps to labels.
    jumps: Vec<(usize, Token<'t>)>,
}

impl<'t> Writer<'t> {
    /// A body with these labels, and at most so many instructions.
    pub fn new(label_blocks: HashMap<&'t str, usize>, most: usize) -> Writer<'t> {
        let mut writer = Writer { most, label_blocks, ..Writer::default() };
        writer.open(Kind::Body, Vec::new());
        writer
    }

    /// Whether the body has not ended.
    pub fn is_open(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Writes an instruction, which continues at the next one unless it is a return.
    pub fn write(&mut self, op: Op, place: Place) -> Result<usize, Unread> {
        let number = self.code.len();
        if number >= self.most {
            return Err((place, "the model has too many instructions".into()));
        }
        let next = if op == Op::Return { Vec::new() } else { vec![number + 1] };
        self.code.push(Instruction { op, place, next, open: None });
        Ok(number)
    }

    /// Writes a skip that continues elsewhere.
    fn write_jump(&mut self, to: Option<usize>, place: Place) -> Result<usize, Unread> {
        let skip = self.write(Op::Skip, place)?;
        self.code[skip].next = to.into_iter().collect();
        Ok(skip)
    }

    /// Opens a block; `exits` are those of the blocks before it in its choice.
    pub fn open(&mut self, kind: Kind, exits: Vec<usize>) {
        if let Kind::Closed(closer) = kind {
            self.closers.push(closer);
        }
        if let Kind::Loop(_) = kind {
            self.loops.push(self.blocks.len());
        }
        self.blocks.push(Block { number: self.block_count, kind, closers: self.closers.len(), exits });
        self.block_count += 1;
    }

    /// Ends the innermost block. In a choice with `another` block, opens that and returns true.
    pub fn leave(&mut self, place: Place, another: bool) -> Result<bool, Unread> {
        let Some(Block { kind, mut exits, .. }) = self.blocks.pop() else { return Ok(false) };
        match kind {
            Kind::Body => drop(self.write(Op::Return, place)?),
            Kind::Closed(closer) => {
                self.closers.pop();
                self.write(closer, place)?;
            }
            Kind::Choice(head) => {
                exits.push(self.write_jump(None, place)?);
                if another {
                    let first = self.code.len();
                    self.code[head].next.push(first);
                    self.open(kind, exits);
                    return Ok(true);
                }
            }
            Kind::Loop(head) => {
                self.loops.pop();
                self.write_jump(Some(head), place)?;
                exits.push(head);
            }
        }
        for exit in exits {
            let after = self.code.len();
            self.code[exit].next.push(after);
        }
        Ok(false)
    }

    /// Writes the closers of all open blocks but the outer ones, innermost first.
    pub fn close(&mut self, outside: usize, place: Place) -> Result<(), Unread> {
        (outside..self.closers.len()).rev().try_for_each(|at| self.write(self.closers[at], place).map(drop))
    }

    /// Writes a `break` or `continue`.
    pub fn leave_loop(&mut self, keyword: Token<'t>) -> Result<(), Unread> {
        let Some(&at) = self.loops.last() else { return keyword.error("there is no loop around this") };
        self.close(self.blocks[at].closers, keyword.place)?;
        let skip = self.write_jump(None, keyword.place)?;
        match self.blocks[at].kind {
            Kind::Loop(head) if keyword.text == "continue" => self.code[skip].next.push(head),
            _ => self.blocks[at].exits.push(skip),
        }
        Ok(())
    }

    /// Writes a jump to a label in a block that is open.
    pub fn jump(&mut self, label: Token<'t>, place: Place) -> Result<(), Unread> {
        let block = self.label_blocks.get(label.text);
        let at = block.and_then(|number| self.blocks.binary_search_by_key(number, |block| block.number).ok());
        let Some(at) = at else { return label.error("there is no such label in the blocks around this") };
        self.close(self.blocks[at].closers, place)?;
        let skip = self.write_jump(None, place)?;
        self.jumps.push((skip, label));
        Ok(())
    }

    pub fn label(&mut self, name: &'t str, place: Place) -> Result<(), Unread> {
        let skip = self.write(Op::Skip, place)?;
        self.labels.insert(name, skip);
        Ok(())
    }

    /// The code of the body with this name, which has ended.
    pub fn finish(mut self, name: &str) -> Result<Code, Unread> {
        for (from, label) in std::mem::take(&mut self.jumps) {
            self.code[from].next.push(label.known(&self.labels, "label")?);
        }
        let empty = Open { shorter: 0, entry: None, units: 0 };
        let mut code = Code { instructions: self.code, open: vec![empty], lists: HashMap::new(), visited: 0 };
        code.find_open().map_err(|(place, reason)| (place, format!("{reason}, in `{name}`")))?;
        Ok(code)
    }
}

impl Code {
    /// Whether a unit is open before an instruction.
    pub fn in_unit(&self, number: usize) -> bool {
        self.instructions[number].open.is_some_and(|list| self.open[list].units > 0)
    }

    /// Computes the open lists, which must be the same on all paths.
    fn find_open(&mut self) -> Result<(), Unread> {
        self.instructions[0].open = Some(0);
        let mut work = vec![0];
        while let Some(number) = work.pop() {
            let after = self.after(number)?;
            // A few for each instruction if the locks that overlap are few.
            if self.visited > 1000 + 16 * self.instructions.len() {
                return Err((self.instructions[number].place, "too many locks overlap here".into()));
            }
            for at in 0..self.instructions[number].next.len() {
                let next = self.instructions[number].next[at];
                let known = self.instructions[next].open;
                match known {
                    None => {
                        self.instructions[next].open = Some(after);
                        work.push(next);
                    }
                    Some(other) if other == after || self.by_lock(other) == self.by_lock(after) => {}
                    Some(_) => {
                        return Err((
                            self.instructions[next].place,
                            "paths lead here with different open lists".into(),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// The open list after an instruction.
    fn after(&mut self, number: usize) -> Result<usize, Unread> {
        let Instruction { op, place, open, .. } = self.instructions[number];
        let list = open.unwrap_or(0);
        let after = match op {
            Op::Acquire(one) => Some(self.longer(list, Some(one))),
            Op::Begin => Some(self.longer(list, None)),
            Op::Release(some) => self.without(list, |entry| entry.is_some_and(|one| some.includes(one))),
            Op::End => self.without(list, |entry| entry.is_none()),
            Op::Return => Some(list).filter(|list| *list == 0),
            _ => Some(list),
        };
        after.ok_or_else(|| (place, "what is closed here is not open, or something is open at the return".into()))
    }

    fn longer(&mut self, shorter: usize, entry: Entry) -> usize {
        let new = self.open.len();
        let list = *self.lists.entry((shorter, entry)).or_insert(new);
        if list == new {
            let units = self.open[shorter].units + usize::from(entry.is_none());
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
        self.visited += kept.len();
        let shorter = self.open[at].shorter;
        (at != 0).then(|| kept.into_iter().rev().fold(shorter, |list, entry| self.longer(list, entry)))
    }

    /// The entries of a list, sorted by lock; those of one lock in their order. Locks that overlap may be opened in any
    /// order.
    fn by_lock(&mut self, list: usize) -> Vec<Entry> {
        let (mut entries, mut at) = (Vec::new(), list);
        while at != 0 {
            entries.push(self.open[at].entry);
            at = self.open[at].shorter;
        }
        self.visited += entries.len();
        entries.sort_by_key(|entry| entry.map(|one| one.lock));
        entries
    }
}
