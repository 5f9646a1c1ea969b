//! The model of one object, with what it means.

use super::names::Meanings;
use super::stuck::Stuck;
use eml::model::{Errors, GraphError, Model, ProcessId};
use std::collections::{BTreeMap, BTreeSet};

/// The model of one object, which any number of threads use.
#[derive(Debug)]
pub struct Isolated {
    /// The model. All locations are one atomic set.
    pub model: Model,
    /// The two processes that a pattern is asked of: the first one's units are looked at.
    ///
    /// In client mode, the first one, of any number of instances, runs one entry once, as a unit of work, and the
    /// second one, the same for all, any entry, again and again. In program mode, these are all pairs of threads.
    pub pairs: Vec<[ProcessId; 2]>,
    /// Pairs of processes whose entries do the same: what can be violated in the first one can be violated in the
    /// second one. The first ones are in no pair that is asked about.
    pub alike: Vec<(ProcessId, ProcessId)>,
    /// The processes that run one entry each; in program mode, the threads.
    pub entries: Vec<ProcessId>,
    /// The process that runs any entry; in program mode, the main thread.
    pub others: ProcessId,
    /// What a proof rests on, in words.
    pub assumptions: BTreeSet<String>,
    /// Why calls were left out, if they were: then what the model does not violate is not decided.
    pub partial: Option<Stuck>,
    /// How often precision was given up in what it was made of, by what in words.
    pub coarse: BTreeMap<&'static str, usize>,
    /// What the names of the model stand for.
    pub meanings: Meanings,
}

/// Why there is no model.
#[derive(Debug)]
pub enum NotIsolated {
    /// The methods cannot be analysed.
    Stuck(Stuck),
    /// No method accesses the object twice, so that nothing can be violated; with what that rests on, in words.
    NothingToViolate(BTreeSet<String>),
    /// No thread that was followed accesses the object; program mode. Others may, by reflection.
    NotReached,
    /// The graphs are no model, which is a fault of the analysis.
    Fault(Errors<GraphError>),
}

impl From<Stuck> for NotIsolated {
    fn from(stuck: Stuck) -> Self {
        Self::Stuck(stuck)
    }
}
