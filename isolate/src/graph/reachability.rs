//! Reachability within the graphs of contexts and between contexts.

use super::context::MethodContext;
use super::flow::{Flow, Step};
use super::ids::ContextId;
use fixedbitset::FixedBitSet;

/// For each node its successors or its predecessors.
pub(crate) type Edges = Vec<Vec<usize>>;

/// Returns the nodes that control can reach.
pub(crate) fn reachable(flow: &Flow) -> FixedBitSet {
    reachable_from(flow.nodes.len(), [0].into_iter().take(flow.nodes.len()), |node| &flow.nodes[node].next)
}

/// Returns the nodes `from`, of `nodes` nodes, and all nodes reachable from them. Linear in the edges.
pub(crate) fn reachable_from<'n>(
    nodes: usize,
    from: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> &'n [usize],
) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(nodes);
    let mut open: Vec<usize> = from.into_iter().collect();
    while let Some(node) = open.pop() {
        if !found.put(node) {
            open.extend(next(node).iter().copied().filter(|next| !found.contains(*next)));
        }
    }
    found
}

/// Returns for each node its predecessors among the reached nodes.
pub(crate) fn predecessors(flow: &Flow, reached: &FixedBitSet) -> Edges {
    let mut predecessors = vec![Vec::new(); flow.nodes.len()];
    for node in reached.ones() {
        flow.nodes[node].next.iter().for_each(|next| predecessors[*next].push(node));
    }
    predecessors
}

/// Returns the reachable steps of a context.
pub(crate) fn steps(context: &MethodContext) -> impl Iterator<Item = Step> {
    let nodes: Vec<usize> = reachable(&context.flow).ones().collect();
    nodes.into_iter().map(|node| context.flow.nodes[node].step)
}

/// Returns the contexts with their ids.
pub(crate) fn numbered(contexts: &[MethodContext]) -> impl Iterator<Item = (ContextId, &MethodContext)> {
    (0..).map(ContextId).zip(contexts)
}

/// Returns for each context whether it has a step accepted by `does`, directly or through the contexts returned by
/// `leads_to`. Linear in the edges.
pub(crate) fn contexts_with(
    contexts: &[MethodContext],
    does: impl Fn(Step) -> bool,
    leads_to: impl Fn(Step) -> Option<ContextId>,
) -> Vec<bool> {
    let mut found = vec![false; contexts.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); contexts.len()];
    for (index, context) in contexts.iter().enumerate() {
        for step in steps(context) {
            found[index] |= does(step);
            if let Some(callee) = leads_to(step) {
                callers[callee.index()].push(index);
            }
        }
    }
    let mut open: Vec<usize> = (0..contexts.len()).filter(|index| found[*index]).collect();
    while let Some(index) = open.pop() {
        for caller in std::mem::take(&mut callers[index]) {
            if !std::mem::replace(&mut found[caller], true) {
                open.push(caller);
            }
        }
    }
    found
}

/// Whether a step is an access or a wait. A context that only locks is omitted from a model, which adds interleavings.
pub(crate) fn accesses(step: Step) -> bool {
    match step {
        Step::Read(_) | Step::Write(_) | Step::Wait(_) => true,
        Step::Skip | Step::Local | Step::Acquire(..) | Step::Release(..) | Step::ReleaseForCaller(..) => false,
        Step::Call(..) | Step::Inline(_) | Step::Start(_) | Step::Join | Step::Cut => false,
        Step::Return(_) | Step::ReturnWith(..) => false,
    }
}
