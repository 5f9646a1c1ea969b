//! One model and one engine, for any number of queries.

use super::symbolic::Symbolic;
use super::{Engine, Failure, Finding, interleave};
use crate::limits::{Limits, Meter, StopReason};
use crate::model::Model;
use crate::query::Query;

/// Decides queries of a model one after the other, keeping what they share.
#[derive(Debug)]
pub(crate) struct Session<'m> {
    model: &'m Model,
    state: EngineState<'m>,
}

#[derive(Debug)]
enum EngineState<'m> {
    Symbolic(Box<Symbolic<'m>>),
    Interleave,
}

impl<'m> Session<'m> {
    pub(crate) fn new(model: &'m Model, engine: Engine) -> Self {
        let state = match engine {
            Engine::Symbolic => EngineState::Symbolic(Box::new(Symbolic::new(model))),
            Engine::Interleave => EngineState::Interleave,
        };
        Self { model, state }
    }

    /// Decides a query within these limits, which begin to count now.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, limits: &Limits) -> Result<Finding, Failure> {
        let meter = Meter::start(limits);
        meter.check()?;
        match &mut self.state {
            EngineState::Symbolic(symbolic) => {
                let found = symbolic.decide(query, &meter);
                if found.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Memory)) {
                    symbolic.forget();
                }
                found
            }
            EngineState::Interleave => interleave::decide(self.model, query, &interleave::Bounds::default(), &meter),
        }
    }
}
