//! The short search changes no verdict, and the same queries are searched in any run.

use super::*;
use crate::engine::Session;
use crate::query::{Property, Selection};
use crate::{Engine, Verdict, check_all};
use limits::{Limits, Steps};
use phases::UnitMode;

fn queries_of(text: &str, units: UnitMode) -> (Model, Vec<Query>) {
    let model = eml::model::from_text("test.eml", text).expect("it is a model").model;
    let asked = Selection::default().ask(&model, &Property::all_patterns(units)).expect("nothing is named");
    let queries = asked.possible().collect();
    (model, queries)
}

/// A function that acquires one of some locks, reads and writes, and calls itself or not.
fn recursion(locks: usize) -> String {
    let names: Vec<_> = (0..locks).map(|lock| format!("l{lock}")).collect();
    let section = |lock: &String| format!("{{ sync {lock} {{ read x; write x; choose {{ call f; }} or {{ }} }} }}");
    let sections: Vec<_> = names.iter().map(section).collect();
    format!(
        "lock {}; shared x; fn f() {{ choose {} }} process P {{ atomic {{ call f; call f; }} }} process Q {{ call f; }}",
        names.join(", "),
        sections.join(" or ")
    )
}

#[test]
fn its_verdicts_are_those_of_saturation() {
    let meter = Meter::start(&Limits::default());
    let (mut safe, mut violated, mut left) = (0, 0, 0);
    for seed in 0..40 {
        let text = generate::random::model(seed, &generate::random::Shape::with_recursion(seed));
        let (model, queries) = queries_of(&text, UnitMode::Both);
        let options = Options::default();
        let (contexts, search) = (None, options.search.clone().with_order(SearchOrder::Breadth));
        let short = ShortSearch { model: &model, options: search, bounds: options.bounds, contexts };
        let mut plain = Session::new(&model, &queries, &options.with_engine(Engine::Explicit));
        for query in &queries {
            let found = short.decide_within(query, (60, 1 << 12), &meter).expect("there is no limit");
            let is_safe = match found {
                Some(Decision::Safe) => true,
                Some(_) => false,
                None => {
                    left += 1;
                    continue;
                }
            };
            let same = plain.decide(query, &meter).expect("there is no limit");
            assert_eq!(is_safe, matches!(same, Decision::Safe), "seed {seed}, {query:?}\n{text}");
            *(if is_safe { &mut safe } else { &mut violated }) += 1;
        }
    }
    assert!(safe > 50 && violated > 30 && left > 100, "{safe} safe, {violated} violated, {left} left");
}

/// The answers with their witnesses do not depend on other queries, their order or the number of jobs.
#[test]
fn the_same_queries_are_decided_in_any_run() {
    let (model, queries) = queries_of(&recursion(9), UnitMode::First);
    let run = |queries: &[Query], jobs: usize| {
        let options = Options::default().with_jobs(jobs);
        let outcomes = check_all(&model, queries, &options, |_, _| {}).expect("there is no error");
        let verdicts: Vec<_> = outcomes.into_iter().map(|outcome| outcome.verdict).collect();
        (verdicts, options.search.statistics.decided())
    };
    let (verdicts, decided) = run(&queries, 1);
    let [by_saturation, by_search] = decided;
    assert!(by_saturation > 0 && by_search > 0, "{decided:?}");
    assert!(verdicts.iter().any(|verdict| matches!(verdict, Verdict::Violation(_))));
    assert_eq!(run(&queries, 3), (verdicts.clone(), decided));
    let mut reversed: Vec<_> = queries.clone();
    reversed.reverse();
    let (mut others, same) = run(&reversed, 1);
    others.reverse();
    assert_eq!((&others, same), (&verdicts, decided));
    for (query, verdict) in queries.iter().zip(verdicts) {
        assert_eq!(run(std::slice::from_ref(query), 1).0, [verdict]);
    }
}

#[test]
fn few_states_show_violations_with_many_contexts() {
    let (model, queries) = queries_of(&recursion(16), UnitMode::Both);
    let mut short = ShortSearch::new(&model, &Options::default()).expect("there are enough locks");
    let found = short.decide(&queries[0], &Meter::start(&Limits::default()));
    assert!(matches!(found, Ok(Some(Decision::Violation(_)))), "{found:?}");
    let (meter, few) = (Meter::start(&Limits::default()), (usize::MAX, 1 << 12));
    assert!(matches!(short.decide_within(&queries[0], few, &meter), Ok(None)), "not with so few steps");
    // Limits that count steps leave everything to the engine.
    let meter = Meter::start(&Limits::default().with_steps(Steps::new(u64::MAX / 2)));
    assert!(matches!(short.decide(&queries[0], &meter), Ok(None)));
    let (model, _) = queries_of(&recursion(5), UnitMode::Both);
    assert!(ShortSearch::new(&model, &Options::default()).is_none());
}
