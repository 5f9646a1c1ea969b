//! Waits after which a unit begins anew.
//!
//! **Definition.** A wait *forgets* what the unit has read if each variable that is used after it is a parameter, a
//! constant, an unchanging field, the result of a wait, the time, or computed from such values.
//!
//! **Rule** [`Waits`](crate::Rule::Waits). A unit that waits, has only read before, holds only the lock on which it
//! waits, and forgets what it has read, ends before the wait. Another unit begins after it (`modes::restarts`).
//!
//! *Why it suffices.* The unit behaves as one that begins when its last wait ends: nothing that it has done before is
//! noticed by others, or by itself.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use crate::Rule;
use crate::facts::method::Method;
use crate::graph::Step;
use crate::value::Lock;
use eml::model::Mode;
use java::ir::{Definition, Operation, Variable};
use java::library::Action;
use rustc_hash::FxHashSet;

impl Interpreter<'_> {
    /// Adds a wait, with a mark if it forgets what the unit has read.
    pub(crate) fn add_wait(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        lock: Lock,
    ) -> Option<usize> {
        let mut after = after;
        if self.heap.modality.omits(Rule::Waits) && !self.mode.is_program && self.forgets(at) {
            for step in [Step::Acquire(Lock::Restart, Mode::Write), Step::Release(Lock::Restart, Mode::Write)] {
                after = execution.add_steps(after, Steps::One(step), at.line());
            }
        }
        execution.add_steps(after, Steps::One(Step::Wait(lock)), at.line())
    }

    fn forgets(&self, at: Position<'_>) -> bool {
        let mut known = FxHashSet::default();
        let assigned = at.code.block(at.point).statements.get(at.point.index as usize).and_then(|it| it.to);
        let live = at.code.live(at.next());
        live.iter()
            .filter(|variable| Some(**variable) != assigned)
            .all(|variable| self.is_given(at, *variable, &mut known))
    }

    /// Whether a value is independent of what the unit reads.
    fn is_given(&self, at: Position<'_>, variable: Variable, known: &mut FxHashSet<Variable>) -> bool {
        if !known.insert(variable) {
            return true;
        }
        let body = &at.code.body;
        match body.variable(variable).definition {
            Definition::Parameter(_) => true,
            Definition::Caught(_) => false,
            Definition::Joined(block, place) => {
                let edges = body.blocks().flat_map(|(_, of)| Method::edges(&of.end));
                let mut passed =
                    edges.filter(|edge| edge.target == block).map(|edge| edge.arguments.get(place as usize));
                passed.all(|value| value.is_some_and(|value| self.is_given(at, *value, known)))
            }
            Definition::Statement(id) => match &body.statement(id).operation {
                Operation::Constant(_) | Operation::New(_) => true,
                operation @ (Operation::Binary(..)
                | Operation::Negate(..)
                | Operation::Convert(..)
                | Operation::Narrow(..)
                | Operation::Compare(..)
                | Operation::CheckCast(..)) => operation.uses().into_iter().all(|used| self.is_given(at, used, known)),
                Operation::GetField { object, field } => {
                    let field = self.heap.program.resolve_field(*field).found();
                    field.is_some_and(|field| self.heap.is_unchanging(field)) && self.is_given(at, *object, known)
                }
                Operation::GetStatic(field) => {
                    let field = self.heap.program.resolve_field(*field).found();
                    field.is_some_and(|field| self.heap.is_unchanging(field))
                }
                Operation::Invoke { member, arguments, .. } => {
                    let is_time = ["java/lang/System", "java/util/concurrent/TimeUnit", "java/lang/Math"]
                        .contains(&self.heap.program.text(member.class));
                    let waits = self.heap.row_of_member(*member).is_some_and(|row| {
                        row.actions.iter().any(|action| matches!(action, Action::Awaits | Action::Waits { .. }))
                    });
                    waits || is_time && arguments.iter().all(|used| self.is_given(at, *used, known))
                }
                _ => false,
            },
        }
    }
}
