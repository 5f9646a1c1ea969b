//! The comparisons of one system.

use super::domain::{Domain, MaxPlus, Words};
use super::naive;
use super::random::Case;
use crate::support::{Configuration, Given, all_stacks, apply, configurations, given, only, system};
use crate::transformations::Transformations;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use wpds::{Boolean, Control, Dual, Longest, MinPlus, PostStar, PreStar, Progress, RuleId, Summary, Symbol, System};

/// Greatest height of the stacks that are compared.
const HEIGHT: usize = 2;

/// Greatest height of the stacks, and greatest number of the configurations, that are explored.
const EXPLORED: (usize, usize) = (5, 300);

/// Compares all weights of all domains; an error says what differs.
pub fn check(case: &Case) -> Result<(), String> {
    explored(case)?;
    check_over(Boolean, case)?;
    check_over(MinPlus, case)?;
    check_over(Words, case)?;
    check_over(Transformations, case)?;
    longest(case)
}

/// The longest runs from the start to the set and to all small configurations.
fn longest(case: &Case) -> Result<(), String> {
    let rules: Vec<_> = case.rules.iter().map(weighted::<MinPlus>).collect();
    let mut post = PostStar::new(&MinPlus, system(&rules));
    let Ok(()) = post.start_at(&mut MinPlus, &case.set);
    let Ok(_) = post.advance(&mut MinPlus, usize::MAX);
    // Runs without repeated derivations have been found after so many rounds; what still grows does so forever.
    let grown = |edges, round| (round > edges + 1).then_some(Some(u64::MAX));
    let expected = naive::post_in_rounds(&mut MaxPlus, &rules, &case.set, grown);
    for at in configurations(case.controls, case.symbols, HEIGHT) {
        let length = |rule| post.system().weight(rule).expect("a length");
        let found = Longest::to(post.saturated().expect("it has finished"), &only(&at), length);
        let found = found.map(|longest| match longest {
            Longest::Length(length) => length,
            Longest::Unbounded => u64::MAX,
        });
        same(&format!("the longest run to {at:?}"), &found, &expected.weight(&mut MaxPlus, at.0, &at.1))?;
    }
    Ok(())
}

fn check_over<D: Domain>(mut domain: D, case: &Case) -> Result<(), String> {
    let rules: Vec<Given<D::Weight>> = case.rules.iter().map(|rule| weighted::<D>(rule)).collect();
    let checks = [forwards, backwards, early, total].map(|check| check(&mut domain, case, &rules));
    checks.into_iter().collect::<Result<(), String>>().map_err(|error| format!("{}: {error}", D::NAME))
}

fn weighted<D: Domain>(rule: &Given<u64>) -> Given<D::Weight> {
    Given { left: rule.left, to: rule.to, word: rule.word.clone(), weight: D::weight(rule.weight) }
}

fn symbols(stack: &[u32]) -> Vec<Symbol> {
    stack.iter().copied().map(Symbol::new).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}

/// The weights of all small configurations after the set.
fn forwards<D: Domain>(domain: &mut D, case: &Case, rules: &[Given<D::Weight>]) -> Result<(), String> {
    let expected = naive::post(domain, rules, &case.set);
    let mut post = PostStar::new(domain, system(rules));
    let Ok(()) = post.start_at(domain, &case.set);
    while post.advance(domain, 3) == Ok(Progress::Paused) {}
    for (control, stack) in configurations(case.controls, case.symbols, HEIGHT) {
        let Ok(found) = post.weight_of(domain, Control::new(control), &symbols(&stack));
        let expected = expected.weight(domain, control, &stack);
        same(&format!("post* of {control} {stack:?}"), &found, &expected)?;
    }
    Ok(())
}

