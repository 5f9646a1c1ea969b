//! Statements that run the subject as a task, besides its start as a thread.
//!
//! **Definition.** A statement of the program *runs* the subject if it calls `run` on an object that may be the
//! subject, makes a function of `run` of such an object, or gives such an object to a library method that may run it: a
//! constructor of another thread, an executor. The start of a thread is none, nor is the schedule of a task on a
//! `java.util.Timer`, whose one thread runs the task, nor the call of the overridden method within `run`.
//!
//! **Invariant.** If no statement runs the subject, then a `Thread` is run by the one thread that its start creates, as
//! it cannot be started again, and a `TimerTask` by the thread of the one timer that it can be scheduled on. Clients
//! start it, or schedule it, and do nothing else with it: by assumption, which is printed.

use super::subject_facts::SubjectFacts;
use crate::value::RegionId;
use java::ir::{Body, Definition, Operation, Variable};
use java::library::Action;
use java::points_to::ObjectId;
use java::{CallSiteAction, InvokeKind, Member, MethodId};

impl SubjectFacts<'_> {
    /// Whether some statement of the program runs the subject. Linear in the program.
    pub(crate) fn is_run_elsewhere(&self) -> bool {
        let program = self.heap.program;
        let reached = program.methods().map(|(method, _)| method).filter(|one| self.heap.points.is_reached(*one));
        let runs = |method: MethodId| match self.heap.body(method) {
            Some(body) => {
                let mut statements = body.blocks().flat_map(|(_, block)| &*block.statements);
                statements.any(|statement| self.runs_subject(method, &body, &statement.operation))
            }
            None => program.method(method).has_code(),
        };
        { reached }.any(runs)
    }

    fn runs_subject(&self, method: MethodId, body: &Body, operation: &Operation) -> bool {
        match operation {
            Operation::Invoke { kind, member, arguments } => {
                let receivers = usize::from(*kind != InvokeKind::Static);
                let (receiver, given) = arguments.split_at(receivers.min(arguments.len()));
                let is_super = *kind == InvokeKind::Special && self.is_run_of_receiver(method, body, receiver);
                self.is_run(*member) && !is_super && self.may_hold_subject(method, receiver)
                    || self.may_run_given(*member) && self.may_hold_subject(method, given)
            }
            Operation::InvokeDynamic { site, arguments } => match body.call_site(*site).action {
                CallSiteAction::Lambda { implementation, .. } => {
                    self.is_run(implementation.member) && self.may_hold_subject(method, arguments)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_run(&self, member: Member) -> bool {
        [member.name, member.descriptor].map(|name| self.heap.program.text(name)) == ["run", "()V"]
    }

    /// Whether a method is `run` and this is its receiver.
    fn is_run_of_receiver(&self, method: MethodId, body: &Body, receiver: &[Variable]) -> bool {
        let program = self.heap.program;
        let declared = program.method(method);
        let is_run = [declared.name, declared.descriptor].map(|name| program.text(name)) == ["run", "()V"];
        let is_own = |it: &Variable| body.variable(*it).definition == Definition::Parameter(0);
        is_run && !declared.flags.is_static() && receiver.first().is_some_and(is_own)
    }

    /// Whether a method of the library may run `run` of its arguments. A method without a row may.
    fn may_run_given(&self, member: Member) -> bool {
        let program = self.heap.program;
        let is_of_program = program.resolve_method(member).found().is_some();
        if is_of_program || program.text(member.class) == "java/util/Timer" {
            return false;
        }
        let Some(row) = self.heap.row_of_member(member) else { return true };
        let is_run = |name: &Option<Box<str>>| name.as_deref().is_none_or(|name| name == "run");
        row.actions.iter().any(|action| match action {
            Action::Calls(call) => is_run(&call.method),
            Action::Later { method, .. } => is_run(method),
            Action::Runs(_) => true,
            _ => false,
        })
    }

    /// Whether one of these variables, or the content of a library object in one, may hold the subject.
    fn may_hold_subject(&self, method: MethodId, variables: &[Variable]) -> bool {
        let objects: Vec<ObjectId> =
            variables.iter().flat_map(|variable| self.heap.variable(method, *variable)).collect();
        self.heap.library_closure(objects).into_iter().any(|object| self.may_be_subject(object))
    }

    /// Whether an abstract object may be the subject's object.
    pub(crate) fn may_be_subject(&self, object: ObjectId) -> bool {
        let subject = self.regions.alias(RegionId::SUBJECT);
        self.regions.alias_of(&self.heap, object).iter().any(|(alias, _)| *alias == subject)
    }
}
