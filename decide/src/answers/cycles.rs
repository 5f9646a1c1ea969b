//! The results for the cycles of the lock order, from the answers to queries about deadlocks.

use super::query::{QueryRecord, VerdictKind};
use serde::{Deserialize, Serialize};

/// Number of listed cycles from which on safe ones are only counted. All others are listed.
const KEPT: usize = 1000;

/// A cycle of locks: for each of them, some process can wait for it while it holds the lock before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleRecord {
    /// The names of the locks; a thread that holds the last one waits for the first.
    pub locks: Vec<String>,
    /// `violation` if there is a deadlock, `safe` if no choice of processes has one, `unknown` otherwise.
    pub status: VerdictKind,
    /// Number of choices of processes; each choice is a query.
    pub queries: usize,
    /// Number of choices with a deadlock.
    pub violation: usize,
    /// Number of choices that were not decided.
    pub unknown: usize,
}

/// All cycles of the queries about deadlocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleRecords {
    /// The listed cycles, in the order in which their locks are declared.
    pub cycles: Vec<CycleRecord>,
    /// Number of cycles that are not listed; all of them are safe.
    pub unlisted: usize,
}

impl CycleRecords {
    /// Adds the answer to a query. The answers of one cycle have to be added one after the other.
    pub(super) fn add(&mut self, record: &QueryRecord) {
        if self.cycles.last().is_none_or(|last| last.locks != record.locks) {
            self.drop_safe();
            let locks = record.locks.clone();
            self.cycles.push(CycleRecord { locks, status: VerdictKind::Safe, queries: 0, violation: 0, unknown: 0 });
        }
        let Some(cycle) = self.cycles.last_mut() else { return };
        cycle.queries += 1;
        cycle.violation += usize::from(record.verdict == VerdictKind::Violation);
        cycle.unknown += usize::from(record.verdict == VerdictKind::Unknown);
        cycle.status = match (cycle.violation, cycle.unknown) {
            (0, 0) => VerdictKind::Safe,
            (0, _) => VerdictKind::Unknown,
            _ => VerdictKind::Violation,
        };
    }

    /// Removes the last cycle, and only counts it, if it is safe and more than [`KEPT`] cycles are listed.
    fn drop_safe(&mut self) {
        if self.cycles.len() > KEPT && self.cycles.last().is_some_and(|last| last.status == VerdictKind::Safe) {
            self.cycles.pop();
            self.unlisted += 1;
        }
    }
}
