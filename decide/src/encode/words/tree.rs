//! The words of many queries for one process, as a tree of common prefixes.
//!
//! A position of the tree is a phase of at least one word, so it serves as control state of the product. Words that
//! differ only in the locations of the accesses that end phases share their positions. The location is part of the
//! weight instead, and each query selects its own location there (see `diagram`). A step to a position is made for
//! every location that some word of the position has.

use super::word::{Allowed, LocalAction, LocalWord, means};
use crate::encode::flow::{Instants, Label};
use eml::model::LocationId;
use phases::{ActionKind, Turn};

/// A phase of the words that agree up to it, or the end of words whose process ends their last phase itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position(u32);

impl Position {
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 positions"))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The step from a position to the next one.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) turn: Turn<LocalAction<()>>,
    /// The locations of the words, if the step is an access; sorted.
    locations: Vec<LocationId>,
    pub(crate) target: Position,
}

impl Branch {
    /// Whether an edge with this label, in a process with these instants, takes this step.
    pub(crate) fn takes(&self, label: &Label, instants: &Instants) -> bool {
        match (&self.turn, label) {
            (Turn::Own(LocalAction::Act(ActionKind::Wants { wanted, holding })), Label::Wants(id)) => {
                means(*wanted, *holding, instants.get(*id))
            }
            (Turn::Own(LocalAction::Act(wanted)), Label::Act(performed)) => {
                let location = performed.location().is_none_or(|at| self.locations.binary_search(&at).is_ok());
                location && wanted.means(&performed.map_location(|_| ()))
            }
            (Turn::Own(LocalAction::Start(wanted)), Label::Start(started)) => wanted == started,
            _ => false,
        }
    }
}

/// A phase that ticks alone lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickTarget {
    pub(crate) position: Position,
    /// The number of ticks.
    pub(crate) ticks: usize,
    /// The index, in the list, of the phase before the last tick; the own index for the first.
    pub(crate) from: usize,
}

#[derive(Clone, Debug)]
struct Phase {
    /// The allowed steps; `None` at the end of words.
    allowed: Option<Allowed>,
    /// The number of phases before this one.
    depth: usize,
    /// Whether a tick leads to it.
    is_after_tick: bool,
    /// Whether a path that completes some word may stop here.
    is_stop: bool,
    branches: Vec<Branch>,
}

/// The words of many queries for one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordTree {
    phases: Vec<Phase>,
    roots: Vec<Position>,
    /// See [`WordTree::acts_where_stopped`].
    acts_where_stopped: bool,
}

impl WordTree {
    /// Adds a word. Returns the positions of its phases and, if the process ends the last phase itself, the end. Linear
    /// in the length of the word times the number of branches.
    pub(crate) fn insert(&mut self, word: &LocalWord) -> Vec<Position> {
        self.acts_where_stopped |= word.0.iter().any(|phase| phase.allowed.stops() && phase.turn != Turn::Tick);
        let mut path: Vec<Position> = Vec::with_capacity(word.len() + 1);
        for (depth, phase) in word.0.iter().enumerate() {
            let position = match path.last() {
                None => self.root(&phase.allowed),
                Some(before) => self.branch(*before, &word.0[depth - 1].turn, Some(&phase.allowed)),
            };
            path.push(position);
        }
        if let Some((turn @ Turn::Own(_), last)) = word.0.last().map(|last| last.turn).zip(path.last()) {
            path.push(self.branch(*last, &turn, None));
        }
        for stop in &path[word.own_phases()..] {
            self.phases[stop.index()].is_stop = true;
        }
        path
    }

    fn root(&mut self, allowed: &Allowed) -> Position {
        let found = self.roots.iter().find(|root| self.phases[root.index()].allowed.as_ref() == Some(allowed));
        found.copied().unwrap_or_else(|| {
            let root = self.add(Some(allowed), 0, false);
            self.roots.push(root);
            root
        })
    }

