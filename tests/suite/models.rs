//! The example models, on every engine, against the verdicts stated in their headers (`models/README.md`).

use crate::suite::support::{describe, pattern_queries, violations_with};
use asercheck::model::{Loaded, Model, Warning, load};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection, load_automata};
use asercheck::{Bounds, Engine, Limits, Options, Verdict, check_all, lock_warnings};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of violations up to which a header lists them.
const LISTED: usize = 16;

/// Models with safe queries that the search does not decide, or not soon: stacks, instances or interleavings are too
/// many. The search only confirms the violations of these models.
const TOO_MUCH_FOR_THE_SEARCH: [&str; 11] = [
    "observer-late.eml",
    "recursion.eml",
    "recursion-mutual.eml",
    "recursion-repaired.eml",
    "shop2.eml",
    "shop2-buy.eml",
    "shop2-methods.eml",
    "shop3.eml",
    "shop3-buy.eml",
    "shop3-methods.eml",
    "workers.eml",
];

/// Models of these for which the search takes minutes, and whose queries have the answers of their smaller versions.
const HAVE_A_THIRD_CUSTOMER: [&str; 3] = ["shop3.eml", "shop3-buy.eml", "shop3-methods.eml"];

/// Returns the folder of the models.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// Returns the names of the models with this extension, sorted.
fn names(extension: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut names: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .map(|path| path.file_name().expect("it has an extension").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The statement of a header about one set of queries.
struct Expectation {
    /// A unit mode, `races`, `deadlocks`, or a file of automata.
    asked: String,
    /// `None` without a stated number: then no query is violated.
    queries: Option<usize>,
    violations: usize,
    /// The violations, if they are listed.
    listed: Vec<String>,
}

impl Expectation {
    /// Returns all queries of the statement.
    fn all_queries(&self, model: &Model) -> Vec<Query> {
        match self.asked.as_str() {
            "both" => pattern_queries(model, UnitMode::Both),
            "first" => pattern_queries(model, UnitMode::First),
            "races" => Selection::default().queries(model, &[Arc::new(Property::race())]).expect("nothing is named"),
            "deadlocks" => {
                let asked = Selection::default().ask_with_deadlocks(model, &[]).expect("nothing is named");
                let mut deadlocks = asked.deadlocks(&Limits::default()).expect("they are asked");
                let queries = deadlocks.by_ref().collect();
                assert_eq!(deadlocks.ended(), None);
                queries
            }
            file => {
                let automata = load_automata(&folder().join(file)).unwrap_or_else(|error| panic!("{error}"));
                let properties: Vec<_> = automata.into_iter().map(Property::of_automaton).map(Arc::new).collect();
                Selection::default().queries(model, &properties).expect("nothing is named")
            }
        }
    }
}

/// A model with the statements of its header.
struct Example {
    name: String,
    model: Model,
    expectations: Vec<Expectation>,
}

impl Example {
    fn read(name: String) -> Self {
        let path = folder().join(&name);
        let mut loaded = load(&path).unwrap_or_else(|error| panic!("{error}"));
        loaded.add_warnings(lock_warnings(&loaded.model, &Limits::default()));
        let Loaded { model, warnings, .. } = loaded;
        let text = std::fs::read_to_string(path).expect("it was read before");
        let mut expectations = expectations(&name, &text);
        for asked in ["races", "deadlocks"] {
            if !expectations.iter().any(|stated| stated.asked == asked) {
                let asked = asked.to_string();
                expectations.push(Expectation { asked, queries: None, violations: 0, listed: Vec::new() });
            }
        }
        // A model about locks needs no units and is checked once.
        let is_meant = |warning: &Warning| warning.is_about_patterns() && expectations[0].violations == 0;
        let warnings: Vec<_> = warnings.iter().filter(|warning| !is_meant(warning)).collect();
        let is_told = text.contains("\n// A warning: ");
        assert_eq!(warnings.is_empty(), !is_told, "{name}: {warnings:?}");
        Self { name, model, expectations }
    }
}

/// Returns all models.
fn examples() -> Vec<Example> {
    names("eml").into_iter().map(Example::read).collect()
}

/// Reads `// expect ASKED: M of N violated` and the lines `//   QUERY` below it.
fn expectations(name: &str, text: &str) -> Vec<Expectation> {
    let mut found: Vec<Expectation> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        if let Some(stated) = line.strip_prefix(" expect ") {
            found.push(expectation(stated).unwrap_or_else(|| panic!("{name}: {line}")));
        } else if let (Some(query), Some(last)) = (line.strip_prefix("   "), found.last_mut()) {
            last.listed.push(query.to_string());
        } else {
            assert!(found.is_empty(), "{name}: the header ends with what is expected, not with {line}");
        }
    }
    for stated in &found {
        let listed = if stated.violations <= LISTED { stated.violations } else { 0 };
        assert_eq!(stated.listed.len(), listed, "{name}: violations listed for {}", stated.asked);
    }
    found
}

fn expectation(stated: &str) -> Option<Expectation> {
    let (asked, counts) = stated.split_once(": ")?;
    let (violations, queries) = counts.strip_suffix(" violated")?.split_once(" of ")?;
    Some(Expectation {
        asked: asked.to_string(),
        queries: Some(queries.parse().ok()?),
        violations: violations.parse().ok()?,
        listed: Vec::new(),
    })
}

/// Returns the violated queries of an engine in the format of the headers: in order, without a gap for a missing
/// location.
fn violated(model: &Model, queries: &[Query], engine: Engine) -> Vec<String> {
    let options = Options::default().with_engine(engine);
    let outcomes = check_all(model, queries, &options, |_, _| {}).unwrap_or_else(|error| panic!("{engine}: {error}"));
    let violated = queries.iter().zip(outcomes).filter(|(query, outcome)| match outcome.verdict {
        Verdict::Safe => false,
        Verdict::Violation(_) => true,
        Verdict::Unknown(reason) => panic!("{engine}: {} is not decided: {reason}", describe(model, query)),
    });
    violated.map(|(query, _)| written(model, query)).collect()
}

/// Returns a query in the format of the headers.
fn written(model: &Model, query: &Query) -> String {
    let locks: Vec<_> = query.locks().iter().map(|id| model.lock(*id).name()).collect();
    let query = describe(model, query).replacen("  ", &format!(" {} ", locks.join(",")), 1);
    query.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the engines that encode models decide the model: all but one, whose locks are not nested, since a thread
/// waits on an outer lock.
fn is_encoded(example: &Example, _: &Expectation) -> bool {
    example.name != "wait-nested.eml"
}

/// Checks some of the expectations with an engine that decides all queries.
fn check(engine: Engine, chosen: impl Fn(&Example, &Expectation) -> bool) {
    for example in examples() {
        for stated in example.expectations.iter().filter(|stated| chosen(&example, stated)) {
            let queries = stated.all_queries(&example.model);
            let found = violated(&example.model, &queries, engine);
            let place = format!("{} with {engine}, {}", example.name, stated.asked);
            let count = stated.queries.unwrap_or(queries.len());
            assert_eq!((queries.len(), found.len()), (count, stated.violations), "{place}: {found:#?}");
            if !stated.listed.is_empty() {
                assert_eq!(found, stated.listed, "{place}");
            }
        }
    }
}

fn is_about_patterns(stated: &Expectation) -> bool {
    ["both", "first"].contains(&stated.asked.as_str())
}

#[test]
fn symbolic_decides_the_patterns() {
    check(Engine::Symbolic, |example, stated| is_encoded(example, stated) && is_about_patterns(stated));
}

#[test]
fn symbolic_decides_the_automata() {
    check(Engine::Symbolic, |example, stated| is_encoded(example, stated) && !is_about_patterns(stated));
}

#[test]
fn explicit_decides_all() {
    check(Engine::Explicit, is_encoded);
}

#[test]
fn interleave_decides_most() {
    check(Engine::Interleave, |example, _| !TOO_MUCH_FOR_THE_SEARCH.contains(&example.name.as_str()));
}

/// Violations are found soon if only the needed instances run.
#[test]
fn interleave_confirms_violations_of_the_others() {
    let bounds = Bounds { instances: 4, ..Bounds::default() };
    let options = Options::default().with_engine(Engine::Interleave).with_bounds(bounds);
    for name in TOO_MUCH_FOR_THE_SEARCH.into_iter().filter(|name| !HAVE_A_THIRD_CUSTOMER.contains(name)) {
        let example = Example::read(name.to_string());
        for stated in &example.expectations {
            let mut queries = stated.all_queries(&example.model);
            if !is_encoded(&example, stated) {
                continue;
            }
            let found: BTreeSet<_> = violated(&example.model, &queries, Engine::Explicit).into_iter().collect();
            queries.retain(|query| found.contains(&written(&example.model, query)));
            let confirmed = violations_with(&example.model, &queries, &options);
            assert_eq!(confirmed.len(), stated.violations, "{name}, {}", stated.asked);
        }
    }
}

#[test]
fn every_model_states_both_unit_modes_first() {
    for example in examples() {
        let asked: Vec<_> = example.expectations.iter().map(|stated| stated.asked.as_str()).collect();
        assert!(asked.starts_with(&["both", "first"]), "{}: {asked:?}", example.name);
    }
}

#[test]
fn every_automaton_is_asked() {
    let examples = examples();
    let asked = examples.iter().flat_map(|example| &example.expectations).map(|stated| stated.asked.as_str());
    let asked: BTreeSet<_> = asked.collect();
    for name in names("phases") {
        assert!(asked.contains(name.as_str()), "{name}");
    }
}

/// The table of the models has one row for each, with its size and its verdicts.
#[test]
fn the_table_is_right() {
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("it is there");
    let is_row = |line: &&str| line.starts_with("| `") && line.contains(".eml`");
    let rows: Vec<Vec<_>> =
        readme.lines().filter(is_row).map(|line| line.split('|').map(str::trim).collect()).collect();
    let mut named: Vec<_> = rows.iter().map(|row| row[1].trim_matches('`').to_string()).collect();
    named.sort();
    assert_eq!(named, names("eml"));
    for row in rows {
        let example = Example::read(row[1].trim_matches('`').to_string());
        assert_eq!(row[4..11], columns(&example), "{}", example.name);
    }
}

/// Returns the columns of the table that follow from a model: lines, processes, locks, locations, violations in both
/// modes with the number of queries, and those of automata.
fn columns(example: &Example) -> [String; 7] {
    let Example { name, model, expectations } = example;
    let text = std::fs::read_to_string(folder().join(name)).expect("it was read before");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    let [lines, processes, locks, locations] =
        [lines, model.processes().len(), model.locks().len(), model.locations().len()].map(|count| count.to_string());
    let ratio = |stated: &Expectation| Some(format!("{} of {}", stated.violations, stated.queries?));
    let [both, first, others @ ..] = &expectations[..] else { panic!("{name} states both unit modes") };
    let others = others.iter().filter_map(|stated| Some(format!("{}: {}", stated.asked, ratio(stated)?)));
    let others: Vec<_> = others.collect();
    let [both, first] = [both, first].map(|stated| ratio(stated).expect("both are counted"));
    [lines, processes, locks, locations, both, first, others.join(", ")]
}
