//! Instructions that may be in a loop.

use java::{Code, InstructionIndex};

/// To which instructions control may come back: some branch at one or behind it leads to it or before it, or a handler
/// begins there.
pub(super) struct LoopRanges {
    /// By instruction: the first one to which it or one behind it leads.
    first: Vec<usize>,
}

impl LoopRanges {
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
    pub(super) fn contains(&self, at: InstructionIndex) -> bool {
        self.first.get(at.index()).is_some_and(|first| *first <= at.index())
    }
}
