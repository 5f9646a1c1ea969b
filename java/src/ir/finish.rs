//! From a draft to a body: a block is merged with its unique successor if it is the only predecessor of that, and
//! blocks and variables get their final numbers.
//!
//! Blocks are numbered in reverse postorder: except for loops, a block precedes its successors. Variables are numbered
//! in the order of their definitions.

use super::body::{Block, BlockId, Body, Definition, Edge, End, StatementId, Variable, VariableInfo};
use super::draft::{Draft, Values};
use super::graph::number;
use crate::bytecode::CallSite;
use crate::class_file::MethodId;

/// The body of a draft. Its variables have no types yet.
pub(super) fn finish(mut draft: Draft, method: MethodId, call_sites: Box<[CallSite]>) -> Body {
    let order = draft.order();
    let edges = edges_to(&draft, &order);
    let mut left: Vec<Option<Block>> = std::mem::take(&mut draft.blocks).into_iter().map(Some).collect();
    let mut places = vec![0; left.len()];
    let mut blocks = Vec::new();
    for id in order {
        if let Some(block) = left[id as usize].take() {
            places[id as usize] = number(blocks.len());
            blocks.push(joined(block, &mut left, &edges));
        }
    }
    let mut numbering = Numbering { values: draft.values, numbers: Vec::new(), variables: Vec::new() };
    numbering.numbers = vec![0; numbering.values.len()];
    let parameters = numbering.define(&draft.parameters, Definition::Parameter);
    for (id, block) in (0..).map(BlockId).zip(&mut blocks) {
        numbering.define_block(id, block);
    }
    for block in &mut blocks {
        numbering.rename(block, &places);
    }
    let variables = numbering.variables.into();
    Body { method, parameters, blocks: blocks.into(), variables, call_sites }
}

/// The number of edges to each block.
fn edges_to(draft: &Draft, order: &[u32]) -> Vec<u32> {
    let mut edges = vec![0; draft.blocks.len()];
    for edge in order.iter().flat_map(|id| draft.blocks[*id as usize].edges()) {
        edges[edge.target.index()] += 1;
    }
    edges
}

/// A block, merged with its chain of unique successors.
fn joined(mut block: Block, left: &mut [Option<Block>], edges: &[u32]) -> Block {
    let mut statements = std::mem::take(&mut block.statements).into_vec();
    while let End::Goto(Edge { target, .. }) = block.end
        && edges[target.index()] == 1
        && let Some(next) = left[target.index()].take_if(|next| next.caught.is_none() && next.parameters.is_empty())
    {
        statements.extend(next.statements);
        (block.end, block.at, block.line, block.handlers) = (next.end, next.at, next.line, next.handlers);
    }
    block.statements = statements.into();
    block
}

/// The final numbers of variables.
struct Numbering {
    values: Values,
    /// The final number of each variable of the draft.
    numbers: Vec<u32>,
    variables: Vec<VariableInfo>,
}

impl Numbering {
    fn add(&mut self, variable: Variable, definition: Definition) -> Variable {
        let new = Variable(number(self.variables.len()));
        self.numbers[variable.index()] = new.0;
        self.variables.push(VariableInfo { kind: self.values.kind(variable), of: None, definition });
        new
    }

    fn define(&mut self, variables: &[Variable], definition: impl Fn(u32) -> Definition) -> Box<[Variable]> {
        variables.iter().zip(0..).map(|(variable, place)| self.add(*variable, definition(place))).collect()
    }

    fn define_block(&mut self, id: BlockId, block: &mut Block) {
        block.caught = block.caught.map(|caught| self.add(caught, Definition::Caught(id)));
        block.parameters = self.define(&block.parameters, |place| Definition::Joined(id, place));
        for (statement, index) in block.statements.iter_mut().zip(0..) {
            let definition = Definition::Statement(StatementId { block: id, index });
            statement.to = statement.to.map(|to| self.add(to, definition));
        }
    }

    fn rename(&self, block: &mut Block, places: &[u32]) {
        let rename = |variable: &mut Variable| variable.0 = self.numbers[variable.index()];
        let operands = block.statements.iter_mut().flat_map(|statement| statement.operation.uses_mut());
        operands.chain(block.end.uses_mut()).for_each(rename);
        block.change_edges(|edge| {
            edge.target = BlockId(places[edge.target.index()]);
            edge.arguments.iter_mut().for_each(rename);
        });
    }
}
