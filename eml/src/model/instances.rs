//! Upper bounds of the number of instances of each process.
//!
//! A bound is zero, one or several. A process that is not started has its initial instances. A started process has the
//! sum over all processes of (their bound) times (the maximal number of its `start`s along one execution of their body,
//! called functions included). Both are least fixpoints of monotone equations over 0, 1, several; so loops and
//! recursion need no special treatment: each iteration adds its starts, up to several. Restrictions by locks and by
//! other processes are ignored, and every function is assumed to return.

use std::collections::VecDeque;

use super::call_graph::CallGraph;
use super::declarations::{InstanceBound, Procedure, Process};
use super::graph::{Graph, Operation};
use super::ids::{NodeId, ProcedureId, ProcessId};

/// The number of processes that are counted at once.
const LANES: usize = u64::BITS as usize;

/// For each of up to 64 processes a number: none, one, or two and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// The processes with one or more.
    one: u64,
    /// The processes with two or more, a subset.
    two: u64,
}

impl Counts {
    /// Returns the number one for one process.
    fn single(lane: usize) -> Self {
        Self { one: 1 << lane, two: 0 }
    }

    /// Returns the sums; two stands for two and more.
    fn plus(self, other: Self) -> Self {
        Self { one: self.one | other.one, two: self.two | other.two | (self.one & other.one) }
    }

    /// Raises each number to the other one if that is greater; returns whether a number changed.
    fn raise_to(&mut self, other: Self) -> bool {
        let before = *self;
        self.one |= other.one;
        self.two |= other.two;
        *self != before
    }

    /// Returns the number of one process.
    fn bound(self, lane: usize) -> InstanceBound {
        match (self.one >> lane & 1, self.two >> lane & 1) {
            (0, _) => InstanceBound::Zero,
            (_, 0) => InstanceBound::One,
            _ => InstanceBound::Several,
        }
    }
}

/// Computes the bounds of all processes, by their index. For every 64 started processes this takes time in proportion
/// to the size of the procedures that start one of them or reach such a procedure by calls.
pub(super) fn bounds(
    graph: &Graph,
    procedures: &[Procedure],
    calls: &CallGraph,
    processes: &[Process],
) -> Vec<InstanceBound> {
    let initial: Vec<InstanceBound> = processes.iter().map(Process::initial_instances).collect();
    let started: Vec<ProcessId> =
        (0..processes.len()).filter(|&index| processes[index].is_started).map(ProcessId::new).collect();
    let starting = starting(calls, processes.len());
    let mut counts = StartCounts::new(graph, procedures, calls, processes.len());
    let mut starts = vec![Vec::new(); processes.len()];
    for (chunk, counted) in started.chunks(LANES).enumerate() {
        let roots = counted.iter().flat_map(|process| &starting[process.index()]).copied();
        for (procedure, count) in counts.solve(counted, &calls.reaching(roots)) {
            if let Some(process) = procedures[procedure.index()].process {
                starts[process.index()].push((chunk, count));
            }
        }
    }
    spread(initial, &started, &starts)
}

/// Returns for each process the procedures with a `start` of it.
fn starting(calls: &CallGraph, processes: usize) -> Vec<Vec<ProcedureId>> {
    let mut starting = vec![Vec::new(); processes];
    for procedure in (0..calls.procedures()).map(ProcedureId::new) {
        for process in calls.starts(procedure) {
            starting[process.index()].push(procedure);
        }
    }
    starting
}

/// Propagates bounds along starts until no bound changes. `starts[q]` has pairs of a chunk of `started` and the number
/// of starts of its processes by one instance of process `q`.
fn spread(
    mut bounds: Vec<InstanceBound>,
    started: &[ProcessId],
    starts: &[Vec<(usize, Counts)>],
) -> Vec<InstanceBound> {
    let mut totals = vec![Counts::default(); started.len().div_ceil(LANES)];
    let mut spread = vec![InstanceBound::Zero; bounds.len()];
    let mut queue: VecDeque<usize> = (0..bounds.len()).collect();
    while let Some(starter) = queue.pop_front() {
        // Two instances start at least two instances of every process that one of them starts.
        let more = bounds[starter] as usize - spread[starter] as usize;
        spread[starter] = bounds[starter];
        for _ in 0..more {
            for &(chunk, counts) in &starts[starter] {
                let sum = totals[chunk].plus(counts);
                if !totals[chunk].raise_to(sum) {
                    continue;
                }
                for (lane, process) in started[chunk * LANES..].iter().take(LANES).enumerate() {
                    let bound = &mut bounds[process.index()];
                    if *bound < sum.bound(lane) {
                        *bound = sum.bound(lane);
                        queue.push_back(process.index());
                    }
                }
            }
        }
    }
    bounds
}

/// Counts the starts of up to 64 processes at a time along the executions of procedures. Between two calls of
/// [`solve`](Self::solve) all counts are zero.
struct StartCounts<'a> {
    graph: &'a Graph,
    procedures: &'a [Procedure],
    calls: &'a CallGraph,
    /// The lane of each counted process.
    lanes: Vec<Option<usize>>,
    /// The maximal number of starts before each node.
    before: Vec<Counts>,
    /// The maximal number of starts along an execution of each procedure, complete or not.
    within: Vec<Counts>,
    is_queued: Vec<bool>,
}

impl<'a> StartCounts<'a> {
    fn new(graph: &'a Graph, procedures: &'a [Procedure], calls: &'a CallGraph, processes: usize) -> Self {
        Self {
            graph,
            procedures,
            calls,
            lanes: vec![None; processes],
            before: vec![Counts::default(); graph.len()],
            within: vec![Counts::default(); calls.procedures()],
            is_queued: vec![false; graph.len()],
        }
    }

