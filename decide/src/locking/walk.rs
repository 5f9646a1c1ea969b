//! The nodes that a process can reach alone, with the locks that it may hold there.
//!
//! A *clone* is a procedure with the lock states at its entry. All clones are explored, from the body of the process
//! with no lock held. A node leads to its successors, a call to the clone of its callee and, once that returns, to the
//! return site. A node that blocks for ever leads nowhere: an acquisition in write mode of a lock that is held in read
//! mode only, or a wait for a lock that is not held. The locks at a node are determined by the clone and by the locks
//! that its procedure has opened, so this is exact.
//!
//! There can be exponentially many clones. When the exploration becomes too long, it begins again with a single clone
//! for each procedure. The lock states of this clone are the union over all calls, for each lock separately. Then
//! nothing is missed, but some combinations are found that do not occur.

use super::held_locks::{HeldLocks, PossibleModes};
use super::mode_pairs::ModePairs;
use eml::model::{InstanceBound, LocationId, LockId, Mode, Model, NodeId, Operation, ProcedureId, ProcessId};
use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use limits::{Meter, StopReason};
use phases::Access;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};

/// The number of exploration steps before it begins again with one clone for each procedure; some more for each node.
const STEPS: usize = 50_000;
const STEPS_FOR_A_NODE: usize = 16;

/// The facts to compute. The order alone can have as many pairs as there are pairs of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// [`Facts::wants`].
    Order,
    /// [`Facts::accesses`].
    Accesses,
    /// [`Facts::upgrades`] and [`Facts::waits`].
    Forever,
}

/// Facts about the locks of a process; only those of the topic are computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Possible modes for each (held, wanted) pair of locks.
    pub(crate) wants: BTreeMap<(LockId, LockId), ModePairs>,
    /// For each access to a location, the locks that are surely held every time, with the weakest modes.
    pub(crate) accesses: BTreeMap<(LocationId, Access), BTreeMap<LockId, Mode>>,
    /// Nodes that acquire a lock in write mode that may be held in read mode.
    pub(crate) upgrades: BTreeSet<NodeId>,
    /// Reachable waits, and whether their lock may be held.
    pub(crate) waits: BTreeMap<NodeId, bool>,
    /// Whether the possible combinations of held locks are exact.
    pub(crate) is_exact: bool,
}

/// Computes the facts of a process. Linear in the size of the explored part, which is bounded by a multiple of the size
/// of the process's procedures, times the number of its locks.
///
/// # Errors
/// If a limit is reached.
pub(super) fn walk(model: &Model, process: ProcessId, topic: Topic, meter: &Meter) -> Result<Facts, StopReason> {
    let body = model.process(process).body();
    let reached = model.call_graph().reachable([body]);
    let nodes: usize = reached.iter().map(|procedure| model.procedure(*procedure).nodes().len()).sum();
    walk_within(model, body, topic, STEPS + STEPS_FOR_A_NODE * nodes, meter)
}

/// The facts of all processes that can run, in order.
pub(super) fn walk_all<'a>(
    model: &'a Model,
    topic: Topic,
    meter: &'a Meter,
) -> impl Iterator<Item = Result<(ProcessId, Facts), StopReason>> + 'a {
    let processes = (0..model.processes().len()).map(ProcessId::new);
    let can_run = processes.filter(|process| model.instance_bound(*process) != InstanceBound::Zero);
    can_run.map(move |process| Ok((process, walk(model, process, topic, meter)?)))
}

fn walk_within(
    model: &Model,
    body: ProcedureId,
    topic: Topic,
    steps: usize,
    meter: &Meter,
) -> Result<Facts, StopReason> {
    let mut exact = Walk::new(model, body, true);
    if exact.explore(steps, meter)? {
        return exact.facts(topic, meter);
    }
    let mut rough = Walk::new(model, body, false);
    rough.explore(usize::MAX, meter)?;
    rough.facts(topic, meter)
}

/// A procedure and the locks at its entry; in a rough walk the clone has the locks instead.
type Key = (ProcedureId, Option<HeldLocks>);

#[derive(Debug)]
struct CloneState {
    held: HeldLocks,
    /// The reached nodes of the procedure, by their index in it.
    reached: FixedBitSet,
    returns: bool,
    /// The calls of it: the clone and the node of each.
    calls: Vec<(usize, NodeId)>,
}

