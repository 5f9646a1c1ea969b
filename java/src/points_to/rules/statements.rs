//! The constraints of the operations of the register form.
//!
//! The order of statements does not matter, as the analysis is flow-insensitive. Unreachable statements add nothing, as
//! they are not in register form.

use super::lambdas::CallContext;
use crate::bytecode::{CallSite, CallSiteAction, Constant, Element, InvokeKind};
use crate::class_file::{Entry, FieldId, Handle, HandleKind, Kind, Member, MethodId, Name, Type};
use crate::ir::{Block, Body, BodyError, Definition, Edge, End, Operation, Statement, StatementId, Variable};
use crate::library::Action;
use crate::points_to::call_graph::Call;
use crate::points_to::constraints::{Field, NodeId};
use crate::points_to::error::PointsToError;
use crate::points_to::library_calls::{Callback, CallbackMethod};
use crate::points_to::objects::{Exactness, Object, Site};
use crate::points_to::state::State;
use crate::points_to::stores::Store;
use crate::points_to::types::TypeId;
use std::rc::Rc;

/// A statement with the nodes of its method.
#[derive(Clone)]
struct StatementContext {
    body: Rc<Body>,
    nodes: Rc<[Option<NodeId>]>,
    statement: StatementId,
    /// The node of the result.
    to: Option<NodeId>,
    /// Whether the identity of the result matters: it is stored, or its monitor is entered.
    has_identity: bool,
}

impl StatementContext {
    fn node(&self, variable: Variable) -> Option<NodeId> {
        self.nodes[variable.index()]
    }

    fn site(&self) -> Site {
        Site { method: self.body.method, statement: self.statement }
    }

    fn arguments(&self, arguments: &[Variable]) -> Vec<Option<NodeId>> {
        arguments.iter().map(|variable| self.node(*variable)).collect()
    }
}

