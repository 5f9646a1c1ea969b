//! The locks that protect locations.
//!
//! **Definition.** A lock protects a location if it is held at every access to it, by every process that can run: in
//! write mode at writes, in any mode at reads. **Then there is no race:** a thread that has just written the location,
//! and has not moved since, holds the lock in write mode. No other thread holds it then in any mode, so no other thread
//! is at an access.
//!
//! The accesses are those in all clones that a process can reach alone ([`walk`](super::walk)), so none is left out. A
//! lock counts as held at an access if it is held there in every clone.

use super::walk::{Facts, Topic, walk_all};
use eml::model::{LocationId, LockId, Mode, Model, ProcessId};
use limits::{Meter, StopReason};
use phases::Access;
use std::collections::BTreeMap;

/// The processes that access a location, and the locks that protect it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protected {
    /// The processes that write it, and those that read it, in order.
    pub(crate) writers: Vec<ProcessId>,
    pub(crate) readers: Vec<ProcessId>,
    /// The locks that protect it.
    pub(crate) locks: Vec<LockId>,
}

/// For each accessed location, the locks held at all writes and at all reads, in the weakest modes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Protection {
    /// At reads and at writes; none if there is no such access.
    held: BTreeMap<LocationId, [Option<BTreeMap<LockId, Mode>>; 2]>,
    processes: BTreeMap<LocationId, Protected>,
}

impl Protection {
    /// The protection by all processes that can run.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, meter: &Meter) -> Result<Self, StopReason> {
        let mut protection = Self::default();
        for facts in walk_all(model, Topic::Accesses, meter) {
            let (process, facts) = facts?;
            protection.add(process, &facts);
        }
        Ok(protection)
    }

    /// Adds the facts of a process that can run; processes come in order.
    fn add(&mut self, process: ProcessId, facts: &Facts) {
        for ((location, access), held) in &facts.accesses {
            let own = &mut self.held.entry(*location).or_default()[*access as usize];
            match own {
                None => *own = Some(held.clone()),
                Some(own) => own.retain(|lock, mode| {
                    let other = held.get(lock);
                    *mode = (*mode).min(other.copied().unwrap_or(*mode));
                    other.is_some()
                }),
            }
            let protected = self.processes.entry(*location).or_default();
            match access {
                Access::Read => protected.readers.push(process),
                Access::Write => protected.writers.push(process),
            }
        }
    }

    /// The accesses and the protection of a location.
    pub(crate) fn of(&self, location: LocationId) -> Protected {
        let Some([reads, writes]) = self.held.get(&location) else { return Protected::default() };
        // At reads the lock may be held in any mode, so the candidates are the locks held at reads.
        let protects =
            |lock: &LockId| writes.as_ref().is_none_or(|held| held.get(lock).is_some_and(|mode| *mode == Mode::Write));
        let some = reads.as_ref().or(writes.as_ref());
        let locks = some.into_iter().flat_map(BTreeMap::keys).copied().filter(protects).collect();
        Protected { locks, ..self.processes.get(&location).cloned().unwrap_or_default() }
    }
}
