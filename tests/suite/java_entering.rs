//! What is not entered touches nothing that is followed: nothing is found only if all calls are entered. What is found
//! only if they are not are alarms: of what is not entered is not known what it gives, or that it always throws.

use asercheck_bench::jvm::compare::{load, load_path};
use asercheck_bench::jvm::compile::compile;
use asercheck_bench::jvm::entering::{Entered, compare};
use asercheck_bench::jvm::random;
use std::path::Path;
use std::time::Duration;

/// More than any of these classes needs.
const LIMIT: Duration = Duration::from_secs(60);

/// Correct classes of which a call that is entered in vain makes an alarm: what it gets or finds is not followed, and
/// once it is entered it is no longer known to be another object, or to be run by one thread. In a broken one other
/// threads run what is broken, as a stream that is not followed may be parallel.
const ALARMS: [&str; 7] =
    ["CasRecordS", "ComposedFieldS", "DistinctB", "InsideListS", "OpenReferenceS", "TimerOneS", "ViewOfOwnS"];

#[test]
fn calls_of_random_classes_that_are_not_entered_hide_nothing() {
    let mut total = Entered::default();
    let seeds =
        (0..40).chain((0..20).map(|seed| random::MORE + seed)).chain((0..12).map(|seed| random::STATICS + seed));
    for seed in seeds {
        let found = compare(&load(&compile(&random::program(seed))), LIMIT);
        assert!(found.hidden.is_empty(), "seed {seed}: {found:#?}");
        total.add(found);
    }
    println!("{total:?}");
    assert!(total.open < 12 && total.subjects > 150 && total.broken > 100, "{total:?}");
}

#[test]
fn calls_of_the_example_classes_that_are_not_entered_hide_nothing() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java");
    let mut total = Entered::default();
    for folder in ["client/classes", "features/classes"] {
        total.add(compare(&load_path(models.join(folder)), LIMIT));
    }
    let Entered { subjects, broken, open, hidden, vanished } = &total;
    println!("{subjects} subjects, {broken} units, {open} open, {hidden:#?}, {vanished:#?}");
    let is_known = |unit: &String| ALARMS.iter().any(|class| unit.starts_with(&format!("features.{class}: ")));
    let new: Vec<&String> = hidden.iter().filter(|unit| !is_known(unit)).collect();
    assert!(new.is_empty(), "{total:#?}");
    assert!(*open < 10 && *subjects > 350 && *broken > 300, "{total:#?}");
}
