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

use crate::model::{Model, Operation, ProcedureId, ProcessId};
use crate::query::max_instances;
use rustc_hash::FxHashSet;

/// An instance that takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Participant {
    pub(crate) process: ProcessId,
    /// The place of the participant that starts it; none if it runs from the start.
    pub(crate) creator: Option<usize>,
}

/// The participants: first those bound to the threads of the automaton, in order, then the other creators.
pub(crate) type Cast = Vec<Participant>;

/// All casts for these processes as the threads. Exponential in the number of threads whose processes are started, times
/// the number of chains of creators without repetition.
pub(crate) fn casts(model: &Model, threads: &[ProcessId]) -> Vec<Cast> {
    let cast = threads.iter().map(|process| Participant { process: *process, creator: None }).collect();
    let mut search = Search { model, starters: starters(model), threads: threads.len(), found: Vec::new() };
    search.create(cast, 0);
    search.found
}

/// For each process those in whose bodies, or in functions that they call, it is started; reachable or not.
fn starters(model: &Model) -> Vec<Vec<ProcessId>> {
    let mut starts: Vec<Vec<ProcessId>> = vec![Vec::new(); model.procedures().len()];
    let mut callees: Vec<Vec<ProcedureId>> = vec![Vec::new(); model.procedures().len()];
    for (_, node) in model.nodes() {
        match node.operation {
            Operation::Start(process) => starts[node.procedure.index()].push(process),
            Operation::Call(callee) => callees[node.procedure.index()].push(callee),
            _ => {}
        }
    }
    let mut starters = vec![Vec::new(); model.processes().len()];
    for (index, process) in model.processes().iter().enumerate() {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![process.body()];
        while let Some(procedure) = waiting.pop() {
            if seen.insert(procedure) {
                waiting.extend(&callees[procedure.index()]);
                for started in &starts[procedure.index()] {
                    let known: &mut Vec<ProcessId> = &mut starters[started.index()];
                    if known.last() != Some(&ProcessId::new(index)) {
                        known.push(ProcessId::new(index));
                    }
                }
            }
        }
    }
    starters
}

struct Search<'a> {
    model: &'a Model,
    starters: Vec<Vec<ProcessId>>,
    /// How many participants are bound to threads.
    threads: usize,
    found: Vec<Cast>,
}

impl Search<'_> {
    /// Finds creators for the participants from this place on that need one.
    fn create(&mut self, cast: Cast, place: usize) {
        let needing = (place..cast.len()).filter(|place| self.model.process(cast[*place].process).is_started());
        let needing: Vec<_> = needing.collect();
        // A creator that is needless now is not if it gets a second child, one of the others that still need a creator.
        if self.needless_creators(&cast) > needing.len().saturating_sub(1) {
            return;
        }
        let Some(place) = needing.first().copied() else {
            self.found.extend(self.has_initial_instances(&cast).then_some(cast));
            return;
        };
        let starters = self.starters[cast[place].process.index()].clone();
        for creator in 0..cast.len() {
            if starters.contains(&cast[creator].process) && !descends(&cast, creator, place) {
                let mut next = cast.clone();
                next[place].creator = Some(creator);
                self.create(next, place + 1);
            }
        }
        for process in starters {
            let mut next = cast.clone();
            next[place].creator = Some(cast.len());
            next.push(Participant { process, creator: None });
            self.create(next, place + 1);
        }
    }

    /// How many creators have to get a second child at least, so that no chain of creators with one child each leads from a
    /// process to the same process again.
    fn needless_creators(&self, cast: &Cast) -> usize {
        let repeats = |creator: &usize| {
            std::iter::successors(self.only_child(cast, *creator), |place| self.only_child(cast, *place))
                .any(|place| cast[place].process == cast[*creator].process)
        };
        let repeating: Vec<_> = (self.threads..cast.len()).filter(repeats).map(|place| cast[place].process).collect();
        // Chains between different instances of one process are disjoint, those of different processes may overlap.
        let of_process = |process: &ProcessId| repeating.iter().filter(|other| *other == process).count();
        repeating.iter().map(of_process).max().unwrap_or(0)
    }

    /// The child of a creator that is bound to no thread and has one child.
    fn only_child(&self, cast: &Cast, creator: usize) -> Option<usize> {
        let mut children = (0..cast.len()).filter(|child| cast[*child].creator == Some(creator));
        let only = children.next().filter(|_| creator >= self.threads)?;
        children.next().is_none().then_some(only)
    }

    fn has_initial_instances(&self, cast: &Cast) -> bool {
        let initial = |process| cast.iter().filter(move |one| one.process == process && one.creator.is_none()).count();
        cast.iter()
            .filter(|one| one.creator.is_none())
            .all(|one| initial(one.process) <= max_instances(self.model, one.process).unwrap_or(usize::MAX))
    }
}

/// Whether the participant at `place` is the one at `ancestor` or created by it, directly or not.
fn descends(cast: &Cast, place: usize, ancestor: usize) -> bool {
    std::iter::successors(Some(place), |place| cast[*place].creator).any(|place| place == ancestor)
}
