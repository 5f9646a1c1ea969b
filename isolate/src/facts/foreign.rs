//! Calls on other objects of the subject's class, and what such a call can find of the subject's object.

use super::confinement::{Confined, Search};
use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use crate::value::{RegionId, Value};
use java::ir::Operation;
use java::points_to::ObjectId;
use java::{FieldId, MethodId};
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// The confined objects of the subject's class; computed on first use.
    pub(crate) fn confined(&self) -> Rc<Confined> {
        let find = || match self.mode.is_static || self.heap.is_copied(self.mode.class) {
            true => Rc::default(),
            false => Rc::new(Search::new(&self.heap, &self.regions, &self.mode).greatest_set()),
        };
        self.answers.confined.get_or_init(find).clone()
    }

    /// Whether a call with these values runs on, or for, another object of the subject's class.
    pub(crate) fn is_foreign_call(&self, method: MethodId, values: &[Value]) -> bool {
        let declared = self.heap.program.method(method);
        let is_own = !declared.flags.is_static() && self.mode.classes.contains(&declared.class);
        let is_other = |value: &Value| {
            matches!(value, Value::Any | Value::Other | Value::Foreign | Value::Derived | Value::This(_))
        };
        (is_own && !self.mode.is_static && values.first().is_some_and(is_other)) || values.contains(&Value::Foreign)
    }

    /// The arguments that a foreign context passes: confined objects in it belong to another object.
    pub(crate) fn as_foreign(&self, method: MethodId, mut values: Vec<Value>) -> Vec<Value> {
        let confined = self.confined();
        let Some(body) = self.heap.body(method) else { return values };
        for (value, parameter) in values.iter_mut().zip(&*body.parameters) {
            let is_confined = || {
                let objects = self.heap.variable(method, *parameter);
                objects.iter().any(|object| confined.has(&self.heap, *object))
            };
            if matches!(value, Value::Any | Value::Other) && is_confined() {
                *value = Value::Foreign;
            }
        }
        values
    }

    /// Whether an object that another object of the class finds is certainly not reached from the subject's object. For
    /// clients' objects this is assumed, but not if the field is a reference to an outer object, as many inner objects
    /// share one outer object.
    fn is_not_of_subject(&self, confined: &Confined, object: ObjectId, field: Option<FieldId>, is_owner: bool) -> bool {
        let is_outer = field.is_some_and(|field| self.heap.program.field(field).flags.is_synthetic());
        let is_subject = || {
            let of_subject = self.regions.alias(RegionId::SUBJECT);
            self.regions.alias_of(&self.heap, object).iter().any(|(alias, _)| *alias == of_subject)
        };
        let is_global = || confined.globals.may_have(&self.heap, self.mode.class, object);
        let is_given = || !is_outer && self.is_of_clients(object) && !is_global();
        confined.has(&self.heap, object) || if is_owner { is_subject() } else { is_given() && !is_subject() }
    }

    /// Whether an object that a statement obtains in a foreign context may be followed.
    pub(super) fn any_followed_from_foreign(&self, operation: &Operation, objects: Vec<ObjectId>) -> bool {
        let Some(confined) = self.answers.confined.get() else { return true };
        let field = match operation {
            Operation::GetField { field, .. } => self.heap.program.resolve_field(*field).found(),
            _ => None,
        };
        let is_owner = field.is_some_and(|field| confined.owner_fields.contains(&field));
        let owned = |object: &ObjectId| {
            field.is_some_and(|field| self.heap.is_owned(field) && self.belongs_to_region(*object, field))
        };
        objects.into_iter().any(|object| {
            self.may_be_followed(object)
                && !owned(&object)
                && !self.is_not_of_subject(confined, object, field, is_owner)
        })
    }

    /// Whether an object is external, so that clients may have made it.
    fn is_of_clients(&self, object: ObjectId) -> bool {
        matches!(self.heap.kind_of(object), ObjectKind::External(_))
    }

    /// Filters the objects that a foreign context loads, perhaps from this field: returns those that the subject's
    /// object may reach, and whether that assumes something of clients' objects.
    pub(crate) fn found_by_foreign(&self, field: Option<FieldId>, objects: Vec<ObjectId>) -> (Vec<ObjectId>, bool) {
        let confined = self.confined();
        let is_owner = field.is_some_and(|field| confined.owner_fields.contains(&field));
        let (dropped, reached): (Vec<ObjectId>, Vec<ObjectId>) =
            objects.into_iter().partition(|object| self.is_not_of_subject(&confined, *object, field, is_owner));
        let is_assumed = dropped.iter().any(|object| self.is_of_clients(*object) && self.may_be_followed(*object));
        (reached, is_assumed)
    }

    /// Whether one of these objects may be global for the subject's class.
    pub(crate) fn may_be_global(&self, objects: &[ObjectId]) -> bool {
        let confined = self.confined();
        objects.iter().any(|object| confined.globals.may_have(&self.heap, self.mode.class, *object))
    }
}
