//! Calls that are one step of a witness, since their steps would be too many.

use crate::suite::support::{pattern_queries, violations_with};
use asercheck::model::Model;
use asercheck::phases::{Automaton, UnitMode};
use asercheck::query::{Property, Query, Selection};
use asercheck::witness::{Action, ReplayErrorKind, Subject, Witness, replay};
use asercheck::{Bounds, Engine, Limits, Options, Reason, Reductions, Verdict, check, model};
use asercheck_bench::compare::{automaton_queries, reductions};
use generate::random::{self, Shape};
use generate::seeds;
use std::time::{Duration, Instant};

fn parse(text: &str) -> Model {
    model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

fn query(model: &Model, number: u8) -> Query {
    let both = Property::all_patterns(UnitMode::Both);
    let selection = Selection { processes: Some(vec!["P".into(), "Q".into()]), ..Selection::default() };
    let queries = selection.queries(model, &both).expect("the processes are there");
    let label = number.to_string();
    queries.into_iter().find(|query| query.property().label() == label).expect("the pattern is asked")
}

/// Returns a model with a reader that calls the last function between two reads; each function calls the one before it
/// twice.
fn doubling(count: usize, first: &str, rest: &str) -> String {
    let mut text = format!("lock l; lock m; shared x; shared y; fn f0() {{ {first} }}\n");
    for number in 1..=count {
        text += &format!("fn f{number}() {{ call f{0}; call f{0}; }}\n", number - 1);
    }
    text + &format!("process P {{ atomic {{ read x; call f{count}; read x; }} }}\n{rest}\n")
}

fn witness(model: &Model, query: &Query, options: &Options) -> Witness {
    match check(model, query, options).expect("no fault").verdict {
        Verdict::Violation(witness) => witness,
        other => panic!("{}: {other:?}", options.engine),
    }
}

/// Returns the number of steps of each returning call that is one step.
fn whole_calls(witness: &Witness) -> Vec<u64> {
    let calls = witness.steps.iter().filter(|step| step.returns);
    calls.map(|step| step.steps.expect("a call that returns has its steps")).collect()
}

fn engine(engine: Engine) -> Options {
    let limits = Limits::default().with_timeout(Duration::from_secs(20));
    Options::default().with_engine(engine).with_limits(limits)
}

#[test]
fn calls_of_up_to_2_to_the_42_steps() {
    for count in 1..=40 {
        let model = parse(&doubling(count, "sync l { skip; }", "process Q { sync l { write x; } }"));
        // 4 in the first function, two more than twice as much in each other.
        let steps = 6 * (1 << count) - 2;
        for name in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta] {
            let start = Instant::now();
            let witness = witness(&model, &query(&model, 2), &engine(name));
            // It takes milliseconds; a busy machine may take longer.
            assert!(start.elapsed() < Duration::from_secs(5), "{name} {count}: {:?}", start.elapsed());
            let expected: Vec<u64> = if steps > 1000 { vec![steps] } else { vec![] };
            assert_eq!(whole_calls(&witness), expected, "{name} {count}");
            let rest = if steps > 1000 { 0 } else { steps };
            // A begin, two reads, three steps of the writer.
            let fixed = witness.length() - expected.iter().sum::<u64>() - rest;
            assert!((5..=6).contains(&fixed), "{name} {count}: {fixed}");
        }
    }
}

#[test]
fn the_limits_hold_where_words_are_too_long() {
    let model = parse(&doubling(40, "sync l { skip; }", "process Q { sync l { write x; } }"));
    let limits = Limits::default().with_timeout(Duration::from_millis(300));
    let options = Options::default().with_engine(Engine::Cpds).with_limits(limits);
    let outcome = check(&model, &query(&model, 2), &options).expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Timeout));
    assert!(outcome.time < Duration::from_secs(3), "{:?}", outcome.time);
}

#[test]
fn the_limits_hold_where_everything_is_written_out() {
    let model = parse(&doubling(40, "sync l { skip; }", "process Q { sync l { write x; } }"));
    let limits = Limits::default().with_timeout(Duration::from_millis(200));
    let options = Options::default().with_engine(Engine::Explicit).with_limits(limits).with_longest_call(u64::MAX);
    let outcome = check(&model, &query(&model, 2), &options).expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Timeout));
    assert!(outcome.time < Duration::from_secs(3), "{:?}", outcome.time);
}

