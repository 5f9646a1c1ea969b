//! Path summary: the weight of all reachable configurations with a given control state and any stack.
//!
//! For a state `q` of the automaton let `V(q)` be the sum of the runs that lead into it: `V(final) = 1`, and for a
//! mid-state the sum of `V(q') * w` over the transitions `(q, g, q')` with weight `w` (first the lower part of the
//! stack). Then the weight of all configurations with control state `p` is the sum of `V(q) * w` over the transitions
//! `(p, g, q)`. `V` is a least fixed point, computed with a worklist like the saturation itself: first in, first out,
//! or, if the weights are ordered, the state with the best pending weight first (Dijkstra's algorithm). It requires a
//! finished saturation, so its constructor takes a [`Saturated`] one.
//!
//! Source: Reps, Schwoon, Jha, Melski 2005, section 3.3 (`path_summary`).

use crate::index::{Control, State, TransitionId};
use crate::log::{Change, ChangeId, Log};
use crate::post_star::{PostStar, Saturated};
use crate::queue::Queue;
use crate::semiring::Semiring;
use crate::system::Rules;
use rustc_hash::FxHashMap;

/// Number of transitions that are processed between two calls of a watch.
const STEPS: usize = 256;

/// The value `V(q)` of one state.
#[derive(Clone, Debug)]
struct Value<W> {
    weight: W,
    /// The weight added since the state was last processed. If it is not zero, the state is in the worklist.
    pending: W,
    last_change: Option<ChangeId>,
    /// Transitions from mid-states into this state.
    entering: Vec<(TransitionId, State)>,
}

/// A transition from a control state, with which runs can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending(pub(crate) TransitionId);

/// A summand of the weight of a control state: the runs with the same last transition, as the product of `below` and
/// `top`.
#[derive(Clone, Copy, Debug)]
pub struct Summand<'a, W> {
    /// The last transition of these runs.
    pub ending: Ending,
    /// The sum of the runs that lead to the stack below the topmost symbol.
    pub below: &'a W,
    /// The sum of their continuations above it.
    pub top: &'a W,
}

/// Sums over the configurations of a finished [`PostStar`].
#[derive(Clone, Debug)]
pub struct Summary<S: Semiring> {
    values: FxHashMap<State, Value<S::Weight>>,
    /// The transitions of each control state that read a symbol or lead to the final state.
    of_control: FxHashMap<Control, Vec<TransitionId>>,
    log: Log<S::Weight, Option<TransitionId>>,
}

impl<S: Semiring> Summary<S> {
    /// Computes the summary of a finished saturation. Linear in its transitions, times the changes of the weights.
    ///
    /// # Errors
    /// The semiring's, or that of `watch`, which is called once for some hundreds of transitions.
    pub fn of<R: Rules<S::Weight>>(
        semiring: &mut S,
        saturated: Saturated<'_, S, R>,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Self, S::Stop> {
        let post = saturated.post();
        let mut summary = Self { values: FxHashMap::default(), of_control: FxHashMap::default(), log: Log::default() };
        summary.collect(semiring, post, watch)?;
        summary.solve(semiring, post, watch)?;
        Ok(summary)
    }

    /// The weight of all reachable configurations with this control state, including those with an empty stack.
    ///
    /// # Errors
    /// The semiring's.
    pub fn total<R: Rules<S::Weight>>(
        &self,
        semiring: &mut S,
        post: &PostStar<S, R>,
        control: Control,
    ) -> Result<S::Weight, S::Stop> {
        let one = semiring.one();
        self.total_times(semiring, post, control, &one)
    }

    /// The same, extended by another weight. Each summand is extended separately, so that those that become zero are
    /// not added.
    ///
    /// # Errors
    /// The semiring's.
    pub fn total_times<R: Rules<S::Weight>>(
        &self,
        semiring: &mut S,
        post: &PostStar<S, R>,
        control: Control,
        last: &S::Weight,
    ) -> Result<S::Weight, S::Stop> {
        let mut by_target: Vec<(State, Vec<S::Weight>)> = Vec::new();
        let mut position: FxHashMap<State, usize> = FxHashMap::default();
        for &transition in self.of_control.get(&control).into_iter().flatten() {
            let (target, weight) = (post.target(transition), semiring.extend(post.weight(transition), last)?);
            if semiring.is_zero(&weight) {
                continue;
            }
            let slot = *position.entry(target).or_insert(by_target.len());
            if slot == by_target.len() {
                by_target.push((target, Vec::new()));
            }
            by_target[slot].1.push(weight);
        }
        let mut wholes = Vec::with_capacity(by_target.len());
        for (target, weights) in by_target {
            if let Some(below) = self.weight(target) {
                let weight = semiring.combine_all(weights)?;
                wholes.push(semiring.extend(below, &weight)?);
            }
        }
        semiring.combine_all(wholes)
    }

