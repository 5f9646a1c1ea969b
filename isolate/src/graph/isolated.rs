//! The model of one object, with the meaning of its names.

use super::covered::Covered;
use super::names::Meanings;
use super::stuck::Stuck;
use eml::model::{Errors, GraphError, Model, ProcessId};
use std::collections::{BTreeMap, BTreeSet};

/// The model of one object that any number of threads use.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The model. All locations are one atomic set.
    pub model: Model,
    /// The pairs of processes to be queried: units of the first one, violated by the second one.
    ///
    /// In client mode, the first process has any number of instances and runs one entry once, as a unit of work; the
    /// second one, the same for all pairs, runs any entry again and again. In program mode, these are all pairs of
    /// threads.
    pub pairs: Vec<[ProcessId; 2]>,
    /// Pairs of processes with equivalent entries: both have the same violations. The first process of each pair is not
    /// queried.
    pub equivalent: Vec<(ProcessId, ProcessId)>,
    /// The processes that run a single entry each; in program mode, the threads.
    pub entries: Vec<ProcessId>,
    /// The process that runs any entry; in program mode, the main thread.
    pub others: ProcessId,
    /// The assumptions of a proof, as texts.
    pub assumptions: BTreeSet<String>,
    /// The reason why calls were omitted, if they were. Then units without a violation are undecided.
    pub partial: Option<Stuck>,
    /// The number of precision losses, by their kind as text.
    pub coarse: BTreeMap<&'static str, usize>,
    /// The meanings of the names of the model.
    pub meanings: Meanings,
    /// The statements whose accesses are in the model; none in program mode.
    pub covered: Option<Covered>,
}

/// The reason why there is no model.
#[derive(Debug)]
pub enum NotIsolated {
    /// The methods cannot be analysed.
    Stuck(Stuck),
    /// No unit can be violated, since no method accesses the object twice; with the assumptions of this result, as
    /// texts, and the statements whose accesses were looked at; none in program mode.
    NothingToViolate(BTreeSet<String>, Option<Box<Covered>>),
    /// No analysed thread accesses the object; program mode. Others may, by reflection.
    NotReached,
    /// The graphs are no valid model, which is an error of the analysis.
    Fault(Errors<GraphError>),
}

impl From<Stuck> for NotIsolated {
    fn from(stuck: Stuck) -> Self {
        Self::Stuck(stuck)
    }
}
