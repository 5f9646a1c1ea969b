//! Own synchronizers that are locks.
//!
//! **Definition.** A class of the program is a *mutex* if it extends `AbstractQueuedSynchronizer` and its `tryAcquire`
//! decides by a compare-and-set of the state from 0, without a look at the state, unless it compares the owner with the
//! present thread.
//!
//! **Rule** [`FlagLocks`](crate::Rule::FlagLocks). `acquire` of a followed mutex acquires a lock of the model,
//! `release` releases it.

use crate::Rule;
use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::lock_effects::ReleasedLock;
use crate::exec::state::{HeldLock, State};
use crate::graph::Step;
use crate::value::{Lock, Value};
use eml::model::Mode;
use java::ir::{Body, Definition, Operation, Variable};
use java::{ClassId, Constant};

const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";

impl Interpreter<'_> {
    /// All exits of `acquire` or `release` of a followed mutex.
    pub(super) fn synchronizer_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let acquires = match self.heap.program.text(call.member.name) {
            "acquire" | "acquireInterruptibly" => true,
            "release" => false,
            _ => return None,
        };
        let Some(Value::Region(region)) = call.values.first().copied() else { return None };
        let class = self.regions.regions[region.index()].class?;
        if !self.heap.modality.omits(Rule::FlagLocks) || !self.is_mutex(class) {
            return None;
        }
        let lock = Lock::Explicit(region);
        let held = HeldLock::Explicit(lock, Mode::Write);
        let mut changed = state.clone();
        if acquires {
            if !changed.acquire(held) {
                return None;
            }
            let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
            return Some(vec![(acquired, changed, Some(Value::Any))]);
        }
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let step = match changed.release(held, self.mode.overlaps) {
            Some(ReleasedLock::Own) => Step::Release(lock, Mode::Write),
            Some(ReleasedLock::OfCaller(number)) if !has_own => Step::ReleaseForCaller(lock, Mode::Write, number),
            _ => return None,
        };
        let released = execution.add_steps(after, Steps::One(step), at.line());
        Some(vec![(released, changed, Some(Value::Any))])
    }

    fn is_mutex(&self, class: ClassId) -> bool {
        let program = self.heap.program;
        if self.heap.library_superclass(class) != Some(SYNCHRONIZER) {
            return false;
        }
        let mut methods = program.superclasses(class).flat_map(|class| program.class(class).methods());
        let tries = methods.find(|method| program.text(program.method(*method).name) == "tryAcquire");
        let Some(body) = tries.and_then(|method| self.heap.body(method)) else { return false };
        let mut called: Vec<&str> = Vec::new();
        let mut takes = false;
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            if let Operation::Invoke { member, arguments, .. } = &statement.operation {
                let name = program.text(member.name);
                if name == "compareAndSetState" {
                    takes = arguments.get(1).is_some_and(|expected| is_zero(&body, *expected));
                    if !takes {
                        return false;
                    }
                }
                called.push(name);
            }
        }
        let looks = called.contains(&"getState") && !called.contains(&"getExclusiveOwnerThread");
        takes && !looks
    }
}

fn is_zero(body: &Body, variable: Variable) -> bool {
    match body.variable(variable).definition {
        Definition::Statement(id) => body.statement(id).operation == Operation::Constant(Constant::Int(0)),
        _ => false,
    }
}
