//! Objects that a class itself hands to code of clients, and may get back from there.
//!
//! A client's list, map, stream, executor or function is an external object. What the class stores in it, or what a
//! function returns that it gets, comes back as another external object: `list.add(own); list.get(0).clear()`,
//! `stream.map(x -> own).forEach(y -> y.clear())`. The printed assumption that clients do not pass an object of the
//! class back says nothing about this, as the class itself asks for it.
//!
//! **Definition.** An object of the library or an array is *handed over* if an argument of a call on an external object
//! leads to it: the argument itself, the content of an object of the library, or the result of a function among them. A
//! row on an external object that may be a reachable object which is handed over touches the subject. If the result of
//! a function is handed over, the library code of the call, such as a stream that collects into it, may access it at
//! any place, so that no access of the model covers the call.

use super::reachable::Reachable;
use super::{Code, statements};
use java::ir::{Body, Operation, StatementId};
use java::points_to::{Field, Object, ObjectId};
use java::{Handle, HandleKind, InvokeKind, MethodId};
use rustc_hash::FxHashSet;

/// The objects that methods hand over, and the functions among them.
#[derive(Default)]
pub(super) struct Handed {
    pub(super) objects: Vec<ObjectId>,
    pub(super) functions: Vec<MethodId>,
    /// The calls that hand over a function with a reachable object as its result.
    pub(super) by_function: Vec<(MethodId, StatementId)>,
}

/// The reachable objects that methods hand to code of clients.
pub(super) fn handed(code: Code<'_>, reachable: &Reachable<'_>, methods: &[MethodId]) -> Handed {
    let mut found = Handed::default();
    for body in methods.iter().filter_map(|method| code.body(*method)) {
        for at in statements(&body) {
            if found.add(code, reachable, given_to_clients(code, &body, at)) {
                found.by_function.push((body.method, at));
            }
        }
    }
    found
}

impl Handed {
    /// Adds what objects lead to. Returns whether the result of a function is a reachable object.
    fn add(&mut self, code: Code<'_>, reachable: &Reachable<'_>, given: Vec<ObjectId>) -> bool {
        let mut open: Vec<(ObjectId, bool)> = given.into_iter().map(|object| (object, false)).collect();
        let (mut known, mut is_by_function) = (FxHashSet::default(), false);
        while let Some((object, is_result)) = open.pop() {
            if !known.insert((object, is_result)) {
                continue;
            }
            match code.points.object(object) {
                Object::Lambda { implementation, .. } => {
                    let methods = implementations(code, *implementation);
                    let results = methods.iter().flat_map(|method| code.points.result(*method).iter());
                    open.extend(results.map(|result| (result, true)));
                    self.functions.extend(methods);
                }
                Object::Made { of, .. } if code.points.class_of(*of).is_none() => {
                    let content = code.points.field(object, Field::Content).iter();
                    open.extend(content.map(|held| (held, is_result)));
                    if reachable.has(object) {
                        self.objects.push(object);
                        is_by_function |= is_result;
                    }
                }
                Object::View { base, .. } => open.push((*base, is_result)),
                _ => {}
            }
        }
        is_by_function
    }
}

/// The objects that a call passes as arguments to code of clients, or stores in an object of clients.
fn given_to_clients(code: Code<'_>, body: &Body, at: StatementId) -> Vec<ObjectId> {
    let Operation::Invoke { kind, arguments, .. } = &body.statement(at).operation else { return Vec::new() };
    let Some(receiver) = arguments.first().filter(|_| *kind != InvokeKind::Static) else { return Vec::new() };
    let set = |variable| code.points.variable(body.method, variable).iter();
    let is_client = || code.points.callees(body.method, at).is_some_and(|callees| callees.client);
    let is_external = |object| match code.points.object(object) {
        Object::External(of) => code.points.class_of(*of).is_none(),
        _ => false,
    };
    match set(*receiver).any(is_external) || is_client() {
        true => arguments.iter().skip(1).flat_map(|argument| set(*argument)).collect(),
        false => Vec::new(),
    }
}

/// The methods with code that a function runs.
fn implementations(code: Code<'_>, Handle { kind, member }: Handle) -> Vec<MethodId> {
    let program = code.program;
    let Some(resolved) = program.resolve_method(member).found() else { return Vec::new() };
    let is_virtual = matches!(kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface);
    let mut methods = if is_virtual { program.overriders(resolved).methods.clone() } else { Vec::new() };
    methods.extend((!methods.contains(&resolved)).then_some(resolved));
    methods.retain(|method| program.method(*method).has_code());
    methods
}