impl State<'_> {
    /// Adds the constraints of a method's code.
    pub(in crate::points_to) fn add_method(&mut self, method: MethodId, is_cancelled: &dyn Fn() -> bool) {
        match self.program.body(method, is_cancelled) {
            Ok(Some(body)) if self.runs_code(method) => self.add_body(body),
            // A native method that external code calls has only the effects of its row, which runs at calls.
            Ok(_) => self.return_external(method),
            Err(BodyError::Cancelled) => self.failure = Some(PointsToError::Cancelled),
            Err(_) => {
                self.damaged += 1;
                self.return_external(method);
                for parameter in self.signature(method).parameters.clone().iter().flatten() {
                    self.escape(*parameter);
                }
            }
        }
    }

    /// Lets a method with unknown effects return an external object.
    fn return_external(&mut self, method: MethodId) {
        let of = self.program.result_type(self.program.method(method).descriptor);
        if let (Some(of), Some(result)) = (of, self.signature(method).result) {
            self.add_external(of, result);
        }
    }

    fn add_body(&mut self, body: Body) {
        let nodes = self.variable_nodes(&body);
        let body = Rc::new(body);
        let with_identity = variables_with_identity(&body);
        for (id, block) in body.blocks() {
            for (index, statement) in (0..).zip(&block.statements) {
                let at = StatementContext {
                    body: Rc::clone(&body),
                    nodes: Rc::clone(&nodes),
                    statement: StatementId { block: id, index },
                    to: statement.to.and_then(|to| nodes[to.index()]),
                    has_identity: statement.to.is_some_and(|to| with_identity.binary_search(&to).is_ok()),
                };
                self.add_statement(&at, statement);
            }
            self.add_terminator(&body, &nodes, block);
        }
        let method = body.method;
        if let Some(known) = &mut self.methods[method.index()] {
            known.variables = nodes.to_vec().into();
        }
    }

    fn variable_nodes(&mut self, body: &Body) -> Rc<[Option<NodeId>]> {
        let mut nodes: Vec<Option<NodeId>> = vec![None; body.variables()];
        let parameters = self.signature(body.method).parameters.clone();
        for (variable, node) in body.parameters.iter().zip(&parameters) {
            nodes[variable.index()] = *node;
        }
        for (info, node) in body.variables.iter().zip(&mut nodes) {
            if !matches!(info.definition, Definition::Parameter(_)) && info.kind == Kind::Reference {
                let of = info.of.and_then(|of| self.types.of(of));
                *node = Some(self.graph.add_node(of.unwrap_or(TypeId::OBJECT)));
            }
        }
        nodes.into()
    }

    fn add_statement(&mut self, at: &StatementContext, statement: &Statement) {
        for thrown in &statement.handlers {
            self.flow_arguments(at.body.block(thrown.edge.target), &thrown.edge, &at.nodes);
        }
        self.add_operation(at, &statement.operation);
    }

    fn add_operation(&mut self, at: &StatementContext, operation: &Operation) {
        match operation {
            Operation::Constant(constant) => self.constant_value(at, *constant),
            Operation::Binary(..)
            | Operation::Negate(..)
            | Operation::Convert(..)
            | Operation::Narrow(..)
            | Operation::Compare(..)
            | Operation::ArrayLength(_)
            | Operation::InstanceOf(..)
            | Operation::MonitorEnter(_)
            | Operation::MonitorExit(_) => {}
            Operation::GetField { object, field } => self.get_field(at, *object, *field),
            Operation::PutField { object, field, value } => self.put_field(at, *object, *field, *value),
            Operation::GetStatic(field) => self.get_static(at, *field),
            Operation::PutStatic(field, value) => self.put_static(at, *field, *value),
            Operation::LoadElement { element: Element::Reference, array, .. } => {
                if let (Some(array), Some(to)) = (at.node(*array), at.to) {
                    self.load(array, Field::Content, to);
                }
            }
            Operation::StoreElement { element: Element::Reference, array, value, .. } => {
                if let (Some(array), Some(value)) = (at.node(*array), at.node(*value)) {
                    self.store(array, Field::Content, value);
                }
            }
            // Numbers.
            Operation::LoadElement { .. } | Operation::StoreElement { .. } => {}
            Operation::New(class) => self.new_object(at, *class),
            Operation::NewArray(of, lengths) => self.new_array(at, *of, lengths.len()),
            Operation::Invoke { kind, member, arguments } => self.invoke(at, *kind, *member, arguments),
            Operation::InvokeDynamic { site, arguments } => {
                let body = Rc::clone(&at.body);
                self.invoke_dynamic(at, body.call_site(*site), arguments);
            }
            Operation::CheckCast(_, value) => {
                if let (Some(from), Some(to)) = (at.node(*value), at.to) {
                    self.edge(from, to);
                }
            }
        }
    }

    fn add_terminator(&mut self, body: &Body, nodes: &Rc<[Option<NodeId>]>, block: &Block) {
        for thrown in &block.handlers {
            self.flow_arguments(body.block(thrown.edge.target), &thrown.edge, nodes);
        }
        if let Some(caught) = block.caught.and_then(|caught| nodes[caught.index()]) {
            self.edge(self.thrown, caught);
        }
        match &block.end {
            End::Goto(edge) => self.flow_arguments(body.block(edge.target), edge, nodes),
            End::Branch { holds, fails, .. } => {
                self.flow_arguments(body.block(holds.target), holds, nodes);
                self.flow_arguments(body.block(fails.target), fails, nodes);
            }
            End::Switch { cases, default, .. } => {
                for edge in cases.iter().map(|(_, edge)| edge).chain([default]) {
                    self.flow_arguments(body.block(edge.target), edge, nodes);
                }
            }
            End::Return(value) => {
                let result = self.signature(body.method).result;
                if let (Some(value), Some(result)) = (value.and_then(|value| nodes[value.index()]), result) {
                    self.edge(value, result);
                }
            }
            End::Throw(value) => {
                if let Some(value) = nodes[value.index()] {
                    self.escape(value);
                    self.edge(value, self.thrown);
                }
            }
        }
    }

    /// Lets the arguments of a control-flow edge flow to the parameters of its target.
    fn flow_arguments(&mut self, target: &Block, edge: &Edge, nodes: &[Option<NodeId>]) {
        for (argument, parameter) in edge.arguments.iter().zip(&target.parameters) {
            if let (Some(from), Some(to)) = (nodes[argument.index()], nodes[parameter.index()]) {
                self.edge(from, to);
            }
        }
    }

    fn constant_value(&mut self, at: &StatementContext, constant: Constant) {
        let Some(to) = at.to else { return };
        let object = match constant {
            Constant::Null | Constant::Int(_) | Constant::Long(_) | Constant::Float(_) | Constant::Double(_) => return,
            Constant::String(text) if at.has_identity => Object::Literal(text),
            Constant::String(_) => Object::Value(self.types.of_text("java/lang/String")),
            Constant::Class(name) => Object::Class(self.types.of_name(name)),
            Constant::MethodType(_) => Object::External(self.types.of_text("java/lang/invoke/MethodType")),
            Constant::Handle(handle) => {
                self.expose_handle(at.site(), handle);
                Object::External(self.types.of_text("java/lang/invoke/MethodHandle"))
            }
            Constant::Dynamic(of) => {
                self.expose_bootstraps(at);
                return self.add_external(of, to);
            }
        };
        let object = self.object(object);
        self.add(object, to);
    }

    /// Lets external code use a method handle.
    fn expose_handle(&mut self, site: Site, handle: Handle) {
        let member = handle.member;
        let parameters = self.program.method_type(member.descriptor).map_or(&[][..], |of| &of.parameters);
        let has_receiver = match handle.kind {
            HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial | HandleKind::GetStatic | HandleKind::PutStatic => {
                false
            }
            HandleKind::InvokeVirtual
            | HandleKind::InvokeSpecial
            | HandleKind::InvokeInterface
            | HandleKind::GetField
            | HandleKind::PutField => true,
        };
        let field = self.program.field_type(member.descriptor).filter(|_| parameters.is_empty());
        let given = has_receiver.then_some(Type::Class(member.class)).into_iter().chain(parameters.iter().copied());
        let given: Vec<Type> = given.chain(field).collect();
        let arguments: Vec<Option<NodeId>> = given.into_iter().map(|of| self.external_node(of)).collect();
        let result = self.node();
        self.escape(result);
        let callees = self.calls.new_callees();
        self.call_handle(handle, arguments, CallContext { site, result: Some(result), callees });
    }

    fn external_node(&mut self, of: Type) -> Option<NodeId> {
        let node = self.node_of(of)?;
        self.add_external(of, node);
        Some(node)
    }

    /// Lets external code use all method handles of a class, which bootstrap methods may get.
    fn expose_bootstraps(&mut self, at: &StatementContext) {
        let class = self.program.method(at.body.method).class;
        if !self.exposed.insert(class) {
            return;
        }
        let entries = self.program.class(class).pool.entries();
        let handles = entries.filter_map(|entry| if let Entry::Handle(handle) = entry { Some(handle) } else { None });
        for handle in handles.collect::<Vec<_>>() {
            self.expose_handle(at.site(), handle);
        }
    }

    fn resolve(&self, field: Member) -> Option<FieldId> {
        self.program.resolve_field(field).found()
    }

    /// Reads a field. A field of a library class can be the content of the object or any external object.
    fn get_field(&mut self, at: &StatementContext, object: Variable, field: Member) {
        let (Some(base), Some(to)) = (at.node(object), at.to) else { return };
        match self.resolve(field) {
            Some(field) => self.load(base, Field::Declared(field), to),
            None => {
                self.load(base, Field::Content, to);
                if let Some(of) = self.program.field_type(field.descriptor) {
                    self.add_external(of, to);
                }
            }
        }
    }

    fn put_field(&mut self, at: &StatementContext, object: Variable, field: Member, value: Variable) {
        let resolved = self.resolve(field);
        if let Some(field) = resolved {
            self.record_store(at, field, at.body.parameters.first() == Some(&object));
        }
        let (Some(base), Some(value)) = (at.node(object), at.node(value)) else { return };
        match resolved {
            Some(field) => self.store(base, Field::Declared(field), value),
            None => {
                self.store(base, Field::Content, value);
                self.escape(value);
            }
        }
    }

    fn get_static(&mut self, at: &StatementContext, field: Member) {
        self.initialize_named(field.class);
        let Some(to) = at.to else { return };
        match self.resolve(field) {
            Some(field) => {
                self.initialize(self.program.field(field).class);
                if let Some(from) = self.static_node(field) {
                    self.edge(from, to);
                }
            }
            None => {
                if let Some(of) = self.program.field_type(field.descriptor) {
                    self.add_external(of, to);
                }
            }
        }
    }

    fn put_static(&mut self, at: &StatementContext, field: Member, value: Variable) {
        self.initialize_named(field.class);
        let resolved = self.resolve(field);
        if let Some(field) = resolved {
            self.initialize(self.program.field(field).class);
            self.record_store(at, field, true);
        }
        let Some(value) = at.node(value) else { return };
        match resolved.map(|field| self.static_node(field)) {
            Some(node) => node.into_iter().for_each(|to| self.edge(value, to)),
            None => self.escape(value),
        }
    }

    fn record_store(&mut self, at: &StatementContext, field: FieldId, is_own: bool) {
        let method = at.body.method;
        let declared = self.program.method(method);
        let is_initializer = match self.program.field(field).flags.is_static() {
            true => self.program.text(declared.name) == "<clinit>",
            false => self.program.is_constructor_name(declared.name),
        };
        let initializes = is_own && is_initializer && declared.class == self.program.field(field).class;
        self.stores.add(field, Store { method, statement: at.statement, initializes });
    }

    fn new_object(&mut self, at: &StatementContext, class: Name) {
        self.initialize_named(class);
        let Some(to) = at.to else { return };
        let of = self.types.of_name(class);
        let object = self.allocate(at.site(), of);
        self.add(object, to);
    }

    /// Allocates an array, and an array nested in it for each length but the first.
    fn new_array(&mut self, at: &StatementContext, of: Type, lengths: usize) {
        let (Some(to), Some(of)) = (at.to, self.types.of(of)) else { return };
        let (mut of, mut outer) = (of, None);
        for depth in (0..=u8::MAX).take(lengths) {
            let site = at.site();
            let object = self.object(Object::Made { site, of, exactness: Exactness::Exact, depth });
            match outer {
                None => self.add(object, to),
                Some(outer) => {
                    if let Some(content) = self.content(outer) {
                        self.add(object, content);
                    }
                }
            }
            outer = Some(object);
            let Some(element) = self.types.element(of) else { return };
            of = element;
        }
    }

    fn invoke(&mut self, at: &StatementContext, kind: InvokeKind, member: Member, arguments: &[Variable]) {
        let site = at.site();
        let callees = self.calls.callees_of(site);
        let caller = self.program.method(at.body.method).class;
        let resolved = self.program.resolve_method(member).found();
        let call = Call {
            site: Some(site),
            member,
            resolved,
            arguments: at.arguments(arguments).into(),
            has_receiver: kind != InvokeKind::Static,
            result: at.to,
            result_type: self.program.result_type(member.descriptor),
            callees,
        };
        self.record_constant_arguments(at, member, &arguments[usize::from(call.has_receiver).min(arguments.len())..]);
        self.add_call(kind, Some(caller), call);
    }

    /// Records the constant arguments of a call if they name fields or methods.
    fn record_constant_arguments(&mut self, at: &StatementContext, member: Member, arguments: &[Variable]) {
        let constants: Vec<Option<Constant>> =
            arguments.iter().map(|variable| constant_of(&at.body, *variable)).collect();
        if constants.iter().all(Option::is_none) {
            return;
        }
        let of = self.types.of_name(member.class);
        let row = self.find_row(of, member);
        if row.is_some_and(|row| row.actions.iter().any(|action| matches!(action, Action::Names { .. }))) {
            let id = self.calls.next();
            self.library_calls.constant_arguments.insert(id, constants.into());
        }
    }

    fn invoke_dynamic(&mut self, at: &StatementContext, site: &CallSite, arguments: &[Variable]) {
        let arguments = at.arguments(arguments);
        match site.action {
            CallSiteAction::Lambda { implementation, declared } => {
                self.new_lambda(at, site, (implementation, declared), &arguments);
            }
            CallSiteAction::Concatenation => self.concatenate(at, site, &arguments),
            CallSiteAction::RecordMethod => self.record_method(at, site, &arguments),
            // It only tests classes, and compares with constants.
            CallSiteAction::PatternSwitch => {}
            CallSiteAction::Other(bootstrap) => {
                self.expose_handle(at.site(), bootstrap);
                self.expose_bootstraps(at);
                arguments.iter().flatten().for_each(|argument| self.escape(*argument));
                let callees = self.calls.callees_of(at.site());
                self.calls.callees_mut(callees).unknown = true;
                self.return_external_value(at, site);
            }
        }
    }

    /// Lets a call site return an external object.
    fn return_external_value(&mut self, at: &StatementContext, site: &CallSite) {
        if let (Some(to), Some(of)) = (at.to, self.program.result_type(site.descriptor)) {
            self.add_external(of, to);
        }
    }

    fn new_lambda(&mut self, at: &StatementContext, site: &CallSite, of: (Handle, Name), captured: &[Option<NodeId>]) {
        let (implementation, declared) = of;
        let Some(interface) = self.program.result_type(site.descriptor).and_then(|of| self.types.of(of)) else {
            return;
        };
        let lambda = Object::Lambda { site: at.site(), of: interface, name: site.name, implementation };
        let lambda = self.object(lambda);
        self.add_lambda(lambda, captured, declared);
        if let Some(to) = at.to {
            self.add(lambda, to);
        }
    }

    /// Concatenates strings: calls `toString` on the parts.
    fn concatenate(&mut self, at: &StatementContext, site: &CallSite, parts: &[Option<NodeId>]) {
        self.call_methods_of(at, site, parts, &["toString"]);
        self.return_external_value(at, site);
    }

    /// Runs a method of a record: it calls the same method on the components.
    fn record_method(&mut self, at: &StatementContext, site: &CallSite, arguments: &[Option<NodeId>]) {
        let class = self.program.method(at.body.method).class;
        let components = self.node();
        for field in self.program.class(class).fields() {
            if !self.program.field(field).flags.is_static() {
                for argument in arguments.iter().flatten() {
                    self.load(*argument, Field::Declared(field), components);
                }
            }
        }
        self.call_methods_of(at, site, &[Some(components)], &["equals", "hashCode", "toString"]);
        self.return_external_value(at, site);
    }

    /// Calls methods by name on objects, with the same objects as arguments.
    fn call_methods_of(&mut self, at: &StatementContext, site: &CallSite, whom: &[Option<NodeId>], names: &[&str]) {
        let [soup, results] = [self.node(), self.node()];
        let class = self.program.class(self.program.method(at.body.method).class).name;
        let callees = self.calls.callees_of(at.site());
        let call = self.calls.add(Call {
            site: Some(at.site()),
            member: Member { class, name: site.name, descriptor: site.descriptor },
            resolved: None,
            arguments: whom.into(),
            has_receiver: false,
            result: None,
            result_type: None,
            callees,
        });
        for node in whom.iter().flatten() {
            self.edge(*node, soup);
            for name in names {
                let name = CallbackMethod::Named((*name).into());
                self.add_callback(*node, Callback { call, method: name, soup, results });
            }
        }
    }
}

/// Returns the constant value of a variable, if it has one.
fn constant_of(body: &Body, variable: Variable) -> Option<Constant> {
    match body.variable(variable).definition {
        Definition::Statement(statement) => match body.statement(statement).operation {
            Operation::Constant(constant) => Some(constant),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the variables that are stored or whose monitor is entered, in order.
fn variables_with_identity(body: &Body) -> Vec<Variable> {
    let statements = body.blocks().flat_map(|(_, block)| &block.statements);
    let mut found: Vec<Variable> = statements
        .filter_map(|statement| match statement.operation {
            Operation::PutField { value, .. } | Operation::PutStatic(_, value) | Operation::MonitorEnter(value) => {
                Some(value)
            }
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found
}
