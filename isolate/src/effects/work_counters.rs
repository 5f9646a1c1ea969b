//! Calls on [work counters](crate::facts::work_counters) of followed objects: steps of a lock.

use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::{HeldLock, State};
use crate::facts::shared::Counter;
use crate::facts::work_counters::Use;
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::library::{Attribute, Row};
use java::points_to::Target;

impl Interpreter<'_> {
    /// All exits of a call on a work counter; none if it is no such call.
    pub(super) fn work_counter_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let (counter, lock) = self.counter_lock(at, row, call)?;
        let has_task = self.heap.has_task(counter);
        let number = |number: i32| Some(Value::Int(number));
        let name = self.heap.program.text(call.member.name);
        match self.heap.use_of_work_counter(name) {
            Use::Enters(first) => {
                let held = HeldLock::Explicit(lock, Mode::Write);
                let other = if name.ends_with("ompareAndSet") { 0 } else { first + 1 };
                let busy = (after, state.clone(), number(other));
                if has_task {
                    return Some(vec![(after, state.clone(), number(first)), busy]);
                }
                // The thread itself may be inside.
                if state.held.contains(&held) {
                    return Some(vec![busy]);
                }
                let mut inside = state.clone();
                if !inside.acquire(held) {
                    return None;
                }
                let entered = execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
                Some(vec![(entered, inside, number(first)), busy])
            }
            Use::Leaves => {
                let (left, outside) = match has_task {
                    true => (after, state.clone()),
                    false => self.free(execution, at, (after, state.clone()), lock),
                };
                Some(vec![(left, outside, number(0)), (after, state.clone(), number(1))])
            }
            Use::Looks | Use::Other => Some(vec![(after, state.clone(), Some(Value::Any))]),
        }
    }

    /// The work counter that a call is about, and its lock.
    fn counter_lock(&mut self, at: Position<'_>, row: &Row<'_>, call: &Call<'_>) -> Option<(Counter, Lock)> {
        if self.mode.is_program {
            return None;
        }
        if row.attributes.has(Attribute::Handle) {
            let Some(Target::Field(field)) = self.handle_targets(at, call).only() else { return None };
            let Some(Value::Region(region)) = call.values.get(1).copied() else { return None };
            let counter = Counter::Field(field);
            return self.heap.is_work_counter(counter).then_some((counter, Lock::Counter(region, Some(field))));
        }
        let Some(Value::Region(region)) = call.values.first().copied() else { return None };
        let found = &self.regions.regions[region.index()];
        let class = if region == RegionId::SUBJECT { Some(self.mode.class) } else { found.class };
        let counter = class.and_then(|class| self.heap.counter_of_class(class));
        let counter = counter.filter(|counter| self.heap.is_work_counter(*counter));
        let counter = counter.or_else(|| self.heap.work_counter_of(&found.objects))?;
        Some((counter, Lock::Counter(region, None)))
    }
}
