//! An interpreter of bytecode on slots.

use super::values::{
    ARITHMETIC, MOST_INSTRUCTIONS, MOST_STEPS, NULL, Outcome, Value, World, binary, compare, convert, holds, narrow,
    negate,
};
use java::{Code, Constant, Instruction, InstructionIndex, Kind, Local, Program, StackOperation};

/// A slot. A long or double takes two slots: the value, and `Rest` above it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slot {
    Value(Value),
    Rest,
    Return(InstructionIndex),
    Nothing,
}

struct Machine<'p> {
    program: &'p Program,
    code: &'p Code,
    locals: Vec<Slot>,
    stack: Vec<Slot>,
    world: World,
    outcome: Outcome,
}

/// The result of a step: the next instruction or the end of the method.
enum Next {
    At(InstructionIndex),
    Throw(usize),
    Return(Option<Value>),
}

pub fn run(program: &Program, code: &Code, arguments: &[Value]) -> Outcome {
    let mut locals = Vec::new();
    arguments.iter().for_each(|value| push(&mut locals, *value));
    locals.resize(64, Slot::Nothing);
    let world = World::new();
    let mut machine = Machine { program, code, locals, stack: Vec::new(), world, outcome: Outcome::default() };
    let mut at = code.instructions().next().expect("there is one").0;
    for _ in 0..MOST_INSTRUCTIONS {
        if machine.outcome.steps.len() > MOST_STEPS {
            break;
        }
        match machine.step(at) {
            Next::At(next) => at = next,
            Next::Return(value) => {
                machine.outcome.result = Some(Ok(value));
                break;
            }
            Next::Throw(object) => {
                let Some(target) = machine.caught(at, object) else {
                    machine.outcome.result = Some(Err(object));
                    break;
                };
                machine.stack = vec![Slot::Value(Value::Reference(Some(object)))];
                at = target;
            }
        }
    }
    machine.outcome
}

fn push(slots: &mut Vec<Slot>, value: Value) {
    slots.push(Slot::Value(value));
    if matches!(value, Value::Long(_)) {
        slots.push(Slot::Rest);
    }
}