struct Walk<'m> {
    model: &'m Model,
    is_exact: bool,
    clones: IndexMap<Key, CloneState, FxBuildHasher>,
    /// Reached nodes that are not executed yet.
    open: Vec<(usize, NodeId)>,
}

impl<'m> Walk<'m> {
    fn new(model: &'m Model, body: ProcedureId, is_exact: bool) -> Self {
        let mut walk = Self { model, is_exact, clones: IndexMap::default(), open: Vec::new() };
        walk.enter(body, HeldLocks::default());
        walk
    }

    /// Explores until no node is open. Returns `false` if that takes more than `steps` steps.
    fn explore(&mut self, steps: usize, meter: &Meter) -> Result<bool, StopReason> {
        let mut taken = 0;
        while let Some((clone, node)) = self.open.pop() {
            let work = 1 + self.clones[clone].held.len() / 8;
            meter.work_of(work)?;
            taken += work;
            if taken > steps {
                return Ok(false);
            }
            self.execute(clone, node, meter)?;
        }
        Ok(true)
    }

    fn execute(&mut self, clone: usize, node: NodeId, meter: &Meter) -> Result<(), StopReason> {
        match self.model.node(node).operation {
            Operation::Call(callee) => {
                let Some(held) = self.held(clone, node, meter)? else { return Ok(()) };
                let entered = self.enter(callee, held);
                let state = &mut self.clones[entered];
                if !state.calls.contains(&(clone, node)) {
                    state.calls.push((clone, node));
                }
                if state.returns {
                    self.go_on(clone, node);
                }
            }
            Operation::Return => {
                let state = &mut self.clones[clone];
                if !std::mem::replace(&mut state.returns, true) {
                    for (caller, call) in state.calls.clone() {
                        self.go_on(caller, call);
                    }
                }
            }
            Operation::Acquire(lock, Mode::Write) => {
                let is_possible = |held: HeldLocks| {
                    let modes = held.of(lock);
                    modes.may_be_free() || modes.may_be(Mode::Write)
                };
                if self.held(clone, node, meter)?.is_some_and(is_possible) {
                    self.go_on(clone, node);
                }
            }
            Operation::Wait(lock) => {
                if self.held(clone, node, meter)?.is_some_and(|held| held.of(lock).may_be(Mode::Write)) {
                    self.go_on(clone, node);
                }
            }
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(_, Mode::Read)
            | Operation::Release(..)
            | Operation::Resume(_)
            | Operation::Begin
            | Operation::End
            | Operation::Start(_) => self.go_on(clone, node),
        }
        Ok(())
    }

    /// The lock states right before a node of a clone.
    fn held(&self, clone: usize, node: NodeId, meter: &Meter) -> Result<Option<HeldLocks>, StopReason> {
        let held = self.clones[clone].held.at(self.model, node);
        meter.work_of(held.as_ref().map_or(1, HeldLocks::len))?;
        Ok(held)
    }

    /// Reaches the successors of a node.
    fn go_on(&mut self, clone: usize, node: NodeId) {
        for next in self.model.successors(node) {
            self.reach(clone, *next);
        }
    }

    fn reach(&mut self, clone: usize, node: NodeId) {
        let first = self.first_node(clone);
        if !self.clones[clone].reached.put(node.index() - first) {
            self.open.push((clone, node));
        }
    }

    fn procedure(&self, clone: usize) -> ProcedureId {
        self.clones.get_index(clone).expect("the clone is there").0.0
    }

    fn first_node(&self, clone: usize) -> usize {
        let mut nodes = self.model.procedure(self.procedure(clone)).nodes();
        nodes.next().map_or(0, NodeId::index)
    }

    /// The clone of a procedure that is called with these locks.
    fn enter(&mut self, procedure: ProcedureId, held: HeldLocks) -> usize {
        let key = (procedure, self.is_exact.then(|| held.clone()));
        let declared = self.model.procedure(procedure);
        if let Some(clone) = self.clones.get_index_of(&key) {
            let state = &mut self.clones[clone];
            if !self.is_exact && state.held.join(&held) {
                // With more lock states, more nodes may be reached: the clone is explored again.
                state.reached.clear();
                self.reach(clone, declared.entry());
            }
            return clone;
        }
        let reached = FixedBitSet::with_capacity(declared.nodes().len());
        let (clone, _) = self.clones.insert_full(key, CloneState { held, reached, returns: false, calls: Vec::new() });
        self.reach(clone, declared.entry());
        clone
    }

