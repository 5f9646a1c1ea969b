//! Unaided starts: the processes that lead to a given multiset of instances by runs of single processes, one after the
//! other.
//!
//! A process *spawns* a multiset of processes under a [`Restraint`] if it is the only member, or if, running alone
//! within the restraint, it can start processes each of which spawns a part. These spawners run one after the other in
//! the order of their creation, each until it has made its starts; afterwards they take part in nothing. Then the
//! spawned instances exist and have not begun.
//!
//! For one multiset this is a least fixpoint over the processes. The first ones split it and start the spawners of the
//! smaller parts. The others start one process that spawns all of it; they are found in breadth-first order. So the
//! spawners are found without listing the ways in which they can start each other.

use super::partitions::Partitions;
use super::solo::{self, OneOf, Restraint, SoloRun};
use super::start_graph::StartGraph;
use eml::model::{Model, ProcessId};
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximal number of starts by one spawner. Beyond it a spawner takes part instead, which costs work but no
/// precision (see `participants`).
pub(crate) const MOST_STARTS: usize = 12;

/// A multiset of processes; sorted.
pub(crate) type Multiset = Vec<ProcessId>;

/// How a process spawns a multiset without help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spawning {
    /// It is the only member.
    Itself,
    /// It starts, for each of these parts, one of the processes that spawn the part.
    Parts(Vec<(Multiset, OneOf)>),
}

/// The multisets that processes spawn without help. Results are kept for all queries of a model.
#[derive(Debug)]
pub(crate) struct UnaidedStarts<'m> {
    graph: StartGraph<'m>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// For a multiset, how each process spawns it.
    spawnings: FxHashMap<(Restraint, Multiset), Arc<Vec<Option<Spawning>>>>,
    /// Whether a process can make some starts alone.
    starts: FxHashMap<(Restraint, ProcessId, Vec<OneOf>), bool>,
    /// A run in which a process alone makes some starts.
    runs: FxHashMap<(Restraint, ProcessId, Vec<OneOf>), Option<Arc<SoloRun>>>,
    /// The number of steps of these runs.
    steps: usize,
}

/// The number of steps up to which runs are kept.
const MOST_STEPS: usize = 1 << 19;

impl<'m> UnaidedStarts<'m> {
    /// Begins without results. Linear in the size of the model times the number of processes.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &'m Model, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self { graph: StartGraph::new(model, meter)?, known: Mutex::default() })
    }

    pub(crate) fn graph(&self) -> &StartGraph<'m> {
        &self.graph
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.graph.model()
    }

    /// Whether it is known that a process, alone, can make these starts.
    pub(crate) fn can_start(
        &self,
        process: ProcessId,
        starts: &[OneOf],
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        let own = |any: &OneOf| {
            self.graph.started(process).iter().copied().filter(|one| any.binary_search(one).is_ok()).collect()
        };
        let mut starts: Vec<OneOf> = starts.iter().map(own).collect();
        if starts.iter().any(Vec::is_empty) || starts.len() > MOST_STARTS {
            return Ok(false);
        }
        starts.sort_unstable();
        let key = (restraint.clone(), process, starts);
        let known = self.lock().starts.get(&key).copied();
        if let Some(known) = known {
            return Ok(known);
        }
        let can = solo::can_start(self.model(), process, &key.2, restraint, meter)?;
        self.lock().starts.insert(key, can);
        Ok(can)
    }

    /// A run in which a process, alone, makes these starts; `None` if there is none. It is always the same one.
    pub(crate) fn run(
        &self,
        process: ProcessId,
        starts: Vec<OneOf>,
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<Option<Arc<SoloRun>>, StopReason> {
        let key = (restraint.clone(), process, starts);
        let known = self.lock().runs.get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let run = solo::run(self.model(), process, &key.2, restraint, meter)?.map(Arc::new);
        let mut known = self.lock();
        known.steps += 1 + run.as_ref().map_or(0, |run| run.steps.len());
        if known.steps <= MOST_STEPS {
            known.runs.insert(key, run.clone());
        }
        Ok(run)
    }

    /// For each process, how it spawns a multiset, if it does.
    pub(crate) fn spawnings(
        &self,
        wanted: &Multiset,
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<Arc<Vec<Option<Spawning>>>, StopReason> {
        let key = (restraint.clone(), wanted.clone());
        let known = self.lock().spawnings.get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let found = Arc::new(self.find_spawnings(wanted, restraint, meter)?);
        self.lock().spawnings.insert(key, found.clone());
        Ok(found)
    }

    /// The processes that spawn a multiset; sorted.
    pub(crate) fn spawners(
        &self,
        wanted: &Multiset,
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<OneOf, StopReason> {
        let found = self.spawnings(wanted, restraint, meter)?;
        Ok(self.graph.processes().filter(|process| found[process.index()].is_some()).collect())
    }

    fn find_spawnings(
        &self,
        wanted: &Multiset,
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<Vec<Option<Spawning>>, StopReason> {
        let mut found: Vec<Option<Spawning>> = vec![None; self.graph.processes().count()];
        if let [only] = wanted[..] {
            found[only.index()] = Some(Spawning::Itself);
        }
        // The smallest parts first: a single spawner of everything is the most frequent case.
        for blocks in Partitions::finest_first(wanted.len()).filter(|blocks| blocks.len() > 1) {
            let parts: Vec<Multiset> =
                blocks.iter().map(|block| block.iter().map(|at| wanted[*at]).collect()).collect();
            let mut any = Vec::new();
            for part in &parts {
                meter.work_of(1 + part.len())?;
                any.push(self.spawners(part, restraint, meter)?);
            }
            for process in self.graph.processes() {
                meter.work_of(1)?;
                if found[process.index()].is_none() && self.can_start(process, &any, restraint, meter)? {
                    let parts = parts.iter().cloned().zip(any.iter().cloned()).collect();
                    found[process.index()] = Some(Spawning::Parts(parts));
                }
            }
        }
        let mut waiting: VecDeque<_> =
            self.graph.processes().filter(|process| found[process.index()].is_some()).collect();
        while let Some(started) = waiting.pop_front() {
            for process in self.graph.starters(started) {
                if found[process.index()].is_none() && self.can_start(*process, &[vec![started]], restraint, meter)? {
                    found[process.index()] = Some(Spawning::Parts(vec![(wanted.clone(), vec![started])]));
                    waiting.push_back(*process);
                }
            }
        }
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
