//! Open method references: `Runnable::run`, `Supplier::get`.
//!
//! **Definition.** A method reference is *open* if it calls virtually a method that no program class declares, or that
//! an interface declares: the code that runs depends on the receiver, which may be a function itself.
//!
//! *Invariant.* If an open reference is among the arguments of a library method, or in their contents, then every
//! function that the pointer analysis finds at the call runs there. This covers all methods that an open reference can
//! run, as the analysis tracks its argument; it may include more, which is coarser.

use super::execution::{Call, Position};
use super::interpreter::Interpreter;
use crate::Stuck;
use crate::graph::ContextId;
use crate::value::SetId;
use java::points_to::{Object, ObjectId};
use java::{Handle, HandleKind, MethodId};

impl Interpreter<'_> {
    /// Whether the closure of a set under library contents has an open reference; computed once.
    fn has_open_reference(&mut self, set: SetId) -> bool {
        if let Some(known) = self.memo.open_references.get(&set) {
            return *known;
        }
        let closure = self.closure_of(set);
        let found = self.sets.objects(closure).iter().any(|object| self.is_open_reference(*object));
        self.memo.open_references.insert(set, found);
        found
    }

    /// The contexts that open references among the arguments of a library call may run.
    pub(crate) fn open_contexts(&mut self, at: Position<'_>, call: &Call<'_>) -> Result<Vec<ContextId>, Stuck> {
        let method = self.contexts[at.id.index()].method;
        let variables = call.variables.unwrap_or_default();
        let mut has_one = false;
        for variable in variables {
            let held = self.variable_set(method, *variable);
            has_one |= self.has_open_reference(held);
        }
        if !has_one {
            return Ok(Vec::new());
        }
        let program = self.heap.program;
        let mut found = Vec::new();
        for function in self.functions_at(at).into_iter().filter(|function| program.method(*function).has_code()) {
            found.extend(self.context_with_unknown(function, Vec::new())?.iter());
        }
        Ok(found)
    }

    fn is_open_reference(&self, object: ObjectId) -> bool {
        match self.heap.points.object(object) {
            Object::Lambda { implementation, .. } => self.is_open_handle(*implementation),
            _ => false,
        }
    }

    fn is_open_handle(&self, handle: Handle) -> bool {
        let program = self.heap.program;
        let is_of_interface = |method: MethodId| program.class(program.method(method).class).flags.is_interface();
        matches!(handle.kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface)
            && program.resolve_method(handle.member).found().is_none_or(is_of_interface)
    }
}
