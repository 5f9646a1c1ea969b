//! From a run of a product back to the nodes of the model.
//!
//! A step of the run goes from a node of the reduced graph to another. The nodes of the original graph that a reduced
//! node stands for have the same future, so from whichever of them the process is at, plain steps within the same class
//! lead to an edge that does what the run says and ends in the class where the run goes on. A shortest such way is
//! looked for each time.
//!
//! Calls that are one step of the run, and calls of effect-free functions, are one step of the path. What they execute is
//! found once for each node at which the function begins.

use super::trace::{CalleeId, Executed, Trace};
use crate::encode::flow::{Edge, EdgeId, FlowNode, Label};
use crate::encode::reduce::ReducedProcess;
use crate::witness::{CallId, Calls, LocalPath, LocalStep};
use limits::{Meter, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// What the process executes in each of so many phases along a run; `None` if there is no such path, which would be a
/// fault of a reduction.
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

/// A place in the original graph, and how it was reached.
struct Walker {
    at: FlowNode,
    /// Where the calls that have not returned go on.
    stack: Vec<FlowNode>,
    steps: Vec<LocalStep>,
}

impl Walker {
    fn new(at: FlowNode) -> Self {
        Self { at, stack: Vec::new(), steps: Vec::new() }
    }
}

/// What was looked for behind plain steps.
struct Found<T> {
    /// The nodes on the way, and the edges taken there.
    way: Vec<(FlowNode, Edge)>,
    /// The node that has what was looked for.
    node: FlowNode,
    what: T,
}

/// A call that is being spelled out.
struct Spelling {
    key: (CalleeId, FlowNode),
    /// How many of its steps are done.
    done: usize,
    walker: Walker,
}

impl Spelling {
    fn new(callee: CalleeId, entry: FlowNode) -> Self {
        Self { key: (callee, entry), done: 0, walker: Walker::new(entry) }
    }
}

struct Expansion<'a> {
    process: &'a ReducedProcess,
    callees: &'a [Vec<Executed>],
    meter: &'a Meter,
    calls: Calls,
    /// What is spelled out: by what the run says and the node at which the function begins.
    known: FxHashMap<(CalleeId, FlowNode), CallId>,
    /// The calls of effect-free functions, by their first nodes.
    effect_free: FxHashMap<FlowNode, CallId>,
}

