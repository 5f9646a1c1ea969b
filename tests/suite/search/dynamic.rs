//! Dynamic partial-order reduction if a thread is explored although one of its choices is not possible yet.

use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::query::Query;
use asercheck::{Bounds, Limits};
use asercheck_bench::compare::{automaton_queries, pattern_queries};
use asercheck_bench::search::{Compared, compare_variants, variants};
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use std::collections::BTreeMap;
use std::time::Duration;

/// Models from a long comparison in which a violation was missed: a thread has to wait with its choice until another
/// one releases a lock, or until the automaton has noticed an earlier event.
#[test]
fn a_choice_waits_for_what_is_not_possible_yet() {
    let of_locks = random::model(1_009_365, &Shape::of_seed(1_009_365));
    let overlapping = random::model(1_015_238, &Shape::with_overlap(1_015_238));
    for (seed, text, automata) in
        [(1_009_365, of_locks, lock_automata(1_009_365)), (1_015_238, overlapping, automata(1_015_238))]
    {
        let model = model::from_text("random.eml", &text).expect("it is a model").model;
        finds_all(seed, &text, &model, automaton_queries(&model, automata));
    }
}

/// A lock that changes hands orders events. Without this order, all threads but the sleeping ones are explored, and a
/// violation is still missed.
#[test]
fn a_lock_that_changes_hands_orders_events() {
    let seed = 9_001_926;
    let text = random::model(seed, &Shape::with_modes(seed));
    let model = model::from_text("random.eml", &text).expect("it is a model").model;
    finds_all(seed, &text, &model, pattern_queries(&model, UnitMode::Both));
}

/// Asks all dynamic variants some queries of a model: none misses a violation, and some find one.
fn finds_all(seed: u64, text: &str, model: &Model, mut queries: Vec<Query>) {
    let bounds = Bounds { states: 4_000, instances: 5, stack: 8, ..Bounds::default() };
    let limits = Limits::default().with_timeout(Duration::from_secs(20));
    let mut dynamic = variants();
    dynamic.retain(|variant| variant.name.contains("dynamic"));
    fastrand::Rng::with_seed(seed).shuffle(&mut queries);
    queries.truncate(6);
    let mut tallies = BTreeMap::new();
    let compared = (Compared::alike(bounds), &limits);
    let found = compare_variants(model, &queries, &dynamic, compared, &mut tallies).expect("it is decided");
    assert_eq!(found, [""; 0], "seed {seed}\n{text}");
    assert!(tallies["dynamic, all"].violations > 0, "seed {seed}: {tallies:?}");
}
