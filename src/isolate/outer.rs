//! Objects of inner classes that are held by the object around which they were made.
//!
//! A compiler keeps the object outside in a final field of its own making, `this$0`, to which the constructor's first argument is written. If all code that makes
//! objects of the inner class passes its own `this` there, and all that is written to a field is made in a method of the object that has the field
//! (`this.unlock = new Unlock(this)`), then `this.unlock.this$0` is `this`: so what `unlock.close()` unlocks is the lock of `this`.

use super::facts::Facts;
use super::held::Held;
use super::origin::{Origin, walk};
use super::value::{PlaceId, Places};
use java::{Code, FieldId, Instruction, InvokeKind, Member, Name, Program, Type};

/// Shows the inner classes of which code makes an object with something else outside than its own `this`. Linear in the code.
///
/// A constructor that calls one of its superclass makes no object of just that class, and one that calls another of its own class passes on what
/// it was given.
pub(super) fn others(program: &Program, code: &Code, mut visit: impl FnMut(Name)) {
    let made = |instruction| match instruction {
        Instruction::Invoke(InvokeKind::Special, member) if makes_inner(program, member) => Some(member),
        _ => None,
    };
    if !code.instructions().any(|(_, instruction)| made(instruction).is_some()) {
        return;
    }
    walk(program, code, |_, instruction, stack| {
        let Some(member) = made(instruction) else { return };
        let count = program.method_type(member.descriptor).map_or(0, |types| types.parameters.len());
        let [made, outside] = [count + 1, count].map(|back| stack.len().checked_sub(back).map(|at| stack[at]));
        let is_passed_on = made == Some(Origin::First) && outside == Some(Origin::Argument);
        if outside != Some(Origin::First) && !is_passed_on {
            visit(member.class);
        }
    });
}

/// Whether a call may make an object of an inner class, with the object outside as its first argument.
fn makes_inner(program: &Program, member: Member) -> bool {
    let takes_object = || {
        let types = program.method_type(member.descriptor);
        types.is_some_and(|types| matches!(types.parameters.first(), Some(Type::Class(_))))
    };
    program.is_constructor_name(member.name) && program.text(member.class).contains('$') && takes_object()
}

/// The place whose object is in a field of the object at a place, if that one was made by the object that holds it.
pub(super) fn outside(
    program: &Program,
    facts: &Facts,
    places: &mut Places,
    place: PlaceId,
    field: FieldId,
) -> Option<PlaceId> {
    let declared = program.field(field);
    let is_outer =
        declared.flags.is_final() && declared.flags.is_synthetic() && program.text(declared.name).starts_with("this$");
    let inner = program.class(declared.class).name;
    let holding = *places.path(place).last().filter(|_| is_outer)?;
    let is_made_by_holder =
        facts.holds(holding) == Held::Class(inner) && facts.holds_own(holding) && !facts.is_made_by_others(inner);
    is_made_by_holder.then(|| places.holder(place)).flatten()
}
