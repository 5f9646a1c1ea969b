//! Recomputes the worked example in the documentation of `encode`.

use super::*;
use crate::query::{Bindings, Property, Query};
use crate::reductions::Reductions;
use limits::{Limits, Meter};
use lockhist::Segment;
use std::sync::Arc;

/// The notation of the example for a segment, with respect to the only lock that matters.
fn shown(segment: &Segment) -> &'static str {
    match [segment.released(), segment.used(), segment.acquired()].map(|locks| !locks.is_empty()) {
        [false, false, false] => ".",
        [false, false, true] => "+",
        [true, false, false] => "-",
        [false, true, false] => "+-",
        [true, false, true] => "-+",
        [false, true, true] => "+-+",
        [true, true, _] => panic!("in the example no path uses stack again after it has released it"),
    }
}

/// The segment sequences of a diagram, without the locations.
fn sequences(diagrams: &Diagrams, id: DiagramId) -> Vec<Vec<&'static str>> {
    if id == DiagramId::LEAF {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (item, before) in diagrams.edges(id) {
        let last = item.as_segment().map(|segment| shown(diagrams.segments().get(segment)));
        all.extend(sequences(diagrams, *before).into_iter().map(|front| front.into_iter().chain(last).collect()));
    }
    all
}

#[test]
fn the_worked_example_is_true() {
    let text = include_str!("../../../models/stack.eml");
    let model = eml::model::from_text("stack.eml", text).expect("a model").model;
    let processes = ["T1", "T2"].map(|name| model.process_named(name).expect("a process"));
    let locations = ["item", "storage"].map(|name| model.location_named(name).expect("a location"));
    let pattern = Property::all_patterns(phases::UnitMode::Both)[11].clone();
    let bindings = Bindings { locations: locations.to_vec(), processes: processes.to_vec(), ..Bindings::default() };
    let query = Query::new(&model, pattern, bindings).expect("a query");
    let meter = Meter::start(&Limits::default());
    let mut encoder = Encoder::new(&model, Reductions::all(), &meter).expect("there is no limit");
    let mut scenarios = encoder.scenarios(&query);
    let scenario = scenarios.next(&meter).expect("no limit").expect("a scenario");
    assert!(scenarios.next(&meter).expect("no limit").is_none());
    assert_eq!(scenario.participants.len(), 2);
    let Arrangement { locks, variants } =
        encoder.arrangement(&scenario, &[], &meter).expect("no limit").expect("few locks");
    assert_eq!(locks.iter().map(|contended| model.lock(contended.lock).name()).collect::<Vec<_>>(), ["stack"]);
    assert_eq!(model.nodes().len(), 28);
    let mut weights: Matrices<Diagrams> = Matrices::default();
    let (mut sizes, mut solutions, mut totals) = (Vec::new(), Vec::new(), Vec::new());
    for (variant, word) in variants.iter().zip(&scenario.words) {
        let mut tree = WordTree::default();
        let path = tree.insert(word);
        let tree = Arc::new(tree);
        let reduced = encoder.reduce(variant, &locks, &tree, &meter).expect("no limit");
        let cloned = reduced.original().graph().len();
        let mut solved = encoder.solve(&mut weights, variant, &locks, &tree, &meter).expect("no limit");
        let total = solved.total(&mut weights, word, &path).expect("no limit");
        let count = sequences(&weights.entries, total).len();
        sizes.push([word.len(), tree.positions().count(), cloned, reduced.graph().len(), count]);
        solutions.push((solved, path));
        totals.push(total);
    }
    assert_eq!(sizes, [[4, 5, 22, 12, 7], [4, 4, 22, 11, 8]], "phases, positions, cloned, reduced, sequences");
    let choice = CompatibilityCheck::default()
        .choose(&weights.entries, &totals, &scenario.words)
        .expect("no limit")
        .expect("a choice");
    let chosen = choice
        .iter()
        .map(|sequence| sequence.iter().map(|id| shown(weights.entries.segments().get(*id))).collect::<Vec<_>>());
    assert_eq!(chosen.collect::<Vec<_>>(), [["+", "-", ".", "+"], ["+-", "+", ".", "-"]]);
    for (place, lengths) in [[6, 4, 0, 3], [6, 5, 1, 1]].into_iter().enumerate() {
        let (word, (solved, path)) = (&scenario.words[place], &solutions[place]);
        let element = sequence(word, &choice[place]);
        let local = solved.local_path(&mut weights, word, path, &element, &meter).expect("no limit").expect("a path");
        assert_eq!(local.phases.iter().map(Vec::len).collect::<Vec<_>>(), lengths);
    }
}
