//! Takes away parameters of blocks: those that nothing uses, and those that have one value only.
//!
//! A parameter is used if a statement or an end uses it, or an edge that passes it to a parameter that is used. A set
//! of parameters that pass each other around has one value only if one other variable is all that edges pass into it;
//! these sets are found as strongly connected components, and in them again, as in M. Braun et al., *Simple and
//! efficient construction of static single assignment form* (CC 2013), algorithm 5. What is left is minimal, for
//! irreducible control flow, too.

use super::body::{Block, Variable};
use super::components::Components;
use super::draft::{Arguments, Draft, Fact};
use super::effort::Effort;
use super::error::Stop;
use super::graph::number;

/// Takes away what is not needed from the blocks in `order`. Nearly linear.
pub(super) fn simplify(draft: &mut Draft, order: &[u32], effort: &Effort<'_>) -> Result<(), Stop> {
    let arguments = draft.arguments(order);
    effort.steps(arguments.len())?;
    let is_used = used(draft, order, &arguments);
    let parameters = order.iter().flat_map(|block| &draft.blocks[*block as usize].parameters);
    let all: Vec<u32> = parameters.filter(|one| is_used[one.index()]).map(|parameter| parameter.0).collect();
    let mut same = Same::new(draft.values.len(), &arguments);
    same.merge(&all, effort)?;
    let keeps = |block: &Block, same: &mut Same<'_>| {
        block.parameters.iter().map(|one| is_used[one.index()] && same.find(*one) == *one).collect::<Vec<bool>>()
    };
    let kept: Vec<Vec<bool>> = draft.blocks.iter().map(|block| keeps(block, &mut same)).collect();
    for id in order {
        let block = &mut draft.blocks[*id as usize];
        block.parameters = filter(&block.parameters, &kept[*id as usize]);
        block.change_edges(|edge| {
            edge.arguments = filter(&edge.arguments, &kept[edge.target.index()]);
            edge.arguments.iter_mut().for_each(|argument| *argument = same.find(*argument));
        });
        let operands = block.statements.iter_mut().flat_map(|statement| statement.operation.uses_mut());
        operands.chain(block.end.uses_mut()).for_each(|operand| *operand = same.find(*operand));
    }
    Ok(())
}

fn filter(variables: &[Variable], kept: &[bool]) -> Box<[Variable]> {
    variables.iter().zip(kept).filter(|(_, is_kept)| **is_kept).map(|(variable, _)| *variable).collect()
}

/// Which variables are used.
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

/// Which variables stand for which others.
struct Same<'d> {
    arguments: &'d Arguments,
    /// For each variable that is replaced, another one; itself if it is not.
    by: Vec<u32>,
    /// The number of the set that is looked at, and of the last one in which each variable was.
    round: u32,
    set: Vec<u32>,
    components: Components,
    /// How many parameters may still be looked at in sets inside of sets: what nests deeper than any program is left as
    /// it is.
    left: usize,
}

/// What edges pass into a set of parameters.
enum Outside {
    Nothing,
    One(Variable),
    Several,
}

impl<'d> Same<'d> {
    fn new(variables: usize, arguments: &'d Arguments) -> Self {
        let by = (0..number(variables)).collect();
        let left = 64 * (arguments.len() + 1024);
        Self { arguments, by, round: 0, set: vec![0; variables], components: Components::new(variables), left }
    }

    /// What stands for a variable.
    fn find(&mut self, variable: Variable) -> Variable {
        Variable(find(&mut self.by, variable.0))
    }

    /// Replaces the parameters that have one value only.
    fn merge(&mut self, parameters: &[u32], effort: &Effort<'_>) -> Result<(), Stop> {
        let mut open = self.components(parameters);
        while let Some(component) = open.pop() {
            effort.steps(component.len())?;
            match self.look(&component) {
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

    /// What edges pass into a component, and the parameters in it that get nothing from outside.
    fn look(&mut self, component: &[u32]) -> (Outside, Vec<u32>) {
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

    /// The strongly connected components of some parameters; last, those whose arguments come from no others.
    fn components(&mut self, parameters: &[u32]) -> Vec<Vec<u32>> {
        let Self { arguments, by, components, .. } = self;
        let from = |parameter, place| arguments.nth(Variable(parameter), place).map(|argument| find(by, argument.0));
        let mut found = components.of(parameters, from);
        found.reverse();
        found
    }
}

/// What stands for a variable; what is on the way to it is led there directly.
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
