//! Transfer functions: the effect of each statement on a state and on followed objects.
//!
//! There is one function for each kind of statement; the match is exhaustive, so no statement is forgotten. If an
//! operand of a statement may be a followed object, the state is split into cases first, and the statement is executed
//! again in each case.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::numbers::ElementPlace;
use super::state::State;
use crate::facts::configuration::restricted;
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::{Location, RegionId, Value};
use crate::{Rule, Stuck};
use java::ir::{Operation, Statement, StatementId, Variable};
use java::{Constant, Kind, Member, Name, Operator, Type};

impl Interpreter<'_> {
    /// Executes a statement.
    pub(crate) fn statement(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
    ) -> Result<(), Stuck> {
        if let Some(states) = self.operand_cases(at, &statement.operation, &state) {
            return self.split_into(execution, at, states);
        }
        match &statement.operation {
            Operation::Constant(constant) => {
                let value = self.known_index(at, &state, statement).unwrap_or_else(|| self.constant(*constant));
                self.assign_value(execution, at, statement, state, value)
            }
            Operation::Binary(operator, Kind::Int, [one, other])
                if let Some(value) = self.binary_number(*operator, [*one, *other].map(|it| state.value(it))) =>
            {
                self.may_raise(execution, at, statement, &state)?;
                self.assign_value(execution, at, statement, state, value)
            }
            Operation::Binary(_, _, [one, other]) | Operation::Compare(_, [one, other]) => {
                let known = self.known_index(at, &state, statement);
                let value = known.unwrap_or_else(|| self.computed(&state, &[*one, *other]));
                self.may_raise(execution, at, statement, &state)?;
                self.assign_value(execution, at, statement, state, value)
            }
            Operation::Negate(_, value) | Operation::Narrow(_, value) => {
                let value = self.computed(&state, &[*value]);
                self.assign_value(execution, at, statement, state, value)
            }
            Operation::Convert(_, _, value) | Operation::ArrayLength(value) => {
                let length = match statement.operation {
                    Operation::ArrayLength(array) => self.length_of(state.value(array)),
                    _ => None,
                };
                let computed = length.unwrap_or_else(|| self.computed(&state, &[*value]));
                if matches!(statement.operation, Operation::ArrayLength(_)) {
                    self.may_be_null(execution, at, &state, *value)?;
                }
                self.assign_value(execution, at, statement, state, computed)
            }
            Operation::GetField { object, field } => self.get_field(execution, at, statement, state, (*object, *field)),
            Operation::PutField { object, field, value } => {
                self.put_field(execution, at, state, (*object, *field, *value))
            }
            Operation::GetStatic(field) => self.get_static(execution, at, statement, state, *field),
            Operation::PutStatic(field, value) => self.put_static(execution, at, state, *field, *value),
            Operation::LoadElement { array, index, .. } => {
                self.load_element(execution, at, statement, state, (*array, *index))
            }
            Operation::StoreElement { array, index, value, .. } => {
                self.store_element(execution, at, state, (*array, *index, *value))
            }
            Operation::New(class) => self.allocate(execution, at, statement, state, *class),
            Operation::NewArray(..) => {
                self.may_raise(execution, at, statement, &state)?;
                self.assign_value(execution, at, statement, state, Value::Any)
            }
            Operation::Invoke { kind, member, arguments } => {
                self.invoke(execution, at, statement, state, (*kind, *member, arguments))
            }
            Operation::InvokeDynamic { site, arguments } => {
                self.invoke_dynamic(execution, at, statement, state, (*site, arguments))
            }
            Operation::CheckCast(to, value) => self.check_cast(execution, at, statement, state, (*to, *value)),
            Operation::InstanceOf(of, value) => self.instance_of(execution, at, statement, state, (*of, *value)),
            Operation::MonitorEnter(object) => self.monitor_enter(execution, at, state, *object),
            Operation::MonitorExit(object) => self.monitor_exit(execution, at, state, *object),
        }
    }

    /// The value of a constant.
    fn constant(&self, constant: Constant) -> Value {
        match constant {
            Constant::Null => Value::Null,
            Constant::Int(number) => Value::Int(number),
            Constant::Class(class) => Value::Class(class),
            Constant::String(text) => Value::Literal(text),
            Constant::Long(_) | Constant::Float(_) | Constant::Double(_) => Value::Any,
            Constant::MethodType(_) | Constant::Handle(_) | Constant::Dynamic(_) => Value::Any,
        }
    }

    /// The value of a computation.
    fn computed(&self, state: &State, from: &[Variable]) -> Value {
        let is_derived = |variable: &Variable| state.value(*variable) == Value::Derived;
        if from.iter().any(is_derived) { Value::Derived } else { Value::Any }
    }

    /// Assigns a value to the statement's variable and continues.
    pub(super) fn assign_value(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        value: Value,
    ) -> Result<(), Stuck> {
        self.assign_value_after(execution, at, statement, state, value, at.after)
    }

    /// The same after a branch.
    pub(super) fn assign_value_after(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        mut state: State,
        value: Value,
        after: Option<usize>,
    ) -> Result<(), Stuck> {
        // If a load from the subject yields an object, control depends on it.
        let is_load = matches!(statement.operation, Operation::GetField { .. } | Operation::LoadElement { .. });
        state.has_tested_derived |= is_load && after != at.after && is_object(value) && self.is_outside_class(at.id);
        if let Some(to) = statement.to {
            state.assign(&at.code.terms, to, value);
        }
        execution.continue_at(after, at.next(), state);
        Ok(())
    }

    /// Assigns one of several values to the statement's variable, each after its branch.
    fn assign_alternatives(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: &State,
        values: Vec<(Option<usize>, Value)>,
    ) -> Result<(), Stuck> {
        let alternatives = values.into_iter().map(|(after, value)| {
            let mut state = state.clone();
            if let Some(to) = statement.to {
                state.assign(&at.code.terms, to, value);
            }
            (after, state)
        });
        let alternatives = alternatives.collect();
        self.fork(execution, at, alternatives)
    }

    /// Adds the exception that the statement itself may throw.
    fn may_raise(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: &State,
    ) -> Result<(), Stuck> {
        let divides = |operator: &Operator| matches!(operator, Operator::Divide | Operator::Remainder);
        let can_throw = match &statement.operation {
            Operation::Binary(operator, Kind::Int | Kind::Long, _) => divides(operator),
            Operation::NewArray(..) => true,
            _ => false,
        };
        if can_throw { self.raise(execution, at, at.after, state) } else { Ok(()) }
    }

    /// Adds the exception that is thrown if a variable is null.
    pub(crate) fn may_be_null(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        state: &State,
        object: Variable,
    ) -> Result<(), Stuck> {
        match self.is_null(state.value(object)) {
            Some(false) => Ok(()),
            Some(true) | None => self.raise(execution, at, at.after, state),
        }
    }

    /// Whether a value is null, if known.
    pub(super) fn is_null(&self, value: Value) -> Option<bool> {
        match value {
            Value::Null => Some(true),
            Value::Region(_)
            | Value::View(_)
            | Value::Locked(_)
            | Value::Made(_)
            | Value::Fresh(_)
            | Value::This(_) => Some(false),
            Value::Class(_) | Value::Literal(_) | Value::Side(..) | Value::Condition(_) | Value::Holder(_) => {
                Some(false)
            }
            Value::Static(field) => self.heap.is_never_null(field).then_some(false),
            Value::Any
            | Value::Held(_)
            | Value::Other
            | Value::Foreign
            | Value::Derived
            | Value::Int(_)
            | Value::Open(..)
            | Value::Found(..) => None,
            Value::Number(_) | Value::Element(..) => None,
        }
    }

    fn get_field(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (object, member): (Variable, Member),
    ) -> Result<(), Stuck> {
        let base = state.value(object);
        if base == Value::Null {
            return self.raise(execution, at, at.after, &state);
        }
        self.may_be_null(execution, at, &state, object)?;
        let Some(field) = self.heap.program.resolve_field(member).found() else {
            return self.get_library_field(execution, at, statement, state, (base, member));
        };
        if matches!(base, Value::Any | Value::Derived) && self.is_outer_subject(field) {
            return self.assign_value(execution, at, statement, state, Value::Region(RegionId::SUBJECT));
        }
        let to = statement.to;
        match base {
            Value::Region(_) if self.heap.flag_values(field).is_some() => {
                let values = self.flag_field_values(field).unwrap_or_default();
                let alternatives = values.into_iter().map(|value| {
                    let mut state = state.clone();
                    if let Some(to) = to {
                        state.assign(&at.code.terms, to, value);
                    }
                    (at.after, state)
                });
                self.fork(execution, at, alternatives.collect())
            }
            Value::Region(region) => {
                if self.heap.is_unchanging(field) && !self.is_unobserved(at) && !self.is_assigned_late(field) {
                    return self.get_unchanging(execution, at, statement, state, (region, field));
                }
                let value = self.changing_field_value(&state, region, field, at, to);
                let is_lazy = self.heap.is_lazily_made(field) && !self.mode.is_program;
                match self.is_settled(&state, Some(region), field) {
                    true => {
                        let value = self.only_region(value);
                        return self.assign_value(execution, at, statement, state, value);
                    }
                    false if is_lazy => return self.assign_value(execution, at, statement, state, value),
                    false => {}
                }
                self.load_location(execution, at, statement, state, (self.field_location(region, field), value))
            }
            Value::This(_) | Value::Fresh(_) if self.is_new_part(field) => {
                self.assign_value(execution, at, statement, state, Value::Other)
            }
            Value::This(_) | Value::Fresh(_) => {
                let known = state.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| *value);
                let value = match known {
                    Some(known) if self.stays_new_in(at, base) => known,
                    // A method that the constructor calls does not know the fields that are set.
                    None if self.is_outer_subject(field) => Value::Region(RegionId::SUBJECT),
                    None if self.omits_parts_of_others(field) => Value::Other,
                    known => self.kept_value(at, &state, to, known),
                };
                self.assign_value(execution, at, statement, state, value)
            }
            Value::Made(made) => {
                let field_of = java::points_to::Field::Declared(field);
                let known =
                    self.made(made).fields.iter().find(|(known, _)| *known == field_of).map(|(_, value)| *value);
                let value = self.kept_value(at, &state, to, known);
                self.assign_value(execution, at, statement, state, value)
            }
            _ => {
                let is_other = matches!(base, Value::Other | Value::Foreign | Value::Any);
                let omits = is_other && self.omits_parts_of_others(field)
                    || base == Value::Other
                        && (self.omits_static_objects(at, to) || self.is_field_of_table_part(field));
                let value = match omits {
                    true => Value::Other,
                    false => self.value_from_unfollowed(at, &state, to, (object, field)),
                };
                let value = match value {
                    Value::Any => self.held_by(base, field).unwrap_or(value),
                    value => value,
                };
                match self.heap.is_unchanging(field) {
                    true => self.assign_remembered(execution, at, statement, state, vec![value]),
                    false => self.assign_value(execution, at, statement, state, value),
                }
            }
        }
    }

    /// The value of a field of an object that the unit has made, from the value that the constructor stored. A
    /// reference that was no followed object then may be one now: the unit has made it, and others have got it since.
    fn kept_value(&mut self, at: Position<'_>, state: &State, to: Option<Variable>, known: Option<Value>) -> Value {
        let is_reference = to.is_some_and(|to| at.code.body.variable(to).of.is_some_and(Type::is_reference));
        match known {
            Some(Value::Any | Value::Other | Value::Derived) | None if is_reference => {
                self.assigned_value(at, state, to)
            }
            known => known.unwrap_or(Value::Any),
        }
    }

    /// Whether a private field without annotations is never assigned an object, so that it is null, by
    /// [`NewParts`](Rule::NewParts).
    fn is_never_assigned(&self, field: java::FieldId) -> bool {
        let declared = self.heap.program.field(field);
        self.heap.modality.omits(Rule::NewParts)
            && declared.flags.is_private()
            && declared.annotations.is_empty()
            && self.heap.program.field_type(declared.descriptor).is_some_and(Type::is_reference)
            && self.heap.points.stores(field).is_empty()
            && !self.heap.points.is_written(field)
    }

    /// Whether the object in a field of a new object was made by the new object's constructor, by
    /// [`NewParts`](Rule::NewParts).
    fn is_new_part(&self, field: java::FieldId) -> bool {
        self.heap.modality.omits(Rule::NewParts) && self.heap.is_owned(field)
    }

    /// Whether a field of another object of the subject's class holds no part of the subject, by
    /// [`OtherObjects`](Rule::OtherObjects).
    fn omits_parts_of_others(&self, field: java::FieldId) -> bool {
        let declared = self.heap.program.field(field);
        self.heap.modality.omits(Rule::OtherObjects)
            && (!self.mode.is_static && (self.mode.classes.contains(&declared.class) || self.extends_subject(field))
                || self.is_class_of_part(declared.class))
            && self.heap.program.field_type(declared.descriptor).is_some_and(Type::is_reference)
    }

    /// Whether a subclass of the subject's class declares a field: the subject is of exactly its class.
    fn extends_subject(&self, field: java::FieldId) -> bool {
        let program = self.heap.program;
        program.is_subtype(program.field(field).class, self.mode.class)
    }

    /// Whether what is loaded from an object that is not followed is none of the objects in the followed static fields,
    /// by [`OtherObjects`](Rule::OtherObjects): there are several objects that it may be.
    fn omits_static_objects(&self, at: Position<'_>, to: Option<Variable>) -> bool {
        let is_any_of_several = |to: Variable| {
            let held = self.heap.variable(self.contexts[at.id.index()].method, to);
            !matches!(held[..], [object] if !matches!(self.heap.kind_of(object), ObjectKind::External(_)))
        };
        let is_reference = |to: &Variable| at.code.body.variable(*to).of.is_some_and(Type::is_reference);
        self.heap.modality.omits(Rule::OtherObjects)
            && self.mode.is_static
            && to.filter(is_reference).is_some_and(is_any_of_several)
    }

    /// Whether the followed objects of a class are in unchanging fields of the subject or of its parts, so that another
    /// object of the class belongs to another owner.
    fn is_class_of_part(&self, class: java::ClassId) -> bool {
        let is_of = |of: java::ClassId| self.heap.program.superclasses(of).any(|above| above == class);
        let mut of_class = self.regions.regions.iter().filter(|region| region.class.is_some_and(is_of)).peekable();
        of_class.peek().is_some() && of_class.all(|region| region.anchor.is_some())
    }

    /// Whether a field of inner objects refers to the subject's object, by [`OuterObject`](Rule::OuterObject).
    fn is_outer_subject(&self, field: java::FieldId) -> bool {
        let declared = self.heap.program.field(field);
        self.heap.modality.omits(Rule::OuterObject)
            && !self.mode.is_static
            && declared.flags.is_synthetic()
            && !declared.flags.is_static()
            && match self.heap.program.field_type(declared.descriptor) {
                Some(Type::Class(name)) => {
                    self.heap.program.named(name).is_some_and(|class| self.mode.classes.contains(&class))
                }
                _ => false,
            }
    }

    /// Loads an unchanging field of a region.
    fn get_unchanging(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (region, field): (RegionId, java::FieldId),
    ) -> Result<(), Stuck> {
        let mut values = match self.is_never_assigned(field) {
            true => vec![Value::Null],
            false => self.unchanging_field_values(&state, region, field, at, statement.to),
        };
        if region == RegionId::SUBJECT {
            values = restricted(&self.mode.configuration, field, values);
        }
        self.assign_remembered(execution, at, statement, state, values)
    }

    /// Assigns one of the values of an unchanging field, and the same again as long as the load is remembered.
    fn assign_remembered(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        values: Vec<Value>,
    ) -> Result<(), Stuck> {
        let term = statement.to.map(|to| at.code.terms.of(to));
        let known = term.and_then(|term| state.known_load(term));
        let values = known.map_or(values, |known| vec![known]);
        let is_choice = values.len() > 1;
        let mut alternatives = Vec::new();
        for value in values {
            let mut state = state.clone();
            if let Some(to) = statement.to {
                state.assign(&at.code.terms, to, value);
            }
            // A certain value is found again anyway.
            if let Some(term) = term
                && (is_choice || matches!(value, Value::Open(..)))
            {
                state.remember_load(term, value);
            }
            alternatives.push((at.after, state));
        }
        self.fork(execution, at, alternatives)
    }

    fn put_field(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut state: State,
        (object, member, value): (Variable, Member, Variable),
    ) -> Result<(), Stuck> {
        let base = state.value(object);
        if base == Value::Null {
            return self.raise(execution, at, at.after, &state);
        }
        self.may_be_null(execution, at, &state, object)?;
        let stored = state.value(value);
        let Some(field) = self.heap.program.resolve_field(member).found() else {
            self.note_stored(&mut state, stored);
            self.note_escape(at, &mut state, value);
            self.put_library_field(execution, at, state, base);
            return Ok(());
        };
        match base {
            Value::Region(region) => {
                self.note_stored(&mut state, stored);
                self.note_escape(at, &mut state, value);
                if self.heap.flag_values(field).is_some() {
                    let (after, state) = self.free_flag_field(execution, at, (at.after, state), (region, field));
                    execution.continue_at(after, at.next(), state);
                    return Ok(());
                }
                self.settle_assigned(&mut state, Some(region), field);
                if self.heap.is_lazily_made(field) && !self.mode.is_program {
                    execution.continue_at(at.after, at.next(), state);
                    return Ok(());
                }
                let location = self.field_location(region, field);
                self.forget_swapped(at, &mut state);
                match self.sets_field_once(field) {
                    true => self.store_once(execution, at, state, location),
                    false => self.store_location(execution, at, state, location),
                }
                return Ok(());
            }
            Value::This(_) | Value::Fresh(_) if self.heap.is_unchanging(field) => {
                state.fields.retain(|(known, _)| *known != field);
                state.fields.push((field, stored));
                state.fields.sort_unstable();
            }
            _ => {}
        }
        self.note_stored(&mut state, stored);
        if !self.stays_new_in(at, base) {
            self.note_escape(at, &mut state, value);
        }
        // An object that was read from a location for a compare-and-set is stored anew in each attempt.
        let after = match state.is_found(value) {
            true => at.after,
            false => self.add_unfollowed_change(execution, at, at.after),
        };
        execution.continue_at(after, at.next(), state);
        Ok(())
    }

    /// The objects that an assignment [takes out](crate::facts::swapped) of its field belong to the thread.
    fn forget_swapped(&self, at: Position<'_>, state: &mut State) {
        let id = StatementId { block: at.point.block, index: at.point.index };
        for taken in self.heap.swapped_out(self.contexts[at.id.index()].method, &at.code.body, id) {
            if matches!(state.value(taken), Value::Region(_) | Value::Open(..) | Value::Any) {
                state.set(taken, Value::Other);
            }
        }
    }

    /// Adds a change of an object that is not followed: a loop may find the change again.
    pub(crate) fn add_unfollowed_change(
        &self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
    ) -> Option<usize> {
        execution.add_steps(after, Steps::One(Step::Local), at.line())
    }

    fn get_static(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        member: Member,
    ) -> Result<(), Stuck> {
        let found = self.heap.program.resolve_field(member).found();
        let Some(field) = found else {
            let value = self.assigned_value(at, &state, statement.to);
            return self.assign_value(execution, at, statement, state, value);
        };
        let is_unchanging = self.heap.is_unchanging(field);
        let mut after = at.after;
        if self.is_static_location(field) && !is_unchanging && !self.is_settled(&state, None, field) {
            after = self.add_read(execution, at, after, Location::Static(field));
        }
        let values = self.static_values(&state, field, at, statement.to);
        if is_unchanging && !self.mode.is_program {
            return self.assign_remembered(execution, at, statement, state, values);
        }
        let mut alternatives = Vec::new();
        for value in values {
            let mut state = state.clone();
            if let Some(to) = statement.to {
                state.assign(&at.code.terms, to, value);
            }
            alternatives.push((after, state));
        }
        self.fork(execution, at, alternatives)
    }

    fn put_static(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut state: State,
        member: Member,
        value: Variable,
    ) -> Result<(), Stuck> {
        let mut after = at.after;
        if let Some(field) = self.heap.program.resolve_field(member).found()
            && self.is_static_location(field)
            && !self.is_initializing(at.id, field)
        {
            after = self.add_write(execution, at, after, Location::Static(field));
            self.settle_assigned(&mut state, None, field);
        } else {
            after = self.add_unfollowed_change(execution, at, after);
        }
        let stored = state.value(value);
        self.note_stored(&mut state, stored);
        self.note_escape(at, &mut state, value);
        execution.continue_at(after, at.next(), state);
        Ok(())
    }

    fn load_element(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        mut state: State,
        (array, index): (Variable, Variable),
    ) -> Result<(), Stuck> {
        let base = state.value(array);
        self.raise(execution, at, at.after, &state)?;
        self.note_valid_index(&mut state, index);
        match base {
            Value::Null => Ok(()),
            Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                if let Some(lock) = self.lock_at(&state, region, index) {
                    return self.assign_value(execution, at, statement, state, lock);
                }
                let mut alternatives = Vec::new();
                for place in self.element_places(&state, index) {
                    let (after, value) = match place {
                        ElementPlace::Elsewhere => {
                            (at.after, self.element_value(&state, region, place, at, statement.to))
                        }
                        ElementPlace::At(which) => {
                            let location = self.element_location(region, which);
                            let after = self.add_read(execution, at, at.after, location);
                            (after, self.element_value(&state, region, place, at, statement.to))
                        }
                        ElementPlace::All => {
                            let after = self.add_content_read(execution, at, at.after, region);
                            (after, self.content_value(&state, region, at, statement.to))
                        }
                    };
                    alternatives.push((after, value));
                }
                match alternatives[..] {
                    [(after, value)] => self.assign_value_after(execution, at, statement, state, value, after),
                    _ => self.assign_alternatives(execution, at, statement, &state, alternatives),
                }
            }
            _ => {
                let kept = self.unfollowed_array_element(at, array);
                let value = kept.unwrap_or_else(|| self.element_from_unfollowed(at, &state, statement.to, array));
                self.assign_value(execution, at, statement, state, value)
            }
        }
    }

    fn store_element(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut state: State,
        (array, index, value): (Variable, Variable, Variable),
    ) -> Result<(), Stuck> {
        let base = state.value(array);
        self.raise(execution, at, at.after, &state)?;
        self.note_valid_index(&mut state, index);
        self.note_escape(at, &mut state, value);
        match base {
            Value::Null => Ok(()),
            Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                let mut alternatives = Vec::new();
                for place in self.element_places(&state, index) {
                    let after = match place {
                        ElementPlace::Elsewhere => self.add_unfollowed_change(execution, at, at.after),
                        ElementPlace::At(which) => {
                            let location = self.element_location(region, which);
                            self.add_write(execution, at, at.after, location)
                        }
                        ElementPlace::All => {
                            let location = self.content_location(region);
                            self.add_write(execution, at, at.after, location)
                        }
                    };
                    alternatives.push((after, state.clone()));
                }
                self.fork(execution, at, alternatives)
            }
            _ => {
                let stored = state.value(value);
                self.note_stored(&mut state, stored);
                let after = self.add_unfollowed_change(execution, at, at.after);
                execution.continue_at(after, at.next(), state);
                Ok(())
            }
        }
    }

    /// Executes an allocation: the object is not a followed one; in program mode it may also be the subject's.
    fn allocate(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        class: Name,
    ) -> Result<(), Stuck> {
        let mut alternatives = Vec::new();
        for value in self.allocated_values(&state, class) {
            let mut state = state.clone();
            if let Some(to) = statement.to {
                state.assign(&at.code.terms, to, value);
            }
            alternatives.push((at.after, state));
        }
        self.fork(execution, at, alternatives)
    }

    fn check_cast(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        mut state: State,
        (to, value): (Type, Variable),
    ) -> Result<(), Stuck> {
        let known = state.value(value);
        let is_one = self.is_instance(known, to);
        if known != Value::Null && is_one != Some(true) {
            self.raise(execution, at, at.after, &state)?;
        }
        if is_one == Some(false) && known != Value::Null {
            return Ok(());
        }
        let cast = match known {
            Value::Open(of, number) => match self.narrowed(of, to) {
                Some(of) => {
                    state.replace(known, Value::Open(of, number));
                    Value::Open(of, number)
                }
                None => Value::Any,
            },
            // A value whose type was too general may be a followed object now.
            Value::Any => self.assigned_value(at, &state, statement.to),
            known => known,
        };
        if known == Value::Any && cast != Value::Any {
            state.assign(&at.code.terms, value, cast);
        }
        if let Some(to) = statement.to {
            state.copy_found(value, to);
        }
        self.assign_value(execution, at, statement, state, cast)
    }

    fn instance_of(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (of, value): (Type, Variable),
    ) -> Result<(), Stuck> {
        let known = state.value(value);
        let value = match known {
            Value::Null => Value::Int(0),
            known => self.is_instance(known, of).map_or(Value::Any, |is_one| Value::Int(is_one.into())),
        };
        self.assign_value(execution, at, statement, state, value)
    }
}

/// Whether a value may be a followed object.
fn is_object(value: Value) -> bool {
    matches!(value, Value::Open(..) | Value::Region(_))
}
