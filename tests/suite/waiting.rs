//! `wait`: locks are given up and taken back, in callees too, and locks may not be nested.

use crate::suite::differential::{compare_queries, decided_with};
use crate::suite::modes::{decide, model, patterns};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Engine, Reason, Verdict};
use generate::random::Shape;

const OTHERS: [Engine; 4] = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds];

/// Returns the verdict of an engine about pattern 2 (two reads differ) on x by P and Q.
fn two_reads(text: &str, engine: Engine) -> Verdict {
    let model = model(text);
    let selection = Selection { processes: Some(vec!["P".into(), "Q".into()]), ..Selection::default() };
    let pattern = Property::all_patterns(UnitMode::Both)[1].clone();
    let queries = selection.queries(&model, &[pattern]).expect("the names are known");
    decide(&model, &queries, engine).remove(0)
}

#[test]
fn a_function_gives_up_the_lock_of_its_caller() {
    let wait = |functions: &str, body: &str| {
        patterns(&format!(
            "lock l, m; shared x; {functions} process P {{ atomic {{ {body} }} }} process Q {{ sync l {{ write x; }} sync m {{ }} }}"
        ))
    };
    let f = "fn f() { wait l; }";
    assert_eq!(wait(f, "sync l { read x; call f; read x; }"), ["2 x P,Q"]);
    assert_eq!(wait("fn f() { sync l { wait l; } }", "sync l { read x; call f; read x; }"), ["2 x P,Q"]);
    assert_eq!(
        wait("fn f() { call g; } fn g() { wait l; }", "sync l { sync l { read x; call f; } read x; }"),
        ["2 x P,Q"]
    );
    // Without the lock it stops there.
    assert_eq!(wait(f, "sync l { read x; } call f; read x;"), [""; 0]);
    // Reached with and without the lock.
    assert_eq!(wait(f, "choose { sync l { read x; call f; read x; } } or { call f; }"), ["2 x P,Q"]);
    // Another lock is taken and released before.
    assert_eq!(wait(f, "sync l { sync m { } read x; call f; read x; }"), ["2 x P,Q"]);
    // Outside of the lock that is waited for.
    assert_eq!(wait(f, "sync m { sync l { read x; call f; read x; } }"), ["2 x P,Q"]);
    // The lock is taken back: Q cannot write in between.
    assert_eq!(wait(f, "sync l { call f; read x; read x; }"), [""; 0]);
}

/// No process reaches the `wait`, so nothing is left out.
#[test]
fn a_wait_that_is_not_reached_is_no_exception() {
    let text = |before: &str, inner: &str| {
        format!(
            "lock l, m; shared x; fn never() {{ here: goto here; }} fn again() {{ call again; }} fn sometimes() {{ choose {{ call never; }} or {{ }} }}
             fn waits() {{ wait l; }}
             process P {{ atomic {{ sync l {{ sync m {{ read x; {before} {inner} read x; }} }} }} }}
             process Q {{ sync l {{ write x; }} sync m {{ }} }}"
        )
    };
    for inner in ["wait l;", "call waits;"] {
        for before in ["call never;", "call again;", "choose { call never; } or { call again; }"] {
            for engine in OTHERS {
                assert_eq!(two_reads(&text(before, inner), engine), Verdict::Safe, "{engine}: {before} {inner}");
            }
        }
        for engine in OTHERS {
            let verdict = two_reads(&text("call sometimes;", inner), engine);
            assert_eq!(verdict, Verdict::Unknown(Reason::Nesting), "{engine}: {inner}");
        }
    }
}

#[test]
fn nothing_is_guessed_if_locks_are_not_nested() {
    let text = |body: &str, other: &str| {
        format!(
            "lock k, l, m; shared x; fn f() {{ wait l; }} fn g() {{ sync m {{ call f; }} }}
             process P {{ atomic {{ {body} }} }} process Q {{ {other} }}"
        )
    };
    let writes = "sync l { write x; } sync m { }";
    for body in [
        "sync l { sync m { read x; wait l; read x; } }",
        "sync l { sync m { sync l { read x; wait l; } read x; } }",
        "sync l { sync m { read x; call f; read x; } }",
        "sync l { read x; call g; read x; }",
        "sync m { sync l { sync m { } sync k { read x; wait l; read x; } } }",
    ] {
        let text = text(body, &format!("{writes} sync k {{ }}"));
        assert!(matches!(two_reads(&text, Engine::Interleave), Verdict::Violation(_)), "{text}");
        for engine in OTHERS {
            assert_eq!(two_reads(&text, engine), Verdict::Unknown(Reason::Nesting), "{engine}: {text}");
        }
    }
    // The other lock is not contended, or only acquired again.
    for body in [
        "sync l { sync k { read x; wait l; read x; } }",
        "sync m { sync l { sync m { read x; wait l; read x; } } }",
        "sync l { sync m { } } sync l { read x; wait l; read x; }",
    ] {
        let text = text(body, writes);
        assert!(matches!(two_reads(&text, Engine::Interleave), Verdict::Violation(_)), "{text}");
        for engine in OTHERS {
            assert!(matches!(two_reads(&text, engine), Verdict::Violation(_)), "{engine}: {text}");
        }
    }
    // It makes no difference whether the lock is given up.
    for (body, other) in [
        ("sync l { sync m { read x; wait l; read x; } }", "sync l { sync m { write x; } }"),
        ("sync k { sync l { sync m { read x; wait l; read x; } } }", "sync k { sync l { write x; } sync m { } }"),
        ("sync l { read x; sync m { skip; } read x; }", writes),
    ] {
        let text = text(body, other);
        for engine in [Engine::Interleave].into_iter().chain(OTHERS) {
            assert_eq!(two_reads(&text, engine), Verdict::Safe, "{engine}: {text}");
        }
    }
    // Violations elsewhere are found.
    let text = text("choose { sync l { sync m { wait l; } } } or { } read x; read x;", writes);
    for engine in [Engine::Interleave].into_iter().chain(OTHERS) {
        assert!(matches!(two_reads(&text, engine), Verdict::Violation(_)), "{engine}: {text}");
    }
}

#[test]
fn waiting_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave];
    let shape = |seed| Shape { waits: true, read_write_locks: 0, statements: 4, ..Shape::with_modes(seed) };
    let queries = |model: &_, _| asercheck_bench::compare::pattern_queries(model, UnitMode::Both);
    let total = compare_queries(decided_with(2), 8_000_000..8_000_120, &engines, shape, queries);
    println!("{total:?}");
    assert!(total.violations > 50 && total.decided > 2 * total.violations, "{total:?}");
    assert!(6 * total.open <= total.decided, "{total:?}");
}
