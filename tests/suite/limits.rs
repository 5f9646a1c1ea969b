//! Limits hold in every stage of an engine.

use crate::suite::support::pattern_queries;
use asercheck::model::Model;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::{Engine, Limits, Options, Reason, Verdict, check, check_all, model};
use asercheck_bench::hostile;
use generate::family::{self, Size};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engines that share the encoding.
const ENCODING: [Engine; 4] = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds];

/// Returns the first pattern on the processes P and Q of a text.
fn first_pattern(text: &str) -> (Model, Query) {
    let model = model::from_text("limits.eml", text).expect("a model").model;
    let processes = Some(vec!["P".to_string(), "Q".to_string()]);
    let selection = Selection { processes, locations: Some(vec!["x".to_string()]), ..Selection::default() };
    let query =
        selection.queries(&model, &Property::all_patterns(UnitMode::Both)[..1]).expect("they are there").remove(0);
    (model, query)
}

/// With sixteen locks the weight of a step between phases is already exponential; it was once computed without a check
/// of the clock.
#[test]
fn symbolic_stops_in_time_with_sixteen_locks() {
    let size = Size { shape: family::Shape::Layers, statements: 200, depth: 2, locks: 16, locations: 2, processes: 2 };
    let model = model::from_text("locks.eml", &family::model(&size, 1)).expect("a model").model;
    let query = &pattern_queries(&model, UnitMode::Both)[0];
    let limits = Limits::default().with_timeout(Duration::from_millis(100));
    let options = Options::default().with_engine(Engine::Symbolic).with_limits(limits);
    let outcome = check(&model, query, &options).expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Timeout));
    // It took a minute; a busy machine may add a fraction of a second.
    assert!(outcome.time < Duration::from_secs(3), "{:?}", outcome.time);
}

/// Twenty thousand phases once overflowed the stack.
#[test]
fn automata_with_very_many_phases() {
    let text = "lock l; shared x; process P { loop { write x; } } process Q { loop { write x; sync l { skip; } } }";
    let model = model::from_text("long.eml", text).expect("a model").model;
    let verdict = |phases: usize, engine| {
        let turns = (0..phases).map(|at| format!("q{at}: on {} write x -> q{}; ", ["P", "Q"][at % 2], at + 1));
        let automaton = format!("automaton a(P, Q; x) {{ {} }}", turns.collect::<String>()).parse();
        let property = Arc::new(Property::of_automaton(automaton.expect("an automaton")));
        let selection = Selection { processes: Some(vec!["P".into(), "Q".into()]), ..Selection::default() };
        let query = selection.queries(&model, &[property]).expect("they are there").remove(0);
        check(&model, &query, &Options::default().with_engine(engine)).expect("no fault").verdict
    };
    for engine in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta] {
        assert!(matches!(verdict(500, engine), Verdict::Violation(_)), "{engine}");
        assert_eq!(verdict(20_000, engine), Verdict::Unknown(Reason::ManyPhases), "{engine}");
    }
}

/// A hundred thousand functions, each of which calls the next, with a stack that has less than ten bytes for each.
#[test]
fn any_depth_of_calls_is_decided_on_a_small_stack() {
    const DEPTH: usize = 100_000;
    let mut text = String::from("lock l; shared x; fn f0() { sync l { read x; } }");
    for index in 1..DEPTH {
        text.push_str(&format!("fn f{index}() {{ call f{}; }}", index - 1));
    }
    let last = DEPTH - 1;
    text.push_str(&format!("process P {{ atomic {{ call f{last}; call f{last}; }} }} process Q {{ write x; }}"));
    let decide = move || {
        let model = model::from_text("chain.eml", &text).expect("a model").model;
        let queries = pattern_queries(&model, UnitMode::First);
        let unserializable_read = queries.iter().find(|query| query.property().label() == "2").expect("a query");
        let decide = |engine, timeout| {
            let limits = Limits::default().with_timeout(timeout);
            let options = Options::default().with_engine(engine).with_limits(limits);
            check(&model, unserializable_read, &options).expect("no fault").verdict
        };
        for engine in [Engine::Explicit, Engine::Symbolic] {
            assert!(matches!(decide(engine, None), Verdict::Violation(_)), "{engine}");
        }
        // These need time that is quadratic in the depth, or have bounds.
        for engine in [Engine::KahlonGupta, Engine::Cpds, Engine::Interleave] {
            assert_ne!(decide(engine, Some(Duration::from_secs(1))), Verdict::Safe, "{engine}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(decide).expect("a thread can be started");
    thread.join().expect("the stack is large enough");
}

/// Returns a model with two processes that share this number of locks; pattern 1 is violated.
fn with_locks(count: usize) -> String {
    let locks: String = (0..count).map(|lock| format!("lock l{lock}; ")).collect();
    let taken: String = (0..count).map(|lock| format!("sync l{lock} {{ skip; }} ")).collect();
    format!("{locks} shared x; process P {{ {taken} atomic {{ read x; write x; }} }} process Q {{ {taken} write x; }}")
}

/// A set of locks has 64 bits. More locks are reported, and never taken for a proof.
#[test]
fn more_locks_than_fit_are_never_safe() {
    let (model, query) = first_pattern(&with_locks(65));
    for engine in ENCODING {
        let outcome = check(&model, &query, &Options::default().with_engine(engine)).expect("no fault");
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::ManyLocks), "{engine}");
    }
    assert_eq!(Reason::ManyLocks.to_string(), "more than 64 contended locks");
    let (model, query) = first_pattern(&with_locks(64));
    let outcome = check(&model, &query, &Options::default()).expect("no fault");
    assert!(matches!(outcome.verdict, Verdict::Violation(_)), "64 fit");
}

/// Variables of a decision diagram are numbered by 16 bits.
#[test]
fn more_variables_than_fit_are_never_safe() {
    let (model, query) = first_pattern(&with_locks(64));
    let outcome = check(&model, &query, &Options::default().with_engine(Engine::Symbolic)).expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::ManyVariables));
}

