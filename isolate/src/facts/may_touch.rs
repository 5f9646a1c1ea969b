//! Methods that may touch a followed object although no argument leads to one: they load it from a field, an array or a
//! static field.
//!
//! A method *may touch* a followed object if one of its statements
//! - assigns a variable that may hold a followed object by the pointer analysis, and the value is loaded, returned by a
//!   call, or allocated and escaping;
//! - accesses a followed static field;
//! - calls a function that has captured a followed object, or that gets one by a more special type or from the library;
//!
//! or if it lets a new object that it gets escape; or if it may call a method that may touch one, or pass such a method
//! to clients as a function. Calls of other methods, whose arguments lead to no followed object, touch none.

use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use java::ir::{Body, Operation, StatementId, Variable};
use java::points_to::{Field, ObjectId};
use java::{InvokeKind, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// A statement that may obtain a followed object.
#[derive(Clone, Copy)]
pub(crate) struct SearchedStatement<'a> {
    pub(crate) method: MethodId,
    pub(crate) body: &'a Body,
    pub(crate) operation: &'a Operation,
    pub(crate) is_foreign: bool,
}

impl SubjectFacts<'_> {
    /// Whether a method may touch a followed object. Linear in the methods reached from it, once. If cancelled, returns
    /// true and remembers nothing.
    pub(crate) fn may_touch(&self, method: MethodId, is_foreign: bool) -> bool {
        if let Some(known) = self.answers.may_touch.borrow().get(&(method, is_foreign)) {
            return *known;
        }
        let mut reached: FxHashSet<MethodId> = FxHashSet::default();
        let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
        let mut touching: Vec<MethodId> = Vec::new();
        let mut open = vec![method];
        while let Some(one) = open.pop() {
            if !reached.insert(one) {
                continue;
            }
            if (self.is_cancelled)() {
                return true;
            }
            if self.touches_itself(one, is_foreign) {
                touching.push(one);
                continue;
            }
            let callbacks = self.callback_methods(one);
            for callee in self.heap.callees_of(one).iter().chain(&*callbacks).copied() {
                match self.answers.may_touch.borrow().get(&(callee, is_foreign)) {
                    Some(true) => touching.push(one),
                    Some(false) => {}
                    None => {
                        callers.entry(callee).or_default().push(one);
                        open.push(callee);
                    }
                }
            }
        }
        let mut found: FxHashSet<MethodId> = FxHashSet::default();
        while let Some(one) = touching.pop() {
            if found.insert(one) {
                touching.extend(callers.remove(&one).unwrap_or_default());
            }
        }
        let mut known = self.answers.may_touch.borrow_mut();
        known.extend(reached.iter().map(|one| ((*one, is_foreign), found.contains(one))));
        found.contains(&method)
    }

    /// Whether a statement of the method itself obtains a followed object or accesses a followed static field.
    fn touches_itself(&self, method: MethodId, is_foreign: bool) -> bool {
        let Some(body) = self.heap.body(method) else { return false };
        if is_foreign {
            self.confined();
        }
        if self.escapes_via_parameter(method, &body) {
            return true;
        }
        body.blocks().any(|(block, of)| {
            let is_caught = |caught: Variable| self.has_followed(self.heap.points.variable(method, caught));
            of.caught.is_some_and(is_caught)
                || (0..).zip(&*of.statements).any(|(index, statement)| {
                    let is_static = match &statement.operation {
                        Operation::GetStatic(member) | Operation::PutStatic(member, _) => {
                            let field = self.heap.program.resolve_field(*member).found();
                            field.is_some_and(|field| self.is_static_location(field))
                        }
                        _ => false,
                    };
                    let at = SearchedStatement { method, body: &body, operation: &statement.operation, is_foreign };
                    is_static
                        || self.calls_capturing(method, &statement.operation)
                        || self.runs_functions(at, StatementId { block, index })
                        || self.calls_elements(at)
                        || statement.to.is_some_and(|to| self.assigns_followed(at, to))
                })
        })
    }

    /// Whether one of the objects that a statement obtains may be followed; in a foreign caller, objects that belong to
    /// that caller's object do not count.
    pub(super) fn any_followed(&self, at: SearchedStatement<'_>, objects: Vec<ObjectId>) -> bool {
        match at.is_foreign {
            true => self.any_followed_from_foreign(at.operation, objects),
            false => objects.into_iter().any(|object| self.may_be_followed(object)),
        }
    }

    /// Whether the library runs program methods because of a statement: in program mode any, perhaps as threads; in
    /// client mode those that may get a followed object from it, such as an element of a client's list.
    fn runs_functions(&self, at: SearchedStatement<'_>, statement: StatementId) -> bool {
        let Some(callees) = self.heap.points.callees(at.method, statement) else { return false };
        match self.mode.is_program {
            true => !callees.functions.is_empty(),
            false => self.passes_to_functions(at, callees.client),
        }
    }

    /// Whether a call may run a lambda that has captured a followed object.
    fn calls_capturing(&self, method: MethodId, operation: &Operation) -> bool {
        let Operation::Invoke { kind, member, arguments } = operation else { return false };
        if *kind == InvokeKind::Static || *kind == InvokeKind::Special {
            return false;
        }
        let Some(receiver) = arguments.first() else { return false };
        let of_declared = self.heap.program.text(member.class);
        let with_returned = |object: ObjectId| match self.heap.kind_of(object) {
            ObjectKind::External(of) => self.heap.returned_by_clients(self.heap.points.type_name(of)).to_vec(),
            _ => vec![object],
        };
        let objects = self.heap.variable(method, *receiver);
        let back = if objects.is_empty() { self.heap.returned_by_clients(of_declared).to_vec() } else { Vec::new() };
        objects.into_iter().flat_map(with_returned).chain(back).any(|object| self.has_captured(object))
    }

    /// Whether an object is a lambda that has captured an object which may be followed.
    fn has_captured(&self, object: ObjectId) -> bool {
        matches!(self.heap.kind_of(object), ObjectKind::Lambda)
            && (0..self.heap.captured_count(object)).any(|number| {
                let held = self.heap.field(object, Field::Captured(number));
                held.into_iter().any(|object| self.may_be_followed(object))
            })
    }

    /// Whether one of the objects that a statement assigns may be followed, as in [`any_followed`](Self::any_followed).
    fn assigns_followed(&self, at: SearchedStatement<'_>, to: Variable) -> bool {
        let set = self.heap.points.variable(at.method, to);
        self.obtains_reference(at, to)
            && match at.is_foreign {
                true => self.any_followed(at, self.heap.listed(set).to_vec()),
                false => self.has_followed(set),
            }
    }

    /// Whether a statement loads references or gets them from a call.
    fn obtains_reference(&self, at: SearchedStatement<'_>, to: Variable) -> bool {
        let is_given = match at.operation {
            Operation::GetField { .. } | Operation::GetStatic(_) | Operation::LoadElement { .. } => true,
            Operation::Invoke { .. } | Operation::InvokeDynamic { .. } | Operation::CheckCast(..) => true,
            Operation::New(_) | Operation::NewArray(..) => {
                self.mode.is_program || self.allocation_escapes(at.method, at.body, to)
            }
            Operation::Constant(_)
            | Operation::Binary(..)
            | Operation::Negate(..)
            | Operation::Convert(..)
            | Operation::Narrow(..)
            | Operation::Compare(..)
            | Operation::PutField { .. }
            | Operation::PutStatic(..)
            | Operation::StoreElement { .. }
            | Operation::ArrayLength(_)
            | Operation::InstanceOf(..)
            | Operation::MonitorEnter(_)
            | Operation::MonitorExit(_) => false,
        };
        is_given && at.body.variable(to).of.is_some_and(Type::is_reference)
    }
}
