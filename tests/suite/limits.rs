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
