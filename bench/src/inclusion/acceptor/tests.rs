//! Hand-written traces against models as text.

use super::{Acceptor, Access, Support, Symbol, Verdict};
use crate::inclusion::trace::Hold;
use asercheck::model::{Model, from_text};
use std::cell::Cell;
use std::collections::BTreeSet;

const LOCK: u32 = 7;
const OTHER: u32 = 8;

fn model(text: &str) -> Model {
    from_text("test", text).unwrap_or_else(|rejected| panic!("{rejected:?}")).model
}

fn names(model: &Model, locations: &[&str]) -> BTreeSet<asercheck::model::LocationId> {
    locations.iter().map(|name| model.location_named(name).expect("it is there")).collect()
}

fn access(model: &Model, location: &str, is_write: bool) -> Access {
    Access::new(names(model, &[location]), is_write)
}

fn read(model: &Model, location: &str) -> Symbol {
    Symbol::Access(access(model, location, false))
}

fn write(model: &Model, location: &str) -> Symbol {
    Symbol::Access(access(model, location, true))
}

fn take() -> Symbol {
    Symbol::Take(LOCK, Hold::Alone)
}

fn give() -> Symbol {
    Symbol::Give(LOCK, Hold::Alone)
}

/// Returns the verdict of a trace for the first process; the first lock is the object [`LOCK`].
fn accepts(model: &Model, trace: &[Symbol]) -> Verdict {
    accepts_with(model, &[Support::Objects(BTreeSet::from([LOCK]))], trace)
}

fn accepts_with(model: &Model, supports: &[Support], trace: &[Symbol]) -> Verdict {
    let body = model.processes()[0].body();
    Acceptor::new(model, supports, &Cell::new(usize::MAX)).accepts((body, false), trace)
}

const COUNTER: &str =
    "lock l; shared n, m; fn inc() { sync l { read n; write n; } } process P { atomic { call inc; } }";

#[test]
fn accesses_come_in_their_order() {
    let model = model(COUNTER);
    let both = [take(), read(&model, "n"), write(&model, "n"), give()];
    assert_eq!(accepts(&model, &both), Verdict::Included);
    // A path may have more accesses.
    assert_eq!(accepts(&model, &[take(), write(&model, "n"), give()]), Verdict::Included);
    let reversed = [take(), write(&model, "n"), read(&model, "n")];
    assert_eq!(accepts(&model, &reversed), Verdict::Missing(2));
    assert_eq!(accepts(&model, &[take(), read(&model, "m")]), Verdict::Missing(1));
}

/// A write that the model lacks is found.
#[test]
fn a_removed_write_is_missing() {
    let right = model("lock l; shared n; process P { atomic { sync l { read n; write n; } } }");
    let wrong = model("lock l; shared n; process P { atomic { sync l { read n; } } }");
    for (model, expected) in [(&right, Verdict::Included), (&wrong, Verdict::Missing(2))] {
        assert_eq!(accepts(model, &[take(), read(model, "n"), write(model, "n"), give()]), expected);
    }
}

/// A lock that only the model holds is found; a lock that only the program holds is allowed.
#[test]
fn a_removed_lock_is_missing() {
    let locked = model("lock l; shared n; process P { atomic { sync l { read n; write n; } } }");
    let bare = [read(&locked, "n"), write(&locked, "n")];
    assert_eq!(accepts(&locked, &bare), Verdict::Missing(0));
    let other = [Symbol::Take(OTHER, Hold::Alone), bare[0].clone()];
    assert_eq!(accepts(&locked, &other), Verdict::Missing(1));
    let open = model("lock l; shared n; process P { atomic { read n; write n; } }");
    assert_eq!(accepts(&open, &[take(), read(&open, "n"), write(&open, "n"), give()]), Verdict::Included);
}

#[test]
fn a_lock_that_is_given_back_between_accesses_is_given_back_in_the_model() {
    let model = model("lock l; shared n; process P { atomic { sync l { read n; write n; } } }");
    let trace = [take(), read(&model, "n"), give(), take(), write(&model, "n"), give()];
    // A path writes before it releases the lock, and not afterwards.
    assert_eq!(accepts(&model, &trace), Verdict::Missing(4));
    let twice = self::model("lock l; shared n; process P { atomic { sync l { read n; } sync l { write n; } } }");
    assert_eq!(accepts(&twice, &trace), Verdict::Included);
}

#[test]
fn reentrant_locks_are_held_until_the_last_release() {
    let model =
        model("lock l; shared n; fn f() { sync l { read n; } } process P { atomic { sync l { call f; write n; } } }");
    let trace = [take(), take(), read(&model, "n"), give(), write(&model, "n"), give()];
    assert_eq!(accepts(&model, &trace), Verdict::Included);
    let early = [take(), read(&model, "n"), give(), write(&model, "n")];
    assert_eq!(accepts(&model, &early), Verdict::Missing(3));
}

#[test]
fn a_lock_held_for_reading_is_no_lock_held_alone() {
    let model = model(
        "rwlock l; shared n; \
         process P { atomic { choose { sync read l { read n; } } or { sync write l { write n; } } } }",
    );
    let shared = Symbol::Take(LOCK, Hold::Shared);
    assert_eq!(accepts(&model, &[shared.clone(), read(&model, "n")]), Verdict::Included);
    assert_eq!(accepts(&model, &[shared, write(&model, "n")]), Verdict::Missing(1));
    assert_eq!(accepts(&model, &[take(), read(&model, "n")]), Verdict::Included);
}

