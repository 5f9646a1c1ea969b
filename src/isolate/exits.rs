//! How control comes out of what is called.
//!
//! A method that finds something wrong and throws does not go on in its caller as it does when it returns; nor does `if (tryTake())` if nothing was taken. So a
//! call in a graph says by which *exit* control comes out of it: it throws, or it gives this value. A clone becomes a function of the model for each exit
//! by which it is called, a *variant*: the nodes from which control can get to that exit. A call that nobody comes out of (`Never`) is of all nodes, and nothing
//! is behind it.
//!
//! **Invariant.** What a thread has done in a clone, up to any point, is a path through one of the variants that callers can choose. *Why.* From
//! where the thread is, control can get to some exit of the clone's graph or to none. If it can, then it can from all nodes that the thread has passed, so they are in
//! that exit's variant; and the calls that it has come out of are on the path with the exits by which it did. If it cannot, then the clone *diverges*, and callers can choose the
//! call that nobody comes out of. For the call in which the thread is now the same is true of the callee: if the callee gets to an exit behind which the caller
//! gets to one of its own, then both are chosen so; else the caller diverges. What is passed is what happened, so nothing is added but what the graphs have
//! already: a variant is a part of the clone's graph.
//!
//! Two kinds of clones are not divided, as it would change nothing or be too much. If a clone has one exit, then its only variant has all nodes, and what diverges is
//! in it. If it gives more than [`MOST`] values, then they are one exit.

use super::clone_graph::{predecessors, reachable, spread};
use super::flow::{CloneId, FlowNode, Step, Through};
use super::follow::MethodClone;
use super::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// So many values that a clone gives are told apart.
const MOST: usize = 4;

/// How control comes out of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Exit {
    /// In any way.
    Any,
    /// Not at all.
    Never,
    /// It throws.
    Throws,
    /// It gives this.
    Gives(Value),
}

impl Exit {
    /// By which a clone leaves that gives this, or throws.
    pub(super) fn of(result: Option<Value>) -> Self {
        result.map_or(Self::Throws, Self::Gives)
    }
}

/// A clone with the exit by which control comes out of it; never `Never`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Variant {
    pub(super) clone: CloneId,
    pub(super) exit: Exit,
}

impl Variant {
    /// All of a clone.
    pub(super) fn whole(clone: CloneId) -> Self {
        Self { clone, exit: Exit::Any }
    }
}

/// What is known of the exits of clones.
pub(super) struct Exits {
    /// For each clone, by which exits control leaves it.
    of: Vec<BTreeSet<Exit>>,
    /// Whether control can come to where it gets to no exit.
    diverges: Vec<bool>,
}

impl Exits {
    /// Linear in the graphs.
    pub(super) fn new(clones: &[MethodClone]) -> Self {
        let mut exits = Self { of: Vec::new(), diverges: vec![false; clones.len()] };
        let reached: Vec<BTreeSet<usize>> = clones.iter().map(reachable).collect();
        for (clone, reached) in clones.iter().zip(&reached) {
            exits.of.push(reached.iter().filter_map(|node| exit(&clone.flow.nodes[*node])).collect());
        }
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); clones.len()];
        let mut open = Vec::new();
        for (index, (clone, reached)) in clones.iter().zip(&reached).enumerate() {
            let nodes = &clone.flow.nodes;
            let never = |node: &usize| match nodes[*node].step {
                Step::Call(callee, Exit::Never) => Some(callee),
                _ => None,
            };
            let leaves =
                reached.iter().copied().filter(|node| matches!(nodes[*node].step, Step::Return(_) | Step::Leave(..)));
            let into = predecessors(nodes, reached);
            let leaving = spread(leaves, |node| &into[node]);
            exits.diverges[index] = reached.difference(&leaving).any(|node| never(node).is_none());
            open.extend(exits.diverges[index].then_some(index));
            reached.iter().filter_map(never).for_each(|callee| callers[callee.index()].push(index));
        }
        while let Some(index) = open.pop() {
            if exits.of[index].len() != 1 {
                let new = std::mem::take(&mut callers[index]).into_iter();
                open.extend(new.filter(|caller| !std::mem::replace(&mut exits.diverges[*caller], true)));
            }
        }
        exits
    }

    /// The variant that a call runs; none if control does not come out of the callee in this way.
    pub(super) fn called(&self, callee: CloneId, exit: Exit) -> Option<Variant> {
        let all = &self.of[callee.index()];
        let is_taken = match exit {
            Exit::Any => true,
            Exit::Never => self.diverges[callee.index()] && all.len() != 1,
            Exit::Throws | Exit::Gives(_) => all.contains(&exit),
        };
        let exit = match exit {
            Exit::Throws | Exit::Gives(_) if all.len() > 1 => self.told(callee, exit),
            _ => Exit::Any,
        };
        is_taken.then_some(Variant { clone: callee, exit })
    }

    /// The exit of a clone that this is taken for.
    fn told(&self, clone: CloneId, exit: Exit) -> Exit {
        let gives = self.of[clone.index()].iter().filter(|exit| matches!(exit, Exit::Gives(_))).count();
        match exit {
            Exit::Gives(_) if gives > MOST => Exit::Gives(Value::Any),
            exit => exit,
        }
    }

    /// The nodes of a variant.
    pub(super) fn nodes(&self, clone: &MethodClone, Variant { clone: id, exit: wanted }: Variant) -> BTreeSet<usize> {
        let mut reached = reachable(clone);
        let nodes = &clone.flow.nodes;
        reached.retain(|node| match nodes[*node].step {
            Step::Call(callee, exit) => self.called(callee, exit).is_some(),
            _ => true,
        });
        if wanted == Exit::Any {
            return reached;
        }
        let is_wanted = |node: &usize| exit(&nodes[*node]).is_some_and(|exit| self.told(id, exit) == wanted);
        let into = predecessors(nodes, &reached);
        spread(reached.iter().copied().filter(is_wanted), |node| &into[node])
    }

    /// The variants to which calls lead from these, and which of them do something, themselves or through others, as far as `does` says.
    /// Linear in the nodes of the variants.
    pub(super) fn doing(
        &self,
        clones: &[MethodClone],
        from: impl IntoIterator<Item = CloneId>,
        does: impl Fn(Step) -> bool,
    ) -> BTreeSet<Variant> {
        let mut callers: BTreeMap<Variant, Vec<Variant>> = BTreeMap::new();
        let mut open: Vec<Variant> = from.into_iter().map(Variant::whole).collect();
        let mut found: BTreeSet<Variant> = open.iter().copied().collect();
        let mut doing = BTreeSet::new();
        while let Some(variant) = open.pop() {
            let clone = &clones[variant.clone.index()];
            for step in self.nodes(clone, variant).into_iter().map(|node| clone.flow.nodes[node].step) {
                if does(step) {
                    doing.insert(variant);
                }
                let Some(called) = self.run_by(step) else { continue };
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

    /// The variant that a step runs, in this thread or in another one.
    fn run_by(&self, step: Step) -> Option<Variant> {
        match step {
            Step::Call(callee, exit) => self.called(callee, exit),
            Step::Start(callee) | Step::Through(Through { callee, .. }) => Some(Variant::whole(callee)),
            _ => None,
        }
    }
}

/// By which exit control leaves at a node.
fn exit(node: &FlowNode) -> Option<Exit> {
    match node.step {
        Step::Return(exit) | Step::Leave(_, exit) => Some(exit),
        _ => None,
    }
}
