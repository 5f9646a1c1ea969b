//! Read-write locks, waiting, lock events and stopped threads: all engines on models with known answers, with replayed
//! witnesses.

use crate::suite::support::describe;
use asercheck::model::{Model, from_text};
use asercheck::phases::{Exclusion, UnitMode, deadlock, races};
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Limits, Options, Reason, Verdict, check_all};
use std::sync::Arc;
use std::time::Duration;

pub fn model(text: &str) -> Model {
    from_text("test.eml", text).unwrap_or_else(|rejected| panic!("{text}: {rejected}")).model
}

pub fn decide(model: &Model, queries: &[Query], engine: Engine) -> Vec<Verdict> {
    // `cpds` may not terminate.
    let timeout = (engine == Engine::Cpds).then_some(Duration::from_secs(2));
    let options = Options::default().with_engine(engine).with_limits(Limits::default().with_timeout(timeout));
    let outcomes = check_all(model, queries, &options, |_, _| {}).unwrap_or_else(|error| panic!("{engine}: {error}"));
    outcomes.into_iter().map(|outcome| outcome.verdict).collect()
}

/// Returns the violated queries; all engines must agree.
pub fn violated(text: &str, properties: &[Arc<Property>]) -> Vec<String> {
    violated_of(text, properties, &Selection::default())
}

/// Returns the violated ones of some queries; all engines must agree.
pub fn violated_of(text: &str, properties: &[Arc<Property>], selection: &Selection) -> Vec<String> {
    let model = model(text);
    let queries = selection.queries(&model, properties).expect("what is named is there");
    assert!(!queries.is_empty());
    let verdicts = decide(&model, &queries, Engine::Interleave);
    for engine in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds] {
        for ((query, expected), verdict) in queries.iter().zip(&verdicts).zip(decide(&model, &queries, engine)) {
            let query = describe(&model, query);
            match verdict {
                Verdict::Safe => assert_eq!(*expected, Verdict::Safe, "{engine}: {query}: {text}"),
                Verdict::Violation(_) => assert_ne!(*expected, Verdict::Safe, "{engine}: {query}: {text}"),
                Verdict::Unknown(Reason::Timeout) => assert_eq!(engine, Engine::Cpds, "{query}: {text}"),
                Verdict::Unknown(reason) => panic!("{engine}: {query}: {reason}: {text}"),
            }
        }
    }
    let violated = queries.iter().zip(verdicts).filter(|(query, verdict)| match verdict {
        Verdict::Safe => false,
        Verdict::Violation(_) => true,
        Verdict::Unknown(reason) => panic!("{}: {reason}", describe(&model, query)),
    });
    violated.map(|(query, _)| describe(&model, query)).collect()
}

pub fn patterns(text: &str) -> Vec<String> {
    violated(text, &Property::all_patterns(UnitMode::Both))
}

fn deadlocks(text: &str, exclusions: &[Exclusion]) -> usize {
    violated(text, &[Arc::new(Property::of_automaton(deadlock(exclusions)))]).len()
}

fn race(text: &str) -> Vec<String> {
    let properties: Vec<_> = races().iter().map(|race| Arc::new(Property::of_automaton(race.clone()))).collect();
    violated(text, &properties)
}

pub fn automaton(text: &str) -> Vec<Arc<Property>> {
    vec![Arc::new(Property::of_automaton(text.parse().expect("an automaton")))]
}

const UPDATE: [&str; 2] = ["1 x P,P", "5 x P,P"];

#[test]
fn writers_exclude_everybody() {
    let update = |mode: &str| {
        patterns(&format!("rwlock r; shared x; process P * 2 {{ atomic {{ sync {mode} r {{ read x; write x; }} }} }}"))
    };
    assert_eq!(update("write"), [""; 0]);
    assert_eq!(update("read"), UPDATE[..1]);
    let mixed = patterns(
        "rwlock r; shared x; process P { atomic { sync read r { read x; read x; } } } process Q { sync write r { write x; } }",
    );
    assert_eq!(mixed, [""; 0]);
    let between = patterns(
        "rwlock r; shared x; process P { atomic { sync read r { read x; } sync read r { read x; } } }
         process Q { sync write r { write x; } }",
    );
    assert_eq!(between, ["2 x P,Q"]);
}

