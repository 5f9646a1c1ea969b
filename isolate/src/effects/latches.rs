//! Latches that a unit opens after it has set a value once.
//!
//! **Definition.** A latch *follows* an atomic that is [set once](crate::facts::once_values) if it is made with a count
//! of 1 and each unit that counts it down has set the atomic before.
//!
//! **Rule** [`SettersOnce`](crate::Rule::SettersOnce). A unit that has waited for such a latch does not overlap with a
//! unit that sets the atomic.
//!
//! *Why it suffices.* One unit sets the atomic, and what it does before it counts down happens before the wait ends.
//! What it does afterwards is lost for findings.

use super::rows::RowCall;
use crate::exec::context::Steps;
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::facts::stored::Stored;
use crate::graph::Step;
use crate::value::{Location, Lock, RegionId, Value};
use eml::model::Mode;
use java::library::Subject;
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// Notes the atomics that the unit has set before it counts a latch down.
    pub(super) fn note_count_down(&mut self, row_call: &RowCall<'_, '_>) {
        let Value::Region(latch) = Self::value_of(row_call.call, Subject::This) else { return };
        let set: BTreeSet<Location> =
            row_call.state.own_contents().to_vec().into_iter().map(|region| self.content_location(region)).collect();
        let location = self.content_location(latch);
        let known = self.threads.latches.entry(location).or_insert_with(|| set.clone());
        known.retain(|atomic| set.contains(atomic));
    }

    /// Marks that a unit has waited for a latch.
    pub(super) fn await_latch(&mut self, execution: &mut Execution, at: Position<'_>, row_call: &mut RowCall<'_, '_>) {
        let Value::Region(latch) = Self::value_of(row_call.call, Subject::This) else { return };
        if !self.heap.modality.omits(crate::Rule::SettersOnce) || self.mode.is_program || !self.counts_one(latch) {
            return;
        }
        let lock = Lock::Awaited(self.content_location(latch));
        for step in [Step::Acquire(lock, Mode::Read), Step::Release(lock, Mode::Read)] {
            row_call.after = execution.add_steps(row_call.after, Steps::One(step), at.line());
        }
    }

    /// Whether a latch is made with a count of 1.
    fn counts_one(&self, latch: RegionId) -> bool {
        self.heap.argument_of_parent(&self.regions, latch, 1) == Some(Stored::Int(1))
    }
}