impl Machine<'_> {
    fn caught(&self, at: InstructionIndex, object: usize) -> Option<InstructionIndex> {
        let covers = |handler: &&java::Handler| handler.covers.contains(&at.index());
        let catches = |handler: &&java::Handler| {
            self.world.catches(handler.catches.map(|class| self.program.text(class)), object)
        };
        self.code.handlers().iter().filter(covers).find(catches).map(|handler| handler.target)
    }

    fn pop(&mut self) -> Value {
        match self.stack.pop().expect("there is a value") {
            Slot::Rest => self.pop(),
            Slot::Value(value) => value,
            other => panic!("{other:?} is no value"),
        }
    }

    /// Pops values, the lowest first, and records a step.
    fn take(&mut self, at: InstructionIndex, count: usize) -> Vec<Value> {
        let mut values: Vec<Value> = (0..count).map(|_| self.pop()).collect();
        values.reverse();
        self.outcome.steps.push((at, values.clone()));
        values
    }

    fn push(&mut self, value: Value) {
        push(&mut self.stack, value);
    }

    fn store(&mut self, local: Local) {
        let mut top = self.stack.pop().expect("there is a value");
        if top == Slot::Rest {
            self.locals[local.index() + 1] = Slot::Rest;
            top = self.stack.pop().expect("a value stands below its rest");
        }
        self.locals[local.index()] = top;
    }

    fn step(&mut self, at: InstructionIndex) -> Next {
        let next = if self.code.instruction(at).falls_through() { Some(self.code.next(at)) } else { None };
        match self.code.instruction(at) {
            Instruction::Nop => {}
            Instruction::Load(_, local) => match self.locals[local.index()] {
                Slot::Value(value) => self.push(value),
                other => panic!("{other:?} is loaded"),
            },
            Instruction::Store(_, local) => self.store(local),
            Instruction::Stack(operation) => self.rearrange(operation),
            Instruction::Goto(target) => return Next::At(target),
            Instruction::Jsr(target) => {
                self.stack.push(Slot::Return(self.code.next(at)));
                return Next::At(target);
            }
            Instruction::Ret(local) => match self.locals[local.index()] {
                Slot::Return(to) => return Next::At(to),
                other => panic!("{other:?} is no address"),
            },
            Instruction::Branch(condition, target) => {
                let values = self.take(at, condition.takes().0);
                if holds(condition, &values) {
                    return Next::At(target);
                }
            }
            Instruction::Switch(id) => {
                let value = self.take(at, 1)[0].int();
                let switch = self.code.switch(id);
                let case = switch.cases.iter().find(|case| case.0 == value);
                return Next::At(case.map_or(switch.default, |case| case.1));
            }
            Instruction::Return(None) => {
                self.take(at, 0);
                return Next::Return(None);
            }
            Instruction::Return(Some(_)) => return Next::Return(Some(self.take(at, 1)[0])),
            Instruction::Throw => {
                let object = self.take(at, 1)[0].reference();
                return Next::Throw(object.unwrap_or_else(|| self.world.throw(NULL)));
            }
            instruction => {
                if let Err(object) = self.operate(at, instruction) {
                    return Next::Throw(object);
                }
            }
        }
        Next::At(next.expect("it falls through"))
    }

    fn operate(&mut self, at: InstructionIndex, instruction: Instruction) -> Result<(), usize> {
        match instruction {
            Instruction::Constant(constant) => {
                self.take(at, 0);
                self.push(match constant {
                    Constant::Int(value) => Value::Int(value),
                    Constant::Long(value) => Value::Long(value),
                    Constant::Null => Value::Reference(None),
                    other => panic!("{other:?} is not made"),
                });
            }
            Instruction::Increment(local, by) => {
                let Slot::Value(before) = self.locals[local.index()] else { panic!("it is no value") };
                let by = Value::Int(by.into());
                self.outcome.steps.push((at, vec![before, by]));
                self.locals[local.index()] = Slot::Value(Value::Int(before.int().wrapping_add(by.int())));
            }
            Instruction::Binary(operator, kind) => {
                let values = self.take(at, 2);
                let result = binary(operator, kind, values[0], values[1]);
                let result = result.ok_or_else(|| self.world.throw(ARITHMETIC))?;
                self.push(result);
            }
            Instruction::Negate(Kind::Int | Kind::Long) => {
                let value = self.take(at, 1)[0];
                self.push(negate(value));
            }
            Instruction::Convert(_, to) => {
                let value = self.take(at, 1)[0];
                self.push(convert(to, value));
            }
            Instruction::Narrow(element) => {
                let value = self.take(at, 1)[0];
                self.push(narrow(element, value));
            }
            Instruction::Compare(_) => {
                let values = self.take(at, 2);
                self.push(compare(values[0], values[1]));
            }
            Instruction::GetStatic(_) => {
                self.take(at, 0);
                let value = self.world.read();
                self.push(value);
            }
            Instruction::PutStatic(_) => {
                self.take(at, 1);
            }
            Instruction::Invoke(..) => {
                let argument = self.take(at, 1)[0];
                let result = self.world.call(argument)?;
                self.push(result);
            }
            other => panic!("{other:?} is not made"),
        }
        Ok(())
    }

    fn rearrange(&mut self, operation: StackOperation) {
        let stack = &mut self.stack;
        let depth = stack.len();
        match operation {
            StackOperation::Pop => stack.truncate(depth - 1),
            StackOperation::Pop2 => stack.truncate(depth - 2),
            StackOperation::Dup => stack.push(stack[depth - 1]),
            StackOperation::DupX1 => stack.insert(depth - 2, stack[depth - 1]),
            StackOperation::DupX2 => stack.insert(depth - 3, stack[depth - 1]),
            StackOperation::Dup2 => stack.extend_from_within(depth - 2..),
            StackOperation::Dup2X1 => {
                let top = [stack[depth - 2], stack[depth - 1]];
                stack.splice(depth - 3..depth - 3, top);
            }
            StackOperation::Dup2X2 => {
                let top = [stack[depth - 2], stack[depth - 1]];
                stack.splice(depth - 4..depth - 4, top);
            }
            StackOperation::Swap => stack.swap(depth - 1, depth - 2),
        }
    }
}
