//! Real executions of small Java classes must be possible in their models: the translation of Java against a machine
//! that executes the classes.

use asercheck_bench::jvm::compare::{Compared, Effort, compare, load, load_path};
use asercheck_bench::jvm::compile::compile;
use asercheck_bench::jvm::random;
use asercheck_bench::jvm::schedules::Bounds;
use asercheck_bench::jvm::watch::PATTERNS;
use std::path::Path;

/// Compares the programs of some seeds.
fn compared(seeds: impl IntoIterator<Item = u64>, clients: usize) -> Compared {
    let effort = Effort { clients, bounds: Bounds { states: 600, ..Bounds::default() }, decides: false };
    let mut total = Compared::default();
    for seed in seeds {
        let source = random::program(seed);
        let found = compare(&load(&compile(&source)), seed, effort);
        assert!(found.faults.is_empty(), "seed {seed}: {:?}", found.faults);
        let misses: Vec<String> = found.misses.iter().map(ToString::to_string).collect();
        assert!(misses.is_empty(), "seed {seed}:\n{source}\n{}", misses.join("\n"));
        total.add(found);
    }
    total
}

#[test]
fn models_allow_the_executions_of_random_classes() {
    // The last seeds cover rare features: monitors of other objects, waiting, objects that may be the followed one.
    let found = compared((0..70).chain([1035, 1083, 1039, 1128, 2310, 2328]), 8);
    println!("{found:?}");
    assert_eq!(found.unsupported, 0);
    assert!(found.subjects > 100 && found.happened > 100 && found.open * 10 < found.happened, "{found:?}");
}

#[test]
fn locks_across_methods_and_compare_and_set_are_followed() {
    // The last seed has a loop that assigns the value read in its next round.
    let found = compared((0..24).chain([111]).map(|seed| random::MORE + seed), 8);
    println!("{found:?}");
    assert_eq!(found.unsupported, 0);
    // Some of the programs take locks that they do not release in the reverse order.
    assert!(found.subjects > 20 && found.happened > 20 && found.stuck < found.subjects, "{found:?}");
}

#[test]
fn models_allow_the_executions_on_static_fields() {
    // The last seeds cover rare features: methods that are overridden, run as a `Runnable`, or name an inherited field.
    let found = compared((0..8).chain([16, 19, 36, 38]).map(|seed| random::STATICS + seed), 8);
    println!("{found:?}");
    assert_eq!(found.unsupported, 0);
    assert!(found.static_subjects >= 12 && found.happened_to_statics > 30 && found.open == 0, "{found:?}");
}

#[test]
fn elements_of_arrays_and_conditions_that_are_tested_twice_are_followed() {
    let found = compared((0..40).map(|seed| random::ELEMENTS + seed), 8);
    println!("{found:?}");
    assert_eq!(found.unsupported, 0);
    assert!(found.with_elements > 20 && found.happened > 80 && found.open * 10 < found.happened, "{found:?}");
}

/// A unit with the object as an argument calls methods of another object, which finds it in its fields.
#[test]
fn calls_that_do_not_get_the_object_but_find_it_are_parts_of_units() {
    let effort = Effort { clients: 24, bounds: Bounds::default(), decides: false };
    let mut total = Compared::default();
    for seed in [1_002_825, 1_002_991] {
        let found = compare(&load(&compile(&random::program(seed))), seed, effort);
        assert!(found.misses.is_empty(), "seed {seed}: {}", found.misses[0]);
        total.add(found);
    }
    // The locks of the second one do not nest.
    assert!(total.happened > 3, "{total:?}");
}

#[test]
fn models_allow_the_executions_of_the_example_classes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/java/client/classes");
    let effort = Effort { clients: 30, bounds: Bounds { states: 600, ..Bounds::default() }, decides: true };
    let found = compare(&load_path(folder), 1, effort);
    println!("{found:?}");
    assert!(found.misses.is_empty(), "{:?}", found.misses);
    // Collections, handles and timers are not executed.
    assert!(found.subjects >= 24 && found.unsupported * 3 < found.clients, "{found:?}");
    assert!(found.happened > 25 && found.confirmed * 3 > found.reported, "{found:?}");
}

#[test]
fn the_tested_patterns_are_those_of_the_documentation() {
    let text = include_str!("../../docs/patterns.md");
    let documented: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("### ")?.split_once(": ")).map(|it| it.1).collect();
    assert_eq!(documented, PATTERNS);
}