#[test]
fn modes_are_reentrant_but_no_reader_becomes_a_writer() {
    let nested = |outer: &str, inner: &str| {
        patterns(&format!(
            "rwlock r; shared x; process P * 2 {{ atomic {{ sync {outer} r {{ read x; sync {inner} r {{ write x; }} }} }} }}"
        ))
    };
    assert_eq!(nested("write", "write"), [""; 0]);
    assert_eq!(nested("write", "read"), [""; 0]);
    assert_eq!(nested("read", "read"), UPDATE[..1]);
    assert_eq!(nested("read", "write"), [""; 0]);
    let released = patterns(
        "rwlock r; shared x; process P * 2 { atomic { sync write r { sync read r { read x; } sync read r { write x; } } } }",
    );
    assert_eq!(released, [""; 0]);
}

#[test]
fn waiting_gives_a_lock_up_however_often_it_is_held() {
    let wait = |body: &str| {
        patterns(&format!(
            "lock l, m; shared x; fn f() {{ wait l; }}
             process P {{ atomic {{ {body} }} }} process Q {{ sync l {{ write x; }} }}"
        ))
    };
    assert_eq!(wait("sync l { read x; wait l; read x; }"), ["2 x P,Q"]);
    assert_eq!(wait("sync l { sync l { read x; call f; read x; } }"), ["2 x P,Q"]);
    assert_eq!(wait("sync m { sync l { read x; wait l; } sync l { read x; } }"), ["2 x P,Q"]);
    // Another lock is given up.
    assert_eq!(wait("sync l { sync m { read x; wait m; read x; } }"), [""; 0]);
    // A lock that is not held cannot be waited on.
    assert_eq!(wait("read x; wait l; read x;"), [""; 0]);
    // The lock is taken back before anything else happens, and is then held as before.
    assert_eq!(wait("sync l { wait l; read x; read x; }"), [""; 0]);
    assert_eq!(wait("sync l { sync l { wait l; } read x; read x; }"), [""; 0]);
    // The outer of two locks.
    assert_eq!(wait("sync l { sync m { read x; wait l; read x; } }"), ["2 x P,Q"]);
}

#[test]
fn waiting_threads_want_their_lock_back() {
    let text = "lock l, m; process P { sync l { sync m { wait m; } } } process Q { sync m { sync l { } } }";
    assert_eq!(deadlocks(text, &[Exclusion::Plain; 2]), 2);
    let text = "lock l, m; process P { sync m { wait m; } } process Q { sync m { sync l { } } }";
    assert_eq!(deadlocks(text, &[Exclusion::Plain; 2]), 0);
}

#[test]
fn deadlocks_are_cycles_that_can_happen() {
    let two = |text: &str| deadlocks(text, &[Exclusion::Plain; 2]);
    let opposite = "lock a, b; process P { sync a { sync b { } } } process Q { sync b { sync a { } } }";
    assert_eq!(two(opposite), 2, "each rotation is a query");
    assert_eq!(two("lock a, b; process P { sync a { sync b { } } } process Q { sync a { sync b { } } }"), 0);
    let gate =
        "lock g, a, b; process P { sync g { sync a { sync b { } } } } process Q { sync g { sync b { sync a { } } } }";
    assert_eq!(two(gate), 0);
    let left =
        "lock g, a, b; process P { sync g { sync a { sync b { } } } } process Q { sync g { } sync b { sync a { } } }";
    assert_eq!(two(left), 2);
    assert_eq!(two("lock a, b; process P { sync a { sync b { } } sync b { sync a { } } } process Q { sync a { } }"), 0);
    let guarded = "lock a, b; process P { sync a { sync b { } } start Q; } process Q { sync b { sync a { } } }";
    assert_eq!(two(guarded), 0);
    let unguarded = "lock a, b; process P { start Q; sync a { sync b { } } } process Q { sync b { sync a { } } }";
    assert_eq!(two(unguarded), 2);
    // A lock that is already held is not wanted.
    assert_eq!(two("lock a, b; process P { sync a { sync b { sync a { } } } } process Q { sync a { sync b { } } }"), 0);
}

