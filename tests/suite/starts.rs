//! Starts of processes, on models made for them.

use crate::suite::support::{pattern_queries, violations};
use asercheck::model::Model;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::{Bounds, Engine, Limits, Options, Reason, Verdict, model};
use asercheck_bench::compare::{Comparison, automaton_queries, compare, reductions};
use generate::automata::automata;
use generate::{seeds, starts};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A reader whose unit is violated by the writer.
const ROLES: &str = "shared x; process Reader { atomic { read x; read x; } } process Writer { write x; }";

/// Checks whether the reader and the writer can run at the same time with these starters.
fn check(starters: &str, expected: &[&str]) {
    check_model(&format!("{starters}\n{ROLES}"), expected);
}

fn check_model(text: &str, expected: &[&str]) {
    let model = model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
    let queries = pattern_queries(&model, UnitMode::Both);
    for engine in [Engine::Explicit, Engine::Symbolic] {
        assert_eq!(violations(&model, &queries, engine), expected, "{engine}\n{text}");
    }
}

#[test]
fn a_start_stands_in_a_called_function() {
    let starters =
        "fn spawn() { call deeper; } fn deeper() { start Reader; start Writer; } process Main { call spawn; }";
    check(starters, &["2 x Reader,Writer"]);
}

#[test]
fn starts_of_others_do_not_count() {
    check("process Main { choose { start Reader; start Reader; } or { start Writer; start Writer; } }", &[]);
    check(
        "process Main { choose { start Reader; start Reader; } or { start Writer; } start Writer; }",
        &["2 x Reader,Writer"],
    );
}

#[test]
fn one_spawner_starts_the_spawners_of_both() {
    let starters = "process Main { start Node; } \
                    process Node { choose { start Node; start Node; } or { start Reader; } or { start Writer; } }";
    check(starters, &["2 x Reader,Writer"]);
    // With one child each, only one of the two is ever started.
    let starters = "process Main { start Node; } \
                    process Node { choose { start Node; } or { start Reader; } or { start Writer; } }";
    check(starters, &[]);
}

#[test]
fn nothing_happens_before_the_start() {
    // The gate is passed once the write is done; before the start it would be open.
    let locked = "lock gate; shared y; process Main { sync gate { start Late; write y; } } \
                  process Late { sync gate { skip; } atomic { read y; read y; } }";
    check_model(locked, &[]);
}

/// Returns the query of the first pattern (read, write of the other, write) for two processes.
fn first_pattern(model: &Model, processes: [&str; 2]) -> Query {
    let processes = Some(processes.map(String::from).to_vec());
    let selection = Selection { processes, ..Selection::default() };
    selection.queries(model, &Property::all_patterns(UnitMode::Both)[..1]).expect("the processes exist").remove(0)
}

/// Returns the query of one automaton for two processes.
fn of_automaton(model: &Model, automaton: &str, processes: [&str; 2]) -> Query {
    let automaton = asercheck::phases::parse(automaton).expect("an automaton").remove(0);
    let processes = Some(processes.map(String::from).to_vec());
    let selection = Selection { processes, ..Selection::default() };
    selection.queries(model, &[Arc::new(Property::of_automaton(automaton))]).expect("the processes exist").remove(0)
}

fn is_violated(model: &Model, query: &Query, engine: Engine) -> bool {
    let limits = Limits::default().with_timeout(Duration::from_secs(20));
    let outcome = asercheck::check(model, query, &Options::default().with_engine(engine).with_limits(limits));
    match outcome.unwrap_or_else(|error| panic!("{engine}: {error}")).verdict {
        Verdict::Safe => false,
        Verdict::Violation(_) => true,
        Verdict::Unknown(reason) => panic!("{engine}: {reason}"),
    }
}