    /// Collects the facts at the reached nodes.
    fn facts(&self, topic: Topic, meter: &Meter) -> Result<Facts, StopReason> {
        let mut facts = Facts { is_exact: self.is_exact, ..Facts::default() };
        for (clone, state) in self.clones.values().enumerate() {
            let first = self.first_node(clone);
            for node in state.reached.ones().map(|place| NodeId::new(first + place)) {
                meter.work_of(1)?;
                let Some(observation) = Observation::of(self.model.node(node).operation, topic) else { continue };
                if let Some(held) = self.held(clone, node, meter)? {
                    meter.work_of(held.len())?;
                    facts.add(node, observation, &held);
                }
            }
        }
        Ok(facts)
    }
}

/// An operation whose facts depend on the locks held before it.
#[derive(Clone, Copy)]
enum Observation {
    Access(LocationId, Access),
    Acquire(LockId, Mode),
    Resume(LockId),
    Upgrade(LockId),
    Wait(LockId),
}

impl Observation {
    /// None, if the operation contributes nothing to the topic.
    fn of(operation: Operation, topic: Topic) -> Option<Self> {
        match (operation, topic) {
            (Operation::Read(location), Topic::Accesses) => Some(Self::Access(location, Access::Read)),
            (Operation::Write(location), Topic::Accesses) => Some(Self::Access(location, Access::Write)),
            (Operation::Acquire(lock, mode), Topic::Order) => Some(Self::Acquire(lock, mode)),
            (Operation::Resume(lock), Topic::Order) => Some(Self::Resume(lock)),
            (Operation::Acquire(lock, Mode::Write), Topic::Forever) => Some(Self::Upgrade(lock)),
            (Operation::Wait(lock), Topic::Forever) => Some(Self::Wait(lock)),
            (
                Operation::Read(_)
                | Operation::Write(_)
                | Operation::Acquire(..)
                | Operation::Resume(_)
                | Operation::Wait(_)
                | Operation::Skip
                | Operation::Release(..)
                | Operation::Begin
                | Operation::End
                | Operation::Call(_)
                | Operation::Start(_)
                | Operation::Return,
                _,
            ) => None,
        }
    }
}

impl Facts {
    /// Adds the facts of a node that is reached with these locks.
    fn add(&mut self, node: NodeId, observation: Observation, held: &HeldLocks) {
        match observation {
            Observation::Access(location, access) => self.add_access(location, access, held),
            Observation::Acquire(lock, mode) => {
                if held.of(lock).may_be_free() {
                    self.add_wants(lock, mode, held);
                }
            }
            Observation::Upgrade(lock) => {
                if held.of(lock).may_be(Mode::Read) {
                    self.upgrades.insert(node);
                }
            }
            Observation::Resume(lock) => self.add_wants(lock, Mode::Write, held),
            Observation::Wait(lock) => {
                *self.waits.entry(node).or_default() |= held.of(lock).may_be(Mode::Write);
            }
        }
    }

    fn add_wants(&mut self, wanted: LockId, mode: Mode, held: &HeldLocks) {
        for (lock, modes) in held.locks().filter(|(lock, _)| *lock != wanted) {
            for holding in [Mode::Read, Mode::Write].into_iter().filter(|holding| modes.may_be(*holding)) {
                self.wants.entry((lock, wanted)).or_default().add(holding, mode);
            }
        }
    }

