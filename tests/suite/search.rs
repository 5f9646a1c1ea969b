//! The systematic search against the decision procedure, the interleaving search and itself: each reduction alone, all
//! but one, all together, in each order, with and without stored states. A longer run is the command `cargo run
//! --release -p asercheck-bench --bin search`.

mod bounds;
mod discipline;
mod dynamic;
mod savings;
mod sleep;

use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::{
    Bounds, Engine, Limits, Options, Reason, SearchOptions, SearchOrder, SearchReduction, SearchReductions, Verdict,
    check,
};
use asercheck_bench::compare::{automaton_queries, lock_queries, pattern_queries};
use asercheck_bench::search::{Compared, Tally, compare_variants, variants};
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use generate::{seeds, starts};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Compares all variants on some queries of each model, with bounds that depend on the usual ones and the seed.
fn compare(
    (seeds, bounded): (Range<u64>, impl Fn(Bounds, u64) -> Compared),
    text: impl Fn(u64) -> String,
    queries: impl Fn(&Model, u64) -> Vec<Query>,
) -> BTreeMap<String, Tally> {
    let bounds = Bounds { states: 3_000, instances: 5, stack: 6, ..Bounds::default() };
    let limits = Limits::default().with_timeout(Duration::from_secs(20));
    let variants = variants();
    let mut tallies = BTreeMap::new();
    for seed in seeds::taken(seeds) {
        let text = text(seed);
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        let mut queries = queries(&model, seed);
        fastrand::Rng::with_seed(seed).shuffle(&mut queries);
        queries.truncate(5);
        let found = compare_variants(&model, &queries, &variants, (bounded(bounds, seed), &limits), &mut tallies)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(found, [""; 0], "seed {seed}\n{text}");
    }
    tallies
}

/// Compares all variants with the usual bounds, which are seldom met.
fn compare_unbounded(
    seeds: Range<u64>,
    text: impl Fn(u64) -> String,
    queries: impl Fn(&Model, u64) -> Vec<Query>,
) -> BTreeMap<String, Tally> {
    let tallies = compare((seeds, |bounds, _| Compared::alike(bounds)), text, queries);
    let all = &tallies["all, by depth"];
    assert!(
        all.violations > seeds::least(10) as u64 && all.decided > 3 * all.violations && 20 * all.open < all.decided,
        "{tallies:?}"
    );
    let states = |name: &str| tallies[name].states;
    assert!(10 * states("all, by depth") < states("plain"), "{tallies:?}");
    tallies
}

#[test]
fn patterns() {
    compare_unbounded(
        31_000_000..31_000_060,
        |seed| random::model(seed, &Shape::of_seed(seed)),
        |model, seed| pattern_queries(model, if seed % 2 == 0 { UnitMode::Both } else { UnitMode::First }),
    );
}

#[test]
fn modes_and_lock_events() {
    let text = |seed| random::model(seed, &Shape::with_modes(seed));
    compare_unbounded(32_000_000..32_000_060, text, |model, seed| match seed % 3 {
        0 => lock_queries(model),
        1 => automaton_queries(model, lock_automata(seed)),
        _ => automaton_queries(model, automata(seed)),
    });
}

#[test]
fn starts() {
    compare_unbounded(33_000_000..33_000_250, starts::model, |model, seed| match seed % 2 {
        0 => automaton_queries(model, automata(seed)),
        _ => pattern_queries(model, UnitMode::First),
    });
}

/// Locks that do not nest: the engines that require nesting report the affected queries, and decide the rest as the
/// others do.
#[test]
fn locks_that_overlap() {
    let tallies = compare_unbounded(
        34_000_000..34_000_060,
        |seed| random::model(seed, &Shape::with_overlap(seed)),
        |model, seed| match seed % 3 {
            0 => lock_queries(model),
            1 => automaton_queries(model, automata(seed)),
            _ => pattern_queries(model, UnitMode::First),
        },
    );
    let explicit = &tallies["engine explicit"];
    assert!(
        explicit.open > seeds::least(3) as u64
            && explicit.decided > 5 * explicit.open
            && explicit.violations > seeds::least(10) as u64,
        "{tallies:?}"
    );
}

/// The first query of a pattern and its answer.
fn decide(text: &str, pattern: usize, processes: [&str; 2], options: &Options) -> Verdict {
    let model = model::from_text("test.eml", text).expect("a model").model;
    check(&model, &pattern_query(&model, pattern, processes), options).expect("no fault").verdict
}

/// The first query of a pattern.
fn pattern_query(model: &Model, pattern: usize, processes: [&str; 2]) -> Query {
    let processes = Some(processes.map(String::from).to_vec());
    let selection = Selection { processes, ..Selection::default() };
    let property = &Property::all_patterns(UnitMode::Both)[pattern - 1..pattern];
    selection.queries(model, property).expect("it can be asked").remove(0)
}

fn search(search: SearchOptions) -> Options {
    Options::default().with_engine(Engine::Search).with_search(search)
}

const UPDATE: &str = "lock l; shared x;
    process P { atomic { sync l { read x; } sync l { write x; } } }
    process Q { sync l { write x; } sync l { write x; } }";

