//! What is known of each cycle of the lock order after deadlocks were asked for.

use super::query::{QueryRecord, VerdictKind};
use serde::{Deserialize, Serialize};

/// So many safe cycles are kept; those with a deadlock or without an answer all are.
const KEPT: usize = 1000;

/// A cycle of locks, each of which some process can want while it holds the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleRecord {
    /// The names of the locks; a thread that holds the last one wants the first.
    pub locks: Vec<String>,
    /// `violation` if there is a deadlock, `safe` if the cycle cannot close, whichever processes take part.
    pub status: VerdictKind,
    /// How many choices of processes there are, each a query.
    pub queries: usize,
    /// How many of them have a deadlock.
    pub violation: usize,
    /// How many of them were not decided.
    pub unknown: usize,
}

/// All cycles that were asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleRecords {
    /// Cycles, in the order of the declarations of their locks.
    pub cycles: Vec<CycleRecord>,
    /// How many other ones there are, all of them safe.
    pub unlisted: usize,
}

impl CycleRecords {
    /// Adds the answer to a query; those of one cycle come one after the other.
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

    /// Only counts the last cycle if it is safe and there are many.
    fn drop_safe(&mut self) {
        if self.cycles.len() > KEPT && self.cycles.last().is_some_and(|last| last.status == VerdictKind::Safe) {
            self.cycles.pop();
            self.unlisted += 1;
        }
    }
}
