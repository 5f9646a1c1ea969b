//! Analyses of a method's code, independent of its arguments: made once for each method.

use super::terms::Terms;
use java::ir::{Block, BlockId, Body, Edge, End, Liveness, Loops, Variable};
use java::{Instruction, MethodId, Name, Program};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A statement by its index in its block; the index after the last statement stands for the block's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Point {
    pub(crate) block: BlockId,
    pub(crate) index: u32,
}

/// Errors that the virtual machine can throw nearly everywhere.
const ERRORS: [&str; 9] = [
    "java/lang/Error",
    "java/lang/ExceptionInInitializerError",
    "java/lang/InternalError",
    "java/lang/LinkageError",
    "java/lang/NoClassDefFoundError",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/Throwable",
    "java/lang/VirtualMachineError",
];

/// A method's code with its analyses.
pub(crate) struct Method {
    pub(crate) body: Arc<Body>,
    pub(crate) terms: Terms,
    pub(crate) loops: Loops,
    /// Whether a handler catches errors of the virtual machine.
    pub(crate) catches_errors: bool,
    liveness: Liveness,
    /// The live variables at the points queried so far, sorted.
    live: RefCell<BTreeMap<Point, Rc<[Variable]>>>,
}

impl Method {
    pub(crate) fn new(program: &Program, body: Arc<Body>, terms: Terms, liveness: Liveness, loops: Loops) -> Self {
        let catches_errors = catches_errors(program, body.method);
        Self { body, terms, loops, catches_errors, liveness, live: RefCell::default() }
    }

    /// The variables that are used at a point or after it, sorted.
    pub(crate) fn live(&self, point: Point) -> Rc<[Variable]> {
        let mut known = self.live.borrow_mut();
        let found = known.entry(point).or_insert_with(|| {
            let of = java::ir::StatementId { block: point.block, index: point.index };
            let statements = self.body.block(point.block).statements.len();
            let at_end = point.index as usize >= statements;
            let mut live: Vec<Variable> =
                if at_end { self.liveness.at_end(point.block) } else { self.liveness.before(of) };
            live.sort_unstable();
            live.dedup();
            live.into()
        });
        found.clone()
    }

    pub(crate) fn block(&self, point: Point) -> &Block {
        self.body.block(point.block)
    }

    /// Whether control that goes from one block to another closes a loop.
    pub(crate) fn closes_loop(&self, from: BlockId, to: BlockId) -> bool {
        self.loops.repeats(from, to).is_some()
    }

    /// Whether no live value changes in a round of a loop that is closed by edges between these blocks: each parameter
    /// of the head is passed itself.
    pub(crate) fn is_unchanged_round(&self, from: BlockId, to: BlockId) -> bool {
        let head = self.body.block(to);
        let block = self.body.block(from);
        let thrown = block.handlers.iter().chain(block.statements.iter().flat_map(|it| &*it.handlers));
        let mut edges =
            block.end.edges().into_iter().chain(thrown.map(|handler| &handler.edge)).filter(|edge| edge.target == to);
        edges
            .all(|edge| head.parameters.iter().zip(&*edge.arguments).all(|(parameter, argument)| parameter == argument))
    }

    /// The parameters of a loop's head that are passed other values on edges from a block.
    pub(crate) fn changed_parameters(&self, from: BlockId, to: BlockId) -> Vec<Variable> {
        let head = self.body.block(to);
        let block = self.body.block(from);
        let thrown = block.handlers.iter().chain(block.statements.iter().flat_map(|it| &*it.handlers));
        let edges = block.end.edges().into_iter().chain(thrown.map(|handler| &handler.edge));
        let pairs =
            edges.filter(|edge| edge.target == to).flat_map(|edge| head.parameters.iter().zip(&*edge.arguments));
        pairs.filter(|(parameter, argument)| parameter != argument).map(|(parameter, _)| *parameter).collect()
    }

    /// The line of the first statement.
    pub(crate) fn first_line(&self) -> u32 {
        self.line(Point { block: BlockId::ENTRY, index: 0 })
    }

    /// The line of a point.
    pub(crate) fn line(&self, point: Point) -> u32 {
        let block = self.body.block(point.block);
        block.statements.get(point.index as usize).map_or(block.line, |statement| statement.line)
    }

    /// All edges of normal control flow.
    pub(crate) fn edges(end: &End) -> Vec<&Edge> {
        match end {
            End::Goto(edge) => vec![edge],
            End::Branch { holds, fails, .. } => vec![holds, fails],
            End::Switch { cases, default, .. } => cases.iter().map(|(_, edge)| edge).chain([default]).collect(),
            End::Return(_) | End::Throw(_) => Vec::new(),
        }
    }
}

/// Whether a handler catches errors of the virtual machine: it names them, or it catches everything and writes a field
/// before its next `throw`. Handlers that the model never reaches count as well. Linear.
fn catches_errors(program: &Program, method: MethodId) -> bool {
    let Ok(Some(code)) = program.code(method) else { return false };
    let names_errors = |name: Name| ERRORS.contains(&program.text(name));
    if code.handlers().iter().filter_map(|handler| handler.catches).any(names_errors) {
        return true;
    }
    let all = code.handlers().iter().filter(|handler| handler.catches.is_none());
    let targets: BTreeSet<_> = all.map(|handler| handler.target).collect();
    let instructions: Vec<_> = code.instructions().collect();
    let mut writes = false;
    instructions.into_iter().rev().any(|(at, instruction)| {
        writes = match instruction {
            Instruction::PutField(_) | Instruction::PutStatic(_) => true,
            Instruction::Throw => false,
            _ => writes,
        };
        writes && targets.contains(&at)
    })
}
