//! Locks of the model that values stand for.

use super::subject_facts::SubjectFacts;
use crate::value::{Lock, RegionId, Value};
use java::FieldId;

impl SubjectFacts<'_> {
    /// The monitor of an object, if it is a lock of the model.
    pub(crate) fn monitor(&self, value: Value) -> Option<Lock> {
        match value {
            Value::Region(region) if self.regions.is_deep(self.regions.alias(region)) => None,
            Value::Region(region) => Some(Lock::Monitor(region)),
            Value::Class(class) => Some(Lock::Class(class)),
            Value::Literal(text) => Some(Lock::Literal(text)),
            Value::Static(field) => Some(Lock::Static(field)),
            Value::Holder(class) => Some(Lock::Holder(class)),
            Value::Held(field) => Some(Lock::Held(field)),
            Value::Element(array, index) => Some(Lock::Element(array, index)),
            _ => None,
        }
    }

    /// The lock that an object is by itself.
    pub(crate) fn lock_object(&self, value: Value) -> Option<Lock> {
        match value {
            Value::Region(region) if self.regions.is_deep(self.regions.alias(region)) => None,
            Value::Region(region) if self.may_not_exclude(region) => None,
            Value::Region(region) => Some(Lock::Explicit(region)),
            Value::Static(field)
                if self.heap.static_field(field).iter().any(|object| self.heap.may_not_exclude(*object)) =>
            {
                None
            }
            Value::Static(field) => Some(Lock::ExplicitStatic(field)),
            Value::Holder(class) => Some(Lock::ExplicitHolder(class)),
            Value::Held(field) => Some(Lock::ExplicitHeld(field)),
            Value::Element(array, index) => Some(Lock::ExplicitElement(array, index)),
            _ => None,
        }
    }

    /// Whether a lock of a region may not exclude.
    fn may_not_exclude(&self, region: RegionId) -> bool {
        self.regions.regions[region.index()].objects.iter().any(|object| self.heap.may_not_exclude(*object))
    }

    /// The value of a static field that a constructor has copied. None if it may be a followed object: then the field
    /// of the region is more precise.
    pub(crate) fn stored_static(&self, field: FieldId) -> Option<Value> {
        if let Some(region) = self.regions.static_region(field) {
            return Some(Value::Region(region));
        }
        let may_be_followed = self.heap.static_field(field).iter().any(|object| self.may_be_followed(*object));
        (!may_be_followed).then_some(Value::Static(field))
    }
}
