//! Functions passed to clients' code, and function parameters that are passed by a more general type.
//!
//! *Callbacks.* Code of clients is a unit of its own. But a function that the unit has made is code of the unit, and
//! the client may run it before its call returns. **Invariant.** If a call may run code of clients, then the functions
//! among its arguments whose classes clients cannot name run there, any number of times, in any order. *Why it
//! suffices.* Clients can run all other program code on their own, too; the model includes that.
//!
//! *Types of parameters.* A call of a function uses the type of its interface, which is more general than the parameter
//! type if the interface is generic. **Invariant.** A value whose type was too general gets the points-to set of the
//! parameter when it becomes one: it may be followed from then on, as after a cast.

use super::execution::{Call, Position};
use super::interpreter::{Interpreter, MadeKind};
use crate::Stuck;
use crate::facts::objects::is_visible;
use crate::facts::target::LambdaTarget;
use crate::graph::ContextId;
use crate::value::Value;
use java::InvokeKind;
use java::ir::Variable;
use java::points_to::ObjectId;

/// Value numbers from here on: parameters passed by a more general type.
const BY_PARAMETER: u32 = 8000;

impl Interpreter<'_> {
    /// The contexts of the functions that a call passes to clients' code.
    pub(crate) fn callback_contexts(&mut self, at: Position<'_>, call: &Call<'_>) -> Result<Vec<ContextId>, Stuck> {
        let mut found = self.callbacks_by_argument(at, call)?.concat();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Returns the [callbacks](Self::callback_contexts) of each argument that has some.
    pub(crate) fn callbacks_by_argument(
        &mut self,
        at: Position<'_>,
        call: &Call<'_>,
    ) -> Result<Vec<Vec<ContextId>>, Stuck> {
        let mut found = Vec::new();
        let skipped = usize::from(call.kind != InvokeKind::Static);
        for (place, value) in call.values.iter().copied().enumerate().skip(skipped) {
            let variable = call.variables.and_then(|variables| variables.get(place).copied());
            let objects: Vec<ObjectId> = match (value, variable) {
                (Value::Made(made), _) => match self.made(made).kind {
                    MadeKind::Library(_) => continue,
                    MadeKind::Lambda(_) | MadeKind::Object(_) => Vec::new(),
                },
                (Value::Region(region), _) => {
                    let class = self.regions.regions[region.index()].class;
                    if class.is_none_or(|class| is_visible(self.heap.program, class)) {
                        continue;
                    }
                    Vec::new()
                }
                (Value::Open(of, _), _) => self.sets.objects(of).to_vec(),
                (Value::Any | Value::Other | Value::Foreign | Value::Derived, Some(variable)) => {
                    self.heap.variable(self.contexts[at.id.index()].method, variable)
                }
                _ => continue,
            };
            let functions: Vec<ObjectId> = objects.into_iter().filter(|object| self.is_hidden(*object)).collect();
            if matches!(value, Value::Made(_) | Value::Region(_)) || !functions.is_empty() {
                found.push(self.contexts_of(value, &functions, None)?);
            }
        }
        found.retain(|contexts| !contexts.is_empty());
        Ok(found)
    }

    /// The arguments of a lambda that a statement calls, narrowed by the types of its parameters.
    pub(super) fn lambda_arguments(&mut self, at: Position<'_>, call: &Call<'_>, lambda: &LambdaTarget) -> Vec<Value> {
        let mut arguments = call.values.get(1..).unwrap_or_default().to_vec();
        let variables = call.variables.and_then(|variables| variables.get(1..)).unwrap_or_default();
        for (place, (value, variable)) in arguments.iter_mut().zip(variables).enumerate() {
            if *value == Value::Any {
                *value = self.by_parameter(at, *variable, (lambda, place));
            }
        }
        arguments
    }

    /// The value of a variable whose own type is too general, by the type of a lambda's parameter.
    fn by_parameter(&mut self, at: Position<'_>, variable: Variable, (lambda, place): (&LambdaTarget, usize)) -> Value {
        let parameters = self.parameter_types(lambda.kind, lambda.member());
        let Some(parameter) = parameters.get(lambda.captured.len() + place).copied() else { return Value::Any };
        let caller = self.contexts[at.id.index()].method;
        let objects = self.cast_to((caller, &at.code.body, variable), parameter);
        match objects.is_empty() {
            true => Value::Any,
            false => Value::Open(self.sets.id(objects), BY_PARAMETER + u32::try_from(place).unwrap_or(0)),
        }
    }
}
