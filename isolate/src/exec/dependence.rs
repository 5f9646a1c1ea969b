//! Data and control dependence on the subject's state: program mode.
//!
//! Besides calls on the subject, the body of a method of another class is a unit of work if it accesses the subject
//! depending on data read from it. Results of loads from the subject and of calls on it are [derived](Value::Derived),
//! and so are values computed from them; an access or call is dependent if a derived value is among its operands, or
//! was tested before. The analysis does not track where derived values are stored: after the first store, all loaded
//! values count as derived. A call is dependent if its callees access the subject somewhere.

use super::context::{Branch, Steps};
use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::graph::{MethodContext, Step};
use crate::value::Value;
use java::Member;
use java::ir::{Operation, Statement};

impl Interpreter<'_> {
    /// Notes accesses and calls of a statement outside of the subject's class that depend on data read from the
    /// subject.
    pub(super) fn note_dependence(&mut self, at: Position<'_>, before: &State, statement: &Statement, done: &[Branch]) {
        let may_act = matches!(
            statement.operation,
            Operation::GetField { .. }
                | Operation::PutField { .. }
                | Operation::GetStatic(_)
                | Operation::PutStatic(..)
                | Operation::LoadElement { .. }
                | Operation::StoreElement { .. }
                | Operation::Invoke { .. }
                | Operation::InvokeDynamic { .. }
        );
        let taken: Vec<Value> = statement.operation.uses().into_iter().map(|used| before.value(used)).collect();
        if !may_act || !(before.has_tested_derived || taken.contains(&Value::Derived)) {
            return;
        }
        let is_use = self.is_use(&statement.operation, &taken);
        let context = &mut self.contexts[at.id.index()];
        context.is_dependent |= is_use;
        for step in done.iter().filter_map(|branch| branch.steps.as_ref()).flat_map(all_steps) {
            match step {
                Step::Read(_) | Step::Write(_) => context.is_dependent = true,
                step => context.dependent_calls.extend(step.called()),
            }
        }
    }

    /// Whether an operation uses the subject, or a static field or method of the class whose static fields are
    /// followed.
    fn is_use(&self, operation: &Operation, taken: &[Value]) -> bool {
        let is_static = |member: &Member| {
            let field = self.heap.program.resolve_field(*member).found();
            field.is_some_and(|field| self.is_static_location(field))
        };
        match operation {
            Operation::GetStatic(member) | Operation::PutStatic(member, _) => is_static(member),
            Operation::Invoke { member, .. } => self.uses_subject(*member, taken),
            Operation::GetField { .. } | Operation::PutField { .. } => is_followed(taken.first()),
            _ => false,
        }
    }

    /// Whether a call of a member with these values is a call on the subject.
    pub(super) fn uses_subject(&self, member: Member, taken: &[Value]) -> bool {
        match self.mode.is_static {
            true => member.class == self.heap.program.class(self.mode.class).name,
            false => is_followed(taken.first()),
        }
    }

    /// The result of a call outside of the subject's class, which may be derived; notes if control depends on it.
    pub(super) fn derived_result(
        &self,
        at: Position<'_>,
        uses_subject: bool,
        state: &mut State,
        value: Value,
    ) -> Value {
        if !self.is_outside_class(at.id) || !(uses_subject || state.has_stored_derived) {
            return value;
        }
        match value {
            Value::Any | Value::Int(_) => Value::Derived,
            Value::Open(..) | Value::Region(_) => {
                state.has_tested_derived |= uses_subject;
                value
            }
            value => value,
        }
    }

    /// Marks the contexts that access the subject depending on data read from it, themselves or in callees.
    pub(crate) fn mark_dependent(&self, contexts: &mut [MethodContext], acting: &[bool]) {
        for (context, graph) in self.contexts.iter().zip(contexts) {
            let calls = context.dependent_calls.iter().any(|called| acting[called.index()]);
            graph.is_unit_body = context.is_dependent || calls;
        }
    }
}

/// Whether a value is a followed object.
fn is_followed(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.region().is_some())
}

/// All single steps of a branch's steps.
pub(super) fn all_steps(steps: &Steps) -> impl Iterator<Item = Step> + '_ {
    match steps {
        Steps::One(step) => std::slice::from_ref(step),
        Steps::Repeated(steps) | Steps::Optional(steps) => &steps[..],
    }
    .iter()
    .copied()
}
