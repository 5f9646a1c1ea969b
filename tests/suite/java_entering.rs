//! Calls that are not entered must not access a followed object: a violation is found only with all calls entered only
//! if it is a false alarm. Violations found only without entering them are alarms, since the results of such a call,
//! and whether it always throws, are unknown.

use asercheck_bench::analysis::load;
use asercheck_bench::entering::{Entered, compare};
use std::path::Path;
use std::time::Duration;

/// A limit above the need of all these classes.
const LIMIT: Duration = Duration::from_secs(60);

/// Correct classes for which entering a call in vain causes a false alarm: its arguments and the objects that it finds
/// are not followed, and after entering it is no longer known that an object is another one, or that one thread runs
/// the call. In a faulty class, other threads run the violated unit, since a stream that is not followed may be
/// parallel; or another unit of it is violated, as `AccessOrderB.get` is.
const ALARMS: [&str; 11] = [
    "AccessOrderB",
    "AccessOrderS",
    "CasRecordS",
    "ComposedFieldS",
    "DistinctB",
    "HandedNested",
    "InsideListS",
    "OpenReferenceS",
    "ShownElementS",
    "TimerOneS",
    "ViewOfOwnS",
];

#[test]
fn calls_of_the_example_classes_that_are_not_entered_hide_nothing() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java");
    let mut total = Entered::default();
    for folder in ["client/classes", "features/classes"] {
        total.add(compare(&load(models.join(folder)), LIMIT));
    }
    let Entered { subjects, violated, undecided, hidden, vanished } = &total;
    println!("{subjects} subjects, {violated} units, {undecided} undecided, {hidden:#?}, {vanished:#?}");
    let is_known = |unit: &String| ALARMS.iter().any(|class| unit.starts_with(&format!("features.{class}: ")));
    let new: Vec<&String> = hidden.iter().filter(|unit| !is_known(unit)).collect();
    assert!(new.is_empty(), "{total:#?}");
    assert!(*undecided < 10 && *subjects > 350 && *violated > 300, "{total:#?}");
}
