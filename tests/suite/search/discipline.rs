//! The assumed locking discipline, if the assumption keeps other threads from violating it.

use asercheck::model::{self, Model};
use asercheck::phases::{self, UnitMode};
use asercheck::query::Query;
use asercheck::{Bounds, Limits};
use asercheck_bench::compare::{automaton_queries, pattern_queries};
use asercheck_bench::search::{Compared, compare_variants, variants};
use std::collections::BTreeMap;

/// If `Locked` goes on alone, the automaton comes to a phase that forbids the unit of `Other` to begin. So `Other`
/// never executes the access that violates the discipline; it is only about to do so.
#[test]
fn pending_accesses_violate_the_discipline() {
    let text = "lock l; shared x;
        fn f() { sync l { atomic { write x; } } }
        process Locked { loop { call f; } }
        process Other { begin; end; }";
    let model = model::from_text("about.eml", text).expect("it is a model").model;
    let automaton = "automaton later(T0, T1; ) { q0: on T0 end -> q1; q1: forbid T1 begin; on T1 end -> q2; }";
    let queries = automaton_queries(&model, phases::parse(automaton).expect("it is an automaton"));
    finds_what_the_plain_search_finds(&model, &queries);
}

/// Two threads that hold a lock in read mode do not exclude each other, so it protects nothing.
#[test]
fn a_lock_in_read_mode_protects_nothing() {
    let text = "rwlock r; shared x;
        process P { sync read r { atomic { read x; write x; } } }
        process Q { sync read r { write x; } }";
    let model = model::from_text("read.eml", text).expect("it is a model").model;
    let queries = pattern_queries(&model, UnitMode::First);
    finds_what_the_plain_search_finds(&model, &queries);
}

/// The same violations are found with and without the assumption, and there are some.
fn finds_what_the_plain_search_finds(model: &Model, queries: &[Query]) {
    let mut optimistic = variants();
    optimistic.retain(|variant| variant.name.contains("optimistic") || variant.name == "plain");
    let mut tallies = BTreeMap::new();
    let compared = (Compared::alike(Bounds::default()), &Limits::default());
    let found = compare_variants(model, queries, &optimistic, compared, &mut tallies).expect("it is decided");
    assert_eq!(found, [""; 0]);
    assert_eq!(tallies["optimistic"].violations, tallies["plain"].violations, "{tallies:?}");
    assert!(tallies["plain"].violations > 0, "{tallies:?}");
}
