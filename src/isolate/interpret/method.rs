//! What is known of a method's code, whatever its arguments are: made once for each method.

use super::context::Point;
use super::terms::Terms;
use java::ir::{Block, Body, Edge, End, Liveness, Loops, Variable};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A method's code with what is known of it.
pub(super) struct Method {
    pub(super) body: Arc<Body>,
    pub(super) terms: Terms,
    pub(super) loops: Loops,
    liveness: Liveness,
    /// The variables that are live at points that were asked for, sorted.
    live: RefCell<BTreeMap<Point, Rc<[Variable]>>>,
}

impl Method {
    pub(super) fn new(body: Arc<Body>, terms: Terms, liveness: Liveness, loops: Loops) -> Self {
        Self { body, terms, loops, liveness, live: RefCell::default() }
    }

    /// The variables that are used at a point or after it, sorted.
    pub(super) fn live(&self, point: Point) -> Rc<[Variable]> {
        let mut known = self.live.borrow_mut();
        let found = known.entry(point).or_insert_with(|| {
            let mut live: Vec<Variable> = self.liveness.before(&self.body, point.block, point.index as usize);
            live.sort_unstable();
            live.dedup();
            live.into()
        });
        found.clone()
    }

    pub(super) fn block(&self, point: Point) -> &Block {
        self.body.block(point.block)
    }

    /// Whether an edge closes a loop in which nothing changes that is still used: each parameter of the head gets itself.
    pub(super) fn is_round(&self, from: Point, edge: &Edge) -> bool {
        let head = self.body.block(edge.target);
        self.loops.is_back_edge(from.block, edge.target)
            && head.parameters.iter().zip(&*edge.arguments).all(|(parameter, argument)| parameter == argument)
    }

    /// All edges by which control goes on if nothing is thrown.
    pub(super) fn edges(end: &End) -> Vec<&Edge> {
        match end {
            End::Goto(edge) => vec![edge],
            End::Branch { holds, fails, .. } => vec![holds, fails],
            End::Switch { cases, default, .. } => cases.iter().map(|(_, edge)| edge).chain([default]).collect(),
            End::Return(_) | End::Throw(_) => Vec::new(),
        }
    }
}
