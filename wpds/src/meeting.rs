//! The configurations that two growing automata share: those that a forward saturation reaches and those from which a
//! backward saturation reaches a target. One of the two may be a fixed set of starts or targets.
//!
//! A pair of states, one of each automaton, is reached if both read the same beginning of a stack from the same control
//! state. Its value sums over these beginnings the products
//!
//! ```text
//! forward(gn) * ... * forward(g1) * backward(g1) * ... * backward(gn)
//! ```
//!
//! since a forward automaton collects weights from the bottom of the stack, and a backward one from its top. So a step
//! from a pair to the next one extends its value on both sides. The total is the sum over the pairs where both accept.
//!
//! Invariant, restored at the end of each call: for each reached pair, and transitions over one symbol that leave its
//! states, the product was added to the pair of their targets. Transitions without a symbol are left out, as a forward
//! saturation joins them with those below; only one that leads to the final state is read, as the end of the stack.

use crate::automaton::{Automaton, Goal, Origin};
use crate::index::{Control, State, Symbol, TransitionId};
use crate::log::{ChangeId, Log};
use crate::queue::Queue;
use crate::semiring::{Semiring, Traceable};
use rustc_hash::{FxHashMap, FxHashSet};

/// One of the two automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Forward,
    Backward,
}

impl Side {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// The number of a pair of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PairId(u32);

/// The number of a transition of one side, in the order of addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct EdgeId(u32);

/// A transition of one side.
#[derive(Clone, Debug)]
struct Edge<W> {
    id: TransitionId,
    symbol: Symbol,
    target: State,
    weight: W,
}

/// The transitions of one side, and the pairs with its states.
#[derive(Clone, Debug)]
struct Half<W> {
    edges: Vec<Edge<W>>,
    numbers: FxHashMap<TransitionId, EdgeId>,
    by_source: FxHashMap<State, Vec<EdgeId>>,
    by_head: FxHashMap<(State, Symbol), Vec<EdgeId>>,
    pairs: FxHashMap<State, Vec<PairId>>,
}

impl<W> Default for Half<W> {
    fn default() -> Self {
        Self {
            edges: Vec::new(),
            numbers: FxHashMap::default(),
            by_source: FxHashMap::default(),
            by_head: FxHashMap::default(),
            pairs: FxHashMap::default(),
        }
    }
}

impl<W> Half<W> {
    fn edge(&self, edge: EdgeId) -> &Edge<W> {
        &self.edges[edge.0 as usize]
    }

    fn leaving(&self, state: State, symbol: Symbol) -> &[EdgeId] {
        self.by_head.get(&(state, symbol)).map_or(&[], Vec::as_slice)
    }
}

/// A reached pair.
#[derive(Clone, Debug)]
struct Pair<W> {
    states: (State, State),
    value: W,
    pending: W,
    last_change: Option<ChangeId>,
}

/// A step from one pair to the next one; at the end of a stack the backward automaton makes none.
type Step = (PairId, EdgeId, Option<EdgeId>);

/// The transitions of one side on a path through both, with their elements.
pub(crate) type Path<E> = Vec<(TransitionId, E)>;

/// The paths of both sides.
type Paths<E> = (Path<E>, Path<E>);

/// The product of two automata.
#[derive(Clone, Debug)]
pub(crate) struct Meeting<W> {
    forward: Half<W>,
    backward: Half<W>,
    pairs: Vec<Pair<W>>,
    numbers: FxHashMap<(State, State), PairId>,
    /// The control states that the backward automaton accepts with the empty stack.
    accepting: FxHashSet<State>,
    queue: Queue<W, PairId>,
    log: Log<W, Option<Step>>,
    total: W,
}

impl<W: Clone> Meeting<W> {
    pub(crate) fn new<S: Semiring<Weight = W>>(semiring: &S) -> Self {
        Self {
            forward: Half::default(),
            backward: Half::default(),
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            accepting: FxHashSet::default(),
            queue: Queue::default(),
            log: Log::default(),
            total: semiring.zero(),
        }
    }

