//! Static fields that any threads use, faulty and repaired.

use asercheck::Options;
use asercheck::audit::decide;
use asercheck::isolate::{Facts, Subject, isolate_client};
use asercheck::java::{Limits, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck_bench::analysis::with_clients;
use std::path::Path;

/// Returns the violated units of the static fields of each class that appears to protect them.
fn violated_units() -> Vec<(String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/statics/classes");
    let (program, diagnostics) = Program::load(&[folder], &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let facts = Facts::new(&program);
    let (properties, options) = (Property::all_patterns(UnitMode::Both), Options::default().with_jobs(1));
    let mut found = Vec::new();
    for (class, _) in program.classes() {
        let Some(subject) = Subject::of_shared_statics(&program, &facts, class, false) else { continue };
        let isolated = with_clients(&program, |analysis| isolate_client(analysis, &subject, &|| false));
        let isolated = isolated.expect("there is a model");
        let decided = decide(&isolated, &properties, &options).expect("the program is not at fault");
        assert_eq!(decided.unknown, None);
        let broken = decided
            .violated
            .iter()
            .map(|broken| format!("{} on {:?} by {:?}", broken.unit, broken.locations(), broken.interfering_calls()));
        found.push((program.class_name(class), broken.collect()));
    }
    found.sort();
    found
}

#[test]
fn violations_are_found_and_repaired_statics_are_safe() {
    let found = violated_units();
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["statics.Numbers", "statics.NumbersRepaired", "statics.Shared"]);
    let of =
        |index: usize, words: &[&str]| found[index].1.iter().any(|text| words.iter().all(|word| text.contains(word)));
    assert!(of(0, &["Numbers.of(String) on", "KNOWN[]"]), "{found:?}");
    assert!(found[1].1.is_empty(), "{found:?}");
    // By a class beside it, which uses no lock.
    assert!(of(2, &["Shared.add() on", "count", "Beside.reset()"]), "{found:?}");
}

#[test]
fn a_method_of_objects_that_locks_and_writes_a_static_field_claims_its_safety() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/features/classes");
    let (program, _) = Program::load(&[folder], &[], &Limits::default());
    let facts = Facts::new(&program);
    let claims = |name: &str| {
        let class = program.classes().find(|(class, _)| program.class_name(*class) == name).expect("it is there").0;
        Subject::of_shared_statics(&program, &facts, class, false).is_some()
    };
    assert!(claims("features.StaticUnderThisB") && claims("features.StaticUnderClassS"));
    // It locks, and has no mutable static field.
    assert!(!claims("features.SerializedS"));
}
