//! One thread's view of an automaton: which of its own actions matter, and when the others move on.
//!
//! A thread that is analyzed alone sees the transitions of the others as ticks that may come at any time. So all that
//! matters of an automaton is, phase by phase, what the thread must not do and whether it is the one to act; automata
//! that differ only elsewhere have the same view, and their analysis can be shared.

use crate::automaton::{Action, Automaton, ForbiddenAction, ThreadParameter};

/// Who ends a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn<A = Action> {
    /// The thread itself, by this action.
    Own(A),
    /// Another thread.
    Tick,
}

/// One phase as a thread sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewPhase {
    /// What the thread must not do; sorted, without repetition.
    pub forbidden: Vec<ForbiddenAction>,
    /// Who ends the phase.
    pub turn: Turn,
}

/// All phases as a thread sees them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View(pub Vec<ViewPhase>);

impl Automaton {
    /// What the thread of this parameter sees; for `None`, a thread that is bound to no parameter.
    pub fn view(&self, thread: Option<ThreadParameter>) -> View {
        let phases = self.phases.iter().map(|phase| {
            let own = phase.forbidden.iter().filter(|one| one.thread.is_none() || one.thread == thread);
            let mut forbidden: Vec<_> = own.map(|one| one.action).collect();
            forbidden.sort_unstable();
            forbidden.dedup();
            let turn = if Some(phase.event.thread) == thread { Turn::Own(phase.event.action) } else { Turn::Tick };
            ViewPhase { forbidden, turn }
        });
        View(phases.collect())
    }
}
