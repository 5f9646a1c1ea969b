//! One model and one engine, for any number of queries.

use super::cpds::Cpds;
use super::explicit::Explicit;
use super::kahlon_gupta::KahlonGupta;
use super::options::Options;
use super::symbolic::Symbolic;
use super::{Bounds, Engine, Failure, Finding, SearchOptions, Unsupported, interleave, search};
use crate::encode::Encoder;
use crate::limits::{Meter, StopReason};
use crate::model::Model;
use crate::query::Query;

/// Decides queries of a model one after the other, keeping what they share.
#[derive(Debug)]
pub(crate) struct Session<'m> {
    model: &'m Model,
    options: Options,
    /// What will be asked.
    queries: Vec<Query>,
    /// None before the first query.
    state: Option<EngineState<'m>>,
}

#[derive(Debug)]
enum EngineState<'m> {
    Symbolic(Box<Symbolic<'m>>),
    Explicit(Explicit<'m>),
    KahlonGupta(Box<KahlonGupta<'m>>),
    Cpds(Box<Cpds<'m>>),
    Interleave(Bounds),
    Search(Box<SearchOptions>, Bounds),
}

impl<'m> Session<'m> {
    /// A session that will be asked these queries; asking others is possible, but shares less. Nothing is done before
    /// the first one is asked, within whose limits it then is.
    pub(crate) fn new(model: &'m Model, queries: &[Query], options: &Options) -> Self {
        Self { model, options: options.clone(), queries: queries.to_vec(), state: None }
    }

    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        meter.check()?;
        let model = self.model;
        let mut found = self.state(meter)?.decide(model, query, meter);
        if let (Engine::Auto, Ok(Finding::Unsupported(_))) = (self.options.engine, &found) {
            found = self.fall_back(query, meter, found);
        }
        if found.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Memory)) {
            self.state(meter)?.forget();
        }
        found
    }

    /// What the systematic search finds out where the decision procedure says that it does not apply. Where the search
    /// meets a bound, that is said; where it meets a limit, the answer stays.
    fn fall_back(
        &self,
        query: &Query,
        meter: &Meter,
        unsupported: Result<Finding, Failure>,
    ) -> Result<Finding, Failure> {
        match search::decide(self.model, query, &self.options.search, &self.options.bounds, meter) {
            Ok(Finding::Bound) => Ok(Finding::Unsupported(Unsupported::NoneWithin(self.options.bounds.instances))),
            Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory)) => unsupported,
            found => found,
        }
    }

    /// The engine, which is made when it is first needed.
    fn state(&mut self, meter: &Meter) -> Result<&mut EngineState<'m>, StopReason> {
        match self.state {
            Some(ref mut state) => Ok(state),
            None => {
                let state = EngineState::new(self.model, &mut self.queries, &self.options, meter)?;
                Ok(self.state.insert(state))
            }
        }
    }
}

impl<'m> EngineState<'m> {
    fn new(model: &'m Model, queries: &mut Vec<Query>, options: &Options, meter: &Meter) -> Result<Self, StopReason> {
        let encoder = || Encoder::new(model, options.reductions, meter);
        Ok(match options.engine.resolve() {
            Engine::Symbolic => Self::Symbolic(Box::new(Symbolic::new(encoder()?))),
            Engine::Auto | Engine::Explicit => Self::Explicit(Explicit::new(encoder()?, std::mem::take(queries))),
            Engine::KahlonGupta => Self::KahlonGupta(Box::new(KahlonGupta::new(encoder()?))),
            Engine::Cpds => Self::Cpds(Box::new(Cpds::new(encoder()?))),
            Engine::Interleave => Self::Interleave(options.bounds),
            Engine::Search => Self::Search(Box::new(options.search.clone()), options.bounds),
        })
    }

    fn decide(&mut self, model: &Model, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        match self {
            Self::Symbolic(symbolic) => symbolic.decide(query, meter),
            Self::Explicit(explicit) => explicit.decide(query, meter),
            Self::KahlonGupta(kahlon_gupta) => kahlon_gupta.decide(query, meter),
            Self::Cpds(cpds) => cpds.decide(query, meter),
            Self::Interleave(bounds) => interleave::decide(model, query, bounds, meter),
            Self::Search(options, bounds) => search::decide(model, query, options, bounds, meter),
        }
    }

    /// Forgets what was computed for earlier queries, to give back memory.
    fn forget(&mut self) {
        match self {
            Self::Symbolic(symbolic) => symbolic.forget(),
            Self::Explicit(explicit) => explicit.forget(),
            Self::KahlonGupta(kahlon_gupta) => kahlon_gupta.forget(),
            // These keep nothing.
            Self::Cpds(_) | Self::Interleave(_) | Self::Search(..) => {}
        }
    }
}
