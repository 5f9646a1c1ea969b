//! Objects of lambdas and method references.
//!
//! Such an object has its own parameters and result, which all calls of the interface's method share. Its
//! implementation is called with the captured values, then the parameters.

use crate::bytecode::InvokeKind;
use crate::class_file::{Handle, HandleKind, Member, Name, Type};
use crate::points_to::call_graph::{Call, CalleesId, LambdaNodes};
use crate::points_to::constraints::{CallId, Field, NodeId};
use crate::points_to::objects::{Object, ObjectId, Site};
use crate::points_to::state::State;

/// The site, result and callees of a call that is made for a handle.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallContext {
    pub(super) site: Site,
    pub(super) result: Option<NodeId>,
    pub(super) callees: CalleesId,
}

impl State<'_> {
    /// Adds the nodes of a lambda, and the call of its implementation.
    pub(super) fn add_lambda(&mut self, lambda: ObjectId, captured: &[Option<NodeId>], declared: Name) {
        if self.lambdas.contains_key(&lambda) {
            return;
        }
        let Object::Lambda { site, implementation, .. } = *self.objects.get(lambda) else { return };
        let captured = self.capture(lambda, captured);
        let types = self.implementation_types(implementation);
        let program = self.program;
        let own = program.method_type(declared);
        let given: &[Type] = own.map_or(&[], |of| &of.parameters);
        let types: Box<[Type]> = types.into_iter().skip(captured.len()).take(given.len()).collect();
        let parameters: Box<[Option<NodeId>]> =
            types.iter().zip(given).map(|(of, given)| self.lambda_parameter(*of, *given)).collect();
        let result = own.and_then(|of| of.result).and_then(|of| self.node_of(of));
        let callees = self.calls.new_callees();
        let arguments: Vec<Option<NodeId>> = captured.into_iter().chain(parameters.iter().copied()).collect();
        self.lambdas.insert(lambda, LambdaNodes { parameters, result, types, callees });
        self.call_handle(implementation, arguments, CallContext { site, result, callees });
    }

    /// Lets captured values flow into the fields of a lambda, and returns the nodes of these fields.
    fn capture(&mut self, lambda: ObjectId, captured: &[Option<NodeId>]) -> Vec<Option<NodeId>> {
        let mut kept = Vec::new();
        for (place, from) in (0..=u16::MAX).zip(captured) {
            let node = from.and_then(|_| self.own_node(lambda, Field::Captured(place)));
            if let (Some(from), Some(node)) = (from, node) {
                self.edge(*from, node);
            }
            kept.push(node);
        }
        kept
    }

    /// Adds the node of a lambda's parameter; a number that becomes an object is a new box.
    fn lambda_parameter(&mut self, of: Type, given: Type) -> Option<NodeId> {
        let node = self.node_of(of)?;
        if !given.is_reference() {
            self.add_box(node);
        }
        Some(node)
    }

    /// Returns the parameter types of an implementation, the receiver first.
    fn implementation_types(&self, handle: Handle) -> Vec<Type> {
        let member = handle.member;
        let parameters = self.program.method_type(member.descriptor).map_or(&[][..], |of| &of.parameters);
        let has_receiver = !matches!(handle.kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
        let receiver = has_receiver.then_some(Type::Class(member.class));
        receiver.into_iter().chain(parameters.iter().copied()).collect()
    }

    /// Adds the call or field access that a method handle names.
    pub(super) fn call_handle(&mut self, handle: Handle, arguments: Vec<Option<NodeId>>, context: CallContext) {
        match handle.kind {
            HandleKind::InvokeVirtual => self.call_member(InvokeKind::Virtual, handle.member, arguments, context),
            HandleKind::InvokeInterface => self.call_member(InvokeKind::Interface, handle.member, arguments, context),
            HandleKind::InvokeSpecial => self.call_member(InvokeKind::Special, handle.member, arguments, context),
            HandleKind::InvokeStatic => self.call_member(InvokeKind::Static, handle.member, arguments, context),
            HandleKind::NewInvokeSpecial => self.construct(handle.member, arguments, context),
            HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic => {
                self.access_by_handle(handle, &arguments, context.result);
            }
        }
    }

    fn construct(&mut self, member: Member, arguments: Vec<Option<NodeId>>, context: CallContext) {
        let of = self.types.of_name(member.class);
        self.initialize_named(member.class);
        let object = self.allocate(context.site, of);
        let made = self.graph.add_node(of);
        self.add(object, made);
        let arguments = [Some(made)].into_iter().chain(arguments).collect();
        self.call_member(InvokeKind::Special, member, arguments, CallContext { result: None, ..context });
        if let Some(result) = context.result {
            self.edge(made, result);
        }
    }

    fn call_member(&mut self, kind: InvokeKind, member: Member, arguments: Vec<Option<NodeId>>, context: CallContext) {
        let result_type = self.program.result_type(member.descriptor);
        if let (Some(of), Some(result)) = (result_type, context.result)
            && !of.is_reference()
        {
            self.add_box(result);
        }
        let call = Call {
            site: Some(context.site),
            member,
            resolved: self.program.resolve_method(member).found(),
            arguments: arguments.into(),
            has_receiver: kind != InvokeKind::Static,
            result: context.result,
            result_type,
            callees: context.callees,
        };
        self.add_call(kind, None, call);
    }

    /// Adds the value object of a boxed number to a node.
    fn add_box(&mut self, to: NodeId) {
        let number = self.types.of_text("java/lang/Object");
        let object = self.object(Object::Value(number));
        self.add(object, to);
    }

    /// Adds the read or write of a field that a method handle names.
    fn access_by_handle(&mut self, handle: Handle, arguments: &[Option<NodeId>], result: Option<NodeId>) {
        let Some(field) = self.program.resolve_field(handle.member).found() else {
            arguments.iter().flatten().for_each(|argument| self.escape(*argument));
            if let (Some(result), Some(of)) = (result, self.program.field_type(handle.member.descriptor)) {
                self.add_external(of, result);
            }
            return;
        };
        let own = Field::Declared(field);
        let [first, second] = [0, 1].map(|index| arguments.get(index).copied().flatten());
        match (handle.kind, first, second) {
            (HandleKind::GetField, Some(base), _) => result.into_iter().for_each(|to| self.load(base, own, to)),
            (HandleKind::PutField, Some(base), Some(value)) => self.store(base, own, value),
            (HandleKind::GetStatic, ..) => {
                if let (Some(from), Some(to)) = (self.static_node(field), result) {
                    self.edge(from, to);
                }
            }
            (HandleKind::PutStatic, Some(value), _) => {
                if let Some(to) = self.static_node(field) {
                    self.edge(value, to);
                }
            }
            // Numbers.
            _ => {}
        }
    }

    /// Lets a call run a lambda.
    pub(super) fn run_lambda(&mut self, id: CallId, lambda: ObjectId) {
        let Some(nodes) = self.lambdas.get(&lambda).cloned() else { return };
        let call = self.calls.get(id).clone();
        let delegates = &mut self.calls.callees_mut(call.callees).delegates;
        if !delegates.contains(&nodes.callees) {
            delegates.push(nodes.callees);
        }
        for (argument, parameter) in call.arguments.iter().skip(1).zip(&nodes.parameters) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.edge(*argument, *parameter);
            }
        }
        if let (Some(from), Some(to)) = (nodes.result, call.result) {
            self.edge(from, to);
        }
    }

    /// Lets external code run a lambda.
    pub(super) fn expose_lambda(&mut self, lambda: ObjectId) {
        let Some(nodes) = self.lambdas.get(&lambda).cloned() else { return };
        for (of, parameter) in nodes.types.iter().zip(&nodes.parameters) {
            if let Some(parameter) = parameter {
                self.add_external(*of, *parameter);
            }
        }
        if let Some(result) = nodes.result {
            self.escape(result);
        }
    }
}
