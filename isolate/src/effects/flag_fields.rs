//! Atomic accesses to [flag fields](crate::facts::flag_fields) of followed objects: steps of a lock.

use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::{HeldLock, State};
use crate::facts::flag_protocol::Use;
use crate::graph::Step;
use crate::value::{Lock, Value};
use eml::model::Mode;
use java::Type;
use java::library::{Action, Row};
use java::points_to::Target;

impl Interpreter<'_> {
    /// All exits of a call on a handle of a flag field of a followed object.
    pub(super) fn flag_field_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let Some(Target::Field(field)) = self.handle_targets(at, call).only() else { return None };
        let values = self.heap.flag_values(field)?.clone();
        let Some(Value::Region(region)) = call.values.get(1).copied() else { return None };
        let given = |place: usize| match call.values.get(place) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let number = |number: i32| Some(Value::Int(number));
        match self.heap.use_of_flag_field(row, given) {
            Use::Takes(_) => {
                let lock = Lock::Flag(region, field);
                let mut taken = state.clone();
                if !taken.acquire(HeldLock::Explicit(lock, Mode::Write)) {
                    return None;
                }
                let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
                let is_flag = self.heap.program.result_type(call.member.descriptor) == Some(Type::Boolean);
                let returns_before = !is_flag || matches!(row.actions, [Action::GetsAndSets(_)]);
                let yes = if returns_before { 0 } else { 1 };
                let no: Vec<i32> = if returns_before { values.into_iter().collect() } else { vec![0] };
                let failures = no.into_iter().map(|no| (after, state.clone(), number(no)));
                Some(std::iter::once((acquired, taken, number(yes))).chain(failures).collect())
            }
            Use::Frees => {
                let (released, freed) = self.free_flag_field(execution, at, (after, state.clone()), (region, field));
                Some(vec![(released, freed, Some(Value::Any))])
            }
            Use::Looks => {
                let all = std::iter::once(0).chain(values);
                Some(all.map(|value| (after, state.clone(), number(value))).collect())
            }
            Use::Other => None,
        }
    }
}
