//! The engines that others are compared with, on random models; every violation is replayed on the way.

use crate::differential::compare_within;
use asercheck::phases::UnitMode;
use asercheck::{Engine, Limits, Options, Reason, Verdict, model};
use asercheck_bench::compare::pattern_queries;
use asercheck_bench::random::Shape;
use std::time::Duration;

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
    assert!(outcomes.iter().all(|outcome| outcome.time < Duration::from_secs(3)), "the limit is kept");
}
