//! The input of the construction of a model.

use super::super::context::MethodContext;
use super::super::ids::ContextId;
use super::super::purpose::Purpose;
use super::super::units::{Role, Units};
use crate::value::{AliasId, Location, RegionId};
use java::{ClassId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The input of the construction of a model.
pub(crate) struct Input<'a> {
    pub(crate) program: &'a Program,
    /// The subject's class.
    pub(crate) class: ClassId,
    /// The contexts, after [`reduce`](super::super::reduce()).
    pub(crate) contexts: &'a [MethodContext],
    /// The roles by context.
    pub(crate) roles: &'a [Role],
    pub(crate) naming: &'a dyn Naming,
    /// The assumptions of a proof, as texts.
    pub(crate) assumptions: BTreeSet<String>,
    /// The number of precision losses, by their kind as text.
    pub(crate) coarse: BTreeMap<&'static str, usize>,
    pub(crate) units: Units,
    /// Whether the locks overlap instead of nesting.
    pub(crate) overlaps: bool,
    /// The steps for which contexts are in the model.
    pub(crate) purpose: Purpose,
    /// Maximal number of nodes that inlining copies.
    pub(crate) most_copied: usize,
    /// Whether contexts that are too large for the model are omitted.
    pub(crate) is_cut_short: bool,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

/// Names of objects and locations.
pub(crate) trait Naming {
    /// Returns the short name of an object: `this`, `this.list`.
    fn region(&self, region: RegionId) -> String;
    /// Returns the short name of the objects of an alias class: `this`, `this.cells[]`.
    fn alias(&self, alias: AliasId) -> String;
    /// Whether a thread that holds the lock that an object is may certainly acquire it again.
    fn is_reentrant(&self, region: RegionId) -> bool;
    /// Returns the full name of a location, the same in every model: `com.example.Pool.used`.
    fn full_location(&self, location: Location) -> String;
    /// Whether library methods have unknown effects on a location.
    fn is_guessed(&self, location: Location) -> bool;
    /// Whether no two accesses of a location are a data race, with or without locks: a volatile field, or the content
    /// of concurrent objects.
    fn is_synchronized(&self, location: Location) -> bool;
}

/// An entry that clients can run.
#[derive(Clone, Debug)]
pub(crate) struct EntryRun {
    pub(crate) context: ContextId,
    /// The name for reports.
    pub(crate) name: String,
    /// Whether it is a unit of work as a whole.
    pub(crate) is_unit: bool,
    /// Whether its violations are queried; otherwise it only interferes with others.
    pub(crate) is_queried: bool,
    pub(crate) runs_once: RunsOnce,
}

/// The number of threads that run an entry at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum RunsOnce {
    /// Any number.
    No,
    /// One: it is the method `run` of the subject, which is a `Thread`, or a `TimerTask` on the thread of its timer.
    Yes,
    /// One: it is a constructor of the subject's object; one thread runs one constructor of it, once.
    Constructor,
}

/// The contexts that the threads of a program run.
#[derive(Clone, Debug)]
pub(crate) struct ProgramRun {
    /// The context of the main thread.
    pub(crate) main: ContextId,
    /// The contexts of started threads that one thread at a time runs.
    pub(crate) single: BTreeSet<ContextId>,
    /// The nodes at which no other thread is left.
    pub(crate) alone: BTreeSet<(ContextId, usize)>,
}
