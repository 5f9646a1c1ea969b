//! The call graph: the calls and starts between procedures.
//!
//! It has a node for each procedure and an edge from a procedure to each one that it calls. The nodes of a model can be
//! reached in their procedures, so an edge stands for a call on some path through the caller's graph. Calls that never
//! return and locks are ignored, so reachability is over-approximated.
//!
//! Every walk uses an explicit stack or queue, so models of any depth are fine.

use super::declarations::Process;
use super::graph::{Graph, Operation};
use super::ids::{NodeId, ProcedureId, ProcessId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

/// The calls and starts of a model.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    /// For each procedure its callees.
    callees: Lists<ProcedureId>,
    /// For each procedure its callers.
    callers: Lists<ProcedureId>,
    /// For each procedure the nodes that call it.
    call_sites: Lists<NodeId>,
    /// For each procedure the processes in its `start` nodes.
    starts: Lists<ProcessId>,
    /// The strongly connected components.
    components: Lists<ProcedureId>,
}

impl CallGraph {
    /// Builds the call graph. Linear in the size of the graphs, apart from sorting the calls and starts.
    pub(super) fn new(graph: &Graph, procedures: usize) -> Self {
        let mut callees = Vec::new();
        let mut call_sites = Vec::new();
        let mut starts = Vec::new();
        for (id, node) in graph.nodes() {
            match node.operation {
                Operation::Call(callee) => {
                    callees.push((node.procedure.index(), callee));
                    call_sites.push((callee.index(), id));
                }
                Operation::Start(process) => starts.push((node.procedure.index(), process)),
                Operation::Skip
                | Operation::Read(_)
                | Operation::Write(_)
                | Operation::Acquire(..)
                | Operation::Release(..)
                | Operation::Wait(_)
                | Operation::Resume(_)
                | Operation::Begin
                | Operation::End
                | Operation::Return => {}
            }
        }
        // Equal pairs may be far apart, so the pairs are sorted before duplicates are removed.
        callees.sort_unstable();
        callees.dedup();
        starts.sort_unstable();
        starts.dedup();
        let callers: Vec<_> =
            callees.iter().map(|(caller, callee)| (callee.index(), ProcedureId::new(*caller))).collect();
        let components = components(&callees, procedures);
        Self {
            callees: Lists::new(&callees, procedures),
            callers: Lists::new(&callers, procedures),
            call_sites: Lists::new(&call_sites, procedures),
            starts: Lists::new(&starts, procedures),
            components,
        }
    }

    /// Returns the number of procedures.
    pub fn procedures(&self) -> usize {
        self.callees.len()
    }

    /// Returns the direct callees of a procedure, each once, in the order of their declarations.
    pub fn callees(&self, procedure: ProcedureId) -> &[ProcedureId] {
        self.callees.get(procedure.index())
    }

    /// Returns the nodes that call a procedure, in their order.
    pub fn call_sites(&self, procedure: ProcedureId) -> &[NodeId] {
        self.call_sites.get(procedure.index())
    }

    /// Returns the processes that a procedure starts directly, each once, in the order of their declarations.
    pub fn starts(&self, procedure: ProcedureId) -> &[ProcessId] {
        self.starts.get(procedure.index())
    }

    /// Iterates over the strongly connected components, callees first: a callee is in the component of its caller or in
    /// an earlier one.
    pub fn components(&self) -> impl Iterator<Item = &[ProcedureId]> {
        (0..self.components.len()).map(|index| self.components.get(index))
    }

    /// Returns the procedures that can be reached by calls from some procedures, including these, each once. Linear in
    /// the size of the result and its calls.
    pub fn reachable(&self, from: impl IntoIterator<Item = ProcedureId>) -> Vec<ProcedureId> {
        closure(from, |procedure| self.callees(procedure))
    }

    /// Returns the procedures that can reach some of these by calls, including these, each once. Linear in the size of
    /// the result and its calls.
    pub fn reaching(&self, to: impl IntoIterator<Item = ProcedureId>) -> Vec<ProcedureId> {
        closure(to, |procedure| self.callers.get(procedure.index()))
    }

