//! A locking discipline that is assumed first and checked on the reduced system itself.
//!
//! Without data, what accesses share is the automaton: an *object* is a set of effects that are connected by not
//! passing each other. The discipline (LD-lock of Stoller, 000, section 3.4) says of an object that there is a lock
//! that every thread holds whenever it does one of its effects. An access to an object that follows it is invisible:
//! what it does not pass needs the lock that its thread holds.
//!
//! [`visibility`](super::visibility) can know that from the graph alone (`protected`). Here it is assumed of every
//! object, the search runs on the system that is reduced by it, and the lockset algorithm intersects the locks held at
//! all accesses that a thread executes or is about to execute. If an object is left without a lock, the discipline is
//! violated, and the search begins again with the accesses to this object visible. If none is, the discipline holds in
//! the whole system: Theorem 19 of Stoller and Cohen (003, section 3) with the exclusive access predicate "thread i
//! holds lock m", for any m that is left, says that a violation in the whole system would have been found in the
//! reduced one (000, section 7, has the same for LD', Theorems 8 and 9).
//!
//! Its conditions, in the numbers of 003: that invisible steps end (11), by the ends of [`composed_transitions`](super::composed_transitions);
//! that nobody enables or disables an invisible step of another thread (12, 13), as only steps are invisible that no
//! phase in question forbids and that wait for no lock; that they move to the left unless the discipline is violated
//! (14, 15), as above; that visible and invisible steps of a thread are not possible at once and one of them is if it
//! is not visible (16, 17), by definition; that a violation is not hidden (18): locks are only struck out, and a thread
//! is about to do something as long as it does not move itself. That counts also where it is not possible: what is
//! assumed to be invisible may lead the automaton to a phase that forbids the access that violates the discipline.
//!
//! Since the theorem is about all executions, everything is left on that keeps every local state reachable, and what
//! keeps only acceptance is off: persistent sets that follow the automaton, dead ends, threads at rest.
//!
//! Initialization without a lock, which LD and LD' allow, is not: no thread is named for it (`initThread` is nowhere
//! defined, which Theorem 8 allows). LD-RO needs no rule, since reads that pass each other make no object. Locks count
//! that are held in write mode.

use super::effects::EffectId;
use super::future_operations::FutureOperations;
use super::local_states::{LocalId, LocalStates};
use eml::model::{LockId, Mode};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Effects that are connected by not passing each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(usize);

/// Which objects are assumed to be protected, and what was seen of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Discipline {
    objects: FxHashMap<EffectId, ObjectId>,
    /// The locks that were held at every access so far.
    candidates: FxHashMap<ObjectId, Vec<LockId>>,
    violated: FxHashSet<ObjectId>,
    /// An object that was left without a lock since this was asked last, and where its thread stood.
    new: Option<(ObjectId, LocalId)>,
}

impl Discipline {
    /// The discipline of which these objects are known to violate it.
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

    /// Whether accesses with this effect are taken to be protected.
    pub(super) fn is_assumed(&self, effect: EffectId) -> bool {
        self.objects.get(&effect).is_none_or(|object| !self.violated.contains(object))
    }

    /// Notes that a thread executes a step with this effect, or is about to.
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

    /// An object that turned out to violate the discipline, and where its thread stood.
    pub(super) fn violation(&self) -> Option<(ObjectId, LocalId)> {
        self.new
    }

    /// All objects that violate it.
    pub(super) fn violated(&self) -> FxHashSet<ObjectId> {
        self.violated.iter().copied().chain(self.new.map(|(object, _)| object)).collect()
    }
}
