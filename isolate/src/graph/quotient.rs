//! The bisimulation quotient of graphs.
//!
//! A context has a node for each abstract state, and many states differ by values without influence on the subject.
//! *Definition.* The *visible successors* of a node are the nodes other than skips that control can reach from it
//! through skips only. Bisimilarity is the greatest relation of nodes other than skips such that related nodes have the
//! same step and line, the same locks if no exit is reachable from them
//! ([`locks_without_exit`](super::locks_without_exit)), and each visible successor of the one is related to a visible
//! successor of the other. It is computed as a partition that is refined until it is stable (P. Kanellakis, S. Smolka:
//! CCS expressions, finite state processes, and three problems of equivalence, 1990).
//!
//! *Correctness.* Each path through the graph is a path through the graph of the classes, with the same steps and lines
//! except skips. Conversely, each path through the classes has a path through the graph from any member of the first
//! class, since a member of each next class can be chosen. So both have the same visible executions. The same locks are
//! held at all members of a class, so the graph stays nested.
//!
//! A call of a variant without visible steps is a skip, too; a call whose callee cannot reach its exit is a skip
//! without successors.

use super::context::MethodContext;
use super::exits::Exits;
use super::flow::{Flow, FlowNode, Step};
use super::locks_without_exit::locks_without_exit;
use super::reachability::reachable;
use super::stuck::Stuck;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximal number of edges to visible successors; larger graphs are not reduced.
const MAX_EDGES: usize = 1_000_000;

/// Maximal work for one partition, in edges; graphs that need more are not reduced.
const MAX_WORK: usize = 50_000_000;

/// Replaces all graphs by their quotients.
///
/// # Errors
/// If it is cancelled.
pub(super) fn quotients(contexts: &mut [MethodContext], is_cancelled: &dyn Fn() -> bool) -> Result<(), Stuck> {
    skip_calls(contexts);
    for index in 0..contexts.len() {
        let held = locks_without_exit(contexts, &contexts[index].flow);
        if let Some(smaller) = quotient(&contexts[index].flow, &held, is_cancelled)? {
            contexts[index].flow = smaller;
        }
    }
    Ok(())
}

/// Replaces calls without visible steps, and steps without an effect in a model, by skips.
fn skip_calls(contexts: &mut [MethodContext]) {
    let exits = Exits::new(contexts);
    let does = |step| !matches!(step, Step::Skip | Step::Local | Step::Return(_)) && step.called().is_none();
    let doing = exits.all_variants_with(contexts, |_, step| does(step));
    for node in contexts.iter_mut().flat_map(|context| &mut context.flow.nodes) {
        match node.step {
            Step::Local => node.step = Step::Skip,
            Step::Call(callee, exit) => match exits.variant_of(callee, exit) {
                Some(called) if doing.contains(&called) => {}
                Some(_) => node.step = Step::Skip,
                None => (node.step, node.next) = (Step::Skip, Vec::new()),
            },
            _ => {}
        }
    }
}

/// Interned sets of visible nodes, sorted.
#[derive(Default)]
struct NodeSets {
    sets: Vec<Vec<usize>>,
    known: FxHashMap<Vec<usize>, usize>,
    edges: usize,
}

impl NodeSets {
    /// Returns the number of a set.
    fn number(&mut self, mut set: Vec<usize>) -> usize {
        set.sort_unstable();
        set.dedup();
        if let Some(known) = self.known.get(&set) {
            return *known;
        }
        self.edges += set.len();
        self.sets.push(set.clone());
        self.known.insert(set, self.sets.len() - 1);
        self.sets.len() - 1
    }
}

/// The visible nodes of a graph with their visible successors.
struct VisibleSuccessors {
    /// The nodes, in order.
    visible: Vec<usize>,
    /// The set of visible successors of each of them.
    of: Vec<usize>,
    /// Sets of places in `visible`.
    sets: NodeSets,
}

/// Returns the graph of the classes; `None` if that would take too long.
fn quotient(flow: &Flow, held: &[usize], is_cancelled: &dyn Fn() -> bool) -> Result<Option<Flow>, Stuck> {
    let Some(successors) = successors(&flow.nodes, &reachable(flow).ones().collect::<Vec<_>>()) else {
        return Ok(None);
    };
    let class = classes(&flow.nodes, held, &successors, is_cancelled)?;
    Ok(class.map(|class| quotient_graph(&flow.nodes, &successors, &class)))
}

