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
use crate::value::{AliasId, Lock, RegionId, SetId, Value};
use java::ir::{End, Operation, Variable};
use java::library::Action;
use java::points_to::{Field, Object, ObjectId};
use java::{FieldId, Handle, Type};
use std::rc::Rc;

impl Interpreter<'_> {
    /// A value that is one of these objects.
    pub(crate) fn value_of_objects(&mut self, state: &State, objects: Vec<ObjectId>) -> Value {
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

    /// Whether an abstract object may stand for a followed one.
    pub(crate) fn may_be_followed(&self, object: ObjectId) -> bool {
        self.regions.is_followed(&self.heap, object)
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
    pub(crate) fn caught_value(&mut self, at: Position<'_>, state: &State, caught: Variable) -> Value {
        let mut objects = self.heap.variable(self.contexts[at.id.index()].method, caught);
        if self.is_foreign(at.id) {
            objects = self.reached_from_foreign(None, objects);
        }
        self.value_of_objects(state, objects)
    }

    /// The value of a field of an object that is not followed: if the field's objects belong to their holders, it is no
    /// followed one.
    pub(crate) fn value_from_unfollowed(
        &mut self,
        at: Position<'_>,
        state: &State,
        to: Option<Variable>,
        field: FieldId,
    ) -> Value {
        let Some(to) = to else { return Value::Any };
        let mut objects = self.heap.variable(self.contexts[at.id.index()].method, to);
        if self.heap.is_owned(field) {
            objects.retain(|object| !self.belongs_to_region(*object, field));
        }
        if self.is_foreign(at.id) {
            objects = self.reached_from_foreign(Some(field), objects);
        }
        self.value_of_objects(state, objects)
    }

    /// Whether all followed objects that an abstract object stands for are anchored at this field.
    pub(crate) fn belongs_to_region(&self, object: ObjectId, field: FieldId) -> bool {
        let aliases = self.regions.alias_of(&self.heap, object);
        aliases.iter().all(|(alias, _)| {
            let known = self.regions.aliases[alias.index()].representative;
            known.is_some_and(|it| self.regions.regions[it.index()].anchor.is_some_and(|(_, by)| by == field))
        })
    }

    /// The value of a changing field of a region.
    pub(crate) fn changing_field_value(
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

    /// The points-to set of a field of a region.
    pub(crate) fn field_objects(&self, region: RegionId, field: Field) -> Rc<[ObjectId]> {
        self.regions.points_to(&self.heap, self.regions.alias(region), field)
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
    pub(crate) fn element_value(
        &mut self,
        state: &State,
        region: RegionId,
        place: super::symbolic_indices::ElementPlace,
        at: Position<'_>,
        to: Option<Variable>,
    ) -> Value {
        self.owned_element(region, place).unwrap_or_else(|| self.content_value(state, region, at, to))
    }

    /// The values of an unchanging field of a region.
    pub(crate) fn unchanging_field_values(
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
    pub(crate) fn unchanging_field_value(&mut self, state: &State, region: RegionId, field: FieldId) -> Value {
        let stored = self.heap.construction(field);
        if let Some(value) = self.resolved(state, region, &stored) {
            return value;
        }
        if let Some(anchored) = self.regions.known_anchor(region, field) {
            return Value::Region(anchored);
        }
        let objects = self.field_objects(region, Field::Declared(field));
        self.non_null_value_of_objects(state, objects.to_vec())
    }

    /// The value that a constructor has stored, from the view of the constructed region; none if it is not known well
    /// enough.
    fn resolved(&mut self, state: &State, region: RegionId, stored: &Stored) -> Option<Value> {
        Some(match stored {
            Stored::This => Value::Region(region),
            Stored::Field(field) => self.unchanging_field_value(state, region, *field),
            Stored::Static(field) => self.stored_static(*field)?,
            Stored::Null => Value::Null,
            Stored::Int(number) => Value::Int(*number),
            Stored::Class(class) => Value::Class(*class),
            Stored::Literal(text) => Value::Literal(*text),
            Stored::Side(of, is_write) => {
                let of = self.resolved(state, region, of)?;
                Value::Side(self.lock_object(of)?, *is_write)
            }
            Stored::Condition(of) => {
                let of = self.resolved(state, region, of)?;
                Value::Condition(self.explicit(of)?.0)
            }
            Stored::Lambda(handle, captured) => {
                let values = (0..).zip(captured).map(|(number, one)| {
                    let known = self.resolved(state, region, one);
                    (Field::Captured(number), known.unwrap_or_else(|| self.captured_by(*handle, number)))
                });
                let fields: Vec<(Field, Value)> = values.collect();
                self.make(MadeObject { kind: MadeKind::Lambda(*handle), fields })
            }
            Stored::Parameter(number) => {
                let (parent, argument) = self.heap.argument_of_parent(&self.regions, region, *number)?;
                self.resolved(state, parent, &argument)?
            }
            Stored::Fresh | Stored::Handle(..) | Stored::Unknown => return None,
        })
    }

    /// The value captured by lambdas of an implementation, by the pointer analysis.
    fn captured_by(&mut self, implementation: Handle, number: u16) -> Value {
        let held = match self.memo.captured.get(&(implementation, number)) {
            Some(known) => *known,
            None => {
                let of = |object: &Object| matches!(object, Object::Lambda { implementation: known, .. } if *known == implementation);
                let lambdas = self.heap.points.objects().filter(|(_, object)| of(object));
                let mut held: Vec<ObjectId> =
                    lambdas.flat_map(|(lambda, _)| self.heap.field(lambda, Field::Captured(number))).collect();
                held.sort_unstable();
                held.dedup();
                let held = self.sets.id(held);
                self.memo.captured.insert((implementation, number), held);
                held
            }
        };
        self.value_captured(held, number)
    }

    /// The captured value of this number, which is one of these objects.
    pub(crate) fn value_captured(&self, of: SetId, number: u16) -> Value {
        match self.sets.objects(of).iter().any(|object| self.may_be_followed(*object)) {
            true => Value::Open(of, 1000 + u32::from(number)),
            false => Value::Any,
        }
    }

    /// The value of a static field that a constructor has copied. None if it may be a followed object: then the field
    /// of the region is more precise.
    fn stored_static(&self, field: FieldId) -> Option<Value> {
        if let Some(region) = self.regions.static_region(field) {
            return Some(Value::Region(region));
        }
        let may_be_followed = self.heap.static_field(field).iter().any(|object| self.may_be_followed(*object));
        (!may_be_followed).then_some(Value::Static(field))
    }

    /// The values of a static field.
    pub(crate) fn static_values(
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
    pub(crate) fn operand_cases(
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
        let cases = self.cases(&operands, state).map(|states| self.without_other_lock(operation, state, states));
        cases.or_else(|| self.index_cases(at, &used(), state))
    }

    /// The cases of an operation without the one in which the locked object is not followed, by
    /// [`SameLock`](Rule::SameLock).
    fn without_other_lock(&self, operation: &Operation, state: &State, states: Vec<State>) -> Vec<State> {
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
        let is_known = |case: &State| case.value(locked) != Value::Other;
        match matches!(state.value(locked), Value::Open(..)) && states.iter().any(is_known) {
            true => states.into_iter().filter(is_known).collect(),
            false => states,
        }
    }

    /// Whether a library method acquires its receiver as a lock.
    fn acquires_receiver(&self, member: java::Member) -> bool {
        self.heap.row_of_member(member).is_some_and(|row| {
            let acquires = |action: &Action| matches!(action, Action::Acquires(_) | Action::Tries { .. });
            row.actions.iter().any(acquires)
        })
    }

    /// The case split that the end of a block needs.
    pub(crate) fn end_cases(&mut self, end: &End, state: &State) -> Option<Vec<State>> {
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
        for option in self.options(of) {
            let mut state = state.clone();
            state.replace(value, option);
            states.push(state);
        }
        Some(states)
    }

    /// The cases of an unresolved value.
    pub(crate) fn options(&mut self, of: SetId) -> Vec<Value> {
        let mut options = vec![Value::Other];
        for (alias, is_view) in self.aliases_of(of) {
            let region = self.regions.representative(&self.heap, alias);
            // A wrapper of a program object calls its methods.
            let is_wrapped = is_view && !self.is_program_object(region);
            options.push(if is_wrapped { Value::View(region) } else { Value::Region(region) });
        }
        options
    }

    /// The alias classes of the objects of a set, each with whether the object is a view.
    pub(crate) fn aliases_of(&self, of: SetId) -> Vec<(AliasId, bool)> {
        let objects = self.sets.objects(of);
        let mut found: Vec<_> = objects.iter().flat_map(|object| self.regions.alias_of(&self.heap, *object)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The objects of a set that are of a type; none if no followed one is among them.
    pub(crate) fn narrowed(&mut self, of: SetId, to: Type) -> Option<SetId> {
        let objects = self.heap.narrowed(self.sets.objects(of), to);
        objects.iter().any(|object| self.may_be_followed(*object)).then(|| self.sets.id(objects))
    }

    /// Whether a value is of a type, if that is known.
    pub(crate) fn is_instance(&self, value: Value, of: Type) -> Option<bool> {
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

    /// The monitor of an object, if it is a lock of the model.
    pub(crate) fn monitor(&self, value: Value) -> Option<Lock> {
        match value {
            Value::Region(region) if self.regions.is_deep(self.regions.alias(region)) => None,
            Value::Region(region) => Some(Lock::Monitor(region)),
            Value::Class(class) => Some(Lock::Class(class)),
            Value::Literal(text) => Some(Lock::Literal(text)),
            Value::Static(field) => Some(Lock::Static(field)),
            Value::Element(array, index) => Some(Lock::Element(array, index)),
            _ => None,
        }
    }

    /// The lock that an object is by itself.
    pub(crate) fn lock_object(&self, value: Value) -> Option<Lock> {
        match value {
            Value::Region(region) if self.regions.is_deep(self.regions.alias(region)) => None,
            Value::Region(region) if self.may_be_side(region) => None,
            Value::Region(region) => Some(Lock::Explicit(region)),
            Value::Static(field) => Some(Lock::ExplicitStatic(field)),
            Value::Element(array, index) => Some(Lock::ExplicitElement(array, index)),
            _ => None,
        }
    }

    /// Whether a region may be one side of a read-write lock: then its exclusions are unknown.
    fn may_be_side(&self, region: RegionId) -> bool {
        self.regions.regions[region.index()].objects.iter().any(|object| self.heap.is_side(*object))
    }

    /// A lock of `java.util.concurrent.locks` with its mode.
    pub(crate) fn explicit(&self, value: Value) -> Option<(Lock, eml::model::Mode)> {
        let found = match value {
            Value::Side(lock, true) => Some((lock, eml::model::Mode::Write)),
            Value::Side(lock, false) => Some((lock, eml::model::Mode::Read)),
            value => self.lock_object(value).map(|lock| (lock, eml::model::Mode::Write)),
        };
        // A lock that a thread releases without holding it is no lock.
        let is_none = |lock: &Lock| matches!(lock, Lock::Explicit(region) if self.rejected_locks.contains(region));
        found.filter(|(lock, _)| !is_none(lock))
    }
}
