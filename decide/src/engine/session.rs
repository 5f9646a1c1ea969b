//! A session: one model and one engine, for any number of queries.

use super::interface::{Decide, Task};
use super::options::Options;
use super::short_search::ShortSearch;
use super::{Decision, Engine, Failure, Unsupported, search};
use crate::query::Query;
use eml::model::Model;
use limits::{Meter, StopReason};

/// Decides queries of a model one after the other and keeps the work that they share.
#[derive(Debug)]
pub(crate) struct Session<'m> {
    model: &'m Model,
    options: Options,
    /// The announced queries.
    queries: Vec<Query>,
    /// `None` before the first query.
    engine: Option<Box<dyn Decide + 'm>>,
    /// The search before the engine; `None` if there is none.
    short_search: Option<ShortSearch<'m>>,
}

impl<'m> Session<'m> {
    /// Creates a session for the announced queries. Other queries are possible, but share less work. The work begins
    /// with the first query, within the limits of that query.
    pub(crate) fn new(model: &'m Model, queries: &[Query], options: &Options) -> Self {
        let is_auto = options.engine == Engine::Auto;
        let short_search = is_auto.then(|| ShortSearch::new(model, options)).flatten();
        Self { model, options: options.clone(), queries: queries.to_vec(), engine: None, short_search }
    }

    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        meter.check()?;
        if let Some(short_search) = &mut self.short_search
            && let Some(found) = short_search.decide(query, meter)?
        {
            self.options.search.statistics.count_decided(true);
            return Ok(found);
        }
        let mut found = self.engine(meter)?.decide(query, meter);
        let applies = !matches!(found, Ok(Decision::Unsupported(_)));
        if self.options.engine == Engine::Auto {
            if !applies {
                found = self.fall_back(query, meter, found);
            }
            if let Ok(Decision::Safe | Decision::Violation(_)) = found {
                self.options.search.statistics.count_decided(!applies);
            }
        }
        if found.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Memory)) {
            self.engine(meter)?.forget();
        }
        found
    }

    /// Asks the systematic search about a query to which the decision procedure does not apply. If the search meets a
    /// bound, the answer says so; if it reaches a limit, the answer of the decision procedure stays.
    fn fall_back(
        &self,
        query: &Query,
        meter: &Meter,
        unsupported: Result<Decision, Failure>,
    ) -> Result<Decision, Failure> {
        match search::decide(self.model, query, &self.options.search, &self.options.bounds, meter) {
            Ok(Decision::Bound) => Ok(Decision::Unsupported(Unsupported::NoneWithin(self.options.bounds.instances))),
            Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory | StopReason::Steps)) => unsupported,
            found => found,
        }
    }

    /// Returns the engine, started at the first use.
    fn engine(&mut self, meter: &Meter) -> Result<&mut (dyn Decide + 'm), StopReason> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let Options { reductions, bounds, ref search, violations_only, .. } = self.options;
                let queries = &mut self.queries;
                let task = Task { model: self.model, queries, reductions, bounds, search, violations_only };
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

    /// The first query may run out of time before the engine has started; the next query still has the announced ones.
    #[test]
    fn a_stopped_start_keeps_the_announced_queries() {
        // Long enough for a check of the limits.
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
