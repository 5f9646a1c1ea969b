//! An interpreter of models that is told what the threads do.
//!
//! A step says what a thread does and where the statement stands, not which branches lead there. So the interpreter keeps
//! for every thread all the local states that fit the steps so far, usually one. Locks are reentrant counters and units a
//! depth, as the language describes them; none of the encoding is used.

use super::step::{Action, Step};
use crate::model::{LockId, LockKind, Mode, Model, NodeId, Operation, ProcedureId, ProcessId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Calls that have not returned, the last one first.
#[derive(Debug)]
struct Frame {
    call: NodeId,
    below: Stack,
}

type Stack = Option<Rc<Frame>>;

impl Drop for Frame {
    /// One frame after the other: dropped with its owner, each would take its place on the stack of the program.
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(mut frame) = below.and_then(Rc::into_inner) {
            below = frame.below.take();
        }
    }
}

/// A frame that is never shared more than needed, for comparing stacks by identity.
fn identity(stack: &Stack) -> usize {
    stack.as_ref().map_or(0, |frame| Rc::as_ptr(frame) as usize)
}

/// One possible local state: the node to be executed next, and the calls around it.
#[derive(Clone, Debug)]
struct Local {
    node: NodeId,
    stack: Stack,
}

/// All local states that fit.
#[derive(Debug)]
pub(super) struct Thread {
    locals: Vec<Local>,
    /// Units that are open, inner ones counted.
    pub(super) unit_depth: usize,
}

impl Thread {
    pub(super) fn new(model: &Model, process: ProcessId) -> Self {
        let node = model.procedure(model.process(process).body()).entry();
        Self { locals: vec![Local { node, stack: None }], unit_depth: 0 }
    }

    /// The lock that the thread wants by a step `wants`, and the mode; `None` if it cannot be about to take it. From then on it is at the
    /// node that takes it.
    pub(super) fn want(&mut self, model: &Model, step: &Step) -> Option<(LockId, Mode)> {
        let fitting: Vec<_> = self.ready(model).into_iter().filter(|local| fits(model, local.node, step)).collect();
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
        let fitting: Vec<_> = self.ready(model).into_iter().filter(|local| fits(model, local.node, step)).collect();
        let operation = model.node(fitting.first()?.node).operation;
        self.locals = distinct(fitting.iter().flat_map(|local| after(model, local)));
        match operation {
            Operation::Begin => self.unit_depth += 1,
            Operation::End => self.unit_depth = self.unit_depth.checked_sub(1)?,
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Call(_)
            | Operation::Return
            | Operation::Start(_) => {}
        }
        Some(operation)
    }

    /// Executes the call that a step describes with all that follows up to its return, as far as the thread is then behind the call;
    /// gives the function, or `None` if the thread cannot make this call now.
    pub(super) fn pass_call(&mut self, model: &Model, step: &Step) -> Option<ProcedureId> {
        let fitting: Vec<_> = self.ready(model).into_iter().filter(|local| fits(model, local.node, step)).collect();
        let Operation::Call(callee) = model.node(fitting.first()?.node).operation else { return None };
        self.locals = distinct(fitting.iter().flat_map(|local| behind(model, local.node, &local.stack)));
        Some(callee)
    }

    /// The local states at the next operations that leave a step, behind all branching.
    fn ready(&self, model: &Model) -> Vec<Local> {
        let mut waiting = self.locals.clone();
        let mut seen = FxHashSet::default();
        let mut ready = Vec::new();
        while let Some(local) = waiting.pop() {
            if !seen.insert((local.node, identity(&local.stack))) {
                continue;
            }
            if model.node(local.node).operation == Operation::Skip {
                waiting.extend(after(model, &local));
            } else {
                ready.push(local);
            }
        }
        ready
    }
}

fn distinct(locals: impl Iterator<Item = Local>) -> Vec<Local> {
    let mut seen = FxHashSet::default();
    locals.filter(|local| seen.insert((local.node, identity(&local.stack)))).collect()
}

/// The local states after the operation of a local state.
fn after(model: &Model, local: &Local) -> Vec<Local> {
    match model.node(local.node).operation {
        Operation::Call(callee) => {
            let stack = Some(Rc::new(Frame { call: local.node, below: local.stack.clone() }));
            vec![Local { node: model.procedure(callee).entry(), stack }]
        }
        Operation::Return => {
            local.stack.as_ref().map_or_else(Vec::new, |frame| behind(model, frame.call, &frame.below).collect())
        }
        Operation::Skip
        | Operation::Read(_)
        | Operation::Write(_)
        | Operation::Acquire(..)
        | Operation::Release(..)
        | Operation::Wait(_)
        | Operation::Resume(_)
        | Operation::Begin
        | Operation::End
        | Operation::Start(_) => behind(model, local.node, &local.stack).collect(),
    }
}

/// The local states behind a node.
fn behind(model: &Model, node: NodeId, stack: &Stack) -> impl Iterator<Item = Local> {
    model.successors(node).iter().map(|next| Local { node: *next, stack: stack.clone() })
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
