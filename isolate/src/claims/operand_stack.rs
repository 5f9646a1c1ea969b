//! Abstract interpretation of the operand stack in straight-line code.

use java::{Code, Instruction, InstructionIndex, Kind, Program, Rearrangement, rearrange};
use rustc_hash::FxHashSet;

/// Visits every instruction with the abstract values on the stack, the top last, and the number of its operands; `step`
/// returns the abstract value of its result. The last argument of `step` says whether control flow may have joined
/// since the previous visit. Instructions that only move values on the stack are not visited. Other values may be
/// below: values pushed before a join are unknown after it. Linear in the code.
pub(super) fn walk<T: Clone>(
    program: &Program,
    code: &Code,
    mut step: impl FnMut(InstructionIndex, Instruction, &mut Vec<T>, usize, bool) -> T,
) {
    let ends = |at| code.next(at);
    let joins: FxHashSet<_> = code
        .instructions()
        .flat_map(|(at, _)| code.successors(at).into_iter().filter(move |next| *next != ends(at)))
        .chain(code.handlers().iter().map(|handler| handler.target))
        .collect();
    let mut joined = false;
    let mut stack: Vec<T> = Vec::new();
    // The kinds of the same values.
    let mut kinds: Vec<Kind> = Vec::new();
    for (at, instruction) in code.instructions() {
        if joins.contains(&at) {
            stack.clear();
            kinds.clear();
            joined = true;
        }
        let Some(effect) = program.effect(code, instruction) else {
            let rearranged = match instruction {
                Instruction::Stack(operation) => rearrange(operation, kinds.iter().rev().copied()),
                // Damaged code.
                _ => None,
            };
            let rearranged = rearranged.filter(|found| found.takes <= stack.len());
            move_values(&mut stack, rearranged.as_ref());
            move_values(&mut kinds, rearranged.as_ref());
            continue;
        };
        let given = step(at, instruction, &mut stack, effect.takes.len(), std::mem::take(&mut joined));
        let below = stack.len().saturating_sub(effect.takes.len());
        stack.truncate(below);
        kinds.truncate(below);
        stack.extend(effect.gives.map(|_| given));
        kinds.extend(effect.gives);
    }
}

/// Moves the values on top of the stack; if the order is unknown, the whole stack becomes unknown.
fn move_values<T: Clone>(stack: &mut Vec<T>, rearranged: Option<&Rearrangement>) {
    let Some(Rearrangement { takes, pushes }) = rearranged else { return stack.clear() };
    let taken = stack.split_off(stack.len() - takes);
    stack.extend(pushes.iter().map(|from_top| taken[taken.len() - 1 - from_top].clone()));
}
