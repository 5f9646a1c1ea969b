//! The forests of a query, one after the other. The documentation of the folder says why these suffice.

use super::forest::{Forest, Participant, Start};
use super::partitions::Partitions;
use super::solo::Restraint;
use super::unaided_starts::{MOST_STARTS, Multiset, UnaidedStarts};
use crate::query::max_instances;
use eml::model::ProcessId;
use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of a tree.
type TreeId = usize;

/// Initial processes with the trees whose roots they spawn.
type Available = Vec<(ProcessId, Vec<TreeId>)>;

/// A participant with its starts; equal trees have equal numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Tree {
    root: Root,
    /// The started processes, each with the trees of the spawned participants; sorted.
    starts: Vec<(ProcessId, Vec<TreeId>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Root {
    Thread(usize),
    Spawner(ProcessId),
}

/// All forests of a query, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Forests<'m> {
    unaided: Arc<UnaidedStarts<'m>>,
    threads: Vec<ProcessId>,
    early: Restraint,
    quick: Restraint,
    trees: IndexSet<Tree, FxBuildHasher>,
    /// Sets of trees that contain all threads, sorted, not examined yet.
    waiting: VecDeque<Vec<TreeId>>,
    seen: FxHashSet<Vec<TreeId>>,
    given: FxHashSet<Vec<TreeId>>,
}

impl<'m> Forests<'m> {
    /// The forests for these processes as threads, with the restraints of early and of quick spawners.
    pub(crate) fn new(
        unaided: Arc<UnaidedStarts<'m>>,
        threads: &[ProcessId],
        early: Restraint,
        quick: Restraint,
    ) -> Self {
        let mut forests = Self {
            unaided,
            threads: threads.to_vec(),
            early,
            quick,
            trees: IndexSet::default(),
            waiting: VecDeque::new(),
            seen: FxHashSet::default(),
            given: FxHashSet::default(),
        };
        forests.share(threads);
        forests.begin();
        forests
    }

    /// Makes the locks of these processes shared.
    fn share(&mut self, processes: &[ProcessId]) {
        let avoided = &mut self.quick.avoided;
        processes.iter().for_each(|process| avoided.extend(self.unaided.graph().locks(*process)));
        avoided.sort_unstable();
        avoided.dedup();
    }

    /// Begins with all threads as roots, none of which starts another one.
    fn begin(&mut self) {
        let threads = (0..self.threads.len()).map(|thread| Tree { root: Root::Thread(thread), starts: Vec::new() });
        let threads: Vec<_> = threads.collect();
        let roots = threads.into_iter().map(|tree| self.trees.insert_full(tree).0).collect();
        self.waiting = VecDeque::from([roots]);
        self.seen.clear();
    }

