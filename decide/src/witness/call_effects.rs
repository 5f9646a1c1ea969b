//! The effects of calls that are one step of a path, as other threads see them: the locks that must be free, and the
//! phases that allow all their actions.
//!
//! Held and needed locks are sets of bits, two for each lock that counts: the first is set if the lock is held in any
//! mode, the second if it is held in write mode. To acquire a lock in write mode, no other thread may have the first
//! bit; to acquire it in read mode, no other thread may have the second.

use super::path::{CallId, Calls, LocalStep};
use crate::semantics::{Act, LockChange, OpenBlocks};
use eml::model::{LockId, Mode, Model, Operation};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};

/// The effect of a call.
#[derive(Clone, Debug)]
pub(super) struct CallEffect {
    /// The bits that no other thread may hold, for the locks that the call takes at some time, among those that count.
    pub(super) takes: FixedBitSet,
    /// The phases that allow all its actions.
    pub(super) allowed: FixedBitSet,
}

/// The number of bits of a lock.
pub(super) const BITS: usize = 2;

/// The bit that other threads must not have if a lock is to be taken in a mode.
pub(super) fn needed(lock: usize, mode: Mode) -> usize {
    match mode {
        Mode::Read => BITS * lock + 1,
        Mode::Write => BITS * lock,
    }
}

/// The bits of a thread that has taken a lock in a mode.
pub(super) fn taken(lock: usize, mode: Mode) -> impl Iterator<Item = usize> {
    let bits = match mode {
        Mode::Read => 1,
        Mode::Write => 2,
    };
    BITS * lock..BITS * lock + bits
}

/// The effects of the calls of a path, each outside and inside of a unit.
#[derive(Clone, Debug)]
pub(super) struct CallEffects(Vec<[CallEffect; 2]>);

/// The locks and the phases that count.
pub(super) struct EffectContext<'a> {
    pub(super) model: &'a Model,
    /// The number of locks that count, and the number of each.
    pub(super) locks: usize,
    pub(super) number: &'a dyn Fn(LockId) -> Option<usize>,
    /// The number of phases, and whether each allows a step.
    pub(super) phases: usize,
    pub(super) allows: &'a dyn Fn(usize, &Act) -> bool,
    pub(super) meter: &'a Meter,
}

impl CallEffects {
    /// Computes the effects. Linear in the size of the calls, times the numbers of locks and phases.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(calls: &Calls, context: &EffectContext<'_>) -> Result<Self, StopReason> {
        let effects = calls.bottom_up(|steps, of: &dyn Fn(CallId) -> Result<[CallEffect; 2], StopReason>| {
            context.meter.work_of(1 + steps.len())?;
            let one = |in_unit| context.effect(steps, in_unit, of);
            Ok([one(false)?, one(true)?])
        });
        effects.into_iter().collect::<Result<_, _>>().map(Self)
    }

    /// The effect of a call that begins inside or outside of a unit.
    pub(super) fn of(&self, call: CallId, in_unit: bool) -> &CallEffect {
        &self.0[call.index()][usize::from(in_unit)]
    }
}

impl EffectContext<'_> {
    fn effect(
        &self,
        steps: &[LocalStep],
        in_unit: bool,
        of: &dyn Fn(CallId) -> Result<[CallEffect; 2], StopReason>,
    ) -> Result<CallEffect, StopReason> {
        let mut effect =
            CallEffect { takes: FixedBitSet::with_capacity(BITS * self.locks), allowed: self.all_phases() };
        let mut open = OpenBlocks::only_unit(in_unit);
        for step in steps {
            match step {
                LocalStep::Node(node) => {
                    let operation = self.model.node(*node).operation;
                    // A branching point is no step.
                    if operation != Operation::Skip {
                        self.keep_phases_for(&open.act(operation), &mut effect.allowed);
                    }
                    if let LockChange::Takes(lock, mode) = open.execute(operation) {
                        effect.takes.extend((self.number)(lock).map(|lock| needed(lock, mode)));
                    }
                }
                LocalStep::Wants(node) => {
                    if let Some(Act::Wants { lock, mode, .. }) = open.wants(self.model.node(*node).operation) {
                        // The locks held by the callers are unknown here, so a phase must allow the step whatever is
                        // held.
                        let held = self.every_lock();
                        self.keep_phases_for(&Act::Wants { lock, mode, held }, &mut effect.allowed);
                    }
                }
                LocalStep::Call(_, call) => {
                    let [outside, within] = of(*call)?;
                    let inner = if open.in_unit() { within } else { outside };
                    effect.takes.union_with(&inner.takes);
                    effect.allowed.intersect_with(&inner.allowed);
                }
            }
        }
        Ok(effect)
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

    /// Keeps those of some phases that allow a step.
    pub(super) fn keep_phases_for(&self, act: &Act, phases: &mut FixedBitSet) {
        for phase in 0..self.phases {
            if phases.contains(phase) && !(self.allows)(phase, act) {
                phases.remove(phase);
            }
        }
    }
}
