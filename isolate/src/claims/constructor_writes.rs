//! The writes of a constructor to its own object.
//!
//! A field that is written only in constructors does not change, since no other thread has the new object. But a
//! constructor may also write a field of another object (`previous.next = this`), which other threads may have; then
//! the field changes.
//!
//! A write is certainly to the own object if
//!
//! - its receiver is local variable 0, which the constructor never assigns, loaded after the last join of control flow
//!   (values pushed before a join are unknown after it); or
//! - no other value in the constructor can have the field: no parameter, result, field, element, new object, cast or
//!   caught exception is of its class or a subclass. Verified bytecode has only receivers of such types (JVMS, section
//!   4.10).

use super::value_sources::{ValueSource, walk};
use java::{ClassId, Code, FieldId, Instruction, InstructionIndex, MethodId, Program, Type};
use rustc_hash::FxHashSet;

/// The possible receivers of the writes of a constructor.
pub(super) struct ConstructorReceivers {
    /// The writes whose receiver is local variable 0.
    own: FxHashSet<InstructionIndex>,
    /// The classes of other values.
    others: FxHashSet<ClassId>,
    /// Whether the constructor loads elements of arrays, whose types are not in the code.
    has_elements: bool,
}

impl ConstructorReceivers {
    /// Collects the receivers of a constructor. Linear in its code.
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
                // A lambda creates an object of an interface, which has no instance fields; other instructions create
                // none.
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

/// Returns the writes whose receiver is local variable 0.
fn own_writes(program: &Program, code: &Code) -> FxHashSet<InstructionIndex> {
    let mut own = FxHashSet::default();
    walk(program, code, |at, instruction, stack| {
        if matches!(instruction, Instruction::PutField(_)) && stack.iter().nth_back(1) == Some(&ValueSource::Local0) {
            own.insert(at);
        }
    });
    own
}
