//! The engines for comparison, on random models; every violation is replayed.

use crate::suite::differential::{check_decided, compare_within};
use asercheck::phases::UnitMode;
use asercheck::{Engine, Limits, Options, Reason, Verdict, model};
use asercheck_bench::compare::{Comparison, pattern_queries};
use generate::random::Shape;
use std::time::Duration;

#[test]
fn kahlon_gupta_against_interleaving_search() {
    let limits = Limits::default().with_timeout(Duration::from_secs(5));
    let engines = [Engine::KahlonGupta, Engine::Interleave];
    let total = compare_within(limits, 5_000_000..5_000_040, &engines, Shape::of_seed);
    check_decided(&total, 40, 9);
}

#[test]
fn kahlon_gupta_against_explicit_with_starts() {
    let limits = Limits::default().with_timeout(Duration::from_secs(5));
    let shape = |seed| Shape { starts: true, locks: 2, statements: 4, ..Shape::of_seed(seed) };
    let total = compare_within(limits, 6_000_000..6_000_020, &[Engine::KahlonGupta, Engine::Explicit], shape);
    check_decided(&total, 10, 2);
}

/// `cpds` never decides some queries, so its time limit is short, but longer on a busy machine.
#[test]
fn cpds_against_explicit() {
    let shape = |seed| Shape { starts: seed % 4 == 0, ..Shape::of_seed(seed) };
    let within = |milliseconds| {
        let limits = Limits::default().with_timeout(Duration::from_millis(milliseconds));
        compare_within(limits, 7_000_000..7_000_100, &[Engine::Cpds, Engine::Explicit], shape)
    };
    let is_conclusive = |total: &Comparison| 10 * total.open < total.decided;
    let mut total = within(50);
    for more in [250, 1250] {
        if !is_conclusive(&total) {
            total = within(more);
        }
    }
    assert!(total.violations > 100 && total.decided > 10 * total.violations, "both verdicts occur: {total:?}");
    assert!(is_conclusive(&total), "most queries are decided: {total:?}");
}

/// Loops produce words of any length; if they can be passed in every order, no prefix is enough for a proof.
#[test]
fn cpds_searches_until_its_time_is_up() {
    let text = "lock l; shared x, y;\nprocess P { loop { sync l { read x; } } atomic { read x; read y; } }\nprocess Q { loop { sync l { write y; } } sync l { write x; } }";
    let model = model::from_text("loops.eml", text).expect("a model").model;
    let queries = pattern_queries(&model, UnitMode::Both);
    let limits = Limits::default().with_timeout(Duration::from_millis(300));
    let options = Options::default().with_engine(Engine::Cpds).with_limits(limits);
    let outcomes = asercheck::check_all(&model, &queries, &options, |_, _| {}).expect("no fault");
    let count = |wanted: fn(&Verdict) -> bool| outcomes.iter().filter(|outcome| wanted(&outcome.verdict)).count();
    assert!(count(|verdict| *verdict == Verdict::Unknown(Reason::Timeout)) > 0, "some are never decided");
    assert!(count(|verdict| *verdict == Verdict::Safe) > 0, "some are proved by prefixes");
    assert!(outcomes.iter().all(|outcome| outcome.time < Duration::from_secs(3)), "the limit is kept");
}