    /// The summands of the weight of all reachable configurations with this control state. Two summands with equal
    /// weights have runs for the same elements.
    pub fn summands<'a, R: Rules<S::Weight>>(
        &'a self,
        post: &'a PostStar<S, R>,
        control: Control,
    ) -> impl Iterator<Item = Summand<'a, S::Weight>> {
        self.of_control.get(&control).into_iter().flatten().filter_map(|&transition| {
            let below = self.weight(post.target(transition))?;
            Some(Summand { ending: Ending(transition), below, top: post.weight(transition) })
        })
    }

    /// `V(state)`; `None` for a state that no run leads into.
    pub(crate) fn weight(&self, state: State) -> Option<&S::Weight> {
        self.values.get(&state).map(|value| &value.weight)
    }

    /// The changes of `V(state)` that are older than `bound`; the youngest first.
    pub(crate) fn changes(
        &self,
        state: State,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, S::Weight, Option<TransitionId>>)> {
        self.log.older(self.values.get(&state).and_then(|value| value.last_change), bound)
    }

    /// Groups the transitions by control state, or by the state that they enter.
    fn collect<R: Rules<S::Weight>>(
        &mut self,
        semiring: &S,
        post: &PostStar<S, R>,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<(), S::Stop> {
        for (id, source, reads, target) in post.transitions() {
            if id.index().is_multiple_of(STEPS) {
                watch()?;
            }
            if let Some(control) = source.as_control() {
                if reads || target == State::FINAL {
                    self.of_control.entry(control).or_default().push(id);
                }
            } else {
                self.value(semiring, target).entering.push((id, source));
            }
        }
        Ok(())
    }

    fn value(&mut self, semiring: &S, state: State) -> &mut Value<S::Weight> {
        self.values.entry(state).or_insert_with(|| Value {
            weight: semiring.zero(),
            pending: semiring.zero(),
            last_change: None,
            entering: Vec::new(),
        })
    }

    fn solve<R: Rules<S::Weight>>(
        &mut self,
        semiring: &mut S,
        post: &PostStar<S, R>,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<(), S::Stop> {
        let mut worklist = Queue::default();
        let one = semiring.one();
        self.add(semiring, State::FINAL, &one, None, &mut worklist)?;
        let mut left = STEPS;
        while let Some(state) = worklist.pop(semiring) {
            let zero = semiring.zero();
            let value = self.value(semiring, state);
            let delta = std::mem::replace(&mut value.pending, zero);
            if semiring.is_zero(&delta) {
                continue;
            }
            let entering = std::mem::take(&mut value.entering);
            for &(transition, source) in &entering {
                left -= 1;
                if left == 0 {
                    watch()?;
                    left = STEPS;
                }
                let weight = semiring.extend(&delta, post.weight(transition))?;
                self.add(semiring, source, &weight, Some(transition), &mut worklist)?;
            }
            self.value(semiring, state).entering = entering;
        }
        Ok(())
    }

    /// Adds a weight to `V(state)`.
    fn add(
        &mut self,
        semiring: &mut S,
        state: State,
        weight: &S::Weight,
        through: Option<TransitionId>,
        worklist: &mut Queue<S::Weight, State>,
    ) -> Result<(), S::Stop> {
        self.value(semiring, state);
        let value = self.values.get_mut(&state).expect("made just now");
        let Some(delta) = semiring.combine_into(&mut value.weight, weight)? else { return Ok(()) };
        worklist.push(semiring, state, &value.pending, &delta);
        semiring.combine_into(&mut value.pending, &delta)?;
        value.last_change = Some(self.log.push(delta, through, value.last_change));
        Ok(())
    }
}
