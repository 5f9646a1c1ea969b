//! `forbid T step`: threads that do not move, on all engines.

use crate::suite::differential::{compare_queries, decided_with};
use asercheck::model::{self, Model};
use asercheck::phases::{self, Automaton, races};
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Limits, Options, Reason, Verdict, check_all};
use asercheck_bench::compare::{automaton_queries, reductions};
use fastrand::Rng;
use generate::automata::automata;
use generate::random::Shape;
use generate::seeds;
use std::sync::Arc;
use std::time::Duration;

const ALL: [Engine; 5] = [Engine::Interleave, Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds];

/// Whether the automaton accepts an execution; its parameters have the names of the processes and locations that they
/// are bound to. All engines must agree, with all reductions and without any.
fn accepts(model: &str, automaton: &str) -> bool {
    let loaded = model::from_text("test.eml", model).unwrap_or_else(|rejected| panic!("{model}: {rejected}")).model;
    let automaton: Automaton = automaton.parse().unwrap_or_else(|error| panic!("{automaton}: {error}"));
    let (processes, locations) = (automaton.threads().to_vec(), automaton.locations().to_vec());
    let selection =
        Selection { processes: Some(processes), locations: Some(locations.clone()), ..Selection::default() };
    let queries = selection.queries(&loaded, &[Arc::new(Property::of_automaton(automaton))]).expect("names are known");
    let names = |query: &&Query| query.locations().iter().map(|id| loaded.location(*id).name()).eq(&locations);
    let query = queries.iter().find(names).expect("the locations are bound in their order");
    let verdict = |engine, number| {
        // `cpds` may not terminate.
        let timeout = (engine == Engine::Cpds).then_some(Duration::from_secs(2));
        let limits = Limits::default().with_timeout(timeout);
        let options = Options::default().with_engine(engine).with_limits(limits).with_reductions(reductions(number));
        let outcomes = check_all(&loaded, std::slice::from_ref(query), &options, |_, _| {});
        let outcomes = outcomes.unwrap_or_else(|error| panic!("{engine}: {error}"));
        match outcomes[0].verdict {
            Verdict::Safe => Some(false),
            Verdict::Violation(_) => Some(true),
            Verdict::Unknown(Reason::Timeout) if engine == Engine::Cpds => None,
            Verdict::Unknown(reason) => panic!("{engine}: {reason}"),
        }
    };
    let oracle = verdict(Engine::Interleave, 9);
    for engine in ALL {
        for number in 0..=9 {
            let verdict = verdict(engine, number);
            assert!(verdict.is_none() || verdict == oracle, "{engine} with reductions {number}: {model}");
        }
    }
    oracle == Some(true)
}

#[test]
fn steps_without_accesses_count() {
    let between = |steps: &str| {
        let model = format!(
            "lock l, m; shared x, y; fn f() {{ }} fn g() {{ read y; }}
             process P {{ write x; {steps} write x; }} process Q {{ sync m {{ read x; }} }} process R {{ }}"
        );
        // P writes, then Q reads, and P writes again without a step of its own in between.
        let turns = "automaton a(P, Q; x) { q1: on P write x -> q2; q2: forbid P step; on Q read x -> q3;
                     q3: forbid P step; on P write x -> q4; }";
        accepts(&model, turns)
    };
    assert!(between(""));
    assert!(between("skip; skip; choose { skip; } or { read y; }"), "branching is no step");
    assert!(between("loop { read y; }"));
    assert!(between("loop { choose { continue; } or { break; } } goto on; read y; on: skip;"), "jumps are no steps");
    for step in [
        "read y;",
        "sync l { }",
        "sync m { }",
        "call f;",
        "call g;",
        "begin; end;",
        "start R;",
        "acquire l; release l;",
    ] {
        assert!(!between(step), "{step}");
        assert!(between(&format!("choose {{ {step} }} or {{ }}")), "{step}");
    }
}

#[test]
fn a_transition_is_no_loop() {
    let model = "shared x; process P { write x; write x; } process Q { read x; }";
    let at_last = "automaton a(P, Q; x) { q1: on P write x -> q2; q2: forbid P step; on P write x -> q3;
                   q3: forbid * step; on Q read x -> q4; }";
    assert!(accepts(model, at_last));
    let at_first =
        "automaton a(P, Q; x) { q1: forbid P step; on Q read x -> q2; q2: forbid P step; on P write x -> q3; }";
    assert!(accepts(model, at_first));
    let in_call = "shared x; fn f() { write x; } process P { call f; } process Q { read x; }";
    assert!(!accepts(in_call, at_first), "the call is a step");
}

