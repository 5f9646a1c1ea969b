//! Comparing engines on all queries of a model.

use asercheck::model::Model;
use asercheck::phases::{Automaton, UnitMode};
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Error, Limits, Options, Reason, Reduction, Reductions, Verdict, check_all};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What came of comparing engines on a model.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Queries that all engines decided.
    pub decided: usize,
    /// Among them, violations.
    pub violations: usize,
    /// Queries that some engine left open.
    pub open: usize,
    /// How many each engine left open; engines that decided all are not listed.
    pub open_of: BTreeMap<&'static str, usize>,
    /// Queries on which engines disagree, in words.
    pub disagreements: Vec<String>,
}

impl Comparison {
    /// Adds another one.
    pub fn add(&mut self, other: Self) {
        self.decided += other.decided;
        self.violations += other.violations;
        self.open += other.open;
        for (engine, open) in other.open_of {
            *self.open_of.entry(engine).or_default() += open;
        }
        self.disagreements.extend(other.disagreements);
    }
}

/// All queries of the fourteen patterns.
pub fn pattern_queries(model: &Model, units: UnitMode) -> Vec<Query> {
    Selection::default().queries(model, &Property::all_patterns(units)).expect("nothing is named that there is not")
}

/// All queries about data races and deadlocks.
pub fn lock_queries(model: &Model) -> Vec<Query> {
    let selection = Selection::default();
    let asked = selection.ask_with_deadlocks(model, &[Arc::new(Property::race())]);
    let asked = asked.expect("nothing is named that there is not");
    let deadlocks = asked.deadlocks(&Limits::default()).into_iter().flatten();
    asked.all().chain(deadlocks).collect()
}

/// All queries of these automata.
pub fn automaton_queries(model: &Model, automata: Vec<Automaton>) -> Vec<Query> {
    let properties: Vec<_> = automata.into_iter().map(Property::of_automaton).map(Arc::new).collect();
    Selection::default().queries(model, &properties).expect("nothing is named that there is not")
}

/// The reductions for the model of a seed: mostly all, sometimes all but one or none, so that what they leave out is
/// tested as well.
pub fn reductions(seed: u64) -> Reductions {
    let count = Reduction::ALL.len() as u64;
    match seed % (2 * count + 2) {
        number if number < count => Reductions::all().without(Reduction::ALL[number as usize]),
        number if number == count => Reductions::none(),
        _ => Reductions::all(),
    }
}

/// A query in words: automaton, locations, processes.
pub fn describe(model: &Model, query: &Query) -> String {
    let locations: Vec<_> = query.locations().iter().map(|id| model.location(*id).name()).collect();
    let processes: Vec<_> = query.processes().iter().map(|id| model.process(*id).name()).collect();
    format!("{} {} {}", query.property().label(), locations.join(","), processes.join(","))
}

/// Decides the queries with every engine.
///
/// # Errors
/// If an engine contradicts itself or a witness does not replay.
pub fn compare(model: &Model, queries: &[Query], engines: &[Engine], options: &Options) -> Result<Comparison, Error> {
    let mut verdicts = Vec::new();
    for engine in engines {
        let options = options.clone().with_engine(*engine);
        verdicts.push(check_all(model, queries, &options, |_, _| {})?);
    }
    let mut comparison = Comparison::default();
    for (number, query) in queries.iter().enumerate() {
        let answers = verdicts.iter().map(|outcomes| match outcomes[number].verdict {
            Verdict::Safe => Ok(false),
            Verdict::Violation(_) => Ok(true),
            Verdict::Unknown(reason) => Err(reason),
        });
        let answers: Vec<Result<bool, Reason>> = answers.collect();
        for (engine, _) in engines.iter().zip(&answers).filter(|(_, answer)| answer.is_err()) {
            *comparison.open_of.entry(engine.name()).or_default() += 1;
        }
        let mut known = answers.iter().flatten();
        let first = known.next();
        if known.any(|answer| Some(answer) != first) {
            let each = engines.iter().zip(&answers).map(|(engine, answer)| match answer {
                Ok(true) => format!("{engine}: violation"),
                Ok(false) => format!("{engine}: safe"),
                Err(reason) => format!("{engine}: unknown ({reason})"),
            });
            let each: Vec<_> = each.collect();
            comparison.disagreements.push(format!("{}: {}", describe(model, query), each.join(", ")));
        } else if answers.iter().any(Result::is_err) {
            comparison.open += 1;
        } else {
            comparison.decided += 1;
            comparison.violations += usize::from(first == Some(&true));
        }
    }
    Ok(comparison)
}
