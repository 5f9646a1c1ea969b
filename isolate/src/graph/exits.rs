//! By which exit control comes out of a call.
//!
//! A method that finds something wrong and throws does not go on in its caller as it does when it returns; nor does `if
//! (tryTake())` if nothing was taken. So a call in a graph says by which *exit* control comes out of it: it throws, or
//! it gives this value. A context becomes a function of the model for each exit by which it is called, a *variant*: the
//! nodes from which control can get to that exit. A call that nobody comes out of ([`Exit::Never`]) is of all nodes,
//! and nothing is after it.
//!
//! **Invariant.** What a thread has done in a context, up to any point, is a path through one of the variants that
//! callers can choose. *Why.* From where the thread is, control can get to some exit of the context's graph or to none.
//! If it can, then it can from all nodes that the thread has passed, so they are in that exit's variant; and the calls
//! that it has come out of are on the path with the exits by which it did. If it cannot, then the context *diverges*,
//! and callers can choose the call that nobody comes out of. For the call in which the thread is now the same is true
//! of the callee: if the callee gets to an exit after which the caller gets to one of its own, then both are chosen so;
//! else the caller diverges. What is passed is what happened, so nothing is added but what the graphs have already: a
//! variant is a part of the context's graph.
//!
//! Two kinds of contexts are not divided, as it would change nothing or be too much. If a context has one exit, then
//! its only variant has all nodes, and what diverges is in it. If it gives more than [`MAX_VALUES`] values, then they are one
//! exit.

use super::context::MethodContext;
use super::flow::{Exit, Flow, FlowNode, InlinedCall, Step};
use super::ids::ContextId;
use super::reachability::{Edges, numbered, reachable_from, steps};
use crate::value::Value;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many values that a context gives are told apart.
const MAX_VALUES: usize = 4;

/// A context with the exit by which control comes out of it; never [`Exit::Never`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Variant {
    pub(super) context: ContextId,
    pub(super) exit: Exit,
}

impl Variant {
    /// All of a context.
    pub(super) fn whole(context: ContextId) -> Self {
        Self { context, exit: Exit::Any }
    }
}

/// What is known of the exits of contexts.
pub(super) struct Exits {
    /// For each context, by which exits control leaves it.
    of: Vec<BTreeSet<Exit>>,
    /// Whether the values that a context gives are one exit, as they are too many.
    gives_many: Vec<bool>,
    /// Whether control can come to where it gets to no exit.
    diverges: Vec<bool>,
}

impl Exits {
    /// Linear in the graphs, for each time that an exit of a callee turns up later than a caller was looked at.
    pub(super) fn new(contexts: &[MethodContext]) -> Self {
        let no = || vec![false; contexts.len()];
        let mut exits = Self { of: vec![BTreeSet::new(); contexts.len()], gives_many: no(), diverges: no() };
        let calls: Vec<Vec<ContextId>> =
            contexts.iter().map(|context| steps(context).filter_map(Step::called).collect()).collect();
        exits.find(contexts, &calls);
        exits.find_diverging(contexts);
        exits
    }

    /// Finds the exits: the least sets such that control gets to a context's exits by calls that come out by an exit of
    /// their callee.
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

    /// Finds the contexts that diverge: in their own graph, or in a call that nobody comes out of.
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

    /// Whether control can come to where it gets to no exit, and into no call that nobody comes out of; and what is
    /// called so that nobody comes out.
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

    /// Where control goes from a node: nowhere from a call that does not come out by its exit.
    pub(super) fn next<'f>(&self, node: &'f FlowNode) -> &'f [usize] {
        let comes_out = match node.step {
            Step::Call(_, Exit::Never) => false,
            Step::Call(callee, Exit::Any) => !self.of[callee.index()].is_empty(),
            Step::Call(callee, exit) => self.variant_of(callee, exit).is_some(),
            _ => true,
        };
        if comes_out { &node.next } else { &[] }
    }

    /// The nodes that control can reach.
    fn reached(&self, flow: &Flow) -> FixedBitSet {
        let entry = [0].into_iter().take(flow.nodes.len());
        reachable_from(flow.nodes.len(), entry, |node| self.next(&flow.nodes[node]))
    }

    /// Of reached nodes, those from which control can get to such nodes.
    fn nodes_to(&self, flow: &Flow, reached: &FixedBitSet, is_it: impl Fn(usize) -> bool) -> FixedBitSet {
        let mut into: Edges = vec![Vec::new(); flow.nodes.len()];
        for node in reached.ones() {
            self.next(&flow.nodes[node]).iter().for_each(|next| into[*next].push(node));
        }
        reachable_from(flow.nodes.len(), reached.ones().filter(|node| is_it(*node)), |node| &into[node])
    }

    /// The variant that a call runs; none if control does not come out of the callee by this exit.
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

    /// The exit of a context that this is taken for.
    fn merged(&self, context: ContextId, exit: Exit) -> Exit {
        match exit {
            Exit::Gives(_) if self.gives_many[context.index()] => Exit::Gives(Value::Any),
            exit => exit,
        }
    }

    /// The nodes of a variant; the first one is among them.
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

    /// The variants to which calls lead from these, and which of them do something, themselves or through others, as
    /// far as `does` says. Linear in the nodes of the variants.
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

    /// The same from all contexts.
    pub(super) fn all_variants_with(
        &self,
        contexts: &[MethodContext],
        does: impl Fn(ContextId, Step) -> bool,
    ) -> FxHashSet<Variant> {
        self.variants_with(contexts, numbered(contexts).map(|(id, _)| id), does)
    }

    /// The variant that a step runs, in this thread or in another one.
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
