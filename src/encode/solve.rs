//! Solving the local words of one process: one post* for all of them.

use super::expand::expand;
use super::product::{Product, RuleWeights, Shape, TracedRule};
use super::reduce::ReducedProcess;
use super::trace::Trace;
use super::tree::{Position, WordTree};
use super::weights::LockWeights;
use super::word::LocalWord;
use crate::limits::{Meter, StopReason};
use crate::reductions::{Reduction, Reductions};
use crate::witness::LocalPath;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::sync::Arc;
use wpds::{Callee, PostStar, Progress, Rule, RuleId, Semiring, Summary, System};

/// How many steps of a saturation are made between two looks at the limits.
const STEPS: usize = 256;

/// The weights of all paths of a process for the words of a tree.
#[derive(Debug)]
pub(crate) struct Solved<S: Semiring> {
    process: ReducedProcess,
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
        process: ReducedProcess,
        tree: Arc<WordTree>,
        locks: usize,
        reductions: Reductions,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let graph = process.graph().clone();
        let free = if reductions.has(Reduction::Idling) { process.free_nodes(meter)? } else { Vec::new() };
        let (entry, late_ticks) = (graph.entry(), reductions.has(Reduction::Ticks));
        let passes = reductions.has(Reduction::Steps) && late_ticks;
        let instants = process.original().instants().clone();
        let shape = Shape { graph, tree: tree.clone(), instants, free, late_ticks, passes };
        let mut weights = RuleWeights::default();
        for (phase, meaning) in shape.meanings(locks) {
            meter.check()?;
            weights.insert((phase, meaning), semiring.of_rule(phase, &meaning)?);
        }
        let product = Product::new(shape, weights, meter)?;
        meter.check()?;
        let mut post = PostStar::new(semiring, System::lazy(product));
        for root in tree.roots() {
            post.start(semiring, Product::<S::Weight>::control(*root), Product::<S::Weight>::symbol(entry))?;
        }
        while post.advance(semiring, STEPS)? == Progress::Paused {
            meter.check()?;
        }
        let saturated = post.saturated().expect("nothing is left to do");
        let summary = Summary::of(semiring, saturated, &mut || meter.check())?;
        Ok(Self { process, tree, post, summary, stops: FxHashMap::default() })
    }

    /// The weight of all paths that do their part of the word, a segment for each phase, and of all words that share its
    /// positions. The path of the word in the tree is what [`WordTree::insert`] gave.
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
            let phase = self.tree.depth(stop);
            for phase in phase..phase + ticks {
                let boundary = semiring.boundary(phase)?;
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
        let mark = semiring.mark();
        let weight = self.summary.total(semiring, &self.post, control)?;
        let weight = semiring.settle(mark, weight);
        self.stops.insert(position, weight.clone());
        Ok(weight)
    }

    /// The process that was solved.
    pub(crate) fn process(&self) -> &ReducedProcess {
        &self.process
    }

    /// A path through the model that does its part of the word and has this element of the total.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn local_path(
        &self,
        semiring: &mut S,
        word: &LocalWord,
        path: &[Position],
        element: &S::Element,
        meter: &Meter,
    ) -> Result<Option<LocalPath>, StopReason> {
        for (stop, ticks) in last_stops(word, path) {
            let shorter = |rest: S::Element, _| semiring.without_last_phase(&rest);
            let Some(rest) = (0..ticks).try_fold(element.clone(), shorter) else { continue };
            let control = Product::<S::Weight>::control(stop);
            let run = self.summary.run(semiring, &self.post, control, &rest, &mut || meter.check())?;
            let Some(run) = run else { continue };
            let mut trace = Trace::default();
            // A call that returns in the position where it began lies within one phase and ends none. Where it may give up locks
            // of its caller others may have to act inside of it.
            let gives_up = self.process.pieces_giving_up(&run, &|rule| self.traced(rule));
            let folds = |callee: &Callee| callee.from == callee.to && !gives_up(callee.piece);
            let Some(steps) = trace.read(&run, folds, |rule| Some(self.traced(rule)), meter)? else { return Ok(None) };
            trace.steps = steps.into_iter().map(|(_, traced)| traced).collect();
            return expand(&self.process, &trace, word.len(), meter);
        }
        Ok(None)
    }
}

impl<S: Semiring> Solved<S> {
    /// What a rule executes, step by step.
    fn traced(&self, rule: RuleId) -> Vec<TracedRule> {
        let system = self.post.system();
        let (control, symbol) = system.left(rule);
        let first = system.rules_of(control, symbol).next().expect("the rule is one of its left-hand side");
        let to = match system.rule(rule) {
            Rule::Pop { .. } => None,
            Rule::Step { symbol, .. } | Rule::Push { symbol, .. } => Some(symbol),
        };
        system.source().traced((control, symbol), rule.index() - first.index(), to)
    }
}

/// Where a path may stop that does its part of a word: at the end, if the process itself takes the last transition, or
/// in any phase after its own last one; with the number of phases that are then still to come.
fn last_stops<'a>(word: &LocalWord, path: &'a [Position]) -> impl Iterator<Item = (Position, usize)> + use<'a> {
    let own_phases = word.own_phases();
    let stops = if own_phases == word.len() { own_phases..path.len() } else { own_phases..word.len() };
    let last = stops.end - 1;
    stops.map(move |place| (path[place], last - place))
}
