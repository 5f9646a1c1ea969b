//! Solving the local words of one process: one post* for all of them.

use super::flow::FlowGraph;
use super::product::{Effect, Product, RuleWeights};
use super::unfold::Operations;
use super::word::{LocalWord, Position, WordTree};
use crate::limits::{Meter, StopReason};
use lockhist::{Lock, Operation};
use phases::Turn;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::sync::Arc;
use wpds::{PostStar, Progress, Semiring, Summary, System, Traceable};

/// A semiring whose weights abstract lock operations and boundaries of phases.
pub(crate) trait LockWeights: Semiring<Stop = StopReason> + Traceable {
    /// The weight of one operation in a phase.
    fn operation(&mut self, phase: usize, operation: Operation) -> Self::Weight;
    /// The weight of the step from a phase to the next.
    fn boundary(&mut self, phase: usize) -> Self::Weight;
    /// The element without its last phase, if nothing happens in that.
    fn without_last_phase(&self, element: &Self::Element) -> Option<Self::Element>;
}

/// How many steps of a saturation are made between two looks at the limits.
const STEPS: usize = 256;

fn rule_weights<S: LockWeights>(semiring: &mut S, phases: usize, locks: usize) -> RuleWeights<S::Weight> {
    let mut table = |operation: fn(Lock) -> Operation| {
        let of_phase = |phase| (0..locks).map(|lock| semiring.operation(phase, operation(Lock::new(lock)))).collect();
        (0..phases).map(of_phase).collect()
    };
    let (acquisitions, releases) = (table(Operation::Acquire), table(Operation::Release));
    let boundaries = (1..phases).map(|phase| semiring.boundary(phase - 1)).collect();
    RuleWeights { one: semiring.one(), boundaries, acquisitions, releases }
}

/// The weights of all paths of a process for the words of a tree.
#[derive(Debug)]
pub(crate) struct Solved<S: Semiring> {
    tree: Arc<WordTree>,
    post: PostStar<S, Product<S::Weight>>,
    summary: Summary<S>,
    /// The sums over the paths that stop in a position.
    stops: FxHashMap<Position, S::Weight>,
}

impl<S: LockWeights> Solved<S>
where
    S::Weight: Debug,
{
    /// Saturates the product of a process with the words of a tree.
    ///
    /// # Errors
    /// If a limit of the meter is reached.
    pub(crate) fn new(
        semiring: &mut S,
        graph: Arc<FlowGraph>,
        tree: Arc<WordTree>,
        locks: usize,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let phases = tree.positions().map(|position| tree.depth(position) + 1).max().unwrap_or(0);
        let weights = rule_weights(semiring, phases, locks);
        let entry = graph.entry();
        let product = Product::new(graph, tree.clone(), weights, false);
        let mut post = PostStar::new(semiring, System::lazy(product));
        for root in tree.roots() {
            post.start(semiring, Product::<S::Weight>::control(*root), Product::<S::Weight>::symbol(entry))?;
        }
        while post.advance(semiring, STEPS)? == Progress::Paused {
            meter.check()?;
        }
        let summary = Summary::of(semiring, &post)?;
        Ok(Self { tree, post, summary, stops: FxHashMap::default() })
    }

    /// The weight of all paths that do their part of the word, a segment for each phase. The path of the word in the tree
    /// is what [`WordTree::insert`] gave.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    pub(crate) fn total(
        &mut self,
        semiring: &mut S,
        word: &LocalWord,
        path: &[Position],
    ) -> Result<S::Weight, StopReason> {
        let mut total = semiring.zero();
        for (stop, ticks) in last_stops(word, path) {
            let mut weight = self.stopped(semiring, stop)?;
            let depth = self.tree.depth(stop);
            for phase in depth..depth + ticks {
                let boundary = semiring.boundary(phase);
                weight = semiring.extend(&weight, &boundary)?;
            }
            semiring.combine_into(&mut total, &weight)?;
        }
        Ok(total)
    }

    /// The sum over the paths that stop in a position.
    fn stopped(&mut self, semiring: &mut S, position: Position) -> Result<S::Weight, StopReason> {
        if let Some(weight) = self.stops.get(&position) {
            return Ok(weight.clone());
        }
        let control = Product::<S::Weight>::control(position);
        let weight = self.summary.total(semiring, &self.post, control)?;
        self.stops.insert(position, weight.clone());
        Ok(weight)
    }

    /// The lock operations of a path that does its part of the word and has this element of the total.
    pub(crate) fn operations(
        &self,
        semiring: &mut S,
        word: &LocalWord,
        path: &[Position],
        element: &S::Element,
    ) -> Option<Operations> {
        let run = last_stops(word, path).find_map(|(stop, ticks)| {
            let mut rest = element.clone();
            for _ in 0..ticks {
                rest = semiring.without_last_phase(&rest)?;
            }
            self.summary.run(semiring, &self.post, Product::<S::Weight>::control(stop), &rest)
        })?;
        let mut operations = vec![Vec::new(); word.len()];
        for rule in run {
            if let Effect::Lock(operation) = self.post.system().source().effect(rule) {
                let (control, _) = self.post.system().left(rule);
                operations[self.tree.depth(Position::new(control.index()))].push(operation);
            }
        }
        Some(operations)
    }

    /// How many transitions the saturated automaton has.
    pub(crate) fn transition_count(&self) -> usize {
        self.post.transition_count()
    }
}

/// Where a path may stop that does its part of a word: at the end, if the process itself takes the last transition, or
/// in any phase after its own last one; with the number of phases that are then still to come.
fn last_stops<'a>(word: &LocalWord, path: &'a [Position]) -> impl Iterator<Item = (Position, usize)> + use<'a> {
    let own_phases = word.0.iter().rposition(|phase| phase.turn != Turn::Tick).map_or(0, |last| last + 1);
    let stops = if own_phases == word.len() { own_phases..path.len() } else { own_phases..word.len() };
    let last = stops.end - 1;
    stops.map(move |place| (path[place], last - place))
}
