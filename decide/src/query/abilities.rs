//! The actions that each process can do, for finding trivially safe queries.
//!
//! **Trivial queries.** An automaton accepts a run only if each of its transitions is taken, the transition of a thread
//! by a step of the instance bound to it. A step executes a node of a procedure that the process of the instance can
//! reach by calls. A node that takes a transition is of its kind: a read or write of the location, the beginning or end
//! of a unit, the acquisition (or the resumption) of the wanted lock. An access inside a unit also needs a node that
//! begins the unit, and a held lock a node that acquires it. So if a process reaches no such node for one of the
//! transitions of its thread, no run is accepted: the query is *trivial*, and safe. A query of several automata is
//! trivial if it is so for each of them.
//!
//! Reachability by calls over-approximates the executed nodes, so no query that can be violated is trivial.

use eml::model::{LocationId, LockId, Mode, Model, NodeId, Operation, ProcessId};
use phases::{Access, Action, ActionKind, Automaton, LockUse};
use std::collections::BTreeMap;

/// For each kind of action, the processes that reach a node that does it, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Abilities {
    processes: Vec<ProcessId>,
    readers: Vec<Vec<ProcessId>>,
    writers: Vec<Vec<ProcessId>>,
    beginners: Vec<ProcessId>,
    enders: Vec<ProcessId>,
    acquirers: BTreeMap<(LockId, Mode), Vec<ProcessId>>,
    resumers: BTreeMap<LockId, Vec<ProcessId>>,
}

/// The bindings of the parameters of an automaton.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    pub(super) locations: &'a [LocationId],
    pub(super) locks: &'a [LockId],
}

impl Abilities {
    /// Computes the abilities. Linear, for each process, in the size of the procedures that it reaches.
    pub(super) fn new(model: &Model) -> Self {
        let count = model.locations().len();
        let mut abilities =
            Self { readers: vec![Vec::new(); count], writers: vec![Vec::new(); count], ..Self::default() };
        for process in (0..model.processes().len()).map(ProcessId::new) {
            abilities.processes.push(process);
            for procedure in model.call_graph().reachable([model.process(process).body()]) {
                model.procedure(procedure).nodes().for_each(|node| abilities.add(model, process, node));
            }
        }
        abilities
    }

    fn add(&mut self, model: &Model, process: ProcessId, node: NodeId) {
        let list = match model.node(node).operation {
            Operation::Read(location) => &mut self.readers[location.index()],
            Operation::Write(location) => &mut self.writers[location.index()],
            Operation::Begin => &mut self.beginners,
            Operation::End => &mut self.enders,
            Operation::Acquire(lock, mode) => self.acquirers.entry((lock, mode)).or_default(),
            Operation::Resume(lock) => self.resumers.entry(lock).or_default(),
            Operation::Skip
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Call(_)
            | Operation::Start(_)
            | Operation::Return => return,
        };
        // Processes come in order, so the present one can only be the last.
        if list.last() != Some(&process) {
            list.push(process);
        }
    }

    /// The processes that can write a location.
    pub(super) fn writers(&self, location: LocationId) -> &[ProcessId] {
        &self.writers[location.index()]
    }

    fn accessors(&self, access: Access, location: LocationId) -> &[ProcessId] {
        match access {
            Access::Read => &self.readers[location.index()],
            Access::Write => &self.writers[location.index()],
        }
    }

    fn acquires(&self, process: ProcessId, lock: LockId, mode: Option<Mode>) -> bool {
        let in_mode = |own| {
            let acquirers = self.acquirers.get(&(lock, own));
            mode.is_none_or(|mode| mode == own) && acquirers.is_some_and(|all| all.binary_search(&process).is_ok())
        };
        in_mode(Mode::Read) || in_mode(Mode::Write)
    }

    /// Whether a process can do an action.
    fn can(&self, process: ProcessId, action: &Action, bound: Bound<'_>) -> bool {
        let is_among = |processes: &[ProcessId]| processes.binary_search(&process).is_ok();
        match action {
            ActionKind::Access { access, location, in_unit } => {
                is_among(self.accessors(*access, bound.locations[location.index()]))
                    && (!in_unit || is_among(&self.beginners))
            }
            ActionKind::Begin => is_among(&self.beginners),
            ActionKind::End => is_among(&self.enders),
            ActionKind::Wants { wanted, holding } => {
                let LockUse { lock, mode } = wanted.map(|parameter| bound.locks[parameter.index()]);
                let resumes = || {
                    mode.is_none_or(|mode| mode == Mode::Write)
                        && self.resumers.get(&lock).is_some_and(|all| is_among(all))
                };
                let holds = |held: LockUse| self.acquires(process, bound.locks[held.lock.index()], held.mode);
                (self.acquires(process, lock, mode) || resumes()) && holding.is_none_or(holds)
            }
        }
    }

    /// The processes that can do all of these actions, in order.
    pub(super) fn able(&self, needs: &[Action], bound: Bound<'_>) -> Vec<ProcessId> {
        let accessors = needs.iter().find_map(|action| match action {
            ActionKind::Access { access, location, .. } => {
                Some(self.accessors(*access, bound.locations[location.index()]))
            }
            ActionKind::Begin | ActionKind::End | ActionKind::Wants { .. } => None,
        });
        let first = accessors.unwrap_or(&self.processes);
        first.iter().copied().filter(|process| self.are_met_by(*process, needs, bound)).collect()
    }

    /// Whether a process can do all of these actions.
    pub(super) fn are_met_by(&self, process: ProcessId, needs: &[Action], bound: Bound<'_>) -> bool {
        needs.iter().all(|action| self.can(process, action, bound))
    }
}

/// For each thread of an automaton the actions of its transitions, each once.
pub(super) fn needs(automaton: &Automaton) -> Vec<Vec<Action>> {
    let mut needs: Vec<Vec<Action>> = vec![Vec::new(); automaton.threads().len()];
    for phase in automaton.phases() {
        let own = &mut needs[phase.event.thread.index()];
        if !own.contains(&phase.event.action) {
            own.push(phase.event.action);
        }
    }
    needs
}
