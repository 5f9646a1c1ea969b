//! What a model is made of.

use super::super::context::MethodContext;
use super::super::ids::ContextId;
use super::super::units::{Role, Units};
use crate::value::{AliasId, Location, RegionId};
use java::{ClassId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What a model is made of.
pub(crate) struct Input<'a> {
    pub(crate) program: &'a Program,
    /// The subject's class.
    pub(crate) class: ClassId,
    /// After [`reduce`](super::super::reduce()).
    pub(crate) contexts: &'a [MethodContext],
    /// By context.
    pub(crate) roles: &'a [Role],
    pub(crate) naming: &'a dyn Naming,
    /// What a proof rests on.
    pub(crate) assumptions: BTreeSet<String>,
    /// How often precision was given up, by what in words.
    pub(crate) coarse: BTreeMap<&'static str, usize>,
    pub(crate) units: Units,
    /// Whether the locks overlap instead of nesting.
    pub(crate) overlaps: bool,
    /// Whether not everything is followed: then what is too much for the model is left out.
    pub(crate) is_partial: bool,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

/// Names of objects and locations.
pub(crate) trait Naming {
    /// An object, as people read it: `this`, `this.list`.
    fn region(&self, region: RegionId) -> String;
    /// The objects of an alias class: `this`, `this.cells[]`.
    fn alias(&self, alias: AliasId) -> String;
    /// The full name of a location, the same for every model that has it: `com.example.Pool.used`.
    fn full_location(&self, location: Location) -> String;
    /// Whether it is not known what methods that were not given do to a location.
    fn is_guessed(&self, location: Location) -> bool;
    /// Whether no two accesses of a location are a data race, whatever is held: it is a volatile field, or the content
    /// of objects that are made for several threads.
    fn is_synchronized(&self, location: Location) -> bool;
}

/// What clients can run.
#[derive(Clone, Debug)]
pub(crate) struct EntryRun {
    pub(crate) context: ContextId,
    /// As reports name it.
    pub(crate) name: String,
    /// Whether it is a unit of work as a whole.
    pub(crate) is_unit: bool,
    /// Whether it is asked whether it can be violated; else it only interferes with others.
    pub(crate) is_queried: bool,
    pub(crate) runs_once: RunsOnce,
}

/// By how many threads an entry is run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum RunsOnce {
    /// By any number.
    No,
    /// By one: it is the method `run` of the subject, which is a `Thread`, or a `TimerTask` on the thread of its timer.
    Yes,
    /// It is a constructor of the subject's object: one thread runs one constructor of it, once.
    Constructor,
}

/// What the threads of a program run.
#[derive(Clone, Debug)]
pub(crate) struct ProgramRun {
    /// What the main thread runs.
    pub(crate) main: ContextId,
    /// What is run by one thread at a time, of all that threads are started for.
    pub(crate) single: BTreeSet<ContextId>,
    /// Nodes at which no other thread is left.
    pub(crate) alone: BTreeSet<(ContextId, usize)>,
}
