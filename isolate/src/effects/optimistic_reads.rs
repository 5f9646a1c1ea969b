//! Validated optimistic reads of a `StampedLock`.
//!
//! If `validate` returns true, no thread has held the write side since the stamp was taken, so the thread may as well
//! have held the read side in between. If it returns false, the values read are discarded, so the reads may as well not
//! have happened. So a *section*, from taking a stamp to its validation, has two cases: with the read lock, after which
//! `validate` returns true; and without accesses, after which it returns false.
//!
//! This applies to a section without branches and calls that only reads fields of the method's object and computes; no
//! variable that it assigns is used if `validate` returns false. All other optimistic reads are reads without a lock.
//!
//! Both cases need that the lock of the stamp validates it: another lock may accept the stamp although there was a
//! writer. If the two calls load their locks from different fields, there is no section. If it turns out only at the
//! validation that the locks differ, or that one is not known, the case with the read lock was wrong, and the analysis
//! of the method gives up. The case without accesses may stay: it has the effects of no thread.

use crate::exec::context::{Point, Steps};
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::lock_effects::ReleasedLock;
use crate::exec::state::{HeldLock, OptimisticRead, State};
use crate::graph::{Step, Stuck};
use crate::value::Value;
use java::ir::{Edge, End, Operation, Statement, Variable};
use java::library::{Action, Side};
use java::{Comparison, Condition, Operator};

impl Interpreter<'_> {
    /// Takes a stamp that begins a section.
    pub(super) fn take_stamp(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let stamp = call.to?;
        let side = self.side(*call.values.first()?, Side::Read)?;
        let (lock, mode) = side;
        if !self.is_section(at, stamp) {
            return None;
        }
        let mut read = state.clone();
        if !read.acquire(HeldLock::Explicit(lock, mode)) {
            return None;
        }
        let mut thrown_away = state.clone();
        read.optimistic.push(OptimisticRead { stamp, side, is_valid: true });
        thrown_away.optimistic.push(OptimisticRead { stamp, side, is_valid: false });
        let acquired = execution.add_steps(after, Steps::One(Step::Acquire(lock, mode)), at.line());
        let any = Value::Any;
        Some(vec![(acquired, read, Some(any)), (after, thrown_away, Some(any))])
    }

    /// Validates a stamp at the end of its section.
    pub(super) fn validate_stamp(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
    ) -> Result<Option<Vec<CallExit>>, Stuck> {
        let validated = call.variables.and_then(|variables| variables.get(1));
        let begun = validated.and_then(|stamp| state.optimistic.iter().find(|read| read.stamp == *stamp));
        let Some(OptimisticRead { stamp, side, is_valid }) = begun.copied() else { return Ok(None) };
        let mut ended = state.clone();
        ended.optimistic.retain(|read| read.stamp != stamp);
        let answer = Value::Int(is_valid.into());
        if !is_valid {
            return Ok(Some(vec![(after, ended, Some(answer))]));
        }
        let (lock, mode) = side;
        let is_same = call.values.first().and_then(|lock| self.side(*lock, Side::Read)) == Some(side);
        let closed = ended.release(HeldLock::Explicit(lock, mode), self.mode.overlaps);
        if !is_same || closed != Some(ReleasedLock::Own) {
            return Err(self.not_nested(at));
        }
        let released = execution.add_steps(after, Steps::One(Step::Release(lock, mode)), at.line());
        Ok(Some(vec![(released, ended, Some(answer))]))
    }

    /// Whether a stamp begins a section.
    fn is_section(&self, at: Position<'_>, stamp: Variable) -> bool {
        let block = at.code.block(at.point);
        let rest = block.statements.get(at.point.index as usize + 1..).unwrap_or_default();
        let Some(end) = rest.iter().position(|statement| self.is_validation(statement, stamp)) else { return false };
        let (within, last) = (&rest[..end], &rest[end]);
        if loads_other_field(&block.statements, [&block.statements[at.point.index as usize], last]) {
            return false;
        }
        let this = at.code.body.parameters.first().copied().filter(|_| !self.is_static(at));
        let assigned: Vec<Variable> = within.iter().filter_map(|statement| statement.to).collect();
        let (Some(answer), Some(this), true) = (last.to, this, end + 1 == rest.len()) else { return false };
        let Some(refused) = refusal(&block.end, answer) else { return false };
        let live = at.code.live(Point { block: refused.target, index: 0 });
        let is_dead =
            |variable: &Variable| live.binary_search(variable).is_err() && !refused.arguments.contains(variable);
        within.iter().all(|statement| is_simple(statement, this)) && assigned.iter().all(is_dead)
    }

    fn is_static(&self, at: Position<'_>) -> bool {
        self.heap.program.method(self.contexts[at.id.index()].method).flags.is_static()
    }

    fn is_validation(&self, statement: &Statement, stamp: Variable) -> bool {
        let Operation::Invoke { member, arguments, .. } = &statement.operation else { return false };
        let row = self.heap.row_of_member(*member).filter(|_| arguments.get(1) == Some(&stamp));
        row.is_some_and(|row| row.actions.contains(&Action::Validates))
    }
}

/// Whether two calls have receivers that the block loads from different fields.
fn loads_other_field(statements: &[Statement], calls: [&Statement; 2]) -> bool {
    let field = |call: &Statement| {
        let Operation::Invoke { arguments, .. } = &call.operation else { return None };
        let load = statements.iter().find(|statement| statement.to == arguments.first().copied())?;
        match load.operation {
            Operation::GetField { field, .. } => Some(field),
            _ => None,
        }
    };
    let [taken, validated] = calls.map(field);
    taken.is_some() && validated.is_some() && taken != validated
}

/// The edge that control takes if validation fails.
fn refusal(end: &End, answer: Variable) -> Option<&Edge> {
    let End::Branch { condition: Condition::Zero(comparison), values, holds, fails } = end else { return None };
    match comparison {
        _ if values[..] != [answer] => None,
        Comparison::Equal => Some(holds),
        Comparison::NotEqual => Some(fails),
        _ => None,
    }
}

/// Whether a statement reads a field of the method's object, or computes something without throwing.
fn is_simple(statement: &Statement, this: Variable) -> bool {
    match &statement.operation {
        Operation::GetField { object, .. } => *object == this,
        Operation::Binary(operator, ..) => !matches!(operator, Operator::Divide | Operator::Remainder),
        Operation::Constant(_)
        | Operation::Compare(..)
        | Operation::Negate(..)
        | Operation::Narrow(..)
        | Operation::Convert(..) => true,
        _ => false,
    }
}
