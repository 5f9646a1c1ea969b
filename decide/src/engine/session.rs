//! A session: one model and one engine, for any number of queries.

use super::easy_queries::{EasyQueries, STEPS};
use super::interface::{Decide, Task};
use super::options::Options;
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
    /// The announced queries, before the short search for them.
    unsearched: Vec<Query>,
    /// The queries that a short search has decided; `None` before there was one.
    easy: Option<EasyQueries>,
    /// The number of steps of an attempt before the short search.
    steps: u64,
}

impl<'m> Session<'m> {
    /// Creates a session for the announced queries. Other queries are possible, but share less work. The work begins
    /// with the first query, within the limits of that query.
    pub(crate) fn new(model: &'m Model, queries: &[Query], options: &Options) -> Self {
        let unsearched = if options.engine == Engine::Auto { queries.to_vec() } else { Vec::new() };
        Self {
            model,
            options: options.clone(),
            queries: queries.to_vec(),
            engine: None,
            unsearched,
            easy: None,
            steps: STEPS,
        }
    }

    /// Decides a query within the limits of a meter.
    ///
    /// # Errors
    /// If a limit is reached or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        meter.check()?;
        let mut found = match self.first_attempt(query, meter)? {
            Some(found) => Ok(found),
            None => self.engine(meter)?.decide(query, meter),
        };
        if let (Engine::Auto, Ok(Decision::Unsupported(_))) = (self.options.engine, &found) {
            found = self.fall_back(query, meter, found);
        }
        if found.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Memory)) {
            self.engine(meter)?.forget();
        }
        found
    }

    /// Decides a query, if [few steps](super::easy_queries) suffice. Once they did not, the queries that the short search
    /// leaves are announced to a new engine, since the attempt may have changed the engine's windows.
    fn first_attempt(&mut self, query: &Query, meter: &Meter) -> Result<Option<Decision>, Failure> {
        if let Some(easy) = &mut self.easy {
            return Ok(easy.take(query));
        }
        let budget = meter.with_steps(self.steps).filter(|_| self.options.engine == Engine::Auto);
        let Some(budget) = budget else { return Ok(None) };
        let begin = meter.now();
        let attempt = self.engine(&budget).map_err(Failure::from).and_then(|engine| engine.decide(query, &budget));
        if !matches!(attempt, Err(Failure::Stopped(StopReason::Steps))) {
            return attempt.map(Some);
        }
        let mut rest = std::mem::take(&mut self.unsearched);
        match rest.iter().position(|own| own == query) {
            Some(first) => drop(rest.drain(..first)),
            None => rest = vec![query.clone()],
        }
        (self.engine, self.easy, self.queries) = (None, Some(EasyQueries::default()), rest.clone());
        let (mut easy, left) = EasyQueries::find(self.model, rest, &self.options, meter)?;
        let found = easy.take(query);
        (self.easy, self.queries) = (Some(easy), left);
        // This work serves all queries.
        meter.excuse(meter.now().saturating_sub(begin));
        Ok(found)
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
    use crate::reductions::{Reduction, Reductions};
    use eml::model;
    use limits::Limits;
    use phases::UnitMode;
    use std::time::Duration;

    fn decided(session: &mut Session<'_>, query: &Query) -> bool {
        match session.decide(query, &Meter::start(&Limits::default())) {
            Ok(Decision::Safe) => false,
            Ok(Decision::Violation(_)) => true,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_short_search_changes_no_verdict() {
        let (mut easy, mut others, mut violations) = (0, 0, 0);
        for seed in 0..60 {
            let text = generate::random::model(seed, &generate::random::Shape::of_seed(seed));
            let model = model::from_text("random.eml", &text).expect("it is a model").model;
            let properties = Property::all_patterns(UnitMode::Both);
            let queries = Selection::default().queries(&model, &properties).expect("nothing is named");
            let options = Options::default();
            let mut short = Session { steps: 0, ..Session::new(&model, &queries, &options) };
            let mut plain = Session::new(&model, &queries, &options.clone().with_engine(Engine::Explicit));
            // Also queries that were not announced, or asked for before.
            for query in queries.iter().chain(&queries[..queries.len() / 8]) {
                let found = decided(&mut short, query);
                assert_eq!(found, decided(&mut plain, query), "seed {seed}, {query:?}\n{text}");
                violations += usize::from(found);
            }
            let (count, decided) = (queries.len(), usize::try_from(options.search.statistics.easy()).expect("few"));
            (easy, others) = (easy + decided, others + count - decided);
        }
        assert!(easy > 100 && others > 0 && violations > 100, "{easy} easy, {others} others, {violations} violated");
    }

    #[test]
    fn easy_violations_do_not_wait_for_all_histories() {
        let names: Vec<_> = (0..14).map(|lock| format!("l{lock}")).collect();
        let section = |lock: &String| format!("{{ sync {lock} {{ read x; choose {{ call f; }} or {{ }} write x; }} }}");
        let sections: Vec<_> = names.iter().map(section).collect();
        let text = format!(
            "lock {}; shared x; fn f() {{ choose {} }} process P {{ atomic {{ call f; call f; }} }} process Q {{ call f; }}",
            names.join(", "),
            sections.join(" or ")
        );
        let model = model::from_text("recursion.eml", &text).expect("it is a model").model;
        let properties = Property::all_patterns(UnitMode::First);
        let queries = Selection::default().queries(&model, &properties).expect("nothing is named");
        let options = Options { reductions: Reductions::all().without(Reduction::Recursion), ..Options::default() };
        let limits = Limits::default().with_timeout(Duration::from_secs(60));
        let found = Session::new(&model, &queries, &options).decide(&queries[0], &Meter::start(&limits));
        assert!(matches!(found, Ok(Decision::Violation(_))), "{found:?}");
        assert!(options.search.statistics.easy() > 0);
    }

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
