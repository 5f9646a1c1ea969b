//! What an engine is.

use super::{Bounds, Decision, Failure, SearchOptions};
use crate::encode::Encoder;
use crate::query::Query;
use crate::reductions::Reductions;
use eml::model::Model;
use limits::{Meter, StopReason};
use std::fmt;

/// An engine at work on a model.
pub(super) trait Decide: fmt::Debug {
    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure>;

    /// Forgets what was computed for earlier queries, to give back memory. An engine that keeps nothing does nothing.
    fn forget(&mut self) {}
}

/// What is known of an engine before it works.
pub(super) trait EngineKind<'m>: Decide + Sized {
    /// The name by which the command line and reports call it.
    const NAME: &'static str;

    /// What it shares between the queries of a model.
    const SHARING: Sharing;

    /// Begins to work, within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached.
    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason>;
}

/// What an engine is to do.
#[derive(Debug)]
pub(super) struct Task<'a, 'm> {
    pub(super) model: &'m Model,
    /// What will be asked, best in this order. Others may be asked, too. An engine takes them, if it uses them, once
    /// nothing can stop its start any more: who is stopped starts again.
    pub(super) queries: &'a mut Vec<Query>,
    /// The parts of the encoding that are left out before solving.
    pub(super) reductions: Reductions,
    /// The bounds of the searches over global states.
    pub(super) bounds: Bounds,
    /// The options of the systematic search.
    pub(super) search: &'a SearchOptions,
}

impl<'m> Task<'_, 'm> {
    /// The encoder of the model.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn encoder(&self, meter: &Meter) -> Result<Encoder<'m>, StopReason> {
        Encoder::new(self.model, self.reductions, meter)
    }
}

/// What an engine shares between the queries of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The local words of all queries with the same contended locks are solved together, when the first is asked.
    Words,
    /// What was computed for processes is kept for later queries about the same ones.
    Processes,
    /// Nothing.
    Nothing,
}

impl Sharing {
    /// How much of a query's time an attempt may take that serves other queries, too.
    pub fn joint_part(self) -> f64 {
        match self {
            Self::Words => 0.5,
            Self::Processes | Self::Nothing => 0.0,
        }
    }
}
