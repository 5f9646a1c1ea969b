//! Where control is: in the constructor of the subject's object, inside or outside of the subject's class, published or
//! not.

use super::context::{ContextId, Point};
use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::Assumption;
use crate::value::{RegionId, Value};
use java::ir::{Statement, StatementId};
use java::{FieldId, MethodId, Name};

impl Interpreter<'_> {
    /// The method of a context and its arguments.
    pub(crate) fn method_of(&self, id: ContextId) -> (MethodId, Vec<Value>) {
        let context = &self.contexts[id.index()];
        (context.method, context.arguments.clone())
    }

    /// Whether nobody can observe accesses here: control is in the constructor of the subject's object and no other
    /// thread has the object, or reads are discarded. In program mode no other thread has the object during
    /// construction; else until it is [published](crate::facts::publication).
    pub(crate) fn is_unobserved(&self, at: Position<'_>) -> bool {
        at.is_discarded || self.is_constructing(at.id) && (self.mode.is_program || !at.is_published)
    }

    /// Whether a context is the constructor of the subject's object.
    pub(super) fn is_constructing(&self, id: ContextId) -> bool {
        let context = &self.contexts[id.index()];
        context.arguments.first() == Some(&Value::Region(RegionId::SUBJECT))
            && self.heap.program.is_constructor(context.method)
    }

    /// Whether a context is the initializer of the class that declares a static field.
    pub(super) fn is_initializing(&self, id: ContextId, field: FieldId) -> bool {
        let method = self.heap.program.method(self.contexts[id.index()].method);
        self.heap.program.text(method.name) == "<clinit>" && method.class == self.heap.program.field(field).class
    }

    /// The values of an allocation.
    pub(super) fn allocated_values(&self, state: &State, class: Name) -> Vec<Value> {
        let is_subject =
            self.mode.is_program && !self.mode.is_static && self.heap.program.class(self.mode.class).name == class;
        is_subject.then_some(Value::Region(RegionId::SUBJECT)).into_iter().chain([state.fresh()]).collect()
    }

    /// Whether a context is outside of the subject's class, in program mode.
    pub(super) fn is_outside_class(&self, id: ContextId) -> bool {
        self.mode.is_program && !self.is_own(id)
    }

    /// Whether a context is of a method of the subject's class. Thread entry points, `main`, and lambdas in them use
    /// the subject from outside.
    pub(crate) fn is_own(&self, id: ContextId) -> bool {
        self.is_own_method(self.contexts[id.index()].method)
    }

    /// Notes a store of a derived value, which later loads may find again.
    pub(super) fn note_stored(&self, state: &mut State, value: Value) {
        state.has_stored_derived |= value == Value::Derived;
    }

    /// Whether a statement of a constructor may publish the object under construction.
    pub(super) fn is_published_at(&mut self, id: ContextId, point: Point, statement: Option<&Statement>) -> bool {
        let Some(statement) = statement.filter(|_| !self.mode.is_program && self.is_constructing(id)) else {
            return false;
        };
        let method = self.contexts[id.index()].method;
        let Some(body) = self.heap.body(method) else { return true };
        let place = StatementId { block: point.block, index: point.index };
        self.publishes(&body, place, &statement.operation)
    }

    /// Whether threads that get the object before its construction ends may see an assignment to a field that
    /// constructors assign once. For references it is assumed that they do not: mostly these are locks or parts, whose
    /// identity matters.
    pub(super) fn is_assigned_late(&mut self, field: FieldId) -> bool {
        let is_late = self.may_be_assigned_late(field);
        let of = self.heap.program.field_type(self.heap.program.field(field).descriptor);
        let is_reference = of.is_none_or(java::Type::is_reference);
        if is_late && is_reference {
            self.assume(Assumption::MadeFirst);
        }
        is_late && !is_reference
    }

    /// The functions that the pointer analysis finds at a call.
    pub(crate) fn functions_at(&self, at: Position<'_>) -> Vec<MethodId> {
        let method = self.contexts[at.id.index()].method;
        let site = StatementId { block: at.point.block, index: at.point.index };
        self.heap.points.callees(method, site).map(|callees| callees.functions.to_vec()).unwrap_or_default()
    }
}
