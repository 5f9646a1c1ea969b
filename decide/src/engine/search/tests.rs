//! Instants of wanting are steps where they can matter to the automaton, and nowhere else.

use super::{SearchReductions, SearchStatistics};
use crate::query::{Property, Query, Selection};
use crate::{Engine, Options, Verdict, check_all};
use eml::model::Model;
use limits::Limits;
use std::sync::Arc;

/// Decides queries by the search with these reductions; returns whether each is violated, and the statistics.
fn searched(model: &Model, queries: &[Query], reductions: SearchReductions) -> (Vec<Option<bool>>, SearchStatistics) {
    let mut options = Options::default().with_engine(Engine::Search).with_jobs(1);
    options.search.reductions = reductions;
    (verdicts(model, queries, &options), options.search.statistics)
}

fn verdicts(model: &Model, queries: &[Query], options: &Options) -> Vec<Option<bool>> {
    let outcomes = check_all(model, queries, options, |_, _| {}).expect("no fault");
    let is_violated = |verdict: &Verdict| match verdict {
        Verdict::Safe => Some(false),
        Verdict::Violation(_) => Some(true),
        Verdict::Unknown(_) => None,
    };
    outcomes.iter().map(|outcome| is_violated(&outcome.verdict)).collect()
}

fn deadlocks(text: &str) -> (Model, Vec<Query>) {
    let model = eml::model::from_text("test.eml", text).expect("a model").model;
    let asked = Selection::default().ask_with_deadlocks(&model, &[]).expect("nothing is named");
    let queries = asked.deadlocks(&Limits::default()).into_iter().flatten().collect();
    (model, queries)
}

#[test]
fn deadlocks_are_found_and_gates_are_respected() {
    for (text, is_violated) in [
        (include_str!("../../../../models/gate.eml"), false),
        (include_str!("../../../../models/gate-broken.eml"), true),
    ] {
        let (model, queries) = deadlocks(text);
        for reductions in [SearchReductions::all(), SearchReductions::none()] {
            assert_eq!(searched(&model, &queries, reductions).0, [Some(is_violated)]);
        }
    }
}

/// Each process takes the gate, which no query is about, then two neighbouring locks of a ring. Before and after its
/// run a process has one state each, not another one for wanting the gate.
#[test]
fn locks_that_no_query_is_about_have_no_instant() {
    let states = |count: usize| {
        let locks: Vec<_> = (0..count).map(|lock| format!("l{lock}")).collect();
        let process = |place: usize| {
            let next = (place + 1) % count;
            format!("process P{place} {{ sync gate {{ sync l{place} {{ sync l{next} {{ }} }} }} }}\n")
        };
        let processes: String = (0..count).map(process).collect();
        let (model, queries) = deadlocks(&format!("lock gate, {};\n{processes}", locks.join(", ")));
        let (verdicts, statistics) = searched(&model, &queries, SearchReductions::none());
        assert_eq!(verdicts, [Some(false)]);
        statistics.states()
    };
    // One of the processes is inside, in one of few states, and each of the others is before or after its run.
    let (four, six) = (states(4), states(6));
    assert!(six <= 7 * four, "{four} states of four processes, {six} of six");
}

#[test]
fn automata_with_instants_are_decided_as_by_saturation() {
    let (mut violated, mut safe) = (0, 0);
    for seed in 0..60 {
        let text = generate::random::model(seed, &generate::random::Shape::of_seed(seed));
        let model = eml::model::from_text("test.eml", &text).expect("a model").model;
        let automata = generate::automata::lock_automata(seed).into_iter().map(Property::of_automaton).map(Arc::new);
        let properties: Vec<_> = automata.collect();
        let mut queries = Selection::default().queries(&model, &properties).expect("nothing is named");
        queries.truncate(12);
        let expected = verdicts(&model, &queries, &Options::default().with_engine(Engine::Explicit).with_jobs(1));
        for reductions in [SearchReductions::all(), SearchReductions::none()] {
            let mut options = Options::default().with_engine(Engine::Search).with_jobs(1);
            options.search.reductions = reductions;
            options.bounds.states = 3000;
            let found = verdicts(&model, &queries, &options);
            for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let (Some(found), Some(expected)) = (found, expected) else { continue };
                assert_eq!(found, expected, "seed {seed}, query {place}");
                *if *found { &mut violated } else { &mut safe } += 1;
            }
        }
    }
    assert!(violated > 20 && safe > 20, "{violated} violated, {safe} safe");
}