#[test]
fn calls_in_which_nothing_matters() {
    // Skips, a location that no query names, and a path around the lock.
    let firsts = [("skip;", 2), ("write y;", 3), ("choose { sync l { skip; } } or { read y; }", 3)];
    for (first, least) in firsts {
        let model = parse(&doubling(40, first, "process Q { sync l { write x; } }"));
        for name in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds] {
            for reductions in [Reductions::all(), Reductions::none()] {
                let options = engine(name).with_reductions(reductions);
                if name == Engine::Cpds && reductions == Reductions::none() {
                    continue;
                }
                let witness = witness(&model, &query(&model, 2), &options);
                assert_eq!(whole_calls(&witness), [(least + 2) * (1 << 40) - 2], "{name} {first}");
            }
        }
    }
}

#[test]
fn a_call_that_another_thread_has_to_interrupt_is_written_out() {
    // The writer has to act between two calls deep in the function; the calls around that are one step each.
    let text = "lock l; shared x; fn f0() { sync l { skip; } } fn g() { call f1; read x; call f1; }
        fn f1() { call f0; call f0; } fn f2() { call f1; call f1; call g; call f1; }
        process P { atomic { read x; call f2; } } process Q { sync l { write x; } }";
    let model = parse(text);
    for name in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta] {
        let options = engine(name).with_longest_call(0);
        let witness = witness(&model, &query(&model, 2), &options);
        let calls: Vec<_> = witness.steps.iter().filter(|step| step.action == Action::Call).collect();
        let names: Vec<_> = calls.iter().map(|step| (step.object.as_deref().unwrap(), step.steps)).collect();
        assert_eq!(
            names,
            [("f2", None), ("f1", Some(10)), ("f1", Some(10)), ("g", None), ("f1", Some(10))],
            "{name}: {witness:?}"
        );
    }
}

#[test]
fn the_locks_of_others_decide_the_shortest_path() {
    // While the writer holds the lock, the function has to take the long path.
    let text = "lock l; lock m; shared x; shared y;
        fn f() { choose { sync l { skip; } } or { read y; read y; read y; read y; } }
        process P { atomic { sync m { write x; } call f; sync m { read x; } } }
        process Q { sync l { sync m { write x; } } }";
    let model = parse(text);
    for name in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave] {
        let options = engine(name).with_longest_call(0);
        let witness = witness(&model, &query(&model, 4), &options);
        let Some(call) = witness.steps.iter().position(|step| step.returns) else {
            assert_eq!(name, Engine::Interleave);
            continue;
        };
        let of_writer = |action| {
            let steps = witness.steps[..call].iter().filter(|step| step.thread == 1 && step.action == action);
            steps.filter(|step| step.object.as_deref() == Some("l")).count()
        };
        let is_held = of_writer(Action::Acquire) > of_writer(Action::Release);
        assert_eq!(witness.steps[call].steps, Some(if is_held { 6 } else { 4 }), "{name}");
    }
}

/// A witness with one whole call, with its model and query.
struct Example {
    model: Model,
    automaton: Automaton,
    witness: Witness,
    /// The place of the call.
    call: usize,
}

impl Example {
    fn new(first: &str, rest: &str) -> Self {
        let model = parse(&doubling(12, first, rest));
        let query = query(&model, 2);
        let witness = witness(&model, &query, &engine(Engine::Explicit));
        let call = witness.steps.iter().position(|step| step.returns).expect("a whole call");
        Self { automaton: query.property().automaton().clone(), model, witness, call }
    }

    fn replay(&self, change: impl FnOnce(&mut Witness)) -> Result<(), ReplayErrorKind> {
        let mut witness = self.witness.clone();
        change(&mut witness);
        let (locations, processes) = (["x".to_string()], ["P".to_string(), "Q".to_string()]);
        let (model, automaton) = (&self.model, &self.automaton);
        let subject = Subject { model, automaton, locations: &locations, locks: &[], processes: &processes };
        replay(&subject, &witness).map_err(|error| error.kind)
    }
}

