//! Functions shared by several tests.

use asercheck::java::Program;
use asercheck::model::Model;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Options, Verdict, check_all};
use asercheck_bench::analysis;
use asercheck_bench::inclusion::machine::Recorder;
use asercheck_bench::programs::{Grammar, compiled};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Returns the path of a file or folder of the tests.
pub fn path(below_tests: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(below_tests)
}

/// Returns the model in a file; panics if the file has none.
pub fn model(path: &Path) -> Model {
    match asercheck::model::load(path) {
        Ok(loaded) => loaded.model,
        Err(rejected) => panic!("{rejected}"),
    }
}

/// Returns all queries of the fourteen patterns.
pub fn pattern_queries(model: &Model, units: UnitMode) -> Vec<Query> {
    Selection::default().queries(model, &Property::all_patterns(units)).expect("nothing is named")
}

/// Returns a query in the format of the corpus: pattern, locations, processes.
pub fn describe(model: &Model, query: &Query) -> String {
    let locations: Vec<_> = query.locations().iter().map(|id| model.location(*id).name()).collect();
    let processes: Vec<_> = query.processes().iter().map(|id| model.process(*id).name()).collect();
    format!("{} {} {}", query.property().label(), locations.join(","), processes.join(","))
}

/// Returns the violated queries in the format of the corpus; panics if a query is not decided.
pub fn violations(model: &Model, queries: &[Query], engine: Engine) -> Vec<String> {
    violations_with(model, queries, &Options::default().with_engine(engine))
}

/// Returns the violated queries under limits and bounds, as [`violations`] does.
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

/// Returns the random Java programs of these seeds, with the names of their packages; none without a JDK.
pub fn random_java(seeds: Range<u64>) -> Option<Vec<(String, Program)>> {
    let Some(recorder) = Recorder::new().expect("the recorder compiles") else {
        eprintln!("skipped: there is no Java development kit to compile random programs");
        return None;
    };
    let folders = compiled(&recorder, &Grammar::builtin(), &recorder.sources(), seeds);
    let (folders, _) = folders.expect("random programs compile");
    let package = |folder: &Path| folder.parent().and_then(Path::file_name).map(|name| name.display().to_string());
    let program = |folder: PathBuf| (package(&folder).expect("a package"), analysis::load(folder));
    Some(folders.into_iter().map(program).collect())
}
