//! Functions that are handed to code which is not given, and what functions get by a more general type.
//!
//! *Handed functions.* What code of clients does is a unit of its own. But a function that the unit has made is code of
//! the unit: the client may run it before its call returns. **Invariant.** If a call may run code of clients, then the
//! functions among its arguments that clients cannot name are run there, any number of times, in any order. *Why it is
//! enough.* What clients call otherwise of the program, they can call as well on their own; the model has that.
//!
//! *Types of parameters.* A function is called by the type of its interface, which is more general than that of its
//! parameters where the interface is generic. **Invariant.** A value that was too general to be told apart is what the
//! pointer analysis says of the parameter, once it is one: it may be followed then, as after a cast.
//!
//! *Finding.* A method in which library code or a client passes a followed object to a function, or calls it, finds it
//! ([`finding`](super::finding)), although no statement of it assigns it.

use super::calls::{Call, place_of};
use super::dispatch::LambdaTarget;
use super::execution::Here;
use super::finding::Searched;
use super::interpreter::{Interpreter, Kind};
use super::objects::{What, is_visible};
use crate::isolate::Stuck;
use crate::isolate::graph::ContextId;
use crate::isolate::value::Value;
use java::ir::{Body, Operation, StatementId, Variable};
use java::library::{Action, Row, Source, Thread};
use java::points_to::{Object, ObjectId};
use java::{HandleKind, InvokeKind, Member, MethodId, Name, Type};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Of this number on are the values that functions get by a more general type.
const BY_PARAMETER: u32 = 8000;

/// What an object is as a function.
struct Function {
    /// The given methods that it may run.
    methods: Vec<MethodId>,
    /// The types of what it gets, with what it has captured first.
    parameters: Vec<Type>,
    /// So many of them it has itself.
    known: usize,
}

