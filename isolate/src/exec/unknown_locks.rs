//! Waits and releases whose object may be a lock that is held under another name: an argument, the result of a function
//! of clients, a class object, an element of an array. A wait for an unknown condition is one whose lock is unknown.
//!
//! **Definition.** A wait or release is *unknown* if its value is no lock of the model that the method holds, and no
//! object that the unit has made. A held lock *may be meant* if the points-to set of the value has one of its objects,
//! or an object of clients that it may be; a lock without a known object always may.
//!
//! A wait that is no wait on a held monitor throws an exception. So an unknown wait waits on a monitor that the thread
//! holds, or ends. The model adds a wait on each monitor of the method that may be meant; the wait on a monitor that
//! only a caller holds is not expressed, and leaves the subject undecided, unless the caller holds the known lock. After
//! an unknown release the locks that are held are not known; if an explicit lock of the method or of a caller may be
//! meant, the subject is undecided.
//!
//! *Why it suffices.* The wait or release of the machine concerns one lock. It is the lock of the value, which the model
//! has; or a lock that the method holds, which is among the added waits; or one that only callers hold, and these are
//! all searched ([`Interpreter::misses_lock_of_caller`]); or none that the thread holds, which throws.
//!
//! By [`GivenLocks`](Rule::GivenLocks) findings leave these steps out.

use super::context::ContextId;
use super::execution::Position;
use super::interpreter::Interpreter;
use super::notes::{LockKind, UnknownUse};
use super::state::{HeldLock, State};
use crate::facts::objects::ObjectKind;
use crate::value::{Lock, Value};
use crate::{Rule, Stuck};
use java::ir::Variable;
use java::points_to::ObjectId;
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// The use of a value of a variable as a lock in a state; none if it is known, or left out.
    pub(crate) fn unknown_use(
        &self,
        at: Position<'_>,
        state: &State,
        (value, variable): (Value, Option<Variable>),
        (kind, known): (LockKind, Option<Lock>),
    ) -> Option<UnknownUse> {
        let is_new = matches!(value, Value::Made(_) | Value::Fresh(_) | Value::This(_) | Value::Null);
        let is_held = known.is_some_and(|lock| self.held(at.id, state, kind).contains(&lock));
        if is_new || is_held || self.heap.modality.omits(Rule::GivenLocks) {
            return None;
        }
        let method = self.contexts[at.id.index()].method;
        let objects = variable.map(|variable| self.heap.variable(method, variable)).unwrap_or_default();
        Some(UnknownUse { context: at.id, kind, known, objects })
    }

    /// The locks that the method of an unknown use holds, and that may be meant.
    pub(crate) fn meant(&self, found: &UnknownUse, state: &State) -> Vec<Lock> {
        let held = self.held(found.context, state, found.kind);
        held.into_iter().filter(|lock| self.may_mean(&found.objects, *lock)).collect()
    }

    /// The locks of a kind that a method holds itself.
    fn held(&self, id: ContextId, state: &State, kind: LockKind) -> Vec<Lock> {
        let context = &self.contexts[id.index()];
        let is_synchronized = self.heap.program.method(context.method).flags.is_synchronized();
        let own = context.own_lock.filter(|_| is_synchronized && kind == LockKind::Monitor);
        let held = state.held.iter().filter_map(|open| match (open, kind) {
            (HeldLock::Monitor(lock), LockKind::Monitor) | (HeldLock::Explicit(lock, _), LockKind::Explicit) => {
                Some(*lock)
            }
            _ => None,
        });
        held.chain(own).collect()
    }

    /// Whether a value with a points-to set may be the object of a lock.
    fn may_mean(&self, objects: &[ObjectId], lock: Lock) -> bool {
        let (Lock::Monitor(region) | Lock::Explicit(region)) = lock else { return true };
        let own = &self.regions.aliases[self.regions.alias(region).index()].objects;
        let points = self.heap.points;
        let is_known_outside =
            |object: ObjectId| points.escapes(object) || matches!(self.heap.kind_of(object), ObjectKind::External(_));
        let may_be = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::External(of) => {
                let is_any = self.heap.is_universal(*object);
                own.iter().any(|held| is_known_outside(*held) && (is_any || points.may_be(*held, of)))
            }
            _ => false,
        };
        objects.is_empty() || objects.iter().any(|object| own.contains(object) || may_be(object))
    }

    /// The first unknown wait or release that may mean a lock which only a caller of the method holds.
    pub(crate) fn misses_lock_of_caller(&self) -> Option<Stuck> {
        let found = self.locks.unknown.iter().find(|found| self.may_mean_lock_of_caller(found))?;
        let method = self.heap.program.method_name(self.contexts[found.context.index()].method);
        Some(Stuck::NotNested { method, line: 0 })
    }

    fn may_mean_lock_of_caller(&self, found: &UnknownUse) -> bool {
        let mut seen = BTreeSet::from([found.context]);
        let mut waiting = vec![found.context];
        while let Some(id) = waiting.pop() {
            for (caller, state) in &self.contexts[id.index()].callers {
                let (_, state) = &self.contexts[caller.index()].states[*state];
                let held = self.held(*caller, state, found.kind);
                if found.known.is_some_and(|known| held.contains(&known)) {
                    continue;
                }
                if held.into_iter().any(|lock| self.may_mean(&found.objects, lock)) {
                    return true;
                }
                if seen.insert(*caller) {
                    waiting.push(*caller);
                }
            }
        }
        false
    }
}
