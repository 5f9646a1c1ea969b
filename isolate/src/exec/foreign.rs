//! Contexts that run on another object of the subject's class.

use super::context::ContextId;
use super::interpreter::Interpreter;
use crate::Assumption;
use crate::value::Value;
use java::points_to::ObjectId;
use java::{FieldId, Type};

impl Interpreter<'_> {
    /// Whether a context runs on, or for, another object of the subject's class: objects confined to the subject's
    /// object are unreachable in it.
    pub(crate) fn is_foreign(&self, id: ContextId) -> bool {
        let context = &self.contexts[id.index()];
        self.is_foreign_call(context.method, &context.arguments)
    }

    /// Whether the context that is executed is foreign.
    pub(crate) fn is_in_foreign(&self) -> bool {
        self.current.is_some_and(|id| self.is_foreign(id))
    }

    /// The value of an argument that clients pass to a method of another object of the class, by its type and a number
    /// of its own. By assumption it is nothing that the subject's object reaches, unless it may be a global object.
    pub(crate) fn client_argument_of_another(&mut self, of: Type, number: u32) -> Value {
        if !of.is_reference() {
            return Value::Any;
        }
        let value = self.unknown_with(of, number);
        let Value::Open(objects, _) = value else { return Value::Any };
        if self.may_be_global(&self.sets.objects(objects)) {
            return value;
        }
        self.assume(Assumption::GivenOnce);
        Value::Any
    }

    /// Filters the objects that a foreign context loads, perhaps from this field: keeps those that the subject's object
    /// may reach.
    pub(crate) fn reached_from_foreign(&mut self, field: Option<FieldId>, objects: Vec<ObjectId>) -> Vec<ObjectId> {
        let (reached, is_assumed) = self.found_by_foreign(field, objects);
        if is_assumed {
            self.assume(Assumption::GivenOnce);
        }
        reached
    }
}
