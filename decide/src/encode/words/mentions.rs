//! The locks whose wanting is mentioned by words.

use super::tree::WordTree;
use super::word::{Allowed, LocalAction, LocalWord};
use eml::model::LockId;
use phases::{ActionKind, ForbiddenAction, LockUse, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// The wanted locks that words mention, in order, each with the held locks that they mention together with it.
///
/// The processes made for the words keep no information about other wanted locks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mentions(Vec<(LockId, Vec<LockId>)>);

impl Mentions {
    /// The locks mentioned by some words.
    pub(crate) fn of_words<'a>(words: impl IntoIterator<Item = &'a LocalWord>) -> Self {
        let mut found = Collector::default();
        for phase in words.into_iter().flat_map(|word| &word.0) {
            found.add_allowed(&phase.allowed);
            if let Turn::Own(LocalAction::Act(action)) = &phase.turn {
                found.add(action);
            }
        }
        found.mentions()
    }

    /// The locks mentioned by the words of a tree.
    pub(crate) fn of_tree(tree: &WordTree) -> Self {
        let mut found = Collector::default();
        for position in tree.positions() {
            if let Some(allowed) = tree.allowed(position) {
                found.add_allowed(allowed);
            }
            for branch in tree.branches(position) {
                if let Turn::Own(LocalAction::Act(action)) = &branch.turn {
                    found.add(action);
                }
            }
        }
        found.mentions()
    }

    /// The held locks that words mention together with this wanted lock; none if they do not mention its wanting.
    pub(crate) fn holding(&self, wanted: LockId) -> Option<&[LockId]> {
        let place = self.0.binary_search_by_key(&wanted, |(lock, _)| *lock).ok()?;
        Some(&self.0[place].1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All wanted and held locks.
    pub(crate) fn locks(&self) -> impl Iterator<Item = LockId> {
        self.0.iter().flat_map(|(wanted, holding)| std::iter::once(*wanted).chain(holding.iter().copied()))
    }
}

#[derive(Default)]
struct Collector(BTreeMap<LockId, BTreeSet<LockId>>);

impl Collector {
    fn add_allowed(&mut self, allowed: &Allowed) {
        let Allowed::AllBut(forbidden) = allowed else { return };
        for one in forbidden {
            match one {
                ForbiddenAction::One(action) => self.add(action),
                ForbiddenAction::Every | ForbiddenAction::Step => {}
            }
        }
    }

    fn add<L>(&mut self, action: &ActionKind<L, LockId>) {
        match action {
            ActionKind::Wants { wanted, holding } => {
                self.0.entry(wanted.lock).or_default().extend(holding.map(|LockUse { lock, .. }| lock));
            }
            ActionKind::Access { .. } | ActionKind::Begin | ActionKind::End => {}
        }
    }

    fn mentions(self) -> Mentions {
        Mentions(self.0.into_iter().map(|(wanted, holding)| (wanted, holding.into_iter().collect())).collect())
    }
}
