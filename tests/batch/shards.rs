//! The shards together are the whole batch.

use crate::batch::support::{Scratch, answers, example, expect, records};
use std::collections::HashSet;

fn arguments(more: &str) -> String {
    let models = ["stack.eml", "bank.eml"].map(example).join(" ");
    format!("batch {models} --engines explicit,symbolic --units both,first --quiet {more} --out")
}

#[test]
fn shards_part_the_queries() {
    let scratch = Scratch::new("shards");
    expect(0, &arguments(""), &scratch.path("whole"));
    let mut seen = HashSet::new();
    let mut merge = "merge --quiet".to_string();
    for shard in 1..=3 {
        let folder = scratch.path(&format!("shard-{shard}"));
        expect(0, &arguments(&format!("--shard {shard}/3")), &folder);
        let records = records(&folder);
        assert!(!records.is_empty(), "so many queries that each shard has some");
        let engines = |name: &str| {
            let own = records.iter().filter(|record| record.engine == name);
            own.map(|record| record.key()).collect::<Vec<_>>()
        };
        assert_eq!(engines("explicit"), engines("symbolic"), "all engines decide the same queries");
        for key in engines("explicit") {
            assert!(seen.insert(key), "no query is in two shards");
        }
        merge += &format!(" {}", folder.display());
    }
    expect(0, &format!("{merge} --out"), &scratch.path("merged"));
    assert!(answers(&scratch.path("merged")) == answers(&scratch.path("whole")));
    // The merged batch equals the unsharded one, so it can be continued; nothing is left to decide.
    expect(0, &arguments("--resume"), &scratch.path("merged"));
}

#[test]
fn missing_results_are_reported_and_can_be_decided() {
    let scratch = Scratch::new("missing");
    expect(0, &arguments("--shard 1/2"), &scratch.path("half"));
    expect(0, &arguments(""), &scratch.path("whole"));
    // One shard stays one; two copies of one shard are a batch without the other shard.
    let half = scratch.path("half").display().to_string();
    let errors = expect(2, &format!("merge {half} {half} --quiet --out"), &scratch.path("merged"));
    assert!(errors.contains("queries have no result"), "{errors}");
    expect(0, &arguments("--resume"), &scratch.path("merged"));
    assert!(answers(&scratch.path("merged")) == answers(&scratch.path("whole")));
}

#[test]
fn automata_are_asked_under_one_unit_mode() {
    let scratch = Scratch::new("automata");
    let (model, automata) = (example("causality.eml"), example("causality.phases"));
    let batch = format!("batch {model} --automaton {automata} --engines explicit --quiet");
    expect(0, &format!("{batch} --units both,first --out"), &scratch.path("both"));
    expect(0, &format!("{batch} --out"), &scratch.path("one"));
    assert!(!answers(&scratch.path("one")).is_empty());
    assert!(answers(&scratch.path("both")) == answers(&scratch.path("one")));
    let results = scratch.path("one").join("results.jsonl");
    expect(0, &format!("replay --quiet --automaton {automata}"), &results);
}
