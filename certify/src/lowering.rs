//! From the statements of a body to its instructions.
//!
//! Blocks nest to any depth, so the enclosing blocks are kept in a list. Invariant: `open` has the instructions that
//! continue at the instruction that is emitted next; each of them gets the number of that instruction as a successor.

use crate::instructions::{Instruction, Lock, Operation};
use crate::names::Names;
use crate::unproved::Unproved;
use eml::syntax::ast::{Block, LockUse, Mode, Statement, StatementKind};
use rustc_hash::FxHashMap;
use std::slice::Iter;

/// Returns the instructions of a body.
///
/// # Errors
/// If there are more than `most`, or if a name in it is not declared.
pub(crate) fn lower(names: &Names, body: &Block, most: usize) -> Result<Vec<Instruction>, Unproved> {
    let mut lowering = Lowering {
        names,
        label_blocks: label_blocks(body),
        instructions: Vec::new(),
        open: Vec::new(),
        frames: Vec::new(),
        places: FxHashMap::default(),
        jumps: Vec::new(),
    };
    lowering.enter(body, Kind::Body);
    while let Some(frame) = lowering.frames.last_mut() {
        match frame.rest.next() {
            Some(statement) => lowering.statement(statement).ok_or(Unproved::UnknownName)?,
            None => lowering.leave(),
        }
        // A jump adds an instruction for each block that it leaves.
        if lowering.instructions.len() > most {
            return Err(Unproved::Large);
        }
    }
    for (from, label) in std::mem::take(&mut lowering.jumps) {
        let place = *lowering.places.get(label).ok_or(Unproved::UnknownName)?;
        lowering.instructions[from].next.push(place);
    }
    Ok(lowering.instructions)
}

/// A block that encloses the present statement.
struct Frame<'p> {
    block: &'p Block,
    kind: Kind<'p>,
    /// The statements that remain.
    rest: Iter<'p, Statement>,
}

enum Kind<'p> {
    Body,
    Sync(Lock, Mode),
    Atomic,
    Choice {
        head: usize,
        /// The blocks that remain.
        rest: Iter<'p, Block>,
        /// The skips at the ends of the blocks before.
        joined: Vec<usize>,
    },
    Loop {
        head: usize,
        breaks: Vec<usize>,
    },
}

struct Lowering<'p, 'c> {
    names: &'c Names,
    /// For each label, the offset of the block in which it stands.
    label_blocks: FxHashMap<&'p str, u32>,
    instructions: Vec<Instruction>,
    open: Vec<usize>,
    frames: Vec<Frame<'p>>,
    /// The instruction of each label, as far as the labels have come.
    places: FxHashMap<&'p str, usize>,
    /// Instructions that continue at a label.
    jumps: Vec<(usize, &'p str)>,
}

impl<'p> Lowering<'p, '_> {
    fn emit(&mut self, operation: Operation) -> usize {
        let number = self.instructions.len();
        self.connect(number);
        self.instructions.push(Instruction { operation, next: Vec::new(), open: Vec::new() });
        if operation != Operation::Return {
            self.open.push(number);
        }
        number
    }

    /// Lets everything that is open continue at this instruction.
    fn connect(&mut self, number: usize) {
        for from in std::mem::take(&mut self.open) {
            let next = &mut self.instructions[from].next;
            if !next.contains(&number) {
                next.push(number);
            }
        }
    }

    fn enter(&mut self, block: &'p Block, kind: Kind<'p>) {
        self.frames.push(Frame { block, kind, rest: block.statements.iter() });
    }

