//! Functions that run inside of a step of a concurrent object, or of one of its keys.
//!
//! **Definition.** `functions of X` is a lock of the model. The methods of X that run functions inside of one step hold
//! it, so no two of these functions run at once. If the step belongs to a key, X is the value under the key, if it has
//! a [single key](crate::facts::single_key): every function that gets it as the value of a key has the same key of the
//! same map.
//!
//! *Why it suffices.* At run time, all these methods of one object, or for one key, exclude each other; so the lock
//! forbids nothing that can happen. It is not the lock of the operations: methods that run no functions, such as `get`,
//! need not wait. The accesses of the methods themselves come together, after those of the functions: no other thread
//! changes the content meanwhile, so a read of it can be moved there.

use super::rows::RowCall;
use crate::Stuck;
use crate::exec::context::{ContextId, Steps};
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::graph::{Exit, Step};
use crate::value::{RegionId, Value};
use java::MethodId;
use java::ir::Variable;
use java::library::{Action, Guard, Source, Thread};
use std::collections::BTreeSet;

/// A method with its arguments, and the followed objects to which it has exclusive access.
type Case = (MethodId, Vec<Value>, BTreeSet<RegionId>);

impl Interpreter<'_> {
    /// The followed object that runs one function at a time, if the call's functions run inside of one step of it: such
    /// a step holds the object's lock, as do other steps that run functions. A method that waits releases the lock
    /// between two functions.
    pub(super) fn function_owner(&self, row_call: &RowCall<'_, '_>) -> Option<RegionId> {
        let traits = &row_call.row.traits;
        let is_whole = traits.inside && !traits.several && traits.values_of_key.is_none();
        let runs = row_call.row.actions.iter().any(|action| matches!(action, Action::Calls(_)));
        let waits = row_call.row.actions.contains(&Action::Blocks);
        match row_call.call.values.first() {
            Some(Value::Region(region)) if is_whole && runs && !waits && row_call.row.guard() == Guard::Operations => {
                Some(*region)
            }
            _ => None,
        }
    }

    /// The followed objects that functions may get for a key, if they run in the step of that key: each choice is an
    /// alternative of its own, as the step is atomic for the values under the key.
    pub(super) fn choices(
        &mut self,
        at: Position<'_>,
        row_call: &RowCall<'_, '_>,
    ) -> Result<Vec<BTreeSet<RegionId>>, Stuck> {
        let mut found = BTreeSet::from([BTreeSet::new()]);
        let Some(of_key) = row_call.row.traits.values_of_key else { return Ok(found.into_iter().collect()) };
        for action in row_call.row.actions {
            let Action::Calls(call) = action else { continue };
            let Source::Itself(subject) = call.whom else { continue };
            if call.thread == Thread::Caller {
                let place = (Self::value_of(row_call.call, subject), Self::variable_of(row_call.call, subject));
                let cases = self.cases_for_key(at, place, call.method.as_deref(), of_key)?;
                found.extend(cases.into_iter().map(|(.., regions)| regions));
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Which parameters of a function are values of the key in whose step it runs, and have a single key. A library
    /// function may pass on other objects than its arguments.
    fn exclusive_arguments(
        &mut self,
        at: Position<'_>,
        (value, variable): (Value, Option<Variable>),
        function: ContextId,
        of_key: u8,
    ) -> Vec<bool> {
        let (method, values) = self.method_of(function);
        let mut alone = vec![false; values.len()];
        let is_direct = match value {
            Value::Made(made) => !matches!(self.made(made).kind, MadeKind::Library(_)),
            Value::Region(region) => self.is_program_object(region),
            Value::Open(of, _) => !self.sets.objects(of).iter().any(|object| self.heap.is_of_library(*object)),
            _ => variable.is_some_and(|variable| {
                let objects = self.heap.variable(self.contexts[at.id.index()].method, variable);
                !objects.into_iter().any(|object| self.heap.is_of_library(object))
            }),
        };
        let Some(body) = self.heap.body(method).filter(|_| is_direct) else { return alone };
        let first = values.len().saturating_sub(usize::from(of_key));
        for place in first..values.len() {
            if let (Value::Open(..), Some(parameter)) = (values[place], body.parameters.get(place)) {
                let of = self.variable_set(method, *parameter);
                alone[place] = self.have_single_key(of);
            }
        }
        alone
    }

    /// The cases of a function that runs for a key: its method and arguments, and the followed objects to which it has
    /// exclusive access.
    fn cases_for_key(
        &mut self,
        at: Position<'_>,
        place: (Value, Option<Variable>),
        method: Option<&str>,
        of_key: u8,
    ) -> Result<Vec<Case>, Stuck> {
        let mut found = Vec::new();
        for context in self.contexts_run(at, place, method, false)? {
            let alone = self.exclusive_arguments(at, place, context, of_key);
            let (method, values) = self.method_of(context);
            let cases = self.argument_cases(values, &alone);
            found.extend(cases.into_iter().map(|(values, regions)| (method, values, regions)));
        }
        Ok(found)
    }

    /// Runs a function for one key, at most once: it has exclusive access to the object under the key with respect to
    /// others that get it in the same way. The key is held around it.
    pub(super) fn run_for_key(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        (place, method, of_key): ((Value, Option<Variable>), Option<&str>, u8),
    ) -> Result<(), Stuck> {
        self.leave_step(execution, at, row_call);
        let mut steps = Vec::new();
        for (method, values, regions) in self.cases_for_key(at, place, method, of_key)? {
            if regions != row_call.choice || !self.must_enter(method, &values) {
                continue;
            }
            let callee = self.context_of(method, values)?;
            self.contexts[callee.index()].callers.insert(at.caller());
            if self.contexts[callee.index()].effects.len() > 1 {
                return Err(self.not_nested(at));
            }
            steps.push(Step::Call(callee, Exit::Any));
        }
        if !steps.is_empty() {
            row_call.after = execution.add_steps(row_call.after, Steps::Optional(steps), at.line());
        }
        Ok(())
    }

    /// The case split of unresolved arguments, with the regions at the positions of exclusive access.
    fn argument_cases(&mut self, values: Vec<Value>, alone: &[bool]) -> Vec<(Vec<Value>, BTreeSet<RegionId>)> {
        let is_exclusive: Vec<Value> =
            { values.iter().zip(alone) }.filter(|(_, alone)| **alone).map(|(it, _)| *it).collect();
        let mut cases = vec![(values, BTreeSet::new())];
        loop {
            let undecided = cases[0].0.iter().find_map(|value| match value {
                Value::Open(of, number) => Some((*of, *number)),
                _ => None,
            });
            let Some((of, number)) = undecided else { return cases };
            let options = self.options(of);
            let is_exclusive = is_exclusive.contains(&Value::Open(of, number));
            let decided = cases.into_iter().flat_map(|(values, regions)| {
                options.iter().copied().map(move |option| {
                    let replace = |value: &Value| if *value == Value::Open(of, number) { option } else { *value };
                    let region = match option {
                        Value::Region(region) if is_exclusive && !Self::is_subject(option) => Some(region),
                        _ => None,
                    };
                    (values.iter().map(replace).collect(), regions.iter().copied().chain(region).collect())
                })
            });
            cases = decided.collect();
        }
    }
}