/// The weights of all small configurations before the set, and a run for each element.
fn backwards<D: Domain>(domain: &mut D, case: &Case, rules: &[Given<D::Weight>]) -> Result<(), String> {
    let expected = naive::pre(domain, rules, &case.set);
    let mut pre = PreStar::new(domain, system(rules));
    let Ok(()) = pre.target_at(domain, &case.set);
    while pre.advance(domain, 3) == Ok(Progress::Paused) {}
    for (control, stack) in configurations(case.controls, case.symbols, HEIGHT) {
        let Ok(found) = pre.weight_of(domain, Control::new(control), &symbols(&stack));
        let weight = expected.weight(domain, control, &stack);
        same(&format!("pre* of {control} {stack:?}"), &found, &weight)?;
        for element in D::elements(&weight) {
            let Ok(run) = pre.run(domain, Control::new(control), &symbols(&stack), &element, &mut || Ok(()));
            let run = run.ok_or("a run before the set is missing")?;
            let at = execute(domain, pre.system(), run.rules(), &(control, stack.clone()), &element)?;
            is_accepted(case, &at)?;
        }
    }
    Ok(())
}

/// The early end: from the start to the set, from the set to the target, from the start to the target.
fn early<D: Domain>(domain: &mut D, case: &Case, rules: &[Given<D::Weight>]) -> Result<(), String> {
    let (zero, to_target) = (domain.zero(), only(&case.target));
    let expected = naive::pre(domain, rules, &case.set).weight(domain, case.start.0, &case.start.1);
    let mut post = PostStar::new(domain, system(rules));
    let Ok(()) = post.start_at(domain, &only(&case.start));
    let Ok(()) = post.aim_at(domain, &case.set);
    let Ok(progress) = post.advance(domain, usize::MAX);
    same("post* with an aim ends early", &(progress == Progress::Reached), &(expected != zero))?;
    let weight = post.weight_of_aim().expect("an aim").clone();
    is_enough("post* with an aim", domain, &weight, &expected)?;
    for element in D::elements(&weight) {
        let Ok(run) = post.run_to_aim(domain, &element, &mut || Ok(()));
        let at =
            execute(domain, post.system(), run.ok_or("a run to the aim is missing")?.rules(), &case.start, &element)?;
        is_accepted(case, &at)?;
    }
    let expected = naive::post(domain, rules, &case.set).weight(domain, case.target.0, &case.target.1);
    let mut pre = PreStar::new(domain, system(rules));
    let Ok(()) = pre.target_at(domain, &to_target);
    let Ok(()) = pre.aim_at(domain, &case.set);
    let Ok(progress) = pre.advance(domain, usize::MAX);
    same("pre* with an aim ends early", &(progress == Progress::Reached), &(expected != zero))?;
    is_enough("pre* with an aim", domain, &pre.weight_of_aim().expect("an aim").clone(), &expected)?;
    let Ok(mut dual) = Dual::new(domain, system(rules), &case.set, &to_target);
    let Ok(progress) = dual.advance(domain, usize::MAX);
    same("dual saturation", &(progress == Progress::Reached), &(expected != zero))?;
    if progress == Progress::Reached {
        let mut sum = expected.clone();
        let Ok(_) = domain.combine_into(&mut sum, dual.weight());
        same("the weight of dual saturation is part of the sum", &sum, &expected)?;
    }
    Ok(())
}

/// With ordered weights an early end knows the sum; otherwise it knows a part of it that is not zero.
fn is_enough<D: Domain>(what: &str, domain: &mut D, found: &D::Weight, expected: &D::Weight) -> Result<(), String> {
    if D::IS_ORDERED {
        return same(what, found, expected);
    }
    let mut sum = expected.clone();
    let Ok(_) = domain.combine_into(&mut sum, found);
    same(what, &sum, expected)?;
    same(what, &(*found == domain.zero()), &(*expected == domain.zero()))
}

