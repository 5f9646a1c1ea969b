//! Loads: values of fields and contents by the pointer analysis, and values of unchanging fields.
//!
//! The result of a load is a set of abstract objects. If none of them may be followed, the value is [`Value::Any`];
//! else it is unresolved, and a case split resolves it when it is used. An unchanging field of a region holds one
//! object for ever, and its construction identifies the object ([`crate::facts::construction`]).

use super::execution::Position;
use super::interpreter::{Interpreter, MadeKind, MadeObject};
use super::state::State;
use crate::Rule;
use crate::facts::objects::ObjectKind;
use crate::facts::stored::Stored;
use crate::value::{AliasId, Lock, RegionId, Value};
use java::ir::{Definition, End, Operation, Variable};
use java::library::Action;
use java::points_to::{Field, ObjectId};
use java::{FieldId, Type};

impl Interpreter<'_> {
    /// A value that is one of these objects.
    pub(super) fn value_of_objects(&mut self, state: &State, objects: Vec<ObjectId>) -> Value {
        let followed: Vec<ObjectId> = objects.iter().copied().filter(|object| self.may_be_followed(*object)).collect();
        match followed.is_empty() {
            true => Value::Any,
            false => {
                let of = self.sets.id(objects);
                state.unresolved(of)
            }
        }
    }

    /// A non-null value that is one of these objects: a class object or string constant has an identity though it is
    /// not followed.
    fn non_null_value_of_objects(&mut self, state: &State, objects: Vec<ObjectId>) -> Value {
        match objects[..] {
            [one] => match self.heap.kind_of(one) {
                ObjectKind::Class(Some(class)) => Value::Class(class),
                ObjectKind::Literal(text) => Value::Literal(text),
                _ => self.value_of_objects(state, objects),
            },
            _ => self.value_of_objects(state, objects),
        }
    }

    /// The value of an assigned variable by the pointer analysis.
    pub(crate) fn assigned_value(&mut self, at: Position<'_>, state: &State, to: Option<Variable>) -> Value {
        let Some(to) = to else { return Value::Any };
        let mut objects = self.heap.variable(self.contexts[at.id.index()].method, to);
        if self.is_foreign(at.id) {
            objects = self.reached_from_foreign(None, objects);
        }
        match self.value_of_objects(state, objects) {
            Value::Any if state.has_stored_derived && self.is_outside_class(at.id) => Value::Derived,
            value => value,
        }
    }

    /// The value of a caught exception by the pointer analysis: an object of the subject may be thrown.
    pub(super) fn caught_value(&mut self, at: Position<'_>, state: &State, caught: Variable) -> Value {
        let mut objects = self.heap.variable(self.contexts[at.id.index()].method, caught);
        if self.is_foreign(at.id) {
            objects = self.reached_from_foreign(None, objects);
        }
        self.value_of_objects(state, objects)
    }

    /// The value of a field of an object that is not followed: if the field's objects belong to their holders, it is no
    /// followed one.
    pub(super) fn value_from_unfollowed(
        &mut self,
        at: Position<'_>,
        state: &State,
        to: Option<Variable>,
        (holder, field): (Variable, FieldId),
    ) -> Value {
        let Some(to) = to else { return Value::Any };
        let mut objects = self.heap.variable(self.contexts[at.id.index()].method, to);
        self.drop_parts_of_others(at, holder, &mut objects);
        if self.heap.is_owned(field) {
            objects.retain(|object| !self.belongs_to_region(*object, field));
        }
        if self.is_foreign(at.id) {
            objects = self.reached_from_foreign(Some(field), objects);
        }
        self.value_of_objects(state, objects)
    }

    /// Removes the parts that a load in a method on another object does not yield, by [`MadeParts`](Rule::MadeParts).
    fn drop_parts_of_others(&self, at: Position<'_>, holder: Variable, objects: &mut Vec<ObjectId>) {
        let context = &self.contexts[at.id.index()];
        if let Some(parts) = self.parts_of_others(context.method, context.arguments.first().copied(), holder) {
            objects.retain(|object| !parts.contains(object));
        }
    }

    /// The value of an element of an array that is not followed.
    pub(super) fn element_from_unfollowed(
        &mut self,
        at: Position<'_>,
        state: &State,
        to: Option<Variable>,
        array: Variable,
    ) -> Value {
        let context = &self.contexts[at.id.index()];
        let parts = self.parts_of_others(context.method, context.arguments.first().copied(), array);
        let is_part = |to: Variable| {
            let objects = self.heap.variable(context.method, to);
            parts.is_some_and(|parts| objects.iter().all(|object| parts.contains(object)))
        };
        match to {
            Some(to) if is_part(to) => Value::Other,
            to => self.assigned_value(at, state, to),
        }
    }

    /// The value of a changing field of a region.
    pub(super) fn changing_field_value(
        &mut self,
        state: &State,
        region: RegionId,
        field: FieldId,
        at: Position<'_>,
        to: Option<Variable>,
    ) -> Value {
        if to.is_none_or(|to| !at.code.body.variable(to).of.is_some_and(Type::is_reference)) {
            return self.subject_number(at);
        }
        let objects = self.field_objects(region, Field::Declared(field));
        self.value_of_objects(state, objects.to_vec())
    }

    /// A number read from the subject.
    pub(crate) fn subject_number(&self, at: Position<'_>) -> Value {
        if self.is_outside_class(at.id) { Value::Derived } else { Value::Any }
    }

    /// The value of an element of a region's content.
    pub(crate) fn content_value(
        &mut self,
        state: &State,
        region: RegionId,
        at: Position<'_>,
        to: Option<Variable>,
    ) -> Value {
        let Some(to) = to else { return Value::Any };
        let Some(of) = at.variable_type(to).filter(|of| of.is_reference()) else { return self.subject_number(at) };
        let objects = self.field_objects(region, Field::Content);
        let objects = self.heap.narrowed(&objects, of);
        self.value_of_objects(state, objects)
    }

    /// The value of an array element.
    pub(super) fn element_value(
        &mut self,
        state: &State,
        region: RegionId,
        place: super::numbers::ElementPlace,
        at: Position<'_>,
        to: Option<Variable>,
    ) -> Value {
        let known = self.owned_element(region, place).or_else(|| self.part_at(region, place));
        known.unwrap_or_else(|| self.content_value(state, region, at, to))
    }

    /// The values of an unchanging field of a region.
    pub(super) fn unchanging_field_values(
        &mut self,
        state: &State,
        region: RegionId,
        field: FieldId,
        at: Position<'_>,
        to: Option<Variable>,
    ) -> Vec<Value> {
        if to.is_none_or(|to| !at.code.body.variable(to).of.is_some_and(Type::is_reference)) {
            return match *self.heap.construction(field) {
                Stored::Int(number) => vec![Value::Int(number)],
                _ => vec![self.field_number(region, field).unwrap_or(Value::Any)],
            };
        }
        let mut values = vec![self.unchanging_field_value(state, region, field)];
        if !self.heap.is_never_null(field) && values[0] != Value::Null {
            values.push(Value::Null);
        }
        values
    }

    /// The value of an unchanging field of a region if it is not null.
    pub(super) fn unchanging_field_value(&mut self, state: &State, region: RegionId, field: FieldId) -> Value {
        let stored = self.heap.construction(field);
        if let Some(value) = self.resolved(state, region, (field, &stored)) {
            return value;
        }
        if let Some(anchored) = self.regions.known_anchor(region, field) {
            return Value::Region(anchored);
        }
        let mut objects = self.field_objects(region, Field::Declared(field)).to_vec();
        if region == RegionId::SUBJECT && self.heap.modality.omits(Rule::OtherObjects) {
            self.omit_own_object(&mut objects, &stored);
        }
        self.non_null_value_of_objects(state, objects)
    }

    /// Omits the subject from the objects of a field that holds a parameter of its constructor: the parameter existed
    /// before the subject, as the object in a wrapper does. Another object of the class is none of the subject's, by
    /// [`OtherObjects`](Rule::OtherObjects).
    fn omit_own_object(&self, objects: &mut Vec<ObjectId>, stored: &Stored) {
        if matches!(stored, Stored::Parameter(_)) {
            let is_own = |(alias, _): &(AliasId, bool)| *alias == AliasId(0);
            objects.retain(|object| !self.regions.alias_of(&self.heap, *object).iter().any(is_own));
        }
    }

    /// The value that a constructor has stored in a field, from the view of the constructed region; none if it is not
    /// known well enough.
    fn resolved(&mut self, state: &State, region: RegionId, (by, stored): (FieldId, &Stored)) -> Option<Value> {
        Some(match stored {
            Stored::This => Value::Region(region),
            Stored::Field(field) => self.unchanging_field_value(state, region, *field),
            Stored::Static(field) => self.stored_static(*field)?,
            Stored::Null => Value::Null,
            Stored::Int(number) => Value::Int(*number),
            Stored::Class(class) => Value::Class(*class),
            Stored::Literal(text) => Value::Literal(*text),
            Stored::Side(of, is_write) => {
                let lock = match **of {
                    Stored::LockOfSide(field) => Lock::Explicit(self.regions.known_anchor(region, field)?),
                    _ => {
                        let of = self.resolved(state, region, (by, of))?;
                        self.lock_object(of)?
                    }
                };
                Value::Side(lock, *is_write)
            }
            Stored::Condition(of) => {
                let of = self.resolved(state, region, (by, of))?;
                Value::Condition(self.explicit(of)?.0)
            }
            Stored::Lambda(handle, captured) => {
                let values = (0..).zip(captured).map(|(number, one)| {
                    let known = self.resolved(state, region, (by, one));
                    (Field::Captured(number), known.unwrap_or_else(|| self.captured_by(*handle, number)))
                });
                let fields: Vec<(Field, Value)> = values.collect();
                self.make(MadeObject { kind: MadeKind::Lambda(*handle), fields })
            }
            Stored::Parameter(number) => {
                let (parent, field, argument) = self.heap.parameter_of_parent(&self.regions, region, (by, *number))?;
                self.resolved(state, parent, (field, &argument))?
            }
            Stored::Fresh | Stored::Shared | Stored::LockOfSide(_) | Stored::Handle(..) | Stored::Unknown => {
                return None;
            }
        })
    }

    /// The values of a static field.
    pub(super) fn static_values(
        &mut self,
        state: &State,
        field: FieldId,
        at: Position<'_>,
        to: Option<Variable>,
    ) -> Vec<Value> {
        if to.is_none_or(|to| !at.code.body.variable(to).of.is_some_and(Type::is_reference)) {
            return vec![if self.is_static_location(field) { self.subject_number(at) } else { Value::Any }];
        }
        let objects = self.heap.static_field(field);
        let is_unchanging = self.heap.is_unchanging(field);
        if let Some(values) = self.holder_cases(field, &objects) {
            return values;
        }
        if let Some(region) = self.regions.static_region(field) {
            let is_null = !self.heap.is_never_null(field);
            return [Value::Region(region)].into_iter().chain(is_null.then_some(Value::Null)).collect();
        }
        let value = match is_unchanging && self.heap.is_never_null(field) {
            true => self.non_null_value_of_objects(state, objects),
            false => self.value_of_objects(state, objects),
        };
        vec![if is_unchanging && value == Value::Any { Value::Static(field) } else { value }]
    }

    /// The case split of the operands of an operation; none if all are resolved.
    pub(super) fn operand_cases(
        &mut self,
        at: Position<'_>,
        operation: &Operation,
        state: &State,
    ) -> Option<Vec<State>> {
        let operands: Vec<Variable> = match operation {
            Operation::GetField { object, .. } | Operation::PutField { object, .. } => vec![*object],
            Operation::LoadElement { array, .. } | Operation::StoreElement { array, .. } => vec![*array],
            Operation::MonitorEnter(object) | Operation::MonitorExit(object) => vec![*object],
            Operation::InstanceOf(_, value) => vec![*value],
            Operation::Invoke { arguments, .. } | Operation::InvokeDynamic { arguments, .. } => arguments.to_vec(),
            Operation::Constant(_)
            | Operation::Binary(..)
            | Operation::Negate(..)
            | Operation::Convert(..)
            | Operation::Narrow(..)
            | Operation::Compare(..)
            | Operation::GetStatic(_)
            | Operation::PutStatic(..)
            | Operation::ArrayLength(_)
            | Operation::New(_)
            | Operation::NewArray(..)
            | Operation::CheckCast(..) => Vec::new(),
        };
        let used = || operation.uses();
        let cases = self.cases(&operands, state).map(|states| self.without_other_lock(at, operation, state, states));
        cases.or_else(|| self.index_cases(at, &used(), state))
    }

    /// Whether a variable was read from a field that some method assigns again: it may hold another object meanwhile.
    fn is_reassigned(&self, at: Position<'_>, variable: Variable) -> bool {
        let Definition::Statement(id) = at.code.body.variable(variable).definition else { return false };
        let Operation::GetField { field, .. } = &at.code.body.statement(id).operation else { return false };
        self.heap.program.resolve_field(*field).found().is_some_and(|field| {
            let mut stores = self.heap.points.stores(field).iter();
            !self.heap.is_unchanging(field) && !self.heap.is_set_once(field) && stores.any(|store| !store.initializes)
        })
    }

    /// The cases of an operation without the one in which the locked object is not followed, by
    /// [`SameLock`](Rule::SameLock).
    fn without_other_lock(
        &self,
        at: Position<'_>,
        operation: &Operation,
        state: &State,
        states: Vec<State>,
    ) -> Vec<State> {
        if !self.heap.modality.omits(Rule::SameLock) {
            return states;
        }
        let locked = match operation {
            Operation::MonitorEnter(object) => *object,
            Operation::Invoke { member, arguments, .. } if self.acquires_receiver(*member) => match arguments.first() {
                Some(receiver) => *receiver,
                None => return states,
            },
            _ => return states,
        };
        if self.is_reassigned(at, locked) {
            return states;
        }
        let is_known = |case: &State| case.value(locked) != Value::Other;
        match matches!(state.value(locked), Value::Open(..)) && states.iter().any(is_known) {
            true => states.into_iter().filter(is_known).collect(),
            false => states,
        }
    }

    /// Whether a library method acquires its receiver as a lock.
    pub(super) fn acquires_receiver(&self, member: java::Member) -> bool {
        self.heap.row_of_member(member).is_some_and(|row| {
            let acquires = |action: &Action| matches!(action, Action::Acquires(_) | Action::Tries { .. });
            row.actions.iter().any(acquires)
        })
    }

    /// The case split that the end of a block needs.
    pub(super) fn end_cases(&mut self, end: &End, state: &State) -> Option<Vec<State>> {
        match end {
            End::Branch { condition: java::Condition::Same | java::Condition::Different, values, .. } => {
                self.cases(values, state)
            }
            End::Return(Some(value)) => self.cases(&[*value], state),
            End::Branch { .. } | End::Goto(_) | End::Switch { .. } | End::Return(None) | End::Throw(_) => None,
        }
    }

    /// The states of the case split of the first unresolved variable.
    pub(crate) fn cases(&mut self, operands: &[Variable], state: &State) -> Option<Vec<State>> {
        let (value, of) = operands.iter().find_map(|operand| match state.value(*operand) {
            value @ Value::Open(of, _) => Some((value, of)),
            _ => None,
        })?;
        let mut states = Vec::new();
        for option in self.options(of).iter().copied() {
            let mut state = state.clone();
            state.replace(value, option);
            states.push(state);
        }
        Some(states)
    }

    /// Whether a value is of a type, if that is known.
    pub(super) fn is_instance(&self, value: Value, of: Type) -> Option<bool> {
        let class = match value {
            Value::Region(region) => self.regions.regions[region.index()].class,
            Value::This(class) => Some(class),
            Value::Made(made) => match self.made(made).kind {
                MadeKind::Object(class) => Some(class),
                MadeKind::Lambda(_) | MadeKind::Library(_) => None,
            },
            _ => None,
        }?;
        self.heap.is_of(class, of)
    }

    /// A lock of `java.util.concurrent.locks` with its mode.
    pub(crate) fn explicit(&self, value: Value) -> Option<(Lock, eml::model::Mode)> {
        let found = match value {
            Value::Side(lock, true) => Some((lock, eml::model::Mode::Write)),
            Value::Side(lock, false) => Some((lock, eml::model::Mode::Read)),
            value => self.lock_object(value).map(|lock| (lock, eml::model::Mode::Write)),
        };
        // A lock that a thread releases without holding it is no lock.
        let is_none = |lock: &Lock| matches!(lock, Lock::Explicit(region) if self.locks.rejected.contains(region));
        found.filter(|(lock, _)| !is_none(lock))
    }
}
