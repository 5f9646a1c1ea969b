//! A method in register form before simplification and final numbering.

use super::body::{Block, Variable};
use super::error::Stop;
use super::graph::number;
use crate::bytecode::InstructionIndex;
use crate::class_file::Kind;

/// The knowledge about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// There is no usable value: nothing was stored, or a return address.
    Undefined,
    /// A parameter of a block.
    Joined,
    /// A reference that is not null.
    NotNull,
    /// This int or long.
    Number(i64),
    /// No knowledge.
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Value {
    /// The kind; none until an instruction requires one.
    kind: Option<Kind>,
    fact: Fact,
}

/// All variables of a draft. The first one stands for a missing value.
#[derive(Debug)]
pub(super) struct Values {
    list: Vec<Value>,
    /// The parameters of blocks whose kinds became known, with the instructions that require these.
    needed: Vec<(Variable, InstructionIndex)>,
}

impl Values {
    /// The content of an unassigned local variable.
    pub(super) const UNDEFINED: Variable = Variable(0);

    pub(super) fn new() -> Self {
        Self { list: vec![Value { kind: None, fact: Fact::Undefined }], needed: Vec::new() }
    }

    /// Adds a variable.
    pub(super) fn add(&mut self, kind: Option<Kind>, fact: Fact) -> Variable {
        self.list.push(Value { kind, fact });
        Variable(number(self.list.len() - 1))
    }

    /// The number of variables.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The kind of a used variable.
    pub(super) fn kind(&self, variable: Variable) -> Kind {
        self.list[variable.index()].kind.expect("a used variable has a kind")
    }

    /// The knowledge about the value of a variable.
    pub(super) fn fact(&self, variable: Variable) -> Fact {
        self.list[variable.index()].fact
    }

    /// Requires that a variable has a kind, because an instruction uses it as such.
    pub(super) fn need(&mut self, variable: Variable, kind: Kind, at: InstructionIndex) -> Result<(), Stop> {
        let value = &mut self.list[variable.index()];
        match (value.kind, value.fact) {
            (Some(known), _) if known == kind => Ok(()),
            (None, Fact::Joined) => {
                value.kind = Some(kind);
                self.needed.push((variable, at));
                Ok(())
            }
            _ => Err(Stop::Local(at)),
        }
    }

    /// Removes a parameter of a block whose kind became known. Its arguments must have the same kind.
    pub(super) fn next_needed(&mut self) -> Option<(Variable, InstructionIndex)> {
        self.needed.pop()
    }
}

/// A method in register form: every variable has one definition.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) parameters: Vec<Variable>,
    pub(super) blocks: Vec<Block>,
    pub(super) values: Values,
}

impl Draft {
    /// The reachable blocks in reverse postorder: except for loops, each block precedes its successors.
    pub(super) fn order(&self) -> Vec<u32> {
        let targets = |block: u32| self.blocks[block as usize].edges().map(|edge| edge.target.0).collect::<Vec<_>>();
        let mut is_known = vec![false; self.blocks.len()];
        is_known[0] = true;
        let mut open = vec![(0, targets(0))];
        let mut order = Vec::new();
        while let Some((block, left)) = open.last_mut() {
            // The last target is visited first, so that the first target comes next in the reverse postorder.
            match left.pop() {
                None => {
                    order.push(*block);
                    open.pop();
                }
                Some(target) => {
                    if !std::mem::replace(&mut is_known[target as usize], true) {
                        open.push((target, targets(target)));
                    }
                }
            }
        }
        order.reverse();
        order
    }

    /// The arguments that the edges of some blocks pass to parameters.
    pub(super) fn arguments(&self, order: &[u32]) -> Arguments {
        let mut edges = Vec::new();
        for edge in order.iter().flat_map(|block| self.blocks[*block as usize].edges()) {
            let parameters = &self.blocks[edge.target.index()].parameters;
            edges.extend(parameters.iter().zip(&edge.arguments).map(|(parameter, argument)| (parameter.0, argument.0)));
        }
        Arguments(super::graph::Graph::new(self.values.len(), &edges))
    }

    /// Propagates required kinds from the used parameters of blocks to their arguments.
    ///
    /// # Errors
    /// If an argument has another kind.
    pub(super) fn check_kinds(&mut self) -> Result<(), Stop> {
        let order = self.order();
        let arguments = self.arguments(&order);
        while let Some((parameter, at)) = self.values.next_needed() {
            let kind = self.values.kind(parameter);
            for argument in arguments.of(parameter) {
                self.values.need(argument, kind, at)?;
            }
        }
        Ok(())
    }
}

/// The arguments that edges pass to each parameter of a block.
pub(super) struct Arguments(super::graph::Graph);

impl Arguments {
    /// The arguments of a parameter.
    pub(super) fn of(&self, parameter: Variable) -> impl Iterator<Item = Variable> {
        self.0.successors(parameter.index()).iter().copied().map(Variable)
    }

    /// An argument of a parameter by its index from 0.
    pub(super) fn nth(&self, parameter: Variable, place: usize) -> Option<Variable> {
        self.0.successors(parameter.index()).get(place).copied().map(Variable)
    }

    /// The total number of arguments.
    pub(super) fn len(&self) -> usize {
        self.0.edges()
    }
}
