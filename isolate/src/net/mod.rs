//! The net: an independent pass under a proof. A hole in the interpreter costs a proof, not the truth.
//!
//! The interpreter leaves statements out of a model for many reasons, each with an argument of its own. The net asks
//! again, statement by statement, and shares only the register form, the points-to sets, the call graph and the library
//! table with the interpreter.
//!
//! **Definitions.** An abstract object is *reachable* if it may be an object of the subject's class (for static fields:
//! if one of them may hold it), or if a field, a content or a view of a reachable object leads to it, or if external
//! code has both and their types agree ([`reachable`]). A statement *touches* the subject if it accesses a field or an
//! element of an object that may be reachable, or if it may run a row that accesses the content of one ([`accesses`]),
//! or of one that the class has handed to clients ([`handed`]).
//! A touching statement is *justified* if one of these holds:
//!
//! - *covered*: in some context of the model, the statement makes an access, or uses a lock that stands for one;
//! - *fresh*: its object was made in the same method and, on each path from there to the statement, was only the base
//!   of accesses, or the argument of calls that store it nowhere ([`fresh`], [`leaks`]); in a constructor also `this`,
//!   and the object in a field of `this`, if each store of the field is of a new object that nobody else gets;
//! - *unchanging*: the field is assigned while its object or class is initialized only, and no constructor that assigns
//!   it lets others get the object. The reference in a final field is assumed to be there for whoever gets the object
//!   too early, as in [`Assumption::MadeFirst`](crate::Assumption::MadeFirst);
//! - *constant*: its object has no content that can change (`immutable`, `value`; for reads `unchanging`);
//! - *a lock expression*: the loaded value is only a monitor.
//!
//! A class is *uncovered* if a method that runs for an entry of the model, over the call graph, has a touching
//! statement without a justification; or if a public or protected method of its class, or a library method that calls
//! methods of its class ([`units`]), leads to a touching statement and is not queried.
//!
//! **Theorem.** Let a class have a model without violations and not be uncovered. Then each execution of an entry
//! accesses objects that are reachable from the subject only at statements with an access in the model, or where no
//! other thread can observe the access.
//!
//! *Argument.* The base of an access is in the points-to set of its variable, by the invariant of the pointer analysis.
//! If it is reachable from the subject in the execution, its abstract object is in the closure, as the closure follows
//! each edge of the abstract heap; so the statement touches. Its method is in the call graph that begins with the
//! entries, so the net sees it. If the statement is not covered, it is justified otherwise. *Fresh*: a variable has one
//! definition; each path from there to the statement has no use by which another reference to the object could come
//! into the heap, so only this frame, and frames that it has called and that have ended, knew the object. *Unchanging*,
//! *constant*: no thread changes the state after others can read it.
//!
//! **Limits.** The net finds accesses that are missing. It does not find an access that a model has in one context and
//! lacks in another, wrong locks and guards, wrong orders within a statement, entries with wrong multiplicity or on the
//! wrong thread, flows that the points-to sets lack, and rows that are wrong. It trusts the printed assumptions about
//! native code, reflection, class initializers, and objects that clients pass as an `Object`. Static fields
//! that are followed with a class, those that it declares and those of the program that its units reach, are a subject
//! of their own; the net of an object asks about the others. Models of whole programs have no net.

mod accesses;
mod fresh;
mod handed;
mod leaks;
mod process_state;
mod reachable;
mod units;

use crate::claims::{Claim, Subject};
use crate::graph::Covered;
use crate::graph::names::source_path;
use accesses::{Access, Accesses};
use fresh::Fresh;
use java::ir::{Bodies, Body, Operation, StatementId};
use java::library::Library;
use java::points_to::{ObjectId, PointsTo};
use java::{FieldId, MethodId, Program, Type};
use leaks::Leaks;
pub(crate) use process_state::changes_of_process;
use reachable::Reachable;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The facts that the net shares with the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct Code<'p> {
    pub(crate) program: &'p Program,
    pub(crate) library: &'p Library,
    pub(crate) bodies: &'p Bodies<'p>,
    pub(crate) points: &'p PointsTo<'p>,
}

impl Code<'_> {
    fn body(&self, method: MethodId) -> Option<Arc<Body>> {
        self.bodies.get(method, &|| false).ok().flatten()
    }
}

/// An access that a model does not cover.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uncovered {
    /// The source file.
    pub file: String,
    /// The line; 0 for a missing unit of the library.
    pub line: u32,
    /// The method.
    pub method: String,
    /// The accessed state (`count`, elements of an array, `ArrayList.add`), or the missing unit.
    pub what: String,
}

/// The net of one subject.
struct Net<'p> {
    code: Code<'p>,
    reachable: Reachable<'p>,
    leaks: Leaks<'p>,
    /// The reachable objects that the class hands to clients.
    handed: Vec<ObjectId>,
}