pub fn load(text: &str) -> Model {
    model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// The engines that share the computation of participants, and one that does not.
const EVERY_ENGINE: [Engine; 5] =
    [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds, Engine::Interleave];

/// Checks the first pattern on all engines.
fn check_first(text: &str, processes: [&str; 2], expected: bool) {
    let model = load(text);
    let query = first_pattern(&model, processes);
    for engine in EVERY_ENGINE {
        assert_eq!(is_violated(&model, &query, engine), expected, "{engine}\n{text}");
    }
}

/// Checks an automaton on all engines.
fn check_automaton(text: &str, automaton: &str, processes: [&str; 2], expected: bool) {
    let model = load(text);
    let query = of_automaton(&model, automaton, processes);
    for engine in EVERY_ENGINE {
        assert_eq!(is_violated(&model, &query, engine), expected, "{engine}\n{text}");
    }
}

const READ_WRITE_READ: &str =
    "automaton between(T, U; a) { q1: on T read a -> q2; q2: on U write a -> q3; q3: on T read a -> q4; }";

#[test]
fn a_spawner_may_be_needed_twice_in_the_chains_to_both() {
    let text = "shared x; process Init { start A; } \
                process A { choose { start A; start B2; } or { start X; } } \
                process B2 { start B1; } process B1 { start Y; } \
                process X { atomic { read x; write x; } } process Y { write x; }";
    check_first(text, ["X", "Y"], true);
}

/// Models like the one above: a process that starts itself again, or the chain to one of the two threads, or the chain
/// to the other.
#[test]
fn every_model_of_the_family_is_violated() {
    let mut count = 0;
    for (to_x, to_y) in (0..3).flat_map(|x| (0..4).map(move |y| (x, y))) {
        for again in 1..3 {
            for around in [
                "START",
                "sync log { START }",
                "atomic { START }",
                "read y; START write y;",
                "choose { START } or { sync log { } }",
                "call spawn_NAME;",
            ] {
                let text = family(to_x, to_y, again, around);
                let model = load(&text);
                let query = first_pattern(&model, ["X", "Y"]);
                for engine in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds] {
                    assert!(is_violated(&model, &query, engine), "{engine}\n{text}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 100);
}

/// The process that starts itself does so at least `again` times; the chains to X and Y have these lengths.
fn family(to_x: usize, to_y: usize, again: usize, around: &str) -> String {
    let mut text = "lock log; shared x, y; atomicset S { x } atomicset T { y }\n".to_string();
    let start = |name: &str, text: &mut String| {
        let function = format!("fn spawn_{name}() {{ start {name}; }}\n");
        if !text.contains(&function) {
            text.push_str(&function);
        }
        around.replace("START", &format!("start {name};")).replace("NAME", name)
    };
    let first = |prefix: &str, length: usize, end: &str| {
        if length == 0 { end.to_string() } else { format!("{prefix}{length}") }
    };
    let (x, y) = (start(&first("VX", to_x, "X"), &mut text), start(&first("VY", to_y, "Y"), &mut text));
    for number in 0..again {
        let next = start(&if number + 1 < again { format!("A{}", number + 1) } else { "A0".to_string() }, &mut text);
        text.push_str(&format!("process A{number} {{ choose {{ {next} {y} }} or {{ {x} }} }}\n"));
    }
    for (prefix, length, end) in [("VX", to_x, "X"), ("VY", to_y, "Y")] {
        for number in 1..=length {
            let next = start(&first(prefix, number - 1, end), &mut text);
            text.push_str(&format!("process {prefix}{number} {{ {next} }}\n"));
        }
    }
    let init = start("A0", &mut text);
    text + &format!(
        "process Init {{ {init} }}\nprocess X {{ atomic {{ read x; write x; }} }}\nprocess Y {{ write x; }}\n"
    )
}

#[test]
fn a_thread_between_two_spawners_of_one_process() {
    // The second X is started by Q, which the first one starts: they are different instances.
    let text = "shared x; process Main { start X; } process X { choose { start Q; } or { start R; } } \
                process Q { atomic { read x; start X; write x; } } process R { write x; }";
    check_first(text, ["Q", "R"], true);
    let text = "lock l, m; shared x; process Main { start X; } \
                process X { choose { sync m { start Q; L1: goto L1; } } or { sync l { start R; } } } \
                process Q { sync l { } atomic { read x; start X; write x; } } process R { write x; }";
    check_first(text, ["Q", "R"], true);
}

#[test]
fn a_spawner_of_several_is_no_link_of_a_repetition() {
    // All of them keep locks, so they take part. The second C is needed in addition to the first one.
    let ends = "process X { atomic { read x; write x; } } process Y { write x; }";
    let text = format!(
        "lock l, m, n; shared x; process Main {{ start C; }} \
         process C {{ choose {{ sync l {{ start E; L1: goto L1; }} }} or {{ sync m {{ start X; L2: goto L2; }} }} }} \
         process E {{ sync n {{ start C; start Y; L3: goto L3; }} }} {ends}"
    );
    check_first(&text, ["X", "Y"], true);
    // With one lock less the second C waits for the first one.
    check_first(&text.replace("sync m", "sync l"), ["X", "Y"], false);
    let text = format!(
        "lock l, m, n; shared x; process Main {{ start C; }} process C {{ choose {{ \
         sync l {{ start C; start D; L1: goto L1; }} }} or {{ sync m {{ start X; L2: goto L2; }} }} }} \
         process D {{ sync n {{ start Y; L3: goto L3; }} }} {ends}"
    );
    check_first(&text, ["X", "Y"], true);
    check_first(&text.replace("sync m", "sync l"), ["X", "Y"], false);
}

#[test]
fn a_spawner_that_blocks_does_not_hide_others() {
    let text = |lock: &str| {
        format!(
            "lock l, m; shared x; process First {{ sync l {{ start X; L1: goto L1; }} }} \
             process Second {{ sync {lock} {{ start X; L2: goto L2; }} }} \
             process X {{ sync l {{ atomic {{ read x; write x; }} }} }} process Y {{ write x; }}"
        )
    };
    check_first(&text("m"), ["X", "Y"], true);
    check_first(&text("l"), ["X", "Y"], false);
}

#[test]
fn a_spawner_that_keeps_a_lock_blocks() {
    let text = "lock l; shared x; process Main { sync l { start X; L1: goto L1; } } \
                process X { sync l { atomic { read x; write x; } } } process Y { write x; }";
    check_first(text, ["X", "Y"], false);
    let text = "lock l; shared x; process Main { sync l { start X; } } \
                process X { sync l { atomic { read x; write x; } } } process Y { write x; }";
    check_first(text, ["X", "Y"], true);
}

#[test]
fn open_locks_and_units_of_callers_count() {
    let text = "lock l; shared x; fn go() { start X; L1: goto L1; } process Main { sync l { call go; } } \
                process X { sync l { atomic { read x; write x; } } } process Y { write x; }";
    check_first(text, ["X", "Y"], false);
    let forbids = "automaton units(T, U; a) { q1: forbid * atomic write a; on T read a -> q2; q2: on U read a -> q3; }";
    let text = "shared x; fn go() { write x; start T; } process Main { atomic { call go; } } \
                process T { read x; } process U { read x; }";
    check_automaton(text, forbids, ["T", "U"], false);
    check_automaton(&text.replace("atomic", "choose"), forbids, ["T", "U"], true);
}

#[test]
fn started_threads_come_after_their_starter() {
    let text = "shared x; process T { atomic { read x; write x; } start Mid; } \
                process Mid { start U; } process U { write x; }";
    check_first(text, ["T", "U"], false);
    let text = "shared x; process T { atomic { read x; start Mid; write x; } } \
                process Mid { start U; } process U { write x; }";
    check_first(text, ["T", "U"], true);
}

#[test]
fn a_spawner_obeys_the_automaton() {
    let first = "automaton first(T, U; a) { q1: forbid * write a; on T read a -> q2; q2: on U read a -> q3; }";
    let later = "automaton later(T, U; a) { q1: on T read a -> q2; q2: forbid * write a; on U read a -> q3; }";
    let before = "shared x; process Main { write x; start T; } process T { read x; } process U { read x; }";
    check_automaton(before, first, ["T", "U"], false);
    check_automaton(before, later, ["T", "U"], true);
    let between = "shared x; process T { read x; start Mid; } process Mid { write x; start U; } process U { read x; }";
    check_automaton(between, first, ["T", "U"], true);
    check_automaton(between, later, ["T", "U"], false);
}

#[test]
fn a_spawner_below_a_thread_waits_for_its_locks() {
    let text = |locks: [&str; 2]| {
        format!(
            "lock l, m; shared x; process T {{ sync l {{ read x; start Mid; read x; }} }} \
             process Mid {{ sync {} {{ skip; }} sync {} {{ start U; }} }} process U {{ write x; }}",
            locks[0], locks[1]
        )
    };
    check_automaton(&text(["m", "m"]), READ_WRITE_READ, ["T", "U"], true);
    check_automaton(&text(["l", "m"]), READ_WRITE_READ, ["T", "U"], false);
    check_automaton(&text(["m", "l"]), READ_WRITE_READ, ["T", "U"], false);
}

#[test]
fn a_participating_spawner_makes_its_locks_matter() {
    let text = |inner: &str| {
        format!(
            "lock l, m; shared x; process T {{ sync l {{ read x; start C; read x; }} }} \
             process C {{ sync m {{ start Q; sync {inner} {{ }} }} }} process Q {{ sync m {{ start U; }} }} \
             process U {{ write x; }}"
        )
    };
    check_automaton(&text("l"), READ_WRITE_READ, ["T", "U"], false);
    check_automaton(&text("m"), READ_WRITE_READ, ["T", "U"], true);
}

#[test]
fn initial_instances_are_counted() {
    let text = |count: &str| {
        format!(
            "shared x; process Main {count} {{ choose {{ start X; }} or {{ start Y; }} }} \
             process X {{ atomic {{ read x; write x; }} }} process Y {{ write x; }}"
        )
    };
    check_first(&text(""), ["X", "Y"], false);
    check_first(&text("* 2"), ["X", "Y"], true);
    check_first(&text("* many"), ["X", "Y"], true);
    // One of the two is a thread of the query.
    let text = |count: &str| {
        format!(
            "shared x; process Main {count} {{ choose {{ start Y; }} or {{ atomic {{ read x; write x; }} }} }} \
             process Y {{ write x; }}"
        )
    };
    check_first(&text(""), ["Main", "Y"], false);
    check_first(&text("* 2"), ["Main", "Y"], true);
}

#[test]
fn two_threads_that_start_something_both() {
    let text = "lock l; shared x; process A { sync l { start X; } write x; } process B { sync l { start Y; } read x; } \
                process X { sync l { atomic { read x; write x; } } } process Y { sync l { write x; } write x; }";
    for (processes, expected) in [(["X", "Y"], true), (["X", "A"], true), (["X", "B"], false)] {
        check_first(text, processes, expected);
    }
}

/// Returns a chain of processes, each of which starts the next, with this text around the starts.
fn chain(name: &str, length: usize, end: &str, around: [&str; 2]) -> String {
    let next = |number: usize| if number + 1 < length { format!("{name}{}", number + 1) } else { end.to_string() };
    let [open, close] = around;
    (0..length).map(|number| format!("process {name}{number} {{ {open} start {}; {close} }}\n", next(number))).collect()
}

/// Returns processes each of which starts any of them, or the given ends.
fn complete(count: usize, ends: &str, around: [&str; 2]) -> String {
    let [open, close] = around;
    let any: Vec<_> = (0..count).map(|number| format!("{{ {open} start C{number}; {close} }}")).collect();
    (0..count).map(|number| format!("process C{number} {{ choose {} {ends} }}\n", any.join(" or "))).collect()
}

const ENDS: &str = "process X { atomic { read x; write x; } } process Y { write x; }";

/// Decides the first pattern of X and Y within two seconds; `None` if that is not possible.
fn within_limits(text: &str, engine: Engine) -> Option<bool> {
    let model = load(text);
    let query = first_pattern(&model, ["X", "Y"]);
    let limits = Limits::default().with_timeout(Duration::from_secs(2));
    let begin = Instant::now();
    let verdict = asercheck::check(&model, &query, &Options::default().with_engine(engine).with_limits(limits))
        .expect("no fault")
        .verdict;
    assert!(begin.elapsed() < Duration::from_secs(4), "{engine}: {:?}\n{text}", begin.elapsed());
    match verdict {
        Verdict::Safe => Some(false),
        Verdict::Violation(_) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn long_chains_and_complete_graphs_are_decided() {
    let plain = ["", ""];
    let logged = ["sync log {", "}"];
    let declared = "lock log; shared x;\n";
    let both = "or { start X; } or { start Y; }";
    let main = "process Main { start A0; start B0; }\n";
    let mut models = Vec::new();
    for around in [plain, logged, ["loop { ", "}"], ["atomic {", "}"], ["choose { sync log {", "} } or { }"]] {
        let [a, b] = [chain("A", 15, "X", around), chain("B", 15, "Y", around)];
        models.push((format!("{declared}{main}{a}{b}{ENDS}"), true));
        models.push((format!("{declared}{a}{b}{ENDS}"), true));
        let c = chain("D", 10, "Y", around);
        models.push((format!("{declared}process Main {{ start A0; start B0; start D0; }}\n{a}{b}{c}{ENDS}"), true));
        let all = complete(15, both, around);
        models.push((format!("{declared}process Main {{ start C0; start C1; }}\n{all}{ENDS}"), true));
    }
    for around in [plain, logged] {
        // Only one of them ever exists.
        let all = complete(15, both, around);
        models.push((format!("{declared}process Main {{ start C0; }}\n{all}{ENDS}"), false));
        // Below a thread.
        let below = "process X { start C3; atomic { read x; write x; } } process Y { write x; }";
        let all = complete(15, "or { start Y; }", around);
        models.push((format!("{declared}process Main {{ start X; }}\n{all}{below}"), true));
        let late = "process X { atomic { read x; write x; } start C3; } process Y { write x; }";
        models.push((format!("{declared}process Main {{ start X; }}\n{all}{late}"), false));
        let before = "process X { start A0; atomic { read x; write x; } } process Y { write x; }";
        models.push((format!("{declared}{}{before}", chain("A", 15, "Y", around)), true));
    }
    let selfish: String =
        (0..40).map(|n| format!("process S{n} {{ start S{n}; start S{}; }}\n", (n + 1) % 40)).collect();
    let last = "process Go { start S39; start Z; } process Z { start X; start Y; }";
    models.push((format!("{declared}{selfish}{last}{ENDS}"), true));
    for (text, expected) in models {
        for engine in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds] {
            assert_eq!(within_limits(&text, engine), Some(expected), "{engine}\n{text}");
        }
    }
}

#[test]
fn undecided_queries_end_in_time() {
    // Every spawner below the thread waits for a lock that the thread holds, so all orders have to be tried.
    let held = ["sync log {", "}"];
    let declared = "lock log; shared x;\n";
    let thread = "process X { start C3; sync log { atomic { read x; write x; } } } process Y { sync log { write x; } }";
    let before = thread.replace("C3", "A0");
    let models = [
        format!("{declared}{}{thread}", complete(15, "or { start Y; }", held)),
        format!("{declared}{}{before}", chain("A", 30, "Y", held)),
    ];
    for text in models {
        for engine in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds] {
            assert_ne!(within_limits(&text, engine), Some(true), "{engine}\n{text}");
        }
    }
}

#[test]
fn the_interleaving_search_says_when_it_had_too_few_instances() {
    let text = format!("shared x;\nprocess Main {{ start A0; start Y; }}\n{}{ENDS}", chain("A", 13, "X", ["", ""]));
    let model = load(&text);
    let query = first_pattern(&model, ["X", "Y"]);
    let verdict = |instances| {
        let bounds = Bounds { instances, ..Bounds::default() };
        let options = Options::default().with_engine(Engine::Interleave).with_bounds(bounds);
        asercheck::check(&model, &query, &options).expect("no fault").verdict
    };
    assert_eq!(verdict(8), Verdict::Unknown(Reason::Bound));
    assert!(matches!(verdict(16), Verdict::Violation(_)));
}

/// Compares engines on random models about starts; returns the comparison.
fn compare_starts(seeds: Range<u64>, engines: &[Engine], limits: &Limits) -> Comparison {
    let mut total = Comparison::default();
    let bounds = Bounds { states: 8_000, instances: 12, ..Bounds::default() };
    for seed in seeds::taken(seeds) {
        let text = starts::model(seed);
        let model = load(&text);
        let options =
            Options::default().with_bounds(bounds).with_limits(limits.clone()).with_reductions(reductions(seed));
        let mut queries = pattern_queries(&model, UnitMode::Both);
        queries.extend(automaton_queries(&model, automata(seed)));
        fastrand::Rng::with_seed(seed).shuffle(&mut queries);
        queries.truncate(20);
        let found =
            compare(&model, &queries, engines, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(found.disagreements, [""; 0], "seed {seed}\n{text}");
        total.add(found);
    }
    total
}

#[test]
fn starts_anywhere_against_interleaving_search() {
    let total = compare_starts(7_000_000..7_000_300, &[Engine::Explicit, Engine::Interleave], &Limits::default());
    assert!(
        total.violations > seeds::least(100) && total.decided > 2 * total.violations,
        "both verdicts occur: {total:?}"
    );
}

#[test]
fn starts_anywhere_in_all_engines() {
    let engines = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds];
    let limits = Limits::default().with_timeout(Duration::from_millis(500));
    let total = compare_starts(7_100_000..7_100_050, &engines, &limits);
    assert!(
        total.violations > seeds::least(10) && total.decided > 2 * total.violations,
        "both verdicts occur: {total:?}"
    );
}
