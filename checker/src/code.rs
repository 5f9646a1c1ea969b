//! The instructions of a body: their successors and open lists.

use crate::ops::{Op, SomeUse, Use};
use crate::text::{Place, Token, Unread};
use std::collections::HashMap;

pub(crate) struct Instruction {
    pub op: Op,
    pub place: Place,
    pub next: Vec<usize>,
    /// What is open before it; none if no path leads to it.
    pub open: Option<Open>,
}

/// An open list: the number of the list of its uses, and the number of its units.
type Open = (usize, usize);

/// The instructions of a body.
#[derive(Default)]
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    /// Lists of uses, numbered from 1: a list with a smaller number, and the last entry. The empty one has number 0.
    lists: Vec<(usize, Use)>,
    numbers: HashMap<(usize, Use), usize>,
    /// The number of entries that were visited to close or compare open lists.
    visited: usize,
}

/// A kind of blocks.
pub(crate) enum Kind {
    /// A body, `sync` or `atomic` block, with the instruction that closes it.
    Closed(Op),
    /// A block of a choice, with the skip before the choice.
    Choice(usize),
    /// With the head.
    Loop(usize),
}

/// A block that is open in the text.
struct Block {
    kind: Kind,
    /// The number of the word that opens it.
    brace: usize,
    /// The number of closers that are open in it.
    closers: usize,
    /// The place of the innermost loop in the list of blocks, if this is one or is in one.
    inner_loop: Option<usize>,
    /// The jumps to the place after the whole statement.
    exits: Vec<usize>,
}

/// The labels of a body, with the brace of the block of each.
pub(crate) type Labels<'t> = HashMap<&'t str, usize>;

/// The instructions of a body in the making. Blocks nest to any depth, so they are kept in a list.
#[derive(Default)]
pub(crate) struct Writer<'t> {
    code: Vec<Instruction>,
    most: usize,
    blocks: Vec<Block>,
    /// The instructions that close the open blocks: the return of the body, then those of `sync` and `atomic` blocks.
    closers: Vec<Op>,
    braces: Labels<'t>,
    /// The instructions of the labels that were written.
    labels: HashMap<&'t str, usize>,
    /// Jumps to labels.
    jumps: Vec<(usize, Token<'t>)>,
}