    fn add_access(&mut self, location: LocationId, access: Access, held: &HeldLocks) {
        let surely = |(lock, modes): (LockId, PossibleModes)| Some((lock, modes.surely()?));
        match self.accesses.entry((location, access)) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(held.locks().filter_map(surely).collect());
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                place.get_mut().retain(|lock, mode| match held.of(*lock).surely() {
                    None => false,
                    Some(other) => {
                        *mode = (*mode).min(other);
                        true
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limits::Limits;

    fn model(text: &str) -> Model {
        eml::model::from_text("m.eml", text).unwrap_or_else(|error| panic!("{error}")).model
    }

    /// The pairs of the first process, as "ab" for a held and b wanted, in an exact and in a rough walk.
    fn pairs(text: &str) -> [Vec<String>; 2] {
        let model = model(text);
        [STEPS, 0].map(|steps| {
            let meter = Meter::start(&Limits::default());
            let facts = walk_within(&model, model.processes()[0].body(), Topic::Order, steps, &meter)
                .expect("there are no limits");
            assert_eq!(facts.is_exact, steps > 0);
            let name = |lock: &LockId| model.lock(*lock).name();
            facts.wants.keys().map(|(held, wanted)| format!("{}{}", name(held), name(wanted))).collect()
        })
    }

    #[test]
    fn pairs_go_over_calls() {
        let text = "lock a, b, c; fn f() { sync b { call g; } } fn g() { sync c { } sync a { } }
            process P { sync a { call f; } call g; }";
        assert_eq!(pairs(text)[0], ["ab", "ac", "bc"]);
        assert_eq!(pairs(text)[1], ["ab", "ac", "ba", "bc"]);
    }

    #[test]
    fn exact_walks_keep_calls_apart() {
        // b is free only where a is held, c only where it is not.
        let text = "lock a, b, c; fn f() { sync b { } sync c { } }
            process P { sync a { sync c { call f; } } sync b { call f; } }";
        let [exact, rough] = pairs(text);
        assert_eq!(exact, ["ab", "ac", "bc", "cb"]);
        assert_eq!(rough, ["ab", "ac", "bc", "cb"]);
        let text = "lock a, b; fn f() { sync b { } } process P { sync a { sync b { call f; } } call f; }";
        assert_eq!(pairs(text)[0], ["ab"]);
        let text = "lock a, b; fn f() { sync b { } } process P { sync b { sync a { call f; } } call f; }";
        let [exact, rough] = pairs(text);
        assert_eq!((exact, rough), (vec!["ba".to_string()], vec!["ab".to_string(), "ba".to_string()]));
    }

    #[test]
    fn blocking_nodes_lead_nowhere() {
        let nothing = |body: &str| {
            pairs(&format!("lock a, b; rwlock r; fn never() {{ l: goto l; }} process P {{ {body} }}"))[0].is_empty()
        };
        assert!(nothing("call never; sync a { sync b { } }"));
        assert!(nothing("sync read r { sync write r { } } sync a { sync b { } }"));
        assert!(nothing("wait a; sync a { sync b { } }"));
        assert!(!nothing("sync write r { sync read r { } } sync a { sync b { } }"));
        assert!(!nothing("sync a { wait a; } sync a { sync b { } }"));
        assert!(!nothing("loop { call never; } sync a { sync b { } }"));
    }

    #[test]
    fn waiting_wants_the_lock_back() {
        assert_eq!(pairs("lock a, b; process P { sync a { sync b { wait a; } } }")[0], ["ab", "ba"]);
        assert_eq!(pairs("lock a, b; process P { sync a { sync b { wait b; } } }")[0], ["ab"]);
    }

    #[test]
    fn recursion_ends() {
        let text = "lock a, b; fn f() { sync a { choose { call f; } or { sync b { call f; } } } }
            fn g() { choose { call g; } or { } } process P { call g; call f; }";
        assert_eq!(pairs(text)[0], ["ab"]);
        assert_eq!(pairs(text)[1], ["ab", "ba"]);
    }

    /// Exponentially many clones are too many.
    #[test]
    fn many_combinations_are_joined() {
        let locks: Vec<_> = (0..40).map(|number| format!("l{number}")).collect();
        let mut text = format!("lock {}; fn f40() {{ }}", locks.join(", "));
        for number in 0..40 {
            let next = number + 1;
            text +=
                &format!("fn f{number}() {{ choose {{ sync l{number} {{ call f{next}; }} }} or {{ call f{next}; }} }}");
        }
        let model = model(&(text + "process P { call f0; }"));
        let facts = walk(&model, ProcessId::new(0), Topic::Order, &Meter::start(&Limits::default()))
            .expect("there are no limits");
        assert!(!facts.is_exact);
        assert_eq!(facts.wants.len(), 40 * 39 / 2);
    }
}
