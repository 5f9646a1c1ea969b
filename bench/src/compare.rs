//! Comparison of engines on queries of a model.

use asercheck::model::Model;
use asercheck::phases::{Automaton, UnitMode};
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Error, Limits, Options, Reason, Reduction, Reductions, Verdict, check_all};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Number of queries that all engines decided.
    pub decided: usize,
    /// Number of violations among these.
    pub violations: usize,
    /// Number of queries that some engine left open.
    pub open: usize,
    /// Number of open queries of each engine that left some open.
    pub open_of: BTreeMap<&'static str, usize>,
    /// Descriptions of queries on which engines disagree.
    pub disagreements: Vec<String>,
}

impl Comparison {
    /// Adds another result.
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

/// Returns all queries of the fourteen patterns.
pub fn pattern_queries(model: &Model, units: UnitMode) -> Vec<Query> {
    Selection::default().queries(model, &Property::all_patterns(units)).expect("nothing is named that there is not")
}

/// Returns all queries about data races and deadlocks.
pub fn lock_queries(model: &Model) -> Vec<Query> {
    let selection = Selection::default();
    let asked = selection.ask_with_deadlocks(model, &[Arc::new(Property::race())]);
    let asked = asked.expect("nothing is named that there is not");
    let deadlocks = asked.deadlocks(&Limits::default()).into_iter().flatten();
    asked.all().chain(deadlocks).collect()
}

/// Returns all queries of these automata.
pub fn automaton_queries(model: &Model, automata: Vec<Automaton>) -> Vec<Query> {
    let properties: Vec<_> = automata.into_iter().map(Property::of_automaton).map(Arc::new).collect();
    Selection::default().queries(model, &properties).expect("nothing is named that there is not")
}

/// Returns the reductions for the model of a seed: mostly all, sometimes all but one or none, so that each is tested
/// with and without the others.
pub fn reductions(seed: u64) -> Reductions {
    let count = Reduction::ALL.len() as u64;
    match seed % (2 * count + 2) {
        number if number < count => Reductions::all().without(Reduction::ALL[number as usize]),
        number if number == count => Reductions::none(),
        _ => Reductions::all(),
    }
}

/// Describes a query: automaton, locations, processes.
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
    let deciders: Vec<_> = engines.iter().map(|engine| (engine.name(), options.clone().with_engine(*engine))).collect();
    compare_options(model, queries, &deciders)
}

/// Decides the queries with each of these options, which have names.
///
/// # Errors
/// If an engine contradicts itself or a witness does not replay.
pub fn compare_options(
    model: &Model,
    queries: &[Query],
    deciders: &[(&'static str, Options)],
) -> Result<Comparison, Error> {
    let mut verdicts = Vec::new();
    for (_, options) in deciders {
        verdicts.push(check_all(model, queries, options, |_, _| {})?);
    }
    let mut comparison = Comparison::default();
    for (number, query) in queries.iter().enumerate() {
        let answers = verdicts.iter().map(|outcomes| match outcomes[number].verdict {
            Verdict::Safe => Ok(false),
            Verdict::Violation(_) => Ok(true),
            Verdict::Unknown(reason) => Err(reason),
        });
        let answers: Vec<Result<bool, Reason>> = answers.collect();
        for ((name, _), _) in deciders.iter().zip(&answers).filter(|(_, answer)| answer.is_err()) {
            *comparison.open_of.entry(name).or_default() += 1;
        }
        let mut known = answers.iter().flatten();
        let first = known.next();
        if known.any(|answer| Some(answer) != first) {
            let each = deciders.iter().zip(&answers).map(|((name, _), answer)| match answer {
                Ok(true) => format!("{name}: violation"),
                Ok(false) => format!("{name}: safe"),
                Err(reason) => format!("{name}: unknown ({reason})"),
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
