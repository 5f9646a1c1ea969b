//! The translation of an instruction to an operation on variables.

use super::body::{Operation, Variable};
use super::draft::Fact;
use crate::bytecode::{Constant, Instruction};
use crate::class_file::Type;
use crate::program::Program;

/// The operation of an instruction on its operands, the lowest first; none if it only moves values or control.
pub(super) fn operation(program: &Program, instruction: Instruction, operands: &[Variable]) -> Option<Operation> {
    use Instruction as I;
    Some(match instruction {
        I::Nop
        | I::Load(..)
        | I::Store(..)
        | I::Increment(..)
        | I::Stack(_)
        | I::Branch(..)
        | I::Goto(_)
        | I::Jsr(_)
        | I::Ret(_)
        | I::Switch(_)
        | I::Return(_)
        | I::Throw => return None,
        I::Constant(constant) => Operation::Constant(constant),
        I::ArrayLoad(element) => Operation::LoadElement { element, array: operands[0], index: operands[1] },
        I::ArrayStore(element) => {
            Operation::StoreElement { element, array: operands[0], index: operands[1], value: operands[2] }
        }
        I::ArrayLength => Operation::ArrayLength(operands[0]),
        I::Binary(operator, kind) => Operation::Binary(operator, kind, [operands[0], operands[1]]),
        I::Negate(kind) => Operation::Negate(kind, operands[0]),
        I::Convert(from, to) => Operation::Convert(from, to, operands[0]),
        I::Narrow(element) => Operation::Narrow(element, operands[0]),
        I::Compare(kind) => Operation::Compare(kind, [operands[0], operands[1]]),
        I::GetField(field) => Operation::GetField { object: operands[0], field },
        I::PutField(field) => Operation::PutField { object: operands[0], field, value: operands[1] },
        I::GetStatic(field) => Operation::GetStatic(field),
        I::PutStatic(field) => Operation::PutStatic(field, operands[0]),
        I::Invoke(kind, member) => Operation::Invoke { kind, member, arguments: operands.into() },
        I::InvokeDynamic(site) => Operation::InvokeDynamic { site: site.0.into(), arguments: operands.into() },
        I::New(class) => Operation::New(class),
        I::NewArray(element) => Operation::NewArray(array_of(program, element), operands.into()),
        I::NewMultiArray(of, _) => Operation::NewArray(of, operands.into()),
        I::CheckCast(of) => Operation::CheckCast(of, operands[0]),
        I::InstanceOf(of) => Operation::InstanceOf(of, operands[0]),
        I::MonitorEnter => Operation::MonitorEnter(operands[0]),
        I::MonitorExit => Operation::MonitorExit(operands[0]),
    })
}

/// The type of arrays with elements of a type.
fn array_of(program: &Program, element: Type) -> Type {
    let name = match element {
        Type::Class(name) | Type::Array(name) => program.names.find_array_of(name),
        _ => element.primitive_array().and_then(|descriptor| program.name(descriptor)),
    };
    Type::Array(name.expect("the reader interns the descriptors of all arrays that the code creates"))
}

/// The knowledge about the result of an operation.
pub(super) fn fact(operation: &Operation) -> Fact {
    match operation {
        Operation::New(_) | Operation::NewArray(..) => Fact::NotNull,
        Operation::Constant(constant) => match constant {
            Constant::Int(value) => Fact::Number(i64::from(*value)),
            Constant::Long(value) => Fact::Number(*value),
            Constant::String(_) | Constant::Class(_) | Constant::MethodType(_) | Constant::Handle(_) => Fact::NotNull,
            Constant::Null | Constant::Float(_) | Constant::Double(_) | Constant::Dynamic(_) => Fact::Other,
        },
        Operation::Binary(..)
        | Operation::Negate(..)
        | Operation::Convert(..)
        | Operation::Narrow(..)
        | Operation::Compare(..)
        | Operation::GetField { .. }
        | Operation::PutField { .. }
        | Operation::GetStatic(_)
        | Operation::PutStatic(..)
        | Operation::LoadElement { .. }
        | Operation::StoreElement { .. }
        | Operation::ArrayLength(_)
        | Operation::Invoke { .. }
        | Operation::InvokeDynamic { .. }
        | Operation::CheckCast(..)
        | Operation::InstanceOf(..)
        | Operation::MonitorEnter(_)
        | Operation::MonitorExit(_) => Fact::Other,
    }
}
