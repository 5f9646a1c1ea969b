//! Rows whose result depends on their effect: attempts to lock, atomic accesses, permits.

use super::access::Access;
use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::{HeldLock, State};
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use crate::{Rule, Stuck};
use java::library::{Action, Attribute, Permit, Row, Side, Subject};
use java::points_to::ObjectId;

impl Interpreter<'_> {
    /// All exits of a row whose effect depends on its result; none for plain rows.
    pub(super) fn conditional_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Result<Option<Vec<CallExit>>, Stuck> {
        if let Some(call_exits) = self.synchronizer_exits(execution, at, (after, state), call) {
            return Ok(Some(call_exits));
        }
        if let Some(call_exits) = self.work_counter_exits(execution, at, (after, state), row, call) {
            return Ok(Some(call_exits));
        }
        if let Some(call_exits) = self.atomic(execution, at, after, state, row, call)? {
            return Ok(Some(call_exits));
        }
        if row.attributes.has(Attribute::Handle)
            && !self.is_unfollowed_handle(at, row, call)
            && row.actions.iter().any(is_access)
        {
            return self.access_any_target(execution, at, after, state, call).map(Some);
        }
        if let Some(call_exits) = self.holds_lock_exits(at, after, state, call) {
            return Ok(Some(call_exits));
        }
        for action in row.actions {
            match action {
                Action::Tries { side, .. } => return self.try_lock(execution, at, after, state, call, *side),
                Action::Optimistic => return Ok(self.take_stamp(execution, at, after, state, call)),
                Action::Validates => return self.validate_stamp(execution, at, after, state, call),
                Action::Permit(permit) => return self.change_permit(execution, at, after, state, call, *permit),
                _ => {}
            }
        }
        Ok(None)
    }

    /// The exits of a query whether the thread holds a lock. If the method has acquired the lock, the answer is yes; if
    /// not, a caller may hold it, so both answers are possible.
    fn holds_lock_exits(
        &self,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        const ASKING: [&str; 2] = ["isHeldByCurrentThread", "isWriteLockedByCurrentThread"];
        let call_exit = |number| (after, state.clone(), Some(Value::Int(number)));
        if self.asks_for_monitor(call) {
            let lock = self.monitor(*call.values.first()?)?;
            let own = self.contexts[at.id.index()].own_lock;
            let is_held = own == Some(lock) || state.held.contains(&HeldLock::Monitor(lock));
            let is_called = !self.heap.points.callers(self.contexts[at.id.index()].method).is_empty();
            return match (is_held, is_called) {
                (true, _) => Some(vec![call_exit(1)]),
                (false, false) => Some(vec![call_exit(0)]),
                (false, true) => None,
            };
        }
        if !ASKING.contains(&self.heap.program.text(call.member.name)) {
            return None;
        }
        let (lock, _) = self.explicit(*call.values.first()?)?;
        let is_held = state.held.contains(&HeldLock::Explicit(lock, eml::model::Mode::Write));
        Some(if is_held { vec![call_exit(1)] } else { vec![call_exit(0), call_exit(1)] })
    }

    /// Whether a call is `Thread.holdsLock`. By [`SameLock`](Rule::SameLock), a method that nothing in the program
    /// calls holds what it has acquired itself.
    fn asks_for_monitor(&self, call: &Call<'_>) -> bool {
        let program = self.heap.program;
        self.heap.modality.omits(Rule::SameLock)
            && [call.member.class, call.member.name].map(|name| program.text(name)) == ["java/lang/Thread", "holdsLock"]
    }

    /// Attempts to acquire a lock: it is acquired if the result is true.
    fn try_lock(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
        side: Side,
    ) -> Result<Option<Vec<CallExit>>, Stuck> {
        let value = call.values.first().copied().unwrap_or(Value::Any);
        let Some((lock, mode)) = self.side(value, side) else { return Ok(None) };
        let mut taken = state.clone();
        if !taken.acquire(HeldLock::Explicit(lock, mode)) {
            return Err(self.not_nested(at));
        }
        let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, mode)), at.line());
        let is_flag = self.heap.program.result_type(call.member.descriptor) == Some(java::Type::Boolean);
        let [yes, no] = [1, 0].map(|number| if is_flag { Value::Int(number) } else { Value::Any });
        Ok(Some(vec![(acquired, taken, Some(yes)), (after, state.clone(), Some(no)), (after, state.clone(), None)]))
    }

    /// The lock that represents a semaphore: it is created with one permit, and permits are acquired and released one
    /// by one.
    fn binary_semaphore(&mut self, value: Value, call: &Call<'_>) -> Option<Lock> {
        let Value::Region(region) = value else { return None };
        let permits = self.heap.argument_of_parent(&self.regions, region, 1)?;
        let objects = &self.regions.regions[region.index()].objects;
        let is_clients = objects.iter().any(|object| self.heap.points.escapes(*object));
        // A subclass may use the permits in its own way.
        let is_own = |object: &java::points_to::ObjectId| {
            !matches!(self.heap.kind_of(*object), ObjectKind::Library("java/util/concurrent/Semaphore"))
        };
        if objects.iter().any(is_own) {
            return None;
        }
        let has_one = permits == crate::facts::stored::Stored::Int(1) && !is_clients;
        let is_one = call.values.len() == 1 || call.values[1..] == [Value::Int(1)];
        let takes_one = is_one && !self.changes_permits(call);
        if has_one && !takes_one {
            self.locks.uncounted.insert(region);
        }
        if !has_one || !takes_one || self.locks.rejected.contains(&region) {
            return None;
        }
        self.lock_object(value)
    }

    /// The accesses to the number of permits of a semaphore that is no lock. Who waits for a permit sees that there is
    /// one, and takes it from those that try, or ask for the number, perhaps in another class. By
    /// [`CommutingChanges`](Rule::CommutingChanges), permits are meant to come and go.
    pub(super) fn accesses_of_permit(&self, permit: Permit) -> &'static [Access] {
        match permit {
            _ if self.heap.modality.omits(Rule::CommutingChanges) => &[],
            Permit::Acquires | Permit::Tries => &[Access::Read, Access::Write],
            Permit::Releases => &[Access::Write],
        }
    }

    /// Whether a region is a semaphore that may be a lock of the model, so that its permits are no data.
    pub(super) fn is_semaphore_as_lock(&self, region: RegionId) -> bool {
        let has_permits = |row: Row<'_>| row.actions.iter().any(|action| matches!(action, Action::Permit(_)));
        let is_semaphore = |object: &ObjectId| {
            let class = self.heap.library_class(*object);
            class.is_some_and(|class| self.heap.library.find_all(class, "acquire").any(has_permits))
        };
        !self.locks.rejected.contains(&region) && self.regions.regions[region.index()].objects.iter().any(is_semaphore)
    }

    /// Whether a call removes permits for good, or acquires all of them.
    fn changes_permits(&self, call: &Call<'_>) -> bool {
        ["drainPermits", "reducePermits"].contains(&self.heap.program.text(call.member.name))
    }

    /// All semaphores and flags found not to be locks, in this interpretation or before; none if no new ones are found.
    /// If locks do not nest, flags are not treated as locks.
    pub(crate) fn wrong_locks<T>(
        &self,
        interpreted: &Result<std::collections::BTreeMap<crate::exec::context::ContextId, T>, Stuck>,
    ) -> Option<std::collections::BTreeSet<RegionId>> {
        let wrong_flags = || {
            let is_new = self.locks.spin_flags.iter().any(|region| !self.locks.rejected.contains(region));
            is_new.then(|| self.locks.spin_flags.union(&self.locks.rejected).copied().collect())
        };
        match interpreted {
            Ok(entries) => {
                let flags = if self.locks.stops_at_locks { wrong_flags() } else { None };
                flags.or_else(|| self.wrong_semaphores(entries.keys().copied()))
            }
            Err(Stuck::NotNested { .. }) => wrong_flags(),
            Err(_) => None,
        }
    }

    /// Semaphores and stamped locks that do not behave like locks: permits change other than one by one, or a thread
    /// releases a permit that it does not hold, which is possible since permits have no owner. None if no new ones are
    /// found.
    pub(crate) fn wrong_semaphores(
        &self,
        outermost: impl Iterator<Item = crate::exec::context::ContextId>,
    ) -> Option<std::collections::BTreeSet<RegionId>> {
        let region = |open: &HeldLock| match open {
            HeldLock::Explicit(Lock::Explicit(region), _) => Some(*region),
            _ => None,
        };
        let effects: Vec<_> = outermost.flat_map(|id| &self.contexts[id.index()].effects).collect();
        let released = effects.iter().flat_map(|effect| &effect.released).filter_map(region);
        let held = effects.iter().flat_map(|effect| &effect.held).filter_map(region);
        let held = held.filter(|region| self.locks.spin_flags.contains(region));
        let is_semaphore = |region: &RegionId| {
            let objects = &self.regions.regions[region.index()].objects;
            let is_one = |object: &ObjectId| {
                let unowned = ["java/util/concurrent/Semaphore", "java/util/concurrent/locks/StampedLock"];
                matches!(self.heap.kind_of(*object), ObjectKind::Library(class) if unowned.contains(&class))
            };
            objects.iter().any(is_one) || self.locks.spin_flags.contains(region)
        };
        let wrong = released.chain(held).filter(is_semaphore).chain(self.locks.uncounted.iter().copied());
        let mut wrong = self.may_be_one_of(wrong.chain(self.locks.rejected.iter().copied()));
        wrong.retain(is_semaphore);
        let is_new = wrong.iter().any(|region| !self.locks.rejected.contains(region));
        is_new.then(|| wrong.union(&self.locks.rejected).copied().collect())
    }

    /// Acquires or releases a permit. A semaphore with one permit is a lock; others exclude nobody.
    fn change_permit(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
        permit: Permit,
    ) -> Result<Option<Vec<CallExit>>, Stuck> {
        let value = call.values.first().copied().unwrap_or(Value::Any);
        let Some(lock) = self.binary_semaphore(value, call) else { return Ok(None) };
        let mode = eml::model::Mode::Write;
        match permit {
            Permit::Acquires | Permit::Tries => {
                let mut taken = state.clone();
                if !taken.acquire(HeldLock::Explicit(lock, mode)) {
                    return Err(self.not_nested(at));
                }
                let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, mode)), at.line());
                let mut call_exits = vec![(acquired, taken, Some(Value::Int(1))), (after, state.clone(), None)];
                if permit == Permit::Tries {
                    call_exits.push((after, state.clone(), Some(Value::Int(0))));
                }
                Ok(Some(call_exits))
            }
            Permit::Releases => {
                let mut given = state.clone();
                match given.release(HeldLock::Explicit(lock, mode), self.mode.overlaps) {
                    Some(crate::exec::lock_effects::ReleasedLock::Own) => {
                        let released = execution.add_steps(after, Steps::One(Step::Release(lock, mode)), at.line());
                        Ok(Some(vec![(released, given, Some(Value::Any))]))
                    }
                    Some(crate::exec::lock_effects::ReleasedLock::OfCaller(number)) => {
                        let step = Step::ReleaseForCaller(lock, mode, number);
                        let released = execution.add_steps(after, Steps::One(step), at.line());
                        Ok(Some(vec![(released, given, Some(Value::Any))]))
                    }
                    None => Err(self.not_nested(at)),
                }
            }
        }
    }
}

fn is_access(action: &Action) -> bool {
    matches!(
        action,
        Action::Gets | Action::Sets(_) | Action::GetsAndSets(_) | Action::ComparesAndSets(_) | Action::UpdatesBy(_)
    ) || action.read() == Some(Subject::This)
        || action.written() == Some(Subject::This)
}
