//! What stands around an instruction of a method: whether control may come back to it, and which fields were asked
//! before it.
//!
//! Code is looked at once, however many instructions are asked about.

use java::{Code, Condition, FieldId, Instruction, InstructionIndex, Program};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// To which instructions control may come back: some branch at one or behind it leads to it or before it, or a handler
/// begins there.
pub(super) struct Rounds {
    /// By instruction: the first one to which it or one behind it leads.
    first: Vec<usize>,
}

impl Rounds {
    /// Of a method's code. Linear.
    pub(super) fn of(code: &Code) -> Self {
        let handler = code.handlers().iter().map(|handler| handler.target.index()).min().unwrap_or(usize::MAX);
        let target = |at| code.successors(at).into_iter().map(InstructionIndex::index).min().unwrap_or(usize::MAX);
        let mut first: Vec<usize> = code.instructions().map(|(at, _)| target(at)).collect();
        let mut least = handler;
        for target in first.iter_mut().rev() {
            least = least.min(*target);
            *target = least;
        }
        Self { first }
    }

    /// Whether control may come back to an instruction.
    pub(super) fn is_in_loop(&self, at: InstructionIndex) -> bool {
        self.first.get(at.index()).is_some_and(|first| *first <= at.index())
    }
}

/// Between a read of a field and the branch that asks whether it was null there are at most so many instructions:
/// `getfield, dup, astore, aload, ifnonnull`.
const APART: usize = 5;

/// The fields of which a method has asked whether they are null, while its instructions are shown one after the other.
#[derive(Default)]
pub(super) struct Asked {
    asked: FxHashSet<FieldId>,
    /// The fields that were read last, with the places.
    read: VecDeque<(usize, FieldId)>,
}

impl Asked {
    /// The next instruction.
    pub(super) fn step(&mut self, program: &Program, at: InstructionIndex, instruction: Instruction) {
        while self.read.front().is_some_and(|(place, _)| place + APART <= at.index()) {
            self.read.pop_front();
        }
        match instruction {
            Instruction::GetField(member) => {
                self.read.extend(program.resolve_field(member).found().map(|field| (at.index(), field)));
            }
            Instruction::Branch(Condition::Null | Condition::NotNull, _) => {
                self.asked.extend(self.read.iter().map(|(_, field)| *field));
            }
            _ => {}
        }
    }

    /// Whether it was asked of a field.
    pub(super) fn is_asked(&self, field: FieldId) -> bool {
        self.asked.contains(&field)
    }
}
