//! What calls do that are one step of a path, as far as others can tell: the locks that they need free, and the phases that
//! allow all their actions.

use super::path::{CallId, Calls, LocalStep};
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, Operation};
use crate::semantics::{Act, LockChange, Open};
use fixedbitset::FixedBitSet;

/// What a call does.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// The locks that it takes at some time, among those that count.
    pub(super) takes: FixedBitSet,
    /// The phases that forbid none of its actions.
    pub(super) allowed: FixedBitSet,
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
        let mut inside = Inside { takes: FixedBitSet::with_capacity(self.locks), allowed: self.all_phases() };
        let mut open = Open::only_unit(in_unit);
        for step in steps {
            match step {
                LocalStep::Node(node) => {
                    let operation = self.model.node(*node).operation;
                    // To branch is no step.
                    if operation != Operation::Skip {
                        inside.allowed.intersect_with(&self.phases_for(&open.act(operation)));
                    }
                    if let LockChange::Takes(lock, _) = open.execute(operation) {
                        inside.takes.extend((self.number)(lock));
                    }
                }
                LocalStep::Wants(node) => {
                    if let Some(act) = open.wants(self.model.node(*node).operation) {
                        inside.allowed.intersect_with(&self.phases_for(&act));
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
