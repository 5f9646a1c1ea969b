//! Windows, shares and kinds of weights change no verdict.

use super::*;
use crate::query::{Property, Selection};
use crate::reductions::Reduction;
use limits::{Limits, Steps};
use std::time::Duration;

fn queries_of(text: &str) -> (Model, Vec<Query>) {
    let model = eml::model::from_text("test.eml", text).expect("a model").model;
    let properties = Property::all_patterns(phases::UnitMode::Both);
    let queries = Selection::default().queries(&model, &properties).expect("nothing is named");
    (model, queries)
}

fn engine<'m>(model: &'m Model, queries: &[Query]) -> Explicit<'m> {
    let encoder = Encoder::new(model, Reductions::all(), &Meter::start(&Limits::default()));
    Explicit::new(encoder.expect("there is no limit"), queries.to_vec())
}

/// An attempt without any time or memory fails at once; then each query is decided on its own, with the same result.
#[test]
fn an_attempt_for_all_costs_no_query_its_verdict() {
    let (model, queries) = queries_of(include_str!("../../../../models/stack.eml"));
    let none = Limits::default;
    for limits in [none().with_timeout(Duration::from_secs(600)), none().with_memory(1 << 50)] {
        let mut together = engine(&model, &queries);
        let mut apart = engine(&model, &queries);
        apart.joint_part = 0.0;
        for query in &queries {
            let is_safe = |engine: &mut Explicit<'_>| {
                let found = engine.decide(query, &Meter::start(&limits)).expect("there is enough");
                matches!(found, Decision::Safe)
            };
            assert_eq!(is_safe(&mut together), is_safe(&mut apart), "{query:?}");
        }
        assert_eq!((together.window, apart.window), (WINDOW, 0));
    }
}

/// With less and less room the windows become smaller, until each has one scenario; all results stay the same.
#[test]
fn windows_without_room_become_smaller() {
    let (model, queries) = queries_of(include_str!("../../../../models/stack.eml"));
    let meter = Meter::start(&Limits::default());
    let outcome = |room| {
        let mut engine = Explicit { room, ..engine(&model, &queries) };
        let safe = queries.iter().map(|query| {
            let found = engine.decide(query, &meter).expect("there is no limit");
            matches!(found, Decision::Safe)
        });
        let safe: Vec<_> = safe.collect();
        let size: u64 = engine.windows.iter().flat_map(|window| window.groups.values()).map(|group| group.size()).sum();
        (safe, engine.window, size)
    };
    let (safe, window, size) = outcome(ROOM);
    assert!(window == WINDOW && safe.contains(&true) && safe.contains(&false));
    assert_eq!(outcome(0).1, 0);
    for room in [0, size / 4, size / 2] {
        assert_eq!(outcome(room).0, safe, "{room} of {size}");
    }
}

/// The order in which kinds of weights are tried changes no verdict. The lightest weights alone show many violations,
/// but not all; and they show that some words have no path.
#[test]
fn the_lightest_weights_change_no_verdict() {
    let meter = Meter::start(&Limits::default());
    let (mut violations, mut safe, mut without_path, mut shown, mut not_shown) = (0, 0, 0, 0, 0);
    // P can read both while Q holds `a` only on the path that uses two locks.
    let heavier = "lock a, b, c; shared x, y;
        process P { atomic { read x; choose { sync a { } } or { sync b { } sync c { } } read y; } }
        process Q { sync b { } sync c { } sync a { atomic { write x; write y; } } }";
    let random = |seed| generate::random::model(seed, &generate::random::Shape::of_seed(seed));
    for (seed, text) in (0..120).map(random).chain([heavier.to_string()]).enumerate() {
        let (model, queries) = queries_of(&text);
        let mut few = Explicit { most_whole_parts: 0, ..engine(&model, &queries) };
        let mut many = Explicit { most_whole_parts: usize::MAX, ..engine(&model, &queries) };
        for query in &queries {
            few.forget();
            let is_safe = |engine: &mut Explicit<'_>| match engine.decide(query, &meter) {
                Ok(found) => matches!(found, Decision::Safe),
                Err(failure) => panic!("seed {seed}: {failure:?}"),
            };
            let found = is_safe(&mut few);
            assert_eq!(found, is_safe(&mut many), "seed {seed}, {query:?}");
            let by_lightest =
                few.windows.iter().flat_map(|window| window.groups.values()).any(LockGroup::is_shown_by_lightest);
            match (found, by_lightest) {
                (true, by_lightest) => (safe, without_path) = (safe + 1, without_path + usize::from(by_lightest)),
                (false, true) => (violations, shown) = (violations + 1, shown + 1),
                (false, false) => (violations, not_shown) = (violations + 1, not_shown + 1),
            }
        }
    }
    assert!(safe > 100 && shown > 100 && not_shown > 0, "{safe} safe, {shown} shown, {not_shown} not of {violations}");
    assert!(without_path > 10 && without_path < safe, "{without_path} of {safe} safe queries have no path");
}

