//! Repairs of the example models, each decided again from its text.

use crate::common::eml_files;
use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query, Selection};
use asercheck::repair::{Bounds, repairs};
use asercheck::{Limits, Options, Verdict, check_all};

fn patterns(model: &Model) -> Result<Vec<Query>, String> {
    let properties = Property::all_patterns(UnitMode::Both);
    let asked = Selection::default().ask_with_deadlocks(model, &properties).map_err(|error| format!("{error:?}"))?;
    Ok(asked.possible().chain(asked.deadlocks(&Limits::default()).into_iter().flatten()).collect())
}

/// The numbers of violated queries about patterns and deadlocks.
fn violated(text: &str) -> usize {
    let model = model::from_text("repaired.eml", text).unwrap_or_else(|error| panic!("{error}\n{text}")).model;
    let queries = patterns(&model).expect("they can be asked");
    let outcomes = check_all(&model, &queries, &Options::default(), |_, _| {}).expect("no internal error");
    outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Safe).count()
}

#[test]
fn example_models_get_repairs() {
    let (mut repaired, mut without) = (0, Vec::new());
    for path in eml_files("../models") {
        let text = std::fs::read_to_string(&path).expect("a model");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // These have hundreds of queries and need dozens of changed models.
        if name.starts_with("lottery") {
            continue;
        }
        let found = repairs(&text, &patterns, &Options::default(), Bounds { repairs: 1, ..Bounds::default() });
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        match found.found.first() {
            Some(best) => {
                repaired += 1;
                assert!(!best.edits.is_empty() && best.edits.len() <= 3, "{name}");
                assert!(best.weight >= best.weight_before, "{name}");
                assert_eq!(violated(&best.text), 0, "{name}\n{}", best.text);
            }
            None if found.violated > 0 => without.push(name),
            None => {}
        }
    }
    println!("{repaired} repaired");
    assert!(repaired >= 25, "{repaired} repaired");
    assert_eq!(without, [""; 0]);
}

#[test]
fn the_lightest_repair_comes_first() {
    let text = "lock l; shared x, y;
        process P { atomic { sync l { read x; } read y; read y; sync l { write x; } } read y; read y; }
        process Q { sync l { write x; } }";
    let found = repairs(text, &patterns, &Options::default(), Bounds::default()).expect("a model");
    let best = &found.found[0];
    assert_eq!(best.edits.len(), 1);
    assert!(best.text.contains("atomic { sync l { read x; read y; read y; write x; } }"), "{}", best.text);
    assert!(found.found.windows(2).all(|pair| pair[0].weight <= pair[1].weight));
}

#[test]
fn nothing_is_found_where_a_lock_cannot_help() {
    // The unit waits between its reads.
    let text = "lock l; shared x; process P { atomic { sync l { read x; wait l; read x; } } }
        process Q { sync l { write x; } }";
    let found = repairs(text, &patterns, &Options::default(), Bounds::default()).expect("a model");
    assert!(found.violated > 0);
    for repair in &found.found {
        assert_eq!(violated(&repair.text), 0, "{}", repair.text);
    }
}

/// A deadlock that was possible before does not stand in the way of a repair of something else.
#[test]
fn earlier_deadlocks_may_stay() {
    let text = "lock a, b, l; shared x;
        process P * 2 { atomic { sync l { read x; } sync l { write x; } } }
        process Q { sync a { sync b { } } } process R { sync b { sync a { } } }";
    let ask = |model: &Model| {
        let asked = Selection::default().ask(model, &Property::all_patterns(UnitMode::Both));
        asked.map(|asked| asked.possible().collect()).map_err(|error| format!("{error:?}"))
    };
    let found = repairs(text, &ask, &Options::default(), Bounds::default()).expect("a model");
    assert!(found.violated > 0 && !found.found.is_empty(), "{found:?}");
    // With the deadlock among the queries, it has to go, too.
    let found = repairs(text, &patterns, &Options::default(), Bounds::default()).expect("a model");
    assert!(found.found.iter().all(|repair| violated(&repair.text) == 0) && !found.found.is_empty(), "{found:?}");
}

/// A query that was not decided is no reason to call a model safe.
#[test]
fn undecided_queries_are_counted() {
    let text = "lock l; shared x; process P * 2 { atomic { sync l { read x; write x; } } }";
    let none = Options::default().with_limits(Limits::default().with_timeout(std::time::Duration::ZERO));
    let found = repairs(text, &patterns, &none, Bounds::default()).expect("a model");
    assert_eq!((found.violated, found.undecided, found.found.len()), (0, 1, 0));
}

#[test]
fn a_change_replaces_smaller_ones_and_has_positions_of_the_model() {
    // The unit of each process has to be locked; at first, only the access that tears the other unit is.
    let text = "lock l;\nshared x;\nprocess P {\n  atomic { read x; write x; }\n}\nprocess Q {\n  atomic { read x; write x; }\n}";
    let found = repairs(text, &patterns, &Options::default(), Bounds { repairs: 1, edits: 2, ..Bounds::default() });
    let best = found.expect("a model").found.pop().expect("a repair");
    assert_eq!(best.edits.len(), 2, "{:?}", best.edits);
    let first: Vec<u32> = best.edits.iter().map(|edit| edit.first.line).collect();
    assert_eq!(first, [4, 7], "{}", best.text);
    assert_eq!(best.text.matches("sync l").count(), 2, "{}", best.text);
}