#[test]
fn numbers_of_steps_are_those_of_the_shortest_path() {
    let bodies = [
        ("skip;", 2),
        ("sync l { sync l { skip; } }", 6),
        ("choose { read y; read y; return; } or { read y; }", 3),
        ("choose { read y; return; } or { read y; read y; }", 3),
        ("begin; write y; end;", 5),
        ("loop { read y; }", 2),
        ("choose { call f; read y; } or { sync l { skip; } }", 4),
        ("call g; start R; call g;", 9),
        ("choose { call g; } or { read y; read y; }", 4),
        ("choose { call g; } or { return; }", 2),
        ("choose { call h; } or { call g; }", 5),
    ];
    for (body, expected) in bodies {
        let text = format!(
            "lock l; shared x; shared y; fn f() {{ {body} }} fn g() {{ read y; }} fn h() {{ call h; }} process R {{ skip; }}
             process P {{ atomic {{ read x; call f; read x; }} }} process Q {{ sync l {{ write x; }} }}"
        );
        let model = parse(&text);
        for name in [Engine::Explicit, Engine::KahlonGupta] {
            let options = engine(name).with_longest_call(0);
            assert_eq!(whole_calls(&witness(&model, &query(&model, 2), &options)), [expected], "{name} {body}");
            // The same step by step, which is not shorter.
            let options = engine(name).with_longest_call(u64::MAX);
            let whole = witness(&model, &query(&model, 2), &options);
            assert_eq!(whole_calls(&whole), [0; 0]);
        }
    }
}

#[test]
fn the_replay_counts_the_steps_itself() {
    let example = Example::new("sync l { skip; }", "process Q { sync l { write x; } }");
    let call = example.call;
    let steps = 6 * (1 << 12) - 2;
    assert_eq!(example.replay(|_| {}), Ok(()));
    for wrong in [0, 1, steps - 1, steps + 1, u64::MAX] {
        let error = example.replay(|witness| witness.steps[call].steps = Some(wrong));
        assert_eq!(error, Err(ReplayErrorKind::WrongSteps { expected: steps }));
    }
    assert_eq!(example.replay(|witness| witness.steps[call].steps = None), Err(ReplayErrorKind::NoCall));
    assert_eq!(example.replay(|witness| witness.steps[call].returns = false), Err(ReplayErrorKind::NoCall));
    let elsewhere = |witness: &mut Witness| {
        witness.steps[0].returns = true;
        witness.steps[0].steps = Some(1);
    };
    assert_eq!(example.replay(elsewhere), Err(ReplayErrorKind::NoCall));
    assert_eq!(example.replay(|witness| witness.steps[call].event = Some(2)), Err(ReplayErrorKind::WrongEvent));
    // Another function than the one called there.
    assert_eq!(
        example.replay(|witness| witness.steps[call].object = Some("f11".into())),
        Err(ReplayErrorKind::Impossible)
    );
    // After the call the thread is not inside of it.
    let inside = |witness: &mut Witness| {
        let mut next = witness.steps[call].clone();
        (next.object, next.function, next.returns, next.steps) = (Some("f11".into()), "f12".into(), false, None);
        witness.steps.insert(call + 1, next);
    };
    assert_eq!(example.replay(inside), Err(ReplayErrorKind::Impossible));
}

#[test]
fn a_call_that_is_blocked_does_not_return() {
    let example = Example::new("sync l { skip; }", "process Q { sync l { write x; } }");
    // The writer takes the lock before the call, and nothing else.
    let blocked = |witness: &mut Witness| {
        let acquire = witness.steps.iter().find(|step| step.thread == 1).expect("the writer acts").clone();
        assert_eq!(acquire.action, Action::Acquire);
        witness.steps.retain(|step| step.thread == 0);
        let call = witness.steps.iter().position(|step| step.returns).expect("a whole call");
        witness.steps.insert(call, acquire);
    };
    assert_eq!(example.replay(blocked), Err(ReplayErrorKind::CannotReturn));
}

/// While the other thread has yet to write, the first one must not write the second location.
const NO_WRITE_BEFORE: &str = "automaton no_write_before(T1, T2; a, b) {
    q1: on T1 read a -> q2;
    q2: forbid T1 write b; on T2 write a -> q3;
    q3: forbid T1 write b; on T1 read a -> q4;
}";