/// Returns the accesses that a model does not cover, and the units that it lacks. The static fields that are followed
/// with the class are asked about in the model of its static fields, not in that of its objects.
pub(crate) fn uncovered(
    code: Code<'_>,
    (subject, followed): (&Subject, &FxHashSet<FieldId>),
    covered: &Covered,
) -> Vec<Uncovered> {
    let callable = units::callable(code, subject.class);
    let accessing = covered.places.iter().map(|(method, _)| *method);
    let methods = reached(code, covered.entries.iter().chain(&callable).copied().chain(accessing));
    let own = |field: &FieldId| followed.contains(field);
    // Compilers fill their own fields in initializers.
    let is_plain = |field: &FieldId| !code.program.field(*field).flags.is_synthetic();
    let used = methods.iter().flat_map(|method| static_fields(code, *method)).filter(is_plain);
    let reachable = match subject.claim {
        Claim::Statics => Reachable::new(code, Vec::new(), used.filter(own).collect()),
        _ => Reachable::new(code, code.points.objects_of(subject.class), used.filter(|field| !own(field)).collect()),
    };
    let mut handed = handed::handed(code, &reachable, &methods);
    let own = methods.iter().copied().chain(std::mem::take(&mut handed.functions));
    let methods = reached(code, own);
    let net = Net { code, reachable, leaks: Leaks::new(code), handed: std::mem::take(&mut handed.objects) };
    let (mut found, mut touching) = (Vec::new(), FxHashSet::default());
    for (method, at) in handed.by_function {
        found.push(net.uncovered(method, Some(at), "the accesses to what a function gives to clients".into()));
    }
    for method in methods {
        for (at, access) in net.touches(method) {
            touching.insert(method);
            if ![&covered.places, &covered.locks].iter().any(|places| places.contains(&(method, at))) {
                found.push(net.uncovered(method, Some(at), format!("the access of {}", access.what)));
            }
        }
    }
    if subject.claim != Claim::Statics {
        let missed = units::missed(code, (subject.class, &callable), covered, touching);
        found.extend(missed.into_iter().map(|(method, what)| net.uncovered(method, None, what)));
    }
    found.sort();
    found.dedup();
    found
}

impl Net<'_> {
    /// The statements of a method that touch the subject and have no justification but that they may be covered.
    fn touches(&self, method: MethodId) -> Vec<(StatementId, Access)> {
        let program = self.code.program;
        let is_initializer = program.text(program.method(method).name) == "<clinit>";
        let Some(body) = self.code.body(method).filter(|_| !is_initializer) else { return Vec::new() };
        let accesses = Accesses { code: self.code, reachable: &self.reachable, handed: &self.handed, body: &body };
        let mut fresh = None;
        let mut found = Vec::new();
        for at in statements(&body) {
            for access in accesses.of(at) {
                let fresh = fresh.get_or_insert_with(|| Fresh::new(&body, &self.leaks));
                let is_unchanging = access.field.is_some_and(|field| self.is_unchanging(field));
                if !is_unchanging && !access.base.is_some_and(|base| fresh.is_fresh(base, at)) && !fresh.is_lock(at) {
                    found.push((at, access));
                }
            }
        }
        found
    }

    /// Whether a field has one value from the end of the construction on, and nobody has the object before. The
    /// reference in a final field is assumed to be there for whoever gets the object too early.
    fn is_unchanging(&self, field: FieldId) -> bool {
        let Code { program, points, .. } = self.code;
        let declared = program.field(field);
        let is_reference = program.field_type(declared.descriptor).is_some_and(Type::is_reference);
        let is_private = |method: MethodId| declared.flags.is_static() || !self.leaks.leaks_parameter(method, 0);
        points.assigned_once(field)
            && (declared.flags.is_final() && is_reference
                || points.stores(field).iter().all(|store| is_private(store.method)))
    }

    fn uncovered(&self, method: MethodId, at: Option<StatementId>, what: String) -> Uncovered {
        uncovered_at(self.code, method, at, what)
    }
}

fn uncovered_at(code: Code<'_>, method: MethodId, at: Option<StatementId>, what: String) -> Uncovered {
    let program = code.program;
    let line = at.and_then(|at| Some(code.body(method)?.statement(at).line)).unwrap_or(0);
    let file = source_path(program, program.method(method).class);
    Uncovered { file, line, method: program.method_name(method), what }
}

/// All statements of a method.
fn statements(body: &Body) -> impl Iterator<Item = StatementId> {
    body.blocks().flat_map(|(block, of)| (0..).zip(&*of.statements).map(move |(index, _)| StatementId { block, index }))
}

/// The static fields that a method uses.
fn static_fields(code: Code<'_>, method: MethodId) -> Vec<FieldId> {
    let body = code.body(method);
    let all = body.iter().flat_map(|body| statements(body).map(|at| &body.statement(at).operation));
    let used = all.filter_map(|operation| match operation {
        Operation::GetStatic(field) | Operation::PutStatic(field, _) => code.program.resolve_field(*field).found(),
        _ => None,
    });
    used.collect()
}

/// The methods that run for some methods: over the call graph, and what the library calls back. In order.
fn reached(code: Code<'_>, entries: impl IntoIterator<Item = MethodId>) -> Vec<MethodId> {
    let mut found: FxHashSet<MethodId> = FxHashSet::default();
    let mut open: Vec<MethodId> = entries.into_iter().collect();
    while let Some(method) = open.pop() {
        if let (true, Some(body)) = (found.insert(method), code.body(method)) {
            let callees = statements(&body).filter_map(|at| code.points.callees(method, at));
            open.extend(callees.flat_map(|it| it.methods.iter().chain(&it.functions).copied()));
        }
    }
    let mut found: Vec<MethodId> = found.into_iter().collect();
    found.sort_unstable();
    found
}
