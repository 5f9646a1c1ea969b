//! Definitions, uses and loops of the variables of `main`.

use java::ir::{Body, Definition, LoopId, Loops, Operation, StatementId, Uses, Variable};
use java::{Constant, Operator, Program};

/// The definitions and uses of the variables of a method, and its loops.
pub(super) struct Definitions<'a> {
    program: &'a Program,
    pub(super) body: &'a Body,
    /// The loops; `None` if there are too many.
    pub(super) loops: Option<Loops>,
    uses: Uses,
}

impl<'a> Definitions<'a> {
    pub(super) fn new(program: &'a Program, body: &'a Body) -> Self {
        Self { program, body, loops: Loops::new(body, &|| false).ok(), uses: Uses::new(body) }
    }

    /// Returns the original variable of a chain of checked casts.
    pub(super) fn origin(&self, mut variable: Variable) -> Variable {
        while let Definition::Statement(id) = self.body.variable(variable).definition
            && let Operation::CheckCast(_, from) = &self.body.statement(id).operation
        {
            variable = *from;
        }
        variable
    }

    /// Returns the statement and operation that define a variable, if there is one.
    pub(super) fn definition(&self, variable: Variable) -> Option<(StatementId, &'a Operation)> {
        match self.body.variable(variable).definition {
            Definition::Statement(id) => Some((id, &self.body.statement(id).operation)),
            Definition::Parameter(_) | Definition::Joined(..) | Definition::Caught(_) => None,
        }
    }

    /// Returns the name of the method that an operation calls, with the arguments.
    pub(super) fn called(&self, operation: &'a Operation) -> Option<(&'a str, &'a [Variable])> {
        match operation {
            Operation::Invoke { member, arguments, .. } => Some((self.program.text(member.name), arguments)),
            _ => None,
        }
    }

    /// Returns the list of an iterator.
    pub(super) fn iterated(&self, iterator: Variable) -> Option<Variable> {
        match self.called(self.definition(self.origin(iterator))?.1) {
            Some(("iterator", arguments)) => Some(self.origin(arguments[0])),
            _ => None,
        }
    }

    /// Iterates over all statements with their operations.
    pub(super) fn statements(&self) -> impl Iterator<Item = (StatementId, &'a Operation)> + use<'a> {
        let body = self.body;
        body.blocks().flat_map(|(block, of)| {
            (0..)
                .zip(&*of.statements)
                .map(move |(index, statement)| (StatementId { block, index }, &statement.operation))
        })
    }

    /// Whether a variable is used only by statements that `allows` accepts, and by no edge.
    pub(super) fn is_used_only(&self, variable: Variable, allows: impl Fn(&Operation) -> bool) -> bool {
        let in_statements = self.statements().filter(|(_, operation)| operation.uses().contains(&variable));
        let statements = in_statements.map(|(_, operation)| operation).collect::<Vec<_>>();
        let count: usize =
            statements.iter().map(|operation| operation.uses().iter().filter(|used| **used == variable).count()).sum();
        count == self.uses.of(variable).len() && statements.into_iter().all(allows)
    }

    /// Returns the innermost loop of a statement.
    pub(super) fn innermost(&self, id: StatementId) -> Option<LoopId> {
        self.loops.as_ref().and_then(|loops| loops.innermost(id.block))
    }

    /// Returns the value of a variable that is an int constant.
    pub(super) fn constant(&self, variable: Variable) -> Option<i32> {
        match self.definition(variable)?.1 {
            Operation::Constant(Constant::Int(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns the value before a loop of a variable to which the loop adds 1 in each iteration.
    pub(super) fn induction_start(&self, id: LoopId, index: Variable) -> Option<Variable> {
        let loops = self.loops.as_ref()?;
        let Definition::Joined(block, place) = self.body.variable(index).definition else { return None };
        if loops.heads(id) != [block] {
            return None;
        }
        let mut first = None;
        for (from, of) in self.body.blocks() {
            let thrown = of.handlers.iter().chain(of.statements.iter().flat_map(|statement| &*statement.handlers));
            let edges = of.end.edges().into_iter().chain(thrown.map(|handler| &handler.edge));
            for edge in edges.filter(|edge| edge.target == block) {
                let given = *edge.arguments.get(place as usize)?;
                match loops.contains(id, from) {
                    true if self.is_one_more(given, index) => {}
                    false if first.is_none_or(|known| known == given) => first = Some(given),
                    true | false => return None,
                }
            }
        }
        first
    }

    fn is_one_more(&self, given: Variable, index: Variable) -> bool {
        match self.definition(given).map(|it| it.1) {
            Some(Operation::Binary(Operator::Add, _, [one, other])) => {
                (*one == index && self.constant(*other) == Some(1))
                    || (*other == index && self.constant(*one) == Some(1))
            }
            _ => false,
        }
    }
}
