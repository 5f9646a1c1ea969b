//! The execution of a state: the tree of what may be done from it, and where it is.

use super::context::{Branch, ContextId, Point, StateIndex, StepTree, Steps, Successor};
use super::method::Method;
use super::state::State;
use java::ir::Variable;
use rustc_hash::FxHashSet;

/// An execution of one state: the tree so far, and what is still to be done.
pub(super) struct Execution {
    pub(super) tree: StepTree,
    /// Where in the method it is.
    pub(super) current: Point,
    /// The leaves that the tree has, each with the twig before it, its line and where it is.
    pub(super) successors: FxHashSet<(Option<usize>, Successor, u32, Point)>,
    /// The last twig, the point and the state at which it goes on.
    pub(super) worklist: Vec<(Option<usize>, Point, State)>,
}

impl Execution {
    /// Adds a piece after a twig.
    pub(super) fn add_steps(&mut self, after: Option<usize>, steps: Steps, line: u32) -> Option<usize> {
        self.tree.push(Branch { after, steps: Some(steps), line, at: self.current, successor: None });
        Some(self.tree.len() - 1)
    }

    /// Control goes there after a twig.
    pub(super) fn add_successor(&mut self, after: Option<usize>, successor: Successor, line: u32) {
        if self.successors.insert((after, successor, line, self.current)) {
            self.tree.push(Branch { after, steps: None, line, at: self.current, successor: Some(successor) });
        }
    }

    /// It goes on at a point.
    pub(super) fn continue_at(&mut self, after: Option<usize>, point: Point, state: State) {
        self.worklist.push((after, point, state));
    }
}

/// Where an execution is.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    pub(super) id: ContextId,
    pub(super) number: StateIndex,
    pub(super) code: &'a Method,
    pub(super) point: Point,
    /// The twig before it.
    pub(super) after: Option<usize>,
    /// Whether others may have the object whose constructor runs.
    pub(super) is_published: bool,
    /// Whether what is read is thrown away: an optimistic read that is not valid.
    pub(super) is_discarded: bool,
}

impl<'a> Position<'a> {
    /// The caller, as callees know it.
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

    /// A variable as the pointer analysis knows it.
    pub(super) fn variable_type(self, variable: Variable) -> Option<java::Type> {
        self.code.body.variable(variable).of
    }
}
