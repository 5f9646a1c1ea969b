//! Execution of one state: the step tree under construction and the present position.

use super::context::{Branch, ContextId, Point, StateIndex, StepTree, Steps, Successor};
use super::state::State;
use crate::facts::method::Method;
use crate::value::Value;
use java::ir::Variable;
use java::{InvokeKind, Member};
use rustc_hash::FxHashSet;

/// The execution of one state.
pub(crate) struct Execution {
    pub(crate) tree: StepTree,
    /// The present point in the method.
    pub(crate) current: Point,
    /// The successors in the tree, each with its preceding branch, line and point.
    pub(crate) successors: FxHashSet<(Option<usize>, Successor, u32, Point)>,
    /// Pending work: the last branch, the point and the state.
    pub(crate) worklist: Vec<(Option<usize>, Point, State)>,
}

impl Execution {
    /// Adds steps after a branch; returns the new branch.
    pub(crate) fn add_steps(&mut self, after: Option<usize>, steps: Steps, line: u32) -> Option<usize> {
        self.tree.push(Branch { after, steps: Some(steps), line, at: self.current, successor: None });
        Some(self.tree.len() - 1)
    }

    /// Adds a successor after a branch, once.
    pub(super) fn add_successor(&mut self, after: Option<usize>, successor: Successor, line: u32) {
        if self.successors.insert((after, successor, line, self.current)) {
            self.tree.push(Branch { after, steps: None, line, at: self.current, successor: Some(successor) });
        }
    }

    /// Schedules a point with a state after a branch.
    pub(super) fn continue_at(&mut self, after: Option<usize>, point: Point, state: State) {
        self.worklist.push((after, point, state));
    }
}

/// The position of an execution.
#[derive(Clone, Copy)]
pub(crate) struct Position<'a> {
    pub(crate) id: ContextId,
    pub(crate) number: StateIndex,
    pub(crate) code: &'a Method,
    pub(crate) point: Point,
    /// The preceding branch.
    pub(crate) after: Option<usize>,
    /// Whether other threads may have the object whose constructor runs.
    pub(crate) is_published: bool,
    /// Whether reads are discarded: an optimistic read that fails validation.
    pub(crate) is_discarded: bool,
}

impl<'a> Position<'a> {
    /// The context and state, as a caller of other contexts.
    pub(crate) fn caller(self) -> (ContextId, StateIndex) {
        (self.id, self.number)
    }

    /// The next statement.
    pub(crate) fn next(self) -> Point {
        Point { index: self.point.index + 1, ..self.point }
    }

    /// The source line.
    pub(crate) fn line(self) -> u32 {
        let block = self.code.block(self.point);
        block.statements.get(self.point.index as usize).map_or(block.line, |statement| statement.line)
    }

    pub(crate) fn handlers(self) -> &'a [java::ir::ExceptionEdge] {
        let block = self.code.block(self.point);
        block.statements.get(self.point.index as usize).map_or(&block.handlers, |statement| &statement.handlers)
    }

    /// The static type of a variable.
    pub(super) fn variable_type(self, variable: Variable) -> Option<java::Type> {
        self.code.body.variable(variable).of
    }
}

/// One exit of a call: the last branch, the state, and the result; no result if it throws.
pub(crate) type CallExit = (Option<usize>, State, Option<Value>);

/// A call with the values of its arguments.
pub(crate) struct Call<'a> {
    pub(crate) kind: InvokeKind,
    pub(crate) member: Member,
    pub(crate) values: Vec<Value>,
    /// The variables of the arguments, if the call is a statement.
    pub(crate) variables: Option<&'a [Variable]>,
    /// The variable that gets the result.
    pub(crate) to: Option<Variable>,
}
