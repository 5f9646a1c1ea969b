//! The simple cycles of the lock order, one at a time.
//!
//! A cycle is listed from its first lock in the order of declarations, so each is listed once. From each lock in turn,
//! paths are extended by later locks only, and only by locks from which the first one can be reached again without a
//! lock of the path. So every path ends in a cycle, and between two cycles the graph is searched at most once for each
//! lock.
//!
//! There may be exponentially many cycles. Many of them are useless: a deadlock needs another instance for each lock of
//! the cycle. So a path is extended only if instances can be assigned to its edges, a different one to each, which is a
//! matching. Then some paths do not end in a cycle, but none is longer than the number of instances.

use super::order::LockOrder;
use eml::model::{LockId, ProcessId};
use limits::{Meter, StopReason};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// The number of instances of a process; none if there is no limit.
pub(crate) type Instances<'a> = dyn Fn(ProcessId) -> Option<usize> + 'a;

/// Enumerates the cycles of a lock order.
#[derive(Debug)]
pub(crate) struct Cycles {
    /// The locks from which no path was followed yet, the next one last.
    roots: Vec<LockId>,
    path: Vec<LockId>,
    /// For each lock of the path, its successors that remain.
    left: Vec<std::vec::IntoIter<LockId>>,
    /// The maximal length of a cycle.
    longest: usize,
    /// For each lock on a cycle, its strongly connected component.
    components: BTreeMap<LockId, usize>,
}

impl Cycles {
    /// All cycles of at most `longest` locks.
    pub(crate) fn new(order: &LockOrder, longest: usize) -> Self {
        let components = components(order);
        let roots = components.keys().rev().copied().collect();
        Self { roots, path: Vec::new(), left: Vec::new(), longest, components }
    }

    /// The next cycle, if there is one.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn next(
        &mut self,
        order: &LockOrder,
        instances: &Instances<'_>,
        meter: &Meter,
    ) -> Result<Option<Vec<LockId>>, StopReason> {
        loop {
            let Some(left) = self.left.last_mut() else {
                let Some(root) = self.roots.pop() else { return Ok(None) };
                self.path = vec![root];
                self.left = vec![self.followers(order, instances, meter)?.into_iter()];
                continue;
            };
            match left.next() {
                None => {
                    self.left.pop();
                    self.path.pop();
                }
                Some(next) if next == self.path[0] => return Ok(Some(self.path.clone())),
                Some(next) => {
                    self.path.push(next);
                    let followers = self.followers(order, instances, meter)?;
                    self.left.push(followers.into_iter());
                }
            }
        }
    }

    /// The successors by which the path can be extended; its first lock, if that closes a cycle.
    fn followers(
        &self,
        order: &LockOrder,
        instances: &Instances<'_>,
        meter: &Meter,
    ) -> Result<Vec<LockId>, StopReason> {
        meter.work_of(1 + order.size())?;
        let (first, last) = (self.path[0], self.path[self.path.len() - 1]);
        let returning = self.returning(order);
        let mut next: Vec<_> = order
            .successors(last)
            .filter(|next| returning.contains(next) || (*next == first && self.path.len() > 1))
            .filter(|next| self.path.len() < self.longest || *next == first)
            .collect();
        let mut edges: Vec<_> = self.path.windows(2).map(|pair| order.edge(pair[0], pair[1])).collect();
        next.retain(|next| {
            edges.push(order.edge(last, *next));
            let processes: Vec<Vec<_>> = edges.iter().map(|edge| edge.iter().map(|own| own.0).collect()).collect();
            edges.pop();
            can_be_given(&processes, instances)
        });
        Ok(next)
    }

    /// The locks after the first one in the order of declarations from which it can be reached without a lock of the
    /// path.
    fn returning(&self, order: &LockOrder) -> BTreeSet<LockId> {
        let first = self.path[0];
        let component = self.components.get(&first);
        let is_open =
            |lock: &LockId| *lock > first && self.components.get(lock) == component && !self.path.contains(lock);
        let mut found: BTreeSet<LockId> = BTreeSet::new();
        let mut waiting = vec![first];
        while let Some(lock) = waiting.pop() {
            let before = order.predecessors(lock).iter().copied().filter(is_open);
            waiting.extend(before.filter(|before| found.insert(*before)).collect::<Vec<_>>());
        }
        found
    }
}

/// For each lock on a cycle, the number of its strongly connected component.
fn components(order: &LockOrder) -> BTreeMap<LockId, usize> {
    let mut graph = DiGraph::<LockId, ()>::new();
    let nodes: BTreeMap<LockId, NodeIndex> = order.locks().map(|lock| (lock, graph.add_node(lock))).collect();
    for (lock, node) in &nodes {
        // A lock without outgoing edges is on no cycle.
        for next in order.successors(*lock).filter_map(|next| nodes.get(&next)) {
            graph.add_edge(*node, *next, ());
        }
    }
    let components = kosaraju_scc(&graph).into_iter().filter(|component| component.len() > 1).enumerate();
    components
        .flat_map(|(number, locks)| locks.into_iter().map(move |node| (node, number)))
        .map(|(node, number)| (graph[node], number))
        .collect()
}

