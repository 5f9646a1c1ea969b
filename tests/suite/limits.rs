//! Limits are kept, whatever an engine is doing.

use crate::support::pattern_queries;
use asercheck::phases::UnitMode;
use asercheck::{Engine, Limits, Options, Reason, Verdict, check, model};
use asercheck_bench::family::{self, Size};
use std::time::Duration;

/// With sixteen locks already the weight of a step between phases is exponential; it was computed without a look at the clock.
#[test]
fn symbolic_stops_in_time_with_sixteen_locks() {
    let size = Size { statements: 200, depth: 2, locks: 16, locations: 2, processes: 2 };
    let model = model::from_text("locks.eml", &family::model(&size, 1)).expect("a model").model;
    let query = &pattern_queries(&model, UnitMode::Both)[0];
    let limits = Limits { timeout: Some(Duration::from_millis(100)), ..Limits::default() };
    let options = Options { engine: Engine::Symbolic, limits, ..Options::default() };
    let outcome = check(&model, query, &options).expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Timeout));
    // It took a minute; a busy machine may add some of a second.
    assert!(outcome.time < Duration::from_secs(3), "{:?}", outcome.time);
}

/// A hundred thousand functions, each of which calls the next, with a stack that has room for less than ten bytes of each.
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
            let limits = Limits { timeout, ..Limits::default() };
            let options = Options { engine, limits, ..Options::default() };
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
