//! Execution of one state: the step tree under construction and the present position.

use super::context::{Branch, ContextId, Point, StateIndex, StepTree, Steps, Successor};
use super::method::Method;
use super::state::State;
use java::ir::Variable;
use rustc_hash::FxHashSet;

/// The execution of one state.
pub(super) struct Execution {
    pub(super) tree: StepTree,
    /// The present point in the method.
    pub(super) current: Point,
    /// The successors in the tree, each with its preceding branch, line and point.
    pub(super) successors: FxHashSet<(Option<usize>, Successor, u32, Point)>,
    /// Pending work: the last branch, the point and the state.
    pub(super) worklist: Vec<(Option<usize>, Point, State)>,
}

impl Execution {
    /// Adds steps after a branch; returns the new branch.
    pub(super) fn add_steps(&mut self, after: Option<usize>, steps: Steps, line: u32) -> Option<usize> {
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
pub(super) struct Position<'a> {
    pub(super) id: ContextId,
    pub(super) number: StateIndex,
    pub(super) code: &'a Method,
    pub(super) point: Point,
    /// The preceding branch.
    pub(super) after: Option<usize>,
    /// Whether other threads may have the object whose constructor runs.
    pub(super) is_published: bool,
    /// Whether reads are discarded: an optimistic read that fails validation.
    pub(super) is_discarded: bool,
}

impl<'a> Position<'a> {
    /// The context and state, as a caller of other contexts.
    pub(super) fn caller(self) -> (ContextId, StateIndex) {
        (self.id, self.number)
    }

    /// The next statement.
    pub(super) fn next(self) -> Point {
        Point { index: self.point.index + 1, ..self.point }
    }

    /// The source line.
    pub(super) fn line(self) -> u32 {
        let block = self.code.block(self.point);
        block.statements.get(self.point.index as usize).map_or(block.line, |statement| statement.line)
    }

    pub(super) fn handlers(self) -> &'a [java::ir::ExceptionEdge] {
        let block = self.code.block(self.point);
        block.statements.get(self.point.index as usize).map_or(&block.handlers, |statement| &statement.handlers)
    }

    /// The static type of a variable.
    pub(super) fn variable_type(self, variable: Variable) -> Option<java::Type> {
        self.code.body.variable(variable).of
    }
}
