//! Calls: which methods they run, found as objects reach their receivers.

use super::build::Builder;
use super::objects::{Field, Object, ObjectId, Site};
use super::solver::{Node, Watcher};
use crate::class::{ClassId, MethodId};
use crate::constants::{Handle, HandleKind, Member};
use crate::descriptor::Type;
use crate::instruction::InvokeKind;
use crate::ir::{StatementId, Variable};
use crate::library::Attribute;
use crate::lookup::Lookup;
use crate::names::Name;
use std::rc::Rc;

/// A call in the code.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    pub(super) method: MethodId,
    pub(super) statement: StatementId,
    pub(super) kind: InvokeKind,
    pub(super) member: Member,
    /// The receiver and the arguments; none of numbers.
    pub(super) arguments: Vec<Option<Node>>,
    pub(super) to: Option<Node>,
}

/// A call by code of the library: of a method of this name, or of the one method of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionCall {
    /// The method in which the library is called.
    pub(super) caller: MethodId,
    pub(super) name: Option<Box<str>>,
    /// Whether the library looks at all that the object holds, by the methods that show it.
    pub(super) traverses: bool,
    /// What each argument may be.
    pub(super) arguments: Option<Node>,
    pub(super) result: Node,
}

/// Which methods of a class the library calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Names {
    /// Those by which it is a function.
    Function,
    /// Those of this name.
    One(Box<str>),
    /// Those that show what it holds.
    Traversal,
}

/// Methods of all objects: a client's implementation keeps none of their arguments.
const COMPARING: [&str; 5] = ["equals", "hashCode", "compareTo", "compare", "toString"];

/// So many parameters of a lambda are told apart.
const LAMBDA_PARAMETERS: usize = 6;

/// Types of which a client's object may be anything.
pub(super) fn is_universal(text: &str) -> bool {
    const UNIVERSAL: [&str; 4] =
        ["java/lang/Object", "java/io/Serializable", "java/lang/Cloneable", "java/lang/Comparable"];
    UNIVERSAL.contains(&text)
}

