//! An interpreter of register form.

use super::values::{
    ARITHMETIC, MOST_INSTRUCTIONS, MOST_STEPS, NULL, Outcome, Value, World, binary, compare, convert, holds, narrow,
    negate,
};
use java::ir::{BlockId, Body, Edge, End, ExceptionEdge, Operation, Variable};
use java::{Code, Constant, Instruction, Program};

struct Machine<'p> {
    code: &'p Code,
    body: &'p Body,
    variables: Vec<Option<Value>>,
    world: World,
    outcome: Outcome,
}

/// The result of a block: an edge or the end of the method.
enum Next<'b> {
    Edge(&'b Edge),
    Throw(usize, &'b [ExceptionEdge]),
    Return(Option<Value>),
}

pub fn run(program: &Program, code: &Code, body: &Body, arguments: &[Value]) -> Outcome {
    let variables = vec![None; body.variables()];
    let mut machine = Machine { code, body, variables, world: World::new(), outcome: Outcome::default() };
    for (variable, value) in body.parameters.iter().zip(arguments) {
        machine.variables[variable.index()] = Some(*value);
    }
    let mut block = BlockId::ENTRY;
    for _ in 0..MOST_INSTRUCTIONS {
        if machine.outcome.steps.len() > MOST_STEPS {
            break;
        }
        match machine.block(block) {
            Next::Edge(edge) => block = machine.follow(edge),
            Next::Return(value) => {
                machine.outcome.result = Some(Ok(value));
                break;
            }
            Next::Throw(object, handlers) => {
                let name = |edge: &ExceptionEdge| edge.catches.map(|class| program.text(class));
                let Some(thrown) = handlers.iter().find(|edge| machine.world.catches(name(edge), object)) else {
                    machine.outcome.result = Some(Err(object));
                    break;
                };
                block = machine.follow(&thrown.edge);
                let caught = body.block(block).caught.expect("it is a handler");
                machine.variables[caught.index()] = Some(Value::Reference(Some(object)));
            }
        }
    }
    machine.outcome
}

impl<'p> Machine<'p> {
    fn get(&self, variable: Variable) -> Value {
        self.variables[variable.index()].unwrap_or_else(|| panic!("{variable} has a value"))
    }

    /// Assigns all parameters of the target simultaneously.
    fn follow(&mut self, edge: &Edge) -> BlockId {
        let values: Vec<Value> = edge.arguments.iter().map(|argument| self.get(*argument)).collect();
        for (parameter, value) in self.body.block(edge.target).parameters.iter().zip(values) {
            self.variables[parameter.index()] = Some(value);
        }
        edge.target
    }

    fn block(&mut self, id: BlockId) -> Next<'p> {
        let block = self.body.block(id);
        for statement in &block.statements {
            let values: Vec<Value> = statement.operation.uses().iter().map(|one| self.get(*one)).collect();
            let is_addition = matches!(self.code.instruction(statement.at), Instruction::Increment(..));
            if !(is_addition && matches!(statement.operation, Operation::Constant(_))) {
                self.outcome.steps.push((statement.at, values.clone()));
            }
            match self.operate(&statement.operation, &values) {
                Err(object) => return Next::Throw(object, &statement.handlers),
                Ok(result) => {
                    assert_eq!(result.is_some(), statement.to.is_some());
                    if let Some(to) = statement.to {
                        self.variables[to.index()] = result;
                    }
                }
            }
        }
        if !matches!(block.end, End::Goto(_)) {
            let values = block.end.uses().iter().map(|one| self.get(*one)).collect();
            self.outcome.steps.push((block.at, values));
        }
        match &block.end {
            End::Goto(edge) => Next::Edge(edge),
            End::Branch { condition, values, holds: taken, fails } => {
                let values: Vec<Value> = values.iter().map(|one| self.get(*one)).collect();
                Next::Edge(if holds(*condition, &values) { taken } else { fails })
            }
            End::Switch { value, cases, default } => {
                let value = self.get(*value).int();
                Next::Edge(cases.iter().find(|case| case.0 == value).map_or(default, |case| &case.1))
            }
            End::Return(value) => Next::Return(value.map(|value| self.get(value))),
            End::Throw(object) => {
                let object = self.get(*object).reference().unwrap_or_else(|| self.world.throw(NULL));
                Next::Throw(object, &block.handlers)
            }
        }
    }

    fn operate(&mut self, operation: &Operation, values: &[Value]) -> Result<Option<Value>, usize> {
        Ok(Some(match operation {
            Operation::Constant(Constant::Int(value)) => Value::Int(*value),
            Operation::Constant(Constant::Long(value)) => Value::Long(*value),
            Operation::Constant(Constant::Null) => Value::Reference(None),
            Operation::Binary(operator, kind, _) => {
                let result = binary(*operator, *kind, values[0], values[1]);
                result.ok_or_else(|| self.world.throw(ARITHMETIC))?
            }
            Operation::Negate(..) => negate(values[0]),
            Operation::Convert(_, to, _) => convert(*to, values[0]),
            Operation::Narrow(element, _) => narrow(*element, values[0]),
            Operation::Compare(..) => compare(values[0], values[1]),
            Operation::GetStatic(_) => self.world.read(),
            Operation::PutStatic(..) => return Ok(None),
            Operation::Invoke { .. } => self.world.call(values[0])?,
            other => panic!("{other:?} is not made"),
        }))
    }
}
