//! Loops that join all threads of a group.
//!
//! Such a loop goes through an array from index 0 to its length, or through a list by an iterator; it joins what it
//! finds in each round, and ends only where there is nothing more. Then all threads of the group have ended where it
//! goes on.

use super::Joined;
use super::handles::Handles;
use java::ir::{
    BlockId, Body, Definition, Dominators, Edge, End, LoopId, Loops, Operation, Statement, StatementId, Variable,
};
use java::{Comparison, Condition, Operator};
use std::collections::BTreeMap;

/// The edges by which such loops end, with the groups.
pub(super) fn joining(handles: &Handles<'_>, body: &Body) -> BTreeMap<(BlockId, BlockId), Variable> {
    let mut found = BTreeMap::new();
    let Some(loops) = &handles.loops else { return found };
    let dominators = Dominators::new(body);
    for id in loops.all() {
        if let Some((edge, group)) = one(handles, (loops, &dominators), id) {
            found.insert(edge, group);
        }
    }
    found
}

/// By which edge a loop ends, if it joins all of a group.
fn one(
    handles: &Handles<'_>,
    (loops, dominators): (&Loops, &Dominators),
    id: LoopId,
) -> Option<((BlockId, BlockId), Variable)> {
    let [head] = loops.heads(id) else { return None };
    let body = handles.body;
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
    let group = by_index(handles, id, stays, values).or_else(|| by_iterator(handles, stays, values))?;
    let latches = loops
        .members(id)
        .iter()
        .filter(|block| body.block(**block).end.edges().into_iter().any(|edge| edge.target == *head));
    let latches: Vec<BlockId> = latches.copied().collect();
    // What is thrown before the join has ended must not lead back into the loop.
    let joins = |block: BlockId| {
        let statements = &body.block(block).statements;
        let joins = |index: u32| joins_element(handles, StatementId { block, index }, (group, values));
        let is_left = |statement: &Statement| statement.handlers.iter().all(|handler| !is_inside(&handler.edge));
        let safe = (0..).zip(&**statements).take_while(|(_, statement)| is_left(statement));
        safe.into_iter().any(|(index, _)| joins(index))
    };
    let is_on_all_paths = |block: &&BlockId| latches.iter().all(|latch| dominators.dominates(**block, *latch));
    let joined = loops.members(id).iter().filter(is_on_all_paths).any(|block| joins(*block));
    joined.then_some(((*head, exit), group))
}

/// The condition that holds if another one does not; none if there is no such one.
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

/// The array that is gone through, if control stays in a loop as long as an index that grows from 0 is below its
/// length.
fn by_index(handles: &Handles<'_>, id: LoopId, stays: Condition, values: &[Variable]) -> Option<Variable> {
    let (index, length) = match (stays, values) {
        (Condition::Ints(Comparison::Less | Comparison::NotEqual), [index, length]) => (*index, *length),
        (Condition::Ints(Comparison::Greater), [length, index]) => (*index, *length),
        _ => return None,
    };
    let first = grows(handles, id, index)?;
    let Operation::ArrayLength(array) = handles.definition(length)?.1 else { return None };
    (handles.constant(first) == Some(0)).then(|| handles.origin(*array))
}

/// The list that is gone through, if control stays in a loop as long as an iterator has more.
fn by_iterator(handles: &Handles<'_>, stays: Condition, values: &[Variable]) -> Option<Variable> {
    let (Condition::Zero(Comparison::NotEqual), [more]) = (stays, values) else { return None };
    match handles.called(handles.definition(*more)?.1)? {
        ("hasNext", arguments) => handles.iterated(arguments[0]),
        _ => None,
    }
}

/// Whether a statement joins the element of a group that a loop looks at in a round.
fn joins_element(handles: &Handles<'_>, id: StatementId, (group, values): (Variable, &[Variable])) -> bool {
    let is_element = |variable: Variable| match handles.definition(variable).map(|it| it.1) {
        Some(Operation::LoadElement { array, index, .. }) => handles.origin(*array) == group && values.contains(index),
        Some(operation) => match handles.called(operation) {
            Some(("next", arguments)) => handles.iterated(arguments[0]) == Some(group),
            _ => false,
        },
        None => false,
    };
    handles.joined(id).iter().any(|joined| matches!(joined, Joined::One(variable) if is_element(*variable)))
}

/// The first value of a variable that a loop adds 1 to in each round.
pub(super) fn grows(handles: &Handles<'_>, id: LoopId, index: Variable) -> Option<Variable> {
    let loops = handles.loops.as_ref()?;
    let Definition::Joined(block, place) = handles.body.variable(index).definition else { return None };
    if loops.heads(id) != [block] {
        return None;
    }
    let mut first = None;
    for (from, of) in handles.body.blocks() {
        let thrown = of.handlers.iter().chain(of.statements.iter().flat_map(|statement| &*statement.handlers));
        let edges = of.end.edges().into_iter().chain(thrown.map(|handler| &handler.edge));
        for edge in edges.filter(|edge| edge.target == block) {
            let given = *edge.arguments.get(place as usize)?;
            match loops.contains(id, from) {
                true if is_one_more(handles, given, index) => {}
                false if first.is_none_or(|known| known == given) => first = Some(given),
                true | false => return None,
            }
        }
    }
    first
}

fn is_one_more(handles: &Handles<'_>, given: Variable, index: Variable) -> bool {
    match handles.definition(given).map(|it| it.1) {
        Some(Operation::Binary(Operator::Add, _, [one, other])) => {
            (*one == index && handles.constant(*other) == Some(1))
                || (*other == index && handles.constant(*one) == Some(1))
        }
        _ => false,
    }
}