/// Whether each edge can be assigned one of its processes, such that each process is assigned at most as often as it
/// has instances. The elements need not be processes.
///
/// Each edge in turn takes a process, or makes edges before it take others instead (augmenting paths).
pub(crate) fn can_be_given<T: Copy + PartialEq>(
    edges: &[impl AsRef<[T]>],
    instances: &dyn Fn(T) -> Option<usize>,
) -> bool {
    let mut given: Vec<Option<T>> = vec![None; edges.len()];
    for place in 0..edges.len() {
        // Breadth first over edges that need another process: for each requested process, the edge that requested it.
        let mut asked: Vec<(T, usize)> = Vec::new();
        let mut waiting = vec![place];
        let mut next = 0;
        let free = 'search: loop {
            let Some(edge) = waiting.get(next).copied() else { return false };
            next += 1;
            for process in edges[edge].as_ref() {
                if asked.iter().any(|(own, _)| own == process) {
                    continue;
                }
                asked.push((*process, edge));
                let users = || given.iter().enumerate().filter(|(_, own)| **own == Some(*process)).map(|own| own.0);
                if instances(*process).is_none_or(|count| users().count() < count) {
                    break 'search *process;
                }
                waiting.extend(users());
            }
        };
        let mut process = free;
        loop {
            let edge = asked.iter().find(|(own, _)| *own == process).expect("it was asked for").1;
            let before = given[edge].replace(process);
            match before {
                Some(before) if edge != place => process = before,
                _ => break,
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use limits::Limits;

    fn cycles(text: &str, longest: usize) -> Vec<String> {
        let model = eml::model::from_text("m.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
        let order = LockOrder::new(&model, &Meter::start(&Limits::default())).expect("no limits");
        let instances = |process| crate::query::max_instances(&model, process);
        let (mut cycles, meter) = (Cycles::new(&order, longest), Meter::start(&Limits::default()));
        let next = || cycles.next(&order, &instances, &meter).expect("no limits");
        std::iter::from_fn(next)
            .map(|cycle| cycle.iter().map(|lock| model.lock(*lock).name()).collect::<Vec<_>>().concat())
            .collect()
    }

    /// A model with one process for each pair: it takes the first lock and then the second.
    fn pairs(names: &str, pairs: &[&str]) -> String {
        let mut text = format!("lock {};", names.chars().map(String::from).collect::<Vec<_>>().join(", "));
        for (number, pair) in pairs.iter().enumerate() {
            let (first, second) = pair.split_at(1);
            text += &format!("process P{number} {{ sync {first} {{ sync {second} {{ }} }} }}");
        }
        text
    }

    #[test]
    fn each_cycle_is_listed_once() {
        assert_eq!(cycles(&pairs("abc", &["ab", "ba", "bc", "ca"]), 9), ["ab", "abc"]);
        assert_eq!(cycles(&pairs("abc", &["ab", "bc", "ca", "cb", "ba", "ac"]), 9), ["ab", "abc", "ac", "acb", "bc"]);
        assert_eq!(cycles(&pairs("abc", &["ab", "bc", "ca", "cb", "ba", "ac"]), 2), ["ab", "ac", "bc"]);
        assert_eq!(cycles(&pairs("abcd", &["ab", "bc", "cd", "ac", "ad", "bd"]), 9), [""; 0]);
        assert_eq!(cycles(&pairs("abcd", &["ab", "bc", "cb", "cd"]), 9), ["bc"]);
    }

    #[test]
    fn each_edge_needs_an_instance_of_its_own() {
        let one = "sync a { sync b { } } sync b { sync a { } sync c { } } sync c { sync a { } }";
        assert_eq!(cycles(&format!("lock a, b, c; process P {{ {one} }}"), 9), [""; 0]);
        assert_eq!(cycles(&format!("lock a, b, c; process P * 2 {{ {one} }}"), 9), ["ab"]);
        assert_eq!(cycles(&format!("lock a, b, c; process P * 3 {{ {one} }}"), 9), ["ab", "abc"]);
        assert_eq!(cycles(&format!("lock a, b, c; process P * many {{ {one} }}"), 9), ["ab", "abc"]);
    }

    #[test]
    fn edges_leave_a_process_to_others() {
        let [p, q, r] = [0, 1, 2].map(ProcessId::new);
        let once = |_: ProcessId| Some(1);
        assert!(can_be_given(&[vec![p, q], vec![p]], &once));
        assert!(can_be_given(&[vec![p, q], vec![p, r], vec![p]], &once));
        assert!(can_be_given(&[vec![p, q], vec![q, r], vec![p, q]], &once));
        assert!(!can_be_given(&[vec![p, q], vec![p, q], vec![p, q]], &once));
        assert!(can_be_given(&[vec![p], vec![p], vec![p]], &|_| None));
        assert!(!can_be_given(&[vec![p], vec![p], vec![p]], &|_| Some(2)));
    }

    /// One thread that takes twenty locks in all orders: the search finds at once that no cycle is useful.
    #[test]
    fn useless_cycles_are_not_listed() {
        let names: Vec<_> = (0..20).map(|number| format!("l{number}")).collect();
        let blocks: String = names.iter().map(|name| format!(" or {{ sync {name} {{ call f; }} }}")).collect();
        let text = format!("lock {}; fn f() {{ choose {{ }}{blocks} }} process P {{ call f; }}", names.join(", "));
        assert_eq!(cycles(&text, 99), [""; 0]);
    }
}
