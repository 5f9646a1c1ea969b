//! Saturation that ends early, forwards, backwards and from both ends, against the complete one.

use crate::support::{Configuration, Given, all_stacks, apply, distances, follow, given, only, rules, system};
use crate::transformations::{IDENTITY, Transformations, composed, elements, transformation};
use proptest::prelude::*;
use std::convert::Infallible;
use wpds::{Automaton, Boolean, Control, Dual, MinPlus, PostStar, PreStar, Progress, Run, Symbol, System, Traceable};

const CONTROLS: u32 = 3;
const SYMBOLS: u32 = 3;

fn symbols(stack: &[u32]) -> Vec<Symbol> {
    stack.iter().copied().map(Symbol::new).collect()
}

fn configuration() -> impl Strategy<Value = Configuration> {
    (0..CONTROLS, prop::collection::vec(0..SYMBOLS, 0..4))
}

/// A set of targets: one configuration, or a control state with any stack.
fn target() -> impl Strategy<Value = (Configuration, bool)> {
    (configuration(), any::<bool>())
}

fn automaton((at, is_open): &(Configuration, bool)) -> Automaton {
    if *is_open { all_stacks(at.0, SYMBOLS) } else { only(at) }
}

fn is_in(at: &Configuration, (target, is_open): &(Configuration, bool)) -> bool {
    at.0 == target.0 && (*is_open || at == target)
}

/// The whole weight of the runs from a configuration to a set.
fn whole<S: Traceable<Stop = Infallible>>(
    semiring: &mut S,
    rules: &[Given<S::Weight>],
    start: &Configuration,
    targets: &Automaton,
) -> S::Weight {
    let mut pre = PreStar::new(semiring, system(rules));
    pre.target_at(semiring, targets).unwrap();
    pre.advance(semiring, usize::MAX).unwrap();
    pre.weight_of(semiring, Control::new(start.0), &symbols(&start.1)).unwrap()
}

fn forwards<S: Traceable<Stop = Infallible>>(
    semiring: &mut S,
    rules: &[Given<S::Weight>],
    start: &Configuration,
    targets: &Automaton,
    late: usize,
) -> (PostStar<S>, Progress) {
    let mut post = PostStar::new(semiring, system(rules));
    post.start_at(semiring, &only(start)).unwrap();
    // An aim may be given after some steps.
    post.advance(semiring, late).unwrap();
    post.aim_at(semiring, targets).unwrap();
    loop {
        match post.advance(semiring, 2).unwrap() {
            Progress::Paused => {}
            progress => return (post, progress),
        }
    }
}

fn backwards<S: Traceable<Stop = Infallible>>(
    semiring: &mut S,
    rules: &[Given<S::Weight>],
    start: &Configuration,
    targets: &Automaton,
    late: usize,
) -> (PreStar<S>, Progress) {
    let mut pre = PreStar::new(semiring, system(rules));
    pre.target_at(semiring, targets).unwrap();
    pre.advance(semiring, late).unwrap();
    pre.aim_at(semiring, &only(start)).unwrap();
    loop {
        match pre.advance(semiring, 2).unwrap() {
            Progress::Paused => {}
            progress => return (pre, progress),
        }
    }
}

fn check<W: Clone>(
    system: &System<W>,
    run: Option<Run>,
    start: &Configuration,
    target: &(Configuration, bool),
) -> Vec<W> {
    let (rules, last) = follow(system, &run.expect("a run"), start.clone());
    assert!(is_in(&last, target), "{last:?} is no target");
    rules.into_iter().map(|rule| rule.weight).collect()
}

fn dual<S: Traceable<Stop = Infallible>>(
    semiring: &mut S,
    rules: &[Given<S::Weight>],
    start: &Configuration,
    target: &(Configuration, bool),
) -> (Progress, S::Weight, Dual<S>) {
    let mut dual = Dual::new(semiring, system(rules), &only(start), &automaton(target)).unwrap();
    loop {
        match dual.advance(semiring, 1).unwrap() {
            Progress::Paused => {}
            progress => return (progress, dual.weight().clone(), dual),
        }
    }
}

fn follow_dual<S: Traceable<Stop = Infallible>>(
    semiring: &mut S,
    dual: &Dual<S>,
    element: &S::Element,
    start: &Configuration,
    target: &(Configuration, bool),
) -> Vec<S::Weight> {
    let run = dual.run(semiring, element, &mut || Ok(())).unwrap().expect("a run");
    let mut at = start.clone();
    let rules: Vec<_> = run.first.rules().map(|rule| given(dual.post().system(), rule)).collect();
    let rest: Vec<_> = run.second.rules().map(|rule| given(dual.pre().system(), rule)).collect();
    assert_eq!(rules.len() + rest.len(), run.rules().count());
    for rule in rules.iter().chain(&rest) {
        at = apply(rule, &at).expect("the rule applies");
    }
    assert!(is_in(&at, target), "{at:?} is no target");
    rules.into_iter().chain(rest).map(|rule| rule.weight).collect()
}

