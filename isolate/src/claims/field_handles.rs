//! Fields that handles access: a `VarHandle`, an `AtomicIntegerFieldUpdater` or its like.
//!
//! A handle is kept in a static field that never changes, and made there of constants:
//! `AtomicLongFieldUpdater.newUpdater(Counter.class, "count")`,
//! `lookup.findVarHandle(Counter.class, "count", long.class)`. The field that it accesses is its *target*.

use super::operand_stack;
use java::{Code, Constant, FieldId, Instruction, InvokeKind, Lookup, Member, Name, Program};

/// What is known of a value while a static initializer makes handles.
#[derive(Clone, Copy)]
enum Known {
    Class(Name),
    Text(Name),
    /// A handle with this target.
    Target(FieldId),
    Nothing,
}

/// Shows the targets of the handles that are written to static fields, as far as they are known. Linear in the code.
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

/// The field of the first class among the arguments whose name is the text among them.
fn target(program: &Program, arguments: &[Known]) -> Known {
    let class = arguments.iter().find_map(|known| if let Known::Class(name) = known { Some(*name) } else { None });
    let text = arguments.iter().find_map(|known| if let Known::Text(text) = known { Some(*text) } else { None });
    let (Some(class), Some(text)) = (class.and_then(|class| program.named(class)), text) else { return Known::Nothing };
    let mut fields = program.class(class).fields();
    let found = fields.find(|field| program.text(program.field(*field).name) == program.text(text));
    found.map_or(Known::Nothing, Known::Target)
}