    /// Joins for each procedure its own value with those of all procedures that it can reach. `join` has to be
    /// associative, commutative and idempotent. The number of joins is linear in the graph.
    ///
    /// # Errors
    /// Errors of `join`, which end the walk.
    pub fn bottom_up<T: Clone, E>(
        &self,
        mut own: Vec<T>,
        mut join: impl FnMut(&mut T, &T) -> Result<(), E>,
    ) -> Result<Vec<T>, E> {
        for component in self.components() {
            let Some((first, others)) = component.split_first() else { continue };
            let mut all = own[first.index()].clone();
            for member in others {
                join(&mut all, &own[member.index()])?;
            }
            // Callees inside the component have only their own value, which is joined already; those outside have their
            // final value.
            for callee in component.iter().flat_map(|member| self.callees(*member)) {
                join(&mut all, &own[callee.index()])?;
            }
            for member in others {
                own[member.index()] = all.clone();
            }
            own[first.index()] = all;
        }
        Ok(own)
    }

    /// Returns for each process the processes that its body or a function reached by it starts, in the order of their
    /// declarations. Linear in the graph for each process.
    ///
    /// # Errors
    /// Errors of `work`, which receives the number of procedures that each process reaches, and may end the walk.
    pub fn started_by<E>(
        &self,
        processes: &[Process],
        mut work: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<Vec<ProcessId>>, E> {
        let started = |process: &Process| {
            let reached = self.reachable([process.body()]);
            work(reached.len())?;
            let mut started: Vec<_> = reached.iter().flat_map(|procedure| self.starts(*procedure)).copied().collect();
            started.sort_unstable();
            started.dedup();
            Ok(started)
        };
        processes.iter().map(started).collect()
    }

    /// Returns for each process the processes that start it: the inverse of [`started_by`](Self::started_by).
    ///
    /// # Errors
    /// Errors of `work`, as in `started_by`.
    pub fn starters<E>(
        &self,
        processes: &[Process],
        work: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<Vec<ProcessId>>, E> {
        let mut starters = vec![Vec::new(); processes.len()];
        for (index, started) in self.started_by(processes, work)?.into_iter().enumerate() {
            for process in started {
                starters[process.index()].push(ProcessId::new(index));
            }
        }
        Ok(starters)
    }
}

/// Returns these procedures and all that follow from them step by step, each once.
fn closure<'a>(
    from: impl IntoIterator<Item = ProcedureId>,
    next_to: impl Fn(ProcedureId) -> &'a [ProcedureId],
) -> Vec<ProcedureId> {
    let mut seen = FxHashSet::default();
    let mut found: Vec<ProcedureId> = from.into_iter().filter(|procedure| seen.insert(*procedure)).collect();
    let mut next = 0;
    while let Some(procedure) = found.get(next).copied() {
        found.extend(next_to(procedure).iter().filter(|other| seen.insert(**other)));
        next += 1;
    }
    found
}

/// Returns the strongly connected components of a graph with these edges, each before its predecessors.
fn components(edges: &[(usize, ProcedureId)], procedures: usize) -> Lists<ProcedureId> {
    let mut graph = DiGraph::<(), ()>::with_capacity(procedures, edges.len());
    for _ in 0..procedures {
        graph.add_node(());
    }
    for (caller, callee) in edges {
        graph.add_edge(NodeIndex::new(*caller), NodeIndex::new(callee.index()), ());
    }
    // Not Tarjan's algorithm, which is recursive in this library.
    let components = kosaraju_scc(&graph);
    let mut lists = Lists::default();
    for mut component in components {
        component.sort_unstable();
        lists.push(component.into_iter().map(|node| ProcedureId::new(node.index())));
    }
    lists
}

/// Lists of different lengths in one vector.
#[derive(Clone, Debug)]
struct Lists<T> {
    items: Vec<T>,
    /// The end of each list; list `i` begins at the end of list `i - 1`.
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// Creates `lists` lists from pairs of a list and an item; items keep the order of the pairs.
    fn new(pairs: &[(usize, T)], lists: usize) -> Self {
        let mut ordered: Vec<usize> = (0..pairs.len()).collect();
        ordered.sort_by_key(|pair| pairs[*pair].0);
        let mut ends = vec![0; lists];
        for (list, _) in pairs {
            ends[*list] += 1;
        }
        for list in 1..lists {
            ends[list] += ends[list - 1];
        }
        Self { items: ordered.into_iter().map(|pair| pairs[pair].1).collect(), ends }
    }

    fn push(&mut self, list: impl Iterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[index]]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::super::test_support::model;
    use super::*;
    use std::convert::Infallible;
    use std::fmt::Write as _;

    /// Returns the result of unlimited work.
    fn free() -> Result<(), Infallible> {
        Ok(())
    }

    fn name(model: &Model, procedure: ProcedureId) -> &str {
        model.procedure(procedure).name()
    }

