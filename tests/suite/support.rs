//! What several tests need.

use asercheck::model::Model;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Options, Verdict, check_all};
use std::path::{Path, PathBuf};

/// A file or folder of the tests.
pub fn path(below_tests: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(below_tests)
}

/// The model in a file that is known to be one.
pub fn model(path: &Path) -> Model {
    match asercheck::model::load(path) {
        Ok(loaded) => loaded.model,
        Err(rejected) => panic!("{rejected}"),
    }
}

/// All queries of the fourteen patterns.
pub fn pattern_queries(model: &Model, units: UnitMode) -> Vec<Query> {
    Selection::default().queries(model, &Property::all_patterns(units)).expect("nothing is named")
}

/// A query as the corpus writes it: pattern, locations, processes.
pub fn describe(model: &Model, query: &Query) -> String {
    let locations: Vec<_> = query.locations().iter().map(|id| model.location(*id).name()).collect();
    let processes: Vec<_> = query.processes().iter().map(|id| model.process(*id).name()).collect();
    format!("{} {} {}", query.property().label(), locations.join(","), processes.join(","))
}

/// The queries that are violated, as the corpus writes them; fails if one is not decided.
pub fn violations(model: &Model, queries: &[Query], engine: Engine) -> Vec<String> {
    violations_with(model, queries, &Options::default().with_engine(engine))
}

/// The same with limits and bounds.
pub fn violations_with(model: &Model, queries: &[Query], options: &Options) -> Vec<String> {
    let engine = options.engine;
    let outcomes = check_all(model, queries, options, |_, _| {}).unwrap_or_else(|error| panic!("{engine}: {error}"));
    let violated = queries.iter().zip(&outcomes).filter(|(query, outcome)| match &outcome.verdict {
        Verdict::Safe => false,
        Verdict::Violation(_) => true,
        Verdict::Unknown(reason) => panic!("{engine}: {} is not decided: {reason}", describe(model, query)),
    });
    violated.map(|(query, _)| describe(model, query)).collect()
}