/// The interleaving with the fewest context switches has two.
#[test]
fn switches_are_bounded_and_fewest() {
    let by = |switches| search(SearchOptions::default().with_order(SearchOrder::Switches).with_switches(switches));
    assert_eq!(decide(UPDATE, 1, ["P", "Q"], &by(Some(1))), Verdict::Unknown(Reason::Bound));
    for switches in [Some(2), None] {
        let Verdict::Violation(witness) = decide(UPDATE, 1, ["P", "Q"], &by(switches)) else { panic!("a violation") };
        let threads: Vec<_> = witness.steps.iter().map(|step| step.thread).collect();
        assert_eq!(threads.windows(2).filter(|pair| pair[0] != pair[1]).count(), 2, "{threads:?}");
    }
}

/// If a wait violates the nesting and that matters, `auto` asks the search.
#[test]
fn auto_falls_back_to_the_search() {
    let text = "lock a, b; shared x;
        process P { sync a { sync b { atomic { read x; wait a; read x; } } } }
        process Q { sync a { write x; sync b { } } }";
    let by = |engine| decide(text, 2, ["P", "Q"], &Options::default().with_engine(engine));
    assert_eq!(by(Engine::Explicit), Verdict::Unknown(Reason::Nesting));
    let plain = by(Engine::Interleave);
    assert!(!matches!(plain, Verdict::Unknown(_)));
    let answers = [by(Engine::Auto), by(Engine::Search)];
    assert!(answers.iter().all(|answer| (*answer == Verdict::Safe) == (plain == Verdict::Safe)), "{answers:?}");
}

/// If locks do not nest and the search cannot terminate, the answer is the bound, which is no proof.
#[test]
fn infinite_systems_are_safe_up_to_a_bound_only() {
    let text = "lock a, b; overlap a, b; shared x;
        fn f() { choose { call f; } or { } }
        process P { acquire a; atomic { read x; acquire b; release a; call f; read x; } release b; }
        process Q { acquire a; acquire b; write x; release b; release a; }";
    let auto = |text| decide(text, 2, ["P", "Q"], &Options::default().with_engine(Engine::Auto));
    let bounded = auto(text);
    assert_eq!(bounded, Verdict::Unknown(Reason::NoneWithin(8)));
    let Verdict::Unknown(reason) = bounded else { panic!("it was unknown") };
    assert_eq!(reason.to_string(), "no violation with up to 8 threads, within the bounds of the search");
    assert_eq!(auto(&text.replace("call f; } or", "skip; } or")), Verdict::Safe);
}

/// Theorem 4 of Stoller (000, sections 3.3 and 5.2): the reduced system of his example has exactly nine states.
#[test]
fn the_reduced_system_of_the_paper_has_nine_states() {
    let text = "lock l1, l2; shared x, y, w;
        process T1 { choose { } or { wait l1; write w; } sync l1 { write x; } sync l2 { write y; } }
        process T2 { choose { } or { wait l1; write w; } sync l2 { write y; sync l1 { read x; read y; } } }";
    let model = model::from_text("paper.eml", text).expect("a model").model;
    // No thread reaches the awaited writes, so all states are visited.
    let never = "automaton never(T1, T2; a) { q1: on T1 write a -> q2; q2: on T2 write a -> q3; }";
    let property = [Arc::new(Property::of_automaton(never.parse().expect("an automaton")))];
    let [processes, locations] =
        [["T1", "T2"].as_slice(), &["w"]].map(|names| Some(names.iter().map(ToString::to_string).collect()));
    let selection = Selection { processes, locations, ..Selection::default() };
    let query = selection.queries(&model, &property).expect("it can be asked").remove(0);
    let composed = [SearchReduction::Composed, SearchReduction::Unlock];
    let states = |reductions: &[SearchReduction]| {
        let reductions = reductions.iter().copied().fold(SearchReductions::none(), SearchReductions::with);
        let options = SearchOptions::default().with_reductions(reductions);
        let statistics = options.statistics.clone();
        assert_eq!(check(&model, &query, &search(options)).expect("no fault").verdict, Verdict::Safe);
        statistics.states()
    };
    assert_eq!((states(&[]), states(&composed)), (38, 9));
}

/// Two readers that keep a lock for ever: a dynamic search has to let both of them wait, so that a writer comes first.
#[test]
fn a_writer_comes_before_several_readers() {
    let text = "rwlock r; shared x;
        process P * 2 { write x; sync read r { sync write r { } } }
        process Q { sync write r { } write x; }";
    let model = model::from_text("test.eml", text).expect("a model").model;
    let processes = Some(["Q", "P"].map(String::from).to_vec());
    let selection = Selection { processes, ..Selection::default() };
    let query = selection.queries(&model, &[Arc::new(Property::race())]).expect("it can be asked").remove(0);
    let options = SearchOptions::default().with_dynamic(true);
    let statistics = options.statistics.clone();
    let verdict = check(&model, &query, &search(options)).expect("no fault").verdict;
    assert!(matches!(verdict, Verdict::Violation(_)), "{verdict:?}");
    assert_eq!(statistics.missed(), 0);
}
