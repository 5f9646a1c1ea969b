//! Deadlocks of one subject: calls that hold a lock of the object and wait for the next one, in a cycle.
//!
//! The models are those of `Firm` with all acquisitions of locks ([`isolate::isolate_for_deadlocks`]). The queries are
//! those of `check --deadlocks` ([`decide::query`]): one for each cycle of the lock order and each choice of calls. A
//! cycle has one finding, that of the first choice with an interleaving; choices of two entries come before those with
//! a thread that runs any entry.
//!
//! Left out are cycles with an internal lock of a concurrent object, whose operations need not wait for each other, and
//! interleavings in which a call only tries to get a lock. Cycles over several objects or several classes are not
//! asked.

use crate::report::{Finding, Undecided};
use decide::answers::QueryRecord;
use decide::query::{Query, Selection};
use decide::witness::{Action, Witness};
use decide::{Error, Options, Reason, Verdict, check};
use eml::model::LockId;
use isolate::{Isolated, Meanings};
use limits::{Deadline, Limits};
use std::collections::BTreeSet;

/// Largest number of locks in a cycle that is asked.
const MOST_LOCKS: usize = 3;

/// Largest number of queries about a model.
const MOST_QUERIES: usize = 2_000;

/// The answers about the deadlocks of a subject.
#[derive(Debug, Default)]
pub struct Deadlocks {
    /// One finding for each cycle of locks.
    pub findings: Vec<Finding>,
    /// Number of asked queries.
    pub queries: usize,
    /// The parts that are not decided.
    pub undecided: Vec<Undecided>,
}

impl Deadlocks {
    /// Adds the answers about a model of a class.
    ///
    /// # Errors
    /// If an engine is at fault.
    pub fn add(
        &mut self,
        class: &str,
        isolated: &Isolated,
        options: &Options,
        (limits, until): (&Limits, Option<Deadline>),
    ) -> Result<(), Error> {
        let limits = || {
            let timeout = limits.timeout.into_iter().chain(until.map(Deadline::left)).min();
            limits.clone().with_since(None).with_timeout(timeout)
        };
        let Ok(asked) = Selection::default().ask_with_deadlocks(&isolated.model, &[]) else { return Ok(()) };
        let Some(mut cycles) = asked.deadlocks(&limits()) else { return Ok(()) };
        let queries: Vec<Query> =
            cycles.by_ref().filter(|query| is_asked(isolated, query)).take(MOST_QUERIES).collect();
        let mut open = cycles.ended().map(|_| Reason::Timeout);
        let of_entries = |query: &&Query| query.processes().iter().all(|process| isolated.entries.contains(process));
        let (first, later): (Vec<&Query>, Vec<&Query>) = queries.iter().partition(of_entries);
        let mut found: BTreeSet<Vec<LockId>> = BTreeSet::new();
        for query in first.into_iter().chain(later) {
            if found.contains(query.locks()) {
                continue;
            }
            if until.is_some_and(Deadline::is_over) {
                open.get_or_insert(Reason::Timeout);
                break;
            }
            let options = options.clone().with_limits(limits());
            let outcome = check(&isolated.model, query, &options)?;
            self.queries += 1;
            if let Verdict::Unknown(reason) = outcome.verdict {
                open.get_or_insert(reason);
            }
            let mut record = QueryRecord::new(&isolated.model, query, &outcome);
            let Some(witness) = record.witness.take().filter(|witness| waits(witness, &isolated.meanings)) else {
                continue;
            };
            found.insert(query.locks().to_vec());
            let calls = calls(&record, &witness, &isolated.meanings);
            let finding = Finding::of_deadlock(class, record, witness, calls, &isolated.meanings);
            if self.findings.iter().all(|known| known.fingerprint != finding.fingerprint) {
                self.findings.push(finding);
            }
        }
        self.undecided.extend(open.map(|reason| Undecided::new(None, reason)));
        Ok(())
    }
}

/// Whether a cycle has locks of Java only, and not too many.
fn is_asked(isolated: &Isolated, query: &Query) -> bool {
    let is_internal = |lock: &LockId| Meanings::is_internal_lock(isolated.model.lock(*lock).name());
    query.locks().len() <= MOST_LOCKS && !query.locks().iter().any(is_internal)
}

/// Whether each thread waits where it wants a lock, and does not only try to get it.
fn waits(witness: &Witness, meanings: &Meanings) -> bool {
    let mut wanted = witness.steps.iter().filter(|step| step.action == Action::Wants && step.event.is_some());
    wanted.all(|step| !meanings.tries.contains(&(step.file.clone().unwrap_or_default(), step.line)))
}

/// The calls of the threads: the entry of each process, or the last entry that a thread called.
fn calls(record: &QueryRecord, witness: &Witness, meanings: &Meanings) -> Vec<String> {
    let call = |(thread, process): (usize, &String)| {
        let called = witness.steps.iter().filter(|step| step.thread == thread && step.action == Action::Call);
        let mut entries = called.filter_map(|step| meanings.processes.get(step.object.as_ref()?));
        match meanings.units.contains_key(process) {
            true => process.clone(),
            false => entries.next_back().unwrap_or(process).clone(),
        }
    };
    record.processes.iter().enumerate().map(call).collect()
}
