//! Backward saturation against the forward one and against plain exploration, on random small systems.

use crate::support::{Configuration, Given, all_stacks, configurations, distances, follow, only, rules, system};
use crate::transformations::{IDENTITY, Transformations, composed, elements, transformation};
use proptest::prelude::*;
use std::convert::Infallible;
use wpds::{Automaton, Control, MinPlus, PostStar, PreStar, Progress, Semiring, Summary, Symbol, System, Traceable};

const CONTROLS: u32 = 3;
const SYMBOLS: u32 = 3;

fn before<S: Semiring<Stop = Infallible>>(
    semiring: &mut S,
    system: System<S::Weight>,
    targets: &Automaton,
) -> PreStar<S> {
    let mut pre = PreStar::new(semiring, system);
    pre.target_at(semiring, targets).unwrap();
    // In small portions, so that pausing is tested as well.
    while pre.advance(semiring, 3).unwrap() == Progress::Paused {}
    pre
}

fn after<S: Semiring<Stop = Infallible>>(
    semiring: &mut S,
    system: System<S::Weight>,
    starts: &Automaton,
) -> PostStar<S> {
    let mut post = PostStar::new(semiring, system);
    post.start_at(semiring, starts).unwrap();
    while post.advance(semiring, 3).unwrap() == Progress::Paused {}
    post
}

fn symbols(stack: &[u32]) -> Vec<Symbol> {
    stack.iter().copied().map(Symbol::new).collect()
}

/// Both directions give the weight of the runs from one configuration to another.
fn meets<S: Semiring<Stop = Infallible>>(
    semiring: &mut S,
    rules: &[Given<S::Weight>],
    start: &Configuration,
    height: usize,
) {
    let post = after(semiring, system(rules), &only(start));
    for end in configurations(CONTROLS, SYMBOLS, height) {
        let pre = before(semiring, system(rules), &only(&end));
        let forwards = post.weight_of(semiring, Control::new(end.0), &symbols(&end.1)).unwrap();
        let backwards = pre.weight_of(semiring, Control::new(start.0), &symbols(&start.1)).unwrap();
        assert_eq!(forwards, backwards, "from {start:?} to {end:?}");
    }
}

/// Every reconstructed run leads from the start to a target, with the right weight.
fn traces<S: Traceable<Stop = Infallible>>(
    pre: &PreStar<S>,
    semiring: &mut S,
    start: &Configuration,
    element: &S::Element,
) -> (Vec<Given<S::Weight>>, Configuration) {
    let run =
        pre.run(semiring, Control::new(start.0), &symbols(&start.1), element, &mut || Ok(())).unwrap().expect("a run");
    follow(pre.system(), &run, start.clone())
}

fn start() -> impl Strategy<Value = Configuration> {
    (0..CONTROLS, prop::collection::vec(0..SYMBOLS, 0..4))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn shortest_runs_from_everywhere(rules in rules(CONTROLS, SYMBOLS, (1_u64..4).prop_map(Some)), end in start()) {
        let pre = before(&mut MinPlus, system(&rules), &only(&end));
        for at in configurations(CONTROLS, SYMBOLS, 2) {
            const LIMIT: u64 = 7;
            let expected = distances(&rules, &at, LIMIT).get(&end).copied();
            let weight = pre.weight_of(&mut MinPlus, Control::new(at.0), &symbols(&at.1)).unwrap();
            prop_assert_eq!(weight.filter(|weight| *weight <= LIMIT), expected, "from {:?}", at);
            if let Some(length) = weight {
                let (rules, last) = traces(&pre, &mut MinPlus, &at, &length);
                prop_assert_eq!(&last, &end);
                prop_assert_eq!(rules.iter().map(|rule| rule.weight.unwrap()).sum::<u64>(), length);
            }
        }
    }

    #[test]
    fn directions_agree_on_lengths(rules in rules(CONTROLS, SYMBOLS, (1_u64..4).prop_map(Some)), start in start()) {
        meets(&mut MinPlus, &rules, &start, 3);
    }

    #[test]
    fn directions_agree_on_reachability(rules in rules(CONTROLS, SYMBOLS, Just(true)), start in start()) {
        meets(&mut wpds::Boolean, &rules, &start, 3);
    }

    #[test]
    fn directions_agree_on_transformations(rules in rules(CONTROLS, SYMBOLS, transformation()), start in start()) {
        meets(&mut Transformations, &rules, &start, 1);
    }

    #[test]
    fn all_stacks_of_a_control_state_are_its_summary(rules in rules(CONTROLS, SYMBOLS, transformation())) {
        let start = (0, vec![0]);
        let post = after(&mut Transformations, system(&rules), &only(&start));
        let summary = Summary::of(&mut Transformations, post.saturated().unwrap(), &mut || Ok(())).unwrap();
        for control in 0..CONTROLS {
            let pre = before(&mut Transformations, system(&rules), &all_stacks(control, SYMBOLS));
            let weight = pre.weight_of(&mut Transformations, Control::new(0), &[Symbol::new(0)]).unwrap();
            let total = summary.total(&mut Transformations, &post, Control::new(control)).unwrap();
            prop_assert_eq!(weight, total);
            for element in elements(weight) {
                let (rules, last) = traces(&pre, &mut Transformations, &start, &element);
                prop_assert_eq!(last.0, control);
                let product = rules.iter().fold(IDENTITY, |product, rule| composed(product, rule.weight.ilog2()));
                prop_assert_eq!(product, element);
            }
        }
    }
}