/// The sum over all stacks of each control state, and a run for each element.
fn total<D: Domain>(domain: &mut D, case: &Case, rules: &[Given<D::Weight>]) -> Result<(), String> {
    let mut post = PostStar::new(domain, system(rules));
    let Ok(()) = post.start_at(domain, &only(&case.start));
    let Ok(_) = post.advance(domain, usize::MAX);
    let Ok(summary) = Summary::of(domain, post.saturated().expect("it has finished"), &mut || Ok(()));
    for control in 0..case.controls {
        let before = naive::pre(domain, rules, &all_stacks(control, case.symbols));
        let expected = before.weight(domain, case.start.0, &case.start.1);
        let Ok(found) = summary.total(domain, &post, Control::new(control));
        same(&format!("the sum of control state {control}"), &found, &expected)?;
        for element in D::elements(&found) {
            let Ok(run) = summary.run(domain, &post, Control::new(control), &element, &mut || Ok(()));
            let run = run.ok_or("a run to a control state is missing")?;
            let at = execute(domain, post.system(), run.rules(), &case.start, &element)?;
            same("the last control state", &at.0, &control)?;
        }
    }
    Ok(())
}

/// Executes a run whose product has the element; returns its last configuration.
fn execute<D: Domain>(
    domain: &mut D,
    system: &System<D::Weight>,
    run: impl Iterator<Item = RuleId>,
    start: &Configuration,
    element: &D::Element,
) -> Result<Configuration, String> {
    let (mut at, mut product) = (start.clone(), domain.one());
    for rule in run {
        at = apply(&given(system, rule), &at).ok_or("a rule of a run does not apply")?;
        let Ok(longer) = domain.extend(&product, system.weight(rule));
        product = longer;
    }
    if domain.contains(&product, element) { Ok(at) } else { Err(format!("a run has {product:?}, not {element:?}")) }
}

fn is_accepted(case: &Case, (control, stack): &Configuration) -> Result<(), String> {
    // Without rules, the automaton accepts the set itself.
    let accepted = naive::pre(&mut Boolean, &[], &case.set).weight(&mut Boolean, *control, stack);
    if accepted { Ok(()) } else { Err(format!("a run ends in {control} {stack:?}")) }
}

/// Plain exploration from the start: all that it finds is reached, and nothing else if it is complete. So are its
/// least sums of weights.
fn explored(case: &Case) -> Result<(), String> {
    let (found, is_complete) = distances(case);
    let rules: Vec<_> = case.rules.iter().map(weighted::<MinPlus>).collect();
    let mut post = PostStar::new(&MinPlus, system(&rules));
    let Ok(()) = post.start_at(&mut MinPlus, &only(&case.start));
    let Ok(_) = post.advance(&mut MinPlus, usize::MAX);
    let all = configurations(case.controls, case.symbols, EXPLORED.0.min(3));
    for (control, stack) in all.into_iter().chain(found.keys().cloned()) {
        let Ok(weight) = post.weight_of(&mut MinPlus, Control::new(control), &symbols(&stack));
        let what = format!("the distance of {control} {stack:?}");
        let distance = found.get(&(control, stack)).copied();
        if is_complete {
            same(&what, &weight, &distance)?;
        } else if let Some(distance) = distance {
            same(&what, &weight.is_some_and(|weight| weight <= distance), &true)?;
        }
    }
    Ok(())
}

/// The least sums to the explored configurations, and whether these are all. Bellman and Ford's algorithm.
fn distances(case: &Case) -> (BTreeMap<Configuration, u64>, bool) {
    let mut found = BTreeMap::from([(case.start.clone(), 0)]);
    let (mut waiting, mut is_complete) = (VecDeque::from([case.start.clone()]), true);
    let mut queued = BTreeSet::from([case.start.clone()]);
    while let Some(at) = waiting.pop_front() {
        queued.remove(&at);
        let distance = found[&at];
        for rule in &case.rules {
            let Some(next) = apply(rule, &at) else { continue };
            if next.1.len() > EXPLORED.0 || (found.len() >= EXPLORED.1 && !found.contains_key(&next)) {
                is_complete = false;
                continue;
            }
            let longer = distance + rule.weight;
            let known = found.entry(next.clone()).or_insert(u64::MAX);
            if longer < *known {
                *known = longer;
                if queued.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
        }
    }
    (found, is_complete)
}
