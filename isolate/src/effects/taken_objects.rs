//! Locks of objects that a unit has [taken](crate::facts::taken_objects) out of a container.

use crate::exec::context::Steps;
use crate::exec::execution::{Call, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::lock_effects::ReleasedLock;
use crate::exec::state::{HeldLock, State};
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::InvokeKind;

/// Names of methods that put their argument into the receiver.
const PUTTING: [&str; 11] =
    ["put", "offer", "add", "push", "offerFirst", "offerLast", "addFirst", "addLast", "putFirst", "putLast", "set"];

impl Interpreter<'_> {
    /// Whether a call takes its result.
    fn takes(&self, at: Position<'_>, call: &Call<'_>) -> bool {
        let variables = call.variables.filter(|_| call.kind != InvokeKind::Static && !self.mode.is_program);
        let receiver = call.values.first().and_then(|value| value.region());
        receiver.is_some()
            && variables.is_some_and(|variables| self.heap.takes_result(&at.code.body, call.member, variables))
    }

    /// The followed objects that a call may take.
    pub(super) fn taken(&mut self, at: Position<'_>, state: &State, call: &Call<'_>) -> Vec<RegionId> {
        if !self.takes(at, call) {
            return Vec::new();
        }
        let Value::Open(of, _) = self.assigned_value(at, state, call.to) else { return Vec::new() };
        let region = |option: &Value| match option {
            Value::Region(region) if !self.locks.rejected.contains(region) => Some(*region),
            _ => None,
        };
        self.options(of).iter().filter_map(region).collect()
    }

    /// Acquires the lock of an object that the unit takes next. An object that was taken before is forgotten.
    pub(super) fn own(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, State),
        region: RegionId,
    ) -> (Option<usize>, State) {
        self.locks.spin_flags.insert(region);
        let (after, mut state) = self.disown(execution, at, (after, state), region);
        let lock = Lock::Owner(region);
        let before = state.clone();
        match state.acquire(HeldLock::Explicit(lock, Mode::Write)) {
            true => (execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line()), state),
            false => (after, before),
        }
    }

    /// Releases the lock of an object that the unit has taken, if it holds it here.
    fn disown(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, State),
        region: RegionId,
    ) -> (Option<usize>, State) {
        let lock = Lock::Owner(region);
        let held = HeldLock::Explicit(lock, Mode::Write);
        let mut released = state.clone();
        let is_held = state.held.contains(&held);
        match is_held.then(|| released.release(held, self.mode.overlaps)).flatten() {
            Some(ReleasedLock::Own) => {
                (execution.add_steps(after, Steps::One(Step::Release(lock, Mode::Write)), at.line()), released)
            }
            _ => (after, state),
        }
    }

    /// Releases the locks of the objects that a call stores.
    pub(super) fn disown_stored(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (mut after, mut state): (Option<usize>, State),
        call: &Call<'_>,
    ) -> (Option<usize>, State) {
        let receivers = usize::from(call.kind != InvokeKind::Static);
        let given: Vec<Value> = call.values.iter().skip(receivers).copied().collect();
        for value in given {
            if let Value::Region(region) = value {
                (after, state) = self.disown(execution, at, (after, state), region);
            }
        }
        (after, state)
    }

    /// Whether a call puts a taken or a new object back, so that it is no access of its receiver.
    pub(super) fn puts_back(&self, at: Position<'_>, call: &Call<'_>) -> bool {
        let Some([receiver, stored, ..]) = call.variables.filter(|_| call.kind != InvokeKind::Static) else {
            return false;
        };
        let terms = &at.code.terms;
        let is_same = |one, other| one == other || terms.of(one) == terms.of(other);
        let name = self.heap.program.text(call.member.name);
        PUTTING.contains(&name)
            && !self.mode.is_program
            && self.heap.puts_back(&at.code.body, (*receiver, *stored), at.point.block, &is_same)
    }
}
