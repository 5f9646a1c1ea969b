//! A check of the invariants of a body. It is slow and meant for tests.
//!
//! A statement may throw before it assigns its result, and the rest of its block is not executed then. Dominance is
//! therefore computed on parts of blocks, divided after each statement with handlers.

use super::body::{Block, BlockId, Body, Definition, Edge, Operation, StatementId, Variable};
use super::dominators::Tree;
use super::graph::{Graph, number};
use crate::bytecode::Element;
use crate::class_file::Kind;
use std::fmt;

/// A violation of an invariant of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// An edge from this block has an invalid target: it does not exist, or an exception edge leads to a block that is
    /// not a handler, or another edge leads to a handler.
    Target(BlockId),
    /// The arguments of an edge from this block do not match the parameters of its target in number or kind.
    Arguments(BlockId),
    /// This block is unreachable.
    Unreachable(BlockId),
    /// A variable has several definitions, none, or another one than its [`VariableInfo`](super::VariableInfo) states.
    Definition(Variable),
    /// A use of a variable in this block is not dominated by its definition.
    Undefined(BlockId, Variable),
    /// This statement uses or assigns values of wrong kinds.
    Kinds(StatementId),
    /// The end of this block uses a value of a wrong kind.
    EndKinds(BlockId),
    /// This parameter of a block is unused or has only one value.
    Needless(Variable),
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target(block) => write!(out, "an edge of {block} has a wrong target"),
            Self::Arguments(block) => write!(out, "an edge of {block} has wrong arguments"),
            Self::Unreachable(block) => write!(out, "{block} cannot be reached"),
            Self::Definition(variable) => write!(out, "{variable} is not defined once, where it says"),
            Self::Undefined(block, variable) => write!(out, "{variable} is used in {block} but may not be defined"),
            Self::Kinds(statement) => {
                write!(out, "statement {} of {} has operands of wrong kinds", statement.index, statement.block)
            }
            Self::EndKinds(block) => write!(out, "the end of {block} has operands of wrong kinds"),
            Self::Needless(variable) => write!(out, "{variable} is a needless parameter"),
        }
    }
}

impl std::error::Error for Flaw {}

/// Checks the edges, kinds, definitions, uses and parameters of a body.
///
/// # Errors
/// The first violation that is found.
pub fn verify(body: &Body) -> Result<(), Flaw> {
    body.blocks().try_for_each(|(id, block)| check_edges(body, id, block))?;
    body.blocks().try_for_each(|(id, block)| check_kinds(body, id, block))?;
    let parts = Parts::new(body);
    check_definitions(body)?;
    body.blocks().try_for_each(|(id, block)| parts.check_uses(body, id, block))?;
    check_parameters(body)
}

fn check_edges(body: &Body, id: BlockId, block: &Block) -> Result<(), Flaw> {
    let target = |edge: &Edge| body.blocks.get(edge.target.index()).ok_or(Flaw::Target(id));
    for edge in block.end.edges() {
        if target(edge)?.caught.is_some() || edge.target == BlockId::ENTRY {
            return Err(Flaw::Target(id));
        }
    }
    let thrown = block.statements.iter().flat_map(|statement| &statement.handlers).chain(&block.handlers);
    for edge in thrown.map(|thrown| &thrown.edge) {
        if target(edge)?.caught.is_none() {
            return Err(Flaw::Target(id));
        }
    }
    for edge in block.edges() {
        let kinds = |variables: &[Variable]| variables.iter().map(|one| body.variable(*one).kind).collect::<Vec<_>>();
        if kinds(&edge.arguments) != kinds(&target(edge)?.parameters) {
            return Err(Flaw::Arguments(id));
        }
    }
    Ok(())
}

