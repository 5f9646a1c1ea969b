use super::*;
use crate::check_all;
use crate::engine::Options;
use crate::query::{Property, Selection};
use eml::model;
use phases::UnitMode;
use std::collections::BTreeSet;

/// The records of all patterns of a model, and its findings.
fn found(text: &str) -> (Vec<QueryRecord>, Vec<Finding>) {
    let model = model::from_text("m.eml", text).expect("a model").model;
    let queries =
        Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both)).expect("nothing is named");
    let outcomes = check_all(&model, &queries, &Options::default(), |_, _| {}).expect("no fault");
    let records: Vec<_> =
        queries.iter().zip(&outcomes).map(|(query, outcome)| QueryRecord::new(&model, query, outcome)).collect();
    let findings = findings(&records, &Ordinals::of(&model));
    (records, findings)
}

fn fingerprints(text: &str) -> BTreeSet<String> {
    found(text).1.into_iter().map(|finding| finding.fingerprint).collect()
}

const UPDATE: &str = "fn get() { read x; } fn set() { write x; } fn update() { atomic { call get; call set; } }";

#[test]
fn processes_and_patterns_do_not_make_findings() {
    let (records, findings) =
        found(&format!("shared x; {UPDATE} process P * 2 {{ call update; }} process Q {{ call update; }}"));
    // R1 W2 W1 for each of three pairs of processes: one cause.
    assert!(records.iter().filter(|record| record.verdict == VerdictKind::Violation).count() >= 3);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].group, Group::LostUpdate);
    let violations = records.iter().enumerate().filter(|(_, record)| record.verdict == VerdictKind::Violation);
    let mut own = findings[0].queries.clone();
    own.sort_unstable();
    assert_eq!(own, violations.map(|(number, _)| number).collect::<Vec<_>>());
}

#[test]
fn the_order_of_locations_does_not_make_findings() {
    let text = "shared a, b; atomicset s { a, b } process W { atomic { write a; write b; } } process R { atomic { read b; read a; } }";
    let (records, findings) = found(text);
    let violations = records.iter().filter(|record| record.verdict == VerdictKind::Violation).count();
    assert!(violations > findings.len(), "{violations} violations, {} findings", findings.len());
    let causes: BTreeSet<_> = records.iter().filter_map(|record| record.witness.as_ref()).map(cause).collect();
    assert_eq!(causes.len(), findings.len());
}

#[test]
fn different_statements_make_findings() {
    let text = "shared x; fn one() { atomic { read x; write x; } } fn two() { atomic { read x; write x; } }
        process P { call one; } process Q { call two; }";
    let (_, findings) = found(text);
    assert_eq!(findings.len(), 2, "each of the functions may lose its update to the other");
}

#[test]
fn every_violation_is_in_one_finding_and_the_shown_one_is_the_clearest_of_its_kind() {
    let mut is_clearer_of_another_kind = false;
    for name in ["stack", "shop2", "bubblesort3", "linkedlist", "workers", "recursion", "lottery3"] {
        let text =
            std::fs::read_to_string(format!("{}/../models/{name}.eml", env!("CARGO_MANIFEST_DIR"))).expect("a model");
        let (records, findings) = found(&text);
        let mut members: Vec<_> = findings.iter().flat_map(|finding| &finding.queries).copied().collect();
        members.sort_unstable();
        let violations = records.iter().enumerate().filter(|(_, record)| record.verdict == VerdictKind::Violation);
        assert_eq!(members, violations.map(|(number, _)| number).collect::<Vec<_>>(), "{name}");
        let witness = |number: usize| records[number].witness.as_ref().expect("a violation");
        for finding in &findings {
            let shown = clarity(witness(finding.shown()));
            let group_of = |number: usize| Group::of(&records[number].automaton);
            assert_eq!(group_of(finding.shown()), finding.group, "{name}");
            for number in &finding.queries {
                let is_clearer = clarity(witness(*number)) < shown;
                assert!(group_of(*number).severity() <= finding.group.severity(), "{name}");
                assert!(!is_clearer || group_of(*number) != finding.group, "{name}");
                is_clearer_of_another_kind |= is_clearer;
            }
            assert!(finding.queries.iter().all(|number| cause(witness(*number)) == cause(witness(finding.shown()))));
            assert!((0.0..=1.0).contains(&finding.rank) && finding.rank <= finding.group.severity());
        }
        assert!(findings.windows(2).all(|pair| pair[0].rank >= pair[1].rank), "{name}");
        let distinct: BTreeSet<_> = findings.iter().map(|finding| &finding.fingerprint).collect();
        assert_eq!(distinct.len(), findings.len(), "{name}");
    }
    assert!(is_clearer_of_another_kind);
}

#[test]
fn fingerprints_survive_what_changes_elsewhere() {
    let model = |before: &str, inside: &str, behind: &str| {
        format!(
            "shared x, y; {before} fn update() {{ {inside} atomic {{ read x; {inside} write x; }} }} {behind} process P * 2 {{ call update; }}"
        )
    };
    let first = fingerprints(&model("", "", ""));
    assert_eq!(first.len(), 1);
    assert_eq!(first, fingerprints(&model("\n\n fn other() { skip; }", "\n skip;\n", "process Q { read y; }")));
    // An access to another location keeps the ordinal; an earlier access of the same kind shifts it.
    assert_ne!(first, fingerprints(&model("", "read x;", "")));
    let renamed = model("", "", "").replace("update", "change");
    assert_ne!(first, fingerprints(&renamed));
}

/// Users store fingerprints as baselines, so they must not change from one version to the next.
#[test]
fn fingerprints_are_these() {
    let text = "shared x; fn update() { atomic { read x; write x; } } process P * 2 { call update; }";
    assert_eq!(fingerprints(text).into_iter().collect::<Vec<_>>(), ["c1ba01889f03605d7010f32d61ec6ea1"]);
}

#[test]
fn groups_by_label() {
    let groups = (1..=14).map(|number: u8| Group::of(&number.to_string())).collect::<Vec<_>>();
    assert!(groups.iter().all(|group| *group != Group::Automaton));
    assert_eq!(
        [Group::of("race"), Group::of("deadlock3"), Group::of("deadlock"), Group::of("deadlocked")],
        [Group::Race, Group::Deadlock, Group::Deadlock, Group::Automaton]
    );
    assert!(Group::ALL.windows(2).all(|pair| pair[0].severity() > pair[1].severity()));
}
