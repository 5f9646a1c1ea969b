//! The interface of an engine: how it starts, decides queries and forgets memoized work.

use super::{Bounds, Decision, Failure, SearchOptions};
use crate::encode::Encoder;
use crate::query::Query;
use crate::reductions::Reductions;
use eml::model::Model;
use limits::{Meter, StopReason};
use std::fmt;

/// A started engine for one model.
pub(super) trait Decide: fmt::Debug {
    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached or the engine contradicts itself.
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure>;

    /// Drops the work kept from earlier queries, to free memory. Does nothing for an engine that keeps none.
    fn forget(&mut self) {}
}

/// The static properties of an engine, and its start.
pub(super) trait EngineKind<'m>: Decide + Sized {
    /// The name on the command line and in reports.
    const NAME: &'static str;

    /// The work that it shares between the queries of a model.
    const SHARING: Sharing;

    /// Starts the engine within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached.
    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason>;
}

/// The input with which an engine starts.
#[derive(Debug)]
pub(super) struct Task<'a, 'm> {
    pub(super) model: &'m Model,
    /// The queries to come, best in this order; other queries may come, too. An engine that uses them takes them out
    /// only once its start cannot be stopped any more, because a stopped engine is started again.
    pub(super) queries: &'a mut Vec<Query>,
    /// The parts of the encoding that are left out before solving.
    pub(super) reductions: Reductions,
    /// The bounds of the searches over global states.
    pub(super) bounds: Bounds,
    /// The options of the systematic search.
    pub(super) search: &'a SearchOptions,
    /// Whether only violations are wanted.
    pub(super) violations_only: bool,
}

impl<'m> Task<'_, 'm> {
    /// Returns the encoder of the model.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn encoder(&self, meter: &Meter) -> Result<Encoder<'m>, StopReason> {
        Encoder::new(self.model, self.reductions, meter)
    }
}

/// The work that an engine shares between the queries of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The engine solves the local words of all queries with the same contended locks together, at the first of these
    /// queries.
    Words,
    /// The engine keeps the work done for processes for later queries about the same processes.
    Processes,
    /// The engine shares nothing.
    Nothing,
}

impl Sharing {
    /// Returns the fraction of a query's time that may go into work which also serves other queries.
    pub fn joint_part(self) -> f64 {
        match self {
            Self::Words => 0.5,
            Self::Processes | Self::Nothing => 0.0,
        }
    }
}
