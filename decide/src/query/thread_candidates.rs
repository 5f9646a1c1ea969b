//! The processes that can be the threads of a query.

use super::instances::max_instances;
use super::sequences::Sequences;
use crate::locking::can_be_given;
use eml::model::{Model, ProcessId};

/// For each automaton of a property and each of its threads, the candidate processes, in order.
#[derive(Debug)]
pub(super) struct ThreadCandidates(pub(super) Vec<Vec<Vec<ProcessId>>>);

impl ThreadCandidates {
    /// All processes for each thread, or the named ones.
    pub(super) fn any(model: &Model, threads: usize, named: Option<&[ProcessId]>) -> Self {
        let all: Vec<_> = (0..model.processes().len()).map(ProcessId::new).collect();
        let able = match named {
            Some(named) => named.iter().map(|process| vec![*process]).collect(),
            None => vec![all; threads],
        };
        Self(vec![able])
    }

    /// The choices of processes for the threads of one of the automata, each with enough instances. A choice is only
    /// begun if it can be completed.
    pub(super) fn processes(self, model: &Model) -> impl Iterator<Item = Vec<ProcessId>> {
        let length = self.0.first().map_or(0, Vec::len);
        let next = move |chosen: &[ProcessId]| {
            let mut next: Vec<_> = self.0.iter().flat_map(|threads| after(model, threads, chosen)).collect();
            next.sort_unstable();
            next.dedup();
            next
        };
        // A query without automata is never violated, whereas an automaton without threads has one choice.
        Sequences::new(length.max(1), next)
    }
}

/// The processes that can be the next thread of an automaton after the chosen ones.
fn after(model: &Model, threads: &[Vec<ProcessId>], chosen: &[ProcessId]) -> Vec<ProcessId> {
    let place = chosen.len();
    let fits = |(process, able): (&ProcessId, &Vec<ProcessId>)| able.binary_search(process).is_ok();
    if !chosen.iter().zip(threads).all(fits) {
        return Vec::new();
    }
    let (own, later) = (&threads[place], &threads[place + 1..]);
    let is_enough = |next: &&ProcessId| {
        let chosen = chosen.iter().chain([*next]).map(std::slice::from_ref);
        let edges: Vec<&[ProcessId]> = chosen.chain(later.iter().map(Vec::as_slice)).collect();
        can_be_given(&edges, &|process| max_instances(model, process))
    };
    own.iter().filter(is_enough).copied().collect()
}
