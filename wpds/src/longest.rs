//! Longest runs: the greatest sum of the lengths of rules, or that there is none.
//!
//! Longest lengths do not form a bounded semiring: around a loop they grow forever. They are computed from a finished
//! forward saturation over any weights. Each of its transitions stands for the runs that lead to it, and is derived
//! from one or two others ([`Equations`]); so its longest run is that of its derivations.
//!
//! *Correctness.* Take a strongly connected component of the transitions, under "is derived from". If a derivation
//! within it gains length - by its rule or by the longest run of the other transition that it needs - then every run of
//! a member can be repeated through this derivation, since all transitions have runs, and there is no longest one.
//! Otherwise lengths are passed on unchanged within the component, so all members have the same longest length: the
//! greatest that comes from outside. A derivation from two members gains the length of the component itself. The
//! components are visited in the order of derivation, so what comes from outside is known. Linear in the number of
//! derivations.
//!
//! A configuration of a set is read from its control state, as in `meeting`: a pair of states is derived from the pair
//! before and a transition. So the pairs are further members of the same equations.

use crate::automaton::{Automaton, Goal, Origin};
use crate::components::components;
use crate::index::{RuleId, State, Symbol};
use crate::post_star::{Cause, Saturated};
use crate::saturation::Saturation;
use crate::semiring::Semiring;
use crate::system::Rules;
use rustc_hash::{FxHashMap, FxHashSet};

/// The length of the longest run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Longest {
    /// The sum of the lengths of its rules; sums of 2^64 - 1 and more count as this number.
    Length(u64),
    /// For each length there is a longer run.
    Unbounded,
}

impl Longest {
    /// The longest run from a start to one of these targets, with the given length of each rule; `None` if no target is
    /// reachable. The starts must have been given before the first step of the saturation.
    ///
    /// ```
    /// use wpds::{Automaton, Boolean, Control, Goal, Longest, Origin, PostStar, Symbol, System};
    ///
    /// let (p, [a, b, c]) = (Control::new(0), [0, 1, 2].map(Symbol::new));
    /// let mut system = System::builder();
    /// system.step(p, a, p, b, true);
    /// system.step(p, a, p, c, true);
    /// system.step(p, c, p, b, true);
    /// system.push(p, b, p, b, c, true);
    /// let mut post = PostStar::new(&Boolean, system.build());
    /// post.start(&mut Boolean, p, a).unwrap();
    /// post.advance(&mut Boolean, usize::MAX).unwrap();
    /// let longest = |stack: &[Symbol]| {
    ///     let mut targets = Automaton::new();
    ///     targets.edge(Origin::Control(p), stack[0], Goal::Final);
    ///     Longest::to(post.saturated().unwrap(), &targets, |_| 1)
    /// };
    /// assert_eq!(longest(&[b]), Some(Longest::Length(2)));
    /// assert_eq!(longest(&[a]), Some(Longest::Length(0)));
    /// ```
    pub fn to<S: Semiring, R: Rules<S::Weight>>(
        saturated: Saturated<'_, S, R>,
        targets: &Automaton,
        length: impl Fn(RuleId) -> u64,
    ) -> Option<Self> {
        let post = saturated.post();
        let mut equations = Equations { count: post.transition_count(), ..Equations::default() };
        post.for_each_derivation(&mut |to, derivation| {
            let to = to.index() as u32;
            match derivation {
                Cause::Start => {}
                Cause::Rule(rule, from) => equations.derive((from.index() as u32, None), to, length(rule)),
                Cause::Join(call, callee) => {
                    equations.derive((call.index() as u32, Some(callee.index() as u32)), to, 0);
                }
            }
        });
        let mut by_source: FxHashMap<State, Vec<Read>> = FxHashMap::default();
        for (id, source, _, target) in post.transitions() {
            by_source.entry(source).or_default().push((id.index() as u32, post.ends(id).1, target));
        }
        let accepted = equations.read(&by_source, targets);
        let values = equations.solve();
        accepted.into_iter().map(|pair| values[pair as usize]).max()
    }

    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Length(first), Self::Length(second)) => Self::Length(first.saturating_add(second)),
            _ => Self::Unbounded,
        }
    }
}

/// A transition that leaves a state: its number, what it reads, and its target.
type Read = (u32, Symbol, State);

/// A derivation of a member from one or two others, with the length of its rule.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    other: Option<u32>,
    to: u32,
    length: u64,
}

/// Members and their derivations. Each member is derived, or stands for the empty run.
#[derive(Debug, Default)]
struct Equations {
    count: usize,
    edges: Vec<Edge>,
}

impl Equations {
    fn derive(&mut self, (from, other): (u32, Option<u32>), to: u32, length: u64) {
        self.edges.push(Edge { from, other, to, length });
    }