impl Builder<'_> {
    /// A call in the code.
    pub(super) fn invoke(
        &mut self,
        method: MethodId,
        statement: StatementId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
        to: Option<Variable>,
    ) {
        let body = self.body(method);
        let node = |builder: &mut Self, variable: &Variable| {
            let is_reference = body.as_ref().is_some_and(|body| builder.is_reference(body, *variable));
            if is_reference { builder.variable(method, *variable) } else { None }
        };
        let arguments: Vec<Option<Node>> = arguments.iter().map(|argument| node(self, argument)).collect();
        let to = to.and_then(|to| self.variable(method, to));
        let receiver = arguments.first().copied().flatten();
        let number = u32::try_from(self.calls.len()).expect("there are fewer calls than bytes of code");
        self.calls.push(CallSite { method, statement, kind, member, arguments, to });
        match (kind, receiver) {
            (InvokeKind::Static | InvokeKind::Special, _) | (_, None) => self.call_exactly(number),
            (InvokeKind::Virtual | InvokeKind::Interface, Some(receiver)) => {
                self.watch(receiver, Watcher::Call(number));
            }
        }
    }

    /// The method that is named, whatever the receiver is.
    fn call_exactly(&mut self, number: u32) {
        let CallSite { member, kind, arguments, .. } = self.calls[number as usize].clone();
        match self.program.resolve_method(member) {
            Lookup::Found(method) => self.run(number, method, None),
            Lookup::Outside(missing) => self.row(number, missing),
            Lookup::Absent => self.row(number, member.class),
        }
        let _ = (kind, arguments);
    }

    /// A given method is run; its row if it has no code, or if the table is preferred.
    fn run(&mut self, number: u32, method: MethodId, receiver: Option<ObjectId>) {
        let declared = self.program.method(method);
        let class = self.program.class(declared.class).name;
        let text = self.program.text(class);
        let member = self.calls[number as usize].member;
        let [name, descriptor] = [member.name, member.descriptor].map(|name| self.program.text(name));
        let has_row = self.library.find(text, name, descriptor).is_some();
        if has_row && (!declared.has_code() || self.library.attributes(text).has(Attribute::Preferred)) {
            return self.row(number, class);
        }
        if !declared.has_code() && !declared.flags.is_abstract() {
            return self.unknown(number);
        }
        let CallSite { method: caller, arguments, to, .. } = self.calls[number as usize].clone();
        self.callees.entry(caller).or_default().insert(method);
        self.reach(method);
        self.pass(method, &arguments, receiver);
        let returned = self.returned(method);
        if let Some(to) = to {
            self.copy(returned, to);
        }
    }

    /// Arguments are passed to the parameters of a method; a receiver that is known alone.
    fn pass(&mut self, method: MethodId, arguments: &[Option<Node>], receiver: Option<ObjectId>) {
        let Some(body) = self.body(method) else {
            for argument in arguments.iter().flatten() {
                self.copy(*argument, self.escaping);
            }
            return;
        };
        for (place, (parameter, argument)) in body.parameters.iter().zip(arguments).enumerate() {
            let Some(to) = self.variable(method, *parameter) else { continue };
            match (place, receiver, argument) {
                (0, Some(receiver), _) => self.graph.put(to, receiver),
                (_, _, Some(from)) => self.copy(*from, to),
                (_, _, None) => {}
            }
        }
    }

    /// A call on an object that has reached its receiver.
    pub(super) fn call_on(&mut self, number: u32, object: ObjectId) {
        let member = self.calls[number as usize].member;
        match *self.objects.get(object) {
            Object::Site(Site { lambda: Some(handle), .. }) if self.is_function(member) => {
                let arguments: Vec<Option<Node>> = self.calls[number as usize].arguments[1..].to_vec();
                let CallSite { method: caller, to, .. } = self.calls[number as usize].clone();
                let result = to.unwrap_or(self.thrown);
                self.run_lambda(caller, object, handle, &arguments, (to.is_some()).then_some(result));
            }
            Object::Site(Site { lambda: Some(_), .. }) => self.call_exactly_on(number, object),
            Object::Site(Site { class: Type::Class(name), .. }) => match self.program.named(name) {
                Some(class) => self.select(number, class, object),
                None => match self.made_as(object) {
                    Some(class) => self.row_named(number, &class),
                    None => self.row(number, name),
                },
            },
            Object::Site(_) => self.row(number, member.class),
            Object::External(of) => self.call_external(number, of, object),
            Object::View(_, class) => match class {
                Some(class) => {
                    let name = self.objects.class_name(class).to_string();
                    self.row_named(number, &name);
                }
                None => self.row(number, member.class),
            },
            Object::ClassObject(_) | Object::Literal(_) => self.row(number, member.class),
        }
    }

    fn call_exactly_on(&mut self, number: u32, object: ObjectId) {
        let member = self.calls[number as usize].member;
        match self.program.resolve_method(member) {
            Lookup::Found(method) => self.run(number, method, Some(object)),
            Lookup::Outside(missing) => self.row(number, missing),
            Lookup::Absent => self.row(number, member.class),
        }
    }

    /// The method that is selected for an object of exactly this class.
    fn select(&mut self, number: u32, class: ClassId, object: ObjectId) {
        let member = self.calls[number as usize].member;
        match self.program.resolve_in(class, member.name, member.descriptor) {
            Lookup::Found(found) => match self.program.select(class, found) {
                Lookup::Found(method) => self.run(number, method, Some(object)),
                Lookup::Outside(missing) => self.row(number, missing),
                Lookup::Absent => self.run(number, found, Some(object)),
            },
            Lookup::Outside(missing) => self.row(number, missing),
            Lookup::Absent => self.row(number, member.class),
        }
    }

    /// A call on an object that clients have: the methods of given classes, what the table says, and code of clients.
    fn call_external(&mut self, number: u32, of: Type, object: ObjectId) {
        let member = self.calls[number as usize].member;
        let Type::Class(name) = of else { return self.row(number, member.class) };
        let given = self.program.named(name).filter(|_| !is_universal(self.program.text(name)));
        let Some(class) = given else {
            self.row(number, name);
            return self.call_client(number, name);
        };
        let is_interface = self.program.class(class).flags.is_interface();
        match self.program.resolve_in(class, member.name, member.descriptor) {
            Lookup::Found(found) => {
                let targets = self.program.overriders(found).clone();
                for method in &targets.methods {
                    let declaring = self.program.method(*method).class;
                    // The classes above and below the type that is known.
                    if self.program.is_subtype(declaring, class)
                        || self.program.is_subtype(class, declaring)
                        || is_interface
                    {
                        self.run(number, *method, Some(object));
                    }
                }
                if !self.program.method(found).has_code() || targets.methods.is_empty() {
                    self.call_client(number, name);
                } else {
                    self.run(number, found, Some(object));
                }
                for missing in targets.outside {
                    self.row(number, missing);
                }
            }
            Lookup::Outside(missing) => {
                self.row(number, missing);
            }
            Lookup::Absent => self.row(number, member.class),
        }
        if is_interface {
            self.call_client(number, name);
        }
    }

    /// Code of clients gets the arguments, and gives what clients have.
    fn call_client(&mut self, number: u32, of: Name) {
        let CallSite { member, arguments, to, .. } = self.calls[number as usize].clone();
        if COMPARING.contains(&self.program.text(member.name)) {
            return;
        }
        let text = self.program.text(of);
        let is_given = self.program.named(of).is_some();
        let is_function = self.library.function(text).is_some();
        let is_known = !is_given && self.library.has_class(text) && !is_function;
        if is_known {
            return;
        }
        for argument in arguments.iter().skip(1).flatten() {
            self.copy(*argument, self.escaping);
        }
        if let (Some(to), Some(of)) = (to, self.program.result_type(member.descriptor)) {
            self.put_external(to, of);
        }
    }

    /// A method of which nothing is known.
    pub(super) fn unknown(&mut self, number: u32) {
        let CallSite { member, arguments, to, .. } = self.calls[number as usize].clone();
        for argument in arguments.iter().flatten() {
            self.copy(*argument, self.escaping);
            // It may give any of them, and anything in them.
            if let Some(to) = to {
                self.copy(*argument, to);
                self.watch(*argument, Watcher::Load(Field::Content, to));
            }
        }
        if let (Some(to), Some(of)) = (to, self.program.result_type(member.descriptor)) {
            self.put_external(to, of);
        }
        for argument in arguments.into_iter().flatten() {
            let caller = self.calls[number as usize].method;
            self.function_call(caller, argument, None, Some(self.escaping), self.escaping);
        }
    }

    /// Whether a call of an interface's method runs a lambda that implements it.
    pub(super) fn is_function(&self, member: Member) -> bool {
        const OF_ALL: [&str; 5] = ["equals", "hashCode", "toString", "getClass", "notifyAll"];
        let has_code =
            self.program.resolve_method(member).found().is_some_and(|method| self.program.method(method).has_code());
        let name = self.program.text(member.name);
        let is_other = self.program.named(member.class).is_none()
            && self.library.function(self.program.text(member.class)).is_some_and(|function| function != name);
        !OF_ALL.contains(&name) && !has_code && !is_other
    }

    /// A lambda is run with these arguments: all who run it share its parameters and its result, so there is one call of what it runs.
    pub(super) fn run_lambda(
        &mut self,
        caller: MethodId,
        object: ObjectId,
        handle: Handle,
        arguments: &[Option<Node>],
        to: Option<Node>,
    ) {
        if let Some(resolved) = self.program.resolve_method(handle.member).found() {
            let all = self.program.overriders(resolved).methods.iter().copied().chain([resolved]);
            let given = all.filter(|method| self.program.method(*method).has_code()).collect::<Vec<_>>();
            self.callees.entry(caller).or_default().extend(given);
        }
        let (parameters, result) = match self.lambdas.get(&object) {
            Some(known) => known.clone(),
            None => {
                let first = self.graph.nodes(LAMBDA_PARAMETERS + 1);
                let node = |place: usize| Node(first.0 + u32::try_from(place).expect("there are few"));
                let parameters: Vec<Option<Node>> = (0..LAMBDA_PARAMETERS).map(|place| Some(node(place))).collect();
                let result = node(LAMBDA_PARAMETERS);
                self.lambdas.insert(object, (parameters.clone(), result));
                self.run_once(object, handle, &parameters, Some(result));
                (parameters, result)
            }
        };
        for (place, argument) in arguments.iter().enumerate() {
            // More parameters than are told apart share the last one.
            let parameter = parameters[place.min(LAMBDA_PARAMETERS - 1)];
            if let (Some(from), Some(to)) = (*argument, parameter) {
                self.copy(from, to);
            }
        }
        if let Some(to) = to {
            self.copy(result, to);
        }
    }

    /// What a lambda runs, with the nodes of its parameters and its result.
    fn run_once(&mut self, object: ObjectId, handle: Handle, parameters: &[Option<Node>], to: Option<Node>) {
        let Object::Site(Site { method: caller, .. }) = *self.objects.get(object) else { return };
        let arity = self.program.method_type(handle.member.descriptor).map_or(0, |types| types.parameters.len());
        let is_bound =
            usize::from(handle.kind != HandleKind::InvokeStatic && handle.kind != HandleKind::NewInvokeSpecial);
        let left = (arity + is_bound).saturating_sub(usize::from(self.captured(object, handle)));
        let arguments: Vec<Option<Node>> = (0..left).map(|place| parameters[place.min(parameters.len() - 1)]).collect();
        let arguments = &arguments[..];
        let count = self.captured(object, handle);
        let mut all: Vec<Option<Node>> = Vec::new();
        for number in 0..count {
            all.push(Some(self.own_field(object, Field::Captured(number))));
        }
        all.extend(arguments.iter().copied());
        let program = self.program;
        let kind = match handle.kind {
            HandleKind::InvokeStatic => InvokeKind::Static,
            HandleKind::InvokeSpecial => InvokeKind::Special,
            HandleKind::NewInvokeSpecial => return self.run_constructor(caller, object, handle, all, to),
            HandleKind::InvokeInterface => InvokeKind::Interface,
            HandleKind::InvokeVirtual
            | HandleKind::GetField
            | HandleKind::GetStatic
            | HandleKind::PutField
            | HandleKind::PutStatic => InvokeKind::Virtual,
        };
        let Object::Site(site) = *self.objects.get(object) else { return };
        let _ = program;
        // The receiver of a reference to a method is checked to be of its class.
        if kind != InvokeKind::Static
            && let Some(Some(receiver)) = all.first().copied()
        {
            let checked = self.graph.node();
            self.filter(receiver, Type::Class(handle.member.class), checked);
            all[0] = Some(checked);
        }
        let receiver = all.first().copied().flatten();
        let number = u32::try_from(self.calls.len()).expect("there are fewer calls than bytes of code");
        self.calls.push(CallSite {
            method: caller,
            statement: site.statement,
            kind,
            member: handle.member,
            arguments: all,
            to,
        });
        match (kind, receiver) {
            (InvokeKind::Static | InvokeKind::Special, _) | (_, None) => self.call_exactly(number),
            (_, Some(receiver)) => self.watch(receiver, Watcher::Call(number)),
        }
    }

    fn run_constructor(
        &mut self,
        caller: MethodId,
        object: ObjectId,
        handle: Handle,
        mut arguments: Vec<Option<Node>>,
        to: Option<Node>,
    ) {
        let Object::Site(site) = *self.objects.get(object) else { return };
        let made = self.graph.node();
        let class = Type::Class(handle.member.class);
        self.made(
            Some(made),
            Site { method: site.method, statement: site.statement, class, lambda: None, made_as: None },
        );
        if let Some(to) = to {
            self.copy(made, to);
        }
        arguments.insert(0, Some(made));
        let number = u32::try_from(self.calls.len()).expect("there are fewer calls than bytes of code");
        let member = handle.member;
        self.calls.push(CallSite {
            method: caller,
            statement: site.statement,
            kind: InvokeKind::Special,
            member,
            arguments,
            to: None,
        });
        self.call_exactly(number);
    }

    /// How many values a lambda has captured: parameters of its call site.
    pub(super) fn captured(&self, object: ObjectId, _: Handle) -> u8 {
        let Object::Site(site) = *self.objects.get(object) else { return 0 };
        let body = self.body(site.method);
        let count = body.and_then(|body| match &body.statement(site.statement).operation {
            crate::ir::Operation::InvokeDynamic { arguments, .. } => Some(arguments.len()),
            _ => None,
        });
        u8::try_from(count.unwrap_or(0)).unwrap_or(u8::MAX)
    }

    /// Clients run a lambda that they got.
    pub(super) fn run_by_client(&mut self, object: ObjectId) {
        let Object::Site(Site { lambda: Some(handle), method, .. }) = *self.objects.get(object) else { return };
        let Some(types) = self.program.method_type(handle.member.descriptor).cloned() else { return };
        let is_bound =
            usize::from(handle.kind != HandleKind::InvokeStatic && handle.kind != HandleKind::NewInvokeSpecial);
        let all = types.parameters.len() + is_bound;
        let captured = usize::from(self.captured(object, handle));
        let mut arguments = Vec::new();
        for place in captured..all {
            let of = match place.checked_sub(is_bound) {
                Some(place) => types.parameters[place],
                None => Type::Class(handle.member.class),
            };
            let node = self.graph.node();
            self.put_external(node, of);
            arguments.push(of.is_reference().then_some(node));
        }
        self.run_lambda(method, object, handle, &arguments, Some(self.escaping));
    }

    /// Code of the library calls a function, or a method of this name, with any of these arguments.
    pub(super) fn function_call(
        &mut self,
        caller: MethodId,
        of: Node,
        name: Option<Box<str>>,
        arguments: Option<Node>,
        result: Node,
    ) {
        self.function_call_of(of, FunctionCall { caller, name, traverses: false, arguments, result });
    }

    /// Code of the library looks at all that an object holds.
    pub(super) fn traversal(&mut self, caller: MethodId, of: Node, result: Node) {
        self.function_call_of(of, FunctionCall { caller, name: None, traverses: true, arguments: None, result });
    }

    fn function_call_of(&mut self, of: Node, call: FunctionCall) {
        let next = u32::try_from(self.functions.len()).expect("there are fewer calls than bytes of code");
        let number = match self.function_ids.get(&call) {
            Some(known) => *known,
            None => {
                self.function_ids.insert(call.clone(), next);
                self.functions.push(call);
                next
            }
        };
        self.watch(of, Watcher::Function(number));
    }

    /// Such a call on an object.
    pub(super) fn function_on(&mut self, number: u32, object: ObjectId) {
        let FunctionCall { caller, name, traverses, arguments, result } = self.functions[number as usize].clone();
        if traverses {
            return self.traverse(caller, object, result);
        }
        match *self.objects.get(object) {
            Object::Site(Site { lambda: Some(handle), .. }) => {
                let is_of_all =
                    name.as_deref().is_some_and(|name| COMPARING[..2].contains(&name) || name == "toString");
                if !is_of_all {
                    let all = vec![arguments; 8];
                    self.run_lambda(caller, object, handle, &all, Some(result));
                }
            }
            Object::Site(Site { class: Type::Class(class), .. }) => {
                if let Some(class) = self.program.named(class) {
                    self.run_named(caller, class, name.as_deref(), (arguments, result), object);
                }
            }
            Object::External(Type::Class(class)) if !is_universal(self.program.text(class)) => {
                if let Some(class) = self.program.named(class) {
                    for sub in self.program.subtypes(class) {
                        if !self.program.class(sub).flags.is_interface() {
                            self.run_named(caller, sub, name.as_deref(), (arguments, result), object);
                        }
                    }
                }
                self.client_function(name.as_deref(), arguments, result);
            }
            Object::External(_) => self.client_function(name.as_deref(), arguments, result),
            Object::Site(_) | Object::View(..) | Object::ClassObject(_) | Object::Literal(_) => {}
        }
    }

    /// The methods by which an object of a given class shows what it holds are run.
    fn traverse(&mut self, caller: MethodId, object: ObjectId, result: Node) {
        let class = match *self.objects.get(object) {
            Object::Site(Site { class: Type::Class(class), lambda: None, .. }) => self.program.named(class),
            Object::External(Type::Class(class)) if !is_universal(self.program.text(class)) => {
                self.program.named(class)
            }
            _ => None,
        };
        let Some(class) = class else { return };
        let is_external = matches!(self.objects.get(object), Object::External(_));
        let classes = if is_external { self.program.subtypes(class) } else { vec![class] };
        for class in classes {
            if !self.program.class(class).flags.is_interface() {
                for method in self.named(class, Names::Traversal).iter().copied() {
                    self.run_function(caller, method, (None, result), object);
                }
            }
        }
    }

    /// The methods of these names of a class, looked up once.
    fn named(&mut self, class: ClassId, names: Names) -> Rc<[MethodId]> {
        if let Some(known) = self.named.get(&(class, names.clone())) {
            return known.clone();
        }
        let found: Rc<[MethodId]> = match &names {
            Names::Function => named_methods(self.program, self.library, class, None).into(),
            Names::One(name) => named_methods(self.program, self.library, class, Some(name)).into(),
            Names::Traversal => {
                let of = |name: &str| named_methods(self.program, self.library, class, Some(name));
                crate::library::TRAVERSAL.into_iter().flat_map(of).collect()
            }
        };
        self.named.insert((class, names), found.clone());
        found
    }

    fn run_function(
        &mut self,
        caller: MethodId,
        method: MethodId,
        (arguments, result): (Option<Node>, Node),
        object: ObjectId,
    ) {
        self.callees.entry(caller).or_default().insert(method);
        self.reach(method);
        let count = self.body(method).map_or(0, |body| body.parameters.len());
        let all = vec![arguments; count];
        self.pass(method, &all, Some(object));
        let returned = self.returned(method);
        self.copy(returned, result);
    }

    /// A client's function gets the arguments.
    fn client_function(&mut self, name: Option<&str>, arguments: Option<Node>, result: Node) {
        if name.is_some_and(|name| COMPARING.contains(&name)) {
            return;
        }
        if let Some(arguments) = arguments {
            self.copy(arguments, self.escaping);
        }
        if let Some(object) = self.program.name("java/lang/Object") {
            self.put_external(result, Type::Class(object));
        }
    }

    /// The methods of this name of a given class are run; without a name, the one by which it is a function.
    fn run_named(
        &mut self,
        caller: MethodId,
        class: ClassId,
        name: Option<&str>,
        (arguments, result): (Option<Node>, Node),
        object: ObjectId,
    ) {
        let names = name.map_or(Names::Function, |name| Names::One(name.into()));
        for method in self.named(class, names).iter() {
            self.run_function(caller, *method, (arguments, result), object);
        }
    }
}

