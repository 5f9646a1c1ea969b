//! Reads before a change that repeats the test.
//!
//! **Definition.** A *conditional change* is a compare-and-set of an atomic, or `putIfAbsent` or `computeIfAbsent` of a
//! concurrent map. Control *repeats a read in a conditional change* after a branch if each path from there, before it
//! ends, makes such a change of the object that was read, for a map under the same key.
//!
//! **Rule** [`Retests`](crate::Rule::Retests). A read of an atomic or of a concurrent map whose value is used only for
//! a branch is no access on the side of the branch that repeats the read in a conditional change:
//! `if (map.get(k) == null) map.putIfAbsent(k, v);`.
//!
//! *Why it suffices.* The change itself finds out whether it may happen. The unit is as one that tries to change at
//! once.

use super::context::{Point, Steps};
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::retests::is_dead_on;
use crate::Rule;
use crate::graph::Step;
use crate::value::Lock;
use java::ir::{BlockId, Edge, End, Operation, Variable};
use java::library::{Action, Guard};
use rustc_hash::FxHashSet;

impl Interpreter<'_> {
    /// The branch before the read that an edge repeats in a conditional change.
    pub(super) fn before_conditional_change(
        &self,
        execution: &Execution,
        at: Position<'_>,
        edge: &Edge,
    ) -> Option<Option<usize>> {
        if !self.heap.modality.omits(Rule::Retests) {
            return None;
        }
        let (read_at, before) = read_in_one_step(execution, at)?;
        let statement = at.code.body.block(read_at.block).statements.get(read_at.index as usize)?;
        let Operation::Invoke { member, arguments, .. } = &statement.operation else { return None };
        let row = self.heap.row_of_member(*member)?;
        let only_reads = !row.writes_state() && !row.runs_functions();
        let is_repeated = only_reads
            && is_dead_on(at, edge, statement.to?)
            && self.leads_to_change(at, edge.target, arguments, &mut FxHashSet::default());
        is_repeated.then_some(before)
    }

    /// Whether each path from a block makes a conditional change of the first of these arguments, under the second one
    /// as the key.
    fn leads_to_change(
        &self,
        at: Position<'_>,
        block: BlockId,
        read: &[Variable],
        known: &mut FxHashSet<BlockId>,
    ) -> bool {
        if !known.insert(block) {
            return true;
        }
        let of = at.code.body.block(block);
        if of.statements.iter().any(|statement| self.changes_if_unchanged(at, &statement.operation, read)) {
            return true;
        }
        match &of.end {
            End::Goto(edge) => self.leads_to_change(at, edge.target, read, known),
            End::Branch { holds, fails, .. } => {
                [holds, fails].into_iter().all(|edge| self.leads_to_change(at, edge.target, read, known))
            }
            End::Switch { .. } | End::Return(_) | End::Throw(_) => false,
        }
    }

    fn changes_if_unchanged(&self, at: Position<'_>, operation: &Operation, read: &[Variable]) -> bool {
        let Operation::Invoke { member, arguments, .. } = operation else { return false };
        let terms = &at.code.terms;
        let is_same = |place: usize| match (read.get(place), arguments.get(place)) {
            (Some(one), Some(other)) => one == other || terms.of(*one) == terms.of(*other),
            _ => false,
        };
        let Some(row) = self.heap.row_of_member(*member).filter(|_| is_same(0)) else { return false };
        let compares = row.actions.iter().any(|action| matches!(action, Action::ComparesAndSets(_)));
        let adds = self.heap.adds_if_absent(*member) && row.guard() == Guard::Operations && is_same(1);
        compares || adds
    }
}

/// The point of a read in one step that ends before a branch, with the branch before it.
fn read_in_one_step(execution: &Execution, at: Position<'_>) -> Option<(Point, Option<usize>)> {
    let branch = |number: usize| &execution.tree[number];
    let last = at.after?;
    let point = branch(last).at;
    let step = |number: usize| match &branch(number).steps {
        Some(Steps::One(step)) if branch(number).at == point => Some(*step),
        _ => None,
    };
    let Step::Release(lock @ Lock::Operations(_), _) = step(last)? else { return None };
    let read = branch(last).after?;
    let Step::Read(_) = step(read)? else { return None };
    let begin = branch(read).after?;
    let Step::Acquire(begun, _) = step(begin)? else { return None };
    (begun == lock && point.block == at.point.block).then(|| (point, branch(begin).after))
}
