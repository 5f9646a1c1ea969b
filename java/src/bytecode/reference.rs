//! The generated code of reference methods.

use super::code::Code;
use super::instruction::{Instruction, InvokeKind, Local, StackOperation};
use crate::class_file::{HandleKind, MethodType, Reference};

/// The code of a reference method of this type: it passes its parameters to the referenced method and returns the
/// result.
pub(crate) fn reference_code(reference: &Reference, of: &MethodType) -> Code {
    let handle = reference.handle;
    let makes = handle.kind == HandleKind::NewInvokeSpecial;
    let kind = match handle.kind {
        HandleKind::InvokeStatic => InvokeKind::Static,
        HandleKind::InvokeInterface => InvokeKind::Interface,
        HandleKind::InvokeSpecial | HandleKind::NewInvokeSpecial => InvokeKind::Special,
        HandleKind::InvokeVirtual
        | HandleKind::GetField
        | HandleKind::GetStatic
        | HandleKind::PutField
        | HandleKind::PutStatic => InvokeKind::Virtual,
    };
    let mut instructions = Vec::new();
    if makes {
        instructions.extend([Instruction::New(handle.member.class), Instruction::Stack(StackOperation::Dup)]);
    }
    let mut slots = 0;
    for parameter in &of.parameters {
        instructions.push(Instruction::Load(parameter.kind(), Local(slots)));
        slots += u16::try_from(parameter.kind().slots()).expect("a value takes one slot or two");
    }
    instructions.push(Instruction::Invoke(kind, handle.member));
    instructions.push(Instruction::Return(of.result.map(|result| result.kind())));
    let count = u16::try_from(instructions.len()).expect("there are at most 255 parameters");
    Code {
        max_stack: slots + 2,
        max_locals: slots,
        lines: vec![reference.line; instructions.len()].into(),
        bytes: (0..count).collect(),
        instructions: instructions.into(),
        handlers: Box::default(),
        switches: Box::default(),
        call_sites: Box::default(),
    }
}
