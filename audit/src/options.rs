//! Options of an audit.

use crate::question::{AnswerStore, Common};
use crate::report::{ShardPart, StoredRun};
use crate::violations::Listed;
use decide::query::Property;
use java::library::Library;
use limits::{Clock, Limits};
use phases::UnitMode;
use std::fmt::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Whether the class of a name is a subject of this run, if several runs share the classes.
pub type IsOwn = dyn Fn(&str) -> bool + Send + Sync;

/// A store of the result of an earlier run with the same program, the same [identity](Options::write_identity) and the
/// same version of this code.
pub trait RunStore: Send + Sync {
    /// The stored result.
    fn get(&self) -> Option<StoredRun>;
    /// Stores a result that no limit has cut short.
    fn keep(&self, run: &StoredRun);
}

/// Options of an audit. The default decides all fourteen patterns for each class that claims to be thread-safe, without
/// limits.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The properties to decide.
    pub properties: Vec<Arc<Property>>,
    /// The unit mode of the properties.
    pub units: UnitMode,
    /// Whether the deadlocks of each class are asked for, besides the properties; not for whole programs.
    pub deadlocks: bool,
    /// Name patterns of classes; none for all that claim to be thread-safe.
    pub classes: Vec<String>,
    /// Name patterns of classes that are no subjects, also if `classes` has them.
    pub exclude: Vec<String>,
    /// The class whose method `main` begins the program; none for classes that clients use.
    pub main: Option<String>,
    /// Name patterns of units, with or without parameters; none for all.
    pub unit_names: Vec<String>,
    /// Name patterns of locations; none for all.
    pub fields: Vec<String>,
    /// The effects of methods that are not given.
    pub library: Arc<Library>,
    /// Whether queries are skipped if their answers would add nothing to a violated unit.
    pub subsumption: bool,
    /// The queries that are listed one by one.
    pub listed: Listed,
    /// The engine and its reductions. The limits in it are not used.
    pub deciding: decide::Options,
    /// The limits of each class. Time is counted by the processor time of the class's thread. Its steps are not used.
    pub limits: Limits,
    /// The number of steps that the queries about a class may take.
    pub steps: u64,
    /// The number of classes that are decided in parallel; none for the number of processors.
    pub jobs: Option<NonZeroUsize>,
    /// The part of the classes that the audit covers, if not all; the places are filled in.
    pub shard: Option<ShardPart>,
    /// The subjects of the part.
    pub is_own: Option<Arc<IsOwn>>,
    /// Whether all classes of the program were read. If not, a cancelled audit is never complete.
    pub is_complete: bool,
    /// Answers of earlier runs.
    pub store: Option<Arc<dyn AnswerStore>>,
    /// The result of an earlier run with the same program and the same options.
    pub runs: Option<Arc<dyn RunStore>>,
}

/// The number of steps that the queries about a class may take, by default: some seconds of a processor.
pub const STEPS: u64 = 40_000_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            properties: Property::all_patterns(UnitMode::Both),
            units: UnitMode::Both,
            deadlocks: false,
            classes: Vec::new(),
            exclude: Vec::new(),
            main: None,
            unit_names: Vec::new(),
            fields: Vec::new(),
            library: Arc::new(Library::builtin()),
            subsumption: true,
            listed: Listed::None,
            deciding: decide::Options::default(),
            limits: Limits::default().with_clock(Clock::Thread),
            steps: STEPS,
            jobs: None,
            shard: None,
            is_own: None,
            is_complete: true,
            store: None,
            runs: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = out.debug_struct("Options");
        all.field("common", &self.common()).field("main", &self.main);
        all.field("classes", &self.classes).field("exclude", &self.exclude);
        all.field("limits", &self.limits).field("jobs", &self.jobs).field("shard", &self.shard).finish_non_exhaustive()
    }
}

impl Options {
    /// The same with these name patterns of classes.
    #[must_use]
    pub fn with_classes(self, classes: Vec<String>) -> Self {
        Self { classes, ..self }
    }

    /// The same without the classes of these name patterns.
    #[must_use]
    pub fn with_exclude(self, exclude: Vec<String>) -> Self {
        Self { exclude, ..self }
    }

    /// The same with these limits of each class.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Writes all options on which the result of a run depends: those that are neither limits of the machine nor
    /// stores.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write_identity(&self, out: &mut dyn Write) -> fmt::Result {
        let Self {
            units,
            classes,
            exclude,
            main,
            library,
            steps,
            shard,
            is_complete,
            deadlocks,
            // The common part of questions.
            properties: _,
            unit_names: _,
            fields: _,
            subsumption: _,
            listed: _,
            deciding: _,
            // Only a result that no limit has cut short is stored. The part of the classes is that of `shard`.
            limits: _,
            jobs: _,
            is_own: _,
            store: _,
            runs: _,
        } = self;
        self.common().write_identity(out)?;
        writeln!(out, "{:?}", (units, classes, exclude, main, steps, shard, is_complete, deadlocks))?;
        writeln!(out, "{library:?}")
    }

    /// The part of the options on which the answers about a model depend.
    pub fn common(&self) -> Common<'_> {
        Common {
            properties: &self.properties,
            units: &self.unit_names,
            fields: &self.fields,
            subsumption: self.subsumption,
            listed: self.listed,
            options: self.deciding.clone().with_jobs(1),
        }
    }
}
