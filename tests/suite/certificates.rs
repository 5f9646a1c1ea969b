//! Certificates against the engines on random models: a query has a certificate if and only if it is safe.
//!
//! The procedure of certificates shares nothing with the engines but the syntax tree and the automata. The checker of
//! certificates has tests of its own.

use super::support;
use asercheck::certify::{Certificates, Unproved};
use asercheck::claim::claim;
use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::query::Query;
use asercheck::{Limits, Options, Verdict, check_all, syntax};
use asercheck_bench::compare::automaton_queries;
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use generate::{seeds, starts};
use limits::Meter;
use std::ops::Range;

#[derive(Debug, Default)]
struct Counts {
    certified: usize,
    refused: usize,
    /// Safe queries without a certificate.
    missing: Vec<String>,
}

/// Asks for certificates of all queries, and compares with the verdicts.
fn compare(name: &str, text: &str, queries: &[Query], model: &Model, units: UnitMode, counts: &mut Counts) {
    let program = syntax::parse(text).expect("the model was read");
    let mut certificates = Certificates::new(&program, units);
    let outcomes = check_all(model, queries, &Options::default(), |_, _| {}).expect("no internal error");
    for (query, outcome) in queries.iter().zip(outcomes) {
        let proved = certificates.add(&claim(model, query), &Meter::start(&Limits::default()));
        let describe = || format!("{name}: {}", support::describe(model, query));
        match (outcome.verdict, proved) {
            (Verdict::Violation(_), Ok(())) => panic!("a violated query has a certificate: {}\n{text}", describe()),
            (Verdict::Violation(_), Err(Unproved::NotRefuted | Unproved::Budget)) => counts.refused += 1,
            (Verdict::Safe, Ok(())) => counts.certified += 1,
            (Verdict::Safe, Err(reason)) => counts.missing.push(format!("{}: {reason}", describe())),
            (Verdict::Unknown(_), _) => {}
            (Verdict::Violation(_), Err(reason)) => panic!("{}: {reason}", describe()),
        }
    }
    let certified = certificates.len();
    let text = certificates.finish();
    assert!(text.lines().last().is_some_and(|line| line.starts_with(&format!("end {certified} "))), "{name}");
}

fn compare_seeds(
    seeds: Range<u64>,
    text: impl Fn(u64) -> String,
    queries: impl Fn(&Model, u64) -> Vec<Query>,
) -> Counts {
    let mut counts = Counts::default();
    for seed in seeds::taken(seeds) {
        let text = text(seed);
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        compare(&format!("seed {seed}"), &text, &queries(&model, seed), &model, UnitMode::Both, &mut counts);
    }
    println!("{} certified, {} refused, missing: {:?}", counts.certified, counts.refused, counts.missing);
    counts
}

fn patterns(model: &Model, _: u64) -> Vec<Query> {
    support::pattern_queries(model, UnitMode::Both)
}

#[test]
fn safe_queries_of_random_models_have_certificates() {
    let counts = compare_seeds(0..150, |seed| random::model(seed, &Shape::of_seed(seed)), patterns);
    assert!(counts.certified > seeds::least(1000) && counts.refused > seeds::least(100), "{counts:?}");
    assert_eq!(counts.missing, [""; 0]);
}

#[test]
fn read_write_locks_and_waiting_have_certificates() {
    let counts = compare_seeds(1000..1100, |seed| random::model(seed, &Shape::with_modes(seed)), patterns);
    assert!(counts.certified > seeds::least(500) && counts.refused > seeds::least(50), "{counts:?}");
    assert_eq!(counts.missing, [""; 0]);
}

/// The engines leave some of these to the search, and so does the proof rule.
#[test]
fn locks_that_overlap_have_certificates() {
    let counts = compare_seeds(0..100, |seed| random::model(seed, &Shape::with_overlap(seed)), patterns);
    assert!(counts.certified > seeds::least(500) && counts.refused > seeds::least(50), "{counts:?}");
    assert!(counts.missing.len() * 20 < counts.certified, "{counts:?}");
}

#[test]
fn starts_have_certificates() {
    let counts = compare_seeds(0..100, starts::model, patterns);
    assert!(counts.certified > seeds::least(500) && counts.refused > seeds::least(50), "{counts:?}");
    assert_eq!(counts.missing, [""; 0]);
}

fn asked_automata(model: &Model, seed: u64) -> Vec<Query> {
    let automata = if seed.is_multiple_of(2) { automata(seed) } else { lock_automata(seed) };
    automaton_queries(model, automata)
}

#[test]
fn automata_have_certificates() {
    let counts = compare_seeds(0..100, |seed| random::model(seed, &Shape::of_seed(seed)), asked_automata);
    assert!(counts.certified > seeds::least(500) && counts.refused > seeds::least(20), "{counts:?}");
    assert_eq!(counts.missing, [""; 0]);
}

/// Calls that never return, and locks that are wanted or must not be wanted.
#[test]
fn recursive_models_have_certificates() {
    let text = |seed| random::model(seed, &Shape { overlap: false, ..Shape::with_recursion(seed) });
    let counts = compare_seeds(7_100_060..7_100_180, text, asked_automata);
    assert!(counts.certified > seeds::least(500) && counts.refused > seeds::least(20), "{counts:?}");
    assert_eq!(counts.missing, [""; 0]);
}
