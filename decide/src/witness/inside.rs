//! What calls do that are one step of a path, as far as others can tell: the locks that they need free, and the phases
//! that allow all their actions.
//!
//! What is held of locks, and what is needed, are sets of bits, two for each lock that counts: that it is held at all,
//! and that it is held in write mode. Who acquires it in write mode needs that the first is not there, who acquires it
//! in read mode that the second is not.

use super::path::{CallId, Calls, LocalStep};
use crate::semantics::{Act, LockChange, Open};
use eml::model::{LockId, Mode, Model, Operation};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};

/// What a call does.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// What no other thread may hold, for the locks that it takes at some time, among those that count.
    pub(super) takes: FixedBitSet,
    /// The phases that forbid none of its actions.
    pub(super) allowed: FixedBitSet,
}

/// The bits of a lock.
pub(super) const BITS: usize = 2;

/// The bit that others must not have for a lock to be taken in a mode.
pub(super) fn needed(lock: usize, mode: Mode) -> usize {
    match mode {
        Mode::Read => BITS * lock + 1,
        Mode::Write => BITS * lock,
    }
}

/// The bits of who has taken a lock in a mode.
pub(super) fn taken(lock: usize, mode: Mode) -> impl Iterator<Item = usize> {
    let bits = match mode {
        Mode::Read => 1,
        Mode::Write => 2,
    };
    BITS * lock..BITS * lock + bits
}

/// What the calls of a path do, each outside and inside of a unit.
#[derive(Clone, Debug)]
pub(super) struct Insides(Vec<[Inside; 2]>);

/// What counts.
pub(super) struct Counting<'a> {
    pub(super) model: &'a Model,
    /// How many locks count, and the numbers of those.
    pub(super) locks: usize,
    pub(super) number: &'a dyn Fn(LockId) -> Option<usize>,
    /// How many phases there are, and whether they allow a step.
    pub(super) phases: usize,
    pub(super) allows: &'a dyn Fn(usize, &Act) -> bool,
    pub(super) meter: &'a Meter,
}

impl Insides {
    /// Linear in the calls, times locks and phases.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(calls: &Calls, counting: &Counting<'_>) -> Result<Self, StopReason> {
        let insides = calls.bottom_up(|steps, of: &dyn Fn(CallId) -> Result<[Inside; 2], StopReason>| {
            counting.meter.work_of(1 + steps.len())?;
            let one = |in_unit| counting.inside(steps, in_unit, of);
            Ok([one(false)?, one(true)?])
        });
        insides.into_iter().collect::<Result<_, _>>().map(Self)
    }

    /// What a call does that begins inside or outside of a unit.
    pub(super) fn of(&self, call: CallId, in_unit: bool) -> &Inside {
        &self.0[call.index()][usize::from(in_unit)]
    }
}

impl Counting<'_> {
    fn inside(
        &self,
        steps: &[LocalStep],
        in_unit: bool,
        of: &dyn Fn(CallId) -> Result<[Inside; 2], StopReason>,
    ) -> Result<Inside, StopReason> {
        let mut inside = Inside { takes: FixedBitSet::with_capacity(BITS * self.locks), allowed: self.all_phases() };
        let mut open = Open::only_unit(in_unit);
        for step in steps {
            match step {
                LocalStep::Node(node) => {
                    let operation = self.model.node(*node).operation;
                    // To branch is no step.
                    if operation != Operation::Skip {
                        inside.allowed.intersect_with(&self.phases_for(&open.act(operation)));
                    }
                    if let LockChange::Takes(lock, mode) = open.execute(operation) {
                        inside.takes.extend((self.number)(lock).map(|lock| needed(lock, mode)));
                    }
                }
                LocalStep::Wants(node) => {
                    if let Some(Act::Wants { lock, mode, .. }) = open.wants(self.model.node(*node).operation) {
                        // What the callers hold is not known here, so only phases count that allow it whatever that is.
                        let held = self.every_lock();
                        inside.allowed.intersect_with(&self.phases_for(&Act::Wants { lock, mode, held }));
                    }
                }
                LocalStep::Call(_, call) => {
                    let [outside, within] = of(*call)?;
                    let inner = if open.in_unit() { within } else { outside };
                    inside.takes.union_with(&inner.takes);
                    inside.allowed.intersect_with(&inner.allowed);
                }
            }
        }
        Ok(inside)
    }

    fn every_lock(&self) -> Vec<(LockId, Mode)> {
        let ids = (0..self.model.locks().len()).map(LockId::new);
        ids.flat_map(|lock| [Mode::Read, Mode::Write].map(|mode| (lock, mode))).collect()
    }

    fn all_phases(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.phases);
        all.insert_range(..);
        all
    }

    /// The phases that allow a step.
    pub(super) fn phases_for(&self, act: &Act) -> FixedBitSet {
        let mut allowed = FixedBitSet::with_capacity(self.phases);
        allowed.extend((0..self.phases).filter(|phase| (self.allows)(*phase, act)));
        allowed
    }
}
