//! Entries that do the same to the subject: of all that are equivalent, one is asked about.
//!
//! Two contexts are *equivalent* if their graphs are the same, node by node, but for lines, and what they call is
//! equivalent; of all such relations the greatest. It is found as a partition that is refined until it is stable: at
//! first all contexts are in one class. Contexts that are equivalent have the same executions, but for names. So
//! exchanging one for the other changes no answer, and a thread that chooses among entries that are equivalent may as
//! well choose one of them.

use super::context::{LockEffect, MethodContext};
use super::flow::{Exit, InlinedCall, Step};
use super::ids::ContextId;
use super::reachability::{numbered, reachable};
use super::stuck::Stuck;
use rustc_hash::FxHashMap;

/// A node of a graph as it is compared: its step, whether what it calls is a unit of work, and where control goes.
type NodeKey = (Step, bool, Vec<usize>);

/// A graph as it is compared, the locks that it leaves held, and what else contexts differ by.
type GraphKey<'c> = (Vec<NodeKey>, &'c [LockEffect], bool);

/// The class of each context as an entry, by its first member: by which exit control comes out of it does not matter.
/// `is_special` tells what else nodes and contexts (without a node) differ by.
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

/// The classes of graphs that are the same if their steps are taken for these, each by its first member, and how many
/// there are.
fn refine<'c>(graphs: &[GraphKey<'c>], taken_for: impl Fn(Step) -> Step) -> (Vec<ContextId>, usize) {
    let mut known: FxHashMap<GraphKey<'c>, ContextId> = FxHashMap::default();
    let class = |(index, (nodes, effects, flag)): (usize, &GraphKey<'c>)| {
        let nodes = nodes.iter().map(|(step, flag, next)| (taken_for(*step), *flag, next.clone()));
        let first = ContextId(u32::try_from(index).expect("contexts have numbers"));
        *known.entry((nodes.collect(), *effects, *flag)).or_insert(first)
    };
    let classes = graphs.iter().enumerate().map(class).collect();
    (classes, known.len())
}

/// The step, but for the exit by which control leaves there.
fn without_exit(step: Step) -> Step {
    match step {
        Step::Return(_) => Step::Return(Exit::Any),
        Step::ReturnWith(effect, _) => Step::ReturnWith(effect, Exit::Any),
        step => step,
    }
}

/// The step with the class of what it calls.
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

/// The nodes that control can reach, with numbers from 0 on in their order.
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
