//! Def-use chains. [`VariableInfo`](super::VariableInfo) holds the definition of each variable.

use super::body::{BlockId, Body, StatementId, Variable};
use super::graph::number;

/// A use of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// An operand of a statement.
    Statement(StatementId),
    /// An operand of the end of a block: a branch, a switch, a return or a throw.
    End(BlockId),
    /// An argument that an edge of a block passes to a parameter of another block.
    Argument {
        /// The source of the edge.
        from: BlockId,
        /// The parameter.
        to: Variable,
    },
}

/// The uses of all variables of a body.
#[derive(Clone, Debug)]
pub struct Uses {
    /// The start of the uses of each variable, and the end of the last ones.
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    /// Computes the uses. Nearly linear in the body.
    pub fn new(body: &Body) -> Self {
        let mut all: Vec<(Variable, Use)> = Vec::new();
        for (id, block) in body.blocks() {
            let first = all.len();
            for (statement, index) in block.statements.iter().zip(0..) {
                let used = Use::Statement(StatementId { block: id, index });
                all.extend(statement.operation.uses().into_iter().map(|variable| (variable, used)));
            }
            all.extend(block.end.uses().iter().map(|variable| (*variable, Use::End(id))));
            for edge in block.edges() {
                let pairs = edge.arguments.iter().zip(&body.block(edge.target).parameters);
                all.extend(pairs.map(|(variable, to)| (*variable, Use::Argument { from: id, to: *to })));
            }
            all[first..].sort_unstable_by_key(|(variable, used)| (*variable, key(*used)));
        }
        all.dedup();
        // A stable sort, which keeps the order of uses in the body.
        all.sort_by_key(|(variable, _)| *variable);
        let mut starts = vec![0; body.variables() + 1];
        all.iter().for_each(|(variable, _)| starts[variable.index() + 1] += 1);
        for variable in 0..body.variables() {
            starts[variable + 1] += starts[variable];
        }
        debug_assert_eq!(starts.last(), Some(&number(all.len())));
        Self { starts, uses: all.into_iter().map(|(_, used)| used).collect() }
    }

    /// All variables.
    pub fn all(&self) -> impl ExactSizeIterator<Item = Variable> + use<> {
        (0..number(self.starts.len() - 1)).map(Variable)
    }

    /// The uses of a variable, each once, in the order of the blocks and statements.
    pub fn of(&self, variable: Variable) -> &[Use] {
        let [start, end] = [variable.index(), variable.index() + 1].map(|place| self.starts[place] as usize);
        &self.uses[start..end]
    }
}

/// The sort key of uses in one block.
fn key(used: Use) -> (u32, u32) {
    match used {
        Use::Statement(statement) => (statement.index, 0),
        Use::End(_) => (u32::MAX, 0),
        Use::Argument { to, .. } => (u32::MAX, 1 + to.0),
    }
}