#[test]
fn recursion_ends() {
    let model = model(
        "lock l; shared n; \
         fn f() { choose { call f; call f; } or { sync l { call f; } } or { read n; } or { } } \
         process P { atomic { call f; } }",
    );
    let trace = [read(&model, "n"), take(), read(&model, "n"), give(), read(&model, "n")];
    assert_eq!(accepts(&model, &trace), Verdict::Included);
    assert_eq!(accepts(&model, &[read(&model, "n"), write(&model, "n")]), Verdict::Missing(1));
}

#[test]
fn calls_return_to_their_callers() {
    let model = model(
        "lock l; shared n, a, b; fn f() { read n; } \
         process P { atomic { choose { call f; read a; } or { call f; call f; read b; } } }",
    );
    let [n, a, b] = ["n", "a", "b"].map(|name| read(&model, name));
    assert_eq!(accepts(&model, &[n.clone(), a.clone()]), Verdict::Included);
    assert_eq!(accepts(&model, &[n.clone(), n.clone(), b.clone()]), Verdict::Included);
    assert_eq!(accepts(&model, &[n.clone(), n.clone(), a]), Verdict::Missing(2));
    assert_eq!(accepts(&model, &[n.clone(), b.clone(), n]), Verdict::Missing(2));
}

#[test]
fn all_of_a_trace_is_in_one_unit() {
    let text = |body: &str| format!("lock l; shared n; process P {{ {body} }}");
    let whole = model(&text("atomic { atomic { read n; } write n; }"));
    let parts = model(&text("atomic { read n; } atomic { write n; }"));
    let none = model(&text("read n; write n;"));
    for (model, expected) in [(&whole, Verdict::Included), (&parts, Verdict::Missing(1)), (&none, Verdict::Missing(0))]
    {
        assert_eq!(accepts(model, &[read(model, "n"), write(model, "n")]), expected);
    }
}

#[test]
fn waiting_gives_a_lock_up() {
    let model = model(
        "lock l; shared n; fn f() { wait l; read n; } process P { atomic { sync l { read n; call f; write n; } } }",
    );
    let trace = [take(), read(&model, "n"), give(), take(), read(&model, "n"), write(&model, "n"), give()];
    assert_eq!(accepts(&model, &trace), Verdict::Included);
    // A path may wait where the thread does not, but not longer than the thread holds the lock.
    let never = [take(), read(&model, "n"), read(&model, "n"), give(), write(&model, "n")];
    assert_eq!(accepts(&model, &never), Verdict::Missing(4));
}

#[test]
fn library_calls_do_their_accesses_before_they_end() {
    let model = model("lock l; shared n, m; process P { atomic { read m; read n; write m; write n; } }");
    let call = |accesses: &[Access]| Symbol::Begin(vec![LOCK], accesses.to_vec());
    let [m, n] = ["m", "n"].map(|name| access(&model, name, true));
    let inside = [call(std::slice::from_ref(&m)), read(&model, "n"), Symbol::End, write(&model, "n")];
    assert_eq!(accepts(&model, &inside), Verdict::Included);
    let late = [call(std::slice::from_ref(&n)), Symbol::Access(m.clone()), Symbol::End, write(&model, "n")];
    assert_eq!(accepts(&model, &late), Verdict::Missing(3));
    let before = [write(&model, "m"), call(&[m]), Symbol::End];
    assert_eq!(accepts(&model, &before), Verdict::Missing(2));
    let either = Access { allowed: [true, true], ..n };
    assert_eq!(accepts(&model, &[call(&[either]), Symbol::End]), Verdict::Included);
}

#[test]
fn arguments_hold_their_own_monitors_during_a_call() {
    let one = model("lock v; shared n, m; process P { atomic { sync v { read m; } read n; } }");
    let both = model("lock v; shared n, m; process P { atomic { sync v { read m; read n; } } }");
    let supports = [Support::Monitors(BTreeSet::from([LOCK]))];
    let call = |model: &Model, on| vec![Symbol::Begin(vec![on], vec![]), Symbol::End, read(model, "n")];
    assert_eq!(accepts_with(&one, &supports, &call(&one, LOCK)), Verdict::Included);
    assert_eq!(accepts_with(&one, &supports, &call(&one, OTHER)), Verdict::Missing(2));
    assert_eq!(accepts_with(&both, &supports, &call(&both, LOCK)), Verdict::Missing(2));
    assert_eq!(accepts(&one, &call(&one, LOCK)), Verdict::Missing(2));
    // An unknown lock may be any such monitor, but is released at the end.
    let unknown = [Support::Anything];
    assert_eq!(accepts_with(&one, &unknown, &call(&one, OTHER)), Verdict::Included);
    assert_eq!(accepts_with(&both, &unknown, &call(&both, OTHER)), Verdict::Missing(2));
    assert_eq!(accepts_with(&one, &unknown, &[read(&one, "n")]), Verdict::Missing(0));
}

#[test]
fn operations_are_one_step() {
    let text = |body: &str| format!("lock o; shared n; process P {{ atomic {{ {body} }} }}");
    let one = model(&text("sync o { read n; write n; }"));
    let two = model(&text("sync o { read n; } sync o { write n; }"));
    let supports = [Support::Operations(BTreeSet::from([LOCK]))];
    let apart = |model: &Model| vec![read(model, "n"), write(model, "n")];
    assert_eq!(accepts_with(&one, &supports, &apart(&one)), Verdict::Missing(1));
    assert_eq!(accepts_with(&two, &supports, &apart(&two)), Verdict::Included);
    let call = |model: &Model, on| {
        let accesses = vec![access(model, "n", false), access(model, "n", true)];
        vec![Symbol::Begin(vec![on], accesses), Symbol::End]
    };
    assert_eq!(accepts_with(&one, &supports, &call(&one, LOCK)), Verdict::Included);
    assert_eq!(accepts_with(&one, &supports, &call(&one, OTHER)), Verdict::Missing(1));
}
