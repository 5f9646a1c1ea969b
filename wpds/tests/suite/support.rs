//! Small random pushdown systems, and their exploration by brute force.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use wpds::{Automaton, Control, Goal, Inner, Origin, Rule, RuleId, Run, RunStep, Symbol, System};

/// A rule of a random system: left-hand side, right-hand side, weight.
#[derive(Clone, Debug)]
pub struct Given<W> {
    pub left: (u32, u32),
    pub to: u32,
    pub word: Vec<u32>,
    pub weight: W,
}

/// Random rules over `controls` control states and `symbols` symbols, biased to programs: more steps than pushes.
pub fn rules<W: Clone + Debug>(
    controls: u32,
    symbols: u32,
    weight: impl Strategy<Value = W> + Clone,
) -> impl Strategy<Value = Vec<Given<W>>> {
    let word = prop_oneof![
        2 => Just(vec![]),
        4 => prop::collection::vec(0..symbols, 1),
        2 => prop::collection::vec(0..symbols, 2),
    ];
    let rule = ((0..controls, 0..symbols), 0..controls, word, weight);
    let rule = rule.prop_map(|(left, to, word, weight)| Given { left, to, word, weight });
    prop::collection::vec(rule, 0..12)
}

/// Returns the system of these rules.
pub fn system<W: Clone>(rules: &[Given<W>]) -> System<W> {
    let mut builder = System::builder();
    for rule in rules {
        let (control, symbol) = (Control::new(rule.left.0), Symbol::new(rule.left.1));
        let (to, weight) = (Control::new(rule.to), rule.weight.clone());
        match rule.word[..] {
            [] => builder.pop(control, symbol, to, weight),
            [by] => builder.step(control, symbol, to, Symbol::new(by), weight),
            [by, below] => builder.push(control, symbol, to, Symbol::new(by), Symbol::new(below), weight),
            _ => unreachable!("words have at most two symbols"),
        }
    }
    builder.build()
}

/// A control state and a stack, topmost symbol first.
pub type Configuration = (u32, Vec<u32>);

/// Returns the configuration after the rule, if it applies.
pub fn apply<W>(rule: &Given<W>, (control, stack): &Configuration) -> Option<Configuration> {
    let (top, rest) = stack.split_first()?;
    (rule.left == (*control, *top)).then(|| (rule.to, [&rule.word[..], rest].concat()))
}

/// Returns a rule of the built system in its original form.
pub fn given<W: Clone>(system: &System<W>, rule: RuleId) -> Given<W> {
    let (control, symbol) = system.left(rule);
    let (to, word) = match system.rule(rule) {
        Rule::Pop { control } => (control, vec![]),
        Rule::Step { control, symbol } => (control, vec![symbol.index() as u32]),
        Rule::Push { control, symbol, below } => (control, vec![symbol.index() as u32, below.index() as u32]),
    };
    let left = (control.index() as u32, symbol.index() as u32);
    Given { left, to: to.index() as u32, word, weight: system.weight(rule).clone() }
}

/// All configurations of height at most `height` over `symbols` symbols.
pub fn configurations(controls: u32, symbols: u32, height: usize) -> Vec<Configuration> {
    let mut stacks = vec![vec![]];
    let mut last = stacks.clone();
    for _ in 0..height {
        last = last.iter().flat_map(|stack| (0..symbols).map(move |s| [&[s][..], stack].concat())).collect();
        stacks.extend(last.iter().cloned());
    }
    let of = |control| stacks.iter().map(move |stack| (control, stack.clone()));
    (0..controls).flat_map(of).collect()
}

/// Returns the least sums of the rules' weights from a configuration, up to `limit`; every weight is at least 1.
pub fn distances(rules: &[Given<Option<u64>>], start: &Configuration, limit: u64) -> BTreeMap<Configuration, u64> {
    let mut found = BTreeMap::new();
    let mut waiting = BTreeMap::from([(0, vec![start.clone()])]);
    while let Some((distance, configurations)) = waiting.pop_first() {
        for configuration in configurations {
            if found.contains_key(&configuration) {
                continue;
            }
            for rule in rules {
                let (Some(next), Some(length)) = (apply(rule, &configuration), rule.weight) else { continue };
                if distance + length <= limit {
                    waiting.entry(distance + length).or_default().push(next);
                }
            }
            found.insert(configuration, distance);
        }
    }
    found
}

/// Executes a run from a configuration; returns its rules in their original form and the last configuration.
pub fn follow<W: Clone>(system: &System<W>, run: &Run, start: Configuration) -> (Vec<Given<W>>, Configuration) {
    let mut at = start;
    let rules: Vec<_> = run.rules().map(|rule| given(system, rule)).collect();
    assert_eq!(rules.len() as u64, run.length());
    follow_folded(system, run, at.clone());
    for rule in &rules {
        at = apply(rule, &at).expect("the rule applies");
    }
    (rules, at)
}

/// Executes a run with all calls folded: each must lead from the configuration after its push to the one after its
/// return, and have the stated number of rules.
fn follow_folded<W: Clone>(system: &System<W>, run: &Run, start: Configuration) {
    let mut waiting = vec![(run.steps(|_| true), start, None)];
    let mut seen = BTreeSet::new();
    while let Some((steps, mut at, end)) = waiting.pop() {
        for step in steps {
            match step {
                RunStep::Rule(rule, _) => at = apply(&given(system, rule), &at).expect("the rule applies"),
                RunStep::Call(push, _, callee) => {
                    let (control, mut stack) = apply(&given(system, push), &at).expect("the push applies");
                    assert_eq!(control as usize, callee.from.index());
                    let entry = stack.remove(0);
                    at = (callee.to.index() as u32, stack);
                    if seen.insert(callee.subrun) {
                        let steps = run.steps_of(callee.subrun, |_| true);
                        waiting.push((steps, (control, vec![entry]), Some((at.0, vec![]))));
                    }
                }
            }
        }
        assert!(end.is_none_or(|end| end == at), "the call returns");
    }
}

/// Returns the automaton that accepts one configuration.
pub fn only((control, stack): &Configuration) -> Automaton {
    let mut automaton = Automaton::new();
    let mut from = Origin::Control(Control::new(*control));
    for (place, symbol) in stack.iter().enumerate() {
        let inner = Inner::new(place as u32);
        let to = if place + 1 == stack.len() { Goal::Final } else { Goal::Inner(inner) };
        automaton.edge(from, Symbol::new(*symbol), to);
        from = Origin::Inner(inner);
    }
    if stack.is_empty() {
        automaton.accept_empty(Control::new(*control));
    }
    automaton
}

/// Returns the automaton that accepts a control state with every stack.
pub fn all_stacks(control: u32, symbols: u32) -> Automaton {
    let (control, inner) = (Control::new(control), Inner::new(0));
    let mut automaton = Automaton::new();
    automaton.accept_empty(control);
    for symbol in (0..symbols).map(Symbol::new) {
        for to in [Goal::Inner(inner), Goal::Final] {
            automaton.edge(Origin::Control(control), symbol, to);
            automaton.edge(Origin::Inner(inner), symbol, to);
        }
    }
    automaton
}
