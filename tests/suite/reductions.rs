//! Reductions on models made for them, since random models seldom have such functions.

use crate::suite::support::{pattern_queries, violations_with};
use asercheck::phases::UnitMode;
use asercheck::{Engine, Options, Reduction, Reductions, model};

/// Checks the number of violated patterns under every set of reductions.
fn check(text: &str, expected: usize) {
    let model = model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
    let queries = pattern_queries(&model, UnitMode::Both);
    let one_less = Reduction::ALL.map(|reduction| Reductions::all().without(reduction));
    for reductions in one_less.into_iter().chain([Reductions::all(), Reductions::none()]) {
        for engine in [Engine::Explicit, Engine::Symbolic] {
            let options = Options::default().with_engine(engine).with_reductions(reductions);
            let found = violations_with(&model, &queries, &options);
            assert_eq!(found.len(), expected, "{engine}, {reductions:?}: {found:?}\n{text}");
        }
    }
}

#[test]
fn calls_that_never_return() {
    check("shared x; fn never() { call never; } process P * 2 { atomic { read x; call never; write x; } }", 0);
    let text = "shared x; fn first() { call second; } fn second() { skip; call first; }
                process P * 2 { atomic { read x; choose { call first; write x; } or { } } }";
    check(text, 0);
}

#[test]
fn calls_that_may_return() {
    let text = "shared x; fn some() { choose { call some; call some; } or { } }
                process P * 2 { atomic { read x; call some; write x; } }";
    check(text, 1);
}

#[test]
fn functions_that_only_call() {
    let text = "shared x; fn inner() { read x; } fn outer() { call inner; }
                process P { atomic { call outer; call outer; } } process Q { write x; }";
    check(text, 1);
    let text = "lock l; shared x; fn locked() { sync l { skip; } } fn outer() { call locked; }
                process P { atomic { read x; call outer; read x; } } process Q { sync l { write x; } }";
    check(text, 1);
}

#[test]
fn processes_that_hold_locks_of_their_callers_when_they_are_done() {
    let text = "lock l; shared x; fn touch() { write x; skip; }
                process P { atomic { read x; sync l { skip; } read x; } } process Q { sync l { call touch; } }";
    check(text, 1);
}

/// The inner lock is used by one process only, so it is left out; the outer lock is held nevertheless.
#[test]
fn processes_that_hold_a_lock_around_one_that_is_left_out() {
    let text = "lock a, b, c; shared x;
                process P { sync c { } atomic { read x; sync a { write x; } } }
                process Q { sync a { sync b { write x; choose { sync c { } } or { } } } }";
    check(text, 1);
}
