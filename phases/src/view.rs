//! The view of an automaton by one thread: its forbidden actions, its own transitions, and the ticks of other threads.
//!
//! A thread that is analyzed alone sees the transitions of the others as ticks that may come at any time. So only two
//! facts matter in each phase: the actions that are forbidden to the thread, and whether the thread takes the
//! transition. Automata that differ only otherwise have the same view, and share one analysis.

use crate::automaton::{Action, Automaton, ForbiddenAction, ThreadParameter};

/// The thread that ends a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn<A = Action> {
    /// The thread itself, by this action.
    Own(A),
    /// Another thread.
    Tick,
}

/// The view of one phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewPhase {
    /// The actions that are forbidden to the thread; sorted, without duplicates.
    pub forbidden: Vec<ForbiddenAction>,
    /// The thread that ends the phase.
    pub turn: Turn,
}

/// The view of all phases.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View(pub Vec<ViewPhase>);

impl Automaton {
    /// Returns the view of the thread of this parameter; for `None`, of a thread that is bound to no parameter.
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
