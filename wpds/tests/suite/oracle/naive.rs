//! Saturation as it is defined: every rule is applied to every path, again and again, until nothing changes.
//!
//! The definitions are those that the entry *Pushdown Systems* of the Archive of Formal Proofs proves correct
//! (Schlichtkrull, Schou, Srba, Traytel 2022), with weights as by Reps, Schwoon, Jha, Melski 2005:
//!
//! - pre\*: for a rule `(p, g) -> (p', w)` and a path from `p'` over `w` to `q`, add the edge `(p, g, q)`;
//! - post\*: for a rule and a path from `p` over `g` to `q`, where the path may begin with an edge without a symbol:
//!   for a pop add `(p', -, q)`; for a step to `g'` add `(p', g', q)`; for a push of `g' g''` add `(p', g', m)` with
//!   the weight one and `(m, g'', q)`, where `m` belongs to `p'` and `g'`.

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

    /// Adds a weight; whether it changes that of the edge. A known edge whose weight grows gets the weight `grown`, if
    /// there is one.
    fn add<S>(&mut self, semiring: &mut S, edge: (Place, Option<u32>, Place), weight: &W, grown: Option<&W>) -> bool
    where
        S: Semiring<Weight = W, Stop = Infallible>,
    {
        let zero = semiring.zero();
        if *weight == zero {
            return false;
        }
        let (is_known, known) = (self.edges.contains_key(&edge), self.edges.entry(edge).or_insert(zero));
        let Ok(change) = semiring.combine_into(known, weight);
        if let Some(grown) = grown.filter(|_| is_known && change.is_some()) {
            known.clone_from(grown);
        }
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
                changed |= naive.add(semiring, (control(rule.left.0), Some(rule.left.1), target), &weight, None);
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
    post_in_rounds(semiring, rules, starts, |_, _| None)
}

/// The same; a function of the number of edges and of the round may give a weight for edges that grow.
pub fn post_in_rounds<S>(
    semiring: &mut S,
    rules: &[Given<S::Weight>],
    starts: &Automaton,
    grown: impl Fn(usize, usize) -> Option<S::Weight>,
) -> Naive<S::Weight>
where
    S: Semiring<Stop = Infallible>,
{
    let mut naive = Naive::new(semiring, starts, true);
    let mut round = 0;
    loop {
        let grown = grown(naive.edges.len(), round);
        let grown = grown.as_ref();
        round += 1;
        let mut changed = false;
        for rule in rules {
            for (target, weight) in naive.paths(semiring, control(rule.left.0), &[rule.left.1]) {
                let (to, Ok(weight)) = (control(rule.to), semiring.extend(&weight, &rule.weight));
                changed |= match rule.word[..] {
                    [] => naive.add(semiring, (to, None, target), &weight, grown),
                    [by] => naive.add(semiring, (to, Some(by), target), &weight, grown),
                    [by, below] => {
                        let middle = Place::Middle(Control::new(rule.to), Symbol::new(by));
                        let one = semiring.one();
                        let entered = naive.add(semiring, (to, Some(by), middle), &one, grown);
                        naive.add(semiring, (middle, Some(below), target), &weight, grown) || entered
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
