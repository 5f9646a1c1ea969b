//! Fields that a method has compared with null.

use java::{Condition, FieldId, Instruction, InstructionIndex, Program};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Maximal distance, in instructions, of a read of a field and the branch that compares it with null: `getfield, dup,
/// astore, aload, ifnonnull`.
const MAX_DISTANCE: usize = 5;

/// The fields that a method has compared with null, while its instructions are visited in order.
#[derive(Default)]
pub(super) struct NullChecks {
    checked: FxHashSet<FieldId>,
    /// The last reads of fields, with their places.
    read: VecDeque<(usize, FieldId)>,
}

impl NullChecks {
    /// Visits the next instruction.
    pub(super) fn step(&mut self, program: &Program, at: InstructionIndex, instruction: Instruction) {
        while self.read.front().is_some_and(|(place, _)| place + MAX_DISTANCE <= at.index()) {
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

    /// Whether a field was compared with null.
    pub(super) fn is_checked(&self, field: FieldId) -> bool {
        self.checked.contains(&field)
    }
}
