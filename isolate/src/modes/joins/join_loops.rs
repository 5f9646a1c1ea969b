//! Loops that join all threads of a group.
//!
//! Such a loop iterates over an array from index 0 to its length, or over a list by an iterator; each iteration joins
//! the current element, and the loop ends only after the last one. The iterator is made right before the loop, so it
//! shows all elements, and the loop starts no threads. So after the loop all threads of the group have ended.

use super::definitions::Definitions;
use super::thread_handles::{Joined, ThreadHandles};
use crate::exec::context::Point;
use java::ir::{BlockId, Edge, End, LoopId, Loops, Operation, Statement, StatementId, Variable};
use java::{Comparison, Condition};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the exit edges of such loops, with the groups.
pub(super) fn joining(
    handles: &ThreadHandles<'_>,
    starting: &BTreeSet<Point>,
) -> BTreeMap<(BlockId, BlockId), Variable> {
    let mut found = BTreeMap::new();
    let Some(loops) = &handles.definitions.loops else { return found };
    let starts = |id: LoopId| starting.iter().any(|point| loops.contains(id, point.block));
    for id in loops.all().filter(|id| !starts(*id)) {
        if let Some((edge, group)) = join_loop(handles, loops, id) {
            found.insert(edge, group);
        }
    }
    found
}

/// Returns the exit edge of a loop and the group, if the loop joins all threads of a group.
fn join_loop(handles: &ThreadHandles<'_>, loops: &Loops, id: LoopId) -> Option<((BlockId, BlockId), Variable)> {
    let [head] = loops.heads(id) else { return None };
    let definitions = &handles.definitions;
    let body = definitions.body;
    let is_inside = |edge: &Edge| loops.contains(id, edge.target);
    let ends_elsewhere = |block: BlockId| block != *head && !body.block(block).end.edges().into_iter().all(is_inside);
    if loops.members(id).iter().any(|block| ends_elsewhere(*block)) {
        return None;
    }
    let End::Branch { condition, values, holds, fails } = &body.block(*head).end else { return None };
    let (exit, stays) = match (is_inside(holds), is_inside(fails)) {
        (true, false) => (fails.target, *condition),
        (false, true) => (holds.target, negated(*condition)?),
        _ => return None,
    };
    let group = by_index(definitions, id, stays, values).or_else(|| by_iterator(definitions, *head, stays, values))?;
    let latches = loops
        .members(id)
        .iter()
        .filter(|block| body.block(**block).end.edges().into_iter().any(|edge| edge.target == *head));
    let latches: Vec<BlockId> = latches.copied().collect();
    // An exception before the end of the join must not lead back into the loop.
    let joins = |block: BlockId| {
        let statements = &body.block(block).statements;
        let joins = |index: u32| joins_element(handles, StatementId { block, index }, (group, values));
        let is_left = |statement: &Statement| statement.handlers.iter().all(|handler| !is_inside(&handler.edge));
        let safe = (0..).zip(&**statements).take_while(|(_, statement)| is_left(statement));
        safe.into_iter().any(|(index, _)| joins(index))
    };
    let is_on_all_paths = |block: &&BlockId| latches.iter().all(|latch| handles.dominators.dominates(**block, *latch));
    let joined = loops.members(id).iter().filter(is_on_all_paths).any(|block| joins(*block));
    joined.then_some(((*head, exit), group))
}

/// Returns the negation of a condition, if there is one.
fn negated(condition: Condition) -> Option<Condition> {
    let negated = |comparison| match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
    };
    match condition {
        Condition::Zero(comparison) => Some(Condition::Zero(negated(comparison))),
        Condition::Ints(comparison) => Some(Condition::Ints(negated(comparison))),
        Condition::Same | Condition::Different | Condition::Null | Condition::NotNull => None,
    }
}

/// Returns the array that a loop iterates over, if the loop continues as long as an index that increases from 0 is
/// below its length.
fn by_index(definitions: &Definitions<'_>, id: LoopId, stays: Condition, values: &[Variable]) -> Option<Variable> {
    let (index, length) = match (stays, values) {
        (Condition::Ints(Comparison::Less | Comparison::NotEqual), [index, length]) => (*index, *length),
        (Condition::Ints(Comparison::Greater), [length, index]) => (*index, *length),
        _ => return None,
    };
    let first = definitions.induction_start(id, index)?;
    let Operation::ArrayLength(array) = definitions.definition(length)?.1 else { return None };
    (definitions.constant(first) == Some(0)).then(|| definitions.origin(*array))
}

/// Returns the list that a loop iterates over, if the loop continues as long as an iterator has more elements, which is
/// made right before the loop.
fn by_iterator(
    definitions: &Definitions<'_>,
    head: BlockId,
    stays: Condition,
    values: &[Variable],
) -> Option<Variable> {
    let (Condition::Zero(Comparison::NotEqual), [more]) = (stays, values) else { return None };
    let ("hasNext", arguments) = definitions.called(definitions.definition(*more)?.1)? else { return None };
    let (made, _) = definitions.definition(definitions.origin(arguments[0]))?;
    let before = definitions.body.block(made.block);
    let is_call = |statement: &Statement| matches!(statement.operation, Operation::Invoke { .. });
    let is_right_before = matches!(&before.end, End::Goto(edge) if edge.target == head)
        && !before.statements.iter().skip(made.index as usize + 1).any(is_call);
    definitions.iterated(arguments[0]).filter(|_| is_right_before)
}

/// Whether a statement joins the element of a group in the current iteration of a loop.
fn joins_element(handles: &ThreadHandles<'_>, id: StatementId, (group, values): (Variable, &[Variable])) -> bool {
    let definitions = &handles.definitions;
    let is_element = |variable: Variable| match definitions.definition(variable).map(|it| it.1) {
        Some(Operation::LoadElement { array, index, .. }) => {
            definitions.origin(*array) == group && values.contains(index)
        }
        Some(operation) => match definitions.called(operation) {
            Some(("next", arguments)) => definitions.iterated(arguments[0]) == Some(group),
            _ => false,
        },
        None => false,
    };
    handles.joined(id).iter().any(|joined| matches!(joined, Joined::One(variable) if is_element(*variable)))
}
