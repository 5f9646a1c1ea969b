//! Fields that are accessed through handles: a `VarHandle`, an `AtomicIntegerFieldUpdater` or the like.
//!
//! A handle is in a static field that never changes, and is created from constants:
//! `AtomicLongFieldUpdater.newUpdater(Counter.class, "count")`,
//! `lookup.findVarHandle(Counter.class, "count", long.class)`. The field that it accesses is its *target*.

use super::operand_stack;
use java::{Code, Constant, FieldId, Instruction, InvokeKind, Lookup, Member, Name, Program};

/// An abstract value in a static initializer that creates handles.
#[derive(Clone, Copy)]
enum Known {
    Class(Name),
    Text(Name),
    /// A handle with this target.
    Target(FieldId),
    Nothing,
}

/// Visits the known targets of the handles that the code writes to static fields. Linear in the code.
pub(super) fn handle_targets(program: &Program, code: &Code, mut visit: impl FnMut(FieldId)) {
    let is_handle = |member: Member| {
        let descriptor = program.text(member.descriptor);
        descriptor == "Ljava/lang/invoke/VarHandle;"
            || descriptor.starts_with("Ljava/util/concurrent/atomic/") && descriptor.ends_with("FieldUpdater;")
    };
    let is_written = |instruction| matches!(instruction, Instruction::PutStatic(member) if is_handle(member));
    if !code.instructions().any(|(_, instruction)| is_written(instruction)) {
        return;
    }
    operand_stack::walk(program, code, |_, instruction, stack, takes, _| {
        let taken = &stack[stack.len().saturating_sub(takes)..];
        match instruction {
            Instruction::Constant(Constant::Class(name)) => Known::Class(name),
            Instruction::Constant(Constant::String(text)) => Known::Text(text),
            Instruction::CheckCast(_) => taken.last().copied().unwrap_or(Known::Nothing),
            Instruction::Invoke(InvokeKind::Static | InvokeKind::Virtual, member) => match program.text(member.name) {
                "newUpdater" | "findVarHandle" | "findStaticVarHandle" => target(program, taken),
                _ => Known::Nothing,
            },
            Instruction::PutStatic(member) if is_handle(member) => {
                if let ([Known::Target(target)], Lookup::Found(_)) = (taken, program.resolve_field(member)) {
                    visit(*target);
                }
                Known::Nothing
            }
            _ => Known::Nothing,
        }
    });
}

/// Returns the handle for the field whose class is the first class among the arguments and whose name is the text among
/// them.
fn target(program: &Program, arguments: &[Known]) -> Known {
    let class = arguments.iter().find_map(|known| if let Known::Class(name) = known { Some(*name) } else { None });
    let text = arguments.iter().find_map(|known| if let Known::Text(text) = known { Some(*text) } else { None });
    let (Some(class), Some(text)) = (class.and_then(|class| program.named(class)), text) else { return Known::Nothing };
    let mut fields = program.class(class).fields();
    let found = fields.find(|field| program.text(program.field(*field).name) == program.text(text));
    found.map_or(Known::Nothing, Known::Target)
}
