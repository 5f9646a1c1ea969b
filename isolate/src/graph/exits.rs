//! The exits of calls, and the variants of contexts.
//!
//! The caller of a method continues differently after an exception than after a return, and differently after each
//! result of `if (tryTake())`. So a call in a graph has the *exit* of its callee: an exception, or a return of a
//! certain value. A context becomes one function of the model for each exit with which it is called, a *variant*: the
//! nodes from which control can reach that exit. The variant of a call that never exits ([`Exit::Never`]) has all
//! nodes, and nothing follows the call.
//!
//! **Invariant.** The steps of a thread in a context, up to any point, are a path through one of the variants that
//! callers can choose. *Proof.* From the node of the thread, control can reach some exit of the context's graph or
//! none. If it can, then it can from all nodes that the thread has passed, so they are in the variant of that exit; and
//! the completed calls are on the path with their actual exits. If it cannot, then the context *diverges*, and callers
//! can choose the call that never exits. The same holds for the callee of the current call: if the callee reaches an
//! exit after which the caller reaches one of its own, then both variants are chosen accordingly; otherwise the caller
//! diverges. Conversely, a variant is a subgraph of the context's graph, so it adds no paths.
//!
//! Two kinds of contexts are not divided into variants. If a context has one exit, then its only variant has all nodes,
//! diverging ones included. If a context returns more than [`MAX_VALUES`] values, then all of them are one exit.

use super::context::MethodContext;
use super::flow::{Exit, Flow, FlowNode, InlinedCall, Step};
use super::ids::ContextId;
use super::reachability::{Edges, numbered, reachable_from, steps};
use crate::value::Value;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Maximal number of return values of a context that are distinguished.
const MAX_VALUES: usize = 4;

/// A context with an exit; never [`Exit::Never`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Variant {
    pub(super) context: ContextId,
    pub(super) exit: Exit,
}

impl Variant {
    /// Returns the variant with all nodes of a context.
    pub(super) fn whole(context: ContextId) -> Self {
        Self { context, exit: Exit::Any }
    }
}

/// The exits of all contexts.
pub(super) struct Exits {
    /// For each context its reachable exits.
    of: Vec<BTreeSet<Exit>>,
    /// For each context whether its return values are too many, and so one exit.
    gives_many: Vec<bool>,
    /// For each context whether control can reach a node from which no exit is reachable.
    diverges: Vec<bool>,
}

impl Exits {
    /// Computes the exits. Linear in the graphs for each time that a new exit of a callee is found after a visit of the
    /// caller.
    pub(super) fn new(contexts: &[MethodContext]) -> Self {
        let no = || vec![false; contexts.len()];
        let mut exits = Self { of: vec![BTreeSet::new(); contexts.len()], gives_many: no(), diverges: no() };
        let calls: Vec<Vec<ContextId>> =
            contexts.iter().map(|context| steps(context).filter_map(Step::called).collect()).collect();
        exits.find(contexts, &calls);
        exits.find_diverging(contexts);
        exits
    }

