//! Solves the local words of one process: one post* for all of them.

use super::expand::expand;
use super::product::{Product, Shape};
use super::trace::{Executed, Trace, subruns_giving_up};
use crate::encode::flow::FlowNode;
use crate::encode::reduce::ReducedProcess;
use crate::encode::weights::{Crossing, Ends, LockWeights, Matrices};
use crate::encode::words::{LocalWord, Position, WordTree};
use crate::reductions::{Reduction, Reductions};
use crate::witness::LocalPath;
use limits::{Meter, StopReason};
use rustc_hash::FxHashSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;
use wpds::{Callee, Ending, PostStar, Progress, RuleId, Summary, System};

/// The number of saturation steps between two checks of the limits.
const STEPS: usize = 256;

/// The weights of all paths of a process for the words of a tree.
#[derive(Debug)]
pub(crate) struct Solved<S: LockWeights>
where
    S::Weight: Copy + Ord + Hash + Debug,
{
    process: ReducedProcess,
    tree: Arc<WordTree>,
    post: PostStar<Matrices<S>, Product>,
    summary: Summary<Matrices<S>>,
    /// For each position where a path may stop, the paths that stop there; computed on first use.
    stops: Option<Vec<Stop<S::Weight>>>,
}

/// The paths that stop in one position.
#[derive(Debug)]
struct Stop<W> {
    /// Their sum.
    weight: W,
    /// The summands: for each element of the weight, there is a path that belongs to one of these.
    summands: Vec<PathSummand<W>>,
}

/// The paths that stop in one position, with one weight below the topmost procedure and one in it.
#[derive(Debug)]
struct PathSummand<W> {
    below: W,
    top: W,
    ending: Ending,
}