impl Interpreter<'_> {
    /// The contexts of the functions that a call hands to code of clients.
    pub(super) fn handed_contexts(&mut self, at: Here<'_>, call: &Call<'_>) -> Result<Vec<ContextId>, Stuck> {
        let mut found = Vec::new();
        let skipped = usize::from(call.kind != InvokeKind::Static);
        for (place, value) in call.values.iter().copied().enumerate().skip(skipped) {
            let variable = call.variables.and_then(|variables| variables.get(place).copied());
            let objects: Vec<ObjectId> = match (value, variable) {
                (Value::Made(made), _) => match self.made(made).kind {
                    Kind::Library(_) => continue,
                    Kind::Lambda(_) | Kind::Object(_) => Vec::new(),
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

    /// Whether an object is a lambda, or of a given class that clients cannot name.
    fn is_hidden(&self, object: ObjectId) -> bool {
        match self.heap.what(object) {
            What::Lambda => true,
            What::Given(class) => !is_visible(self.heap.program, class),
            _ => false,
        }
    }

    /// The given methods that a method hands to code of clients as functions, or as what the library keeps them in.
    pub(super) fn handed_methods(&self, method: MethodId) -> Arc<[MethodId]> {
        self.heap.shared.handed.get_or_find(method, || {
            let Some(body) = self.heap.body(method) else { return Vec::new() };
            let arguments = body.blocks().flat_map(|(block, of)| {
                (0..).zip(&*of.statements).filter_map(move |(index, statement)| match &statement.operation {
                    Operation::Invoke { arguments, .. } => Some((StatementId { block, index }, arguments)),
                    _ => None,
                })
            });
            let is_handed = |id| self.heap.points.callees(method, id).is_some_and(|callees| callees.client);
            let handed = arguments.filter(|(id, _)| is_handed(*id)).flat_map(|(_, arguments)| arguments.iter());
            let objects = self.heap.library_closure(handed.flat_map(|of| self.heap.variable(method, *of)).collect());
            let functions = objects.into_iter().filter(|object| self.is_hidden(*object));
            let mut found: Vec<MethodId> =
                functions.flat_map(|object| self.functions_of(object)).flat_map(|function| function.methods).collect();
            found.sort_unstable();
            found.dedup();
            found
        })
    }

    /// What a lambda gets that a statement calls, by the types of its parameters.
    pub(super) fn lambda_arguments(&mut self, at: Here<'_>, call: &Call<'_>, lambda: &LambdaTarget) -> Vec<Value> {
        let mut arguments = call.values.get(1..).unwrap_or_default().to_vec();
        let variables = call.variables.and_then(|variables| variables.get(1..)).unwrap_or_default();
        for (place, (value, variable)) in arguments.iter_mut().zip(variables).enumerate() {
            if *value == Value::Any {
                *value = self.by_parameter(at, *variable, (lambda, place));
            }
        }
        arguments
    }

    /// A value that is not followed as far as a variable's type says, by that of a lambda's parameter.
    fn by_parameter(&mut self, at: Here<'_>, variable: Variable, (lambda, place): (&LambdaTarget, usize)) -> Value {
        let parameters = self.parameter_types(lambda.kind, lambda.member());
        let Some(parameter) = parameters.get(lambda.captured.len() + place).copied() else { return Value::Any };
        let caller = self.contexts[at.id.index()].method;
        let objects = self.cast_to((caller, &at.code.body, variable), parameter);
        match objects.is_empty() {
            true => Value::Any,
            false => Value::Open(self.sets.id(objects), BY_PARAMETER + u32::try_from(place).unwrap_or(0)),
        }
    }

    /// Whether a call may run a function that gets a followed object from what is not given: from the content of what
    /// is passed, from code of clients, or as an argument of a type that is too general to be told apart.
    pub(super) fn passes_to_functions(&self, at: Searched<'_>, has_clients: bool) -> bool {
        let Searched { method, operation, .. } = at;
        let Operation::Invoke { kind, member, arguments } = operation else { return false };
        let passed: BTreeSet<ObjectId> =
            arguments.iter().flat_map(|argument| self.heap.closure_of_variable(method, *argument).to_vec()).collect();
        let functions: Vec<Function> = passed.iter().flat_map(|object| self.functions_of(*object)).collect();
        if functions.is_empty() {
            return false;
        }
        let is_of_clients = has_clients && self.heap.row_of_member(*member).is_none();
        if is_of_clients || self.leads_from_contents(at, passed.into_iter(), None) {
            return functions.iter().any(|function| self.may_get_followed(function));
        }
        let given = arguments.get(1..).unwrap_or_default();
        *kind != InvokeKind::Static && functions.iter().any(|function| self.becomes_followed(at, function, given))
    }

    /// Whether what the contents of objects hold may be followed, or be of a class that clients know and that has a method
    /// of this name.
    fn leads_from_contents(
        &self,
        at: Searched<'_>,
        objects: impl Iterator<Item = ObjectId>,
        called: Option<&str>,
    ) -> bool {
        let held = self.heap.contents_of_all(objects.filter(|object| self.heap.is_of_library(*object)));
        let is_any = |object: &ObjectId| match called {
            Some(name) => self.may_be_known(*object, name),
            None => self.heap.is_universal(*object),
        };
        held.iter().any(is_any) || self.leads(at, held)
    }

    /// What an object is as a function. What clients give may be a function that they have got.
    fn functions_of(&self, object: ObjectId) -> Vec<Function> {
        match self.heap.what(object) {
            What::Lambda => self.lambda_function(object).into_iter().collect(),
            What::Given(class) => {
                let of_method = |method| {
                    let methods = vec![method];
                    let declared = self.heap.program.method(method);
                    let parameters = self.declared_types(declared.descriptor);
                    Function { methods, parameters, known: 0 }
                };
                self.heap.named_methods(class, None).into_iter().map(of_method).collect()
            }
            What::External(of) => {
                let back = self.heap.given_back(self.heap.points.type_name(of));
                back.iter().filter_map(|object| self.lambda_function(*object)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn lambda_function(&self, object: ObjectId) -> Option<Function> {
        let Object::Lambda { implementation, .. } = self.heap.points.object(object) else { return None };
        let methods = self.heap.methods_of_reference(implementation.kind, implementation.member);
        let parameters = self.parameter_types(implementation.kind, implementation.member);
        Some(Function { methods, parameters, known: usize::from(self.heap.captured(object)) })
    }

    /// The types of what a lambda gets, with what it has captured first: the receiver, if it calls a method of one.
    fn parameter_types(&self, kind: HandleKind, member: Member) -> Vec<Type> {
        let has_receiver = !matches!(kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
        let receiver = has_receiver.then_some(Type::Class(member.class));
        receiver.into_iter().chain(self.declared_types(member.descriptor)).collect()
    }

    fn declared_types(&self, descriptor: Name) -> Vec<Type> {
        self.heap.program.method_type(descriptor).map(|of| of.parameters.to_vec()).unwrap_or_default()
    }

    /// Whether a function may get a followed object, but for what it has itself.
    fn may_get_followed(&self, function: &Function) -> bool {
        function.methods.iter().any(|method| {
            let Some(body) = self.heap.body(*method) else { return true };
            // What is not passed comes first: what was captured, the function itself, a new object.
            let passed = function.parameters.len().saturating_sub(function.known);
            let skipped = body.parameters.len().saturating_sub(passed);
            body.parameters.iter().skip(skipped).any(|parameter| self.may_hold_followed(*method, &body, *parameter))
        })
    }

    /// Whether a value may be followed once it is of the type of a function's parameter.
    fn becomes_followed(&self, at: Searched<'_>, function: &Function, given: &[Variable]) -> bool {
        let mut parameters = function.parameters.iter().skip(function.known).zip(given);
        parameters.any(|(parameter, given)| !self.cast_to((at.method, at.body, *given), *parameter).is_empty())
    }

    /// The objects of a variable by another type; none if no followed one is among them.
    fn cast_to(&self, (method, body, variable): (MethodId, &Body, Variable), to: Type) -> Vec<ObjectId> {
        if !to.is_reference() || body.variable(variable).of.is_none_or(|from| from == to) {
            return Vec::new();
        }
        let mut objects = self.heap.narrowed(&self.heap.variable(method, variable), to);
        if !objects.iter().any(|object| self.may_be_followed(*object)) {
            objects.clear();
        }
        objects
    }

    fn may_hold_followed(&self, method: MethodId, body: &Body, variable: Variable) -> bool {
        body.variable(variable).of.is_some_and(Type::is_reference)
            && self.heap.variable(method, variable).into_iter().any(|object| self.may_be_followed(object))
    }

    /// Whether a row calls methods of what is in a content, where a followed object may be, or searches contents and
    /// may read that of a followed object.
    pub(super) fn calls_of_content(&self, at: Searched<'_>) -> bool {
        let Operation::Invoke { kind, member, arguments } = at.operation else { return false };
        let rows = self.rows_of_call(at.method, (*kind, *member), arguments);
        let searched: BTreeSet<usize> =
            rows.iter().flat_map(|row| row.actions).filter_map(|action| place_searched(action, *kind)).collect();
        let mut searched = searched.into_iter().filter_map(|place| arguments.get(place));
        if searched.any(|of| self.leads(at, self.heap.closure_of_variable(at.method, *of).to_vec())) {
            return true;
        }
        let called: BTreeSet<(usize, &str)> =
            rows.iter().flat_map(|row| row.actions).filter_map(|action| called_of_content(action, *kind)).collect();
        called.into_iter().any(|(place, name)| {
            let Some(variable) = arguments.get(place) else { return false };
            let objects = self.heap.closure_of_variable(at.method, *variable);
            self.leads_from_contents(at, objects.iter().copied(), Some(name))
        })
    }

    /// The rows that a call may run: a method of all objects is named by their class, whatever the receiver is.
    pub(super) fn rows_of_call(
        &self,
        method: MethodId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
    ) -> Vec<Row<'_>> {
        let receiver = arguments.first().filter(|_| kind != InvokeKind::Static);
        let objects = receiver.map(|receiver| self.heap.variable(method, *receiver)).unwrap_or_default();
        let classes: BTreeSet<&str> = objects
            .into_iter()
            .filter_map(|object| self.heap.library_class(object))
            .chain([self.heap.program.text(member.class)])
            .collect();
        classes.into_iter().filter_map(|class| self.heap.row(class, member)).collect()
    }
}

/// Which value of the call an action searches, content by content.
fn place_searched(action: &Action, kind: InvokeKind) -> Option<usize> {
    match action {
        Action::ReadsAll(subject) => place_of(*subject, kind),
        Action::Runs(run) if run.thread == Thread::Caller => place_of(run.whom, kind),
        _ => None,
    }
}

/// The method that an action calls of what is in a content: of which value of the call, and its name.
fn called_of_content(action: &Action, kind: InvokeKind) -> Option<(usize, &str)> {
    let (subject, name) = match action {
        Action::Calls(call) => match (&call.whom, &call.method) {
            (Source::Content(subject), Some(name)) => (*subject, name),
            _ => return None,
        },
        _ => return None,
    };
    Some((place_of(subject, kind)?, name))
}