impl Expansion<'_> {
    /// Lets the walker take a step; `None` if it cannot.
    fn step(&mut self, walker: &mut Walker, executed: Executed) -> Result<Option<()>, StopReason> {
        self.meter.work_of(1)?;
        match executed {
            Executed::Nothing => {}
            Executed::Edge(wanted) => {
                let Some(found) = self.find_edge(walker.at, wanted)? else { return Ok(None) };
                self.follow(walker, &found.way)?;
                self.follow(walker, &[(found.node, found.what)])?;
                match (self.process.label(&found.what), found.what.label) {
                    (Some(Label::Call(_)), Label::Call(entry)) => {
                        walker.stack.push(found.what.target);
                        walker.at = entry;
                    }
                    _ => walker.at = found.what.target,
                }
            }
            Executed::Return => {
                let graph = self.process.original().graph().clone();
                let returns = |node| graph.returns(node).then_some(());
                let Some(found) = self.search(walker.at, returns)? else { return Ok(None) };
                self.follow(walker, &found.way)?;
                walker.steps.push(LocalStep::Node(self.process.original().origin(found.node)));
                // After the end of the process there is no further step.
                walker.at = walker.stack.pop().unwrap_or(found.node);
            }
            Executed::Call(wanted, callee) => {
                let Some(found) = self.find_edge(walker.at, wanted)? else { return Ok(None) };
                let Label::Call(entry) = found.what.label else { return Ok(None) };
                let Some(call) = self.call(callee, entry)? else { return Ok(None) };
                self.follow(walker, &found.way)?;
                walker.steps.push(LocalStep::Call(self.process.original().origin(found.node), call));
                walker.at = found.what.target;
            }
        }
        Ok(Some(()))
    }

    /// What a call executes that enters the function at this node. Calls in it are spelled out first.
    fn call(&mut self, callee: CalleeId, entry: FlowNode) -> Result<Option<CallId>, StopReason> {
        let mut open = Vec::new();
        if !self.known.contains_key(&(callee, entry)) {
            open.push(Spelling::new(callee, entry));
        }
        while let Some(spelling) = open.last_mut() {
            let Some(executed) = self.callees[spelling.key.0.index()].get(spelling.done).copied() else {
                let Spelling { key, walker, .. } = open.pop().expect("it is the last one");
                let call = self.calls.push(walker.steps);
                self.known.insert(key, call);
                continue;
            };
            if let Executed::Call(wanted, inner) = executed {
                let Some(found) = self.find_edge(spelling.walker.at, wanted)? else { return Ok(None) };
                let Label::Call(entry) = found.what.label else { return Ok(None) };
                if !self.known.contains_key(&(inner, entry)) {
                    open.push(Spelling::new(inner, entry));
                    continue;
                }
            }
            if self.step(&mut spelling.walker, executed)?.is_none() {
                return Ok(None);
            }
            spelling.done += 1;
        }
        Ok(self.known.get(&(callee, entry)).copied())
    }

    /// What a call of a effect-free function executes. The functions that it calls are spelled out first.
    fn effect_free_call(&mut self, entry: FlowNode) -> Result<CallId, StopReason> {
        let graph = self.process.original().graph().clone();
        let mut open = vec![entry];
        while let Some(function) = open.last().copied() {
            let way = self.process.effect_free().way(&graph, function);
            self.meter.work_of(1 + way.len())?;
            let missing =
                way.iter().filter_map(|(_, callee)| *callee).filter(|callee| !self.effect_free.contains_key(callee));
            let missing: Vec<_> = missing.collect();
            if missing.is_empty() {
                let steps = way.into_iter().filter_map(|(node, callee)| match callee {
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

    /// Adds what is executed along edges.
    fn follow(&mut self, walker: &mut Walker, way: &[(FlowNode, Edge)]) -> Result<(), StopReason> {
        for (node, edge) in way {
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

    /// What is executed at a node, without instants, which are understood where they do not matter.
    fn plain_step(&self, node: FlowNode) -> Option<LocalStep> {
        self.process.original().step(node).filter(|step| !matches!(step, LocalStep::Wants(_)))
    }

    fn known_effect_free_call(&mut self, entry: FlowNode) -> Result<CallId, StopReason> {
        self.effect_free.get(&entry).copied().map_or_else(|| self.effect_free_call(entry), Ok)
    }

    /// An edge that does what the edge of the reduced graph does, and ends where it ends.
    fn find_edge(&self, at: FlowNode, wanted: EdgeId) -> Result<Option<Found<Edge>>, StopReason> {
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

    /// Looks behind plain steps within the class for a node that has something.
    fn search<T>(&self, at: FlowNode, found: impl Fn(FlowNode) -> Option<T>) -> Result<Option<Found<T>>, StopReason> {
        let graph = self.process.original().graph();
        let class = self.process.class(at);
        let mut seen = FxHashSet::from_iter([at]);
        let mut waiting: VecDeque<(FlowNode, usize)> = VecDeque::from([(at, usize::MAX)]);
        // How nodes were reached: from which entry of this list, over which edge.
        let mut ways: Vec<(FlowNode, Edge, usize)> = Vec::new();
        while let Some((node, way)) = waiting.pop_front() {
            self.meter.work_of(1)?;
            if let Some(what) = found(node) {
                let back = std::iter::successors(ways.get(way), |(_, _, before)| ways.get(*before));
                let mut way: Vec<_> = back.map(|(node, edge, _)| (*node, *edge)).collect();
                way.reverse();
                return Ok(Some(Found { way, node, what }));
            }
            for edge in graph.edges(node) {
                if self.process.is_contracted(edge)
                    && self.process.class(edge.target) == class
                    && seen.insert(edge.target)
                {
                    ways.push((node, *edge, way));
                    waiting.push_back((edge.target, ways.len() - 1));
                }
            }
        }
        Ok(None)
    }
}
