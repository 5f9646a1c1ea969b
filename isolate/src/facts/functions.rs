//! Objects as functions: the methods that they may run, with the types of their inputs.

use super::objects::{ObjectKind, is_visible};
use super::subject_facts::SubjectFacts;
use java::ir::{Body, Operation, StatementId, Variable};
use java::points_to::{Object, ObjectId};
use java::{HandleKind, Member, MethodId, Name, Type};
use std::sync::Arc;

/// An object as a function.
pub(crate) struct Function {
    /// The program methods that it may run.
    pub(crate) methods: Vec<MethodId>,
    /// The types of all its inputs; captured values come first.
    pub(crate) parameters: Vec<Type>,
    /// Number of captured values.
    pub(crate) captured: usize,
}

impl SubjectFacts<'_> {
    /// Whether an object is a lambda, or of a program class that clients cannot name.
    pub(crate) fn is_hidden(&self, object: ObjectId) -> bool {
        match self.heap.kind_of(object) {
            ObjectKind::Lambda => true,
            ObjectKind::Program(class) => !is_visible(self.heap.program, class),
            _ => false,
        }
    }

    /// The program methods that a method passes to clients' code as functions, directly or inside of library objects.
    pub(super) fn callback_methods(&self, method: MethodId) -> Arc<[MethodId]> {
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

    /// The functions that an object may be. An external object may be a function that clients got from the program.
    pub(super) fn functions_of(&self, object: ObjectId) -> Vec<Function> {
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
    pub(crate) fn parameter_types(&self, kind: HandleKind, member: Member) -> Vec<Type> {
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
pub(super) fn narrows(body: &Body, variable: Variable, to: Type) -> bool {
    to.is_reference() && body.variable(variable).of.is_some_and(|from| from != to)
}
