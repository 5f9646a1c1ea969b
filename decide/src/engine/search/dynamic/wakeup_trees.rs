//! Wakeup trees: the explorations to come from a state, arranged so that fewer of them end where every thread sleeps.
//!
//! A branch of the tree at a state is an event, or any next event of a thread. A sequence of events is inserted so that
//! the tree contains a beginning of it, up to swaps of independent events. The insertion goes down along the first
//! branch that is an *initial* of the remaining sequence, that is, an event of it that no other event in it has to
//! precede. It ends at a leaf, which stands for all continuations, or adds a new branch.
//!
//! Source: Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction* (POPL 2014), section 6 and
//! Algorithm 2. Unlike theirs, threads make choices here: wherever a thread goes on, all its choices are explored, and
//! the tree guides only the choice that it names.

use super::ThreadKey;
use super::dependence::Access;
use crate::engine::search::local_states::{LocalId, LocalStates, StepId};

/// A step with its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) step: StepId,
    pub(super) started: Option<LocalId>,
    pub(super) advances: bool,
}

/// An event to come.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) thread: ThreadKey,
    /// `None` for any choice.
    pub(super) choice: Option<Choice>,
    pub(super) access: Access,
    /// The accesses of the choices that other threads prevented.
    pub(super) alternatives: Vec<Access>,
    /// The started thread.
    pub(super) starts: Option<ThreadKey>,
}

impl Label {
    /// Returns a label for any event of a thread with this access.
    pub(super) fn of(thread: ThreadKey, access: Access) -> Self {
        Self { thread, choice: None, access, alternatives: Vec::new(), starts: None }
    }

    /// Whether the order of two events matters.
    pub(super) fn depends(&self, other: &Self, locals: &mut LocalStates<'_>) -> bool {
        self.thread == other.thread
            || self.starts == Some(other.thread)
            || other.starts == Some(self.thread)
            || self.access.depends(&other.access, locals)
            || self.waits_for(&other.access, locals)
            || other.waits_for(&self.access, locals)
    }

    /// Whether an access may make a choice possible that the thread did not have.
    pub(super) fn waits_for(&self, other: &Access, locals: &mut LocalStates<'_>) -> bool {
        self.alternatives.iter().any(|alternative| other.may_enable(alternative, locals))
    }
}

/// Returns the place of the first event of a thread, if no event of the sequence has to precede it.
pub(super) fn initial(sequence: &[Label], thread: ThreadKey, locals: &mut LocalStates<'_>) -> Option<usize> {
    let place = sequence.iter().position(|label| label.thread == thread)?;
    let is_first = !sequence[..place].iter().any(|before| before.depends(&sequence[place], locals));
    is_first.then_some(place)
}

/// A wakeup tree.
#[derive(Clone, Debug, Default)]
pub(super) struct WakeupTree {
    branches: Vec<(Label, WakeupTree)>,
}

impl WakeupTree {
    /// Returns the threads of its branches.
    pub(super) fn threads(&self) -> impl Iterator<Item = ThreadKey> {
        self.branches.iter().map(|(label, _)| label.thread)
    }

    /// Whether no exploration is left.
    pub(super) fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Removes and returns all branches of one thread.
    pub(super) fn take(&mut self, thread: ThreadKey) -> Vec<(Label, WakeupTree)> {
        let (taken, left) =
            std::mem::take(&mut self.branches).into_iter().partition(|(label, _)| label.thread == thread);
        self.branches = left;
        taken
    }

    /// Adds a leaf branch.
    pub(super) fn push(&mut self, label: Label) {
        self.branches.push((label, Self::default()));
    }

    /// Inserts a sequence.
    pub(super) fn insert(&mut self, mut sequence: Vec<Label>, locals: &mut LocalStates<'_>) {
        let mut tree = self;
        let mut is_root = true;
        while !sequence.is_empty() && (is_root || !tree.is_empty()) {
            is_root = false;
            let place = tree.branches.iter().position(|(label, _)| leads_to(label, &sequence, locals));
            let Some(place) = place else {
                tree.append(sequence);
                return;
            };
            let branch = &mut tree.branches[place];
            if let Some(place) = initial(&sequence, branch.0.thread, locals) {
                sequence.remove(place);
            }
            tree = &mut branch.1;
        }
    }

    fn append(&mut self, sequence: Vec<Label>) {
        let mut tree = self;
        for label in sequence {
            tree.branches.push((label, Self::default()));
            tree = &mut tree.branches.last_mut().expect("it was pushed").1;
        }
    }
}

/// Whether a branch can begin a sequence.
fn leads_to(branch: &Label, sequence: &[Label], locals: &mut LocalStates<'_>) -> bool {
    let place = initial(sequence, branch.thread, locals);
    place.is_some_and(|place| match (branch.choice, sequence[place].choice) {
        (Some(own), Some(other)) => own == other,
        _ => true,
    })
}
