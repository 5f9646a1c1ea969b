//! Removal of unused parameters of blocks, and of parameters with only one value.
//!
//! A parameter is used if a statement or an end uses it, or if an edge passes it to a used parameter. A set of
//! parameters that receive only each other and one other variable can be replaced by this variable. These sets are
//! found as strongly connected components, and recursively inside of these, as in algorithm 5 of M. Braun et al.,
//! *Simple and efficient construction of static single assignment form* (CC 2013). The result is minimal even for
//! irreducible control flow.

use super::body::{Block, Variable};
use super::budget::Budget;
use super::components::Components;
use super::draft::{Arguments, Draft, Fact};
use super::error::Stop;
use super::graph::number;

/// Removes unnecessary parameters from the blocks in `order`. Nearly linear.
pub(super) fn simplify(draft: &mut Draft, order: &[u32], budget: &Budget<'_>) -> Result<(), Stop> {
    let arguments = draft.arguments(order);
    budget.steps(arguments.len())?;
    let is_used = used(draft, order, &arguments);
    let parameters = order.iter().flat_map(|block| &draft.blocks[*block as usize].parameters);
    let all: Vec<u32> = parameters.filter(|one| is_used[one.index()]).map(|parameter| parameter.0).collect();
    let mut replacements = Replacements::new(draft.values.len(), &arguments);
    replacements.merge(&all, budget)?;
    let keeps = |block: &Block, replacements: &mut Replacements<'_>| {
        block
            .parameters
            .iter()
            .map(|one| is_used[one.index()] && replacements.find(*one) == *one)
            .collect::<Vec<bool>>()
    };
    let kept: Vec<Vec<bool>> = draft.blocks.iter().map(|block| keeps(block, &mut replacements)).collect();
    for id in order {
        let block = &mut draft.blocks[*id as usize];
        block.parameters = filter(&block.parameters, &kept[*id as usize]);
        block.change_edges(|edge| {
            edge.arguments = filter(&edge.arguments, &kept[edge.target.index()]);
            edge.arguments.iter_mut().for_each(|argument| *argument = replacements.find(*argument));
        });
        let operands = block.statements.iter_mut().flat_map(|statement| statement.operation.uses_mut());
        operands.chain(block.end.uses_mut()).for_each(|operand| *operand = replacements.find(*operand));
    }
    Ok(())
}

fn filter(variables: &[Variable], kept: &[bool]) -> Box<[Variable]> {
    variables.iter().zip(kept).filter(|(_, is_kept)| **is_kept).map(|(variable, _)| *variable).collect()
}

/// For each variable, whether it is used.
fn used(draft: &Draft, order: &[u32], arguments: &Arguments) -> Vec<bool> {
    let mut is_used = vec![false; draft.values.len()];
    let mut open: Vec<Variable> = Vec::new();
    for id in order {
        let block = &draft.blocks[*id as usize];
        open.extend(block.statements.iter().flat_map(|statement| statement.operation.uses()));
        open.extend(block.end.uses());
        while let Some(variable) = open.pop() {
            if !std::mem::replace(&mut is_used[variable.index()], true) && draft.values.fact(variable) == Fact::Joined {
                open.extend(arguments.of(variable));
            }
        }
    }
    is_used
}

/// The replacements of variables: a union-find structure.
struct Replacements<'d> {
    arguments: &'d Arguments,
    /// For each variable, another one that replaces it, or itself.
    by: Vec<u32>,
    /// The number of the current component.
    round: u32,
    /// The number of the last component that contained each variable.
    set: Vec<u32>,
    components: Components,
    /// The number of parameters that may still be examined in nested components. Components that are nested more deeply
    /// than in real programs are left unchanged.
    left: usize,
}

/// The variables that edges pass into a set of parameters from outside.
enum Outside {
    Nothing,
    One(Variable),
    Several,
}

impl<'d> Replacements<'d> {
    fn new(variables: usize, arguments: &'d Arguments) -> Self {
        let by = (0..number(variables)).collect();
        let left = 64 * (arguments.len() + 1024);
        Self { arguments, by, round: 0, set: vec![0; variables], components: Components::new(variables), left }
    }

    /// The replacement of a variable.
    fn find(&mut self, variable: Variable) -> Variable {
        Variable(find(&mut self.by, variable.0))
    }

    /// Replaces the parameters that have one value only.
    fn merge(&mut self, parameters: &[u32], budget: &Budget<'_>) -> Result<(), Stop> {
        let mut open = self.components(parameters);
        while let Some(component) = open.pop() {
            budget.steps(component.len())?;
            match self.classify(&component) {
                (Outside::One(outside), _) => {
                    component.iter().for_each(|parameter| self.by[*parameter as usize] = outside.0);
                }
                (Outside::Several, inner) if inner.len() <= self.left => {
                    self.left -= inner.len();
                    open.extend(self.components(&inner));
                }
                (Outside::Several | Outside::Nothing, _) => {}
            }
        }
        Ok(())
    }

    /// The variables that edges pass into a component from outside, and the parameters in it that receive none of them.
    fn classify(&mut self, component: &[u32]) -> (Outside, Vec<u32>) {
        self.round += 1;
        component.iter().for_each(|parameter| self.set[*parameter as usize] = self.round);
        let mut outside = Outside::Nothing;
        let mut inner = Vec::new();
        for parameter in component {
            let mut is_inner = true;
            for argument in self.arguments.of(Variable(*parameter)) {
                let argument = Variable(find(&mut self.by, argument.0));
                if self.set[argument.index()] == self.round {
                    continue;
                }
                is_inner = false;
                outside = match outside {
                    Outside::Nothing => Outside::One(argument),
                    Outside::One(other) if other == argument => Outside::One(other),
                    Outside::One(_) | Outside::Several => Outside::Several,
                };
            }
            inner.extend(is_inner.then_some(*parameter));
        }
        (outside, inner)
    }

    /// The strongly connected components of some parameters. Components without arguments from others come last.
    fn components(&mut self, parameters: &[u32]) -> Vec<Vec<u32>> {
        let Self { arguments, by, components, .. } = self;
        let from = |parameter, place| arguments.nth(Variable(parameter), place).map(|argument| find(by, argument.0));
        let mut found = components.of(parameters, from);
        found.reverse();
        found
    }
}

/// The representative of a variable, with path compression.
fn find(by: &mut [u32], variable: u32) -> u32 {
    let mut found = variable;
    while by[found as usize] != found {
        found = by[found as usize];
    }
    let mut next = variable;
    while next != found {
        next = std::mem::replace(&mut by[next as usize], found);
    }
    found
}
