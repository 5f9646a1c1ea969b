//! How many instances of each process can run.
//!
//! An upper bound, up to "several": a process has its initial instances, or, if it is started, the sum over all
//! processes of (their bound) times (the most `start`s of it along one execution of their body, the functions that it
//! calls included). Both are least fixpoints of monotone equations over 0, 1, many, so that loops and recursion need
//! no special treatment: going around once more adds once more, up to many. What the locks or the other processes
//! prevent is not considered, and a function is taken to return.

use std::collections::VecDeque;

use super::declarations::{Procedure, Process};
use super::graph::{Graph, Operation};
use super::ids::{NodeId, ProcessId};

/// The number of instances of a process, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstanceBound {
    /// None.
    #[default]
    Zero,
    /// At most one.
    One,
    /// Perhaps two or more.
    Several,
}

/// How many processes are counted at once.
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
    /// The number one for one process.
    fn single(lane: usize) -> Self {
        Self { one: 1 << lane, two: 0 }
    }

    /// The sums, where two and more are the same.
    fn plus(self, other: Self) -> Self {
        Self { one: self.one | other.one, two: self.two | other.two | (self.one & other.one) }
    }

    /// Raises each number to the other one if that is greater; returns whether any changed.
    fn raise_to(&mut self, other: Self) -> bool {
        let before = *self;
        self.one |= other.one;
        self.two |= other.two;
        *self != before
    }

    /// The number of one process.
    fn bound(self, lane: usize) -> InstanceBound {
        match (self.one >> lane & 1, self.two >> lane & 1) {
            (0, _) => InstanceBound::Zero,
            (_, 0) => InstanceBound::One,
            _ => InstanceBound::Several,
        }
    }
}

/// The bounds of all processes, by their index. Takes time in proportion to the size of the graphs for every 64
/// processes that are started.
pub(super) fn bounds(graph: &Graph, procedures: &[Procedure], processes: &[Process]) -> Vec<InstanceBound> {
    let initial: Vec<InstanceBound> = processes.iter().map(Process::initial_instances).collect();
    let started: Vec<ProcessId> =
        (0..processes.len()).filter(|&index| processes[index].is_started).map(ProcessId::new).collect();
    if started.is_empty() {
        return initial;
    }
    let starts: Vec<Vec<Counts>> = started
        .chunks(LANES)
        .map(|counted| {
            let counts = StartCounts::new(graph, procedures.len(), processes.len(), counted);
            let of_procedures = counts.solve();
            processes.iter().map(|process| of_procedures[process.body.index()]).collect()
        })
        .collect();
    spread(initial, &started, &starts)
}

/// Lets every process start others until no bound changes. `starts[c][q]` counts what one instance of process `q`
/// starts of the processes in chunk `c` of `started`.
fn spread(mut bounds: Vec<InstanceBound>, started: &[ProcessId], starts: &[Vec<Counts>]) -> Vec<InstanceBound> {
    let mut totals = vec![Counts::default(); starts.len()];
    let mut spread = vec![InstanceBound::Zero; bounds.len()];
    let mut queue: VecDeque<usize> = (0..bounds.len()).collect();
    while let Some(starter) = queue.pop_front() {
        // Two instances start at least two of everything that one of them starts.
        let more = bounds[starter] as usize - spread[starter] as usize;
        spread[starter] = bounds[starter];
        for _ in 0..more {
            for (chunk, counts) in starts.iter().enumerate() {
                let sum = totals[chunk].plus(counts[starter]);
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

/// Counts the starts of up to 64 processes along the executions of every procedure.
struct StartCounts<'a> {
    graph: &'a Graph,
    /// The lane of each process that is counted.
    lanes: Vec<Option<usize>>,
    /// The calls of each procedure.
    callers: Vec<Vec<NodeId>>,
    /// The most starts before each node.
    before: Vec<Counts>,
    /// The most starts along an execution of each procedure.
    within: Vec<Counts>,
}

impl<'a> StartCounts<'a> {
    fn new(graph: &'a Graph, procedures: usize, processes: usize, counted: &[ProcessId]) -> Self {
        let mut lanes = vec![None; processes];
        for (lane, process) in counted.iter().enumerate() {
            lanes[process.index()] = Some(lane);
        }
        let mut callers = vec![Vec::new(); procedures];
        for (id, node) in graph.nodes() {
            if let Operation::Call(callee) = node.operation {
                callers[callee.index()].push(id);
            }
        }
        Self {
            graph,
            lanes,
            callers,
            before: vec![Counts::default(); graph.len()],
            within: vec![Counts::default(); procedures],
        }
    }

    /// The most starts along an execution of each procedure, complete or not.
    fn solve(mut self) -> Vec<Counts> {
        let mut queue: VecDeque<NodeId> = self.graph.nodes().map(|(id, _)| id).collect();
        let mut is_queued = vec![true; self.graph.len()];
        while let Some(node) = queue.pop_front() {
            is_queued[node.index()] = false;
            let mut enqueue = |node: NodeId| {
                if !std::mem::replace(&mut is_queued[node.index()], true) {
                    queue.push_back(node);
                }
            };
            let after = self.before[node.index()].plus(self.weight(node));
            for &successor in self.graph.successors(node) {
                if self.before[successor.index()].raise_to(after) {
                    enqueue(successor);
                }
            }
            let procedure = self.graph.node(node).procedure.index();
            if self.within[procedure].raise_to(after) {
                self.callers[procedure].iter().copied().for_each(enqueue);
            }
        }
        self.within
    }

    /// What one execution of a node starts.
    fn weight(&self, node: NodeId) -> Counts {
        match self.graph.node(node).operation {
            Operation::Start(process) => self.lanes[process.index()].map_or_else(Counts::default, Counts::single),
            Operation::Call(callee) => self.within[callee.index()],
            _ => Counts::default(),
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
    fn without_starts_the_text_says_it() {
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