    fn add(&mut self) -> u32 {
        self.count += 1;
        u32::try_from(self.count - 1).expect("fewer than 2^32 members")
    }

    /// Adds the pairs of states after which the same stack can be read; returns those where both automata accept.
    fn read(&mut self, by_source: &FxHashMap<State, Vec<Read>>, targets: &Automaton) -> Vec<u32> {
        let edges = Targets::new(targets);
        let mut pairs: FxHashMap<(State, State), u32> = FxHashMap::default();
        let mut waiting = Vec::new();
        for source in by_source.keys().filter(|state| state.as_control().is_some()) {
            let pair = self.add();
            pairs.insert((*source, *source), pair);
            waiting.push((*source, *source));
        }
        while let Some((source, other)) = waiting.pop() {
            let from = pairs[&(source, other)];
            for (transition, symbol, target) in by_source.get(&source).into_iter().flatten() {
                let next = if *symbol == Symbol::EPSILON {
                    // The end of the stack; longer stacks have transitions of their own.
                    if *target == State::FINAL { vec![other] } else { Vec::new() }
                } else {
                    edges.after(other, *symbol)
                };
                for next in next {
                    let to = *pairs.entry((*target, next)).or_insert_with(|| {
                        waiting.push((*target, next));
                        self.add()
                    });
                    self.derive((from, Some(*transition)), to, 0);
                }
            }
        }
        let accepts = |(source, other): &(State, State)| *source == State::FINAL && edges.accepts(*other);
        pairs.into_iter().filter(|(states, _)| accepts(states)).map(|(_, pair)| pair).collect()
    }

    /// The longest length of each member.
    fn solve(&self) -> Vec<Longest> {
        let premises = self.edges.iter().map(|edge| (edge.from, edge.to));
        let others = self.edges.iter().filter_map(|edge| Some((edge.other?, edge.to)));
        let order = components(self.count, premises.chain(others));
        let mut component = vec![0; self.count];
        for (number, members) in order.iter().enumerate() {
            members.iter().for_each(|member| component[*member as usize] = number);
        }
        let mut by_component: Vec<Vec<&Edge>> = vec![Vec::new(); order.len()];
        for edge in &self.edges {
            by_component[component[edge.to as usize]].push(edge);
        }
        let mut values = vec![Longest::Length(0); self.count];
        for (number, members) in order.iter().enumerate() {
            let is_inside = |member: u32| component[member as usize] == number;
            let mut value = Longest::Length(0);
            for edge in &by_component[number] {
                if ![Some(edge.from), edge.other].into_iter().flatten().any(is_inside) {
                    value = value.max(edge.sum(|member| values[member as usize]));
                }
            }
            let gains = |edge: &&&Edge| {
                let [first, second] = [Some(edge.from), edge.other].map(|member| member.filter(|it| is_inside(*it)));
                let Some(inside) = first.or(second) else { return false };
                // What the derivation adds to this member; if both are inside, the other one has the same value.
                let mut is_first = true;
                let of = |member: u32| match is_inside(member) {
                    true if member == inside && std::mem::take(&mut is_first) => Longest::Length(0),
                    true => value,
                    false => values[member as usize],
                };
                edge.sum(of) > Longest::Length(0)
            };
            if by_component[number].iter().any(|edge| gains(&edge)) {
                value = Longest::Unbounded;
            }
            members.iter().for_each(|member| values[*member as usize] = value);
        }
        values
    }
}

impl Edge {
    /// The length of the derivation, with these lengths of the members.
    fn sum(&self, mut value: impl FnMut(u32) -> Longest) -> Longest {
        let first = Longest::Length(self.length).plus(value(self.from));
        self.other.map_or(first, |other| first.plus(value(other)))
    }
}

/// The edges of the targets, and where they end.
struct Targets {
    edges: FxHashMap<(State, Symbol), Vec<State>>,
    accepting: FxHashSet<State>,
}

impl Targets {
    fn new(automaton: &Automaton) -> Self {
        let mut edges: FxHashMap<(State, Symbol), Vec<State>> = FxHashMap::default();
        for (from, symbol, to) in automaton.edges() {
            let source = match from {
                Origin::Control(control) => State::control(*control),
                Origin::Inner(inner) => State::given(*inner),
            };
            let target = match to {
                Goal::Inner(inner) => State::given(*inner),
                Goal::Final => State::FINAL,
            };
            edges.entry((source, *symbol)).or_default().push(target);
        }
        let accepting = automaton.accepting().iter().map(|control| State::control(*control));
        Self { edges, accepting: accepting.chain([State::FINAL]).collect() }
    }

    fn after(&self, state: State, symbol: Symbol) -> Vec<State> {
        self.edges.get(&(state, symbol)).cloned().unwrap_or_default()
    }

    fn accepts(&self, state: State) -> bool {
        self.accepting.contains(&state)
    }
}