/// Before anything is solved, processes are cloned for exponentially many sets of locks held.
#[test]
fn cloning_stops_in_time() {
    let model = hostile::models().into_iter().find(|model| model.name == "contexts-chain-40").expect("it is there");
    let (model, query) = first_pattern(&model.text);
    for engine in ENCODING {
        let limits = Limits::default().with_timeout(Duration::from_millis(200));
        let outcome =
            check(&model, &query, &Options::default().with_engine(engine).with_limits(limits)).expect("no fault");
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Timeout), "{engine}");
        assert!(outcome.time < Duration::from_secs(3), "{engine}: {:?}", outcome.time);
    }
}

/// In every stage the engine ends. It takes no more processor time than its limit and half a second, also on a busy
/// machine.
#[test]
fn hostile_models_end_in_time() {
    let is_short = |model: &hostile::Hostile| model.text.len() < 100_000;
    let mut ended = 0;
    for (number, hostile::Hostile { name, text }) in hostile::models().into_iter().filter(is_short).enumerate() {
        let (model, query) = first_pattern(&text);
        let engine = Engine::ALL[1 + number % (Engine::ALL.len() - 1)];
        let limits = Limits::default().with_timeout(Duration::from_millis(100));
        let begin = processor_time();
        let outcome = check(&model, &query, &Options::default().with_engine(engine).with_limits(limits));
        let outcome = outcome.expect("no fault");
        let taken = processor_time().saturating_sub(begin);
        assert!(taken < Duration::from_millis(600), "{name}, {engine}: {taken:?} of {:?}", outcome.time);
        ended += usize::from(outcome.verdict == Verdict::Unknown(Reason::Timeout));
    }
    assert!(ended > 8, "the limit was met by {ended} models");
}

/// Returns the processor time of this thread; none if the system does not provide it.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse().ok()).map_or(Duration::ZERO, Duration::from_nanos)
}

/// Reading a model may be part of the time of the first query, but of no other.
#[test]
fn the_time_of_the_first_query_can_begin_before_it_is_asked() {
    let text = include_str!("../../models/stack.eml");
    let model = model::from_text("stack.eml", text).expect("a model").model;
    let queries = pattern_queries(&model, UnitMode::Both);
    let long_ago = Instant::now().checked_sub(Duration::from_secs(500)).expect("the clock runs");
    let limits = Limits::default().with_timeout(Duration::from_secs(400)).with_since(long_ago);
    for engine in [Engine::Explicit, Engine::Symbolic] {
        let options = Options::default().with_engine(engine).with_limits(limits.clone());
        let mut undecided = Vec::new();
        let outcomes = check_all(&model, &queries, &options, |number, outcome| {
            undecided.extend((outcome.verdict == Verdict::Unknown(Reason::Timeout)).then_some(number));
        });
        assert_eq!((outcomes.expect("no fault").len(), undecided), (queries.len(), vec![0]), "{engine}");
        let first = check(&model, &queries[0], &options).expect("no fault");
        assert_eq!(first.verdict, Verdict::Unknown(Reason::Timeout), "{engine}");
    }
}
