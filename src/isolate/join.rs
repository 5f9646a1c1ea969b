//! Where the main thread is alone again: program mode.
//!
//! After a call that waits for threads (`Thread.join`, `awaitTermination`, ...) from which on nothing is started and no more such call
//! comes, all other threads are taken to have ended. That is an assumption: a program may wait for some threads only.

use super::clone_graph::{doing, predecessors, reachable, spread};
use super::flow::{CloneId, Step};
use super::follow::MethodClone;
use std::collections::BTreeSet;

/// The text of the assumption.
pub(super) const ASSUMPTION: &str = "behind its last call that waits for threads, the main thread is alone";

/// The nodes of the main thread's first method at which it is alone.
pub(super) fn alone(clones: &[MethodClone], main: CloneId) -> BTreeSet<(CloneId, usize)> {
    let starts = doing(clones, |step| matches!(step, Step::Start(_)), Step::called);
    let joins = doing(clones, |step| step == Step::Join, Step::called);
    let nodes = &clones[main.index()].flow.nodes;
    let is_in = |step: Step, set: &[bool]| step.called().is_some_and(|callee| set[callee.index()]);
    let is_join = |node: usize| nodes[node].step == Step::Join || is_in(nodes[node].step, &joins);
    let is_start = |node: usize| matches!(nodes[node].step, Step::Start(_)) || is_in(nodes[node].step, &starts);
    let reached = reachable(&clones[main.index()]);
    // From which nodes a join or a start can be reached, themselves included.
    let into = predecessors(nodes, &reached);
    let before = spread(reached.iter().copied().filter(|node| is_join(*node) || is_start(*node)), |node| &into[node]);
    let joined = reached.iter().copied().filter(|node| is_join(*node));
    let behind = spread(joined.flat_map(|node| nodes[node].next.iter().copied()), |node| &nodes[node].next);
    behind.difference(&before).map(|node| (main, *node)).collect()
}
