//! Engines against each other on random models; every violation is replayed on the way. A longer run is the command
//! `cargo run --release -p asercheck-bench --bin campaign`.

use asercheck::phases::UnitMode;
use asercheck::{Bounds, Engine, Limits, Options, Reason, Verdict, model};
use asercheck_bench::compare::{Comparison, compare, pattern_queries};
use asercheck_bench::random::{self, Shape};
use std::time::Duration;

/// Compares engines on the models of these seeds.
fn compare_seeds(seeds: std::ops::Range<u64>, engines: &[Engine], shape: impl Fn(u64) -> Shape) -> Comparison {
    compare_within(Limits::default(), seeds, engines, shape)
}

/// The same with limits; queries that reach them count as open.
fn compare_within(
    limits: Limits,
    seeds: std::ops::Range<u64>,
    engines: &[Engine],
    shape: impl Fn(u64) -> Shape,
) -> Comparison {
    let mut total = Comparison::default();
    let bounds = Bounds { states: 15_000, ..Bounds::default() };
    let options = Options { bounds, limits, ..Options::default() };
    for seed in seeds {
        let text = random::model(seed, &shape(seed));
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        for units in [UnitMode::Both, UnitMode::First] {
            let queries = pattern_queries(&model, units);
            let found = compare(&model, &queries, engines, &options)
                .unwrap_or_else(|error| panic!("seed {seed}, {units:?}: {error}\n{text}"));
            assert_eq!(found.disagreements, [""; 0], "seed {seed}, {units:?}\n{text}");
            total.add(found);
        }
    }
    total
}

#[test]
fn symbolic_against_interleaving_search() {
    let engines = [Engine::Symbolic, Engine::Interleave];
    let total = compare_seeds(1_000_000..1_000_200, &engines, Shape::of_seed);
    assert!(total.violations > 200 && total.decided > 10 * total.violations, "both verdicts occur: {total:?}");
}

#[test]
fn explicit_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Interleave];
    let total = compare_seeds(2_000_000..2_000_200, &engines, Shape::of_seed);
    assert!(total.violations > 200 && total.decided > 10 * total.violations, "both verdicts occur: {total:?}");
}

#[test]
fn explicit_against_symbolic_with_more_locks() {
    let shape = |seed| Shape { locks: 4, statements: 10, functions: 4, starts: seed % 8 == 0, ..Shape::of_seed(seed) };
    let total = compare_seeds(3_000_000..3_000_040, &[Engine::Explicit, Engine::Symbolic], shape);
    assert!(total.violations > 200 && total.decided > 3 * total.violations, "both verdicts occur: {total:?}");
}

#[test]
fn kahlon_gupta_against_interleaving_search() {
    let limits = Limits { timeout: Some(Duration::from_secs(5)), ..Limits::default() };
    let engines = [Engine::KahlonGupta, Engine::Interleave];
    let total = compare_within(limits, 5_000_000..5_000_040, &engines, Shape::of_seed);
    assert!(total.violations > 40 && total.decided > 10 * total.violations, "both verdicts occur: {total:?}");
}

#[test]
fn kahlon_gupta_against_explicit_with_starts() {
    let limits = Limits { timeout: Some(Duration::from_secs(5)), ..Limits::default() };
    let shape = |seed| Shape { starts: true, locks: 2, statements: 4, ..Shape::of_seed(seed) };
    let total = compare_within(limits, 6_000_000..6_000_020, &[Engine::KahlonGupta, Engine::Explicit], shape);
    assert!(total.violations > 10 && total.decided > 3 * total.violations, "both verdicts occur: {total:?}");
}

#[test]
fn cpds_against_explicit() {
    let limits = Limits { timeout: Some(Duration::from_millis(50)), ..Limits::default() };
    let shape = |seed| Shape { starts: seed % 4 == 0, ..Shape::of_seed(seed) };
    let total = compare_within(limits, 7_000_000..7_000_100, &[Engine::Cpds, Engine::Explicit], shape);
    assert!(total.violations > 100 && total.decided > 10 * total.violations, "both verdicts occur: {total:?}");
    assert!(total.open < total.decided / 10, "most queries are decided: {total:?}");
}

/// Loops make words of any length; where they can be passed in every order no prefix is enough for a proof.
#[test]
fn cpds_searches_until_its_time_is_up() {
    let text = "lock l; shared x, y;\nprocess P { loop { sync l { read x; } } atomic { read x; read y; } }\nprocess Q { loop { sync l { write y; } } sync l { write x; } }";
    let model = model::from_text("loops.eml", text).expect("a model").model;
    let queries = pattern_queries(&model, UnitMode::Both);
    let limits = Limits { timeout: Some(Duration::from_millis(300)), ..Limits::default() };
    let options = Options { engine: Engine::Cpds, limits, ..Options::default() };
    let outcomes = asercheck::check_all(&model, &queries, &options, |_, _| {}).expect("no fault");
    let count = |wanted: fn(&Verdict) -> bool| outcomes.iter().filter(|outcome| wanted(&outcome.verdict)).count();
    assert!(count(|verdict| *verdict == Verdict::Unknown(Reason::Timeout)) > 0, "some are never decided");
    assert!(count(|verdict| *verdict == Verdict::Safe) > 0, "some are proved by prefixes");
    assert!(outcomes.iter().all(|outcome| outcome.time < Duration::from_millis(800)), "the limit is kept");
}

#[test]
fn processes_that_cannot_take_part_change_nothing() {
    for seed in 4_000_000..4_000_100 {
        let shape = Shape { processes: 3, statements: 3, starts: seed % 2 == 0, ..Shape::of_seed(seed) };
        let text = random::model(seed, &shape);
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        let queries = pattern_queries(&model, UnitMode::Both);
        let run = |everyone| {
            let bounds = Bounds { states: 5_000, everyone, ..Bounds::default() };
            let options = Options { engine: Engine::Interleave, bounds, ..Options::default() };
            asercheck::check_all(&model, &queries, &options, |_, _| {})
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
        };
        use Verdict::{Safe, Unknown, Violation};
        for (few, all) in run(false).iter().zip(&run(true)) {
            let agree = match (&few.verdict, &all.verdict) {
                (Unknown(_), _) | (_, Unknown(_)) | (Safe, Safe) | (Violation(_), Violation(_)) => true,
                (Safe, Violation(_)) | (Violation(_), Safe) => false,
            };
            assert!(agree, "seed {seed}\n{text}");
        }
    }
}
