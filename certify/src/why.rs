//! The reason why a claim holds.
//!
//! A single lock suffices if the claim is proved with this lock alone, whatever other locks the model has. If no single
//! lock does, the locks of the proof are a set of which none can be left out.

use crate::cases::Case;
use crate::clauses::Clause;
use crate::instructions::Lock;
use crate::proof::{Budget, Proof, Prover};
use crate::unproved::Unproved;
use limits::Meter;
use std::collections::BTreeSet;

/// The reason why a query is safe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The process of this event, from 1, has no statement that performs it.
    Never {
        /// The number of the event.
        event: usize,
    },
    /// Without any lock, this thread, from 1, has no path with its events in their order.
    NoPath {
        /// The number of the thread.
        thread: usize,
    },
    /// Each of these sets of locks suffices, and none of them has a lock too many. All locks that suffice alone, or one
    /// set of several.
    Locks(Vec<Vec<String>>),
    /// The order of starts, together with these locks, which may be none.
    Starts(Vec<String>),
}

/// The reason for all cases of a claim together.
pub(crate) fn why(prover: &mut Prover, cases: &[Case], meter: &Meter) -> Result<Why, Unproved> {
    let open: Vec<_> = cases.iter().filter(|case| case.absent_event(&prover.calls).is_none()).cloned().collect();
    if open.is_empty() {
        let event = cases.first().and_then(|case| case.absent_event(&prover.calls)).unwrap_or_default();
        return Ok(Why::Never { event: event + 1 });
    }
    let mut budget = Budget::new(meter);
    let named: BTreeSet<Lock> = open.iter().flat_map(Case::named_locks).collect();
    if let Some(thread) = without_locks(prover, &open, &named, &mut budget)? {
        return Ok(Why::NoPath { thread: thread + 1 });
    }
    let useful: BTreeSet<Lock> = open.iter().flat_map(|case| case.refuting_locks(&prover.calls)).collect();
    let mut single = Vec::new();
    for lock in useful {
        let locks: Vec<_> = named.iter().copied().chain([lock]).collect::<BTreeSet<_>>().into_iter().collect();
        if suffices(prover, &open, &locks, &mut budget)? {
            single.push(vec![name(prover, lock)]);
        }
    }
    if !single.is_empty() {
        return Ok(Why::Locks(single));
    }
    let proofs = open.iter().map(|case| prover.prove(case, meter)).collect::<Result<Vec<_>, _>>()?;
    let (mut locks, mut has_start) = (BTreeSet::new(), false);
    proofs.iter().for_each(|proof| collect(proof, &mut locks, &mut has_start));
    let locks = locks.into_iter().map(|lock| name(prover, lock)).collect();
    Ok(if has_start { Why::Starts(locks) } else { Why::Locks(vec![locks]) })
}

/// Whether these locks refute all cases.
fn suffices(prover: &mut Prover, cases: &[Case], locks: &[Lock], budget: &mut Budget<'_>) -> Result<bool, Unproved> {
    for case in cases {
        if prover.refute_with(case, locks, budget)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A thread of the first case that has no path, if all cases have such a thread without locks but the named ones.
fn without_locks(
    prover: &mut Prover,
    cases: &[Case],
    named: &BTreeSet<Lock>,
    budget: &mut Budget<'_>,
) -> Result<Option<usize>, Unproved> {
    let named: Vec<_> = named.iter().copied().collect();
    let mut found = None;
    for case in cases {
        let Some(Proof::Refuted { invariants, .. }) = prover.refute_with(case, &named, budget)? else {
            return Ok(None);
        };
        let is_empty = |id: &_| prover.table(*id).is_some_and(|table| table.end_count() == 0);
        let Some(thread) = invariants.iter().position(is_empty) else { return Ok(None) };
        found.get_or_insert(thread);
    }
    Ok(found)
}

fn name(prover: &Prover, lock: Lock) -> String {
    prover.code.names.lock_name(lock).to_string()
}

/// Collects the locks of the clauses of a proof. The depth of proofs is bounded.
fn collect(proof: &Proof, locks: &mut BTreeSet<Lock>, has_start: &mut bool) {
    match proof {
        Proof::Absent(_) => {}
        Proof::Refuted { clauses, .. } => locks.extend(clauses.iter().flat_map(Clause::locks)),
        Proof::Start { cases, .. } => {
            *has_start = true;
            cases.iter().for_each(|case| collect(case, locks, has_start));
        }
    }
}
