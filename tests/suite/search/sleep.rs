//! Sleep sets if a step leads a thread back to its earlier local state.

use asercheck::model;
use asercheck::phases;
use asercheck::{Bounds, Limits};
use asercheck_bench::compare::automaton_queries;
use asercheck_bench::search::{Compared, compare_variants, variants};
use std::collections::BTreeMap;

/// A thread stays in its local state or leaves it, with the same effect, and has to stay before it leaves. The
/// alternatives of a step must not sleep after that step, though the effects pass each other.
#[test]
fn alternatives_of_a_step_do_not_sleep_after_it() {
    let loops = [
        "loop { choose { write x; } or { write x; break; } } write y;",
        "loop { choose { write x; break; } or { write x; } } write y;",
        "again: choose { write x; goto again; } or { write x; } write y;",
        "again: choose { write x; } or { write x; goto again; } write y;",
    ];
    let automaton =
        "automaton twice(P; x, y) { q0: on P write x -> q1; q1: on P write x -> q2; q2: on P write y -> q3; }";
    for text in loops {
        let model = format!("shared x, y; process P {{ {text} }} process Q {{ read y; }}");
        let model = model::from_text("sleep.eml", &model).expect("it is a model").model;
        let queries = automaton_queries(&model, phases::parse(automaton).expect("it is an automaton"));
        let mut tallies = BTreeMap::new();
        let compared = (Compared::alike(Bounds::default()), &Limits::default());
        let found = compare_variants(&model, &queries, &variants(), compared, &mut tallies).expect("it is decided");
        assert_eq!(found, [""; 0], "{text}");
        assert!(tallies["plain"].violations > 0, "{text}: {tallies:?}");
    }
}
