//! Local words: what one process has to do in a query, phase by phase; and the tree of the words of many queries.
//!
//! A query asks each process for a path that takes its own transitions in order and lets the others take theirs at any
//! time. All that this depends on is a *local word*: per phase, what the process must not do and whether it is the one
//! that ends the phase. Words that begin alike are solved together, as paths in one tree; a position of the tree is a
//! phase of at least one word, so it serves as control state of the product.

use crate::model::{LocationId, ProcessId};
use phases::{ActionKind, ForbiddenAction, Turn};

/// What a process does to end a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LocalAction {
    /// An action of the automaton.
    Act(ActionKind<LocationId>),
    /// It starts an instance of the process, one that takes part.
    Start(ProcessId),
}

/// What a process may do while a phase lasts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Conduct {
    /// Nothing: it has not been started yet.
    Absent,
    /// Everything but this.
    Forbidden(Vec<ForbiddenAction<ActionKind<LocationId>>>),
}

impl Conduct {
    /// Whether a step is allowed: an action that automata can see, or, for `None`, any other.
    pub(crate) fn allows(&self, performed: Option<&ActionKind<LocationId>>) -> bool {
        match self {
            Self::Absent => false,
            Self::Forbidden(actions) => performed.is_none_or(|performed| {
                actions.iter().all(|action| match action {
                    ForbiddenAction::Every => false,
                    ForbiddenAction::One(action) => !action.means(performed),
                })
            }),
        }
    }

    /// Whether the action is not allowed.
    pub(crate) fn forbids(&self, performed: &ActionKind<LocationId>) -> bool {
        !self.allows(Some(performed))
    }
}

/// One phase of a local word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalPhase {
    pub(crate) conduct: Conduct,
    pub(crate) turn: Turn<LocalAction>,
}

/// The part of one process in a query: all phases but the accepting state, in which nothing has to happen any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalWord(pub(crate) Vec<LocalPhase>);

impl LocalWord {
    /// How many phases there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A phase of the words of a tree that agree up to it; or the end of a word that the process itself ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position(u32);

impl Position {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 positions"))
    }
}

#[derive(Clone, Debug)]
struct Phase {
    /// `None` at the end of a word.
    conduct: Option<Conduct>,
    /// How many phases come before this one; at the end of a word, how many there were but one, since the last phase's
    /// history goes on (see `Product`).
    depth: usize,
    children: Vec<(Turn<LocalAction>, Position)>,
}

/// The words of many queries for one process, joined where they begin alike.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordTree {
    phases: Vec<Phase>,
    roots: Vec<Position>,
}

impl WordTree {
    /// Adds a word, unless it is there; gives the positions of its phases and, if the process itself ends the last
    /// phase, the end. Linear in the word's length times the number of branches.
    pub(crate) fn insert(&mut self, word: &LocalWord) -> Vec<Position> {
        let mut path: Vec<Position> = Vec::with_capacity(word.len() + 1);
        let mut before: Option<&LocalPhase> = None;
        for (depth, phase) in word.0.iter().enumerate() {
            let turn = before.map(|before| before.turn);
            path.push(self.child(path.last().copied(), turn, Some(&phase.conduct), depth));
            before = Some(phase);
        }
        if let Some(turn @ Turn::Own(_)) = before.map(|last| last.turn) {
            path.push(self.child(path.last().copied(), Some(turn), None, word.len() - 1));
        }
        path
    }

    fn child(
        &mut self,
        parent: Option<Position>,
        turn: Option<Turn<LocalAction>>,
        conduct: Option<&Conduct>,
        depth: usize,
    ) -> Position {
        let same = |position: &Position| self.phases[position.index()].conduct.as_ref() == conduct;
        let found = match (parent, turn) {
            (Some(parent), Some(turn)) => {
                let children = &self.phases[parent.index()].children;
                children.iter().find(|(own, child)| *own == turn && same(child)).map(|(_, child)| *child)
            }
            _ => self.roots.iter().copied().find(|root| same(root)),
        };
        found.unwrap_or_else(|| {
            let position = Position::new(self.phases.len());
            self.phases.push(Phase { conduct: conduct.cloned(), depth, children: Vec::new() });
            match (parent, turn) {
                (Some(parent), Some(turn)) => self.phases[parent.index()].children.push((turn, position)),
                _ => self.roots.push(position),
            }
            position
        })
    }

    /// The first phases of the words.
    pub(crate) fn roots(&self) -> &[Position] {
        &self.roots
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.phases.len()
    }

    /// What the process may do in this phase; `None` at the end of a word.
    pub(crate) fn conduct(&self, position: Position) -> Option<&Conduct> {
        self.phases[position.index()].conduct.as_ref()
    }

    /// Whether the performed action is not allowed in this phase.
    pub(crate) fn forbids(&self, position: Position, performed: &ActionKind<LocationId>) -> bool {
        self.conduct(position).is_none_or(|conduct| conduct.forbids(performed))
    }

    /// The number of the phase, from 0; at the end of a word that of its last phase.
    pub(crate) fn depth(&self, position: Position) -> usize {
        self.phases[position.index()].depth
    }

    /// What can end this phase and where that leads.
    pub(crate) fn children(&self, position: Position) -> &[(Turn<LocalAction>, Position)] {
        &self.phases[position.index()].children
    }

    /// Every position.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> + use<> {
        (0..self.phases.len()).map(Position::new)
    }
}
