//! The encoder: from a query to its scenarios, and from a participant of a scenario to a reduced or solved process.
//!
//! Every engine except `interleave` takes these steps, for one scenario after the other, each within the limits of a
//! meter:
//!
//! 1. [`Encoder::scenarios`]: the participants, and the local word of each;
//! 2. [`Encoder::arrangement`]: the locks that matter in a scenario;
//! 3. [`Encoder::reduce`]: a process without reentrancy and with these locks only, reduced for its words;
//! 4. [`Encoder::solve`]: the same, saturated together with the words over a semiring of lock histories.

use super::clone::{ClonedProcess, clone_process};
use super::locks::{Arrangement, ContendedLocks, LockSlots, ProcessLocks, Variant};
use super::participants::{ForestCache, UnaidedStarts};
use super::reduce::ReducedProcess;
use super::scenario::{Scenario, Scenarios};
use super::solve::Solved;
use super::weights::{LockWeights, Matrices};
use super::words::{Mentions, WordTree};
use crate::query::Query;
use crate::reductions::{Reduction, Reductions};
use eml::model::{LockId, Model};
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Weak};

/// The data from which a process without reentrancy is made; the number of transitions bounds recursion.
type Clones = (Variant, ContendedLocks, Arc<Mentions>, Option<usize>);

/// Encodes queries about a model.
#[derive(Debug)]
pub(crate) struct Encoder<'m> {
    model: &'m Model,
    reductions: Reductions,
    unaided_starts: Arc<UnaidedStarts<'m>>,
    forests: ForestCache<'m>,
    /// Processes without reentrancy, as long as they are in use.
    cloned: FxHashMap<Clones, Weak<ClonedProcess>>,
}

impl<'m> Encoder<'m> {
    /// An encoder with these reductions. Linear in the size of the model times the number of processes.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &'m Model, reductions: Reductions, meter: &Meter) -> Result<Self, StopReason> {
        let unaided_starts = Arc::new(UnaidedStarts::new(model, meter)?);
        let (forests, cloned) = (ForestCache::default(), FxHashMap::default());
        Ok(Self { model, reductions, unaided_starts, forests, cloned })
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    /// The instances that processes start without help.
    pub(crate) fn unaided_starts(&self) -> &UnaidedStarts<'m> {
        &self.unaided_starts
    }

    fn process_locks(&self) -> &ProcessLocks {
        self.unaided_starts.graph().process_locks()
    }

    /// All scenarios of a query, made one at a time.
    pub(crate) fn scenarios(&self, query: &Query) -> Scenarios<'m> {
        Scenarios::new(&self.unaided_starts, &self.forests, query, self.reductions)
    }

    /// The locks that matter in a scenario, except some, with the participants' numbers among their readers; none if a
    /// participant has more slots of locks than a [`LockSet`](lockhist::LockSet) has room for.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn arrangement(
        &self,
        scenario: &Scenario,
        without: &[LockId],
        meter: &Meter,
    ) -> Result<Option<Arrangement>, StopReason> {
        let processes: Vec<_> = scenario.participants.iter().map(|participant| participant.process).collect();
        let participants = (&processes[..], &scenario.words[..]);
        Arrangement::new(self.model, self.process_locks(), participants, without, self.reductions, meter)
    }

    /// A process with these locks, reduced for the words of a tree.
    ///
    /// # Errors
    /// If a limit is reached. It also stops with [`StopReason::Memory`] if the process has too many slots of locks: the
    /// words of several scenarios may have too many together, even if each scenario has an arrangement.
    pub(crate) fn reduce(
        &mut self,
        variant: &Variant,
        locks: &ContendedLocks,
        tree: &WordTree,
        meter: &Meter,
    ) -> Result<ReducedProcess, StopReason> {
        let mentions = Arc::new(Mentions::of_tree(tree));
        let transitions = self.reductions.has(Reduction::Recursion).then(|| tree.most_own_transitions());
        let process_locks = self.unaided_starts.graph().process_locks();
        let cloned = self.cloned.entry((variant.clone(), locks.clone(), mentions.clone(), transitions)).or_default();
        let original = match cloned.upgrade() {
            Some(known) => known,
            None => {
                let slots = LockSlots::new(self.model, process_locks, variant, locks, mentions);
                let slots = slots.ok_or(StopReason::Memory)?;
                let new = Arc::new(clone_process(self.model, variant.process, &slots, transitions, meter)?);
                *cloned = Arc::downgrade(&new);
                new
            }
        };
        ReducedProcess::new(original, tree, self.reductions, meter)
    }

    /// The weights of all paths of a process for the words of a tree.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn solve<S: LockWeights>(
        &mut self,
        semiring: &mut Matrices<S>,
        variant: &Variant,
        locks: &ContendedLocks,
        tree: &Arc<WordTree>,
        meter: &Meter,
    ) -> Result<Solved<S>, StopReason>
    where
        S::Weight: Copy + Ord + Hash + Debug,
    {
        let reduced = self.reduce(variant, locks, tree, meter)?;
        Solved::new(semiring, reduced, tree.clone(), self.reductions, meter)
    }
}