    fn procedure(model: &Model, name: &str) -> ProcedureId {
        let found = model.procedures().iter().position(|procedure| procedure.name() == name);
        ProcedureId::new(found.expect("the procedure is declared"))
    }

    const TEXT: &str = "fn a() { call b; call c; call b; } fn b() { call a; } fn c() { start Q; start Q; }
        fn d() { call d; call c; } fn e() { return; call a; }
        process P { call a; start R; } process Q { call d; } process R { call e; }";

    #[test]
    fn calls_and_starts_are_listed_once() {
        let model = model(TEXT);
        let graph = model.call_graph();
        let callees: Vec<_> =
            graph.callees(procedure(&model, "a")).iter().map(|callee| name(&model, *callee)).collect();
        assert_eq!(callees, ["b", "c"]);
        assert_eq!(graph.call_sites(procedure(&model, "b")).len(), 2);
        assert_eq!(graph.starts(procedure(&model, "c")), [ProcessId::new(1)]);
        // A call that cannot be reached in its procedure does not count.
        assert!(graph.callees(procedure(&model, "e")).is_empty());
    }

    #[test]
    fn components_come_after_their_callees() {
        let model = model(TEXT);
        let graph = model.call_graph();
        let components: Vec<&[ProcedureId]> = graph.components().collect();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| procedure(&model, name));
        assert_eq!(components.iter().map(|component| component.len()).sum::<usize>(), model.procedures().len());
        assert!(components.contains(&[a, b].as_slice()) && components.contains(&[d].as_slice()));
        let place = |procedure| components.iter().position(|component| component.contains(&procedure)).unwrap();
        assert!(place(c) < place(a) && place(c) < place(d));
        for procedure in (0..model.procedures().len()).map(ProcedureId::new) {
            assert!(graph.callees(procedure).iter().all(|callee| place(*callee) <= place(procedure)));
        }
    }

    #[test]
    fn bottom_up_values_agree_with_reachability() {
        let model = model(TEXT);
        let graph = model.call_graph();
        let own: Vec<u64> = (0..model.procedures().len()).map(|index| 1 << index).collect();
        let Ok(all) = graph.bottom_up(own, |all, other| {
            *all |= other;
            free()
        });
        for (index, below) in all.into_iter().enumerate() {
            let reached = graph.reachable([ProcedureId::new(index)]);
            let reaching = |from: &ProcedureId| graph.reaching([*from]).contains(&ProcedureId::new(index));
            assert!(
                (0..model.procedures().len())
                    .map(ProcedureId::new)
                    .all(|other| reaching(&other) == reached.contains(&other))
            );
            assert_eq!(below, reached.iter().fold(0, |all, procedure| all | 1 << procedure.index()));
        }
    }

    #[test]
    fn starts_count_through_calls() {
        let model = model(TEXT);
        let [p, q, r] = [0, 1, 2].map(ProcessId::new);
        let (graph, processes) = (model.call_graph(), model.processes());
        assert_eq!(graph.started_by(processes, |_| free()), Ok([vec![q, r], vec![q], vec![]].to_vec()));
        assert_eq!(graph.starters(processes, |_| free()), Ok([vec![], vec![p, q], vec![p]].to_vec()));
        assert_eq!(graph.starters(processes, |_| Err("enough")), Err("enough"));
    }

    #[test]
    fn any_depth_of_calls_fits_on_a_small_stack() {
        const DEPTH: usize = 100_000;
        let mut text = String::from("shared x; fn f0() { read x; start Q; }");
        for index in 1..DEPTH {
            write!(text, "fn f{index}() {{ call f{}; }}", index - 1).expect("strings take everything");
        }
        write!(text, "process P {{ atomic {{ call f{}; }} }} process Q {{ write x; }}", DEPTH - 1)
            .expect("strings take everything");
        let check = move || {
            let model = model(&text);
            let graph = model.call_graph();
            assert_eq!(graph.components().count(), DEPTH + 2);
            let functions = graph.components().map(|component| component[0].index()).filter(|index| *index < DEPTH);
            assert!(functions.eq(0..DEPTH));
            assert_eq!(graph.reachable([model.processes()[0].body()]).len(), DEPTH + 1);
            assert_eq!(graph.started_by(model.processes(), |_| free()), Ok([vec![ProcessId::new(1)], vec![]].to_vec()));
            let below = graph.bottom_up(vec![1_u64; DEPTH + 2], |all, other| {
                *all = (*all).max(*other);
                free()
            });
            assert_eq!(below, Ok(vec![1; DEPTH + 2]));
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(check).expect("a thread can be started");
        thread.join().expect("the stack is large enough");
    }
}
