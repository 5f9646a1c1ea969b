//! Flags that are used as locks: `while (!busy.compareAndSet(false, true)) ...; try { ... } finally { busy.set(false);
//! }`.
//!
//! An `AtomicBoolean` or `AtomicInteger` is a *spin lock* if all that the program does with it is to change it from 0
//! to another number by a compare-and-set or a get-and-set that tells whether it did, and to set it to 0 where the
//! thread, in the same unit, has done that before. Then it is a lock: between the two nobody else can change it from 0.
//! What is in it is no data, as the state of other locks is none.
//!
//! A flag that clients get is none of these. Whether one is used so is found by trying: all such flags are locks at
//! first. If one is read or written in another way, released by a unit that does not hold it, or still held at the end
//! of one, then the subject is interpreted again without it ([`wrong_semaphores`](Interpreter::wrong_semaphores)).

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

/// What is done to a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Takes it if it is free; the results if it was, and if it was not.
    Tries(Value, Value),
    /// Frees it.
    Frees,
    Other,
}

const FLAGS: [&str; 2] = ["java/util/concurrent/atomic/AtomicBoolean", "java/util/concurrent/atomic/AtomicInteger"];

impl Interpreter<'_> {
    /// All ways in which an access to a flag ends that is used as a lock; none if it is not.
    pub(super) fn spins(
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
                self.frees(execution, at, (after, state), lock).or_else(|| self.is_no_lock(region))
            }
            Use::Other => self.is_no_lock(region),
        }
    }

    fn frees(
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

    /// A flag is used in another way than a lock.
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
                        // It gives what was there.
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
