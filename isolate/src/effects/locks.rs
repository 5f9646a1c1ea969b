//! Effects of rows on locks: acquire, release, convert, wait; joins of threads; copies.

use super::access::Access;
use super::rows::RowCall;
use crate::exec::context::Steps;
use crate::exec::execution::{Call, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::lock_effects::ReleasedLock;
use crate::exec::notes::LockKind;
use crate::exec::state::HeldLock;
use crate::graph::Step;
use crate::value::{Location, Lock, RegionId, Value};
use crate::{Rule, Stuck};
use eml::model::Mode;
use java::ir::Variable;
use java::library::{Side, Subject};

impl Interpreter<'_> {
    /// Acquires a lock, if it is a lock of the model.
    pub(super) fn acquire_lock(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        side: Side,
    ) -> Result<(), Stuck> {
        // It may throw before it has the lock, if it may throw at all.
        if row_call.row.traits.throws {
            row_call.thrown.push((row_call.after, row_call.state.clone()));
        }
        let Some((lock, mode)) = self.side(Self::value_of(row_call.call, Subject::This), side) else { return Ok(()) };
        row_call.after = execution.add_steps(row_call.after, Steps::One(Step::Acquire(lock, mode)), at.line());
        if !row_call.state.acquire(HeldLock::Explicit(lock, mode)) {
            return Err(self.not_nested(at));
        }
        Ok(())
    }

    /// A side of a lock.
    pub(super) fn side(&self, value: Value, side: Side) -> Option<(Lock, Mode)> {
        let (lock, mode) = self.explicit(value)?;
        Some(match side {
            Side::Own => (lock, mode),
            Side::Read => (lock, Mode::Read),
            Side::Write | Side::Either => (lock, Mode::Write),
        })
    }

    /// Releases a lock, if it is a lock of the model.
    pub(super) fn release_lock(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        side: Side,
    ) -> Result<(), Stuck> {
        let Some((lock, mut mode)) = self.side(Self::value_of(row_call.call, Subject::This), side) else {
            self.locks.aliases.note_release_of(Self::value_of(row_call.call, Subject::This));
            row_call.thrown.push((row_call.after, row_call.state.clone()));
            return self.release_unknown(at, row_call);
        };
        if side == Side::Either {
            let held = row_call.state.held.iter().rev().find_map(|open| match open {
                HeldLock::Explicit(held, mode) if *held == lock => Some(*mode),
                _ => None,
            });
            mode = held.unwrap_or(mode);
        }
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let step = match row_call.state.release(HeldLock::Explicit(lock, mode), self.mode.overlaps) {
            Some(ReleasedLock::Own) => Step::Release(lock, mode),
            Some(ReleasedLock::OfCaller(number)) if !has_own => {
                self.note_release(lock);
                Step::ReleaseForCaller(lock, mode, number)
            }
            Some(ReleasedLock::OfCaller(_)) | None => return Err(self.not_nested(at)),
        };
        row_call.after = execution.add_steps(row_call.after, Steps::One(step), at.line());
        Ok(())
    }

    /// Adds the waits of a wait whose object may be a monitor that is held under another name.
    pub(super) fn wait_on_unknown(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        whom: Subject,
        known: Option<Lock>,
    ) {
        let named = Self::named(row_call.call, whom);
        let Some(found) = self.unknown_use(at, &row_call.state, named, (LockKind::Monitor, known)) else { return };
        let waits: Vec<Step> = self.meant(&found, &row_call.state).into_iter().map(Step::Wait).collect();
        if !waits.is_empty() {
            row_call.after = execution.add_steps(row_call.after, Steps::Optional(waits), at.line());
        }
        self.locks.unknown.insert(found);
    }

    /// Notes a release whose object may be a lock that is held under another name.
    fn release_unknown(&mut self, at: Position<'_>, row_call: &RowCall<'_, '_>) -> Result<(), Stuck> {
        let named = Self::named(row_call.call, Subject::This);
        let found = self.unknown_use(at, &row_call.state, named, (LockKind::Explicit, None));
        let Some(found) = found else { return Ok(()) };
        if !self.meant(&found, &row_call.state).is_empty() {
            return Err(self.not_nested(at));
        }
        self.locks.unknown.insert(found);
        Ok(())
    }

    /// The value of an action's subject, and its variable.
    fn named(call: &Call<'_>, subject: Subject) -> (Value, Option<Variable>) {
        (Self::value_of(call, subject), Self::variable_of(call, subject))
    }

    /// Converts the held side of a stamped lock; not supported for locks of the model.
    pub(super) fn convert_lock(
        &mut self,
        _: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
    ) -> Result<(), Stuck> {
        match self.explicit(Self::value_of(row_call.call, Subject::This)) {
            Some(_) => Err(self.not_nested(at)),
            None => Ok(()),
        }
    }

    /// Waits for a condition, which releases its lock; an unknown condition may release any held lock.
    pub(super) fn await_condition(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
    ) {
        match Self::value_of(row_call.call, Subject::This) {
            Value::Condition(lock) => {
                row_call.after = self.add_wait(execution, at, row_call.after, lock);
            }
            _ => {
                let held: Vec<Step> = row_call
                    .state
                    .held
                    .iter()
                    .filter_map(|open| match open {
                        HeldLock::Explicit(lock, Mode::Write) => Some(Step::Wait(*lock)),
                        HeldLock::Explicit(_, Mode::Read) | HeldLock::Monitor(_) | HeldLock::Unmodelled(_) => None,
                    })
                    .collect();
                if !held.is_empty() {
                    row_call.after = execution.add_steps(row_call.after, Steps::Optional(held), at.line());
                }
                let unknown = self.unknown_use(at, &row_call.state, (Value::Any, None), (LockKind::Explicit, None));
                self.locks.unknown.extend(unknown);
            }
        }
    }

    /// Copies an object: reads all fields and the content of the original; the copy is another object.
    pub(super) fn clone_object(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        subject: Subject,
    ) {
        match Self::value_of(row_call.call, subject) {
            Value::Region(region) => {
                for field in self.changing_fields(region) {
                    let location = self.field_location(region, field);
                    row_call.after = self.add_read(execution, at, row_call.after, location);
                }
                if !self.is_program_object(region) {
                    self.add_accesses(execution, at, row_call, &[region], &[Access::Read]);
                }
                row_call.results.push(Value::Other);
            }
            Value::View(region) => {
                self.add_accesses(execution, at, row_call, &[region], &[Access::Read]);
                row_call.results.push(Value::Other);
            }
            _ => {
                let value = self.assigned_value(at, &row_call.state, row_call.call.to);
                let is_new = matches!(value, Value::Open(..)) || self.heap.modality.omits(Rule::NewObjects);
                row_call.results.push(if is_new { Value::Other } else { value });
            }
        }
    }

    /// The changing fields of a region of a program class.
    pub(super) fn changing_fields(&self, region: RegionId) -> Vec<java::FieldId> {
        let program = self.heap.program;
        let Some(class) = self.regions.regions[region.index()].class else { return Vec::new() };
        let fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        fields.filter(|field| !program.field(*field).flags.is_static() && !self.heap.is_unchanging(*field)).collect()
    }

    /// Waits until other threads have ended.
    pub(super) fn join_threads(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        certain: bool,
    ) {
        if self.mode.is_program && certain {
            row_call.after = execution.add_steps(row_call.after, Steps::One(Step::Join), at.line());
        }
    }

    /// Notes a location that is accessed because nothing is known about a method.
    pub(super) fn note_guess(&mut self, location: Location) {
        self.notes.guessed.insert(location);
    }
}
