//! From the register form to constraints: one rule for each kind of statement.

use super::build::Builder;
use super::objects::{Field, Object, Site};
use super::solver::{Node, Watcher};
use crate::call_site::CallSiteAction;
use crate::class::{FieldId, MethodId};
use crate::constants::Member;
use crate::descriptor::Type;
use crate::instruction::Constant;
use crate::ir::{Body, End, ExceptionEdge, Operation, Statement, StatementId, Variable};
use crate::names::Name;

impl Builder<'_> {
    /// The constraints of a method.
    pub(super) fn generate(&mut self, method: MethodId) {
        let Some(body) = self.body(method) else {
            self.without_code(method);
            return;
        };
        for (id, block) in body.blocks() {
            if let Some(caught) = block.caught {
                let of = body.variable(caught).of;
                if let (Some(to), Some(of)) = (self.variable(method, caught), of) {
                    self.filter(self.thrown, of, to);
                }
            }
            for (index, statement) in (0_u32..).zip(&*block.statements) {
                self.statement(method, &body, StatementId { block: id, index }, statement);
                self.exceptions(method, &body, &statement.handlers);
            }
            self.exceptions(method, &body, &block.handlers);
            for edge in block.end.edges() {
                self.edge(method, &body, edge);
            }
            match &block.end {
                End::Return(Some(value)) if self.is_reference(&body, *value) => {
                    let to = self.returned(method);
                    if let Some(from) = self.variable(method, *value) {
                        self.copy(from, to);
                    }
                }
                End::Throw(value) => {
                    if let Some(from) = self.variable(method, *value) {
                        self.copy(from, self.thrown);
                    }
                }
                End::Return(_) | End::Goto(_) | End::Branch { .. } | End::Switch { .. } => {}
            }
        }
    }

    /// A method without code that is called: its arguments are the client's, and so is its result.
    fn without_code(&mut self, method: MethodId) {
        let returned = self.returned(method);
        let declared = self.program.method(method);
        if let Some(of) = self.program.result_type(declared.descriptor) {
            self.put_external(returned, of);
        }
    }

    fn exceptions(&mut self, method: MethodId, body: &Body, handlers: &[ExceptionEdge]) {
        for handler in handlers {
            self.edge(method, body, &handler.edge);
        }
    }

    fn edge(&mut self, method: MethodId, body: &Body, edge: &crate::ir::Edge) {
        let parameters = &body.block(edge.target).parameters;
        for (parameter, argument) in parameters.iter().zip(&*edge.arguments) {
            if self.is_reference(body, *argument) {
                self.assign(method, *argument, *parameter);
            }
        }
    }

    fn assign(&mut self, method: MethodId, from: Variable, to: Variable) {
        if let (Some(from), Some(to)) = (self.variable(method, from), self.variable(method, to)) {
            self.copy(from, to);
        }
    }

    pub(super) fn is_reference(&self, body: &Body, variable: Variable) -> bool {
        body.variable(variable).kind == crate::descriptor::Kind::Reference
    }

    fn statement(&mut self, method: MethodId, body: &Body, id: StatementId, statement: &Statement) {
        let to = statement.to.filter(|to| self.is_reference(body, *to));
        let to = to.and_then(|to| self.variable(method, to));
        match &statement.operation {
            Operation::Constant(constant) => self.constant(method, to, *constant),
            Operation::GetField { object, field } => {
                if let (Some(to), Some(object), Some(field)) =
                    (to, self.variable(method, *object), self.resolved(*field))
                {
                    self.watch(object, Watcher::Load(Field::Real(field), to));
                } else if let Some(to) = to {
                    self.external_result(to, *field);
                }
            }
            Operation::PutField { object, field, value } => {
                if !self.is_reference(body, *value) {
                    return;
                }
                let (object, value) = (self.variable(method, *object), self.variable(method, *value));
                match (object, self.resolved(*field), value) {
                    (Some(object), Some(field), Some(value)) => {
                        self.watch(object, Watcher::Store(Field::Real(field), value));
                    }
                    (_, None, Some(value)) => self.copy(value, self.escaping),
                    _ => {}
                }
            }
            Operation::GetStatic(field) => match (to, self.resolved(*field)) {
                (Some(to), Some(field)) => {
                    let from = self.static_field(field);
                    self.copy(from, to);
                }
                (Some(to), None) => self.external_result(to, *field),
                (None, _) => {}
            },
            Operation::PutStatic(field, value) => {
                if !self.is_reference(body, *value) {
                    return;
                }
                let Some(value) = self.variable(method, *value) else { return };
                match self.resolved(*field) {
                    Some(field) => {
                        let to = self.static_field(field);
                        self.copy(value, to);
                    }
                    None => self.copy(value, self.escaping),
                }
            }
            Operation::LoadElement { array, .. } => {
                if let (Some(to), Some(array)) = (to, self.variable(method, *array)) {
                    let of = statement.to.and_then(|to| body.variable(to).of);
                    let loaded = self.graph.node();
                    self.watch(array, Watcher::Load(Field::Content, loaded));
                    match of {
                        Some(of) => self.filter(loaded, of, to),
                        None => self.copy(loaded, to),
                    }
                }
            }
            Operation::StoreElement { array, value, .. } => {
                if self.is_reference(body, *value)
                    && let (Some(array), Some(value)) = (self.variable(method, *array), self.variable(method, *value))
                {
                    self.watch(array, Watcher::Store(Field::Content, value));
                }
            }
            Operation::New(class) => {
                let class = Type::Class(*class);
                self.made(to, Site { method, statement: id, class, lambda: None, made_as: None });
            }
            Operation::NewArray(of, lengths) => self.arrays(method, id, to, *of, lengths.len()),
            Operation::CheckCast(of, value) => {
                if let (Some(to), Some(from)) = (to, self.variable(method, *value)) {
                    self.filter(from, *of, to);
                }
            }
            Operation::Invoke { kind, member, arguments } => {
                self.invoke(method, id, (*kind, *member), arguments, statement.to.filter(|_| to.is_some()));
            }
            Operation::InvokeDynamic { site, arguments } => {
                self.invoke_dynamic(method, body, id, (*site, arguments), to)
            }
            Operation::Binary(..)
            | Operation::Negate(..)
            | Operation::Convert(..)
            | Operation::Narrow(..)
            | Operation::Compare(..)
            | Operation::ArrayLength(_)
            | Operation::InstanceOf(..)
            | Operation::MonitorEnter(_)
            | Operation::MonitorExit(_) => {}
        }
    }

    /// What code gives that is not given.
    fn external_result(&mut self, to: Node, field: Member) {
        if let Some(of) = self.program.field_type(field.descriptor) {
            self.put_external(to, of);
        }
    }

    pub(super) fn resolved(&self, field: Member) -> Option<FieldId> {
        self.program.resolve_field(field).found()
    }

    fn constant(&mut self, method: MethodId, to: Option<Node>, constant: Constant) {
        let _ = method;
        let Some(to) = to else { return };
        let object = match constant {
            Constant::String(text) => Object::Literal(text),
            Constant::Class(class) => Object::ClassObject(class),
            Constant::Dynamic(of) => Object::External(of),
            Constant::MethodType(_) | Constant::Handle(_) => match self.program.name("java/lang/Object") {
                Some(name) => Object::External(Type::Class(name)),
                None => return,
            },
            Constant::Null | Constant::Int(_) | Constant::Long(_) | Constant::Float(_) | Constant::Double(_) => return,
        };
        let object = self.objects.id(object);
        self.graph.put(to, object);
    }

    /// A statement makes an object.
    pub(super) fn made(&mut self, to: Option<Node>, site: Site) {
        if let Some(to) = to {
            let object = self.objects.id(Object::Site(site));
            self.graph.put(to, object);
        }
    }

    /// A new array, with arrays in it.
    fn arrays(&mut self, method: MethodId, id: StatementId, to: Option<Node>, of: Type, depth: usize) {
        let Some(to) = to else { return };
        let mut class = of;
        let mut node = to;
        for level in 0..depth {
            let object =
                self.objects.id(Object::Site(Site { method, statement: id, class, lambda: None, made_as: None }));
            self.graph.put(node, object);
            let Some(inner) = self.element_type(class).filter(|_| level + 1 < depth) else { break };
            node = self.own_field(object, Field::Content);
            class = inner;
        }
    }

    /// The type of an array's elements, if these are arrays.
    fn element_type(&self, of: Type) -> Option<Type> {
        let Type::Array(name) = of else { return None };
        let inner = self.program.text(name).strip_prefix('[')?;
        let name: Name = self.program.name(inner)?;
        inner.starts_with('[').then_some(Type::Array(name))
    }

    fn invoke_dynamic(
        &mut self,
        method: MethodId,
        body: &Body,
        id: StatementId,
        (site, arguments): (u32, &[Variable]),
        to: Option<Node>,
    ) {
        let call_site = body.call_site(site);
        let interface = self.program.result_type(call_site.descriptor);
        match (call_site.action, interface) {
            (CallSiteAction::Lambda { implementation, .. }, Some(class)) => {
                let object =
                    Object::Site(Site { method, statement: id, class, lambda: Some(implementation), made_as: None });
                let object = self.objects.id(object);
                if let Some(to) = to {
                    self.graph.put(to, object);
                }
                for (number, argument) in (0_u8..=u8::MAX).zip(arguments) {
                    if self.is_reference(body, *argument)
                        && let Some(from) = self.variable(method, *argument)
                    {
                        let captured = self.own_field(object, Field::Captured(number));
                        self.copy(from, captured);
                    }
                }
            }
            (CallSiteAction::Concatenation | CallSiteAction::RecordMethod, _) => {
                let name = match call_site.action {
                    CallSiteAction::Concatenation => "toString",
                    _ => self.program.text(call_site.name),
                };
                for argument in arguments {
                    if let Some(from) = self.variable(method, *argument) {
                        self.function_call(method, from, Some(name.into()), None, self.thrown);
                    }
                }
            }
            (CallSiteAction::PatternSwitch, _) => {}
            (CallSiteAction::Other(_) | CallSiteAction::Lambda { .. }, of) => {
                for argument in arguments {
                    if let Some(from) = self.variable(method, *argument) {
                        self.copy(from, self.escaping);
                    }
                }
                if let (Some(to), Some(of)) = (to, of) {
                    self.put_external(to, of);
                }
            }
        }
    }
}