#[test]
fn philosophers_wait_for_each_other() {
    let three = |last: &str| {
        deadlocks(
            &format!(
                "lock f1, f2, f3; process P1 {{ sync f1 {{ sync f2 {{ }} }} }} process P2 {{ sync f2 {{ sync f3 {{ }} }} }}
                 process P3 {{ {last} }}"
            ),
            &[Exclusion::Plain; 3],
        )
    };
    assert_eq!(three("sync f3 { sync f1 { } }"), 3);
    assert_eq!(three("sync f1 { sync f3 { } }"), 0);
}

#[test]
fn readers_do_not_keep_each_other_waiting() {
    let both = |first: &str, second: &str| {
        let text = format!(
            "rwlock a, b; process P {{ sync {first} a {{ sync {second} b {{ }} }} }} process Q {{ sync {first} b {{ sync {second} a {{ }} }} }}"
        );
        let exclusions = [Exclusion::HeldInWrite, Exclusion::WantedInWrite];
        let all = exclusions.iter().flat_map(|one| exclusions.iter().map(move |other| [*one, *other]));
        all.map(|exclusions| deadlocks(&text, &exclusions)).max()
    };
    assert_eq!(both("read", "read"), Some(0));
    assert_eq!(both("read", "write"), Some(2));
    assert_eq!(both("write", "read"), Some(2));
    assert_eq!(both("write", "write"), Some(2));
}

#[test]
fn races_are_accesses_at_the_same_time() {
    let locked = "lock l; shared x; process P { sync l { write x; } } process Q { sync l { read x; write x; } }";
    assert_eq!(race(locked), [""; 0]);
    let one = "lock l; shared x; process P { sync l { write x; } } process Q { read x; }";
    assert_eq!(race(one), ["race.read x P,Q"]);
    let both = "shared x; process P { write x; } process Q { write x; }";
    assert_eq!(race(both), ["race.write x P,Q", "race.write x Q,P"]);
    let started = "shared x; process P { write x; start Q; } process Q { write x; }";
    assert_eq!(race(started), [""; 0]);
    let late = "shared x; process P { start Q; write x; } process Q { read x; }";
    assert_eq!(race(late), ["race.read x P,Q"]);
    let modes = "rwlock r; shared x; process P { sync read r { write x; } } process Q { sync read r { read x; } }";
    assert_eq!(race(modes), ["race.read x P,Q"]);
    let right = "rwlock r; shared x; process P { sync write r { write x; } } process Q { sync read r { read x; } }";
    assert_eq!(race(right), [""; 0]);
    // One follows the other, but never at the same time.
    let turns =
        "lock l; shared x; process P { loop { sync l { write x; } } } process Q { loop { sync l { write x; } } }";
    assert_eq!(race(turns), [""; 0]);
}

#[test]
fn a_thread_that_has_wanted_a_lock_need_not_want_it_again() {
    // Both instants come before the transition of Q, or the thread stops there.
    let forbids = |phases: &str| {
        violated(
            "lock l; shared x; process P { sync l { write x; } } process Q { atomic { } }",
            &automaton(&format!("automaton a(P, Q; x; l) {{ {phases} }}")),
        )
    };
    let before =
        "q1: on P wants l -> q2; q2: forbid P wants l; on Q begin -> q3; q3: forbid P wants l; on P write x -> q4;";
    assert_eq!(forbids(before).len(), 1);
    let never = "q1: forbid P wants l; on Q begin -> q2; q2: forbid P wants l; on P write x -> q3;";
    assert_eq!(forbids(never).len(), 0);
    let looping = "q1: on Q begin -> q2; q2: forbid P wants l; on P write x -> q3;";
    assert_eq!(forbids(looping).len(), 1);
    let stopped = "q1: on P wants l -> q2; q2: forbid P step; on Q begin -> q3; q3: on P write x -> q4;";
    assert_eq!(forbids(stopped).len(), 1);
    let for_ever = "q1: on Q begin -> q2; q2: forbid P step; on P write x -> q3;";
    assert_eq!(forbids(for_ever).len(), 1, "a transition is no loop");
}
