//! An interpreter of models that executes given steps of threads.
//!
//! A step has the action of a thread and the position of the statement, but not the branches that lead there. So the
//! interpreter keeps, for every thread, all local states that match the steps so far; usually there is one. Locks are
//! reentrant counters and units a depth, as the language defines them; nothing of the encoding is used.
//!
//! A local state is a node with a stack of calls. Where statements look alike, there can be exponentially many stacks:
//! two calls that look alike at every depth are enough. So stacks are shared by levels. Calls and returns are steps, so
//! all local states that match the same steps are equally deep; and as names of functions are unique, a call step
//! enters one function. Up to the return it does not matter which of the matching calls entered it, and after the
//! return all of them are possible. So a level is the set of calls that may have made the step, and the stacks of all
//! matching states are the choices of one call in each level. By induction over the steps, these are exactly the
//! matching stacks. A step costs at most the number of nodes of one function.

use super::step::{Action, Step};
use eml::model::{LockId, LockKind, Mode, Model, NodeId, Operation, ProcedureId, ProcessId};
use rustc_hash::FxHashSet;

/// All local states of a thread that match the steps so far.
#[derive(Debug)]
pub(super) struct Thread {
    /// The possible next nodes, all in one procedure.
    nodes: Vec<NodeId>,
    /// Calls that have not returned, the last one last: for each, the nodes that may have made it.
    calls: Vec<Vec<NodeId>>,
    /// The number of open units, including inner ones.
    pub(super) unit_depth: usize,
    /// The number of nodes examined for the last step.
    pub(super) examined: usize,
}

impl Thread {
    pub(super) fn new(model: &Model, process: ProcessId) -> Self {
        let nodes = vec![model.procedure(model.process(process).body()).entry()];
        Self { nodes, calls: Vec::new(), unit_depth: 0, examined: 0 }
    }

    /// The lock that the thread wants by a step `wants`, and the mode; `None` if it cannot be about to take a lock.
    /// From then on the thread is at the node that takes it.
    pub(super) fn want(&mut self, model: &Model, step: &Step) -> Option<(LockId, Mode)> {
        let fitting = self.fitting(model, step);
        let wanted = match model.node(*fitting.first()?).operation {
            Operation::Acquire(lock, mode) => (lock, mode),
            Operation::Resume(lock) => (lock, Mode::Write),
            _ => return None,
        };
        self.nodes = fitting;
        Some(wanted)
    }

    /// Executes the step as far as it concerns this thread alone. Returns the executed operation, or `None` if the
    /// thread cannot do this now.
    pub(super) fn execute(&mut self, model: &Model, step: &Step) -> Option<Operation> {
        let fitting = self.fitting(model, step);
        let operation = model.node(*fitting.first()?).operation;
        self.nodes = match operation {
            Operation::Call(callee) => {
                self.calls.push(fitting);
                vec![model.procedure(callee).entry()]
            }
            // There is no successor at the bottom of the stack.
            Operation::Return => successors_of(model, &self.calls.pop().unwrap_or_default()),
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Begin
            | Operation::End
            | Operation::Start(_) => successors_of(model, &fitting),
        };
        match operation {
            Operation::Begin => self.unit_depth += 1,
            Operation::End => self.unit_depth = self.unit_depth.checked_sub(1)?,
            _ => {}
        }
        Some(operation)
    }

    /// Passes the whole call that a step describes: afterwards the thread is at the return site. Returns the function,
    /// or `None` if the thread cannot make this call now.
    pub(super) fn pass_call(&mut self, model: &Model, step: &Step) -> Option<ProcedureId> {
        let fitting = self.fitting(model, step);
        let Operation::Call(callee) = model.node(*fitting.first()?).operation else { return None };
        self.nodes = successors_of(model, &fitting);
        Some(callee)
    }

    /// The nodes whose operation the step describes, after any branching points.
    fn fitting(&mut self, model: &Model, step: &Step) -> Vec<NodeId> {
        if let [node] = self.nodes[..]
            && model.node(node).operation != Operation::Skip
        {
            self.examined = 1;
            return if fits(model, node, step) { vec![node] } else { Vec::new() };
        }
        let mut waiting = self.nodes.clone();
        let mut seen = FxHashSet::default();
        let mut fitting = Vec::new();
        while let Some(node) = waiting.pop() {
            if !seen.insert(node) {
                continue;
            }
            if model.node(node).operation == Operation::Skip {
                waiting.extend(model.successors(node));
            } else if fits(model, node, step) {
                fitting.push(node);
            }
        }
        self.examined = seen.len();
        fitting
    }
}

