//! The execution of a state: the tree of what may be done from it, and where it is.

use super::context::{ContextId, Leaf, Piece, Point, StateIndex, Tree, Twig};
use super::method::Method;
use super::state::State;
use java::ir::Variable;
use rustc_hash::FxHashSet;

/// An execution of one state: the tree so far, and what is still to be done.
pub(super) struct Execution {
    pub(super) tree: Tree,
    /// Where in the method it is.
    pub(super) current: Point,
    /// The leaves that the tree has, each with the twig before it, its line and where it is.
    pub(super) ended: FxHashSet<(Option<usize>, Leaf, u32, Point)>,
    /// The last twig, the point and the state at which it goes on.
    pub(super) todo: Vec<(Option<usize>, Point, State)>,
}

impl Execution {
    /// Adds a piece after a twig.
    pub(super) fn does(&mut self, after: Option<usize>, piece: Piece, line: u32) -> Option<usize> {
        self.tree.push(Twig { after, piece: Some(piece), line, at: self.current, leaf: None });
        Some(self.tree.len() - 1)
    }

    /// Control goes there after a twig.
    pub(super) fn ends(&mut self, after: Option<usize>, leaf: Leaf, line: u32) {
        if self.ended.insert((after, leaf, line, self.current)) {
            self.tree.push(Twig { after, piece: None, line, at: self.current, leaf: Some(leaf) });
        }
    }

    /// It goes on at a point.
    pub(super) fn goes_on(&mut self, after: Option<usize>, point: Point, state: State) {
        self.todo.push((after, point, state));
    }
}

/// Where an execution is.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub(super) id: ContextId,
    pub(super) number: StateIndex,
    pub(super) code: &'a Method,
    pub(super) point: Point,
    /// The twig before it.
    pub(super) after: Option<usize>,
    /// Whether others may have the object whose constructor runs.
    pub(super) is_published: bool,
    /// Whether what is read is thrown away: an optimistic read that is not valid.
    pub(super) is_thrown_away: bool,
}

impl<'a> Here<'a> {
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
