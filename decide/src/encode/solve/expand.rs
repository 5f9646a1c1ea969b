//! From a run of a product back to the nodes of the model.
//!
//! A step of the run goes from one node of the reduced graph to another. The original nodes of a reduced node have the
//! same future. So from each of them, plain steps within the same class lead to an edge that has the label of the step
//! and ends in the class of its target. A shortest such path is searched each time.
//!
//! Calls that are one step of the run, and calls of effect-free functions, are one step of the path. Their steps are
//! computed once for each entry of a function.

use super::trace::{CalleeId, Executed, Trace};
use crate::encode::flow::{Edge, EdgeId, FlowNode, Label};
use crate::encode::reduce::ReducedProcess;
use crate::witness::{CallId, Calls, LocalPath, LocalStep};
use limits::{Meter, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

/// The steps of the process in each phase along a run; `None` if there is no such path, which would be a fault of a
/// reduction.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn expand(
    process: &ReducedProcess,
    trace: &Trace,
    phases: usize,
    meter: &Meter,
) -> Result<Option<LocalPath>, StopReason> {
    let mut expansion = Expansion {
        process,
        callees: &trace.callees,
        meter,
        calls: Calls::default(),
        known: FxHashMap::default(),
        effect_free: FxHashMap::default(),
    };
    let mut walker = Walker::new(process.original().graph().entry());
    let mut path = vec![Vec::new(); phases];
    for step in &trace.steps {
        if expansion.step(&mut walker, step.executed)?.is_none() {
            return Ok(None);
        }
        path[step.phase].append(&mut walker.steps);
    }
    Ok(Some(LocalPath { phases: path, calls: expansion.calls }))
}

/// A node of the original graph, and the steps that led to it.
struct Walker {
    at: FlowNode,
    /// The return sites of the calls that have not returned.
    stack: Vec<FlowNode>,
    steps: Vec<LocalStep>,
}

impl Walker {
    fn new(at: FlowNode) -> Self {
        Self { at, stack: Vec::new(), steps: Vec::new() }
    }
}

/// The result of a search along plain steps.
struct Located<T> {
    /// The nodes of the path, and the edges taken there.
    path: Vec<(FlowNode, Edge)>,
    /// The node that has the result.
    node: FlowNode,
    item: T,
}

/// The number of reached nodes from which on they are looked up in a set.
const FEW: usize = 16;

/// Whether no way leads to a node yet. `seen` has the targets of all ways as soon as there are more than a few.
fn is_new(ways: &[(FlowNode, Edge, usize)], seen: &mut FxHashSet<FlowNode>, node: FlowNode) -> bool {
    if ways.len() < FEW {
        return ways.iter().all(|(_, edge, _)| edge.target != node);
    }
    if seen.is_empty() {
        seen.extend(ways.iter().map(|(_, edge, _)| edge.target));
    }
    seen.insert(node)
}

/// A call whose steps are being computed.
struct PendingCall {
    key: (CalleeId, FlowNode),
    /// The number of steps that are done.
    done: usize,
    walker: Walker,
}

impl PendingCall {
    fn new(callee: CalleeId, entry: FlowNode) -> Self {
        Self { key: (callee, entry), done: 0, walker: Walker::new(entry) }
    }
}

struct Expansion<'a> {
    process: &'a ReducedProcess,
    callees: &'a [Vec<Executed>],
    meter: &'a Meter,
    calls: Calls,
    /// The calls whose steps are known, by their number in the trace and the entry of the function.
    known: FxHashMap<(CalleeId, FlowNode), CallId>,
    /// The calls of effect-free functions, by their entries.
    effect_free: FxHashMap<FlowNode, CallId>,
}