/// The successors of some nodes, each once.
fn successors_of(model: &Model, nodes: &[NodeId]) -> Vec<NodeId> {
    if let [node] = nodes
        && let [next] = model.successors(*node)
    {
        return vec![*next];
    }
    let mut seen = FxHashSet::default();
    nodes.iter().flat_map(|node| model.successors(*node)).copied().filter(|node| seen.insert(*node)).collect()
}

/// Whether the step describes the operation of the node.
fn fits(model: &Model, id: NodeId, step: &Step) -> bool {
    let node = model.node(id);
    let (action, object) = match node.operation {
        Operation::Skip => return false,
        Operation::Read(at) => (Action::Read, model.location(at).name()),
        Operation::Write(at) => (Action::Write, model.location(at).name()),
        Operation::Acquire(lock, _) => (Action::Acquire, model.lock(lock).name()),
        Operation::Release(lock, _) => (Action::Release, model.lock(lock).name()),
        Operation::Wait(lock) => (Action::Wait, model.lock(lock).name()),
        Operation::Resume(lock) => (Action::Resume, model.lock(lock).name()),
        Operation::Begin => (Action::Begin, ""),
        Operation::End => (Action::End, ""),
        Operation::Call(callee) => (Action::Call, model.procedure(callee).name()),
        Operation::Return => (Action::Return, model.procedure(node.procedure).name()),
        Operation::Start(process) => (Action::Start, model.process(process).name()),
    };
    // The name of an instance is that of its process, perhaps with a number.
    let named = step.object.as_deref().unwrap_or("");
    let named = if action == Action::Start { process_name(named) } else { named };
    let function = model.procedure(node.procedure).name();
    let mode = match node.operation {
        Operation::Acquire(lock, mode) | Operation::Release(lock, mode)
            if model.lock(lock).kind() == LockKind::ReadWrite =>
        {
            Some(mode)
        }
        _ => None,
    };
    let wanted = matches!(action, Action::Acquire | Action::Resume) && step.action == Action::Wants;
    let position = (model.file(node.position.file), node.position.line, node.position.column);
    (action == step.action || wanted)
        && object == named
        && mode == step.mode
        && function == step.function
        && position == (step.file.as_deref(), step.line, step.column)
}

/// The process of an instance, by its name: `P` for `P` and for `P#2`. Front ends may make processes with a `#` in
/// their names, so only the last one counts, if a number follows it.
pub(super) fn process_name(instance: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    instance.rsplit_once('#').filter(|(_, number)| is_number(number)).map_or(instance, |(process, _)| process)
}

#[cfg(test)]
mod tests {
    use super::super::step::Statement;
    use super::*;
    use eml::model::{ModelBuilder, Multiplicity};

    const DEPTH: usize = 200;

    /// `f` calls itself at two places that look alike. After one call it reads, after the other it writes.
    fn recursive() -> Model {
        let mut builder = ModelBuilder::new();
        builder.location("x");
        builder.function("f", |body| {
            body.choose(|ways| {
                ways.block(|way| {
                    way.call("f").read("x");
                });
                ways.block(|way| {
                    way.call("f").write("x");
                });
                ways.block(|way| {
                    way.skip();
                });
            });
            body.return_();
        });
        builder.process("P", Multiplicity::Single, |body| {
            body.call("f");
        });
        builder.build().expect("a model").0
    }

    fn step(action: Action, object: &str, function: &str) -> Step {
        let (function, object) = (function.to_string(), Some(object.to_string()));
        Step::new(0, Statement { function, file: None, line: 1, column: 1, action, object, mode: None })
    }

    /// 2^200 stacks match the calls, and each choice of a read or a write after each call matches one of them. The
    /// number of local states stays small.
    #[test]
    fn calls_that_look_alike_cost_little() {
        let model = recursive();
        let mut thread = Thread::new(&model, ProcessId::new(0));
        let mut most = 0;
        let mut execute = |step: &Step| {
            let executed = thread.execute(&model, step).is_some();
            most = most.max(thread.examined);
            executed
        };
        assert!(execute(&step(Action::Call, "f", "P")));
        for _ in 0..DEPTH {
            assert!(execute(&step(Action::Call, "f", "f")));
        }
        assert!(execute(&step(Action::Return, "f", "f")), "the innermost one calls nothing");
        for depth in 0..DEPTH {
            assert!(!execute(&step(Action::Return, "f", "f")), "an access comes first");
            let access = if depth % 3 == 0 { Action::Read } else { Action::Write };
            assert!(execute(&step(access, "x", "f")));
            assert!(execute(&step(Action::Return, "f", "f")));
        }
        assert!(!execute(&step(Action::Read, "x", "f")), "the first call stands in P");
        assert!(execute(&step(Action::Return, "P", "P")));
        assert!(!execute(&step(Action::Return, "P", "P")), "it is over");
        assert!(most < 20, "{most} local states");
    }
}
