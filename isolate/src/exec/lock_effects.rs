//! Locks that are acquired in one method and released in another: `fullyLock()`, `fullyUnlock()`.
//!
//! The *lock effect* of a method is its change to locks of `java.util.concurrent` at its exit: the callers' locks that
//! it has released, in order, and its own locks that it still holds. Most methods have an empty effect and become
//! functions of the model; their locks nest.
//!
//! A context with another effect is copied into its callers, once for each effect, and control continues only after the
//! copy's nodes for that effect. Copying a call changes no execution. So locks nest in the caller if they nest in the
//! combined code of caller and callee, which the caller's states track. Contexts that call themselves, and more effects
//! than the bounds below, leave a subject undecided.
//!
//! # Locks that do not nest
//!
//! A subject is interpreted first as if locks nested. If they do not, it is interpreted again with
//! [overlapping](crate::facts::mode::Mode::overlaps) locks: a lock of the method may be released from below others, and
//! all locks of the model are declared to overlap. The order of acquisition is kept, but has no meaning then.
//!
//! **Invariant.** A callee's releases for its callers meet a caller's explicit locks before those of that caller's own
//! callers: a lock of a caller's caller is released only where the caller holds no lock of the model. So the `i`-th
//! release concerns one of the caller's own locks exactly if `i` is less than the number of explicit locks that the
//! caller holds ([`State::releasable`]); the copy of the callee's graph gets this number. A release that does not fit,
//! such as `next.lock(); lockOfCaller.unlock()`, leaves the subject undecided.
//!
//! Entry points of threads and clients are not copied. Locks still held at their end are released there, and releasing
//! a lock that is not held has no effect: in a longer run the lock is held for longer, and before. So this only adds
//! interleavings. But a lock that is released through an unknown alias is not held to the end: if such a release is
//! possible ([`LockAliases`]), a subject whose methods leave the lock held is not decided.
//!
//! Monitors are released where they are entered, as the Java language requires. Monitors of objects that are not
//! followed are no locks of the model, so the order of their releases does not matter.

use super::state::{HeldLock, State};
use crate::value::{Lock, Value};
use java::ir::Variable;

/// Maximum number of lock effects of a context.
pub(crate) const MOST_EFFECTS: usize = 16;

/// Maximum number of locks held at once in a method, or released for its callers.
const MOST_OPEN: usize = 32;

/// The change of a method to locks at an exit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LockEffect {
    /// The callers' locks that it has released, in this order.
    pub(crate) released: Vec<HeldLock>,
    /// Its own locks that it still holds, the innermost last.
    pub(crate) held: Vec<HeldLock>,
}

impl LockEffect {
    /// The effect of an exit in a state. An exit by exception releases everything unless it holds explicit locks on
    /// purpose. None if the held locks do not nest.
    pub(crate) fn of(state: &State, throws: bool) -> Option<Self> {
        let is_explicit = |open: &HeldLock| matches!(open, HeldLock::Explicit(..));
        let mut held: Vec<HeldLock> = state.held.iter().filter(|open| !open.is_unmodelled()).copied().collect();
        if throws || !held.iter().any(is_explicit) {
            held.clear();
        }
        held.iter().all(is_explicit).then(|| Self { released: state.released.clone(), held })
    }
}

/// Locks of the model that may have been released through unknown aliases.
///
/// A value that is certainly no followed object is the lock of no region, but it may be a lock known by the static
/// field or the array that holds it. Two regions of one alias class may be one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LockAliases {
    /// Locks of followed objects.
    pub(super) followed: bool,
    /// Other locks.
    others: bool,
}

impl LockAliases {
    /// Notes the release of a value that is no lock of the model.
    pub(crate) fn note_release_of(&mut self, released: Value) {
        self.others = true;
        self.followed |= !matches!(released, Value::Any | Value::Other | Value::Foreign | Value::Derived | Value::Null);
    }

    pub(super) fn may_be(self, lock: Lock) -> bool {
        match lock {
            Lock::Explicit(_) | Lock::Monitor(_) => self.followed,
            Lock::Owner(_) => false,
            _ => self.others,
        }
    }
}

/// The owner of a released lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReleasedLock {
    /// The lock was acquired in this method.
    Own,
    /// A lock of a caller, with the number of callers' locks released before it.
    OfCaller(u8),
}

impl HeldLock {
    /// Whether it is a monitor that is no lock of the model.
    fn is_unmodelled(self) -> bool {
        matches!(self, Self::Unmodelled(_))
    }
}

impl State {
    /// Acquires a lock; returns false if too many are held.
    pub(crate) fn acquire(&mut self, what: HeldLock) -> bool {
        self.held.push(what);
        self.held.len() <= MOST_OPEN
    }

    /// Whether the explicit locks that are held are [work counters](crate::facts::work_counters).
    pub(super) fn holds_only_counters(&self) -> bool {
        let explicit = self.held.iter().filter_map(|open| match open {
            HeldLock::Explicit(lock, _) => Some(lock),
            HeldLock::Monitor(_) | HeldLock::Unmodelled(_) => None,
        });
        { explicit }.all(|lock| matches!(lock, Lock::Counter(..)))
    }

    /// Releases the innermost lock of the model, or, if locks overlap, any lock. Returns none if another lock is
    /// innermost, so that locks do not nest.
    pub(crate) fn release(&mut self, what: HeldLock, overlaps: bool) -> Option<ReleasedLock> {
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

    /// The monitor that a method exits through a variable, as it was known at its entry.
    ///
    /// The known value of an object may change between entry and exit. The Java machine lets a method exit only
    /// monitors that it has entered itself (structured locking: Java Virtual Machine Specification, 2.11.10). So if no
    /// monitor is held under the value known now, it is one that was unmodelled at its entry, or that is unmodelled
    /// now.
    pub(super) fn entered_monitor(&self, known: Option<Lock>, object: Variable) -> HeldLock {
        let monitors = || self.held.iter().rev().filter(|open| !matches!(open, HeldLock::Explicit(..)));
        let known = known.map_or(HeldLock::Unmodelled(object), HeldLock::Monitor);
        match monitors().any(|open| *open == known) {
            true => known,
            false => monitors().find(|open| open.is_unmodelled() || known.is_unmodelled()).copied().unwrap_or(known),
        }
    }

    /// A variable whose monitor is held unmodelled although its object may be a region by now, with the monitor's
    /// index. The monitor must be inside of all modelled locks, so that locks nest; of several, the outermost is
    /// returned.
    pub(super) fn monitor_named_since(&self) -> Option<(usize, Variable)> {
        let innermost = self.held.iter().enumerate().rev().map_while(|(place, open)| match open {
            HeldLock::Unmodelled(object) => Some((place, *object)),
            HeldLock::Monitor(_) | HeldLock::Explicit(..) => None,
        });
        { innermost }.filter(|(_, object)| matches!(self.value(*object), Value::Open(..) | Value::Region(_))).last()
    }

    /// The number of locks that a callee could release: the innermost explicit ones, or, if locks overlap, all explicit
    /// ones.
    pub(crate) fn releasable(&self, overlaps: bool) -> u8 {
        let is_explicit = |open: &&HeldLock| matches!(open, HeldLock::Explicit(..));
        let known = self.held.iter().rev().filter(|open| !open.is_unmodelled());
        let count = if overlaps { known.filter(is_explicit).count() } else { known.take_while(is_explicit).count() };
        u8::try_from(count).expect("there are few")
    }
}