impl Expansion<'_> {
    /// Makes the walker take a step; `None` if it cannot.
    fn step(&mut self, walker: &mut Walker, executed: Executed) -> Result<Option<()>, StopReason> {
        self.meter.work_of(1)?;
        match executed {
            Executed::Nothing => {}
            Executed::Edge(wanted) => {
                let Some(found) = self.find_edge(walker.at, wanted)? else { return Ok(None) };
                self.follow(walker, &found.path)?;
                self.follow(walker, &[(found.node, found.item)])?;
                match (self.process.label(&found.item), found.item.label) {
                    (Some(Label::Call(_)), Label::Call(entry)) => {
                        walker.stack.push(found.item.target);
                        walker.at = entry;
                    }
                    _ => walker.at = found.item.target,
                }
            }
            Executed::Return => {
                let graph = self.process.original().graph().clone();
                let returns = |node| graph.returns(node).then_some(());
                let Some(found) = self.search(walker.at, returns)? else { return Ok(None) };
                self.follow(walker, &found.path)?;
                walker.steps.push(LocalStep::Node(self.process.original().origin(found.node)));
                // After the end of the process there is no further step.
                walker.at = walker.stack.pop().unwrap_or(found.node);
            }
            Executed::Call(wanted, callee) => {
                let Some(found) = self.find_edge(walker.at, wanted)? else { return Ok(None) };
                let Label::Call(entry) = found.item.label else { return Ok(None) };
                let Some(call) = self.call(callee, entry)? else { return Ok(None) };
                self.follow(walker, &found.path)?;
                walker.steps.push(LocalStep::Call(self.process.original().origin(found.node), call));
                walker.at = found.item.target;
            }
        }
        Ok(Some(()))
    }

    /// The steps of a call that enters the function at this node. Calls in it are computed first.
    fn call(&mut self, callee: CalleeId, entry: FlowNode) -> Result<Option<CallId>, StopReason> {
        let mut open = Vec::new();
        if !self.known.contains_key(&(callee, entry)) {
            open.push(PendingCall::new(callee, entry));
        }
        while let Some(pending) = open.last_mut() {
            let Some(executed) = self.callees[pending.key.0.index()].get(pending.done).copied() else {
                let PendingCall { key, walker, .. } = open.pop().expect("it is the last one");
                let call = self.calls.push(walker.steps);
                self.known.insert(key, call);
                continue;
            };
            if let Executed::Call(wanted, inner) = executed {
                let Some(found) = self.find_edge(pending.walker.at, wanted)? else { return Ok(None) };
                let Label::Call(entry) = found.item.label else { return Ok(None) };
                if !self.known.contains_key(&(inner, entry)) {
                    open.push(PendingCall::new(inner, entry));
                    continue;
                }
            }
            if self.step(&mut pending.walker, executed)?.is_none() {
                return Ok(None);
            }
            pending.done += 1;
        }
        Ok(self.known.get(&(callee, entry)).copied())
    }

    /// The steps of a call of an effect-free function. Its callees are computed first.
    fn effect_free_call(&mut self, entry: FlowNode) -> Result<CallId, StopReason> {
        let graph = self.process.original().graph().clone();
        let mut open = vec![entry];
        while let Some(function) = open.last().copied() {
            let path = self.process.effect_free().return_path(&graph, function);
            self.meter.work_of(1 + path.len())?;
            let missing =
                path.iter().filter_map(|(_, callee)| *callee).filter(|callee| !self.effect_free.contains_key(callee));
            let missing: Vec<_> = missing.collect();
            if missing.is_empty() {
                let steps = path.into_iter().filter_map(|(node, callee)| match callee {
                    Some(callee) => {
                        Some(LocalStep::Call(self.process.original().origin(node), self.effect_free[&callee]))
                    }
                    None => self.plain_step(node),
                });
                let call = self.calls.push(steps.collect());
                self.effect_free.insert(function, call);
                open.pop();
            }
            open.extend(missing);
            while open.last().is_some_and(|function| self.effect_free.contains_key(function)) {
                open.pop();
            }
        }
        Ok(self.effect_free[&entry])
    }

    /// Adds the steps along edges.
    fn follow(&mut self, walker: &mut Walker, path: &[(FlowNode, Edge)]) -> Result<(), StopReason> {
        for (node, edge) in path {
            let step = match (edge.label, self.process.label(edge)) {
                (Label::Call(entry), Some(Label::Plain)) => {
                    Some(LocalStep::Call(self.process.original().origin(*node), self.known_effect_free_call(entry)?))
                }
                (Label::Wants(_), Some(Label::Wants(_))) => self.process.original().step(*node),
                _ => self.plain_step(*node),
            };
            walker.steps.extend(step);
        }
        Ok(())
    }

    /// The step at a node, without instants of wanting, which are implicit where they do not matter.
    fn plain_step(&self, node: FlowNode) -> Option<LocalStep> {
        self.process.original().step(node).filter(|step| !matches!(step, LocalStep::Wants(_)))
    }

    fn known_effect_free_call(&mut self, entry: FlowNode) -> Result<CallId, StopReason> {
        self.effect_free.get(&entry).copied().map_or_else(|| self.effect_free_call(entry), Ok)
    }

    /// Searches an original edge with the label of this reduced edge, to the class of its target.
    fn find_edge(&self, at: FlowNode, wanted: EdgeId) -> Result<Option<Located<Edge>>, StopReason> {
        let wanted = self.process.graph().edge(wanted);
        let class = |node| self.process.class(node);
        let does = |edge: &Edge| {
            let label = match self.process.label(edge)? {
                Label::Call(entry) => Label::Call(class(entry)),
                label => label,
            };
            (label == wanted.label && class(edge.target) == wanted.target).then_some(*edge)
        };
        let graph = self.process.original().graph();
        self.search(at, |node| graph.edges(node).iter().find_map(does))
    }

    /// Searches, along plain steps within the class, a node for which `found` returns a result.
    fn search<T>(&self, at: FlowNode, found: impl Fn(FlowNode) -> Option<T>) -> Result<Option<Located<T>>, StopReason> {
        let graph = self.process.original().graph();
        let class = self.process.class(at);
        // How nodes were reached, in the order in which they are visited: the node before, the edge, and the entry of
        // this list for the node before.
        let mut ways: Vec<(FlowNode, Edge, usize)> = Vec::new();
        let mut seen = FxHashSet::default();
        let (mut node, mut path) = (at, usize::MAX);
        loop {
            self.meter.work_of(1)?;
            if let Some(item) = found(node) {
                let back = std::iter::successors(ways.get(path), |(_, _, before)| ways.get(*before));
                let mut path: Vec<_> = back.map(|(node, edge, _)| (*node, *edge)).collect();
                path.reverse();
                return Ok(Some(Located { path, node, item }));
            }
            for edge in graph.edges(node) {
                if self.process.is_contracted(edge)
                    && self.process.class(edge.target) == class
                    && edge.target != at
                    && is_new(&ways, &mut seen, edge.target)
                {
                    ways.push((node, *edge, path));
                }
            }
            path = path.wrapping_add(1);
            let Some((_, edge, _)) = ways.get(path) else { return Ok(None) };
            node = edge.target;
        }
    }
}
