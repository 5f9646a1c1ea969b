//! Entries that do the same to the object: of all that are alike, one is asked about.
//!
//! Two clones are *alike* if their graphs are the same, node by node, but for lines, and what they call is alike; of all such relations the
//! greatest. It is found as a partition that is refined until it is stable: at first all clones are in one class. Clones that are
//! alike have the same executions, but for names. So exchanging one for the other changes no answer, and a thread that chooses
//! among entries that are alike may as well choose one of them.

use super::clone_graph::reachable;
use super::exits::Exit;
use super::flow::{CloneId, Step, Through};
use super::follow::MethodClone;
use super::frame::Open;
use rustc_hash::FxHashMap;

/// A node of a graph as it is compared: its step, whether what it calls is a unit of work or what it waits for only guards, and
/// where control goes.
type NodeKey = (Step, bool, Vec<usize>);

/// A graph as it is compared, and the locks that it leaves open.
type GraphKey<'f> = (Vec<NodeKey>, Vec<&'f [Open]>, bool);

/// The class of each clone as an entry: by which exit control comes out of it does not matter. `is_special` tells what else nodes and clones (without a
/// node) differ by.
pub(super) fn alike(clones: &[MethodClone], is_special: impl Fn(CloneId, Option<usize>) -> bool) -> Vec<CloneId> {
    let ids = (0..).map(CloneId).take(clones.len());
    let graphs: Vec<GraphKey<'_>> = ids.zip(clones).map(|(id, clone)| graph(id, clone, &is_special)).collect();
    let mut classes = vec![CloneId(0); clones.len()];
    let mut count = 1;
    loop {
        let (finer, new) = refined(&graphs, |step| in_class(step, &classes));
        if new == count {
            return refined(&graphs, |step| without_exit(in_class(step, &classes))).0;
        }
        (classes, count) = (finer, new);
    }
}

/// The classes of graphs that are the same if their steps are taken for these, each by its first member, and how many there are.
fn refined<'f>(graphs: &[GraphKey<'f>], taken_for: impl Fn(Step) -> Step) -> (Vec<CloneId>, usize) {
    let mut known: FxHashMap<GraphKey<'f>, CloneId> = FxHashMap::default();
    let class = |(index, (nodes, open, flag)): (usize, &GraphKey<'f>)| {
        let nodes = nodes.iter().map(|(step, flag, next)| (taken_for(*step), *flag, next.clone()));
        let first = CloneId(u32::try_from(index).expect("clones have numbers"));
        *known.entry((nodes.collect(), open.clone(), *flag)).or_insert(first)
    };
    let classes = graphs.iter().enumerate().map(class).collect();
    (classes, known.len())
}

/// The step, but for the exit by which control leaves there.
fn without_exit(step: Step) -> Step {
    match step {
        Step::Return(_) => Step::Return(Exit::Any),
        Step::Leave(way, _) => Step::Leave(way, Exit::Any),
        step => step,
    }
}

/// The step with the class of what it calls.
fn in_class(step: Step, classes: &[CloneId]) -> Step {
    match step {
        Step::Call(callee, exit) => Step::Call(classes[callee.index()], exit),
        Step::Start(callee) => Step::Start(classes[callee.index()]),
        Step::Through(through) => Step::Through(Through { callee: classes[through.callee.index()], ..through }),
        Step::Skip | Step::Read(_) | Step::Write(_) | Step::Acquire(..) | Step::Release(..) | Step::Close(..) => step,
        Step::Wait(_) | Step::Join | Step::Cut | Step::Return(_) | Step::Leave(..) => step,
    }
}

/// The nodes that control can reach, with numbers from 0 on in their order.
fn graph<'f>(
    id: CloneId,
    clone: &'f MethodClone,
    is_special: &impl Fn(CloneId, Option<usize>) -> bool,
) -> GraphKey<'f> {
    let reached: Vec<usize> = reachable(clone).into_iter().collect();
    let number = |node: &usize| reached.binary_search(node).expect("it is reached");
    let key = |node: &usize| {
        let flow = &clone.flow.nodes[*node];
        (flow.step, is_special(id, Some(*node)), flow.next.iter().map(number).collect())
    };
    let left = clone.ways.iter().map(|way| &way.open[..]);
    (reached.iter().map(key).collect(), left.collect(), is_special(id, None))
}
