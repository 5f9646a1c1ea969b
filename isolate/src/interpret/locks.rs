//! Locks that are acquired in one method and released in another: `fullyLock()`, `fullyUnlock()`.
//!
//! The *lock effect* of a method is what it has done to locks of `java.util.concurrent` when control leaves it: which
//! locks of its callers it has released, in their order, and which of its own it still holds. Most methods have none
//! and are functions of the model; their locks nest in them.
//!
//! A context with another effect is copied into its callers, once for each effect, and control goes on after the copy's
//! nodes for that effect only. Copying a call changes no execution. So locks nest in the caller if they nest in what
//! the caller and the callee do together, which is what the caller's states keep. Contexts that call themselves, and
//! more effects than the bounds below, leave a subject undecided.
//!
//! # Locks that do not nest
//!
//! A subject is interpreted first as if locks nested. If they do not, it is interpreted once more with locks that
//! [overlap](super::mode::Mode::overlaps): a lock of the method may be released from below others, and all locks of the
//! model are declared to overlap. The order of acquisition is kept, but it means nothing then.
//!
//! **Invariant.** A callee's releases for its callers meet a caller's explicit locks before those of its own callers: a
//! lock of a caller's caller is released only where the caller holds nothing that the model knows. So the `i`-th
//! release is one of the caller's own locks exactly if `i` is less than the number of explicit locks that the caller
//! holds ([`State::releasable`]), which is what the copy of the callee's graph is told. A release that does not fit, such
//! as `next.lock(); lockOfCaller.unlock()`, leaves the subject undecided.
//!
//! What threads and clients call is copied nowhere. There, locks that are still held at the end are released at the
//! end, and releasing a lock that is not held does nothing: in a program that runs on, the lock is held for longer, and
//! before. So interleavings are added only. But a lock that is released under a name by which it is not known is not
//! held to the end: where it may have such a name ([`LockAliases`]), a subject whose methods leave it held is not decided.
//!
//! Monitors are released where they are entered, as the Java language wants it. Monitors of objects that are not
//! followed are no locks of the model, so the order of their releases does not matter.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::{HeldLock, State};
use crate::Stuck;
use crate::graph::Step;
use crate::value::{Lock, Value};
use eml::model::Mode;
use java::ir::Variable;

/// So many effects of a context are told apart.
pub(super) const MOST_EFFECTS: usize = 16;

/// So many locks are held at the same time in a method, or released for its callers.
const MOST_OPEN: usize = 32;

/// What a method has done to locks when control leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LockEffect {
    /// Locks of callers that it has released, in this order.
    pub(crate) released: Vec<HeldLock>,
    /// Its own locks that it still holds, the innermost last.
    pub(crate) held: Vec<HeldLock>,
}

impl LockEffect {
    /// The effect with which control leaves in a state; what throws releases everything unless it holds explicit locks
    /// on purpose. None if what is held does not nest.
    pub(super) fn of(state: &State, throws: bool) -> Option<Self> {
        let is_explicit = |open: &HeldLock| matches!(open, HeldLock::Explicit(..));
        let mut held: Vec<HeldLock> = state.held.iter().filter(|open| !open.is_unmodelled()).copied().collect();
        if throws || !held.iter().any(is_explicit) {
            held.clear();
        }
        held.iter().all(is_explicit).then(|| Self { released: state.released.clone(), held })
    }
}

/// Which locks of the model are perhaps released under names by which they are not known.
///
/// What is certainly no followed object is the lock of no region, but it may be a lock that is known by the static
/// field or the array that holds it. Two regions of one alias class may be one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LockAliases {
    /// Locks of followed objects.
    followed: bool,
    /// Other locks.
    others: bool,
}

impl LockAliases {
    /// Something is released that is no lock of the model by its name.
    pub(super) fn note_release_of(&mut self, released: Value) {
        self.others = true;
        self.followed |= !matches!(released, Value::Any | Value::Other | Value::Foreign | Value::Derived | Value::Null);
    }

    fn may_be(self, lock: Lock) -> bool {
        match lock {
            Lock::Explicit(_) | Lock::Monitor(_) => self.followed,
            _ => self.others,
        }
    }
}