/// A model, and the query of the automaton above about its locations and processes.
fn no_write_before(body: &str) -> (Model, Query) {
    let text = format!(
        "shared x; shared y; atomicset s {{ x, y }} fn f() {{ {body} }} process P {{ read x; call f; read x; }} process Q {{ write x; }}"
    );
    let model = parse(&text);
    let query = of_automaton(&model, NO_WRITE_BEFORE);
    (model, query)
}

/// Returns the query of an automaton for the locations x and y and the processes P and Q.
fn of_automaton(model: &Model, automaton: &str) -> Query {
    let queries = automaton_queries(model, asercheck::phases::parse(automaton).expect("an automaton"));
    let bound = |query: &Query| {
        let locations: Vec<_> = query.locations().iter().map(|id| model.location(*id).name()).collect();
        let processes: Vec<_> = query.processes().iter().map(|id| model.process(*id).name()).collect();
        locations == ["x", "y"] && processes == ["P", "Q"]
    };
    queries.into_iter().find(bound).expect("it is asked")
}

#[test]
fn a_call_precedes_the_phase_that_forbids_its_acts() {
    // With fewer turns the call would come after the read.
    let automaton = "automaton before(T1, T2; a, b) {
        q1: on T1 read a -> q2;
        q2: forbid T2 write b; on T2 write a -> q3;
    }";
    let model = parse(
        "shared x; shared y; atomicset s { x, y } fn f() { write y; }
         process P { read x; } process Q { call f; write x; }",
    );
    let query = of_automaton(&model, automaton);
    for name in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave] {
        let witness = witness(&model, &query, &engine(name).with_longest_call(0));
        let place = |object: &str| witness.steps.iter().position(|step| step.object.as_deref() == Some(object));
        let first_of_reader = witness.steps.iter().position(|step| step.thread == 0).expect("the reader acts");
        assert!(place("f").expect("the call is made") < first_of_reader, "{name}");
        // The others may let the reader act before the call returns.
        let is_written_out = matches!(name, Engine::Interleave | Engine::KahlonGupta);
        assert!(is_written_out || whole_calls(&witness) == [3], "{name}: {witness:?}");
    }
}

#[test]
fn calls_avoid_acts_that_the_phase_forbids() {
    let (model, query) = no_write_before("choose { write y; } or { read y; read y; read y; }");
    for name in [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta] {
        let witness = witness(&model, &query, &engine(name).with_longest_call(0));
        assert_eq!(whole_calls(&witness), [5], "{name}: the way with one write is forbidden");
    }
    let (locations, processes) = (["x".to_string(), "y".to_string()], ["P".to_string(), "Q".to_string()]);
    let replays = |model: &Model, witness: &Witness| {
        let automaton = query.property().automaton();
        let subject = Subject { model, automaton, locations: &locations, locks: &[], processes: &processes };
        replay(&subject, witness).map_err(|error| error.kind)
    };
    // The same place in a model that has only the forbidden path.
    let (reads, reading) = no_write_before("read y; ");
    let (writes, writing) = no_write_before("write y;");
    let folded = witness(&reads, &reading, &engine(Engine::Explicit).with_longest_call(0));
    assert_eq!(whole_calls(&folded), [3]);
    assert_eq!(replays(&reads, &folded), Ok(()));
    assert_eq!(replays(&writes, &folded), Err(ReplayErrorKind::CannotReturn));
    assert_eq!(check(&writes, &writing, &engine(Engine::Explicit)).expect("no fault").verdict, Verdict::Safe);
    // The same step by step.
    let mut plain = witness(&reads, &reading, &engine(Engine::Explicit));
    assert_eq!(replays(&reads, &plain), Ok(()));
    let inner = plain.steps.iter_mut().find(|step| step.object.as_deref() == Some("y")).expect("a read of y");
    inner.action = Action::Write;
    assert_eq!(replays(&writes, &plain), Err(ReplayErrorKind::Forbidden));
}

