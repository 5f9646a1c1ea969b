//! Read-write locks: readers and writers of one lock in every combination.

use crate::suite::differential::{compare_queries, decided_with};
use crate::suite::modes::patterns;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Engine, Options, Outcome, Verdict, check_all, model};
use generate::random::Shape;
use std::sync::Arc;

/// Returns the violations of a unit of P that reads twice, with a Q that writes.
fn two_reads(functions: &str, reader: &str, writer: &str) -> Vec<String> {
    patterns(&format!(
        "rwlock r, s; lock l; shared x; {functions} process P {{ atomic {{ {reader} }} }} process Q {{ {writer} }}"
    ))
}

const FOUND: [&str; 1] = ["2 x P,Q"];
const NOTHING: [&str; 0] = [];

#[test]
fn modes_exclude_each_other_whoever_reads_and_writes() {
    let read = "sync read r { read x; read x; }";
    let again = "sync write r { } sync read r { read x; read x; }";
    for reader in [read, again, "sync write r { sync read r { read x; } read x; }"] {
        assert_eq!(two_reads("", reader, "sync write r { write x; }"), NOTHING, "{reader}");
        assert_eq!(two_reads("", reader, "sync read r { } sync write r { write x; }"), NOTHING, "{reader}");
        assert_eq!(two_reads("", reader, "write x; sync write r { }"), FOUND, "{reader}");
    }
    assert_eq!(two_reads("", read, "sync read r { write x; }"), FOUND);
    assert_eq!(two_reads("", again, "sync read r { write x; }"), FOUND);
    // A writer excludes the second of two readers, too: here P itself is the first one.
    for earlier in ["", "sync read r { }"] {
        let reader = format!("{earlier} sync write r {{ read x; read x; }}");
        assert_eq!(two_reads("", &reader, "sync read r { write x; }"), NOTHING, "{reader}");
    }
    // The writer's lock is released between the reads.
    assert_eq!(two_reads("", "sync write r { read x; } sync read r { read x; }", "sync write r { write x; }"), FOUND);
}

#[test]
fn no_reader_becomes_a_writer() {
    let f = "fn f() { sync write r { read x; } }";
    let writer = "sync write s { write x; }";
    // With and without other users of the lock.
    for more in ["", "sync read r { }", "sync write r { }"] {
        let writer = format!("{more} {writer}");
        assert_eq!(two_reads(f, "read x; sync read r { sync write r { read x; } }", &writer), NOTHING, "{more}");
        assert_eq!(two_reads(f, "read x; sync read r { call f; }", &writer), NOTHING, "{more}");
        assert_eq!(two_reads(f, "read x; sync write r { sync read r { call f; } }", &writer), FOUND, "{more}");
        assert_eq!(two_reads(f, "read x; sync read r { } call f;", &writer), FOUND, "{more}");
        assert_eq!(two_reads(f, "read x; sync read r { choose { call f; } or { read x; } }", &writer), FOUND, "{more}");
    }
}

#[test]
fn many_readers_and_writers() {
    let text = |mode: &str| {
        format!(
            "rwlock r; shared x; process P {{ atomic {{ sync {mode} r {{ read x; read x; }} }} }}
             process Q {{ sync write r {{ write x; }} }} process R {{ sync read r {{ start Q; }} }}"
        )
    };
    assert_eq!(patterns(&text("read")), NOTHING);
    let many = "rwlock r; shared x; process P * 3 { atomic { sync read r { read x; } sync write r { write x; } } }";
    assert_eq!(patterns(many), ["1 x P,P"]);
}

#[test]
fn read_write_locks_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave];
    let shape = |seed| Shape {
        waits: seed % 4 == 0,
        read_write_locks: 1 + (seed % 2) as usize,
        statements: 4,
        ..Shape::with_modes(seed)
    };
    let queries = |model: &_, _| asercheck_bench::compare::pattern_queries(model, UnitMode::Both);
    let total = compare_queries(decided_with(2), 8_100_000..8_100_120, &engines, shape, queries);
    println!("{total:?}");
    assert!(total.violations > 50 && total.decided > 2 * total.violations, "{total:?}");
    assert!(6 * total.open <= total.decided, "{total:?}");
}

#[test]
fn a_function_reads_and_writes_what_its_caller_writes() {
    // In a caller that holds the lock in write mode, all steps are possible, and the call is one step of the paths.
    let f = "fn f() { sync read r { sync write r { read x; } } }";
    let caller = "sync write r { call f; } sync write r { call f; }";
    assert_eq!(two_reads(f, caller, "sync write r { write x; }"), FOUND);
}

/// A thread that releases write mode and keeps read mode lets readers in. The engines that need nested locks cannot
/// follow it; they must not call the query safe.
#[test]
fn a_writer_that_becomes_a_reader_lets_readers_in() {
    let text = "rwlock r; overlap r; shared x;
        process P { sync write r { acquire read r; } write x; release r; }
        process Q { sync read r { write x; } }
        process R { sync write r { write x; } }";
    let model = model::from_text("lowered.eml", text).expect("a model").model;
    let asked = Selection::default();
    let queries = asked.queries(&model, &[Arc::new(Property::race())]).expect("nothing is named");
    let verdicts = |engine: Engine| {
        let outcomes = check_all(&model, &queries, &Options::default().with_engine(engine), |_, _| {});
        let outcomes = outcomes.expect("no internal error").into_iter();
        outcomes.map(|outcome| matches!(outcome.verdict, Verdict::Violation(_))).collect::<Vec<_>>()
    };
    let found = verdicts(Engine::Interleave);
    assert!(found.contains(&true) && found.contains(&false), "{found:?}");
    assert_eq!(verdicts(Engine::Auto), found);
    assert_eq!(verdicts(Engine::Search), found);
    for engine in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds] {
        let outcomes = check_all(&model, &queries, &Options::default().with_engine(engine), |_, _| {});
        let outcomes = outcomes.expect("no internal error");
        let is_wrong = |(outcome, found): (&Outcome, &bool)| *found && outcome.verdict == Verdict::Safe;
        assert!(!outcomes.iter().zip(&found).any(is_wrong), "{engine}");
    }
}