    /// The next forest; none if there are no more.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn next(&mut self, meter: &Meter) -> Result<Option<Forest>, StopReason> {
        while let Some(roots) = self.waiting.pop_front() {
            meter.work_of(1 + roots.len())?;
            if !self.seen.insert(roots.clone()) {
                continue;
            }
            let available = self.available(&roots, &self.early, meter)?;
            let is_bare = roots.len() == self.threads.len()
                && roots.iter().all(|tree| {
                    matches!(self.trees[*tree].root, Root::Thread(_)) && self.trees[*tree].starts.is_empty()
                });
            if available.is_some() && is_bare {
                self.waiting.clear();
            } else if !self.is_hopeless(&roots, meter)? && self.extend(&roots, meter)? {
                self.begin();
                continue;
            }
            if let Some(available) = available
                && !self.has_early_root(&roots, meter)?
                && self.given.insert(roots.clone())
            {
                return Ok(Some(self.forest(available)));
            }
        }
        Ok(None)
    }

    fn process(&self, tree: TreeId) -> ProcessId {
        match self.trees[tree].root {
            Root::Thread(thread) => self.threads[thread],
            Root::Spawner(process) => process,
        }
    }

    fn processes(&self, trees: &[TreeId]) -> Multiset {
        let mut processes: Multiset = trees.iter().map(|tree| self.process(*tree)).collect();
        processes.sort_unstable();
        processes
    }

    /// Whether a spawner among the roots is early, so that it need not participate.
    fn has_early_root(&self, roots: &[TreeId], meter: &Meter) -> Result<bool, StopReason> {
        for tree in roots {
            let Tree { root: Root::Spawner(process), starts } = &self.trees[*tree] else { continue };
            let starts: Vec<_> = starts.iter().map(|(started, _)| vec![*started]).collect();
            if self.unaided.can_start(*process, &starts, &self.early, meter)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Initial processes that make these roots available, each with the roots that it spawns; none if there are too few
    /// instances.
    fn available(
        &self,
        roots: &[TreeId],
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<Option<Available>, StopReason> {
        let model = self.unaided.model();
        let (created, initial): (Vec<TreeId>, Vec<TreeId>) =
            roots.iter().partition(|tree| model.process(self.process(**tree)).is_started());
        let mut available: Vec<_> = initial.iter().map(|tree| (self.process(*tree), vec![*tree])).collect();
        let mut left = Left::new(self.unaided.clone());
        if !available.iter().all(|(process, _)| left.take(*process)) {
            return Ok(None);
        }
        for blocks in Partitions::coarsest_first(created.len()) {
            let blocks: Vec<Vec<TreeId>> =
                blocks.iter().map(|block| block.iter().map(|at| created[*at]).collect()).collect();
            let mut candidates = Vec::new();
            for block in &blocks {
                meter.work_of(1 + block.len())?;
                let mut spawners = self.unaided.spawners(&self.processes(block), restraint, meter)?;
                spawners.retain(|process| !model.process(*process).is_started());
                candidates.push(spawners);
            }
            if let Some(chosen) = choose(&candidates, &mut left.clone(), meter)? {
                available.extend(chosen.into_iter().zip(blocks));
                return Ok(Some(available));
            }
        }
        Ok(None)
    }

    /// Whether no forest makes these roots available: spawners without restraint could not, and no thread starts
    /// anything.
    fn is_hopeless(&self, roots: &[TreeId], meter: &Meter) -> Result<bool, StopReason> {
        let starts_nothing = |tree: &TreeId| match self.trees[*tree].root {
            Root::Thread(thread) => self.unaided.graph().started(self.threads[thread]).is_empty(),
            Root::Spawner(_) => true,
        };
        Ok(roots.len() <= MOST_STARTS
            && roots.iter().all(starts_nothing)
            && self.available(roots, &Restraint::nothing(), meter)?.is_none())
    }

    /// Puts one participant above some of the roots, in every way without quick spawners and repetition. Stops and
    /// returns `true` if that makes more locks shared.
    fn extend(&mut self, roots: &[TreeId], meter: &Meter) -> Result<bool, StopReason> {
        let unaided = self.unaided.clone();
        let (graph, model) = (unaided.graph(), unaided.model());
        let created: Vec<_> =
            roots.iter().copied().filter(|tree| model.process(self.process(*tree)).is_started()).collect();
        for block in subsets(&created) {
            meter.work_of(1 + block.len())?;
            let spawners = unaided.spawners(&self.processes(&block), &self.quick, meter)?;
            for started in spawners {
                for thread in roots.iter().copied().filter(|tree| !block.contains(tree)) {
                    let Tree { root: root @ Root::Thread(_), starts } = self.trees[thread].clone() else { continue };
                    if graph.started(self.process(thread)).binary_search(&started).is_ok() {
                        let starts = starts.into_iter().chain([(started, block.clone())]).collect();
                        self.put(roots, &block, Some(thread), Tree { root, starts });
                    }
                }
            }
        }
        for process in graph.processes().filter(|process| !graph.started(*process).is_empty()) {
            for children in subsets(&created) {
                for blocks in Partitions::coarsest_first(children.len()) {
                    let blocks: Vec<Vec<TreeId>> =
                        blocks.iter().map(|block| block.iter().map(|at| children[*at]).collect()).collect();
                    if self.add_spawner(roots, process, &blocks, meter)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Puts a spawner of this process above these blocks of roots, with one start for each. Stops and returns `true` if
    /// that makes more locks shared.
    fn add_spawner(
        &mut self,
        roots: &[TreeId],
        process: ProcessId,
        blocks: &[Vec<TreeId>],
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        let unaided = self.unaided.clone();
        let graph = unaided.graph();
        let present = roots.iter().filter(|tree| self.process(**tree) == process).count();
        let is_started = graph.model().process(process).is_started();
        if !is_started && max_instances(graph.model(), process).is_some_and(|most| present >= most) {
            return Ok(false);
        }
        let children: Vec<_> = blocks.iter().flatten().copied().collect();
        let mut choices: Vec<Vec<ProcessId>> = vec![Vec::new()];
        for block in blocks {
            let spawnings = unaided.spawnings(&self.processes(block), &self.quick, meter)?;
            let spawns = |started: &ProcessId| spawnings[started.index()].is_some();
            let spawners: Vec<_> = graph.started(process).iter().copied().filter(spawns).collect();
            let longer = choices.iter().flat_map(|front| {
                spawners.iter().map(move |started| front.iter().copied().chain([*started]).collect())
            });
            choices = longer.collect();
        }
        for started in choices {
            meter.work_of(1 + started.len())?;
            let repeats = blocks.len() == 1 && (started[0] == process || self.leads_to(&blocks[0], process));
            let asked: Vec<_> = started.iter().map(|one| vec![*one]).collect();
            if repeats || unaided.can_start(process, &asked, &self.quick, meter)? {
                continue;
            }
            if started.len() <= MOST_STARTS && !unaided.can_start(process, &asked, &Restraint::nothing(), meter)? {
                continue;
            }
            let before = self.quick.avoided.len();
            self.share(&[process]);
            if self.quick.avoided.len() > before {
                return Ok(true);
            }
            let starts = started.into_iter().zip(blocks.iter().cloned()).collect();
            self.put(roots, &children, None, Tree { root: Root::Spawner(process), starts });
        }
        Ok(false)
    }

    /// Whether the block is a single tree that leads to this process through spawners with one start for one
    /// participant each.
    fn leads_to(&self, block: &[TreeId], process: ProcessId) -> bool {
        let mut block = block;
        while let [only] = block {
            let Tree { root, starts } = &self.trees[*only];
            if self.process(*only) == process {
                return true;
            }
            let (Root::Spawner(_), [(_, next)]) = (root, &starts[..]) else { return false };
            block = next;
        }
        false
    }

    /// Enqueues the roots with a new tree in place of some.
    fn put(&mut self, roots: &[TreeId], children: &[TreeId], replaced: Option<TreeId>, mut tree: Tree) {
        tree.starts.sort_unstable();
        let is_new = |tree: &TreeId| !children.contains(tree) && Some(*tree) != replaced;
        let mut next: Vec<_> = roots.iter().copied().filter(is_new).collect();
        next.push(self.trees.insert_full(tree).0);
        next.sort_unstable();
        if !self.seen.contains(&next) {
            self.waiting.push_back(next);
        }
    }

    /// Builds the forest of some trees.
    fn forest(&self, available: Available) -> Forest {
        let of_threads = self.threads.iter().map(|process| Participant { process: *process, start: None });
        let mut participants: Vec<_> = of_threads.collect();
        let mut starts: Vec<Start> = Vec::new();
        let mut places: FxHashMap<TreeId, usize> = FxHashMap::default();
        let roots: Vec<_> = available.iter().flat_map(|(_, trees)| trees.clone()).collect();
        let mut waiting: Vec<(TreeId, Option<usize>)> = roots.iter().map(|root| (*root, None)).collect();
        while let Some((tree, start)) = waiting.pop() {
            let place = match self.trees[tree].root {
                Root::Thread(thread) => thread,
                Root::Spawner(process) => {
                    participants.push(Participant { process, start });
                    participants.len() - 1
                }
            };
            participants[place].start = start;
            places.insert(tree, place);
            if let Some(start) = start {
                starts[start].spawned.push(place);
            }
            for (process, trees) in &self.trees[tree].starts {
                waiting.extend(trees.iter().map(|tree| (*tree, Some(starts.len()))));
                starts.push(Start { spawner: place, process: *process, spawned: Vec::new() });
            }
        }
        let available = available.into_iter().map(|(process, trees)| {
            let spawned = trees.iter().map(|tree| places[tree]).collect();
            (process, spawned)
        });
        let (early, quick) = (self.early.clone(), self.quick.clone());
        Forest { participants, starts, available: available.collect(), early, quick }
    }
}

/// The number of initial instances of each process that are left.
#[derive(Clone)]
struct Left<'m> {
    unaided: Arc<UnaidedStarts<'m>>,
    taken: FxHashMap<ProcessId, usize>,
}

impl<'m> Left<'m> {
    fn new(unaided: Arc<UnaidedStarts<'m>>) -> Self {
        Self { unaided, taken: FxHashMap::default() }
    }

    /// Takes one instance, if one is left.
    fn take(&mut self, process: ProcessId) -> bool {
        let taken = self.taken.entry(process).or_default();
        let is_left = max_instances(self.unaided.model(), process).is_none_or(|most| *taken < most);
        *taken += usize::from(is_left);
        is_left
    }

    fn give_back(&mut self, process: ProcessId) {
        *self.taken.entry(process).or_default() -= 1;
    }
}

/// Chooses one initial process from each list, within the numbers of instances; none if that is not possible.
fn choose(
    candidates: &[Vec<ProcessId>],
    left: &mut Left<'_>,
    meter: &Meter,
) -> Result<Option<Vec<ProcessId>>, StopReason> {
    // For each list that was chosen from, the index after the chosen process.
    let mut tried = vec![0];
    while let Some(place) = tried.last().copied() {
        meter.work_of(1)?;
        let list = tried.len() - 1;
        let Some(own) = candidates.get(list) else {
            let chosen = tried.iter().zip(candidates).map(|(tried, own)| own[tried - 1]);
            return Ok(Some(chosen.collect()));
        };
        match own[place..].iter().position(|process| left.take(*process)) {
            Some(found) => {
                tried[list] = place + found + 1;
                tried.push(0);
            }
            None => {
                tried.pop();
                if let Some(before) = tried.last() {
                    left.give_back(candidates[tried.len() - 1][before - 1]);
                }
            }
        }
    }
    Ok(None)
}

/// The nonempty subsets of some trees.
fn subsets(trees: &[TreeId]) -> impl Iterator<Item = Vec<TreeId>> + use<'_> {
    let mut chosen = FixedBitSet::with_capacity(trees.len());
    std::iter::from_fn(move || {
        // Advances to the next number in binary.
        let zero = chosen.zeroes().next()?;
        chosen.set_range(..zero, false);
        chosen.insert(zero);
        Some(chosen.ones().map(|at| trees[at]).collect())
    })
}
