//! From the lock operations of a path back to the nodes of the model.
//!
//! What an engine finds is a path through a reduced graph. All that an interleaving needs of it are the lock operations
//! of each phase, so a path through the model is looked for that does the same: the unreduced process in product with that
//! one sequence of operations and with the local word, again a pushdown system, and a shortest run of it. Control states
//! are how many operations are done, over all phases; a phase ends when all of its own are.

use super::clone::ClonedProcess;
use super::flow::{FlowNode, Label};
use super::word::{Conduct, LocalWord};
use crate::limits::{Meter, StopReason};
use crate::model::NodeId;
use crate::witness::LocalPath;
use lockhist::Operation;
use phases::Turn;
use wpds::{Control, MinPlus, PostStar, Progress, RuleSink, Rules, Summary, Symbol, System};

/// The lock operations of a path in each phase.
pub(crate) type Operations = Vec<Vec<Operation>>;

/// How many steps of the search are made between two looks at the limits.
const STEPS: usize = 1024;

/// A shortest path of the process that does its part of the word with exactly these operations; `None` if there is none.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn unfold(
    process: &ClonedProcess,
    word: &LocalWord,
    operations: &Operations,
    meter: &Meter,
) -> Result<Option<LocalPath>, StopReason> {
    let script = Script::new(process, word, operations);
    let goal = script.goal();
    let mut post = PostStar::new(&MinPlus, System::lazy(script));
    let start = Symbol::new(process.graph().entry().index() as u32);
    let Ok(()) = post.start(&mut MinPlus, Control::new(0), start);
    loop {
        let Ok(progress) = post.advance(&mut MinPlus, STEPS);
        if progress == Progress::Saturated {
            break;
        }
        meter.check()?;
    }
    let Ok(summary) = Summary::of(&mut MinPlus, &post);
    let Ok(length) = summary.total(&mut MinPlus, &post, goal);
    let run = length.and_then(|length| summary.run(&mut MinPlus, &post, goal, &length));
    Ok(run.map(|run| {
        let script = post.system().source();
        let mut path = vec![Vec::new(); word.len()];
        for rule in run {
            let (control, _) = post.system().left(rule);
            let executed = script.executed[rule.index()];
            path[script.states[control.index()].phase].extend(executed);
        }
        LocalPath(path)
    }))
}

/// A point of the script: a phase, and how many of its operations are done.
#[derive(Clone, Copy, Debug)]
struct Point {
    phase: usize,
    done: usize,
}

/// The process in product with what it has to do.
struct Script<'a> {
    process: &'a ClonedProcess,
    word: &'a LocalWord,
    operations: &'a Operations,
    /// The points in order; after the last operation of a phase the next phase follows, after the last phase the end.
    states: Vec<Point>,
    /// Per rule, the node that is executed; none for ticks.
    executed: Vec<Option<NodeId>>,
}

impl<'a> Script<'a> {
    fn new(process: &'a ClonedProcess, word: &'a LocalWord, operations: &'a Operations) -> Self {
        let points = |phase: usize| (0..=operations[phase].len()).map(move |done| Point { phase, done });
        let states = (0..word.len()).flat_map(points).collect();
        Self { process, word, operations, states, executed: Vec::new() }
    }

    /// The control state in which the process has done its part: the end if it takes the last transition itself, otherwise
    /// the end of the last phase.
    fn goal(&self) -> Control {
        let own = self.word.0.last().is_some_and(|last| last.turn != Turn::Tick);
        Control::new((self.states.len() - usize::from(!own)) as u32)
    }

    fn step(&mut self, to: usize, target: FlowNode, executed: NodeId, sink: &mut RuleSink<'_, Option<u64>>) {
        sink.step(Control::new(to as u32), Symbol::new(target.index() as u32), Some(1));
        self.executed.push(Some(executed));
    }
}

impl Rules<Option<u64>> for Script<'_> {
    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, Option<u64>>) {
        let (here, node) = (control.index(), FlowNode::new(symbol.index()));
        let Some(point) = self.states.get(here).copied() else { return };
        let phase = &self.word.0[point.phase];
        let next = self.operations[point.phase].get(point.done).copied();
        if next.is_none() && phase.turn == Turn::Tick && here + 1 < self.states.len() {
            sink.step(Control::new((here + 1) as u32), symbol, Some(0));
            self.executed.push(None);
        }
        if phase.conduct == Conduct::Absent {
            return;
        }
        let origin = self.process.origin(node);
        for edge in self.process.graph().edges(node) {
            if next.is_none() && edge.label.takes(&phase.turn) {
                self.step(here + 1, edge.target, origin, sink);
            }
            match edge.label {
                Label::Lock(operation) if next == Some(operation) => self.step(here + 1, edge.target, origin, sink),
                Label::Lock(_) => {}
                Label::Act(action) if phase.conduct.forbids(&action) => {}
                Label::Call(entry) => {
                    let [entry, back] = [entry, edge.target].map(|node| Symbol::new(node.index() as u32));
                    sink.push(control, entry, back, Some(1));
                    self.executed.push(Some(origin));
                }
                Label::Plain | Label::Act(_) | Label::Start(_) => self.step(here, edge.target, origin, sink),
            }
        }
        if self.process.graph().returns(node) {
            sink.pop(control, Some(1));
            self.executed.push(Some(origin));
        }
    }
}
