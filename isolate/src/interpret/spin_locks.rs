//! Spin locks, flags that are used as locks: `while (!busy.compareAndSet(false, true)) ...; try { ... } finally {
//! busy.set(false); }`.
//!
//! An `AtomicBoolean` or `AtomicInteger` is a *spin lock* if the program only changes it from 0 to another number by a
//! compare-and-set or get-and-set whose result reports success, and sets it to 0 only where the thread has made such a
//! change before in the same unit. Then it is a lock: in between no other thread can change it from 0. Its value is no
//! data, like the state of other locks.
//!
//! A flag that clients get is no spin lock. Whether a flag is used as a lock is determined by trial: all flags are
//! locks at first. If one is read or written in another way, released by a unit that does not hold it, or still held at
//! the end of a unit, then the subject is interpreted again without it
//! ([`wrong_semaphores`](Interpreter::wrong_semaphores)).

use super::calls::{Call, CallExit};
use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::locks::ReleasedLock;
use super::objects::ObjectKind;
use super::state::{HeldLock, State};
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::library::{Action, Attribute, Row};
use java::points_to::ObjectId;

/// The use of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Takes it if it is free; with the results for success and failure.
    Tries(Value, Value),
    /// Frees it.
    Frees,
    Other,
}

const FLAGS: [&str; 2] = ["java/util/concurrent/atomic/AtomicBoolean", "java/util/concurrent/atomic/AtomicInteger"];

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
        let is_candidate = !self.mode.is_program && !row.attributes.has(Attribute::Handle) && self.is_flag(region);
        if !is_candidate || self.rejected_locks.contains(&region) || self.uncounted.contains(&region) {
            return None;
        }
        let lock = self.lock_object(Value::Region(region))?;
        let held = HeldLock::Explicit(lock, Mode::Write);
        match self.use_of(row, call) {
            Use::Tries(yes, no) => {
                self.spin_flags.insert(region);
                let mut taken = state.clone();
                if !taken.acquire(held) {
                    return self.is_no_lock(region);
                }
                let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
                Some(vec![(acquired, taken, Some(yes)), (after, state.clone(), Some(no))])
            }
            Use::Frees => {
                self.spin_flags.insert(region);
                self.free_flag(execution, at, (after, state), lock).or_else(|| self.is_no_lock(region))
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
        match self.spin_flags.contains(&region) {
            true => self.uncounted.insert(region),
            false => self.rejected_locks.insert(region),
        };
        None
    }

    /// Whether a region is a flag.
    pub(super) fn is_flag(&self, region: RegionId) -> bool {
        let objects = &self.regions.regions[region.index()].objects;
        let is_one = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::Library(class) => FLAGS.contains(&class) && !self.heap.points.escapes(*object),
            _ => false,
        };
        !objects.is_empty() && objects.iter().all(is_one)
    }

    fn use_of(&self, row: &Row<'_>, call: &Call<'_>) -> Use {
        let given = |argument: &java::library::Argument| match call.values.get(argument.index() + 1) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let is_flag = self.heap.program.result_type(call.member.descriptor) == Some(java::Type::Boolean);
        let exchanges = self.heap.program.text(call.member.name).starts_with("compareAndExchange");
        let used = row.actions.iter().find_map(|action| match action {
            Action::ComparesAndSets(pairs) => match &pairs[..] {
                [(expected, new)] if given(expected) == Some(0) && given(new).is_some_and(|it| it != 0) => {
                    match (exchanges, is_flag) {
                        // It returns the previous value.
                        (true, true) => Some(Use::Tries(Value::Int(0), Value::Int(1))),
                        (true, false) => Some(Use::Tries(Value::Int(0), Value::Any)),
                        (false, true) => Some(Use::Tries(Value::Int(1), Value::Int(0))),
                        (false, false) => Some(Use::Other),
                    }
                }
                _ => Some(Use::Other),
            },
            Action::GetsAndSets(new) => {
                let taken = given(new).filter(|new| *new != 0);
                Some(taken.map_or(Use::Other, |new| Use::Tries(Value::Int(0), Value::Int(new))))
            }
            Action::Sets(new) if given(new) == Some(0) => Some(Use::Frees),
            _ => None,
        });
        used.unwrap_or(Use::Other)
    }
}