impl Interpreter<'_> {
    /// A lock of a caller is released: perhaps it is the one of another region of its class.
    pub(super) fn notes_release(&mut self, lock: Lock) {
        let Lock::Explicit(region) = lock else { return };
        let alias = self.regions.alias(region);
        if self.regions.regions.iter().filter(|other| other.alias == alias).count() > 1 {
            self.lock_aliases.followed = true;
        }
    }

    /// Whether an effect leaves a lock held that is perhaps released under a name by which it is not known.
    pub(super) fn leaves_aliased_lock(&self, effect: &LockEffect) -> bool {
        effect.held.iter().any(|open| match open {
            HeldLock::Explicit(lock, _) | HeldLock::Monitor(lock) => self.lock_aliases.may_be(*lock),
            HeldLock::Unmodelled(_) => false,
        })
    }
}

impl Interpreter<'_> {
    /// Where a monitor without a name is held and its object has a name now, that monitor is acquired here; if it is
    /// not known which object it is, that is decided first. False if there is no such monitor.
    ///
    /// Such an object was of any type, and has been cast; or it was new, and others may find it from now on.
    ///
    /// *Why it is enough.* The thread really holds the monitor since it entered it, and the model from here on only. In
    /// any real interleaving nobody else holds it here, and what others do before is allowed in the model, too. So
    /// interleavings are added only.
    pub(super) fn acquires_named_monitor(
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

/// Whose lock is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReleasedLock {
    /// One that was acquired in the method.
    Own,
    /// One of a caller, and how many of them were released before.
    OfCaller(u8),
}

impl HeldLock {
    /// Whether it is no lock of the model.
    fn is_unmodelled(self) -> bool {
        matches!(self, Self::Unmodelled(_))
    }
}

impl State {
    /// Acquires something; false if too much is held.
    pub(super) fn acquire(&mut self, what: HeldLock) -> bool {
        self.held.push(what);
        self.held.len() <= MOST_OPEN
    }

    /// Releases something that is the innermost of what the model knows, or, if locks overlap, any of it. None if it is
    /// not, so that locks do not nest.
    pub(super) fn release(&mut self, what: HeldLock, overlaps: bool) -> Option<ReleasedLock> {
        let is_it = |open: &HeldLock| if what.is_unmodelled() { *open == what } else { !open.is_unmodelled() };
        let own = self.held.iter().rposition(|open| *open == what).filter(|_| overlaps);
        match own.or_else(|| self.held.iter().rposition(is_it)) {
            Some(place) => (self.held.remove(place) == what).then_some(ReleasedLock::Own),
            None if matches!(what, HeldLock::Explicit(..)) && self.released.len() < MOST_OPEN => {
                let before = u8::try_from(self.released.len()).expect("there are few");
                self.released.push(what);
                Some(ReleasedLock::OfCaller(before))
            }
            None => None,
        }
    }

    /// The monitor of the object of a variable that a method leaves, as it was known when the method entered it.
    ///
    /// What is known of an object may change in between. The Java machine lets a method leave only monitors that it has
    /// entered itself (structured locking: Java Virtual Machine Specification, 2.11.10). So where none is open under
    /// the name that is known now, it is one that had no name when it was entered, or that has none now.
    pub(super) fn entered_monitor(&self, known: Option<Lock>, object: Variable) -> HeldLock {
        let monitors = || self.held.iter().rev().filter(|open| !matches!(open, HeldLock::Explicit(..)));
        let known = known.map_or(HeldLock::Unmodelled(object), HeldLock::Monitor);
        match monitors().any(|open| *open == known) {
            true => known,
            false => monitors().find(|open| open.is_unmodelled() || known.is_unmodelled()).copied().unwrap_or(known),
        }
    }

    /// A variable whose monitor is held without a name, while its object has one now, and the place of the monitor. It
    /// has to be behind all that is held with a name, so that locks nest; of several the outermost one.
    fn monitor_named_since(&self) -> Option<(usize, Variable)> {
        let innermost = self.held.iter().enumerate().rev().map_while(|(place, open)| match open {
            HeldLock::Unmodelled(object) => Some((place, *object)),
            HeldLock::Monitor(_) | HeldLock::Explicit(..) => None,
        });
        { innermost }.filter(|(_, object)| matches!(self.value(*object), Value::Open(..) | Value::Region(_))).last()
    }

    /// How many locks a callee could release: the innermost explicit ones, or, if locks overlap, all of them.
    pub(super) fn releasable(&self, overlaps: bool) -> u8 {
        let is_explicit = |open: &&HeldLock| matches!(open, HeldLock::Explicit(..));
        let known = self.held.iter().rev().filter(|open| !open.is_unmodelled());
        let count = if overlaps { known.filter(is_explicit).count() } else { known.take_while(is_explicit).count() };
        u8::try_from(count).expect("there are few")
    }
}