fn check_kinds(body: &Body, id: BlockId, block: &Block) -> Result<(), Flaw> {
    for (statement, index) in block.statements.iter().zip(0..) {
        let kinds = statement.operation.uses().iter().map(|one| body.variable(*one).kind).collect::<Vec<_>>();
        let gives = statement.to.map(|to| body.variable(to).kind);
        let expected = expected(&statement.operation);
        if expected.0.is_some_and(|takes| takes != kinds) || expected.1.is_some_and(|kind| gives != kind) {
            return Err(Flaw::Kinds(StatementId { block: id, index }));
        }
    }
    let kinds: Vec<_> = block.end.uses().iter().map(|one| body.variable(*one).kind).collect();
    let is_right = match &block.end {
        super::End::Branch { condition, .. } => {
            let (count, kind) = condition.takes();
            kinds == vec![kind; count]
        }
        super::End::Switch { .. } => kinds == [Kind::Int],
        super::End::Throw(_) => kinds == [Kind::Reference],
        super::End::Goto(_) | super::End::Return(_) => true,
    };
    if is_right { Ok(()) } else { Err(Flaw::EndKinds(id)) }
}

/// The kinds of the operands and of the result of an operation, where they do not depend on the descriptor of a member.
fn expected(operation: &Operation) -> (Option<Vec<Kind>>, Option<Option<Kind>>) {
    use Kind::{Int, Reference};
    let known = |takes: &[Kind], gives: Option<Kind>| (Some(takes.to_vec()), Some(gives));
    match operation {
        Operation::Constant(constant) => known(&[], Some(constant.kind())),
        Operation::Binary(operator, kind, _) => {
            known(&[*kind, if operator.is_shift() { Int } else { *kind }], Some(*kind))
        }
        Operation::Negate(kind, _) => known(&[*kind], Some(*kind)),
        Operation::Convert(from, to, _) => known(&[*from], Some(*to)),
        Operation::Narrow(element, _) => {
            debug_assert!(!matches!(element, Element::Reference));
            known(&[Int], Some(Int))
        }
        Operation::Compare(kind, _) => known(&[*kind, *kind], Some(Int)),
        Operation::LoadElement { element, .. } => known(&[Reference, Int], Some(element.kind())),
        Operation::StoreElement { element, .. } => known(&[Reference, Int, element.kind()], None),
        Operation::ArrayLength(_) | Operation::InstanceOf(..) => known(&[Reference], Some(Int)),
        Operation::New(_) => known(&[], Some(Reference)),
        Operation::NewArray(_, lengths) => known(&vec![Int; lengths.len()], Some(Reference)),
        Operation::CheckCast(..) => known(&[Reference], Some(Reference)),
        Operation::MonitorEnter(_) | Operation::MonitorExit(_) => known(&[Reference], None),
        Operation::GetField { .. } => (Some(vec![Reference]), None),
        Operation::PutField { .. } | Operation::PutStatic(..) => (None, Some(None)),
        Operation::GetStatic(_) => (Some(Vec::new()), None),
        Operation::Invoke { .. } | Operation::InvokeDynamic { .. } => (None, None),
    }
}

/// Checks that each variable has exactly the definition that it states.
fn check_definitions(body: &Body) -> Result<(), Flaw> {
    let mut found = vec![None; body.variables()];
    let mut define = |variable: Variable, definition| {
        let before = found[variable.index()].replace(definition);
        if before.is_none() { Ok(()) } else { Err(Flaw::Definition(variable)) }
    };
    for (variable, place) in body.parameters.iter().zip(0..) {
        define(*variable, Definition::Parameter(place))?;
    }
    for (id, block) in body.blocks() {
        block.caught.map_or(Ok(()), |caught| define(caught, Definition::Caught(id)))?;
        for (variable, place) in block.parameters.iter().zip(0..) {
            define(*variable, Definition::Joined(id, place))?;
        }
        for (statement, index) in block.statements.iter().zip(0..) {
            let definition = Definition::Statement(StatementId { block: id, index });
            statement.to.map_or(Ok(()), |to| define(to, definition))?;
        }
    }
    let wrong = (0..).map(Variable).zip(found).find(|(one, found)| *found != Some(body.variable(*one).definition));
    wrong.map_or(Ok(()), |(variable, _)| Err(Flaw::Definition(variable)))
}

