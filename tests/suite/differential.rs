//! Engines against each other on random models; every violation is replayed. A longer run is the command `cargo run
//! --release -p asercheck-bench --bin campaign`.

use asercheck::model::Model;
use asercheck::phases::UnitMode;
use asercheck::query::Query;
use asercheck::{Bounds, Engine, Limits, Options, model};
use asercheck_bench::compare::{Comparison, automaton_queries, compare, pattern_queries, reductions};
use generate::automata::automata;
use generate::random::{self, Shape};
use generate::seeds;
use std::ops::Range;
use std::time::Duration;

/// Compares engines on some queries of the models of these seeds; queries that reach a limit count as open.
pub fn compare_queries(
    limits: Limits,
    seeds: Range<u64>,
    engines: &[Engine],
    shape: impl Fn(u64) -> Shape,
    queries: impl Fn(&Model, u64) -> Vec<Query>,
) -> Comparison {
    let mut total = Comparison::default();
    let bounds = Bounds { states: 15_000, ..Bounds::default() };
    for seed in seeds::taken(seeds) {
        let text = random::model(seed, &shape(seed));
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        let limits = limits.clone();
        let options = Options::default().with_bounds(bounds).with_limits(limits).with_reductions(reductions(seed));
        let found = compare(&model, &queries(&model, seed), engines, &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(found.disagreements, [""; 0], "seed {seed}\n{text}");
        total.add(found);
    }
    total
}

/// Returns limits of this number of seconds for a query.
pub fn decided_with(seconds: u64) -> Limits {
    Limits::default().with_timeout(Duration::from_secs(seconds))
}

/// Checks that a comparison is meaningful: there are violations and proofs, engines without bounds decide everything,
/// and the others leave at most a tenth of the queries open.
pub fn check_decided(total: &Comparison, violations: usize, safe_to_violations: usize) {
    println!("{total:?}");
    assert!(total.violations > seeds::least(violations), "violations occur: {total:?}");
    assert!(total.decided > (safe_to_violations + 1) * total.violations, "proofs occur: {total:?}");
    assert!(10 * total.open <= total.decided + total.open, "most queries are decided: {total:?}");
    for engine in [Engine::Explicit, Engine::Symbolic] {
        assert_eq!(total.open_of.get(engine.name()), None, "{engine} decides all queries: {total:?}");
    }
}

/// Compares engines on the patterns, in both unit modes.
fn compare_seeds(seeds: Range<u64>, engines: &[Engine], shape: impl Fn(u64) -> Shape) -> Comparison {
    compare_within(Limits::default(), seeds, engines, shape)
}

/// Compares engines on the patterns within limits.
pub fn compare_within(
    limits: Limits,
    seeds: Range<u64>,
    engines: &[Engine],
    shape: impl Fn(u64) -> Shape,
) -> Comparison {
    let queries = |model: &Model, _| {
        [UnitMode::Both, UnitMode::First].into_iter().flat_map(|units| pattern_queries(model, units)).collect()
    };
    compare_queries(limits, seeds, engines, shape, queries)
}

#[test]
fn symbolic_against_interleaving_search() {
    let engines = [Engine::Symbolic, Engine::Interleave];
    let total = compare_seeds(1_000_000..1_000_200, &engines, Shape::of_seed);
    check_decided(&total, 200, 9);
}

#[test]
fn explicit_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Interleave];
    let total = compare_seeds(2_000_000..2_000_200, &engines, Shape::of_seed);
    check_decided(&total, 200, 9);
}

#[test]
fn explicit_against_symbolic_with_more_locks() {
    let shape = |seed| Shape { locks: 4, statements: 10, functions: 4, starts: seed % 8 == 0, ..Shape::of_seed(seed) };
    let total = compare_seeds(3_000_000..3_000_040, &[Engine::Explicit, Engine::Symbolic], shape);
    check_decided(&total, 200, 2);
}

#[test]
fn automata_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Symbolic, Engine::Interleave];
    let queries = |model: &Model, seed| automaton_queries(model, automata(seed));
    let shape = |seed| Shape { statements: 4, ..Shape::of_seed(seed) };
    let total = compare_queries(Limits::default(), 5_000_000..5_000_150, &engines, shape, queries);
    check_decided(&total, 200, 1);
}

#[test]
fn starts_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Interleave];
    let shape = |seed| Shape { processes: 3, locks: 1, statements: 4, starts: true, ..Shape::of_seed(seed) };
    let queries = |model: &Model, _| pattern_queries(model, UnitMode::Both);
    let total = compare_queries(Limits::default(), 6_000_000..6_000_150, &engines, shape, queries);
    check_decided(&total, 50, 9);
}

#[test]
fn processes_that_cannot_take_part_change_nothing() {
    let (mut decided, mut open) = (0, 0);
    for seed in 4_000_000..4_000_100 {
        let shape = Shape { processes: 3, statements: 3, starts: seed % 2 == 0, ..Shape::of_seed(seed) };
        let text = random::model(seed, &shape);
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        let queries = pattern_queries(&model, UnitMode::Both);
        let run = |everyone| {
            let bounds = Bounds { states: 5_000, everyone, ..Bounds::default() };
            let options = Options::default().with_engine(Engine::Interleave).with_bounds(bounds);
            asercheck::check_all(&model, &queries, &options, |_, _| {})
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
        };
        use asercheck::Verdict::{Safe, Unknown, Violation};
        for (few, all) in run(false).iter().zip(&run(true)) {
            match (&few.verdict, &all.verdict) {
                (Unknown(_), _) | (_, Unknown(_)) => open += 1,
                (Safe, Safe) | (Violation(_), Violation(_)) => decided += 1,
                (Safe, Violation(_)) | (Violation(_), Safe) => panic!("seed {seed}\n{text}"),
            }
        }
    }
    println!("{decided} decided, {open} open");
    assert!(decided > 3 * open && decided > 1_000, "{decided} decided, {open} open");
}
