//! The example models, on every engine, against the verdicts that their headers state (`models/README.md`).

use crate::support::{describe, pattern_queries, violations, violations_with};
use asercheck::model::{Loaded, Model, load};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection, load_automata};
use asercheck::{Bounds, Engine, Options};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Up to so many violations, a header lists them.
const LISTED: usize = 16;

/// Models with safe queries that the search does not decide, or not soon: the stack, the number of instances or their
/// interleavings are too many. There it confirms the violations only.
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

/// Those of them that take the search minutes, and whose queries have the answers of their smaller forms.
const HAVE_A_THIRD_CUSTOMER: [&str; 3] = ["shop3.eml", "shop3-buy.eml", "shop3-methods.eml"];

/// The folder of the models.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// The names of the files in it with this extension, sorted.
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

/// What a header states about one set of queries.
struct Expectation {
    /// A unit mode, or a file of automata.
    asked: String,
    queries: usize,
    violations: usize,
    /// The violations, where they are listed.
    listed: Vec<String>,
}

impl Expectation {
    /// All queries that it is about.
    fn all_queries(&self, model: &Model) -> Vec<Query> {
        match self.asked.as_str() {
            "both" => pattern_queries(model, UnitMode::Both),
            "first" => pattern_queries(model, UnitMode::First),
            file => {
                let automata = load_automata(&folder().join(file)).unwrap_or_else(|error| panic!("{error}"));
                let properties: Vec<_> = automata.into_iter().map(Property::of_automaton).map(Arc::new).collect();
                Selection::default().queries(model, &properties).expect("nothing is named")
            }
        }
    }
}

/// A model with what its header states.
struct Example {
    name: String,
    model: Model,
    expectations: Vec<Expectation>,
}

impl Example {
    fn read(name: String) -> Self {
        let path = folder().join(&name);
        let Loaded { model, warnings, .. } = load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(warnings.is_empty(), "{name}: {}", warnings[0]);
        let text = std::fs::read_to_string(path).expect("it was read before");
        let expectations = expectations(&name, &text);
        Self { name, model, expectations }
    }
}

/// All models.
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
        queries: queries.parse().ok()?,
        violations: violations.parse().ok()?,
        listed: Vec::new(),
    })
}

/// The queries that an engine finds violated, as the headers write them: in order, without a gap for no location.
fn violated(model: &Model, queries: &[Query], engine: Engine) -> Vec<String> {
    let written = |query: String| query.split_whitespace().collect::<Vec<_>>().join(" ");
    violations(model, queries, engine).into_iter().map(written).collect()
}

/// Checks some of the expectations with an engine that decides all queries.
fn check(engine: Engine, chosen: impl Fn(&Example, &Expectation) -> bool) {
    for example in examples() {
        for stated in example.expectations.iter().filter(|stated| chosen(&example, stated)) {
            let queries = stated.all_queries(&example.model);
            let found = violated(&example.model, &queries, engine);
            let place = format!("{} with {engine}, {}", example.name, stated.asked);
            assert_eq!((queries.len(), found.len()), (stated.queries, stated.violations), "{place}: {found:#?}");
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
    check(Engine::Symbolic, |_, stated| is_about_patterns(stated));
}

#[test]
fn symbolic_decides_the_automata() {
    check(Engine::Symbolic, |_, stated| !is_about_patterns(stated));
}

#[test]
fn explicit_decides_all() {
    check(Engine::Explicit, |_, _| true);
}

#[test]
fn interleave_decides_most() {
    check(Engine::Interleave, |example, _| !TOO_MUCH_FOR_THE_SEARCH.contains(&example.name.as_str()));
}

/// Violations are found soon where only as many instances run as each of them needs.
#[test]
fn interleave_confirms_violations_of_the_others() {
    let bounds = Bounds { instances: 4, ..Bounds::default() };
    let options = Options::default().with_engine(Engine::Interleave).with_bounds(bounds);
    for name in TOO_MUCH_FOR_THE_SEARCH.into_iter().filter(|name| !HAVE_A_THIRD_CUSTOMER.contains(name)) {
        let example = Example::read(name.to_string());
        for stated in &example.expectations {
            let mut queries = stated.all_queries(&example.model);
            let found: BTreeSet<_> = violations(&example.model, &queries, Engine::Explicit).into_iter().collect();
            queries.retain(|query| found.contains(&describe(&example.model, query)));
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

/// The columns of the table that follow from a model: lines, processes, locks, locations, violations in both modes with
/// the number of queries, and those of automata.
fn columns(example: &Example) -> [String; 7] {
    let Example { name, model, expectations } = example;
    let text = std::fs::read_to_string(folder().join(name)).expect("it was read before");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    let [lines, processes, locks, locations] =
        [lines, model.processes().len(), model.locks().len(), model.locations().len()].map(|count| count.to_string());
    let ratio = |stated: &Expectation| format!("{} of {}", stated.violations, stated.queries);
    let [both, first, automata @ ..] = &expectations[..] else { panic!("{name} states both unit modes") };
    let automata: Vec<_> = automata.iter().map(|stated| format!("{}: {}", stated.asked, ratio(stated))).collect();
    [lines, processes, locks, locations, ratio(both), ratio(first), automata.join(", ")]
}
