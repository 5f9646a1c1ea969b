//! One model and one engine, for any number of queries.

use super::cpds::Cpds;
use super::encodable::{is_model_encodable, is_query_encodable};
use super::explicit::Explicit;
use super::kahlon_gupta::KahlonGupta;
use super::symbolic::Symbolic;
use super::{Bounds, Engine, Failure, Finding, Unsupported, interleave};
use crate::limits::{Meter, StopReason};
use crate::model::Model;
use crate::options::Options;
use crate::query::Query;

/// Decides queries of a model one after the other, keeping what they share.
#[derive(Debug)]
pub(crate) struct Session<'m> {
    model: &'m Model,
    state: EngineState<'m>,
    /// Whether all that the model has can be encoded, if the engine needs that.
    is_encodable: bool,
}

#[derive(Debug)]
enum EngineState<'m> {
    Symbolic(Box<Symbolic<'m>>),
    Explicit(Explicit<'m>),
    KahlonGupta(Box<KahlonGupta<'m>>),
    Cpds(Box<Cpds<'m>>),
    Interleave(Bounds),
}

impl<'m> Session<'m> {
    /// A session that will be asked these queries; asking others is possible, but shares less.
    pub(crate) fn new(model: &'m Model, queries: &[Query], options: &Options) -> Self {
        let reductions = options.reductions;
        let state = match options.engine.resolve() {
            Engine::Symbolic => EngineState::Symbolic(Box::new(Symbolic::new(model, reductions))),
            Engine::Auto | Engine::Explicit => EngineState::Explicit(Explicit::new(model, queries, reductions)),
            Engine::KahlonGupta => EngineState::KahlonGupta(Box::new(KahlonGupta::new(model, reductions))),
            Engine::Cpds => EngineState::Cpds(Box::new(Cpds::new(model, reductions))),
            Engine::Interleave => EngineState::Interleave(options.bounds),
        };
        let is_encodable = state.executes_model() || is_model_encodable(model);
        Self { model, state, is_encodable }
    }

    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        meter.check()?;
        if !self.knows(query) {
            return Ok(Finding::Unsupported(Unsupported::NotEncoded));
        }
        let found = match &mut self.state {
            EngineState::Symbolic(symbolic) => symbolic.decide(query, meter),
            EngineState::Explicit(explicit) => explicit.decide(query, meter),
            EngineState::KahlonGupta(kahlon_gupta) => kahlon_gupta.decide(query, meter),
            EngineState::Cpds(cpds) => cpds.decide(query, meter),
            EngineState::Interleave(bounds) => interleave::decide(self.model, query, bounds, meter),
        };
        if found.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Memory)) {
            self.state.forget();
        }
        found
    }

    /// Whether the engine knows everything that the model has and the query speaks of.
    fn knows(&self, query: &Query) -> bool {
        self.state.executes_model() || (self.is_encodable && is_query_encodable(query))
    }
}

impl EngineState<'_> {
    /// Whether it executes the model as it is, without an encoding.
    fn executes_model(&self) -> bool {
        match self {
            Self::Interleave(_) => true,
            Self::Symbolic(_) | Self::Explicit(_) | Self::KahlonGupta(_) | Self::Cpds(_) => false,
        }
    }

    /// Forgets what was computed for earlier queries, to give back memory.
    fn forget(&mut self) {
        match self {
            Self::Symbolic(symbolic) => symbolic.forget(),
            Self::Explicit(explicit) => explicit.forget(),
            Self::KahlonGupta(kahlon_gupta) => kahlon_gupta.forget(),
            // These keep nothing.
            Self::Cpds(_) | Self::Interleave(_) => {}
        }
    }
}
