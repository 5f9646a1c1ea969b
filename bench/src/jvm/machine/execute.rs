//! What single instructions do.

use super::operands::{compare, ints, longs, rearrange, same};
use super::world::{Object, Origin, Sort, Value, World, acquire, from, int, release};
use super::{Access, Cell, End, Machine, NO_MONITOR, NULL, OUT_OF_BOUNDS, Observer, Result, Unsupported};
use asercheck::java::{
    CallSiteAction, Code, Condition, Constant, Element, Handle, Instruction, InstructionIndex, Kind, Type,
};

impl Machine<'_> {
    /// Executes an instruction of a method; where control goes is done by the caller.
    pub(super) fn execute(
        &self,
        world: &mut World,
        thread: usize,
        code: &Code,
        at: InstructionIndex,
        observer: &mut impl Observer,
    ) -> Result<End> {
        let instruction = code.instruction(at);
        match instruction {
            Instruction::Nop => Ok(End::Next),
            Instruction::Constant(_)
            | Instruction::Load(..)
            | Instruction::Store(..)
            | Instruction::Increment(..)
            | Instruction::Stack(_) => transfer(world, thread, instruction),
            Instruction::Binary(..)
            | Instruction::Negate(_)
            | Instruction::Convert(..)
            | Instruction::Narrow(_)
            | Instruction::Compare(_) => calculate(world, thread, instruction),
            Instruction::ArrayLoad(_)
            | Instruction::ArrayStore(_)
            | Instruction::ArrayLength
            | Instruction::NewArray(_) => use_array(world, thread, instruction, observer),
            Instruction::Branch(..)
            | Instruction::Goto(_)
            | Instruction::Switch(_)
            | Instruction::Return(_)
            | Instruction::Throw => self.go(world, thread, code, instruction, observer),
            Instruction::GetField(_)
            | Instruction::PutField(_)
            | Instruction::GetStatic(_)
            | Instruction::PutStatic(_) => self.use_field(world, thread, instruction, observer),
            Instruction::Invoke(kind, member) => self.invoke(world, thread, (kind, member), observer),
            Instruction::InvokeDynamic(_)
            | Instruction::New(_)
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_) => self.use_object(world, thread, code, instruction),
            Instruction::MonitorEnter | Instruction::MonitorExit => use_monitor(world, thread, instruction),
            Instruction::Jsr(_) | Instruction::Ret(_) | Instruction::NewMultiArray(..) => unsupported(instruction),
        }
    }

    /// Branches, jumps, switches, returns and exceptions.
    fn go(
        &self,
        world: &mut World,
        thread: usize,
        code: &Code,
        instruction: Instruction,
        observer: &mut impl Observer,
    ) -> Result<End> {
        let unsupported = || unsupported(instruction);
        match instruction {
            Instruction::Branch(condition, target) => {
                let last = world.pop(thread);
                let holds = match condition {
                    Condition::Zero(comparison) => int(last).map(|value| compare(comparison, value, 0)),
                    Condition::Ints(comparison) => {
                        let one = world.pop(thread);
                        int(one).zip(int(last)).map(|(one, other)| compare(comparison, one, other))
                    }
                    Condition::Same => Some(same(world.pop(thread), last)),
                    Condition::Different => Some(!same(world.pop(thread), last)),
                    Condition::Null => Some(last == Value::Null),
                    Condition::NotNull => Some(last != Value::Null),
                };
                match holds {
                    Some(true) => return Ok(End::Jump(target)),
                    Some(false) => {}
                    None => return unsupported(),
                }
            }
            Instruction::Goto(target) => return Ok(End::Jump(target)),
            Instruction::Switch(id) => {
                let value = world.int(thread);
                let switch = code.switch(id);
                let case = switch.cases.iter().find(|case| case.0 == value);
                return Ok(End::Jump(case.map_or(switch.default, |case| case.1)));
            }
            Instruction::Return(kind) => {
                let value = kind.map(|_| world.pop(thread));
                self.leave(world, thread, observer);
                if !world.threads[thread].frames.is_empty() {
                    if let Some(value) = value {
                        world.push(thread, value);
                    }
                    self.goes_on(world, thread, observer);
                }
                return Ok(End::Elsewhere);
            }
            Instruction::Throw => {
                let Value::Object(exception, _) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                self.throw(world, thread, exception, observer);
                return Ok(End::Elsewhere);
            }
            _ => return unsupported(),
        }
        Ok(End::Next)
    }

    /// Reads and writes of fields.
    fn use_field(
        &self,
        world: &mut World,
        thread: usize,
        instruction: Instruction,
        observer: &mut impl Observer,
    ) -> Result<End> {
        match instruction {
            Instruction::GetField(member) => {
                let field = self.field(member)?;
                let Value::Object(object, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let cell = Cell::Field(object, field);
                observer.accesses(Access { thread, cell, origin, is_write: false });
                let value = world.objects[object.0 as usize].fields[&field];
                world.push(thread, from(value, Origin::Field(object, field, origin.is_static())));
            }
            Instruction::PutField(member) => {
                let field = self.field(member)?;
                let value = world.pop(thread);
                let Value::Object(object, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let cell = Cell::Field(object, field);
                observer.accesses(Access { thread, cell, origin, is_write: true });
                world.object(object).fields.insert(field, from(value, Origin::Elsewhere));
            }
            Instruction::GetStatic(member) => {
                let field = self.field(member)?;
                let (cell, origin) = (Cell::Static(field), Origin::Elsewhere);
                observer.accesses(Access { thread, cell, origin, is_write: false });
                let value = world.statics[&field];
                world.push(thread, from(value, Origin::Static(field)));
            }
            Instruction::PutStatic(member) => {
                let field = self.field(member)?;
                let value = world.pop(thread);
                let (cell, origin) = (Cell::Static(field), Origin::Elsewhere);
                observer.accesses(Access { thread, cell, origin, is_write: true });
                world.statics.insert(field, from(value, Origin::Elsewhere));
            }
            _ => return unsupported(instruction),
        }
        Ok(End::Next)
    }

    /// New objects and lambdas, and tests of classes.
    fn use_object(&self, world: &mut World, thread: usize, code: &Code, instruction: Instruction) -> Result<End> {
        let unsupported = || unsupported(instruction);
        match instruction {
            Instruction::InvokeDynamic(id) => {
                let site = code.call_site(id);
                let CallSiteAction::Lambda { implementation, .. } = site.action else { return unsupported() };
                let types = self.program.method_type(site.descriptor);
                let count = types.map_or(0, |types| types.parameters.len());
                let captured = world.take(thread, count);
                let Handle { kind, member } = implementation;
                let lambda = Sort::Lambda(kind, [member.class, member.name, member.descriptor], captured);
                let lambda = world.add(Object::new(lambda));
                world.push(thread, Value::Object(lambda, Origin::Elsewhere));
            }
            Instruction::New(name) => {
                let object = match self.program.named(name) {
                    Some(class) => self.allocate(world, class),
                    None => world.add(Object::new(Sort::Library(self.text(name).into()))),
                };
                world.push(thread, Value::Object(object, Origin::Elsewhere));
            }
            Instruction::CheckCast(to) => {
                if let (Some(Value::Object(object, _)), Type::Class(name)) =
                    (world.frame(thread).stack.last().copied(), to)
                    && !self.is_a(world, object, name)
                {
                    return Ok(End::Throws("java/lang/ClassCastException"));
                }
            }
            Instruction::InstanceOf(of) => {
                let value = world.pop(thread);
                let holds = match (value, of) {
                    (Value::Object(object, _), Type::Class(name)) => self.is_a(world, object, name),
                    (Value::Object(..), _) => return unsupported(),
                    _ => false,
                };
                world.push(thread, Value::Int(holds.into()));
            }
            _ => return unsupported(),
        }
        Ok(End::Next)
    }
}

/// The instruction is not known.
fn unsupported(instruction: Instruction) -> Result<End> {
    Err(Unsupported(format!("{instruction:?}")))
}

/// Moves values between constants, local variables and operands.
fn transfer(world: &mut World, thread: usize, instruction: Instruction) -> Result<End> {
    let unsupported = || unsupported(instruction);
    match instruction {
        Instruction::Constant(constant) => {
            let value = match constant {
                Constant::Null => Value::Null,
                Constant::Int(value) => Value::Int(value),
                Constant::Long(value) => Value::Long(value),
                Constant::String(name) => Value::Object(world.string(name), Origin::Elsewhere),
                Constant::Class(name) => Value::Object(world.class_object(name), Origin::Elsewhere),
                _ => return unsupported(),
            };
            world.push(thread, value);
        }
        Instruction::Load(_, local) => {
            let value = world.frame(thread).locals[local.index()];
            world.push(thread, value);
        }
        Instruction::Store(_, local) => {
            let value = world.pop(thread);
            world.frame(thread).locals[local.index()] = value;
        }
        Instruction::Increment(local, by) => {
            let Value::Int(value) = world.frame(thread).locals[local.index()] else { return unsupported() };
            world.frame(thread).locals[local.index()] = Value::Int(value.wrapping_add(by.into()));
        }
        Instruction::Stack(operation) => {
            if !rearrange(&mut world.frame(thread).stack, operation) {
                return unsupported();
            }
        }
        _ => return unsupported(),
    }
    Ok(End::Next)
}

/// Calculates with operands.
fn calculate(world: &mut World, thread: usize, instruction: Instruction) -> Result<End> {
    let unsupported = || unsupported(instruction);
    match instruction {
        Instruction::Binary(operator, kind) => {
            let (other, one) = (world.pop(thread), world.pop(thread));
            let value = match (one, other) {
                (Value::Int(one), Value::Int(other)) => ints(operator, one, other).map(Value::Int),
                (Value::Long(one), Value::Long(other)) => longs(operator, one, other).map(Value::Long),
                (Value::Long(one), Value::Int(other)) if operator.is_shift() => {
                    longs(operator, one, other.into()).map(Value::Long)
                }
                _ => return unsupported(),
            };
            debug_assert!(matches!(kind, Kind::Int | Kind::Long));
            let Some(value) = value else { return Ok(End::Throws("java/lang/ArithmeticException")) };
            world.push(thread, value);
        }
        Instruction::Negate(_) => {
            let value = match world.pop(thread) {
                Value::Int(value) => Value::Int(value.wrapping_neg()),
                Value::Long(value) => Value::Long(value.wrapping_neg()),
                _ => return unsupported(),
            };
            world.push(thread, value);
        }
        Instruction::Convert(Kind::Int, Kind::Long) => {
            let value = world.int(thread);
            world.push(thread, Value::Long(value.into()));
        }
        #[expect(clippy::cast_possible_truncation, reason = "this is what the instruction does")]
        Instruction::Convert(Kind::Long, Kind::Int) => {
            let Value::Long(value) = world.pop(thread) else { return unsupported() };
            world.push(thread, Value::Int(value as i32));
        }
        Instruction::Narrow(element) => {
            let value = world.int(thread);
            let bytes = value.to_le_bytes();
            let value = match element {
                Element::Byte => i8::from_le_bytes([bytes[0]]).into(),
                Element::Char => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
                _ => i16::from_le_bytes([bytes[0], bytes[1]]).into(),
            };
            world.push(thread, Value::Int(value));
        }
        Instruction::Compare(Kind::Long) => {
            let (Value::Long(other), Value::Long(one)) = (world.pop(thread), world.pop(thread)) else {
                return unsupported();
            };
            world.push(thread, Value::Int(one.cmp(&other) as i32));
        }
        _ => return unsupported(),
    }
    Ok(End::Next)
}

/// Makes arrays, and reads and writes their elements.
fn use_array(world: &mut World, thread: usize, instruction: Instruction, observer: &mut impl Observer) -> Result<End> {
    match instruction {
        Instruction::ArrayLoad(_) => {
            let index = world.int(thread);
            let Value::Object(array, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
            let elements = &world.objects[array.0 as usize].elements;
            let Some(value) = usize::try_from(index).ok().and_then(|index| elements.get(index)).copied() else {
                return Ok(End::Throws(OUT_OF_BOUNDS));
            };
            let cell = Cell::Element(array, index);
            observer.accesses(Access { thread, cell, origin, is_write: false });
            let origin = match origin {
                Origin::Field(holder, by, is_static) => Origin::Element(holder, by, index, is_static),
                Origin::Element(..) | Origin::Static(_) | Origin::Elsewhere => Origin::Elsewhere,
            };
            world.push(thread, from(value, origin));
        }
        Instruction::ArrayStore(_) => {
            let value = world.pop(thread);
            let index = world.int(thread);
            let Value::Object(array, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
            let elements = &mut world.object(array).elements;
            let Some(element) = usize::try_from(index).ok().and_then(|index| elements.get_mut(index)) else {
                return Ok(End::Throws(OUT_OF_BOUNDS));
            };
            *element = from(value, Origin::Elsewhere);
            let cell = Cell::Element(array, index);
            observer.accesses(Access { thread, cell, origin, is_write: true });
        }
        Instruction::ArrayLength => {
            let Value::Object(array, _) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
            let length = world.objects[array.0 as usize].elements.len();
            world.push(thread, Value::Int(i32::try_from(length).expect("arrays are small")));
        }
        Instruction::NewArray(of) => {
            let Ok(length) = usize::try_from(world.int(thread)) else {
                return Ok(End::Throws("java/lang/NegativeArraySizeException"));
            };
            let initial = match of.kind() {
                Kind::Reference => Value::Null,
                Kind::Long => Value::Long(0),
                _ => Value::Int(0),
            };
            let elements = vec![initial; length.min(64)];
            let array = world.add(Object { elements, ..Object::new(Sort::Array) });
            world.push(thread, Value::Object(array, Origin::Elsewhere));
        }
        _ => return unsupported(instruction),
    }
    Ok(End::Next)
}

/// Enters or leaves a monitor.
fn use_monitor(world: &mut World, thread: usize, instruction: Instruction) -> Result<End> {
    match instruction {
        Instruction::MonitorEnter => {
            let Some(Value::Object(object, _)) = world.frame(thread).stack.last().copied() else {
                return Ok(End::Throws(NULL));
            };
            if !acquire(&mut world.object(object).monitor, thread) {
                return Ok(End::Blocked);
            }
            world.pop(thread);
        }
        Instruction::MonitorExit => {
            let Value::Object(object, _) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
            if !release(&mut world.object(object).monitor, thread) {
                return Ok(End::Throws(NO_MONITOR));
            }
        }
        _ => return unsupported(instruction),
    }
    Ok(End::Next)
}
