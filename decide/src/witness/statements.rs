//! The statements of a model, made when a witness first needs them and shared by all witnesses after it.

use super::step::{Action, Statement};
use eml::model::{LockKind, Model, NodeId, Operation};
use phases::Mode;
use std::sync::Arc;

/// The statements of the nodes of one model, as far as they were needed. The object of a start is its process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// By node.
    executed: Vec<Option<Arc<Statement>>>,
    /// By node: the instant right before it.
    wanted: Vec<Option<Arc<Statement>>>,
}

impl Statements {
    /// The statement that executes a node, or the instant right before it.
    pub(super) fn of(&mut self, model: &Model, node: NodeId, is_wanted: bool) -> Arc<Statement> {
        let known = if is_wanted { &mut self.wanted } else { &mut self.executed };
        if known.is_empty() {
            known.resize(model.nodes().len(), None);
        }
        known[node.index()].get_or_insert_with(|| Arc::new(statement(model, node, is_wanted))).clone()
    }
}

fn statement(model: &Model, id: NodeId, is_wanted: bool) -> Statement {
    let node = model.node(id);
    let (action, object) = deed(model, id);
    Statement {
        function: model.procedure(node.procedure).name().to_string(),
        file: model.file(node.position.file).map(str::to_string),
        line: node.position.line,
        column: node.position.column,
        action: if is_wanted { Action::Wants } else { action },
        object: object.map(str::to_string),
        mode: written_mode(model, node.operation),
    }
}

/// The action of a node, and the name of its object.
fn deed(model: &Model, id: NodeId) -> (Action, Option<&str>) {
    let node = model.node(id);
    let procedure = |id| Some(model.procedure(id).name());
    let lock = |id| Some(model.lock(id).name());
    let location = |id| Some(model.location(id).name());
    match node.operation {
        Operation::Acquire(id, _) => (Action::Acquire, lock(id)),
        Operation::Release(id, _) => (Action::Release, lock(id)),
        Operation::Wait(id) => (Action::Wait, lock(id)),
        Operation::Resume(id) => (Action::Resume, lock(id)),
        Operation::Read(id) => (Action::Read, location(id)),
        Operation::Write(id) => (Action::Write, location(id)),
        Operation::Begin => (Action::Begin, None),
        Operation::End => (Action::End, None),
        Operation::Call(callee) => (Action::Call, procedure(callee)),
        Operation::Skip | Operation::Return => (Action::Return, procedure(node.procedure)),
        Operation::Start(process) => (Action::Start, Some(model.process(process).name())),
    }
}

/// The mode of an operation on a read-write lock.
fn written_mode(model: &Model, operation: Operation) -> Option<Mode> {
    match operation {
        Operation::Acquire(lock, mode) | Operation::Release(lock, mode) => {
            (model.lock(lock).kind() == LockKind::ReadWrite).then_some(mode)
        }
        Operation::Skip
        | Operation::Read(_)
        | Operation::Write(_)
        | Operation::Wait(_)
        | Operation::Resume(_)
        | Operation::Begin
        | Operation::End
        | Operation::Call(_)
        | Operation::Return
        | Operation::Start(_) => None,
    }
}