#[test]
fn no_more_instances_replay_than_there_are() {
    let text = |count: &str| format!("shared x; process P {count} {{ atomic {{ read x; write x; }} }}");
    let (two, one) = (parse(&text("* 2")), parse(&text("   ")));
    let first = pattern_queries(&two, UnitMode::Both).into_iter().find(|query| query.property().label() == "1");
    let query = first.expect("pattern 1 is asked");
    let witness = witness(&two, &query, &engine(Engine::Explicit));
    assert_eq!(witness.threads, ["P#1", "P#2"]);
    let (locations, processes) = (["x".to_string()], ["P".to_string(), "P".to_string()]);
    let replays = |model: &Model| {
        let automaton = query.property().automaton();
        let subject = Subject { model, automaton, locations: &locations, locks: &[], processes: &processes };
        replay(&subject, &witness).map_err(|error| error.kind)
    };
    assert_eq!(replays(&two), Ok(()));
    assert_eq!(replays(&one), Err(ReplayErrorKind::TooManyInstances("P".into())));
}

/// Names of threads are looked up in a table: comparing each with all before it takes minutes.
#[test]
fn a_witness_may_name_very_many_threads() {
    const COUNT: usize = 300_000;
    let model = parse("shared x; process P * many { atomic { read x; write x; } }");
    let automaton = Property::all_patterns(UnitMode::Both)[0].automaton().clone();
    let threads = (1..=COUNT).map(|number| format!("P#{number}")).collect();
    let witness = Witness { threads, steps: Vec::new() };
    let (locations, processes) = (["x".to_string()], ["P".to_string(), "P".to_string()]);
    let subject =
        Subject { model: &model, automaton: &automaton, locations: &locations, locks: &[], processes: &processes };
    let error = replay(&subject, &witness).expect_err("there are no steps");
    assert_eq!(error.kind, ReplayErrorKind::NotAccepted);
}

#[test]
fn random_models_with_every_call_as_one_step() {
    let (mut violations, mut whole) = (0, 0);
    for seed in seeds::taken(7_000_000..7_000_040) {
        let shape = Shape { functions: 3, locks: 2, starts: seed % 4 == 0, ..Shape::of_seed(seed) };
        let text = random::model(seed, &shape);
        let model = parse(&text);
        let queries = pattern_queries(&model, UnitMode::Both);
        let decide = |engine, longest| {
            let limits = Limits::default().with_timeout(Duration::from_millis(500));
            let bounds = Bounds { states: 10_000, ..Bounds::default() };
            let options = Options::default()
                .with_engine(engine)
                .with_longest_call(longest)
                .with_limits(limits)
                .with_bounds(bounds)
                .with_reductions(reductions(seed));
            asercheck::check_all(&model, &queries, &options, |_, _| {})
                .unwrap_or_else(|error| panic!("{engine} seed {seed}: {error}\n{text}"))
        };
        let engines = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds];
        let name = engines[seed as usize % 4];
        for ((folded, unfolded), query) in decide(name, Some(0)).iter().zip(&decide(name, Some(u64::MAX))).zip(&queries)
        {
            match (&folded.verdict, &unfolded.verdict) {
                (Verdict::Violation(folded), Verdict::Violation(unfolded)) => {
                    violations += 1;
                    whole += whole_calls(folded).len();
                    assert_eq!(whole_calls(unfolded), [0; 0]);
                    assert!(folded.length() <= unfolded.length(), "seed {seed}: {query:?}");
                }
                (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) | (Verdict::Safe, Verdict::Safe) => {}
                (folded, unfolded) => panic!("{name} seed {seed}: {folded:?} {unfolded:?}\n{text}"),
            }
        }
    }
    assert!(
        violations > seeds::least(60) && whole > seeds::least(25),
        "{violations} violations with {whole} whole calls"
    );
}

#[test]
fn a_deep_path_of_calls_that_return() {
    // Each function calls the next one, and all return before the second read.
    let count = 20_000;
    let mut text = String::from("lock l; shared x; fn f0() { sync l { skip; } }\n");
    for number in 1..=count {
        text += &format!("fn f{number}() {{ call f{}; }}\n", number - 1);
    }
    text +=
        &format!("process P {{ atomic {{ read x; call f{count}; read x; }} }} process Q {{ sync l {{ write x; }} }}");
    let model = parse(&text);
    let witness = witness(&model, &query(&model, 2), &engine(Engine::Explicit));
    assert_eq!(whole_calls(&witness), [2 * count + 4]);
    let queries = [query(&model, 2)];
    let options = engine(Engine::Explicit).with_longest_call(u64::MAX);
    assert_eq!(violations_with(&model, &queries, &options).len(), 1);
}