    /// Counts the starts of these processes in these procedures. No other procedure starts one of them or reaches such
    /// a start by calls.
    fn solve(&mut self, counted: &[ProcessId], procedures: &[ProcedureId]) -> Vec<(ProcedureId, Counts)> {
        for (lane, process) in counted.iter().enumerate() {
            self.lanes[process.index()] = Some(lane);
        }
        let mut queue = VecDeque::new();
        for procedure in procedures {
            queue.extend(self.procedures[procedure.index()].nodes());
        }
        queue.iter().for_each(|node| self.is_queued[node.index()] = true);
        while let Some(node) = queue.pop_front() {
            self.is_queued[node.index()] = false;
            self.advance(node, &mut queue);
        }
        let found = procedures.iter().map(|procedure| (*procedure, self.within[procedure.index()])).collect();
        for procedure in procedures {
            self.within[procedure.index()] = Counts::default();
            let nodes = self.procedures[procedure.index()].nodes();
            nodes.for_each(|node| self.before[node.index()] = Counts::default());
        }
        counted.iter().for_each(|process| self.lanes[process.index()] = None);
        found
    }

    /// Propagates the counts through a node, and queues the nodes whose counts change.
    fn advance(&mut self, node: NodeId, queue: &mut VecDeque<NodeId>) {
        let after = self.before[node.index()].plus(self.weight(node));
        for &successor in self.graph.successors(node) {
            if self.before[successor.index()].raise_to(after) {
                self.enqueue(successor, queue);
            }
        }
        let procedure = self.graph.node(node).procedure;
        if self.within[procedure.index()].raise_to(after) {
            let calls = self.calls;
            calls.call_sites(procedure).iter().for_each(|call| self.enqueue(*call, queue));
        }
    }

    fn enqueue(&mut self, node: NodeId, queue: &mut VecDeque<NodeId>) {
        if !std::mem::replace(&mut self.is_queued[node.index()], true) {
            queue.push_back(node);
        }
    }

    /// Returns the starts by one execution of a node.
    fn weight(&self, node: NodeId) -> Counts {
        match self.graph.node(node).operation {
            Operation::Start(process) => self.lanes[process.index()].map_or_else(Counts::default, Counts::single),
            Operation::Call(callee) => self.within[callee.index()],
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Begin
            | Operation::End
            | Operation::Return => Counts::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::model;
    use super::InstanceBound::{One, Several, Zero};
    use super::*;

    fn check(text: &str, expected: &[InstanceBound]) {
        let model = model(text);
        let bounds: Vec<InstanceBound> = model.processes().iter().map(Process::instance_bound).collect();
        assert_eq!(bounds, expected, "{text}");
    }

    #[test]
    fn without_starts_the_multiplicity_is_the_bound() {
        check("process P { } process Q * 1 { } process R * 2 { } process S * many { }", &[One, One, Several, Several]);
    }

    #[test]
    fn starts_along_one_execution_are_added() {
        check("process P { start Q; } process Q { }", &[One, One]);
        check("process P { start Q; start Q; } process Q { }", &[One, Several]);
        check("process P { choose { start Q; } or { start Q; } } process Q { }", &[One, One]);
        check("process P { loop { start Q; } } process Q { }", &[One, Several]);
        check("process P { return; start Q; } process Q { }", &[One, Zero]);
        check("process P { l: start Q; choose { goto l; } or { } } process Q { }", &[One, Several]);
    }

    #[test]
    fn called_functions_count() {
        check("fn f() { start Q; } process P { call f; call f; } process Q { }", &[One, Several]);
        check("fn f() { start Q; choose { call f; } or { } } process P { call f; } process Q { }", &[One, Several]);
        check("fn f() { choose { call f; } or { start Q; } } process P { call f; } process Q { }", &[One, One]);
        check("fn f() { start Q; } process P { } process Q { }", &[One, Zero]);
    }

    #[test]
    fn starters_multiply() {
        check("process P * 2 { start Q; } process Q { start R; } process R { }", &[Several, Several, Several]);
        check(
            "process R { } process Q { start R; } process P { start Q; } process S { start R; }",
            &[Several, One, One, One],
        );
    }

    #[test]
    fn a_process_that_starts_itself_has_several_instances_if_any() {
        check("process P { start P; }", &[Zero]);
        check("process P { start P; } process Q { start P; }", &[Several, One]);
        check("process P { start Q; } process Q { start P; }", &[Zero, Zero]);
    }

    #[test]
    fn any_depth_of_starts_is_counted_on_a_small_stack() {
        const DEPTH: usize = 100_000;
        let mut text = String::from("process P0 { start P1; }");
        for index in 1..DEPTH {
            text.push_str(&format!("fn f{index}() {{ start P{}; }} process P{index} {{ call f{index}; }}", index + 1));
        }
        text.push_str(&format!("process P{DEPTH} {{ }}"));
        let check = move || check(&text, &vec![One; DEPTH + 1]);
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(check).expect("a thread can be started");
        thread.join().expect("the stack is large enough");
    }

    #[test]
    fn any_number_of_processes_is_counted() {
        let mut text = "process Main {".to_string();
        for index in 0..200 {
            text.push_str(&format!("start P{index};"));
        }
        text.push_str("start P150; }");
        for index in 0..200 {
            text.push_str(&format!("process P{index} {{ }}"));
        }
        let mut expected = vec![One; 201];
        expected[151] = Several;
        check(&text, &expected);
    }
}
