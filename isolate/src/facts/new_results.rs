//! Methods that return only new objects: `withLimit(n)`, which changes a copy and returns it.
//!
//! **Definition.** A method *returns new objects* if each value that it returns is null, or an object that it has
//! allocated or copied, or the result of a method that returns new objects, and if the method only reads and writes the
//! fields of this object, constructs it, and returns it.
//!
//! *Why it suffices* for [`NewObjects`](crate::Rule::NewObjects): such an object is in no field, no element and no
//! container when the method returns, so it is none that others had before. Its constructor may publish it; this is
//! excluded if the constructor's code does so.

use super::origins::{Origins, returned_variables};
use super::subject_facts::SubjectFacts;
use java::ir::{Body, Definition, Operation, Variable};
use java::library::Action;
use java::{Constant, InvokeKind, Lookup, Member, MethodId};

/// Maximum depth of calls.
const DEEPEST: usize = 4;

impl SubjectFacts<'_> {
    /// Whether a method returns new objects only.
    pub(crate) fn returns_new(&self, method: MethodId) -> bool {
        if let Some(known) = self.known.escapes.returns_new.get(&method) {
            return known;
        }
        let found = self.finds_new_results(method, DEEPEST);
        self.known.escapes.returns_new.insert(method, found);
        found
    }

    fn finds_new_results(&self, method: MethodId, depth: usize) -> bool {
        let Some(body) = self.heap.body(method) else { return false };
        let origins = Origins::of_copies(&body);
        let mut results: Vec<Variable> = returned_variables(&body).flat_map(|result| origins.of(result)).collect();
        results.sort_unstable();
        results.dedup();
        let is_null = |origin: &Variable| match body.variable(*origin).definition {
            Definition::Statement(id) => body.statement(id).operation == Operation::Constant(Constant::Null),
            _ => false,
        };
        results.retain(|origin| !is_null(origin));
        !results.is_empty() && results.iter().all(|origin| self.is_new_result(&body, &origins, *origin, depth))
    }

    /// Whether an origin is an object that the method makes and keeps to itself.
    fn is_new_result(&self, body: &Body, origins: &Origins, origin: Variable, depth: usize) -> bool {
        let Definition::Statement(id) = body.variable(origin).definition else { return false };
        let is_made = match &body.statement(id).operation {
            Operation::New(_) | Operation::NewArray(..) => true,
            Operation::Invoke { kind, member, .. } => self.makes_result((*kind, *member), depth),
            _ => false,
        };
        let is_it = |variable: Variable| origins.of(variable).contains(&origin);
        is_made
            && body.blocks().flat_map(|(_, block)| &*block.statements).all(|statement| {
                let is_kept = |value: &Variable| !is_it(*value);
                match &statement.operation {
                    Operation::PutField { value, .. } | Operation::PutStatic(_, value) => is_kept(value),
                    Operation::StoreElement { value, .. } => is_kept(value),
                    Operation::InvokeDynamic { arguments, .. } => arguments.iter().all(is_kept),
                    Operation::Invoke { member, arguments, .. } => {
                        let constructs =
                            self.heap.program.is_constructor_name(member.name) && !self.constructor_publishes(*member);
                        arguments.iter().skip(usize::from(constructs)).all(is_kept)
                    }
                    _ => true,
                }
            })
    }

    /// Whether a constructor publishes its object.
    fn constructor_publishes(&self, member: Member) -> bool {
        match self.heap.program.resolve_method(member) {
            Lookup::Found(constructor) => self.leaks_constructed(constructor),
            _ => false,
        }
    }

    /// Whether all targets of a call return new objects.
    fn makes_result(&self, (kind, member): (InvokeKind, Member), depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let program = self.heap.program;
        match program.resolve_method(member) {
            Lookup::Found(found) if matches!(kind, InvokeKind::Static | InvokeKind::Special) => {
                self.finds_new_results(found, depth)
            }
            Lookup::Found(found) => {
                let targets = &program.overriders(found).methods;
                !targets.is_empty() && targets.iter().all(|target| self.finds_new_results(*target, depth))
            }
            _ => self
                .heap
                .row_of_member(member)
                .is_some_and(|row| row.actions.iter().any(|action| matches!(action, Action::Clones(_)))),
        }
    }
}
