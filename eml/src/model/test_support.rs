//! Helpers of the unit tests.

use std::fmt::Write as _;

use super::graph::Operation;
use super::{Model, ModelError, ProcedureId};
use crate::syntax::{self, Span};

/// Returns the model of a correct text.
pub(super) fn model(text: &str) -> Model {
    let program = syntax::parse(text).expect("the text parses");
    match Model::from_program(&program) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

/// Returns the errors of a text that parses.
pub(super) fn errors(text: &str) -> Vec<ModelError> {
    let program = syntax::parse(text).expect("the text parses");
    Model::from_program(&program).expect_err("the text is no model").into_iter().collect()
}

/// Returns the position of the start of a span.
pub(super) fn line_and_column(span: Span) -> (u32, u32) {
    (span.start.line, span.start.column)
}

/// Lists the graph of a procedure, one node a line: number, operation, position, successors.
pub(super) fn listing(model: &Model, procedure: usize) -> String {
    let procedure = model.procedure(ProcedureId::new(procedure));
    let first = procedure.nodes().next().map_or(0, |node| node.index());
    let mut text = String::new();
    for id in procedure.nodes() {
        let node = model.node(id);
        let operation = match node.operation {
            Operation::Read(location) => format!("read {}", model.location(location).name()),
            Operation::Write(location) => format!("write {}", model.location(location).name()),
            Operation::Acquire(lock, mode) => format!("acquire {}", model.describe_lock(lock, mode)),
            Operation::Release(lock, mode) => format!("release {}", model.describe_lock(lock, mode)),
            Operation::Wait(lock) => format!("wait {}", model.lock(lock).name()),
            Operation::Resume(lock) => format!("resume {}", model.lock(lock).name()),
            Operation::Call(callee) => format!("call {}", model.procedure(callee).name()),
            Operation::Start(process) => format!("start {}", model.process(process).name()),
            other => format!("{other:?}").to_lowercase(),
        };
        let (line, column) = (node.position.line, node.position.column);
        let number = id.index() - first;
        write!(text, "{number} {operation} @{line}:{column}").expect("strings take everything");
        for successor in model.successors(id) {
            write!(text, " {}", successor.index() - first).expect("strings take everything");
        }
        text.push('\n');
    }
    text
}
