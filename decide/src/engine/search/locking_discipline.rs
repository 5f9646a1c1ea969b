//! A locking discipline that is first assumed and then checked on the reduced system.
//!
//! Without data, accesses share the automaton. So an *object* is a class of effects that are connected by not passing
//! each other. The discipline (LD-lock of Stoller, 000, section 3.4) says that each object has a lock that every thread
//! holds whenever it executes one of the object's effects. An access that follows the discipline is invisible: every
//! access that it does not pass needs the lock that its thread holds.
//!
//! [`visibility`](super::visibility) can conclude this from the graph alone (`protected`). Here it is assumed for every
//! object, and the search runs on the system reduced by it. The lockset algorithm intersects the locks held at all
//! accesses that a thread executes or is about to execute. If no lock is left for an object, the discipline is
//! violated, and the search starts again with visible accesses to this object. If every object keeps a lock, the
//! discipline holds in the whole system: Theorem 19 of Stoller and Cohen (003, section 3) with the exclusive access
//! predicate "thread i holds lock m", for any remaining lock m, says that a violation in the whole system would have
//! been found in the reduced one (000, section 7, has the same for LD', Theorems 8 and 9).
//!
//! Its conditions, in the numbers of 003: invisible steps end (11), by the ends of
//! [`composed_transitions`](super::composed_transitions). No thread enables or disables an invisible step of another
//! thread (12, 13), as a step is invisible only if no phase in question forbids it and it waits for no lock. Invisible
//! steps move to the left unless the discipline is violated (14, 15), as above. Visible and invisible steps of a thread
//! are not possible at once, and an invisible local state has a possible step (16, 17), by definition. A violation is
//! not hidden (18): locks are only removed from the sets, and a thread stays about to do a step as long as it does not
//! move itself. A step counts even if it is not possible: an access assumed to be invisible may lead the automaton to a
//! phase that forbids the access that violates the discipline.
//!
//! Since the theorem is about all executions, the reductions that keep every local state reachable stay on. Those that
//! preserve only acceptance are off: persistent sets that follow the automaton, dead ends, idle threads.
//!
//! Initialization without a lock, which LD and LD' allow, is not allowed here: no thread is designated for it
//! (`initThread` is defined nowhere, which Theorem 8 allows). LD-RO needs no rule, since reads that pass each other
//! form no object. Only locks held in write mode count.

use super::effects::EffectId;
use super::future_operations::FutureOperations;
use super::local_states::{LocalId, LocalStates};
use eml::model::{LockId, Mode};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

/// A class of effects that are connected by not passing each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(usize);

/// The objects that are assumed to be protected, with the locks seen so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Discipline {
    objects: FxHashMap<EffectId, ObjectId>,
    /// The locks that were held at every access so far.
    candidates: FxHashMap<ObjectId, Vec<LockId>>,
    violated: FxHashSet<ObjectId>,
    /// The first object that lost its last lock, and the local state of the thread.
    new: Option<(ObjectId, LocalId)>,
}

impl Discipline {
    /// Creates the discipline; the objects in `violated` are known to violate it.
    pub(super) fn new(locals: &mut LocalStates<'_>, futures: &FutureOperations, violated: FxHashSet<ObjectId>) -> Self {
        let mut effects: Vec<_> = futures.ops().flat_map(|op| op.effects.iter().copied()).collect();
        effects.sort_unstable();
        effects.dedup();
        let mut classes = UnionFind::new(effects.len());
        let last = locals.effects.accepting();
        let mut is_shared = vec![false; effects.len()];
        for (place, own) in effects.iter().enumerate() {
            for (other_place, other) in effects.iter().enumerate() {
                if locals.effects.conflicts(*own, *other, 0, last) {
                    classes.union(place, other_place);
                    (is_shared[place], is_shared[other_place]) = (true, true);
                }
            }
        }
        let shared = effects.iter().enumerate().filter(|(place, _)| is_shared[*place]);
        let objects = shared.map(|(place, effect)| (*effect, ObjectId(classes.find(place)))).collect();
        Self { objects, violated, ..Self::default() }
    }

    /// Whether accesses with this effect are assumed to be protected.
    pub(super) fn is_assumed(&self, effect: EffectId) -> bool {
        self.objects.get(&effect).is_none_or(|object| !self.violated.contains(object))
    }

    /// Records that a thread executes a step with this effect, or is about to.
    pub(super) fn note(&mut self, locals: &LocalStates<'_>, from: LocalId, effect: EffectId) {
        let Some(object) = self.objects.get(&effect).filter(|object| !self.violated.contains(object)) else { return };
        let held = locals.held(from).iter().filter(|(_, mode)| *mode == Mode::Write).map(|(lock, _)| *lock);
        let held: Vec<_> = held.collect();
        let left = self.candidates.entry(*object).or_insert_with(|| held.clone());
        left.retain(|lock| held.contains(lock));
        if left.is_empty() {
            self.new = self.new.or(Some((*object, from)));
        }
    }

    /// Returns an object that was found to violate the discipline, and the local state of the thread.
    pub(super) fn violation(&self) -> Option<(ObjectId, LocalId)> {
        self.new
    }

    /// Returns all objects that violate the discipline.
    pub(super) fn violated(&self) -> FxHashSet<ObjectId> {
        self.violated.iter().copied().chain(self.new.map(|(object, _)| object)).collect()
    }
}
