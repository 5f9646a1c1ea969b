//! Who takes part in a query: the processes bound to its threads, and those that are needed to start them.
//!
//! A thread whose process is started by `start` needs a creator, which needs one itself unless it runs from the start: the
//! participants form a forest. Which process a creator is an instance of, and which threads share one, is not
//! determined by the query, so all forests are asked. That they are finitely many follows from an exchange: let a creator
//! `c` that is bound to no thread have one child only, and let a participant `d` of the same process be reached from `c`
//! through such creators alone. Then whoever starts `c` can start `d` instead, which waits until it is needed: fewer
//! processes contend for locks, and `d` has nothing to wait for. So forests with such a pair are left out.
//!
//! All other processes only restrict these and are left out as well.

use super::start_graph::StartGraph;
use crate::limits::{Meter, StopReason};
use crate::model::ProcessId;
use crate::query::max_instances;
use std::sync::Arc;

/// An instance that takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Participant {
    pub(crate) process: ProcessId,
    /// The place of the participant that starts it; none if it runs from the start.
    pub(crate) creator: Option<usize>,
}

/// The participants: first those bound to the threads of the automaton, in order, then the other creators.
pub(crate) type Participants = Vec<Participant>;

/// All forests for the threads of a query, one after the other. Exponentially many in the number of threads whose processes are
/// started, times the number of chains of creators without repetition.
#[derive(Clone, Debug)]
pub(crate) struct Forests<'m> {
    graph: Arc<StartGraph<'m>>,
    /// How many participants are bound to threads.
    threads: usize,
    /// Forests that are not complete, each with the place from which on participants may need a creator.
    open: Vec<(Participants, usize)>,
}

impl<'m> Forests<'m> {
    pub(crate) fn new(graph: Arc<StartGraph<'m>>, threads: &[ProcessId]) -> Self {
        let participants = threads.iter().map(|process| Participant { process: *process, creator: None }).collect();
        Self { graph, threads: threads.len(), open: vec![(participants, 0)] }
    }

    /// The next one; none if there are no more.
    pub(crate) fn next(&mut self, meter: &Meter) -> Result<Option<Participants>, StopReason> {
        while let Some((participants, place)) = self.open.pop() {
            meter.work_of(1 + participants.len() * participants.len())?;
            if let Some(complete) = self.extend(participants, place) {
                return Ok(Some(complete));
            }
        }
        Ok(None)
    }

    /// Finds creators for the first participant from this place on that needs one; gives the forest back if there is none.
    fn extend(&mut self, participants: Participants, place: usize) -> Option<Participants> {
        let model = self.graph.model();
        let needing =
            (place..participants.len()).filter(|place| model.process(participants[*place].process).is_started());
        let needing: Vec<_> = needing.collect();
        // A creator that is needless now is not if it gets a second child, one of the others that still need a creator.
        if self.needless_creators(&participants) > needing.len().saturating_sub(1) {
            return None;
        }
        let Some(place) = needing.first().copied() else {
            return self.has_initial_instances(&participants).then_some(participants);
        };
        let starters = self.graph.starters(participants[place].process);
        let mut next = Vec::new();
        for creator in 0..participants.len() {
            if starters.contains(&participants[creator].process) && !descends(&participants, creator, place) {
                let mut with = participants.clone();
                with[place].creator = Some(creator);
                next.push((with, place + 1));
            }
        }
        for process in starters {
            let mut with = participants.clone();
            with[place].creator = Some(participants.len());
            with.push(Participant { process: *process, creator: None });
            next.push((with, place + 1));
        }
        // The first is taken first.
        self.open.extend(next.into_iter().rev());
        None
    }

    /// How many creators have to get a second child at least, so that no chain of creators with one child each leads from a
    /// process to the same process again.
    fn needless_creators(&self, participants: &Participants) -> usize {
        let repeats = |creator: &usize| {
            std::iter::successors(self.only_child(participants, *creator), |place| {
                self.only_child(participants, *place)
            })
            .any(|place| participants[place].process == participants[*creator].process)
        };
        let repeating: Vec<_> =
            (self.threads..participants.len()).filter(repeats).map(|place| participants[place].process).collect();
        // Chains between different instances of one process are disjoint, those of different processes may overlap.
        let of_process = |process: &ProcessId| repeating.iter().filter(|other| *other == process).count();
        repeating.iter().map(of_process).max().unwrap_or(0)
    }

    /// The child of a creator that is bound to no thread and has one child.
    fn only_child(&self, participants: &Participants, creator: usize) -> Option<usize> {
        let mut children = (0..participants.len()).filter(|child| participants[*child].creator == Some(creator));
        let only = children.next().filter(|_| creator >= self.threads)?;
        children.next().is_none().then_some(only)
    }

    fn has_initial_instances(&self, participants: &Participants) -> bool {
        let initial =
            |process| participants.iter().filter(move |one| one.process == process && one.creator.is_none()).count();
        participants
            .iter()
            .filter(|one| one.creator.is_none())
            .all(|one| initial(one.process) <= max_instances(self.graph.model(), one.process).unwrap_or(usize::MAX))
    }
}

/// Whether the participant at `place` is the one at `ancestor` or created by it, directly or not.
fn descends(participants: &Participants, place: usize, ancestor: usize) -> bool {
    std::iter::successors(Some(place), |place| participants[*place].creator).any(|place| place == ancestor)
}