impl<S: LockWeights> Solved<S>
where
    S::Weight: Copy + Ord + Hash + Debug,
{
    /// Saturates the product of a process with the words of a tree.
    ///
    /// # Errors
    /// If a limit of the meter is reached.
    pub(crate) fn new(
        semiring: &mut Matrices<S>,
        process: ReducedProcess,
        tree: Arc<WordTree>,
        reductions: Reductions,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let graph = process.graph().clone();
        let free = if reductions.has(Reduction::Idling) { process.free_nodes(meter)? } else { Vec::new() };
        let (entry, late_ticks) = (graph.entry(), reductions.has(Reduction::Ticks));
        semiring.begin(&tree);
        let instants = process.original().instants().clone();
        let shape = Shape { graph, tree: tree.clone(), instants, free, late_ticks };
        let product = Product::new(shape, semiring, meter)?;
        meter.check()?;
        let mut post = PostStar::new(semiring, System::lazy(product));
        let start = semiring.entries.start();
        let roots: Vec<_> = tree.roots().iter().map(|root| (*root, *root, start)).collect();
        let roots = semiring.of_entries(&roots);
        post.start_with(semiring, Product::CONTROL, Product::symbol(entry), &roots)?;
        while post.advance(semiring, STEPS)? == Progress::Paused {
            meter.check()?;
        }
        let saturated = post.saturated().expect("nothing is left to do");
        let summary = Summary::of(semiring, saturated, &mut || meter.check())?;
        Ok(Self { process, tree, post, summary, stops: None })
    }

    /// The weight of all paths that complete the word, a segment for each phase. It includes the paths of all words
    /// that share its positions. `path` is the result of [`WordTree::insert`] for the word.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    pub(crate) fn total(
        &mut self,
        semiring: &mut Matrices<S>,
        word: &LocalWord,
        path: &[Position],
    ) -> Result<S::Weight, StopReason> {
        if self.stops.is_none() {
            self.stops = Some(self.sum_up(semiring)?);
        }
        let stops = self.stops.as_ref().expect("they were summed up");
        let semiring = &mut semiring.entries;
        let mut total = semiring.zero();
        for (stop, ticks) in last_stops(word, path) {
            let mut weight = stops[stop.index()].weight;
            let phase = self.tree.depth(stop);
            for phase in phase..phase + ticks {
                let boundary = semiring.boundary(phase)?;
                weight = semiring.extend(&weight, &boundary)?;
            }
            semiring.combine_into(&mut total, &weight)?;
        }
        Ok(total)
    }

    /// For each position, the paths that stop there and complete a word.
    fn sum_up(&self, semiring: &mut Matrices<S>) -> Result<Vec<Stop<S::Weight>>, StopReason> {
        semiring.begin(&self.tree);
        let mark = semiring.mark();
        let asked = semiring.diagonal(self.tree.positions().filter(|position| self.tree.is_stop(*position)));
        let total = self.summary.total_times(semiring, &self.post, Product::CONTROL, &asked)?;
        let stops = semiring.columns(total, self.tree.positions().count())?;
        let weights = semiring.settle(mark, stops);
        let mut stops: Vec<_> = weights.into_iter().map(|weight| Stop { weight, summands: Vec::new() }).collect();
        // Where programs repeat themselves, many nodes have equal weights; one of them suffices.
        let mut known = FxHashSet::default();
        for summand in self.summary.summands(&self.post, Product::CONTROL) {
            let by_position = semiring.summands(*summand.below, *summand.top);
            semiring.entries.work_of(1 + by_position.len())?;
            for (position, below, top) in by_position {
                if self.tree.is_stop(position) && known.insert((position, below, top)) {
                    stops[position.index()].summands.push(PathSummand { below, top, ending: summand.ending });
                }
            }
        }
        Ok(stops)
    }

    /// The process that was solved.
    pub(crate) fn process(&self) -> &ReducedProcess {
        &self.process
    }

    /// Returns a path through the model that completes the word and has this element of the total, which was computed
    /// before.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn local_path(
        &self,
        semiring: &mut Matrices<S>,
        word: &LocalWord,
        path: &[Position],
        element: &S::Element,
        meter: &Meter,
    ) -> Result<Option<LocalPath>, StopReason> {
        for (stop, ticks) in last_stops(word, path) {
            let shorter = |rest: S::Element, _| semiring.entries.without_last_phase(&rest);
            let Some(rest) = (0..ticks).try_fold(element.clone(), shorter) else { continue };
            let crossing = Crossing { from: path[0], to: stop, element: rest };
            let summands = self.stops.iter().flat_map(|stops| &stops[stop.index()].summands);
            let has_element = |summand: &&PathSummand<S::Weight>| {
                semiring.entries.split(&crossing.element, &summand.below, &summand.top).is_some()
            };
            let Some(PathSummand { ending, .. }) = summands.into_iter().find(has_element) else { continue };
            let run = self.summary.run_to(semiring, &self.post, *ending, &crossing, &mut || meter.check())?;
            let Some(run) = run else { continue };
            let mut trace = Trace::default();
            // A call that returns in the position where it began lies within one phase and ends none. If it may release
            // locks of its caller, others may have to act inside of it.
            let gives_up = subruns_giving_up(&self.process, &run, &|rule| self.executed(rule));
            let folds = |callee: &Callee| {
                let Ends { from, to } = Ends::of_tag(callee.tag);
                from == to && !gives_up(callee.subrun)
            };
            let product = self.post.system().source();
            let traced = |rule, tag| Some(product.traced(self.executed(rule)?, Ends::of_tag(tag)));
            let Some(steps) = trace.read(&run, folds, traced, meter)? else { return Ok(None) };
            trace.steps = steps.into_iter().map(|(_, traced)| traced).collect();
            return expand(&self.process, &trace, word.len(), meter);
        }
        Ok(None)
    }

    /// The step of a rule.
    fn executed(&self, rule: RuleId) -> Option<Executed> {
        let system = self.post.system();
        let (control, symbol) = system.left(rule);
        let first = system.rules_of(control, symbol).next()?;
        system.source().executed(FlowNode::new(symbol.index()), rule.index() - first.index())
    }
}

/// The positions where a path may stop that completes a word: at the end, if the process takes the last transition
/// itself; otherwise in any phase after its own last one. Each comes with the number of phases that remain.
fn last_stops<'a>(word: &LocalWord, path: &'a [Position]) -> impl Iterator<Item = (Position, usize)> + use<'a> {
    let own_phases = word.own_phases();
    let stops = if own_phases == word.len() { own_phases..path.len() } else { own_phases..word.len() };
    let last = stops.end - 1;
    stops.map(move |place| (path[place], last - place))
}