    fn branch(&mut self, from: Position, turn: &Turn<LocalAction>, allowed: Option<&Allowed>) -> Position {
        let (kind, location) = match turn {
            Turn::Own(action) => (Turn::Own(action.kind()), action.location()),
            Turn::Tick => (Turn::Tick, None),
        };
        let leads =
            |branch: &Branch| branch.turn == kind && self.phases[branch.target.index()].allowed.as_ref() == allowed;
        let found = self.phases[from.index()].branches.iter().position(leads);
        let place = found.unwrap_or_else(|| {
            let target = self.add(allowed, self.depth(from) + 1, kind == Turn::Tick);
            let branches = &mut self.phases[from.index()].branches;
            branches.push(Branch { turn: kind, locations: Vec::new(), target });
            branches.len() - 1
        });
        let branch = &mut self.phases[from.index()].branches[place];
        if let Some((location, place)) = location.and_then(|at| Some((at, branch.locations.binary_search(&at).err()?)))
        {
            branch.locations.insert(place, location);
        }
        branch.target
    }

    fn add(&mut self, allowed: Option<&Allowed>, depth: usize, is_after_tick: bool) -> Position {
        self.phases.push(Phase {
            allowed: allowed.cloned(),
            depth,
            is_after_tick,
            is_stop: false,
            branches: Vec::new(),
        });
        Position::new(self.phases.len() - 1)
    }

    /// The first phases of the words.
    pub(crate) fn roots(&self) -> &[Position] {
        &self.roots
    }

    /// The allowed steps of the process in this phase; `None` at the end of words.
    pub(crate) fn allowed(&self, position: Position) -> Option<&Allowed> {
        self.phases[position.index()].allowed.as_ref()
    }

    /// Whether the phase allows a step along an edge with this label, in a process with these instants.
    pub(crate) fn allows(&self, position: Position, label: &Label, instants: &Instants) -> bool {
        self.allowed(position).is_some_and(|allowed| allowed.allows_label(label, instants))
    }

    /// Whether some word has a phase that forbids the process all steps but is ended by a step of the process. In all
    /// other phases that forbid all steps nothing happens, not even at their end.
    pub(crate) fn acts_where_stopped(&self) -> bool {
        self.acts_where_stopped
    }

    /// The greatest number of transitions that a word has of the process.
    pub(crate) fn most_own_transitions(&self) -> usize {
        let mut made = vec![0; self.phases.len()];
        // Branches lead to later positions.
        for (index, phase) in self.phases.iter().enumerate() {
            for branch in &phase.branches {
                made[branch.target.index()] = made[index] + usize::from(branch.turn != Turn::Tick);
            }
        }
        made.into_iter().max().unwrap_or(0)
    }

    /// The number of phases before this one.
    pub(crate) fn depth(&self, position: Position) -> usize {
        self.phases[position.index()].depth
    }

    /// Whether a path that completes some word may stop in this position: the process has taken all its own
    /// transitions.
    pub(crate) fn is_stop(&self, position: Position) -> bool {
        self.phases[position.index()].is_stop
    }

    /// Whether a tick leads to this position, rather than a step of the process or nothing.
    pub(crate) fn is_after_tick(&self, position: Position) -> bool {
        self.phases[position.index()].is_after_tick
    }

    /// The steps that can end this phase, with their targets.
    pub(crate) fn branches(&self, position: Position) -> &[Branch] {
        &self.phases[position.index()].branches
    }

    /// Whether the process has no transition of its own from this phase on.
    pub(crate) fn is_idle(&self, position: Position) -> bool {
        let idles = |branch: &Branch| branch.turn == Turn::Tick && self.is_idle(branch.target);
        self.branches(position).iter().all(idles)
    }

    /// The phases that ticks alone lead to, this phase first. Each comes after its predecessor.
    pub(crate) fn by_ticks(&self, position: Position) -> Vec<TickTarget> {
        let mut all = vec![TickTarget { position, ticks: 0, from: 0 }];
        let mut next = 0;
        while let Some(TickTarget { position, ticks, .. }) = all.get(next).copied() {
            let ticking = self.branches(position).iter().filter(|branch| branch.turn == Turn::Tick);
            all.extend(ticking.map(|branch| TickTarget { position: branch.target, ticks: ticks + 1, from: next }));
            next += 1;
        }
        all
    }

    /// Every position.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> + use<> {
        (0..self.phases.len()).map(Position::new)
    }

    /// Whether the label matters to the words: some word takes a step along edges with this label, or forbids them in a
    /// phase that does not forbid all steps.
    pub(crate) fn mentions(&self, label: &Label, instants: &Instants) -> bool {
        self.positions().any(|position| {
            let takes = self.branches(position).iter().any(|branch| branch.takes(label, instants));
            let allows = |label| self.allows(position, label, instants);
            takes || (allows(&Label::Plain) && !allows(label))
        })
    }
}
