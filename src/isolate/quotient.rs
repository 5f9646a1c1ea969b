//! Smaller graphs: nodes are one if nobody can tell them apart.
//!
//! A clone has a node for each state, and states differ by values that matter to the object only now and then. *Definition.* A node *leads to* the nodes that are
//! no skips and to which control can get from it through skips only. Two nodes that are no skips are *bisimilar* if their steps and lines are the same, and each
//! of the nodes to which the one leads is bisimilar to one to which the other leads; of all such relations the greatest. It is found as a partition that is refined until it is
//! stable.
//!
//! *Why it is enough.* Each path through the graph is one through the graph of the classes, with the same steps and lines but for skips; and for each path through
//! the classes there is one through the graph from any member of the first class, since a member of each next class can be chosen. So the executions are the same,
//! as far as anybody sees.
//!
//! A call of a clone that does nothing by the exit by which control comes out of it is a skip, too.

use super::clone_graph::spread;
use super::exits::Exits;
use super::flow::{CloneId, Flow, FlowNode, Step};
use super::follow::{MethodClone, Stuck};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// So many edges of nodes to those to which they lead are looked at; what has more stays as it is.
const MOST_EDGES: usize = 1_000_000;

/// So much is done to refine one partition, in edges; what takes more stays as it is.
const MOST_WORK: usize = 50_000_000;

/// Makes all graphs smaller.
pub(super) fn reduce(clones: &mut [MethodClone], is_cancelled: &dyn Fn() -> bool) -> Result<(), Stuck> {
    clones.iter_mut().for_each(|clone| clone.flow.drop_left_out());
    let exits = Exits::new(clones);
    let all = (0..).map(CloneId).take(clones.len());
    let doing =
        exits.doing(clones, all, |step| !matches!(step, Step::Skip | Step::Return(_)) && step.called().is_none());
    for clone in clones {
        if is_cancelled() {
            return Err(Stuck::Cancelled);
        }
        for node in &mut clone.flow.nodes {
            if let Step::Call(callee, exit) = node.step {
                match exits.called(callee, exit) {
                    Some(called) if doing.contains(&called) => {}
                    Some(_) => node.step = Step::Skip,
                    None => (node.step, node.next) = (Step::Skip, Vec::new()),
                }
            }
        }
        clone.flow = quotient(&clone.flow).unwrap_or_else(|| clone.flow.clone());
    }
    Ok(())
}

/// Where nodes lead: sets of nodes that are no skips, sorted.
#[derive(Default)]
struct Sets {
    sets: Vec<Vec<usize>>,
    known: FxHashMap<Vec<usize>, usize>,
    edges: usize,
}

impl Sets {
    /// The number of a set.
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

/// The graph of the classes; none if that would take too much.
fn quotient(flow: &Flow) -> Option<Flow> {
    let nodes = &flow.nodes;
    let reached: Vec<usize> = spread([0], |node| &nodes[node].next).into_iter().collect();
    // Control enters at the first node, so it is one even if it does nothing.
    let is_seen = |node: usize| node == 0 || nodes[node].step != Step::Skip;
    let (sets, leads) = leads(nodes, &reached, is_seen)?;
    let seen: Vec<usize> = reached.into_iter().filter(|node| is_seen(*node)).collect();
    let class = classes(nodes, &seen, &sets, &leads)?;
    Some(joined(nodes, &seen, &sets, &leads, &class))
}

/// The sets, and for each of the nodes the number of the one to which it leads.
fn leads(
    nodes: &[FlowNode],
    reached: &[usize],
    is_seen: impl Fn(usize) -> bool,
) -> Option<(Sets, BTreeMap<usize, usize>)> {
    let mut graph = DiGraph::<usize, ()>::with_capacity(reached.len(), 0);
    let places: BTreeMap<usize, NodeIndex> = reached.iter().map(|node| (*node, graph.add_node(*node))).collect();
    for node in reached.iter().filter(|node| !is_seen(**node)) {
        for next in nodes[*node].next.iter().filter(|next| !is_seen(**next)) {
            graph.add_edge(places[node], places[next], ());
        }
    }
    let mut sets = Sets::default();
    let mut leads: BTreeMap<usize, usize> = BTreeMap::new();
    // What a component leads to comes before it; what is seen has no edges here and is looked at last.
    let (skips, seen): (Vec<_>, Vec<_>) =
        kosaraju_scc(&graph).into_iter().partition(|component| !is_seen(graph[component[0]]));
    for component in skips.into_iter().chain(seen) {
        let mut set = Vec::new();
        for next in component.iter().flat_map(|place| &nodes[graph[*place]].next) {
            match leads.get(next) {
                _ if is_seen(*next) => set.push(*next),
                Some(known) => set.extend(&sets.sets[*known]),
                // It is of the component itself.
                None => {}
            }
        }
        let number = sets.number(set);
        leads.extend(component.iter().map(|place| (graph[*place], number)));
        if sets.edges > MOST_EDGES {
            return None;
        }
    }
    Some((sets, leads))
}

/// For each node that is seen the number of its class.
fn classes(
    nodes: &[FlowNode],
    seen: &[usize],
    sets: &Sets,
    leads: &BTreeMap<usize, usize>,
) -> Option<FxHashMap<usize, usize>> {
    let mut known = FxHashMap::default();
    let mut class: FxHashMap<usize, usize> = FxHashMap::default();
    for node in seen {
        let FlowNode { step, line, .. } = nodes[*node];
        let new = known.len();
        class.insert(*node, *known.entry((step, line, *node == 0)).or_insert(new));
    }
    let mut count = known.len();
    let mut work = 0;
    loop {
        work += sets.edges + seen.len();
        if work > MOST_WORK {
            return None;
        }
        let mut coarse = Sets::default();
        let of_set: Vec<usize> =
            sets.sets.iter().map(|set| coarse.number(set.iter().map(|node| class[node]).collect())).collect();
        let mut known = FxHashMap::default();
        let mut refined = FxHashMap::default();
        for node in seen {
            let new = known.len();
            refined.insert(*node, *known.entry((class[node], of_set[leads[node]])).or_insert(new));
        }
        class = refined;
        if known.len() == count {
            return Some(class);
        }
        count = known.len();
    }
}

/// The graph of the classes, each as its first member. What many classes lead to stands behind a skip of its own.
fn joined(
    nodes: &[FlowNode],
    seen: &[usize],
    sets: &Sets,
    leads: &BTreeMap<usize, usize>,
    class: &FxHashMap<usize, usize>,
) -> Flow {
    let mut flow = Flow::default();
    let mut first: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for node in seen {
        first.entry(class[node]).or_insert_with(|| (*node, flow.add(nodes[*node].step, nodes[*node].line)));
    }
    let targets = |node: usize| {
        let mut targets: Vec<usize> = sets.sets[leads[&node]].iter().map(|next| first[&class[next]].1).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    };
    let members: Vec<(usize, Vec<usize>)> = first.values().map(|(node, place)| (*place, targets(*node))).collect();
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