#[test]
fn returns_are_steps() {
    let model = "shared x, y; fn f() { write x; } process P { call f; write y; } process Q { read x; }";
    let stays = |stopped: &str| {
        format!(
            "automaton a(P, Q; x, y) {{ q1: on P write x -> q2; q2: forbid P step; on Q read x -> q3;
             q3: forbid {stopped} step; on P write y -> q4; }}"
        )
    };
    assert!(accepts(model, &stays("Q")));
    assert!(!accepts(model, &stays("P")));
}

#[test]
fn stopped_threads_start_no_process() {
    let model = "shared x; process P { write x; start Q; } process Q { read x; }";
    let stays = |stopped: &str| {
        format!("automaton a(P, Q; x) {{ q1: on P write x -> q2; q2: forbid {stopped} step; on Q read x -> q3; }}")
    };
    assert!(accepts(model, &stays("Q")), "only before its transition");
    assert!(!accepts(model, &stays("P")));
    assert!(!accepts(model, &stays("*")));
    let by_another =
        "lock l; shared x; process P { sync l { write x; } } process R { sync l { start Q; } } process Q { read x; }";
    assert!(accepts(by_another, &stays("P")));
    assert!(accepts(by_another, &stays("*")), "R starts Q before");
    let late = "shared x; process P { write x; start R; } process R { start Q; } process Q { read x; }";
    assert!(!accepts(late, &stays("P")));
    let early = "shared x; process P { start R; write x; } process R { start Q; } process Q { read x; }";
    assert!(accepts(early, &stays("P")));
}

/// Q needs the lock between the two accesses of P, and P is inside of `sync l` throughout that time.
#[test]
fn others_act_inside_of_a_call_that_gives_up_a_lock_of_its_caller() {
    let lets_in = |functions: &str| {
        let model = format!(
            "lock l; shared x, y; {functions}
             process P {{ sync l {{ read x; call f; write x; }} }} process Q {{ sync l {{ skip; }} write y; }}"
        );
        let automaton = "automaton a(P, Q; x, y) { q1: forbid Q step; on P read x -> q2; q2: on P write x -> q3;
                         q3: forbid P step; on Q write y -> q4; }";
        accepts(&model, automaton)
    };
    assert!(lets_in("fn f() { wait l; }"));
    assert!(lets_in("fn f() { call g; skip; } fn g() { sync l { wait l; } }"));
    assert!(!lets_in("fn f() { sync l { skip; } }"));
}

/// Forbids steps in some phases.
fn with_stops(automaton: &Automaton, rng: &mut Rng) -> Automaton {
    let threads = automaton.threads().to_vec();
    let text = automaton.to_string();
    let lines = text.lines().map(|line| {
        let Some((name, rest)) = line.split_once(": ").filter(|_| rng.u8(..) < 110) else { return line.to_string() };
        let who = if rng.u8(..) < 40 { "*" } else { &threads[rng.usize(..threads.len())] };
        match rest.strip_prefix("forbid ") {
            Some(more) => format!("{name}: forbid {who} step, {more}"),
            None => format!("{name}: forbid {who} step; {rest}"),
        }
    });
    let lines: Vec<_> = lines.collect();
    phases::parse(&lines.join("\n")).expect("an automaton").remove(0)
}

fn stopping_queries(model: &Model, seed: u64) -> Vec<Query> {
    let mut rng = Rng::with_seed(seed);
    let stopping = automata(seed).iter().map(|automaton| with_stops(automaton, &mut rng)).collect();
    automaton_queries(model, stopping)
}

#[test]
fn stopping_automata_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave];
    let shape = |seed| Shape { statements: 4, ..Shape::of_seed(seed) };
    let total = compare_queries(decided_with(2), 7_000_000..7_000_150, &engines, shape, stopping_queries);
    assert!(total.violations > seeds::least(200) && total.decided > 2 * total.violations, "{total:?}");
    assert!(10 * total.open <= total.decided, "{total:?}");
}

#[test]
fn races_against_interleaving_search() {
    let engines = [Engine::Explicit, Engine::KahlonGupta, Engine::Cpds, Engine::Interleave];
    let shape = |seed| Shape { recursion: false, starts: seed % 3 == 0, statements: 4, ..Shape::of_seed(seed) };
    let queries = |model: &Model, _| automaton_queries(model, races().to_vec());
    let total = compare_queries(decided_with(2), 7_100_000..7_100_150, &engines, shape, queries);
    assert!(total.violations > seeds::least(200) && total.decided > total.violations, "{total:?}");
}
