//! References to methods that run what their argument is: `Runnable::run`, `Supplier::get`.
//!
//! **Definition.** A method reference is *open* if it calls a method virtually that no given class declares, or that an
//! interface declares: which code runs depends on the object that it is called with, which may be a function itself.
//!
//! *Invariant.* If an open reference is among what a library method is given, or in its contents, then every function
//! that the pointer analysis finds to run at the call is run there. That is all that an open reference can run, as the
//! analysis follows its argument; perhaps it is more than that, which is coarser.

use super::calls::Call;
use super::interpreter::{Here, Interpreter};
use crate::isolate::Stuck;
use crate::isolate::graph::ContextId;
use java::ir::StatementId;
use java::points_to::{Object, ObjectId};
use java::{Handle, HandleKind, MethodId};

impl Interpreter<'_> {
    /// The contexts of what open references among the arguments of a library call may run.
    pub(super) fn open_contexts(&mut self, at: Here<'_>, call: &Call<'_>) -> Result<Vec<ContextId>, Stuck> {
        let method = self.contexts[at.id.index()].method;
        let variables = call.variables.unwrap_or_default();
        let objects = variables.iter().flat_map(|variable| self.heap.variable(method, *variable)).collect();
        if !self.library_closure(objects).into_iter().any(|object| self.is_open_reference(object)) {
            return Ok(Vec::new());
        }
        let site = StatementId { block: at.point.block, index: at.point.index };
        let functions: Vec<MethodId> =
            self.heap.points.callees(method, site).map(|callees| callees.functions.to_vec()).unwrap_or_default();
        let mut found = Vec::new();
        for function in functions.into_iter().filter(|function| self.heap.program.method(*function).has_code()) {
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
