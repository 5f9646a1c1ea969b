//! Data races and deadlocks in batches, and queries that are not asked.

use crate::batch::support::{Scratch, answers, example, expect, header, records, run};
use asercheck::answers::VerdictKind;
use std::fs;

#[test]
fn races_and_deadlocks_are_recorded_merged_and_replayed() {
    let scratch = Scratch::new("locks");
    let models = ["gate.eml", "gate-broken.eml", "start-race.eml"].map(example).join(" ");
    let batch = format!("batch {models} --races --deadlocks --engines interleave --units both,first --quiet");
    expect(0, &format!("{batch} --out"), &scratch.path("whole"));
    let whole = answers(&scratch.path("whole"));
    let violated = |label: &str| {
        let own = whole.iter().filter(|record| record.query.automaton == label);
        (own.clone().count(), own.filter(|record| record.query.verdict == VerdictKind::Violation).count())
    };
    assert_eq!(violated("deadlock2"), (2, 1));
    assert_eq!(violated("race"), (8, 1));
    assert_eq!(whole.len(), 10, "nothing else is asked, and nothing twice");
    for shard in 1..=2 {
        expect(0, &format!("{batch} --shard {shard}/2 --out"), &scratch.path(&format!("shard{shard}")));
    }
    let [one, two] = [1, 2].map(|shard| scratch.path(&format!("shard{shard}")).display().to_string());
    expect(0, &format!("merge {one} {two} --quiet --out"), &scratch.path("merged"));
    assert!(answers(&scratch.path("merged")) == whole);
    expect(0, "report --quiet", &scratch.path("merged"));
    let sheet = fs::read_to_string(scratch.path("merged").join("report/queries.csv")).expect("it was written");
    assert!(sheet.contains(",deadlock2,,left right,P Q,violation,"), "{sheet}");
    expect(0, "replay --quiet", &scratch.path("whole").join("results.jsonl"));
    let errors = expect(2, &format!("{batch} --patterns --resume --out"), &scratch.path("whole"));
    assert!(errors.contains("patterns"), "{errors}");
}

#[test]
fn vacuous_queries_are_recorded_without_being_asked() {
    let scratch = Scratch::new("trivial");
    let text = |count: usize| {
        let names: Vec<_> = (0..count).map(|number| format!("x{number}")).collect();
        format!("shared {}; process P * 2 {{ atomic {{ read x1; write x1; }} }}", names.join(","))
    };
    let few = scratch.file("few.eml", &text(5));
    expect(0, &format!("batch {few} --quiet --out"), &scratch.path("few"));
    let few = records(&scratch.path("few"));
    assert_eq!(few.len(), 5 * 5 + 9 * 20);
    // Only a worker knows the memory that it used.
    assert_eq!(few.iter().filter(|record| record.memory.is_some()).count(), 5);
    let many = scratch.file("many.eml", &text(3000));
    let output = run(&format!("batch {many} --out"), &scratch.path("many"));
    assert!(output.status.success(), "{output:?}");
    let (header, records) = (header(&scratch.path("many")), records(&scratch.path("many")));
    assert_eq!((&header["models"][0]["queries"], records.len()), (&5.into(), 5));
    assert_eq!(header["models"][0]["unlisted"], 5 * 3000 + 9 * 3000 * 2999 - 5);
    expect(0, "report --quiet", &scratch.path("many"));
    let page = fs::read_to_string(scratch.path("many").join("report/index.html")).expect("it was written");
    assert!(page.contains("nothing in the models can violate them"), "{page}");
}
