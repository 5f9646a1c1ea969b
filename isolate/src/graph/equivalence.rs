//! Equivalent entries: entries with the same effect on the subject, of which only one is queried.
//!
//! Equivalence of contexts is the greatest relation such that the graphs of related contexts are equal, node by node,
//! except for lines, and their callees are related. It is computed as a partition that is refined until it is stable,
//! from a single class of all contexts. Equivalent contexts have the same executions up to names. So replacing one by
//! the other changes no answer, and a thread that chooses among equivalent entries needs only one of them.

use super::context::{LockEffect, MethodContext};
use super::flow::{Exit, InlinedCall, Step};
use super::ids::ContextId;
use super::reachability::{numbered, reachable};
use super::stuck::Stuck;
use rustc_hash::FxHashMap;

/// A node for comparison: its step, whether its call is a unit of work, and its successors.
type NodeKey = (Step, bool, Vec<usize>);

/// A context for comparison: its graph, its lock effects, and whether it is special.
type GraphKey<'c> = (Vec<NodeKey>, &'c [LockEffect], bool);

/// Returns the class of each context as an entry, by its first member; the exits of an entry do not matter.
/// `is_special` distinguishes further nodes, and contexts (without a node).
///
/// # Errors
/// If it is cancelled.
pub(super) fn equivalence_classes(
    contexts: &[MethodContext],
    is_special: impl Fn(ContextId, Option<usize>) -> bool,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<ContextId>, Stuck> {
    let graphs: Vec<GraphKey<'_>> = numbered(contexts).map(|(id, context)| graph(id, context, &is_special)).collect();
    let mut classes = vec![ContextId(0); contexts.len()];
    let mut count = 1;
    loop {
        if is_cancelled() {
            return Err(Stuck::Cancelled);
        }
        let (finer, new) = refine(&graphs, |step| in_class(step, &classes));
        if new <= count {
            return Ok(refine(&graphs, |step| without_exit(in_class(step, &classes))).0);
        }
        (classes, count) = (finer, new);
    }
}

/// Returns the classes of graphs that are equal after replacing their steps, each class by its first member, and the
/// number of classes.
fn refine<'c>(graphs: &[GraphKey<'c>], replace: impl Fn(Step) -> Step) -> (Vec<ContextId>, usize) {
    let mut known: FxHashMap<GraphKey<'c>, ContextId> = FxHashMap::default();
    let class = |(index, (nodes, effects, flag)): (usize, &GraphKey<'c>)| {
        let nodes = nodes.iter().map(|(step, flag, next)| (replace(*step), *flag, next.clone()));
        let first = ContextId(u32::try_from(index).expect("contexts have numbers"));
        *known.entry((nodes.collect(), *effects, *flag)).or_insert(first)
    };
    let classes = graphs.iter().enumerate().map(class).collect();
    (classes, known.len())
}

/// Replaces the exit of a step by any exit.
fn without_exit(step: Step) -> Step {
    match step {
        Step::Return(_) => Step::Return(Exit::Any),
        Step::ReturnWith(effect, _) => Step::ReturnWith(effect, Exit::Any),
        step => step,
    }
}

/// Replaces the callee of a step by its class.
fn in_class(step: Step, classes: &[ContextId]) -> Step {
    let class = |callee: ContextId| classes[callee.index()];
    match step {
        Step::Call(callee, exit) => Step::Call(class(callee), exit),
        Step::Start(callee) => Step::Start(class(callee)),
        Step::Inline(inlined) => Step::Inline(InlinedCall { callee: class(inlined.callee), ..inlined }),
        Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::Acquire(..) | Step::Release(..) => step,
        Step::ReleaseForCaller(..) | Step::Wait(_) | Step::Join | Step::Cut => step,
        Step::Return(_) | Step::ReturnWith(..) => step,
    }
}

/// Returns the reachable nodes of a graph, numbered from 0 in their order.
fn graph<'c>(
    id: ContextId,
    context: &'c MethodContext,
    is_special: &impl Fn(ContextId, Option<usize>) -> bool,
) -> GraphKey<'c> {
    let reached: Vec<usize> = reachable(&context.flow).ones().collect();
    let number = |node: &usize| reached.binary_search(node).expect("it is reached");
    let key = |node: &usize| {
        let flow = &context.flow.nodes[*node];
        (flow.step, is_special(id, Some(*node)), flow.next.iter().map(number).collect())
    };
    (reached.iter().map(key).collect(), &context.lock_effects, is_special(id, None))
}

#[cfg(test)]
mod tests;
