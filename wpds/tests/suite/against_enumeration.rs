//! Saturation against plain exploration of the configuration graph, on random small systems.

use crate::support::{Configuration, Given, apply, configurations, distances, follow, rules, system};
use crate::transformations::{IDENTITY, Transformations, composed, elements, transformation};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::convert::Infallible;
use wpds::{Boolean, Control, MinPlus, PostStar, Progress, Semiring, Summary, Symbol, System};

const CONTROLS: u32 = 3;
const SYMBOLS: u32 = 3;

fn saturated<S: Semiring<Stop = Infallible>>(semiring: &mut S, system: System<S::Weight>) -> PostStar<S>
where
    S::Weight: Clone,
{
    let mut post = PostStar::new(semiring, system);
    post.start(semiring, Control::new(0), Symbol::new(0)).unwrap();
    // In small portions, so that pausing is tested as well.
    while post.advance(semiring, 3).unwrap() == Progress::Paused {}
    post
}

fn weight_of<S: Semiring<Stop = Infallible>>(semiring: &mut S, post: &PostStar<S>, at: &Configuration) -> S::Weight
where
    S::Weight: Clone,
{
    let stack: Vec<_> = at.1.iter().map(|&symbol| Symbol::new(symbol)).collect();
    post.weight_of(semiring, Control::new(at.0), &stack).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn shortest_runs_are_found(rules in rules(CONTROLS, SYMBOLS, (1_u64..4).prop_map(Some))) {
        const LIMIT: u64 = 9;
        let expected = distances(&rules, &(0, vec![0]), LIMIT);
        let post = saturated(&mut MinPlus, system(&rules));
        for (at, distance) in &expected {
            prop_assert_eq!(weight_of(&mut MinPlus, &post, at), Some(*distance), "{:?}", at);
        }
        for at in configurations(CONTROLS, SYMBOLS, 3) {
            let weight = weight_of(&mut MinPlus, &post, &at);
            prop_assert!(weight.is_none_or(|w| w > LIMIT) || expected.get(&at).copied() == weight, "{:?}", at);
        }
    }

    #[test]
    fn runs_have_the_length_that_they_are_asked_for(rules in rules(CONTROLS, SYMBOLS, (1_u64..4).prop_map(Some))) {
        let post = saturated(&mut MinPlus, system(&rules));
        let summary = Summary::of(&mut MinPlus, post.saturated().unwrap(), &mut || Ok(())).unwrap();
        for control in 0..CONTROLS {
            let total = summary.total(&mut MinPlus, &post, Control::new(control)).unwrap();
            let Some(length) = total else { continue };
            let run = summary.run(&mut MinPlus, &post, Control::new(control), &length, &mut || Ok(())).unwrap();
            let (rules, end) = follow(post.system(), &run.expect("a run"), (0, vec![0]));
            prop_assert_eq!(end.0, control);
            prop_assert_eq!(rules.iter().map(|rule| rule.weight.unwrap()).sum::<u64>(), length);
        }
    }

    #[test]
    fn reachability_is_shortest_runs_without_lengths(rules in rules(CONTROLS, SYMBOLS, (1_u64..4).prop_map(Some))) {
        let plain: Vec<_> = rules.iter().map(|rule| Given {
            left: rule.left, to: rule.to, word: rule.word.clone(), weight: true,
        }).collect();
        let (short, reach) = (saturated(&mut MinPlus, system(&rules)), saturated(&mut Boolean, system(&plain)));
        for at in configurations(CONTROLS, SYMBOLS, 3) {
            let distance = weight_of(&mut MinPlus, &short, &at);
            prop_assert_eq!(weight_of(&mut Boolean, &reach, &at), distance.is_some(), "{:?}", at);
        }
        let summary = Summary::of(&mut Boolean, reach.saturated().unwrap(), &mut || Ok(())).unwrap();
        for control in (0..CONTROLS).map(Control::new) {
            prop_assert_eq!(summary.total(&mut Boolean, &reach, control).unwrap(), reach.reaches(control));
            let run = summary.run(&mut Boolean, &reach, control, &(), &mut || Ok(())).unwrap();
            prop_assert_eq!(run.is_some(), reach.reaches(control));
            if let Some(run) = run {
                prop_assert_eq!(follow(reach.system(), &run, (0, vec![0])).1.0, control.index() as u32);
            }
        }
    }

    #[test]
    fn sets_of_transformations_are_exact(rules in rules(2, 2, transformation())) {
        let post = saturated(&mut Transformations, system(&rules));
        let summary = Summary::of(&mut Transformations, post.saturated().unwrap(), &mut || Ok(())).unwrap();
        let mut totals = [0_u32; 2];
        for (at, elements) in collected(&rules, 6) {
            totals[at.0 as usize] |= elements;
            let weight = weight_of(&mut Transformations, &post, &at);
            prop_assert_eq!(elements & !weight, 0, "{:?} lacks elements", at);
        }
        for control in 0..2 {
            let total = summary.total(&mut Transformations, &post, Control::new(control)).unwrap();
            prop_assert_eq!(totals[control as usize] & !total, 0);
            for element in elements(total) {
                let run = summary.run(&mut Transformations, &post, Control::new(control), &element, &mut || Ok(())).unwrap();
                let (rules, end) = follow(post.system(), &run.expect("every element has a run"), (0, vec![0]));
                prop_assert_eq!(end.0, control);
                let product = rules.iter().fold(IDENTITY, |product, rule| composed(product, rule.weight.ilog2()));
                prop_assert_eq!(product, element);
            }
        }
    }
}

/// Returns the transformations of the runs of at most `steps` rules, by configuration.
fn collected(rules: &[Given<u32>], steps: usize) -> Vec<(Configuration, u32)> {
    let mut seen = BTreeSet::from([((0, vec![0]), IDENTITY)]);
    let mut last = seen.clone();
    for _ in 0..steps {
        let mut next = BTreeSet::new();
        for (at, element) in &last {
            for rule in rules {
                if let Some(to) = apply(rule, at) {
                    next.insert((to, composed(*element, rule.weight.ilog2())));
                }
            }
        }
        last = next.difference(&seen).cloned().collect();
        seen.extend(last.iter().cloned());
    }
    seen.into_iter().map(|(at, element)| (at, 1 << element)).collect()
}
