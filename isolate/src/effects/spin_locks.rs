//! Spin locks, flags that are used as locks: `while (!busy.compareAndSet(false, true)) ...; try { ... } finally {
//! busy.set(false); }`.
//!
//! A [flag](crate::facts::flag_protocol) has the value 0 or a taken value, and is used in three ways only. It is a
//! *spin lock* if it is also set to 0 only where the thread has changed it from 0 before in the same unit. Then it is a
//! lock: between these two steps every other call finds a taken value and leaves one. Its value is no data, like the
//! state of other locks.
//!
//! Whether a flag is a spin lock is determined by trial: all flags are at first. If one is released by a unit that does
//! not hold it, or still held at the end of a unit, then the subject is interpreted again without it
//! ([`wrong_semaphores`](Interpreter::wrong_semaphores)). Two regions of one alias class may be one flag, so if one of
//! them is no lock, none is.

use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::lock_effects::ReleasedLock;
use crate::exec::state::{HeldLock, State};
use crate::facts::flag_protocol;
use crate::graph::Step;
use crate::value::{AliasId, Lock, RegionId, Value};
use eml::model::Mode;
use java::library::{Action, Argument, Attribute, Row};
use std::collections::BTreeSet;

/// The use of a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Use {
    /// Takes it if it is free; with the result for success and the possible results for failure.
    Tries(Value, Vec<Value>),
    /// Frees it.
    Frees,
    /// Reads it, by [`SameLock`](crate::Rule::SameLock): the state of a lock is no data in a finding.
    Looks,
    Other,
}

impl Interpreter<'_> {
    /// All exits of an access to a flag that is used as a lock; none if it is not.
    pub(super) fn spin_lock_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let Value::Region(region) = *call.values.first()? else { return None };
        let is_candidate = !self.mode.is_program && !row.attributes.has(Attribute::Handle);
        let values = self.taken_values(region).filter(|_| is_candidate)?;
        if self.locks.rejected.contains(&region) || self.locks.uncounted.contains(&region) {
            return None;
        }
        let lock = self.lock_object(Value::Region(region))?;
        let held = HeldLock::Explicit(lock, Mode::Write);
        match self.use_of(row, call, &values) {
            Use::Tries(yes, no) => {
                self.locks.spin_flags.insert(region);
                let mut taken = state.clone();
                if !taken.acquire(held) {
                    return self.is_no_lock(region);
                }
                let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
                let failures = no.into_iter().map(|no| (after, state.clone(), Some(no)));
                Some([(acquired, taken, Some(yes))].into_iter().chain(failures).collect())
            }
            Use::Frees => {
                self.locks.spin_flags.insert(region);
                self.free_flag(execution, at, (after, state), lock).or_else(|| self.is_no_lock(region))
            }
            Use::Looks => {
                let read = [0].into_iter().chain(values).map(|value| (after, state.clone(), Some(Value::Int(value))));
                Some(read.collect())
            }
            Use::Other => self.is_no_lock(region),
        }
    }

    fn free_flag(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        lock: Lock,
    ) -> Option<Vec<CallExit>> {
        let mut freed = state.clone();
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let step = match freed.release(HeldLock::Explicit(lock, Mode::Write), self.mode.overlaps) {
            Some(ReleasedLock::Own) => Step::Release(lock, Mode::Write),
            Some(ReleasedLock::OfCaller(number)) if !has_own => Step::ReleaseForCaller(lock, Mode::Write, number),
            Some(ReleasedLock::OfCaller(_)) | None => return None,
        };
        let released = execution.add_steps(after, Steps::One(step), at.line());
        Some(vec![(released, freed, Some(Value::Any))])
    }

    /// Notes that a flag is used in another way than a lock.
    fn is_no_lock(&mut self, region: RegionId) -> Option<Vec<CallExit>> {
        match self.locks.spin_flags.contains(&region) {
            true => self.locks.uncounted.insert(region),
            false => self.locks.rejected.insert(region),
        };
        None
    }

    /// These regions, and all regions that may be one of their objects.
    pub(super) fn may_be_one_of(&self, regions: impl IntoIterator<Item = RegionId>) -> BTreeSet<RegionId> {
        let aliases: BTreeSet<AliasId> = regions.into_iter().map(|region| self.regions.alias(region)).collect();
        let all = (0..).zip(&self.regions.regions);
        all.filter(|(_, region)| aliases.contains(&region.alias)).map(|(number, _)| RegionId(number)).collect()
    }

    /// The taken values of a region that is a flag.
    fn taken_values(&self, region: RegionId) -> Option<BTreeSet<i32>> {
        self.heap.taken_values(&self.regions.regions[region.index()].objects)
    }

    /// The use of a flag with these taken values.
    fn use_of(&self, row: &Row<'_>, call: &Call<'_>, values: &BTreeSet<i32>) -> Use {
        let given = |argument: &Argument| match call.values.get(argument.index() + 1) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let is_flag = self.heap.program.result_type(call.member.descriptor) == Some(java::Type::Boolean);
        let exchanges = self.heap.program.text(call.member.name).starts_with("compareAndExchange");
        let returns_before = exchanges || matches!(row.actions, [Action::GetsAndSets(_)]);
        match self.heap.use_by_row(row, given) {
            flag_protocol::Use::Looks => Use::Looks,
            flag_protocol::Use::Frees => Use::Frees,
            flag_protocol::Use::Takes(new) if values.contains(&new) => match (returns_before, is_flag) {
                (true, _) => Use::Tries(Value::Int(0), values.iter().copied().map(Value::Int).collect()),
                (false, true) => Use::Tries(Value::Int(1), vec![Value::Int(0)]),
                (false, false) => Use::Other,
            },
            flag_protocol::Use::Takes(_) | flag_protocol::Use::Other => Use::Other,
        }
    }
}