/// Computes the visible successors; `None` if there are too many edges.
fn successors(nodes: &[FlowNode], reached: &[usize]) -> Option<VisibleSuccessors> {
    // Control enters at the first node, so it counts as visible even if it skips.
    let is_visible = |node: usize| node == 0 || nodes[node].step != Step::Skip;
    let (visible, skips): (Vec<usize>, Vec<usize>) = reached.iter().copied().partition(|node| is_visible(*node));
    let place: FxHashMap<usize, usize> = visible.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    let mut sets = NodeSets::default();
    let mut of_skip: FxHashMap<usize, usize> = FxHashMap::default();
    let set_of = |members: &[usize], sets: &mut NodeSets, of_skip: &FxHashMap<usize, usize>| {
        let mut set = Vec::new();
        for next in members.iter().flat_map(|node| &nodes[*node].next) {
            match (place.get(next), of_skip.get(next)) {
                (Some(place), _) => set.push(*place),
                (None, Some(known)) => set.extend(&sets.sets[*known]),
                // It belongs to the component itself.
                (None, None) => {}
            }
        }
        sets.number(set)
    };
    for component in components(nodes, &skips) {
        let number = set_of(&component, &mut sets, &of_skip);
        of_skip.extend(component.into_iter().map(|node| (node, number)));
        if sets.edges > MAX_EDGES {
            return None;
        }
    }
    let mut of = Vec::new();
    for node in &visible {
        of.push(set_of(&[*node], &mut sets, &of_skip));
        if sets.edges > MAX_EDGES {
            return None;
        }
    }
    Some(VisibleSuccessors { visible, of, sets })
}

/// Returns the strongly connected components of these nodes, each after its successors.
fn components(nodes: &[FlowNode], among: &[usize]) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<usize, ()>::with_capacity(among.len(), 0);
    let places: FxHashMap<usize, NodeIndex> = among.iter().map(|node| (*node, graph.add_node(*node))).collect();
    for node in among {
        for next in nodes[*node].next.iter().filter_map(|next| places.get(next)) {
            graph.add_edge(places[node], *next, ());
        }
    }
    let components = kosaraju_scc(&graph).into_iter();
    components.map(|component| component.into_iter().map(|place| graph[place]).collect()).collect()
}

/// Returns for each visible node the number of its class; `None` if that takes too long.
fn classes(
    nodes: &[FlowNode],
    held: &[usize],
    successors: &VisibleSuccessors,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Option<Vec<usize>>, Stuck> {
    let mut known = FxHashMap::default();
    let first = successors.visible.iter().map(|node| {
        let FlowNode { step, line, .. } = nodes[*node];
        let new = known.len();
        *known.entry((step, line, *node == 0, held[*node])).or_insert(new)
    });
    let mut class: Vec<usize> = first.collect();
    let mut count = known.len();
    let mut work = 0;
    loop {
        work += successors.sets.edges + successors.visible.len();
        if work > MAX_WORK {
            return Ok(None);
        }
        if is_cancelled() {
            return Err(Stuck::Cancelled);
        }
        let (finer, new) = refine(successors, &class);
        if new == count {
            return Ok(Some(finer));
        }
        (class, count) = (finer, new);
    }
}

/// Refines the classes by the classes of visible successors; returns the new classes and their number.
fn refine(successors: &VisibleSuccessors, class: &[usize]) -> (Vec<usize>, usize) {
    let mut coarse = NodeSets::default();
    let of_set: Vec<usize> =
        successors.sets.sets.iter().map(|set| coarse.number(set.iter().map(|place| class[*place]).collect())).collect();
    let mut known = FxHashMap::default();
    let refine = class.iter().zip(&successors.of).map(|(class, set)| {
        let new = known.len();
        *known.entry((*class, of_set[*set])).or_insert(new)
    });
    (refine.collect(), known.len())
}

/// Builds the graph of the classes, each with the step of its first member. Successors shared by many classes follow a
/// common skip.
fn quotient_graph(nodes: &[FlowNode], successors: &VisibleSuccessors, class: &[usize]) -> Flow {
    let mut flow = Flow::default();
    let mut first: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (place, node) in successors.visible.iter().enumerate() {
        first.entry(class[place]).or_insert_with(|| (place, flow.add(nodes[*node].step, nodes[*node].line)));
    }
    let targets = |place: usize| {
        let set = &successors.sets.sets[successors.of[place]];
        let mut targets: Vec<usize> = set.iter().map(|next| first[&class[*next]].1).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    };
    let members: Vec<(usize, Vec<usize>)> = first.values().map(|(member, place)| (*place, targets(*member))).collect();
    let mut users: FxHashMap<&[usize], usize> = FxHashMap::default();
    members.iter().for_each(|(_, targets)| *users.entry(targets).or_default() += 1);
    let mut choices: FxHashMap<&[usize], usize> = FxHashMap::default();
    for (place, targets) in &members {
        let users = users[&targets[..]];
        if users * targets.len() <= users + targets.len() {
            flow.nodes[*place].next.clone_from(targets);
            continue;
        }
        let choice = *choices.entry(targets).or_insert_with(|| {
            let choice = flow.add(Step::Skip, flow.nodes[*place].line);
            flow.nodes[choice].next.clone_from(targets);
            choice
        });
        flow.connect(*place, choice);
    }
    flow
}

#[cfg(test)]
mod tests;
