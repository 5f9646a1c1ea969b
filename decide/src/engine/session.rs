//! One model and one engine, for any number of queries.

use super::interface::{Decide, Task};
use super::options::Options;
use super::{Decision, Engine, Failure, Unsupported, search};
use crate::query::Query;
use eml::model::Model;
use limits::{Meter, StopReason};

/// Decides queries of a model one after the other, keeping what they share.
#[derive(Debug)]
pub(crate) struct Session<'m> {
    model: &'m Model,
    options: Options,
    /// What will be asked.
    queries: Vec<Query>,
    /// None before the first query.
    engine: Option<Box<dyn Decide + 'm>>,
}

impl<'m> Session<'m> {
    /// A session that will be asked these queries; asking others is possible, but shares less. Nothing is done before
    /// the first one is asked, within whose limits it then is.
    pub(crate) fn new(model: &'m Model, queries: &[Query], options: &Options) -> Self {
        Self { model, options: options.clone(), queries: queries.to_vec(), engine: None }
    }

    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        meter.check()?;
        let mut found = self.engine(meter)?.decide(query, meter);
        if let (Engine::Auto, Ok(Decision::Unsupported(_))) = (self.options.engine, &found) {
            found = self.fall_back(query, meter, found);
        }
        if found.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Memory)) {
            self.engine(meter)?.forget();
        }
        found
    }

    /// What the systematic search finds out where the decision procedure says that it does not apply. Where the search
    /// meets a bound, that is said; where it meets a limit, the answer stays.
    fn fall_back(
        &self,
        query: &Query,
        meter: &Meter,
        unsupported: Result<Decision, Failure>,
    ) -> Result<Decision, Failure> {
        match search::decide(self.model, query, &self.options.search, &self.options.bounds, meter) {
            Ok(Decision::Bound) => Ok(Decision::Unsupported(Unsupported::NoneWithin(self.options.bounds.instances))),
            Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory)) => unsupported,
            found => found,
        }
    }

    /// The engine, which is made when it is first needed.
    fn engine(&mut self, meter: &Meter) -> Result<&mut (dyn Decide + 'm), StopReason> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let Options { reductions, bounds, ref search, .. } = self.options;
                let task = Task { model: self.model, queries: &mut self.queries, reductions, bounds, search };
                self.options.engine.start(task, meter)?
            }
        };
        Ok(&mut **self.engine.insert(engine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Property, Selection};
    use eml::model;
    use limits::Limits;
    use phases::UnitMode;

    /// The first query may run out of time before there is an engine; the next one still has what all queries share.
    #[test]
    fn who_is_stopped_at_the_start_starts_again_with_all_queries() {
        // Long enough that its limits are looked at.
        let text = format!("shared x; process P {{ {} }} process Q {{ write x; }}", "read x; ".repeat(100_000));
        let model = model::from_text("long.eml", &text).expect("it is a model").model;
        let properties = Property::all_patterns(UnitMode::Both);
        let queries = Selection::default().queries(&model, &properties).expect("nothing is named");
        let mut session = Session::new(&model, &queries, &Options::default());
        let limits = Limits::default();
        let meter = Meter::start(&limits);
        limits.cancellation.cancel();
        assert!(session.engine(&meter).is_err());
        assert_eq!(session.queries.len(), queries.len());
        assert!(session.engine(&Meter::start(&Limits::default())).is_ok() && session.queries.is_empty());
    }
}
