//! Which writes of a constructor are to its own object.
//!
//! A field that is written in constructors only stays the same, as nobody else has an object that is just made. But a
//! constructor may also write the field of another object (`previous.next = this`), which others may have had for long:
//! then the field changes.
//!
//! A write is surely to the own object if
//!
//! - its receiver is local variable 0, which the constructor never assigns, loaded since the last place at which
//!   control comes together (what was pushed before such a place is not known here); or
//! - no other value that the constructor gets can have the field: no parameter, result, field, element, new object,
//!   cast or caught exception is of its class or a subclass. Code that a virtual machine accepts has only receivers of
//!   such types (JVMS, section 4.10).

use super::value_sources::{ValueSource, walk};
use java::{ClassId, Code, FieldId, Instruction, InstructionIndex, MethodId, Program, Type};
use rustc_hash::FxHashSet;

/// What a constructor may write to. Linear in its code to make.
pub(super) struct ConstructorReceivers {
    /// The writes to local variable 0.
    own: FxHashSet<InstructionIndex>,
    /// The classes of other values.
    others: FxHashSet<ClassId>,
    /// Whether there are elements of arrays, whose types the code does not say.
    has_elements: bool,
}

impl ConstructorReceivers {
    pub(super) fn of(program: &Program, constructor: MethodId, code: &Code) -> Self {
        let mut receivers = Self { own: own_writes(program, code), others: FxHashSet::default(), has_elements: false };
        let types = program.method_type(program.method(constructor).descriptor);
        let parameters = types.into_iter().flat_map(|types| types.parameters.iter().copied());
        parameters.for_each(|parameter| receivers.add(program, Some(parameter)));
        for handler in code.handlers() {
            receivers.add(program, handler.catches.map(Type::Class));
        }
        for (_, instruction) in code.instructions() {
            match instruction {
                Instruction::GetField(member) | Instruction::GetStatic(member) => {
                    receivers.add(program, program.field_type(member.descriptor));
                }
                Instruction::Invoke(_, member) => {
                    receivers.add(program, program.result_type(member.descriptor));
                }
                Instruction::New(class) => receivers.add(program, Some(Type::Class(class))),
                Instruction::CheckCast(to) => receivers.add(program, Some(to)),
                Instruction::ArrayLoad(_) => receivers.has_elements = true,
                // What a lambda makes is of an interface, which has no instance fields; all else gives no object.
                _ => {}
            }
        }
        receivers
    }

    fn add(&mut self, program: &Program, of: Option<Type>) {
        if let Some(Type::Class(name)) = of {
            self.others.extend(program.named(name));
        }
    }

    /// Whether a write to an instance field is to the constructor's own object.
    pub(super) fn is_own(&self, program: &Program, at: InstructionIndex, field: FieldId) -> bool {
        let class = program.field(field).class;
        let is_other = || self.has_elements || self.others.iter().any(|other| program.is_subtype(*other, class));
        self.own.contains(&at) || !is_other()
    }
}

/// The writes whose receiver is local variable 0.
fn own_writes(program: &Program, code: &Code) -> FxHashSet<InstructionIndex> {
    let mut own = FxHashSet::default();
    walk(program, code, |at, instruction, stack| {
        if matches!(instruction, Instruction::PutField(_)) && stack.iter().nth_back(1) == Some(&ValueSource::Local0) {
            own.insert(at);
        }
    });
    own
}
