//! An interpreter of models that is told what the threads do.
//!
//! A step says what a thread does and where the statement stands, not which branches lead there. So the interpreter keeps
//! for every thread all the local states that fit the steps so far, usually one. Locks are reentrant counters and units a
//! depth, as the language describes them; none of the encoding is used.
//!
//! Local states are nodes with stacks, and where statements look alike there can be exponentially many stacks: two calls that
//! look alike at every depth are enough. So stacks are shared by levels. Calls and returns are steps, so all local
//! states that fit the same steps are equally deep. One step enters a function from some calls; which one it was matters to nothing
//! up to the return, and from then on all of them are possible. So a level is, for each function that the step
//! may have entered, the local states that may have called it, and a local state is a node with the entry of the
//! topmost level that it belongs to. The stacks of a local state are the paths down through the levels: exactly those that fit, as by
//! induction over the steps each caller of an entry fitted the steps up to the call, and the local states above the entry fit the steps since. There
//! are at most as many local states as nodes times functions of a level.

use super::step::{Action, Step};
use crate::model::{LockId, LockKind, Mode, Model, NodeId, Operation, ProcedureId, ProcessId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function of a level, by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct EntryId(usize);

/// One possible local state: the node to be executed next, and the function of the topmost level that it is in. At the bottom, where no level is,
/// that is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Local {
    node: NodeId,
    entry: EntryId,
}

/// For each function that one call may have entered, the local states that may have called it.
type Level = Vec<Vec<Local>>;

/// All local states that fit.
#[derive(Debug)]
pub(super) struct Thread {
    locals: Vec<Local>,
    /// Calls that have not returned, the last one last.
    levels: Vec<Level>,
    /// Units that are open, inner ones counted.
    pub(super) unit_depth: usize,
    /// The local states that were looked at for the last step.
    pub(super) looked_at: usize,
}

impl Thread {
    pub(super) fn new(model: &Model, process: ProcessId) -> Self {
        let node = model.procedure(model.process(process).body()).entry();
        let locals = vec![Local { node, entry: EntryId(0) }];
        Self { locals, levels: Vec::new(), unit_depth: 0, looked_at: 0 }
    }

    /// The lock that the thread wants by a step `wants`, and the mode; `None` if it cannot be about to take it. From then on it is at the
    /// node that takes it.
    pub(super) fn want(&mut self, model: &Model, step: &Step) -> Option<(LockId, Mode)> {
        let fitting = self.fitting(model, step);
        let wanted = match model.node(fitting.first()?.node).operation {
            Operation::Acquire(lock, mode) => (lock, mode),
            Operation::Resume(lock) => (lock, Mode::Write),
            _ => return None,
        };
        self.locals = fitting;
        Some(wanted)
    }

    /// Executes the step as far as it concerns this thread alone; gives the operation that was executed, or `None` if the
    /// thread cannot do this now.
    pub(super) fn execute(&mut self, model: &Model, step: &Step) -> Option<Operation> {
        let fitting = self.fitting(model, step);
        let operation = model.node(fitting.first()?.node).operation;
        match operation {
            Operation::Call(_) => self.enter(model, &fitting),
            Operation::Return => self.leave(model, &fitting),
            Operation::Begin => self.unit_depth += 1,
            Operation::End => self.unit_depth = self.unit_depth.checked_sub(1)?,
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Start(_) => {}
        }
        if !matches!(operation, Operation::Call(_) | Operation::Return) {
            self.locals = all_behind(model, &fitting);
        }
        Some(operation)
    }

    /// Executes the call that a step describes with all that follows up to its return, as far as the thread is then behind the call;
    /// gives the function, or `None` if the thread cannot make this call now.
    pub(super) fn pass_call(&mut self, model: &Model, step: &Step) -> Option<ProcedureId> {
        let fitting = self.fitting(model, step);
        let Operation::Call(callee) = model.node(fitting.first()?.node).operation else { return None };
        self.locals = all_behind(model, &fitting);
        Some(callee)
    }

    /// The local states at an operation that the step describes, behind all branching.
    fn fitting(&mut self, model: &Model, step: &Step) -> Vec<Local> {
        let mut waiting = self.locals.clone();
        let mut seen = FxHashSet::default();
        let mut fitting = Vec::new();
        while let Some(local) = waiting.pop() {
            if !seen.insert(local) {
                continue;
            }
            if model.node(local.node).operation == Operation::Skip {
                waiting.extend(behind(model, local));
            } else if fits(model, local.node, step) {
                fitting.push(local);
            }
        }
        self.looked_at = seen.len();
        fitting
    }

    /// Enters the functions that are called there.
    fn enter(&mut self, model: &Model, calls: &[Local]) {
        let mut entries = FxHashMap::default();
        let mut level = Level::new();
        self.locals.clear();
        for call in calls {
            let Operation::Call(callee) = model.node(call.node).operation else { continue };
            let entry = *entries.entry(callee).or_insert_with(|| {
                let entry = EntryId(level.len());
                level.push(Vec::new());
                self.locals.push(Local { node: model.procedure(callee).entry(), entry });
                entry
            });
            level[entry.0].push(*call);
        }
        self.levels.push(level);
    }

    /// Returns to wherever the calls may have been; from the bottom there is no way on.
    fn leave(&mut self, model: &Model, returns: &[Local]) {
        let level = self.levels.pop().unwrap_or_default();
        let left: FxHashSet<_> = returns.iter().map(|local| local.entry.0).collect();
        let callers: Vec<_> = left.into_iter().filter_map(|entry| level.get(entry)).flatten().copied().collect();
        self.locals = all_behind(model, &callers);
    }
}

/// The local states behind some, each once.
fn all_behind(model: &Model, locals: &[Local]) -> Vec<Local> {
    let mut seen = FxHashSet::default();
    locals.iter().flat_map(|local| behind(model, *local)).filter(|local| seen.insert(*local)).collect()
}

/// The local states behind a node.
fn behind(model: &Model, local: Local) -> impl Iterator<Item = Local> {
    model.successors(local.node).iter().map(move |next| Local { node: *next, entry: local.entry })
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
    // An instance is called by its process, perhaps with a number.
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

/// The process that an instance belongs to by its name: `P` of `P` and of `P#2`. Processes that front ends make may have a `#` in their
/// names: what counts is the last one, with a number behind it.
pub(super) fn process_name(instance: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    instance.rsplit_once('#').filter(|(_, number)| is_number(number)).map_or(instance, |(process, _)| process)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelBuilder, Multiplicity};

    const DEPTH: usize = 200;

    /// `f` calls itself at two places that look alike; behind one it reads, behind the other it writes.
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
        Step {
            thread: 0,
            action,
            object: Some(object.to_string()),
            mode: None,
            function: function.to_string(),
            file: None,
            line: 1,
            column: 1,
            event: None,
            returns: false,
            steps: None,
        }
    }

    /// 2^200 stacks fit the calls, and each choice of a read or a write behind each call fits one of them. The local states stay few.
    #[test]
    fn calls_that_look_alike_cost_little() {
        let model = recursive();
        let mut thread = Thread::new(&model, ProcessId::new(0));
        let mut most = 0;
        let mut execute = |step: &Step| {
            let executed = thread.execute(&model, step).is_some();
            most = most.max(thread.looked_at);
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
