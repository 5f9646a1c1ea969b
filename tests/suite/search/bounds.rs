//! Bounds that are met are reported and never give a proof: bounds on states, stacks, threads and context switches,
//! each met before a violation or without one, in every kind of search.

use super::{UPDATE, compare, decide, search};
use asercheck::model;
use asercheck::phases::UnitMode;
use asercheck::{Bounds, Engine, Options, Reason, SearchOptions, SearchReduction, SearchReductions, Verdict, check};
use asercheck_bench::compare::pattern_queries;
use asercheck_bench::search::{Compared, Tally, variants};
use generate::random::{self, Shape};
use generate::starts;
use std::collections::BTreeMap;

fn plain() -> SearchOptions {
    SearchOptions::default().with_reductions(SearchReductions::none())
}

/// Returns kinds of search whose bounds are not met by chance.
fn ways() -> Vec<(String, SearchOptions)> {
    let unbounded = variants().into_iter().filter(|variant| variant.options.switches.is_none());
    unbounded.map(|variant| (variant.name, variant.options)).collect()
}

/// Asks each kind of search for the first query of a pattern about P and Q: with these bounds it is not safe, with the
/// usual ones there is a violation.
fn is_beyond(bounds: Bounds, text: &str, pattern: usize) {
    let truth = decide(text, pattern, ["P", "Q"], &Options::default().with_engine(Engine::Interleave));
    assert!(matches!(truth, Verdict::Violation(_)), "{text}: {truth:?}");
    for (name, options) in ways() {
        let verdict = decide(text, pattern, ["P", "Q"], &search(options).with_bounds(bounds));
        assert_ne!(verdict, Verdict::Safe, "{name}: {text}");
    }
}

const DEEP: &str = "shared x;
    fn f() { choose { call f; } or { } }
    process P { atomic { call f; write x; } }
    process Q { call f; }";

#[test]
fn states_and_stacks() {
    let all = search(SearchOptions::default());
    assert_eq!(decide(DEEP, 1, ["P", "Q"], &search(plain())), Verdict::Unknown(Reason::Bound));
    let few = all.clone().with_bounds(Bounds { states: 2, ..Bounds::default() });
    let repaired = "lock l; shared x;
        process P { atomic { sync l { read x; write x; } } }
        process Q { sync l { write x; } sync l { write x; } }";
    let plainly = |options: &Options| options.clone().with_search(plain());
    assert_eq!(decide(repaired, 1, ["P", "Q"], &plainly(&all)), Verdict::Safe);
    assert_eq!(decide(repaired, 1, ["P", "Q"], &plainly(&few)), Verdict::Unknown(Reason::Bound));
}

/// A thread that can return, or call once more than the stack allows, is at a bound, also if its return is invisible.
#[test]
fn a_stack_that_is_too_deep_is_no_invisible_step() {
    let composed = plain().with_reductions(SearchReductions::none().with(SearchReduction::Composed));
    for options in [composed.clone(), composed.clone().with_stateless(true), plain().with_stateless(true)] {
        assert_eq!(decide(DEEP, 1, ["P", "Q"], &search(options)), Verdict::Unknown(Reason::Bound));
    }
}

#[test]
fn a_violation_at_the_bottom_of_a_stack() {
    let text = "shared x;
        fn f() { choose { call g; } or { } }
        fn g() { call h; }
        fn h() { write x; }
        process P { atomic { read x; read x; } }
        process Q { call f; }";
    for stack in 0..3 {
        is_beyond(Bounds { stack, ..Bounds::default() }, text, 2);
    }
}

#[test]
fn a_violation_by_a_thread_that_is_started_late() {
    let text = "shared x;
        process P { atomic { read x; read x; } }
        process Q { write x; }
        process R { start S; }
        process S { start T; }
        process T { start Q; }";
    for instances in 0..5 {
        is_beyond(Bounds { instances, ..Bounds::default() }, text, 2);
    }
}

/// An unbounded chain of starts does not end by itself.
#[test]
fn too_many_threads() {
    let text = "lock l; shared x;
        process P { loop { start Q; } }
        process Q { sync l { atomic { read x; write x; } } start Q; }";
    let without = [SearchReductions::none(), SearchReductions::all().without(SearchReduction::Idle)];
    for reductions in without {
        for is_dynamic in [false, true] {
            let options = SearchOptions::default().with_reductions(reductions).with_dynamic(is_dynamic);
            let options = search(options).with_bounds(Bounds { instances: 4, states: 200_000, ..Bounds::default() });
            assert_eq!(decide(text, 2, ["Q", "Q"], &options), Verdict::Unknown(Reason::Bound));
        }
    }
}

/// With the same bound on context switches all reductions together find the same as the plain search.
#[test]
fn switches_count_with_all_reductions_as_without() {
    let mut found = [0; 5];
    for seed in 35_000_000..35_000_080 {
        let text = random::model(seed, &Shape::with_overlap(seed));
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        for query in pattern_queries(&model, UnitMode::First).iter().take(4) {
            for (switches, found) in found.iter_mut().enumerate() {
                let violates = |options: SearchOptions| {
                    let options = search(options.with_switches(switches));
                    let options = options.with_bounds(Bounds { states: 20_000, stack: 6, ..Bounds::default() });
                    match check(&model, query, &options).expect("no fault").verdict {
                        Verdict::Violation(_) => true,
                        Verdict::Safe | Verdict::Unknown(_) => false,
                    }
                };
                let [plain, reduced] = [plain(), SearchOptions::default()].map(violates);
                assert!(reduced || !plain, "seed {seed}, {switches} switches: only the plain search finds it\n{text}");
                *found += usize::from(reduced);
            }
        }
    }
    assert!(found.is_sorted() && found[0] < found[2] && found[2] > 5, "{found:?}");
}

/// A dynamic search with a bound on context switches gives no proof, even if it meets no bound.
#[test]
fn a_bounded_dynamic_search_is_no_proof() {
    let text = UPDATE.replace("sync l { read x; } sync l { write x; }", "sync l { read x; write x; }");
    let by = |switches: Option<usize>| {
        let options = SearchOptions::default().with_dynamic(true).with_switches(switches);
        decide(&text, 1, ["P", "Q"], &search(options))
    };
    assert_eq!(by(None), Verdict::Safe);
    assert_eq!(by(Some(100)), Verdict::Unknown(Reason::Bound));
}

/// Random models with bounds that are often met, against engines that meet none.
#[test]
fn bounds_that_are_met_often() {
    let tight = |bounds, seed| Compared::tight(bounds, seed);
    let text = |seed: u64| match seed % 3 {
        0 => random::model(seed, &Shape::with_overlap(seed)),
        1 => random::model(seed, &Shape { starts: true, recursion: true, ..Shape::of_seed(seed) }),
        _ => starts::model(seed),
    };
    let tallies: BTreeMap<String, Tally> =
        compare((36_000_000..36_000_120, tight), text, |model, _| pattern_queries(model, UnitMode::First));
    let (plain, all) = (&tallies["plain"], &tallies["all, by depth"]);
    assert!(plain.open > plain.decided / 4 && all.open > 10 && all.decided > 10, "{tallies:?}");
}