/// Checks that no single parameter of a block is unnecessary.
fn check_parameters(body: &Body) -> Result<(), Flaw> {
    let mut values = vec![Vec::new(); body.variables()];
    let mut is_used = vec![false; body.variables()];
    for (_, block) in body.blocks() {
        for edge in block.edges() {
            for (argument, parameter) in edge.arguments.iter().zip(&body.block(edge.target).parameters) {
                if argument != parameter {
                    values[parameter.index()].push(*argument);
                    is_used[argument.index()] = true;
                }
            }
        }
        let operands = block.statements.iter().flat_map(|statement| statement.operation.uses());
        operands.chain(block.end.uses().iter().copied()).for_each(|one| is_used[one.index()] = true);
    }
    for (_, block) in body.blocks() {
        for parameter in &block.parameters {
            let values = &values[parameter.index()];
            if !is_used[parameter.index()] || values.iter().all(|value| *value == values[0]) {
                return Err(Flaw::Needless(*parameter));
            }
        }
    }
    Ok(())
}

/// A place in a body: a part of a block, and the number of preceding statements of the block.
type Place = (u32, u32);

/// The parts of blocks, divided after each statement with handlers.
struct Parts {
    /// The first part of each block.
    first: Vec<u32>,
    tree: Tree,
    /// The place of the definition of each variable.
    definitions: Vec<Place>,
}

impl Parts {
    fn new(body: &Body) -> Self {
        let mut first = Vec::new();
        let mut count = 0;
        for (_, block) in body.blocks() {
            first.push(count);
            count += 1 + number(block.statements.iter().filter(|statement| !statement.handlers.is_empty()).count());
        }
        let mut edges = Vec::new();
        let mut definitions = vec![(0, 0); body.variables()];
        for (id, block) in body.blocks() {
            let mut part = first[id.index()];
            let begins = block.parameters.iter().chain(&block.caught);
            begins.for_each(|variable| definitions[variable.index()] = (part, 0));
            for (statement, index) in block.statements.iter().zip(1..) {
                if !statement.handlers.is_empty() {
                    edges.extend(statement.handlers.iter().map(|thrown| (part, first[thrown.edge.target.index()])));
                    edges.push((part, part + 1));
                    part += 1;
                }
                if let Some(to) = statement.to {
                    definitions[to.index()] = (part, index);
                }
            }
            let thrown = block.handlers.iter().map(|thrown| &thrown.edge);
            edges.extend(block.end.edges().into_iter().chain(thrown).map(|edge| (part, first[edge.target.index()])));
        }
        let tree = Tree::new(&Graph::new(count as usize, &edges));
        Self { first, tree, definitions }
    }

    fn check_uses(&self, body: &Body, id: BlockId, block: &Block) -> Result<(), Flaw> {
        let mut part = self.first[id.index()];
        if !self.tree.dominates(0, part as usize) {
            return Err(Flaw::Unreachable(id));
        }
        let check = |variables: &[Variable], place: Place| {
            let wrong = variables.iter().find(|one| !self.is_defined(body, **one, place));
            wrong.map_or(Ok(()), |variable| Err(Flaw::Undefined(id, *variable)))
        };
        for (statement, index) in block.statements.iter().zip(0..) {
            check(&statement.operation.uses(), (part, index))?;
            for thrown in &statement.handlers {
                check(&thrown.edge.arguments, (part, index))?;
            }
            part += u32::from(!statement.handlers.is_empty());
        }
        let end = (part, number(block.statements.len()));
        check(block.end.uses(), end)?;
        let thrown = block.handlers.iter().map(|thrown| &thrown.edge);
        block.end.edges().into_iter().chain(thrown).try_for_each(|edge| check(&edge.arguments, end))
    }

    /// Whether a variable is defined on all paths to a place.
    fn is_defined(&self, body: &Body, variable: Variable, (part, before): Place) -> bool {
        if matches!(body.variable(variable).definition, Definition::Parameter(_)) {
            return true;
        }
        let (defined, index) = self.definitions[variable.index()];
        match defined == part {
            true => index <= before,
            false => self.tree.dominates(defined as usize, part as usize),
        }
    }
}
