//! The heads of loops, and what is still needed there.

use asercheck::java::{Code, Instruction, InstructionIndex};
use std::collections::HashMap;

/// The heads of loops of a method, with the local variables that are read from there on before they are assigned.
pub(super) type Heads = HashMap<InstructionIndex, Vec<bool>>;

/// The targets of jumps backwards, with the local variables that are read from there on before they are assigned.
pub(super) fn heads(code: &Code) -> Heads {
    let slots = usize::from(code.max_locals);
    let mut live: HashMap<InstructionIndex, Vec<bool>> = HashMap::new();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for (at, instruction) in code.instructions() {
            let mut now = vec![false; slots];
            let join = |next: InstructionIndex, now: &mut [bool]| {
                if let Some(later) = live.get(&next) {
                    now.iter_mut().zip(later).for_each(|(now, later)| *now |= later);
                }
            };
            code.successors(at).into_iter().for_each(|next| join(next, &mut now));
            match instruction {
                Instruction::Store(_, local) => now[local.index()] = false,
                Instruction::Load(_, local) | Instruction::Increment(local, _) => now[local.index()] = true,
                _ => {}
            }
            // What throws has stored nothing.
            code.handlers_at(at).for_each(|handler| join(handler.target, &mut now));
            has_changed |= live.insert(at, now.clone()) != Some(now);
        }
    }
    let targets = code.instructions().flat_map(|(at, _)| code.successors(at).into_iter().filter(move |to| *to <= at));
    targets.map(|head| (head, live[&head].clone())).collect()
}
