//! What an interpretation collects besides states: assumptions, losses of precision, threads, uses of locks.

use super::lock_effects::LockAliases;
use super::worklist::ContextState;
use crate::graph::ContextId;
use crate::value::{Location, Lock, RegionId};
use crate::{Assumption, Coarsening, Stuck};
use java::points_to::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// What the result depends on.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The assumptions used.
    pub(crate) assumptions: BTreeSet<Assumption>,
    /// The places where precision was lost.
    pub(crate) coarsened: BTreeSet<(Coarsening, String)>,
    /// The reason why the first execution was cut off, if one was.
    pub(crate) cut_off: Option<Stuck>,
    /// Locations accessed only because nothing is known about a method.
    pub(crate) guessed: BTreeSet<Location>,
}

/// The contexts that other threads run.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    pub(crate) started: BTreeSet<ContextId>,
    /// For each of them, the lock that represents the single thread of its executor; none if other threads run the
    /// context, too.
    pub(crate) serial: BTreeMap<ContextId, Option<Lock>>,
    /// For each latch that is counted down, the atomics that each thread has set before.
    pub(crate) latches: BTreeMap<Location, BTreeSet<Location>>,
}

/// A wait or release whose object may be a lock that a caller holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnknownUse {
    pub(super) context: ContextId,
    pub(super) kind: LockKind,
    /// The lock that the value is, if the model knows one.
    pub(super) known: Option<Lock>,
    /// The points-to set of the value.
    pub(super) objects: Vec<ObjectId>,
}

/// The kinds of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LockKind {
    Monitor,
    Explicit,
}

/// The uses of semaphores, stamped locks and flags.
#[derive(Debug, Default)]
pub(crate) struct LockUses {
    /// Those that turned out to be no locks: one is released by a thread that does not hold it, or used in another way.
    pub(crate) rejected: BTreeSet<RegionId>,
    /// Semaphores whose permits change in other ways than one by one, and flags with other uses.
    pub(crate) uncounted: BTreeSet<RegionId>,
    /// Flags that are used as spin locks.
    pub(crate) spin_flags: BTreeSet<RegionId>,
    /// Which locks may have been released through aliases.
    pub(crate) aliases: LockAliases,
    /// The waits and releases that may concern locks of callers.
    pub(crate) unknown: BTreeSet<UnknownUse>,
    /// Whether some execution was cut short because locks do not nest.
    pub(crate) stops_at_locks: bool,
}

/// Locations that some method compares and sets.
#[derive(Debug, Default)]
pub(crate) struct CasLocations {
    pub(crate) locations: BTreeSet<Location>,
    /// The states that read or write each location.
    pub(crate) accessors: BTreeMap<Location, BTreeSet<ContextState>>,
}