impl<'t> Writer<'t> {
    /// A body with these labels, and at most so many instructions.
    pub fn new(braces: Labels<'t>, most: usize) -> Writer<'t> {
        Writer { most, braces, ..Writer::default() }
    }

    /// Writes an instruction, which continues at the next one unless it is a return.
    pub fn write(&mut self, op: Op, place: Place) -> Result<(), Unread> {
        if self.code.len() >= self.most {
            return Err((place, "the model has too many instructions".into()));
        }
        let next = if op == Op::Return { Vec::new() } else { vec![self.count() + 1] };
        self.code.push(Instruction { op, place, next, open: None });
        Ok(())
    }

    /// Whether the body has not ended.
    pub fn is_open(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The number of instructions, which is that of the next one.
    pub fn count(&self) -> usize {
        self.code.len()
    }

    /// Writes a skip that continues elsewhere; returns its number.
    fn jump(&mut self, to: Option<usize>, place: Place) -> Result<usize, Unread> {
        let skip = self.count();
        self.write(Op::Skip, place)?;
        self.code[skip].next = to.into_iter().collect();
        Ok(skip)
    }

    pub fn open(&mut self, kind: Kind, brace: usize) {
        let outer_loop = self.blocks.last().and_then(|block| block.inner_loop);
        let inner_loop = if matches!(kind, Kind::Loop(_)) { Some(self.blocks.len()) } else { outer_loop };
        if let Kind::Closed(closer) = kind {
            self.closers.push(closer);
        }
        self.blocks.push(Block { kind, brace, closers: self.closers.len(), inner_loop, exits: Vec::new() });
    }

    /// Ends the innermost block; in a choice with `another` block, opens that at its brace and returns true.
    pub fn end(&mut self, place: Place, another: Option<usize>) -> Result<bool, Unread> {
        let Some(mut block) = self.blocks.pop() else { return Ok(false) };
        match block.kind {
            Kind::Closed(closer) => {
                self.closers.pop();
                self.write(closer, place)?;
            }
            Kind::Choice(head) => {
                block.exits.push(self.jump(None, place)?);
                if let Some(brace) = another {
                    let first = self.count();
                    self.code[head].next.push(first);
                    self.blocks.push(Block { brace, ..block });
                    return Ok(true);
                }
            }
            Kind::Loop(head) => {
                self.jump(Some(head), place)?;
                block.exits.push(head);
            }
        }
        let after = self.count();
        block.exits.iter().for_each(|exit| self.code[*exit].next.push(after));
        Ok(false)
    }

    /// Writes the closers of all open blocks but the outer ones, innermost first. All of them are a return.
    pub fn close(&mut self, outside: usize, place: Place) -> Result<(), Unread> {
        (outside..self.closers.len()).rev().try_for_each(|at| self.write(self.closers[at], place))
    }

    /// Writes a `break`, a `continue`, or a `goto` of a label.
    pub fn leave(&mut self, keyword: Token<'t>, label: Option<Token<'t>>) -> Result<(), Unread> {
        let at = match label {
            None => self.blocks.last().and_then(|block| block.inner_loop),
            Some(label) => {
                let brace = self.braces.get(label.text);
                brace.and_then(|brace| self.blocks.binary_search_by_key(brace, |block| block.brace).ok())
            }
        };
        let Some(at) = at else {
            return label.unwrap_or(keyword).error("there is no such loop or label in the blocks around this");
        };
        self.close(self.blocks[at].closers, keyword.place)?;
        let skip = self.jump(None, keyword.place)?;
        match (label, &self.blocks[at].kind) {
            (Some(label), _) => self.jumps.push((skip, label)),
            (None, Kind::Loop(head)) if keyword.text == "continue" => self.code[skip].next.push(*head),
            (None, _) => self.blocks[at].exits.push(skip),
        }
        Ok(())
    }

    pub fn label(&mut self, name: Token<'t>) -> Result<(), Unread> {
        self.labels.insert(name.text, self.count());
        self.write(Op::Skip, name.place)
    }

    /// The code of the body, which has ended.
    pub fn finish(mut self) -> Result<Code, Unread> {
        for (from, label) in self.jumps {
            self.code[from].next.push(label.known(&self.labels, "label")?);
        }
        let mut code = Code { instructions: self.code, ..Code::default() };
        code.find_open()?;
        Ok(code)
    }
}

impl Code {
    /// Whether a unit is open before an instruction.
    pub fn in_unit(&self, number: usize) -> bool {
        self.instructions[number].open.is_some_and(|(_, units)| units > 0)
    }

    /// The uses in the open list of an instruction, the last one first.
    pub fn open(&self, number: usize) -> impl Iterator<Item = Use> {
        self.entries(self.instructions[number].open.map_or(0, |(list, _)| list))
    }

    /// Computes the open lists, which must be the same on all paths.
    fn find_open(&mut self) -> Result<(), Unread> {
        self.instructions[0].open = Some((0, 0));
        let mut work = vec![0];
        while let Some(number) = work.pop() {
            let Instruction { op, place, open, .. } = self.instructions[number];
            let Some(after) = self.after(op, open.unwrap_or_default()) else {
                return Err((place, "what is closed here is not open, or something is open at the return".into()));
            };
            // A few for each instruction if the locks that overlap are few.
            if self.visited > 1000 + 16 * self.instructions.len() {
                return Err((place, "too many locks overlap here".into()));
            }
            for next in self.instructions[number].next.clone() {
                let known = self.instructions[next].open;
                match known {
                    None => {
                        self.instructions[next].open = Some(after);
                        work.push(next);
                    }
                    Some(other) if self.is_same(other, after) => {}
                    Some(_) => {
                        let place = self.instructions[next].place;
                        return Err((place, "paths lead here with different open lists".into()));
                    }
                }
            }
        }
        Ok(())
    }

    /// The open list after an instruction.
    fn after(&mut self, op: Op, (list, units): Open) -> Option<Open> {
        match op {
            Op::Acquire(one) => Some((self.longer(list, one), units)),
            Op::Release(some) => Some((self.without(list, some)?, units)),
            Op::Begin => Some((list, units + 1)),
            Op::End => Some((list, units.checked_sub(1)?)),
            Op::Return => Some((list, units)).filter(|open| *open == (0, 0)),
            _ => Some((list, units)),
        }
    }

    fn longer(&mut self, list: usize, entry: Use) -> usize {
        *self.numbers.entry((list, entry)).or_insert_with(|| {
            self.lists.push((list, entry));
            self.lists.len()
        })
    }

    /// A list without its last entry of a kind.
    fn without(&mut self, list: usize, some: SomeUse) -> Option<usize> {
        let mut above = Vec::new();
        let (mut below, mut entry) = self.last(list)?;
        while !some.includes(entry) {
            above.push(entry);
            (below, entry) = self.last(below)?;
        }
        self.visited += above.len();
        Some(above.into_iter().rev().fold(below, |list, entry| self.longer(list, entry)))
    }

    /// The list before the last entry, and that entry.
    fn last(&self, list: usize) -> Option<(usize, Use)> {
        self.lists.get(list.checked_sub(1)?).copied()
    }

    /// The entries of a list, the last one first.
    fn entries(&self, list: usize) -> impl Iterator<Item = Use> {
        std::iter::successors(self.last(list), |(shorter, _)| self.last(*shorter)).map(|(_, entry)| entry)
    }

    /// Whether two open lists are the same. Locks that overlap may be opened in any order.
    fn is_same(&mut self, one: Open, other: Open) -> bool {
        let mut by_lock = |list| {
            let mut entries: Vec<Use> = self.entries(list).collect();
            self.visited += entries.len();
            entries.sort_by_key(|one| one.lock);
            entries
        };
        one == other || one.1 == other.1 && by_lock(one.0) == by_lock(other.0)
    }
}