    /// Ends the innermost block.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        match frame.kind {
            Kind::Body => {
                self.emit(Operation::Return);
            }
            Kind::Sync(lock, mode) => {
                self.emit(Operation::Release(lock, Some(mode)));
            }
            Kind::Atomic => {
                self.emit(Operation::End);
            }
            Kind::Choice { head, mut rest, mut joined } => {
                joined.push(self.emit(Operation::Skip));
                self.open.clear();
                match rest.next() {
                    Some(block) => {
                        self.open = vec![head];
                        self.enter(block, Kind::Choice { head, rest, joined });
                    }
                    None => self.open = joined,
                }
            }
            Kind::Loop { head, breaks } => {
                self.emit(Operation::Skip);
                self.connect(head);
                self.open = breaks;
                self.open.push(head);
            }
        }
    }

    fn statement(&mut self, statement: &'p Statement) -> Option<()> {
        match &statement.kind {
            StatementKind::Read(name) => {
                self.emit(Operation::Read(self.names.location(&name.text)?));
            }
            StatementKind::Write(name) => {
                self.emit(Operation::Write(self.names.location(&name.text)?));
            }
            StatementKind::Sync(used, block) => {
                let lock = self.acquire(used)?;
                self.enter(block, Kind::Sync(lock, used.mode.unwrap_or(Mode::Write)));
            }
            StatementKind::Acquire(used) => {
                self.acquire(used)?;
            }
            StatementKind::Release(name) => {
                self.emit(Operation::Release(self.names.lock(&name.text)?, None));
            }
            StatementKind::Wait(name) => {
                let lock = self.names.lock(&name.text)?;
                self.emit(Operation::Wait(lock));
                self.emit(Operation::WantBack(lock));
                self.emit(Operation::Resume(lock));
            }
            StatementKind::Atomic(block) => {
                self.emit(Operation::Begin);
                self.enter(block, Kind::Atomic);
            }
            StatementKind::Begin => {
                self.emit(Operation::Begin);
            }
            StatementKind::End => {
                self.emit(Operation::End);
            }
            StatementKind::Call(name) => {
                self.emit(Operation::Call(self.names.function(&name.text)?));
            }
            StatementKind::Start(name) => {
                self.emit(Operation::Start(self.names.process(&name.text)?));
            }
            StatementKind::Skip => {
                self.emit(Operation::Skip);
            }
            StatementKind::Choose(blocks) => {
                let head = self.emit(Operation::Skip);
                let mut rest = blocks.iter();
                self.enter(rest.next()?, Kind::Choice { head, rest, joined: Vec::new() });
            }
            StatementKind::Loop(block) => {
                let head = self.emit(Operation::Skip);
                self.enter(block, Kind::Loop { head, breaks: Vec::new() });
            }
            StatementKind::Return => {
                self.close_blocks(|_| false);
                self.emit(Operation::Return);
            }
            StatementKind::Break | StatementKind::Continue => self.leave_loop(&statement.kind),
            StatementKind::Label(name) => {
                let place = self.emit(Operation::Skip);
                self.places.insert(&name.text, place);
            }
            StatementKind::Goto(name) => {
                let target = *self.label_blocks.get(&*name.text)?;
                self.close_blocks(|frame| frame.block.span.offset == target);
                let jump = self.emit(Operation::Skip);
                self.open.clear();
                self.jumps.push((jump, &name.text));
            }
        }
        Some(())
    }

    fn acquire(&mut self, used: &LockUse) -> Option<Lock> {
        let lock = self.names.lock(&used.name.text)?;
        let mode = used.mode.unwrap_or(Mode::Write);
        self.emit(Operation::Want(lock, mode));
        self.emit(Operation::Acquire(lock, mode));
        Some(lock)
    }

    /// Emits the ends of the blocks up to the first one that stays, innermost first.
    fn close_blocks(&mut self, stays: impl Fn(&Frame<'_>) -> bool) {
        let left = self.frames.iter().rev().take_while(|frame| !stays(frame));
        let ends = left.filter_map(|frame| match frame.kind {
            Kind::Sync(lock, mode) => Some(Operation::Release(lock, Some(mode))),
            Kind::Atomic => Some(Operation::End),
            Kind::Body | Kind::Choice { .. } | Kind::Loop { .. } => None,
        });
        for end in ends.collect::<Vec<_>>() {
            self.emit(end);
        }
    }

    fn leave_loop(&mut self, kind: &StatementKind) {
        self.close_blocks(|frame| matches!(frame.kind, Kind::Loop { .. }));
        let jump = self.emit(Operation::Skip);
        self.open.clear();
        let loops = self.frames.iter_mut().rev().find_map(|frame| match &mut frame.kind {
            Kind::Loop { head, breaks } => Some((*head, breaks)),
            _ => None,
        });
        let Some((head, breaks)) = loops else { return };
        if *kind == StatementKind::Break {
            breaks.push(jump);
        } else {
            self.instructions[jump].next.push(head);
        }
    }
}

/// For each label, the offset of the block in which it stands.
fn label_blocks(body: &Block) -> FxHashMap<&str, u32> {
    let mut found = FxHashMap::default();
    let mut blocks = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in &block.statements {
            if let StatementKind::Label(name) = &statement.kind {
                found.insert(&*name.text, block.span.offset);
            }
            blocks.extend(statement.kind.blocks());
        }
    }
    found
}