/// The methods of this name of a class, inherited ones included; without a name, those by which it is a function.
pub(super) fn named_methods(
    program: &crate::Program,
    library: &crate::library::Library,
    class: ClassId,
    name: Option<&str>,
) -> Vec<MethodId> {
    let mut names: Vec<String> = name.map(str::to_string).into_iter().collect();
    if name.is_none() {
        for of in program.supertypes(class) {
            let declared = program.class(of);
            let outside =
                declared.superclass.iter().chain(&declared.interfaces).filter(|name| program.named(**name).is_none());
            names.extend(outside.filter_map(|name| library.function(program.text(*name)).map(str::to_string)));
            // A given interface with one method.
            if declared.flags.is_interface() {
                let abstracts: Vec<MethodId> =
                    declared.methods().filter(|method| program.method(*method).flags.is_abstract()).collect();
                if let [one] = &abstracts[..] {
                    names.push(program.text(program.method(*one).name).to_string());
                }
            }
        }
    }
    let mut found = Vec::new();
    for of in program.supertypes(class) {
        for method in program.class(of).methods() {
            let declared = program.method(method);
            let is_named = names.iter().any(|name| name == program.text(declared.name));
            let is_it = is_named && declared.has_code() && !declared.flags.is_static() && !declared.flags.is_private();
            if is_it && program.resolve_in(class, declared.name, declared.descriptor).found() == Some(method) {
                found.push(method);
            }
        }
    }
    found
}
