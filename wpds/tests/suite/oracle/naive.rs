//! Saturation as it is defined: every rule is applied to every path, again and again, until nothing changes.
//!
//! The definitions are those that the entry *Pushdown Systems* of the Archive of Formal Proofs proves correct
//! (Schlichtkrull, Schou, Srba, Traytel 2022), with weights as by Reps, Schwoon, Jha, Melski 2005:
//!
//! - pre\*: for a rule `(p, g) -> (p', w)` and a path from `p'` over `w` to `q`, add the edge `(p, g, q)`;
//! - post\*: for a rule and a path from `p` over `g` to `q`, where the path may begin with an edge without a symbol: for
//!   a pop add `(p', -, q)`; for a step to `g'` add `(p', g', q)`; for a push of `g' g''` add `(p', g', m)` with the
//!   weight one and `(m, g'', q)`, where `m` belongs to `p'` and `g'`.

use crate::support::Given;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use wpds::{Automaton, Control, Goal, Origin, Place, Semiring, Symbol};

/// A weighted automaton.
#[derive(Clone, Debug)]
pub struct Naive<W> {
    edges: BTreeMap<(Place, Option<u32>, Place), W>,
    accepting: BTreeSet<Place>,
    is_forward: bool,
}

fn control(number: u32) -> Place {
    Place::Control(Control::new(number))
}

impl<W: Clone + Eq> Naive<W> {
    fn new<S: Semiring<Weight = W>>(semiring: &S, set: &Automaton, is_forward: bool) -> Self {
        let (one, mut edges) = (semiring.one(), BTreeMap::new());
        for (from, symbol, to) in set.edges() {
            let from = match from {
                Origin::Control(control) => Place::Control(*control),
                Origin::Inner(inner) => Place::Inner(*inner),
            };
            let to = match to {
                Goal::Inner(inner) => Place::Inner(*inner),
                Goal::Final => Place::Final,
            };
            edges.insert((from, Some(symbol.index() as u32), to), one.clone());
        }
        let mut accepting = BTreeSet::from([Place::Final]);
        for control in set.accepting() {
            if is_forward {
                edges.insert((Place::Control(*control), None, Place::Final), one.clone());
            } else {
                accepting.insert(Place::Control(*control));
            }
        }
        Self { edges, accepting, is_forward }
    }

    /// Adds a weight; whether it changes that of the edge.
    fn add<S>(&mut self, semiring: &mut S, edge: (Place, Option<u32>, Place), weight: &W) -> bool
    where
        S: Semiring<Weight = W, Stop = Infallible>,
    {
        let zero = semiring.zero();
        if *weight == zero {
            return false;
        }
        let Ok(change) = semiring.combine_into(self.edges.entry(edge).or_insert(zero), weight);
        change.is_some()
    }

    /// The states after a word, with the sums of the paths to them.
    fn paths<S>(&self, semiring: &mut S, from: Place, word: &[u32]) -> BTreeMap<Place, W>
    where
        S: Semiring<Weight = W, Stop = Infallible>,
    {
        let mut here = BTreeMap::from([(from, semiring.one())]);
        for symbol in std::iter::once(None).chain(word.iter().map(Some)) {
            // At first, an edge without a symbol is taken or not.
            let mut next = if symbol.is_none() { here.clone() } else { BTreeMap::new() };
            for ((source, read, target), weight) in &self.edges {
                let Some(before) = here.get(source).filter(|_| *read == symbol.copied()) else { continue };
                // Forwards, the weights are collected from the bottom of the stack.
                let (first, second) = if self.is_forward { (weight, before) } else { (before, weight) };
                let Ok(product) = semiring.extend(first, second);
                let Ok(_) = semiring.combine_into(next.entry(*target).or_insert(semiring.zero()), &product);
            }
            here = next;
        }
        here
    }

    /// The weight of a configuration.
    pub fn weight<S>(&self, semiring: &mut S, at: u32, stack: &[u32]) -> W
    where
        S: Semiring<Weight = W, Stop = Infallible>,
    {
        let mut sum = semiring.zero();
        for (place, weight) in self.paths(semiring, control(at), stack) {
            if self.accepting.contains(&place) {
                let Ok(_) = semiring.combine_into(&mut sum, &weight);
            }
        }
        sum
    }
}

/// Returns the automaton of pre\*.
pub fn pre<S>(semiring: &mut S, rules: &[Given<S::Weight>], targets: &Automaton) -> Naive<S::Weight>
where
    S: Semiring<Stop = Infallible>,
{
    let mut naive = Naive::new(semiring, targets, false);
    loop {
        let mut changed = false;
        for rule in rules {
            for (target, weight) in naive.paths(semiring, control(rule.to), &rule.word) {
                let Ok(weight) = semiring.extend(&rule.weight, &weight);
                changed |= naive.add(semiring, (control(rule.left.0), Some(rule.left.1), target), &weight);
            }
        }
        if !changed {
            return naive;
        }
    }
}

/// Returns the automaton of post\*.
pub fn post<S>(semiring: &mut S, rules: &[Given<S::Weight>], starts: &Automaton) -> Naive<S::Weight>
where
    S: Semiring<Stop = Infallible>,
{
    let mut naive = Naive::new(semiring, starts, true);
    loop {
        let mut changed = false;
        for rule in rules {
            for (target, weight) in naive.paths(semiring, control(rule.left.0), &[rule.left.1]) {
                let (to, Ok(weight)) = (control(rule.to), semiring.extend(&weight, &rule.weight));
                changed |= match rule.word[..] {
                    [] => naive.add(semiring, (to, None, target), &weight),
                    [by] => naive.add(semiring, (to, Some(by), target), &weight),
                    [by, below] => {
                        let middle = Place::Middle(Control::new(rule.to), Symbol::new(by));
                        let one = semiring.one();
                        let entered = naive.add(semiring, (to, Some(by), middle), &one);
                        naive.add(semiring, (middle, Some(below), target), &weight) || entered
                    }
                    _ => unreachable!("words have at most two symbols"),
                };
            }
        }
        if !changed {
            return naive;
        }
    }
}
