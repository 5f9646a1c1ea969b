//! The worklist of states, and the size of what was interpreted.

use super::context::{ContextId, StateIndex, StepTree, Steps};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A state of a context.
pub(super) type ContextState = (ContextId, StateIndex);

/// The states to execute, first in, first out, each once.
#[derive(Debug, Default)]
pub(super) struct Worklist {
    queue: VecDeque<ContextState>,
    members: FxHashSet<ContextState>,
}

impl Worklist {
    /// Enqueues a state unless it is in the worklist.
    pub(super) fn push(&mut self, state: ContextState) {
        if self.members.insert(state) {
            self.queue.push_back(state);
        }
    }

    /// Takes the first state.
    pub(super) fn pop(&mut self) -> Option<ContextState> {
        let first = self.queue.pop_front()?;
        self.members.remove(&first);
        Some(first)
    }

    /// Whether no state is left.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// Maximum number of steps in all trees for each allowed state. Where any method may be called, a state has hundreds of
/// steps, and the model would be as large. The decided subjects of log4j 1.2.17 and of Netty's common classes have at
/// most 600,000 steps; subjects with more have millions.
const MOST_STEPS: usize = 3;

/// The number of steps in a tree; each alternative call counts.
fn size(tree: &StepTree) -> usize {
    let of_steps = |steps: &Option<Steps>| match steps {
        Some(Steps::Repeated(steps) | Steps::Optional(steps)) => steps.len(),
        Some(Steps::One(_)) | None => 1,
    };
    tree.iter().map(|branch| of_steps(&branch.steps)).sum()
}

/// The size of an interpretation, and its bounds.
#[derive(Debug)]
pub(super) struct Size {
    pub(super) states: usize,
    /// The number of steps in all trees.
    pub(super) steps: usize,
    pub(super) most_states: usize,
}

impl Size {
    /// Whether a further state is allowed.
    pub(super) fn has_room(&self) -> bool {
        self.states < self.most_states
    }

    /// Whether there are too many steps, with these new ones.
    pub(super) fn has_too_many_steps(&self, new: usize) -> bool {
        self.steps + new > MOST_STEPS * self.most_states
    }

    /// Replaces a tree by another one.
    pub(super) fn replace(&mut self, before: &StepTree, after: &StepTree) {
        self.steps -= size(before);
        self.steps += size(after);
    }
}
