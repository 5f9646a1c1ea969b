//! Automata with events for wanting locks.

use crate::suite::differential::{compare_queries, decided_with};
use crate::suite::modes::{automaton, violated_of};
use asercheck::model::Model;
use asercheck::phases::{Exclusion, deadlock, races};
use asercheck::query::Selection;
use asercheck::{Engine, model};
use asercheck_bench::compare::automaton_queries;
use generate::automata::lock_automata;
use generate::random::Shape;

/// Whether Q can begin a unit while P stands right before an acquisition of `a` and holds `b`.
fn wants(model: &str, holding: &str) -> bool {
    let phases = format!("q1: on P wants {holding} -> q2; q2: forbid P step; on Q begin -> q3;");
    let text = format!("automaton t(P, Q;; a, b) {{ {phases} }}");
    !violated_by(model, &text).is_empty()
}

/// Returns the violations by P and a Q that begins a unit, with the locks a and b.
fn violated_by(text: &str, automaton_text: &str) -> Vec<String> {
    violated_of(&format!("{text} process Q {{ atomic {{ }} }}"), &automaton(automaton_text), &bindings(&["a", "b"]))
}

/// Selects the processes P and Q and these locks.
fn bindings(locks: &[&str]) -> Selection {
    let names = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect());
    Selection { processes: names(&["P", "Q"]), locks: names(locks), ..Selection::default() }
}

#[test]
fn held_locks_count_when_a_lock_is_wanted() {
    let plain =
        |body: &str| wants(&format!("lock a; lock b; fn f() {{ sync a {{ }} }} process P {{ {body} }}"), "a holding b");
    assert!(plain("sync b { sync a { } }"));
    assert!(plain("sync b { call f; }"), "the function does not use b");
    assert!(plain("sync b { skip; } sync b { call f; } call f;"));
    assert!(!plain("sync b { } call f;"));
    assert!(!plain("sync a { sync b { sync a { } } }"), "it has a already");
    assert!(!plain("sync a { sync b { call f; } }"), "it has a already");
    assert!(plain("sync a { sync b { } } sync b { sync a { } }"));
    assert!(plain("sync a { sync b { wait a; } }"), "it wants it back");
    assert!(!plain("sync a { sync b { wait b; } }"));
}

#[test]
fn modes_count_when_a_lock_is_wanted() {
    let modes = |body: &str, holding: &str| wants(&format!("rwlock a; rwlock b; process P {{ {body} }}"), holding);
    let nested = |outer: &str, inner: &str| format!("sync {outer} b {{ sync {inner} a {{ }} }}");
    for (outer, inner) in [("read", "read"), ("read", "write"), ("write", "read"), ("write", "write")] {
        let body = nested(outer, inner);
        assert!(modes(&body, "a holding b"), "{body}");
        for (held, wanted) in [("read", "read"), ("read", "write"), ("write", "read"), ("write", "write")] {
            let is_meant = (held, wanted) == (outer, inner);
            assert_eq!(modes(&body, &format!("{wanted} a holding {held} b")), is_meant, "{body}: {wanted} {held}");
        }
    }
    // A thread that holds the lock in read mode and acquires it in write mode does not want it: it waits for ever.
    let upgrade = "sync read b { sync read a { sync write a { } } }";
    assert!(!modes(upgrade, "write a holding b"));
    assert!(!modes("sync write b { sync write a { sync read a { } } }", "read a holding b"));
    let below_a_write = "sync write b { sync read b { sync write a { } } }";
    assert!(modes(below_a_write, "write a holding write b") && !modes(below_a_write, "write a holding read b"));
}

#[test]
fn wanting_can_be_forbidden() {
    let forbids = |body: &str, forbidden: &str| {
        let text = format!(
            "automaton t(P, Q; x; a, b) {{ q1: forbid {forbidden}; on Q begin -> q2; q2: forbid {forbidden}; on P write x -> q3; }}"
        );
        let model = format!("lock a, b; shared x; fn f() {{ sync a {{ }} }} process P {{ {body} write x; }}");
        violated_by(&model, &text).is_empty()
    };
    assert!(forbids("sync a { }", "P wants a"));
    assert!(!forbids("sync a { }", "P wants b"));
    assert!(forbids("call f;", "P wants a"));
    assert!(!forbids("choose { call f; } or { }", "P wants a"));
    assert!(!forbids("sync a { sync b { } }", "P wants a holding b, Q wants a"));
    assert!(forbids("sync a { sync b { } } sync b { sync a { } }", "P wants a holding b"));
    assert!(forbids("sync a { sync b { wait a; } }", "P wants a holding b"));
    assert!(forbids("sync a { }", "* wants a"));
}

#[test]
fn starters_obey_what_is_forbidden_to_all() {
    let starts = |body: &str, forbidden: &str| {
        let text = format!(
            "automaton t(P, Q;; a) {{ q1: forbid {forbidden}; on Q begin -> q2; q2: forbid {forbidden}; on P begin -> q3; }}"
        );
        let model = format!(
            "lock a; process P {{ atomic {{ }} }} process Q {{ atomic {{ }} }} process R {{ {body} start P; }}"
        );
        !violated_of(&model, &automaton(&text), &bindings(&["a"])).is_empty()
    };
    assert!(starts("sync a { }", "P wants a"));
    assert!(!starts("sync a { }", "* wants a"));
    assert!(starts("choose { sync a { } } or { }", "* wants a"));
}

#[test]
fn lock_events_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave];
    let shape = |seed| {
        let modes = if seed % 2 == 0 { Shape::with_modes(seed) } else { Shape::of_seed(seed) };
        Shape { statements: 4, starts: seed % 5 == 0, ..modes }
    };
    let queries = |model: &Model, seed| {
        let mut queries = automaton_queries(model, lock_automata(seed));
        fastrand::Rng::with_seed(seed).shuffle(&mut queries);
        queries.truncate(20);
        queries
    };
    let total = compare_queries(decided_with(2), 8_200_000..8_200_120, &engines, shape, queries);
    println!("{total:?}");
    assert!(total.violations > 50 && total.decided > total.violations, "{total:?}");
    assert!(5 * total.open <= total.decided, "{total:?}");
}

#[test]
fn races_and_deadlocks_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::KahlonGupta, Engine::Interleave];
    let shape = |seed| Shape { statements: 5, starts: seed % 3 == 0, ..Shape::with_modes(seed) };
    let exclusions = [Exclusion::Plain, Exclusion::HeldInWrite, Exclusion::WantedInWrite];
    let queries = |model: &Model, seed: u64| {
        let [first, second] = [seed, seed / 3].map(|number| exclusions[(number % 3) as usize]);
        let asked = races().iter().cloned().chain([deadlock(&[first, second])]).collect();
        automaton_queries(model, asked)
    };
    let total = compare_queries(decided_with(2), 8_300_000..8_300_120, &engines, shape, queries);
    println!("{total:?}");
    assert!(total.violations > 50 && total.decided > total.violations, "{total:?}");
    assert!(5 * total.open <= total.decided, "{total:?}");
}

/// The generated models can be read.
#[test]
fn random_models_contain_the_tested_operations() {
    let texts: Vec<_> = (0..40).map(|seed| generate::random::model(seed, &Shape::with_modes(seed))).collect();
    assert!(texts.iter().all(|text| model::from_text("random.eml", text).is_ok()));
    for word in ["wait ", "sync read ", "sync write "] {
        assert!(texts.iter().filter(|text| text.contains(word)).count() > 5, "{word}");
    }
}
