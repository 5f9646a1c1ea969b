//! Functions without effects that matter.

use crate::encode::flow::{Edge, FlowGraph, FlowNode, Label};
use limits::{Meter, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The effect-free functions, by their entries: they make only plain steps and calls of effect-free functions.
///
/// Invariant: the path from a node to its return, as `returning` has it, calls only functions that were found to return
/// before, so following it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct EffectFreeFunctions {
    entries: FxHashSet<FlowNode>,
    /// For each node of an effect-free function that can reach its return, the next node on that path; none at the
    /// return.
    returning: FxHashMap<FlowNode, Option<FlowNode>>,
}

impl EffectFreeFunctions {
    /// Finds the effect-free functions of a graph. Linear in the size of the graph.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn find(
        graph: &FlowGraph,
        does_nothing: impl Fn(&Label) -> bool + Copy,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let functions = Functions::of(graph, meter)?;
        let mut entries = functions.effect_free(graph, does_nothing, meter)?;
        // The body of the process is not called.
        entries.retain(|entry| functions.callers.contains_key(entry));
        let mut effect_free = Self { entries, returning: FxHashMap::default() };
        effect_free.find_returns(graph, &functions, meter)?;
        Ok(effect_free)
    }

    /// Goes backwards from the returns, over calls of functions once these are known to return.
    fn find_returns(&mut self, graph: &FlowGraph, functions: &Functions, meter: &Meter) -> Result<(), StopReason> {
        let mut waiting = VecDeque::new();
        for entry in &functions.entries {
            if self.entries.contains(entry) {
                waiting.extend(functions.members[entry].iter().copied().filter(|node| graph.returns(*node)));
            }
        }
        waiting.make_contiguous().sort_unstable();
        for node in &waiting {
            self.returning.insert(*node, None);
        }
        while let Some(node) = waiting.pop_front() {
            meter.work_of(1)?;
            for (before, edge) in functions.before.get(&node).into_iter().flatten() {
                let passes = edge.label.callee().is_none_or(|callee| self.returning.contains_key(&callee));
                self.reach(*before, node, passes, functions, &mut waiting);
            }
            if self.entries.contains(&node) {
                for (call, back) in functions.callers.get(&node).into_iter().flatten() {
                    let passes = self.returning.contains_key(back);
                    self.reach(*call, *back, passes, functions, &mut waiting);
                }
            }
        }
        Ok(())
    }

    fn reach(
        &mut self,
        node: FlowNode,
        next: FlowNode,
        passes: bool,
        functions: &Functions,
        waiting: &mut VecDeque<FlowNode>,
    ) {
        let is_effect_free = functions.owners[node.index()].is_some_and(|owner| self.entries.contains(&owner));
        if passes && is_effect_free && !self.returning.contains_key(&node) {
            self.returning.insert(node, Some(next));
            waiting.push_back(node);
        }
    }

    /// Whether this is a call of an effect-free function that never returns.
    pub(super) fn is_dead_call(&self, edge: &Edge) -> bool {
        edge.label
            .callee()
            .is_some_and(|callee| self.entries.contains(&callee) && !self.returning.contains_key(&callee))
    }

    /// Whether the function that begins at this node is effect-free.
    pub(super) fn has(&self, entry: FlowNode) -> bool {
        self.entries.contains(&entry)
    }

    /// The nodes of a shortest known path through an effect-free function to its return, in order, without the nodes of
    /// its callees. Each node comes with its callee, if it is a call.
    pub(crate) fn return_path(&self, graph: &FlowGraph, entry: FlowNode) -> Vec<(FlowNode, Option<FlowNode>)> {
        let mut path = Vec::new();
        let mut next = Some(entry);
        while let Some(node) = next {
            next = self.returning.get(&node).copied().flatten();
            let edge = graph.edges(node).iter().find(|edge| Some(edge.target) == next);
            path.push((node, edge.and_then(|edge| edge.label.callee())));
        }
        path
    }
}

/// The functions of a graph: their nodes, with predecessors and callers.
struct Functions {
    /// The entries of all functions, including that of the process.
    entries: Vec<FlowNode>,
    members: FxHashMap<FlowNode, Vec<FlowNode>>,
    /// The function of each node; none for unreachable nodes.
    owners: Vec<Option<FlowNode>>,
    before: FxHashMap<FlowNode, Vec<(FlowNode, Edge)>>,
    /// The calls of each function, with their return sites.
    callers: FxHashMap<FlowNode, Vec<(FlowNode, FlowNode)>>,
}

impl Functions {
    fn of(graph: &FlowGraph, meter: &Meter) -> Result<Self, StopReason> {
        let mut functions = Self {
            entries: vec![graph.entry()],
            members: FxHashMap::default(),
            owners: vec![None; graph.len()],
            before: FxHashMap::default(),
            callers: FxHashMap::default(),
        };
        let mut known: FxHashSet<_> = FxHashSet::from_iter([graph.entry()]);
        let mut next = 0;
        while let Some(entry) = functions.entries.get(next).copied() {
            let mut members = vec![entry];
            functions.owners[entry.index()] = Some(entry);
            let mut place = 0;
            while let Some(node) = members.get(place).copied() {
                meter.work_of(1 + graph.edges(node).len())?;
                for edge in graph.edges(node) {
                    functions.before.entry(edge.target).or_default().push((node, *edge));
                    if let Some(callee) = edge.label.callee() {
                        functions.callers.entry(callee).or_default().push((node, edge.target));
                        if known.insert(callee) {
                            functions.entries.push(callee);
                        }
                    }
                    if functions.owners[edge.target.index()].replace(entry).is_none() {
                        members.push(edge.target);
                    }
                }
                place += 1;
            }
            functions.members.insert(entry, members);
            next += 1;
        }
        Ok(functions)
    }

    /// The functions that neither have an effect themselves nor call one that does.
    fn effect_free(
        &self,
        graph: &FlowGraph,
        does_nothing: impl Fn(&Label) -> bool,
        meter: &Meter,
    ) -> Result<FxHashSet<FlowNode>, StopReason> {
        let matters = |edge: &Edge| edge.label.callee().is_none() && !does_nothing(&edge.label);
        let (mut waiting, mut effect_free) = (Vec::new(), FxHashSet::default());
        for entry in &self.entries {
            meter.work_of(self.members[entry].len())?;
            if self.members[entry].iter().any(|node| graph.edges(*node).iter().any(matters)) {
                waiting.push(*entry);
            } else {
                effect_free.insert(*entry);
            }
        }
        while let Some(entry) = waiting.pop() {
            meter.work_of(1)?;
            for (call, _) in self.callers.get(&entry).into_iter().flatten() {
                if let Some(caller) = self.owners[call.index()].filter(|caller| effect_free.remove(caller)) {
                    waiting.push(caller);
                }
            }
        }
        Ok(effect_free)
    }
}