    /// The sum of the runs that lead through a common configuration.
    pub(crate) fn total(&self) -> &W {
        &self.total
    }

    /// Adds a fixed automaton to a side that has no other transitions than those of such automata.
    pub(crate) fn add_automaton<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        side: Side,
        automaton: &Automaton,
    ) -> Result<(), S::Stop> {
        let one = semiring.one();
        for (from, symbol, to) in automaton.edges() {
            let source = match from {
                Origin::Control(control) => State::control(*control),
                Origin::Inner(inner) => State::given(*inner),
            };
            let target = match to {
                Goal::Inner(inner) => State::given(*inner),
                Goal::Final => State::FINAL,
            };
            let id = self.next_id(side);
            self.add(semiring, side, id, (source, *symbol, target), &one)?;
        }
        for control in automaton.accepting() {
            match side {
                Side::Backward => self.accept_empty(semiring, *control)?,
                Side::Forward => {
                    let (id, empty) = (self.next_id(side), (State::control(*control), Symbol::EPSILON, State::FINAL));
                    self.add(semiring, side, id, empty, &one)?;
                }
            }
        }
        Ok(())
    }

    fn next_id(&self, side: Side) -> TransitionId {
        TransitionId::new(self.half(side).edges.len() as u32)
    }

    /// Lets the backward automaton accept a control state with the empty stack.
    pub(crate) fn accept_empty<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        control: Control,
    ) -> Result<(), S::Stop> {
        let state = State::control(control);
        if self.accepting.insert(state)
            && let Some(pair) = self.numbers.get(&(State::FINAL, state))
        {
            semiring.combine_into(&mut self.total, &self.pairs[pair.0 as usize].value)?;
        }
        Ok(())
    }

    /// Adds a weight to a transition of one side.
    pub(crate) fn add<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        side: Side,
        id: TransitionId,
        (source, symbol, target): (State, Symbol, State),
        delta: &W,
    ) -> Result<(), S::Stop> {
        if symbol == Symbol::EPSILON && target != State::FINAL {
            return Ok(());
        }
        let edge = self.insert(semiring, side, id, (source, symbol, target), delta)?;
        if let Some(control) = source.as_control() {
            self.begin(semiring, control)?;
        }
        for place in 0..self.half(side).pairs.get(&source).map_or(0, Vec::len) {
            let pair = self.half(side).pairs[&source][place];
            let value = self.pair(pair).value.clone();
            let (forward, backward) = self.pair(pair).states;
            match side {
                Side::Forward if symbol == Symbol::EPSILON => {
                    let weight = semiring.extend(delta, &value)?;
                    self.reach(semiring, (target, backward), &weight, Some((pair, edge, None)))?;
                }
                Side::Forward => {
                    for place in 0..self.backward.leaving(backward, symbol).len() {
                        let other = self.backward.leaving(backward, symbol)[place];
                        self.step(semiring, (pair, edge, other), (delta, &value, None))?;
                    }
                }
                Side::Backward => {
                    for place in 0..self.forward.leaving(forward, symbol).len() {
                        let other = self.forward.leaving(forward, symbol)[place];
                        let weight = self.forward.edge(other).weight.clone();
                        self.step(semiring, (pair, other, edge), (&weight, &value, Some(delta)))?;
                    }
                }
            }
        }
        self.settle(semiring)
    }

    fn half(&self, side: Side) -> &Half<W> {
        match side {
            Side::Forward => &self.forward,
            Side::Backward => &self.backward,
        }
    }

    fn pair(&self, pair: PairId) -> &Pair<W> {
        &self.pairs[pair.0 as usize]
    }

    /// Adds the weight to the transition's own, and the transition if it is new.
    fn insert<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        side: Side,
        id: TransitionId,
        (source, symbol, target): (State, Symbol, State),
        delta: &W,
    ) -> Result<EdgeId, S::Stop> {
        let half = match side {
            Side::Forward => &mut self.forward,
            Side::Backward => &mut self.backward,
        };
        let new = EdgeId(half.edges.len() as u32);
        let edge = *half.numbers.entry(id).or_insert(new);
        if edge == new {
            half.edges.push(Edge { id, symbol, target, weight: delta.clone() });
            half.by_source.entry(source).or_default().push(edge);
            half.by_head.entry((source, symbol)).or_default().push(edge);
        } else {
            semiring.combine_into(&mut half.edges[edge.0 as usize].weight, delta)?;
        }
        Ok(edge)
    }

    /// Reaches the pair of a control state with itself, with the empty beginning of a stack.
    fn begin<S: Semiring<Weight = W>>(&mut self, semiring: &mut S, control: Control) -> Result<(), S::Stop> {
        let state = State::control(control);
        if self.numbers.contains_key(&(state, state)) {
            return Ok(());
        }
        let one = semiring.one();
        self.reach(semiring, (state, state), &one, None)
    }

    /// Adds the product of a pair's value with the weights of two transitions to the pair of their targets. Without a
    /// backward weight, the transition's own.
    fn step<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        (pair, forward, backward): (PairId, EdgeId, EdgeId),
        (first, value, last): (&W, &W, Option<&W>),
    ) -> Result<(), S::Stop> {
        let last = last.unwrap_or(&self.backward.edge(backward).weight);
        let weight = semiring.extend(first, value)?;
        let weight = semiring.extend(&weight, last)?;
        let states = (self.forward.edge(forward).target, self.backward.edge(backward).target);
        self.reach(semiring, states, &weight, Some((pair, forward, Some(backward))))
    }

    /// Adds a weight to a pair.
    fn reach<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        states: (State, State),
        weight: &W,
        cause: Option<Step>,
    ) -> Result<(), S::Stop> {
        if semiring.is_zero(weight) {
            return Ok(());
        }
        let new = PairId(u32::try_from(self.pairs.len()).expect("fewer than 2^32 pairs"));
        let id = *self.numbers.entry(states).or_insert(new);
        if id == new {
            let (value, pending) = (semiring.zero(), semiring.zero());
            self.pairs.push(Pair { states, value, pending, last_change: None });
            self.forward.pairs.entry(states.0).or_default().push(id);
            self.backward.pairs.entry(states.1).or_default().push(id);
        }
        let pair = &mut self.pairs[id.0 as usize];
        let Some(delta) = semiring.combine_into(&mut pair.value, weight)? else { return Ok(()) };
        self.queue.push(semiring, id, &pair.pending, &delta);
        semiring.combine_into(&mut pair.pending, &delta)?;
        if states.0 == State::FINAL && (states.1 == State::FINAL || self.accepting.contains(&states.1)) {
            semiring.combine_into(&mut self.total, &delta)?;
        }
        pair.last_change = Some(self.log.push(delta, cause, pair.last_change));
        Ok(())
    }

    /// Extends the pairs whose value has changed.
    fn settle<S: Semiring<Weight = W>>(&mut self, semiring: &mut S) -> Result<(), S::Stop> {
        while let Some(id) = self.queue.pop(semiring) {
            let pair = &mut self.pairs[id.0 as usize];
            let (states, delta) = (pair.states, std::mem::replace(&mut pair.pending, semiring.zero()));
            if semiring.is_zero(&delta) {
                continue;
            }
            for (forward, backward) in self.matches(states) {
                let first = self.forward.edge(forward).weight.clone();
                match backward {
                    Some(backward) => self.step(semiring, (id, forward, backward), (&first, &delta, None))?,
                    None => {
                        let weight = semiring.extend(&first, &delta)?;
                        self.reach(semiring, (State::FINAL, states.1), &weight, Some((id, forward, None)))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The transitions of both sides over one symbol that leave the states of a pair. Linear in the smaller number of
    /// transitions that leave one of them, and in the result.
    fn matches(&self, (forward, backward): (State, State)) -> Vec<(EdgeId, Option<EdgeId>)> {
        let (Some(first), second) = (self.forward.by_source.get(&forward), self.backward.by_source.get(&backward))
        else {
            return Vec::new();
        };
        let ends = self.forward.leaving(forward, Symbol::EPSILON).iter().map(|edge| (*edge, None));
        let mut found: Vec<_> = ends.collect();
        let Some(second) = second else { return found };
        if first.len() <= second.len() {
            for edge in first {
                let others = self.backward.leaving(backward, self.forward.edge(*edge).symbol);
                found.extend(others.iter().map(|other| (*edge, Some(*other))));
            }
        } else {
            for edge in second {
                let others = self.forward.leaving(forward, self.backward.edge(*edge).symbol);
                found.extend(others.iter().map(|other| (*other, Some(*edge))));
            }
        }
        found
    }

    /// Returns the transitions of each side on a path through common configurations whose product has this element: of
    /// the forward automaton from the bottom of the stack, of the backward one from its top. `None` if the total does
    /// not have the element.
    pub(crate) fn paths<S: Traceable<Weight = W>>(
        &self,
        semiring: &mut S,
        element: &S::Element,
    ) -> Result<Option<Paths<S::Element>>, S::Stop> {
        let accepts = |(forward, backward): (State, State)| {
            forward == State::FINAL && (backward == State::FINAL || self.accepting.contains(&backward))
        };
        let mut accepted = self.pairs.iter().filter(|pair| accepts(pair.states));
        let Some(pair) = accepted.find(|pair| semiring.contains(&pair.value, element)) else { return Ok(None) };
        let (mut last, mut bound, mut element) = (pair.last_change, None, element.clone());
        let (mut forwards, mut backwards) = (Path::new(), Path::new());
        loop {
            let changes = self.log.older(last, bound);
            let oldest = changes.filter(|(_, change)| semiring.contains(change.delta, &element)).last();
            let Some((at, change)) = oldest else { return Ok(None) };
            let Some((before, forward, backward)) = change.cause else { break };
            let Some((first, value, second)) = self.split(semiring, &element, (before, forward, backward), at)? else {
                return Ok(None);
            };
            forwards.push((self.forward.edge(forward).id, first));
            backwards.extend(backward.zip(second).map(|(edge, second)| (self.backward.edge(edge).id, second)));
            (last, bound, element) = (self.pair(before).last_change, Some(at), value);
        }
        backwards.reverse();
        Ok(Some((forwards, backwards)))
    }

    /// Splits an element of a step's product into those of the forward transition, of the pair before, by changes older
    /// than the bound, and of the backward transition.
    #[allow(clippy::type_complexity, reason = "used in one place, where the parts get names")]
    fn split<S: Traceable<Weight = W>>(
        &self,
        semiring: &mut S,
        element: &S::Element,
        (before, forward, backward): Step,
        bound: ChangeId,
    ) -> Result<Option<(S::Element, S::Element, Option<S::Element>)>, S::Stop> {
        let first = &self.forward.edge(forward).weight;
        for (_, value) in self.log.older(self.pair(before).last_change, Some(bound)) {
            let Some(backward) = backward else {
                match semiring.split(element, first, value.delta) {
                    None => continue,
                    Some((first, value)) => return Ok(Some((first, value, None))),
                }
            };
            let last = &self.backward.edge(backward).weight;
            let rest = semiring.extend(value.delta, last)?;
            let Some((first, rest)) = semiring.split(element, first, &rest) else { continue };
            let Some((value, last)) = semiring.split(&rest, value.delta, last) else { continue };
            return Ok(Some((first, value, Some(last))));
        }
        Ok(None)
    }
}
