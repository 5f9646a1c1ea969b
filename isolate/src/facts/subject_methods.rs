//! Methods and static fields as the mode sees them: those of the subject, and those that reach too much.

use super::subject_facts::SubjectFacts;
use crate::value::{RegionId, Value};
use java::ir::{Operation, Statement};
use java::library::Action;
use java::points_to::ObjectId;
use java::{FieldId, MethodId};
use std::collections::BTreeSet;

/// Methods that handle locks and reach at most this many methods are never left out.
const MOST_OF_LOCKS: usize = 20;

impl SubjectFacts<'_> {
    /// Whether a static field is a location.
    pub(crate) fn is_static_location(&self, field: FieldId) -> bool {
        self.mode.statics.contains(&field)
    }

    /// The values of an unchanging static field that may hold the subject's object: in one model it does, in another
    /// one it does not.
    pub(crate) fn holder_cases(&self, field: FieldId, objects: &[ObjectId]) -> Option<Vec<Value>> {
        if !self.mode.is_program || self.mode.is_static || !self.is_holder(field, objects) {
            return None;
        }
        let is_it = self.mode.holder == Some(field);
        let held = if is_it { Value::Region(RegionId::SUBJECT) } else { Value::Other };
        // A field that `main` assigns is null before.
        let is_late = self.heap.points.stores(field).iter().any(|store| !store.initializes);
        Some([held].into_iter().chain(is_late.then_some(Value::Null)).collect())
    }

    /// Whether an unchanging static field may hold the subject's object.
    pub(crate) fn is_holder(&self, field: FieldId, objects: &[ObjectId]) -> bool {
        let subject = self.regions.alias(RegionId::SUBJECT);
        let may_be = |object: &ObjectId| self.regions.alias_of(&self.heap, *object).iter().any(|it| it.0 == subject);
        self.heap.is_unchanging(field) && objects.iter().any(may_be)
    }

    /// Whether a method is one of the subject's class.
    pub(crate) fn is_own_method(&self, id: MethodId) -> bool {
        let program = self.heap.program;
        let method = program.method(id);
        let is_of_class = if self.mode.is_static {
            method.class == self.mode.class
        } else {
            self.mode.classes.contains(&method.class)
        };
        is_of_class && !(self.mode.is_program && self.is_root(id))
    }

    /// Whether a thread begins with this method.
    fn is_root(&self, method: MethodId) -> bool {
        let program = self.heap.program;
        let declared = program.method(method);
        let name = program.text(declared.name);
        let is_task =
            !declared.flags.is_static() && self.heap.task_method(declared.class).is_some_and(|method| method == name);
        name.starts_with("lambda$") || (name == "main" && declared.flags.is_static()) || is_task
    }

    /// Whether a statement of a method acquires or releases an explicit lock.
    fn handles_locks(&self, method: MethodId) -> bool {
        let Some(body) = self.heap.body(method) else { return false };
        let is_of_lock =
            |action: &Action| matches!(action, Action::Acquires(_) | Action::Tries { .. } | Action::Releases(_));
        let calls_lock = |statement: &Statement| match &statement.operation {
            Operation::Invoke { member, .. } => {
                self.heap.row_of_member(*member).is_some_and(|row| row.actions.iter().any(is_of_lock))
            }
            _ => false,
        };
        body.blocks().any(|(_, block)| block.statements.iter().any(calls_lock))
    }

    /// Whether a method of another class reaches too many methods, so that an analysis in part leaves out its calls. If
    /// all are left out, methods that handle explicit locks stay, with the few that they reach: without a method that
    /// acquires a lock for its caller, the caller's accesses would appear unprotected.
    pub(crate) fn is_too_far(&self, method: MethodId) -> bool {
        let Some(most) = self.mode.max_reached else { return false };
        let class = self.heap.program.method(method).class;
        if self.mode.nest.contains(&class) {
            return false;
        }
        if let Some(known) = self.known.calls.too_far.get(&method) {
            return known;
        }
        let mut reached: BTreeSet<MethodId> = BTreeSet::from([method]);
        let mut open = vec![method];
        while let Some(one) = open.pop() {
            open.extend(self.heap.callees_of(one).iter().copied().filter(|callee| reached.insert(*callee)));
            if reached.len() > most.max(MOST_OF_LOCKS) {
                break;
            }
        }
        let handles_locks =
            || reached.len() <= MOST_OF_LOCKS && reached.iter().any(|method| self.handles_locks(*method));
        let is_far = reached.len() > most && !handles_locks();
        self.known.calls.too_far.insert(method, is_far);
        is_far
    }
}