    /// Computes the exits: the least sets such that control reaches the exits of a context through calls whose exit is
    /// one of their callee.
    fn find(&mut self, contexts: &[MethodContext], calls: &[Vec<ContextId>]) {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); contexts.len()];
        for (caller, callees) in calls.iter().enumerate() {
            callees.iter().for_each(|callee| callers[callee.index()].push(caller));
        }
        // Callees mostly come after their callers.
        let mut open: BTreeSet<usize> = (0..contexts.len()).collect();
        while let Some(index) = open.pop_last() {
            let flow = &contexts[index].flow;
            let found: BTreeSet<Exit> =
                self.reached(flow).ones().filter_map(|node| flow.nodes[node].step.exit()).collect();
            if found.len() > self.of[index].len() {
                self.gives_many[index] =
                    found.iter().filter(|exit| matches!(exit, Exit::Gives(_))).count() > MAX_VALUES;
                self.of[index] = found;
                open.extend(&callers[index]);
            }
        }
    }

    /// Computes the contexts that diverge: in their own graph, or in a call that never exits.
    fn find_diverging(&mut self, contexts: &[MethodContext]) {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); contexts.len()];
        let mut open = Vec::new();
        for (index, context) in contexts.iter().enumerate() {
            let (diverges, never) = self.own_divergence(&context.flow);
            never.into_iter().for_each(|callee| callers[callee.index()].push(index));
            self.diverges[index] = diverges;
            open.extend(diverges.then_some(index));
        }
        while let Some(index) = open.pop() {
            if self.of[index].len() != 1 {
                let new = std::mem::take(&mut callers[index]).into_iter();
                open.extend(new.filter(|caller| !std::mem::replace(&mut self.diverges[*caller], true)));
            }
        }
    }

    /// Returns whether control can reach a node, other than a call that never exits, from which no exit is reachable;
    /// and the callees of the calls that never exit.
    fn own_divergence(&self, flow: &Flow) -> (bool, Vec<ContextId>) {
        let reached = self.reached(flow);
        let never = |node: usize| match flow.nodes[node].step {
            Step::Call(callee, Exit::Never) => Some(callee),
            _ => None,
        };
        let leaving = self.nodes_to(flow, &reached, |node| flow.nodes[node].step.exit().is_some());
        let diverges = reached.difference(&leaving).any(|node| never(node).is_none());
        (diverges, reached.ones().filter_map(never).collect())
    }

    /// Returns the successors of a node; none for a call whose callee cannot reach the call's exit.
    pub(super) fn next<'f>(&self, node: &'f FlowNode) -> &'f [usize] {
        let exits = match node.step {
            Step::Call(_, Exit::Never) => false,
            Step::Call(callee, Exit::Any) => !self.of[callee.index()].is_empty(),
            Step::Call(callee, exit) => self.variant_of(callee, exit).is_some(),
            _ => true,
        };
        if exits { &node.next } else { &[] }
    }

    /// Returns the nodes that control can reach.
    fn reached(&self, flow: &Flow) -> FixedBitSet {
        let entry = [0].into_iter().take(flow.nodes.len());
        reachable_from(flow.nodes.len(), entry, |node| self.next(&flow.nodes[node]))
    }

    /// Returns the reached nodes from which control can reach the nodes that `is_it` accepts.
    fn nodes_to(&self, flow: &Flow, reached: &FixedBitSet, is_it: impl Fn(usize) -> bool) -> FixedBitSet {
        let mut into: Edges = vec![Vec::new(); flow.nodes.len()];
        for node in reached.ones() {
            self.next(&flow.nodes[node]).iter().for_each(|next| into[*next].push(node));
        }
        reachable_from(flow.nodes.len(), reached.ones().filter(|node| is_it(*node)), |node| &into[node])
    }

    /// Returns the variant that a call runs; `None` if the callee cannot reach this exit.
    pub(super) fn variant_of(&self, callee: ContextId, exit: Exit) -> Option<Variant> {
        let all = &self.of[callee.index()];
        let is_taken = match exit {
            Exit::Any => true,
            Exit::Never => self.diverges[callee.index()] && all.len() != 1,
            Exit::Throws | Exit::Gives(_) => all.contains(&exit),
        };
        let exit = match exit {
            Exit::Throws | Exit::Gives(_) if all.len() > 1 => self.merged(callee, exit),
            Exit::Any | Exit::Never | Exit::Throws | Exit::Gives(_) => Exit::Any,
        };
        is_taken.then_some(Variant { context: callee, exit })
    }

    /// Returns the exit that stands for this one, after merging the return values of a context.
    fn merged(&self, context: ContextId, exit: Exit) -> Exit {
        match exit {
            Exit::Gives(_) if self.gives_many[context.index()] => Exit::Gives(Value::Any),
            exit => exit,
        }
    }

    /// Returns the nodes of a variant, the first node included.
    pub(super) fn nodes(&self, context: &MethodContext, variant: Variant) -> FixedBitSet {
        let reached = self.reached(&context.flow);
        if variant.exit == Exit::Any {
            return reached;
        }
        let is_wanted = |node: usize| {
            let exit = context.flow.nodes[node].step.exit();
            exit.is_some_and(|exit| self.merged(variant.context, exit) == variant.exit)
        };
        self.nodes_to(&context.flow, &reached, is_wanted)
    }

    /// Returns the variants, reachable by calls from these contexts, that have a step accepted by `does`, directly or
    /// through calls. Linear in the nodes of the variants.
    pub(super) fn variants_with(
        &self,
        contexts: &[MethodContext],
        from: impl IntoIterator<Item = ContextId>,
        does: impl Fn(ContextId, Step) -> bool,
    ) -> FxHashSet<Variant> {
        let mut callers: FxHashMap<Variant, Vec<Variant>> = FxHashMap::default();
        let mut open: Vec<Variant> = from.into_iter().map(Variant::whole).collect();
        let mut found: FxHashSet<Variant> = open.iter().copied().collect();
        let mut doing = FxHashSet::default();
        while let Some(variant) = open.pop() {
            let context = &contexts[variant.context.index()];
            for node in self.nodes(context, variant).ones() {
                let step = context.flow.nodes[node].step;
                if does(variant.context, step) {
                    doing.insert(variant);
                }
                let Some(called) = self.variant_run_by(step) else { continue };
                callers.entry(called).or_default().push(variant);
                open.extend(found.insert(called).then_some(called));
            }
        }
        let mut open: Vec<Variant> = doing.iter().copied().collect();
        while let Some(variant) = open.pop() {
            open.extend(callers.remove(&variant).into_iter().flatten().filter(|caller| doing.insert(*caller)));
        }
        doing
    }

    /// Returns the variants like [`variants_with`](Self::variants_with), reachable from any context.
    pub(super) fn all_variants_with(
        &self,
        contexts: &[MethodContext],
        does: impl Fn(ContextId, Step) -> bool,
    ) -> FxHashSet<Variant> {
        self.variants_with(contexts, numbered(contexts).map(|(id, _)| id), does)
    }

    /// Returns the variant that a step runs, in this thread or in another one.
    pub(super) fn variant_run_by(&self, step: Step) -> Option<Variant> {
        match step {
            Step::Call(callee, exit) => self.variant_of(callee, exit),
            Step::Start(callee) | Step::Inline(InlinedCall { callee, .. }) => Some(Variant::whole(callee)),
            Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::Acquire(..) | Step::Release(..) => None,
            Step::ReleaseForCaller(..) | Step::Wait(_) | Step::Join | Step::Cut => None,
            Step::Return(_) | Step::ReturnWith(..) => None,
        }
    }
}

#[cfg(test)]
mod tests;
