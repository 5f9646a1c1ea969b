//! Which methods may touch a followed object although none of their arguments leads to one: they find it in a field, an
//! array, a static field.
//!
//! A method *finds* if one of its statements assigns a variable that may hold a followed object by the pointer analysis
//! and that is loaded, given by a call or made and given away, or accesses a static field that is followed; or calls a
//! function that has captured one, or one that gets one by a more special type, or from the library; or gives away a
//! new one that it gets; or if it may call a method that finds, or hand one to code of clients as a function. Calls of
//! other methods, whose arguments lead to no followed object, touch none.

use super::confinement::Confined;
use super::interpreter::Interpreter;
use super::objects::What;
use super::passing::Passing;
use java::ir::{Body, Operation, StatementId, Variable};
use java::points_to::{Field, ObjectId};
use java::{InvokeKind, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A statement in which a followed object may be found.
#[derive(Clone, Copy)]
pub(super) struct Searched<'a> {
    pub(super) method: MethodId,
    pub(super) body: &'a Body,
    pub(super) operation: &'a Operation,
    pub(super) is_foreign: bool,
}

/// What is known of which methods find.
#[derive(Debug, Default)]
pub(super) struct Finding {
    known: FxHashMap<(MethodId, bool), bool>,
}

/// What is found once for all interpretations of the same followed objects in the same mode: which methods find, what
/// calls pass, and what is confined. **Invariant.** It depends on the heap, the regions, the class and on whether whole
/// programs are meant, not on how far calls are followed or how locks are told apart.
#[derive(Debug, Default)]
pub(in crate::isolate) struct Found {
    pub(super) finding: RefCell<Finding>,
    pub(super) passing: RefCell<Passing>,
    pub(super) confined: OnceCell<Rc<Confined>>,
}

impl Interpreter<'_> {
    /// Whether a method may find a followed object. Linear in what is reached from it, once. What is cancelled finds,
    /// and is not remembered.
    pub(super) fn finds(&mut self, method: MethodId, is_foreign: bool) -> bool {
        if let Some(known) = self.found.finding.borrow().known.get(&(method, is_foreign)) {
            return *known;
        }
        let mut reached: FxHashSet<MethodId> = FxHashSet::default();
        let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
        let mut finding: Vec<MethodId> = Vec::new();
        let mut open = vec![method];
        while let Some(one) = open.pop() {
            if !reached.insert(one) {
                continue;
            }
            if (self.is_cancelled)() {
                return true;
            }
            if self.finds_itself(one, is_foreign) {
                finding.push(one);
                continue;
            }
            let handed = self.handed_methods(one);
            for callee in self.heap.callees_of(one).iter().chain(&*handed).copied() {
                match self.found.finding.borrow().known.get(&(callee, is_foreign)) {
                    Some(true) => finding.push(one),
                    Some(false) => {}
                    None => {
                        callers.entry(callee).or_default().push(one);
                        open.push(callee);
                    }
                }
            }
        }
        let mut found: FxHashSet<MethodId> = FxHashSet::default();
        while let Some(one) = finding.pop() {
            if found.insert(one) {
                finding.extend(callers.remove(&one).unwrap_or_default());
            }
        }
        let mut finding = self.found.finding.borrow_mut();
        finding.known.extend(reached.iter().map(|one| ((*one, is_foreign), found.contains(one))));
        found.contains(&method)
    }

    /// Whether a statement of a method gives a followed object, or accesses a followed static field.
    fn finds_itself(&mut self, method: MethodId, is_foreign: bool) -> bool {
        let Some(body) = self.heap.body(method) else { return false };
        if is_foreign {
            self.confined();
        }
        if self.gives_away_given(method, &body) {
            return true;
        }
        body.blocks().any(|(block, of)| {
            (0..).zip(&*of.statements).any(|(index, statement)| {
                let is_static = match &statement.operation {
                    Operation::GetStatic(member) | Operation::PutStatic(member, _) => {
                        let field = self.heap.program.resolve_field(*member).found();
                        field.is_some_and(|field| self.is_static_location(field))
                    }
                    _ => false,
                };
                let at = Searched { method, body: &body, operation: &statement.operation, is_foreign };
                is_static
                    || self.calls_capturing(method, &statement.operation)
                    || self.runs_functions(at, StatementId { block, index })
                    || self.calls_of_content(at)
                    || statement.to.is_some_and(|to| self.leads_to(at, to))
            })
        })
    }

    /// Whether objects that a statement gets may be followed; in a call of another object's method, and not be its own.
    pub(super) fn leads(&self, at: Searched<'_>, objects: Vec<ObjectId>) -> bool {
        match at.is_foreign {
            true => self.leads_from_foreign(at.operation, objects),
            false => objects.into_iter().any(|object| self.may_be_followed(object)),
        }
    }

    /// Whether the library runs given methods because of a statement: in program mode any, perhaps as threads; in
    /// client mode those that may get a followed object from it, as what a list of clients holds.
    fn runs_functions(&mut self, at: Searched<'_>, statement: StatementId) -> bool {
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
        let given_back = |object: ObjectId| match self.heap.what(object) {
            What::External(of) => self.heap.given_back(self.heap.points.type_name(of)).to_vec(),
            _ => vec![object],
        };
        let objects = self.heap.variable(method, *receiver);
        let back = if objects.is_empty() { self.heap.given_back(of_declared).to_vec() } else { Vec::new() };
        objects.into_iter().flat_map(given_back).chain(back).any(|object| self.has_captured(object))
    }

    /// Whether an object is a lambda that has captured what may be followed.
    fn has_captured(&self, object: ObjectId) -> bool {
        matches!(self.heap.what(object), What::Lambda)
            && (0..self.heap.captured(object)).any(|number| {
                let held = self.heap.field(object, Field::Captured(number));
                held.into_iter().any(|object| self.may_be_followed(object))
            })
    }

    /// Whether the objects that a statement loads or gets may be followed, as [`leads`](Self::leads) says.
    fn leads_to(&mut self, at: Searched<'_>, to: Variable) -> bool {
        let set = self.heap.points.variable(at.method, to);
        self.gives(at, to)
            && match at.is_foreign {
                true => self.leads(at, self.heap.listed(set).to_vec()),
                false => self.has_followed(set),
            }
    }

    /// Whether a statement loads objects, or gets them.
    fn gives(&self, at: Searched<'_>, to: Variable) -> bool {
        let is_given = match at.operation {
            Operation::GetField { .. } | Operation::GetStatic(_) | Operation::LoadElement { .. } => true,
            Operation::Invoke { .. } | Operation::InvokeDynamic { .. } | Operation::CheckCast(..) => true,
            Operation::New(_) => self.mode.is_program || self.gives_away_made(at.method, at.body, to),
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
            | Operation::NewArray(..)
            | Operation::InstanceOf(..)
            | Operation::MonitorEnter(_)
            | Operation::MonitorExit(_) => false,
        };
        is_given && at.body.variable(to).of.is_some_and(Type::is_reference)
    }
}
