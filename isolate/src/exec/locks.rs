//! Locks of the machine: releases through aliases, and monitors that become locks of the model while they are held.

use super::context::{ContextId, Steps};
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::lock_effects::LockEffect;
use super::state::{HeldLock, State};
use crate::Stuck;
use crate::facts::shared::Counter;
use crate::graph::Step;
use crate::value::{Lock, Value};
use eml::model::Mode;
use java::MethodId;

impl Interpreter<'_> {
    /// The lock that the task of a work counter has.
    pub(super) fn lock_of_task(&self, method: MethodId, arguments: &[Value]) -> Option<Lock> {
        let Some(Value::Region(region)) = arguments.first().copied() else { return None };
        Some(match self.heap.counter_of_task(method)? {
            Counter::Field(field) => Lock::Counter(region, Some(field)),
            Counter::Object(_) | Counter::Of(_) => Lock::Counter(region, None),
        })
    }

    /// Notes the release of a caller's lock: it may be the lock of another region of the same alias class.
    pub(crate) fn note_release(&mut self, lock: Lock) {
        let Lock::Explicit(region) = lock else { return };
        let alias = self.regions.alias(region);
        if self.regions.regions.iter().filter(|other| other.alias == alias).count() > 1 {
            self.locks.aliases.followed = true;
        }
    }

    /// Whether an effect leaves a lock held that may have been released through an alias.
    pub(super) fn leaves_aliased_lock(&self, effect: &LockEffect) -> bool {
        effect.held.iter().any(|open| match open {
            HeldLock::Explicit(lock, _) | HeldLock::Monitor(lock) => self.locks.aliases.may_be(*lock),
            HeldLock::Unmodelled(_) => false,
        })
    }

    /// The first of these outermost contexts that may exit while it holds a lock that it may have released through an
    /// alias.
    pub(crate) fn exit_with_aliased_lock(
        &self,
        mut outermost: impl Iterator<Item = ContextId>,
    ) -> Option<(ContextId, Stuck)> {
        let holds =
            |id: &ContextId| self.contexts[id.index()].effects.iter().any(|effect| self.leaves_aliased_lock(effect));
        let id = outermost.find(holds)?;
        let method = self.heap.program.method_name(self.contexts[id.index()].method);
        Some((id, Stuck::NotNested { method, line: 0 }))
    }

    /// If an unmodelled monitor is held and its object is a region by now, acquires that monitor as a lock of the
    /// model; if the object is unresolved, splits it first. Returns false if there is no such monitor.
    ///
    /// Such an object was of a universal type and has been cast; or it was new, and others may find it from now on.
    ///
    /// *Why it suffices.* The thread really holds the monitor since it entered it, but in the model only from here on.
    /// In any real interleaving no other thread holds it here, and the earlier steps of other threads are allowed in
    /// the model, too. So this only adds interleavings.
    pub(super) fn acquire_named_monitor(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        state: &State,
    ) -> Result<bool, Stuck> {
        let Some((place, object)) = state.monitor_named_since() else { return Ok(false) };
        match self.monitor(state.value(object)) {
            Some(lock) => {
                let mut state = state.clone();
                state.held[place] = HeldLock::Monitor(lock);
                let after = execution.add_steps(at.after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
                execution.continue_at(after, at.point, state);
                Ok(true)
            }
            None => match self.cases(&[object], state) {
                Some(states) => self.split_into(execution, at, states).map(|()| true),
                None => Ok(false),
            },
        }
    }
}
