//! Changes of arrays by library code.
//!
//! **Definition.** An object *shows* an array if it is the array, or a view of an object that shows it, such as
//! `Arrays.asList(array)`. A method *changes arrays in the library* if one of its statements
//!
//! - calls a row that writes an argument which may show one. A row that writes through a handle states this of the
//!   receiver, the handle; the array whose elements it accesses is the first argument, and a handle to a field accesses
//!   no array.
//! - passes what may show one to library code without a row, or to a method of the program that a library class may
//!   implement, in an object of a program class that extends it,
//! - calls a row that puts objects into the results of functions, and a function, or the row, may return what shows
//!   one: `list.toArray(n -> array)`,
//! - makes a function of a library method that writes what may show one: a captured value, or a parameter whose type
//!   fits.
//!
//! *Why it suffices.* Library code gets an object as an argument, a captured value, a result of a function, or out of a
//! content. A row that writes an object in a content does so by a function, and functions are methods of the program,
//! which are looked at by themselves, or references to library methods, which fall under the last case wherever they
//! are called.

use super::argument_flows::argument_place;
use super::subject_facts::SubjectFacts;
use java::ir::{Body, Operation, Statement, StatementId, Variable};
use java::library::{Action, Attribute, Row, Target};
use java::points_to::{ObjectId, ObjectSet};
use java::{CallSiteAction, Handle, HandleKind, InvokeKind, Member, MethodId, Type};
use rustc_hash::FxHashSet;

/// The objects that show some arrays.
pub(super) struct Shown(FxHashSet<ObjectId>);

impl Shown {
    fn is_in(&self, objects: ObjectSet<'_>) -> bool {
        objects.iter().any(|object| self.0.contains(&object))
    }
}

impl SubjectFacts<'_> {
    /// The objects that show these arrays.
    pub(super) fn shown(&self, arrays: &[ObjectId]) -> Shown {
        let points = self.heap.points;
        let arrays: FxHashSet<ObjectId> = arrays.iter().copied().collect();
        let shows = |object: &ObjectId| arrays.contains(&points.viewed(*object));
        Shown(points.objects().map(|(object, _)| object).filter(shows).collect())
    }

    /// Whether a method changes arrays in the library.
    pub(super) fn changes_in_library(&self, method: MethodId, body: &Body, shown: &Shown) -> bool {
        body.blocks().any(|(block, of)| {
            (0..).zip(&*of.statements).any(|(index, statement)| match &statement.operation {
                Operation::Invoke { .. } => self.call_changes((method, StatementId { block, index }), statement, shown),
                Operation::InvokeDynamic { site, arguments } => match body.call_site(*site).action {
                    CallSiteAction::Lambda { implementation, .. } => {
                        self.reference_changes(method, implementation, arguments, shown)
                    }
                    _ => false,
                },
                _ => false,
            })
        })
    }

    fn call_changes(&self, (method, site): (MethodId, StatementId), statement: &Statement, shown: &Shown) -> bool {
        let Operation::Invoke { kind, member, arguments } = &statement.operation else { return false };
        let is_one = |variable: &Variable| shown.is_in(self.heap.points.variable(method, *variable));
        let callees = self.heap.points.callees(method, site);
        if self.heap.program.resolve_method(*member).found().is_some() {
            return callees.is_some_and(|callees| callees.rows) && arguments.iter().any(is_one);
        }
        let Some(row) = self.heap.row_of_member(*member) else { return arguments.iter().any(is_one) };
        let may_yield = || {
            let functions = callees.into_iter().flat_map(|callees| &callees.functions);
            { functions }.any(|function| shown.is_in(self.heap.points.result(*function)))
                || statement.to.as_ref().is_some_and(is_one)
        };
        written_places(&row, *kind).any(|place| arguments.get(place).is_some_and(is_one))
            || fills_results(&row) && may_yield()
    }

    /// Whether a function that a method makes of a library method changes what shows an array.
    fn reference_changes(
        &self,
        method: MethodId,
        Handle { kind, member }: Handle,
        captured: &[Variable],
        shown: &Shown,
    ) -> bool {
        let types = self.parameter_types(kind, member);
        let may_get = |place: usize| match (captured.get(place), types.get(place)) {
            (Some(variable), _) => shown.is_in(self.heap.points.variable(method, *variable)),
            (None, Some(of)) => self.may_be_one(*of, shown),
            (None, None) => false,
        };
        if self.is_own_code(member) {
            return false;
        }
        let called = match kind {
            HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial => InvokeKind::Static,
            _ => InvokeKind::Virtual,
        };
        match self.heap.row_of_member(member) {
            Some(row) => written_places(&row, called).any(may_get),
            None => (0..types.len()).any(may_get),
        }
    }

    /// Whether a reference leads to code of the program only: an interface may be implemented by a library class.
    fn is_own_code(&self, member: Member) -> bool {
        let program = self.heap.program;
        program.resolve_method(member).found().is_some_and(|method| {
            let declared = program.method(method);
            declared.has_code() && !program.class(declared.class).flags.is_interface()
        })
    }

    /// Whether an object that shows an array may be of a type.
    fn may_be_one(&self, of: Type, shown: &Shown) -> bool {
        let fits = |of| shown.0.iter().any(|object| self.heap.points.may_be(*object, of));
        of.is_reference() && self.heap.type_id(of).is_none_or(fits)
    }
}

/// The places of the arguments, the receiver included, whose content a row writes.
fn written_places(row: &Row<'_>, kind: InvokeKind) -> impl Iterator<Item = usize> {
    let is_handle = row.attributes.has(Attribute::Handle);
    let written = row.actions.iter().filter_map(Action::written);
    written.filter_map(move |subject| match argument_place(subject, kind) {
        Some(0) if is_handle => Some(1),
        place => place,
    })
}

/// Whether a row puts objects into the results of functions.
fn fills_results(row: &Row<'_>) -> bool {
    row.actions.iter().any(|action| matches!(action, Action::Keeps { target: Target::Yielded, .. }))
}