/// Violations that need recursion as deep as its bound permits: by transitions, by a unit, by a lock to wait for, and
/// with functions that call each other. All locks are contended, and each is acquired in one place.
#[test]
fn recursion_up_to_the_bound_is_found() {
    let bodies = [
        ("{ sync a { read x; call f; } } or { sync b { call f; write x; } } or { sync c { } }", "atomic { call f; }"),
        (
            "{ sync a { atomic { call f; } } } or { sync b { read x; call f; } } or { sync c { call f; write x; } } \
             or { sync d { } }",
            "call f;",
        ),
        (
            "{ sync a { read x; call f; } } or { sync b { call f; write x; } } or { sync c { call f; } } \
             or { sync d { call f; } } or { wait c; }",
            "atomic { call f; }",
        ),
        (
            "{ sync a { read x; choose { call f; } or { call g; } } } or { sync b { choose { call f; } or { call g; } \
             write x; } } or { sync c { } }",
            "atomic { choose { call f; } or { call g; } }",
        ),
    ];
    let meter = Meter::start(&Limits::default());
    for (body, process) in bodies {
        let text = format!(
            "lock a, b, c, d; shared x; fn f() {{ choose {body} }} fn g() {{ choose {body} }} process P {{ {process} }}
             process Q {{ sync a {{ }} sync b {{ }} sync c {{ }} sync d {{ }} atomic {{ write x; }} }}"
        );
        let (model, queries) = queries_of(&text);
        for reductions in [Reductions::all(), Reductions::all().without(Reduction::Recursion)] {
            let encoder = Encoder::new(&model, reductions, &meter).expect("there is no limit");
            let mut engine = Explicit::new(encoder, queries.clone());
            let found = engine.decide(&queries[0], &meter).expect("there is no limit");
            assert!(matches!(found, Decision::Violation(_)), "{text}: {found:?}");
        }
    }
}

/// Recursion that may take any of seven locks has fewer contexts than sets of locks.
#[test]
fn recursion_with_many_locks_has_few_contexts() {
    let names: Vec<_> = (0..7).map(|lock| format!("l{lock}")).collect();
    let section = |lock: &String| format!("{{ sync {lock} {{ read x; write x; choose {{ call f; }} or {{ }} }} }}");
    let sections: Vec<_> = names.iter().map(section).collect();
    let text = format!(
        "lock {}; shared x; fn f() {{ choose {} }}
            process P {{ atomic {{ call f; call f; }} }} process Q {{ call f; }}",
        names.join(", "),
        sections.join(" or ")
    );
    let (model, queries) = queries_of(&text);
    let taken = |reductions| {
        let (all, steps) = (u64::MAX / 4, Steps::new(u64::MAX / 4));
        let meter = Meter::start(&Limits::default().with_steps(steps.clone()));
        let encoder = Encoder::new(&model, reductions, &meter).expect("there is enough");
        let found = Explicit::new(encoder, queries.clone()).decide(&queries[0], &meter);
        assert!(matches!(found, Ok(Decision::Violation(_))), "{found:?}");
        all - steps.left()
    };
    let (few, many) = (taken(Reductions::all()), taken(Reductions::all().without(Reduction::Recursion)));
    assert!(4 * few < 3 * many, "{few} steps, and {many} without the bound");
}

/// An attempt for several scenarios of one query counts towards the limits of this query; an attempt for other queries
/// does not.
#[test]
fn an_attempt_for_others_only_is_excused() {
    let (model, queries) = queries_of(include_str!("../../../../models/start-unlocked.eml"));
    let meter = Meter::start(&Limits::default());
    let serves_others = |queries: &[Query]| {
        let mut engine = engine(&model, queries);
        engine.decide(&queries[0], &meter).expect("there is no limit");
        engine.windows.iter().flat_map(|window| window.groups.values()).any(|group| group.serves_others)
    };
    assert!(serves_others(&queries));
    assert!(!serves_others(&queries[..1]));
}

/// Threads that cannot violate a query alone cannot do so with starts either. Many queries need no scenario with
/// starts.
#[test]
fn threads_alone_change_no_verdict() {
    let meter = Meter::start(&Limits::default());
    let all = Reductions::all();
    let (mut alone, mut safe, mut violated) = (0, 0, 0);
    // Each process of a chain has to acquire a lock of the threads before it starts the next one.
    let chain = "lock l; shared x; process A { loop { atomic { sync l { read x; } write x; } start B; } }
        process B { loop { sync l { } start C; } }
        process C { loop { sync l { } atomic { read x; write x; } start D; } }
        process D { sync l { atomic { read x; write x; } } }";
    for (seed, text) in (0..150).map(generate::starts::model).chain([chain.to_string()]).enumerate() {
        let (model, queries) = queries_of(&text);
        let decided = |reductions, query: &Query| {
            let encoder = Encoder::new(&model, reductions, &meter).expect("there is no limit");
            let mut engine = Explicit::new(encoder, vec![query.clone()]);
            let found = engine.decide(query, &meter).expect("there is no limit");
            (found, engine.windows[Stage::First as usize].groups.is_empty())
        };
        let encoder = Encoder::new(&model, all, &meter).expect("there is no limit");
        let has_starts = |query: &&Query| encoder.scenarios(query).threads_alone(&meter).is_ok_and(|one| one.is_some());
        for query in queries.iter().filter(has_starts).step_by(if text == chain { 1 } else { 11 }) {
            let (found, is_alone) = decided(all, query);
            match (found, decided(all.without(Reduction::Starts), query).0) {
                (Decision::Safe, Decision::Safe) => (safe, alone) = (safe + 1, alone + usize::from(is_alone)),
                (Decision::Violation(_), Decision::Violation(_)) => violated += 1,
                (_, Decision::Unsupported(_)) => {}
                different => panic!("seed {seed}, {query:?}: {different:?}"),
            }
        }
    }
    assert!(alone > 50 && violated > 3 && alone < safe, "{alone} of {safe} alone, {violated} violated");
}