fn sum(weights: &[Option<u64>]) -> u64 {
    weights.iter().map(|weight| weight.expect("a length")).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_first_run_found_is_the_shortest(
        rules in rules(CONTROLS, SYMBOLS, (1_u64..6).prop_map(Some)), start in configuration(), target in target(),
        late in 0_usize..4,
    ) {
        let (targets, s) = (automaton(&target), &mut MinPlus);
        let expected = whole(s, &rules, &start, &targets);
        let (post, progress) = forwards(s, &rules, &start, &targets, late);
        prop_assert_eq!(progress == Progress::Reached, expected.is_some());
        prop_assert_eq!(post.weight_of_aim(), Some(&expected));
        let (pre, progress) = backwards(s, &rules, &start, &targets, late);
        prop_assert_eq!(progress == Progress::Reached, expected.is_some());
        prop_assert_eq!(pre.weight_of_aim(), Some(&expected));
        let (progress, weight, dual) = dual(s, &rules, &start, &target);
        prop_assert_eq!(progress == Progress::Reached, expected.is_some());
        if let (Some(length), Some(found)) = (expected, weight) {
            let run = post.run_to_aim(s, &length, &mut || Ok(())).unwrap();
            prop_assert_eq!(sum(&check(post.system(), run, &start, &target)), length);
            let run = pre.run_from_aim(s, &length, &mut || Ok(())).unwrap();
            prop_assert_eq!(sum(&check(pre.system(), run, &start, &target)), length);
            prop_assert!(found >= length);
            prop_assert_eq!(sum(&follow_dual(s, &dual, &found, &start, &target)), found);
            let most = distances(&rules, &start, 6);
            let least = most.iter().filter(|(at, _)| is_in(at, &target)).map(|(_, length)| *length).min();
            prop_assert!(least.map_or(length > 6, |least| least == length));
        }
    }

    #[test]
    fn reachability_is_decided_early(
        rules in rules(CONTROLS, SYMBOLS, Just(true)), start in configuration(), target in target(), late in 0_usize..4,
    ) {
        let (targets, s) = (automaton(&target), &mut Boolean);
        let expected = whole(s, &rules, &start, &targets);
        let (post, progress) = forwards(s, &rules, &start, &targets, late);
        prop_assert_eq!(progress == Progress::Reached, expected);
        let (pre, progress) = backwards(s, &rules, &start, &targets, late);
        prop_assert_eq!(progress == Progress::Reached, expected);
        let (progress, _, dual) = dual(s, &rules, &start, &target);
        prop_assert_eq!(progress == Progress::Reached, expected);
        if expected {
            check(post.system(), post.run_to_aim(s, &(), &mut || Ok(())).unwrap(), &start, &target);
            check(pre.system(), pre.run_from_aim(s, &(), &mut || Ok(())).unwrap(), &start, &target);
            follow_dual(s, &dual, &(), &start, &target);
        }
    }

    #[test]
    fn other_weights_have_a_run_for_each_element(
        rules in rules(CONTROLS, SYMBOLS, transformation()), start in configuration(), target in target(),
        late in 0_usize..4,
    ) {
        let (targets, s) = (automaton(&target), &mut Transformations);
        let expected = whole(s, &rules, &start, &targets);
        let product = |weights: &[u32]| weights.iter().fold(IDENTITY, |product, one| composed(product, one.ilog2()));
        let (post, progress) = forwards(s, &rules, &start, &targets, late);
        prop_assert_eq!(progress == Progress::Reached, expected != 0);
        let weight = *post.weight_of_aim().expect("an aim");
        prop_assert_eq!(weight & !expected, 0);
        for element in elements(weight) {
            let run = post.run_to_aim(s, &element, &mut || Ok(())).unwrap();
            prop_assert_eq!(product(&check(post.system(), run, &start, &target)), element);
        }
        let (pre, _) = backwards(s, &rules, &start, &targets, late);
        let weight = *pre.weight_of_aim().expect("an aim");
        prop_assert_eq!((weight == 0, weight & !expected), (expected == 0, 0));
        for element in elements(weight) {
            let run = pre.run_from_aim(s, &element, &mut || Ok(())).unwrap();
            prop_assert_eq!(product(&check(pre.system(), run, &start, &target)), element);
        }
        let (_, weight, dual) = dual(s, &rules, &start, &target);
        prop_assert_eq!((weight == 0, weight & !expected), (expected == 0, 0));
        for element in elements(weight) {
            prop_assert_eq!(product(&follow_dual(s, &dual, &element, &start, &target)), element);
        }
    }
}

/// A target next to the start is found without the rest of the system.
#[test]
fn an_early_end_saves_work() {
    const COUNT: u32 = 1000;
    let (control, symbol) = (Control::new(0), Symbol::new);
    let mut builder = System::builder();
    for place in 0..COUNT {
        builder.step(control, symbol(place), control, symbol(place + 1), Some(1));
    }
    let system = builder.build();
    let (start, near, far) = (only(&(0, vec![0])), only(&(0, vec![3])), only(&(0, vec![COUNT])));
    let mut post = PostStar::new(&MinPlus, system.clone());
    post.start_at(&mut MinPlus, &start).unwrap();
    post.aim_at(&mut MinPlus, &near).unwrap();
    assert_eq!(post.advance(&mut MinPlus, usize::MAX), Ok(Progress::Reached));
    assert_eq!(post.advance(&mut MinPlus, 1), Ok(Progress::Reached));
    assert_eq!(post.weight_of_aim(), Some(&Some(3)));
    assert!(post.transition_count() < 6 && post.saturated().is_none());
    let mut pre = PreStar::new(&MinPlus, system.clone());
    pre.target_at(&mut MinPlus, &far).unwrap();
    pre.aim_at(&mut MinPlus, &only(&(0, vec![COUNT - 3]))).unwrap();
    assert_eq!(pre.advance(&mut MinPlus, usize::MAX), Ok(Progress::Reached));
    assert!(pre.transition_count() < 6);
    let mut dual = Dual::new(&mut MinPlus, system, &start, &far).unwrap();
    assert_eq!(dual.advance(&mut MinPlus, usize::MAX), Ok(Progress::Reached));
    assert!(dual.post().transition_count() < 510 && dual.pre().transition_count() < 510);
}
