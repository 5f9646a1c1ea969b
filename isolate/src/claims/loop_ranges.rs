//! Instructions that may be in a loop.

use java::{Code, InstructionIndex};

/// The instructions to which control may return: a branch at the instruction or after it goes to it or to an earlier
/// one, or an exception handler begins at it or before it.
pub(super) struct LoopRanges {
    /// By instruction: the first target of this and all later instructions.
    first: Vec<usize>,
}

impl LoopRanges {
    /// Computes the ranges of a method's code. Linear.
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

    /// Whether control may return to an instruction.
    pub(super) fn contains(&self, at: InstructionIndex) -> bool {
        self.first.get(at.index()).is_some_and(|first| *first <= at.index())
    }
}
