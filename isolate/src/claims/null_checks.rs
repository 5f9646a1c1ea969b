//! Fields that a method has compared with null.

use java::{Condition, FieldId, Instruction, InstructionIndex, Program};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Between a read of a field and the branch that asks whether it was null there are at most so many instructions:
/// `getfield, dup, astore, aload, ifnonnull`.
const APART: usize = 5;

/// The fields of which a method has asked whether they are null, while its instructions are shown one after the other.
#[derive(Default)]
pub(super) struct NullChecks {
    checked: FxHashSet<FieldId>,
    /// The fields that were read last, with the places.
    read: VecDeque<(usize, FieldId)>,
}

impl NullChecks {
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
                self.checked.extend(self.read.iter().map(|(_, field)| *field));
            }
            _ => {}
        }
    }

    /// Whether it was asked of a field.
    pub(super) fn is_checked(&self, field: FieldId) -> bool {
        self.checked.contains(&field)
    }
}
