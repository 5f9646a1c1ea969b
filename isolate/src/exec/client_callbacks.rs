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

use super::calls::Call;
use super::dispatch::LambdaTarget;
use super::execution::Position;
use super::interpreter::{Interpreter, MadeKind};
use crate::Stuck;
use crate::facts::objects::{ObjectKind, is_visible};
use crate::graph::ContextId;
use crate::value::Value;
use java::ir::{Body, Operation, StatementId, Variable};
use java::points_to::{Object, ObjectId};
use java::{HandleKind, InvokeKind, Member, MethodId, Name, Type};
use std::sync::Arc;

/// Value numbers from here on: parameters passed by a more general type.
const BY_PARAMETER: u32 = 8000;

/// An object as a function.
pub(crate) struct Function {
    /// The program methods that it may run.
    pub(crate) methods: Vec<MethodId>,
    /// The types of all its inputs; captured values come first.
    pub(crate) parameters: Vec<Type>,
    /// Number of captured values.
    pub(crate) captured: usize,
}

impl Interpreter<'_> {
    /// The contexts of the functions that a call passes to clients' code.
    pub(crate) fn callback_contexts(&mut self, at: Position<'_>, call: &Call<'_>) -> Result<Vec<ContextId>, Stuck> {
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
                found.extend(self.contexts_of(value, &functions, None)?);
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Whether an object is a lambda, or of a program class that clients cannot name.
    fn is_hidden(&self, object: ObjectId) -> bool {
        match self.heap.kind_of(object) {
            ObjectKind::Lambda => true,
            ObjectKind::Program(class) => !is_visible(self.heap.program, class),
            _ => false,
        }
    }

    /// The program methods that a method passes to clients' code as functions, directly or inside of library objects.
    pub(crate) fn callback_methods(&self, method: MethodId) -> Arc<[MethodId]> {
        self.heap.shared.callback_methods.get_or_find((method, self.heap.is_in_part), || {
            let Some(body) = self.heap.body(method) else { return Vec::new() };
            let arguments = body.blocks().flat_map(|(block, of)| {
                (0..).zip(&*of.statements).filter_map(move |(index, statement)| match &statement.operation {
                    Operation::Invoke { arguments, .. } => Some((StatementId { block, index }, arguments)),
                    _ => None,
                })
            });
            let is_passed = |id| self.heap.points.callees(method, id).is_some_and(|callees| callees.client);
            let passed = arguments.filter(|(id, _)| is_passed(*id)).flat_map(|(_, arguments)| arguments.iter());
            let objects = self.heap.library_closure(passed.flat_map(|of| self.heap.variable(method, *of)).collect());
            let functions = objects.into_iter().filter(|object| self.is_hidden(*object));
            let mut found: Vec<MethodId> =
                functions.flat_map(|object| self.functions_of(object)).flat_map(|function| function.methods).collect();
            found.sort_unstable();
            found.dedup();
            found
        })
    }

    /// The arguments of a lambda that a statement calls, narrowed by the types of its parameters.
    pub(crate) fn lambda_arguments(&mut self, at: Position<'_>, call: &Call<'_>, lambda: &LambdaTarget) -> Vec<Value> {
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

    /// The functions that an object may be. An external object may be a function that clients got from the program.
    pub(crate) fn functions_of(&self, object: ObjectId) -> Vec<Function> {
        match self.heap.kind_of(object) {
            ObjectKind::Lambda => self.lambda_function(object).into_iter().collect(),
            ObjectKind::Program(class) => {
                let of_method = |method| {
                    let methods = vec![method];
                    let declared = self.heap.program.method(method);
                    let parameters = self.declared_types(declared.descriptor);
                    Function { methods, parameters, captured: 0 }
                };
                self.heap.named_methods(class, None).into_iter().map(of_method).collect()
            }
            ObjectKind::External(of) => {
                let back = self.heap.returned_by_clients(self.heap.points.type_name(of));
                back.iter().filter_map(|object| self.lambda_function(*object)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn lambda_function(&self, object: ObjectId) -> Option<Function> {
        let Object::Lambda { implementation, .. } = self.heap.points.object(object) else { return None };
        let methods = self.heap.methods_of_reference(implementation.kind, implementation.member);
        let parameters = self.parameter_types(implementation.kind, implementation.member);
        Some(Function { methods, parameters, captured: usize::from(self.heap.captured_count(object)) })
    }

    /// The types of a lambda's inputs: captured values first, then the receiver, if it calls an instance method.
    fn parameter_types(&self, kind: HandleKind, member: Member) -> Vec<Type> {
        let has_receiver = !matches!(kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
        let receiver = has_receiver.then_some(Type::Class(member.class));
        receiver.into_iter().chain(self.declared_types(member.descriptor)).collect()
    }

    fn declared_types(&self, descriptor: Name) -> Vec<Type> {
        self.heap.program.method_type(descriptor).map(|of| of.parameters.to_vec()).unwrap_or_default()
    }

    /// The objects of a variable that are of another type; none if no followed object is among them.
    pub(crate) fn cast_to(&self, (method, body, variable): (MethodId, &Body, Variable), to: Type) -> Vec<ObjectId> {
        if !narrows(body, variable, to) {
            return Vec::new();
        }
        let mut objects = self.heap.narrowed(&self.heap.variable(method, variable), to);
        if !objects.iter().any(|object| self.may_be_followed(*object)) {
            objects.clear();
        }
        objects
    }
}

/// Whether the type may narrow the points-to set of a variable.
pub(crate) fn narrows(body: &Body, variable: Variable, to: Type) -> bool {
    to.is_reference() && body.variable(variable).of.is_some_and(|from| from != to)
}
