//! The operand stack before each instruction.
//!
//! Some instructions move *slots*. A long or double takes two slots, so `dup2` copies one value or two values.
//! [`rearrange`] translates these instructions from slots to values. [`Stacks`] holds the stack before each reachable
//! instruction. It is exact because the format requires equal stacks on all paths to an instruction (JVMS 4.10).

use super::code::Code;
use super::instruction::{Instruction, InstructionIndex, InvokeKind, StackOperation};
use crate::class_file::{Kind, Name, Type, TypeTable};
use rustc_hash::FxHashMap;
use std::fmt;

/// The effect of a [`StackOperation`] on values: it pops some values and pushes copies of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rearrangement {
    /// The number of popped values.
    pub takes: usize,
    /// The pushed values, the lowest first, as indices of the popped values from the top: 0 was on top.
    pub pushes: &'static [usize],
}

/// The effect of an operation on values with these kinds, from the top down; none if there are too few values or if one
/// slot of a long or double would be moved without the other.
///
/// # Examples
///
/// ```
/// use java::{Kind, StackOperation, rearrange};
///
/// // An int on top of a long.
/// let found = rearrange(StackOperation::DupX2, [Kind::Int, Kind::Long]).unwrap();
/// assert_eq!((found.takes, found.pushes), (2, &[0, 1, 0][..]));
/// ```
pub fn rearrange(operation: StackOperation, top: impl IntoIterator<Item = Kind>) -> Option<Rearrangement> {
    let mut slots = [0; 4];
    for (slot, kind) in slots.iter_mut().zip(top) {
        *slot = kind.slots();
    }
    let rearrangement = |takes, pushes| Some(Rearrangement { takes, pushes });
    // The forms of the specification (JVMS 6.5); 0 stands for an absent value.
    match (operation, slots) {
        (StackOperation::Pop, [1, ..]) => rearrangement(1, &[]),
        (StackOperation::Pop2, [1, 1, ..]) => rearrangement(2, &[]),
        (StackOperation::Pop2, [2, ..]) => rearrangement(1, &[]),
        (StackOperation::Dup, [1, ..]) => rearrangement(1, &[0, 0]),
        (StackOperation::DupX1, [1, 1, ..]) => rearrangement(2, &[0, 1, 0]),
        (StackOperation::DupX2, [1, 1, 1, _]) => rearrangement(3, &[0, 2, 1, 0]),
        (StackOperation::DupX2, [1, 2, ..]) => rearrangement(2, &[0, 1, 0]),
        (StackOperation::Dup2, [1, 1, ..]) => rearrangement(2, &[1, 0, 1, 0]),
        (StackOperation::Dup2, [2, ..]) => rearrangement(1, &[0, 0]),
        (StackOperation::Dup2X1, [1, 1, 1, _]) => rearrangement(3, &[1, 0, 2, 1, 0]),
        (StackOperation::Dup2X1, [2, 1, ..]) => rearrangement(2, &[0, 1, 0]),
        (StackOperation::Dup2X2, [1, 1, 1, 1]) => rearrangement(4, &[1, 0, 3, 2, 1, 0]),
        (StackOperation::Dup2X2, [2, 1, 1, _]) => rearrangement(3, &[0, 2, 1, 0]),
        (StackOperation::Dup2X2, [1, 1, 2, _]) => rearrangement(3, &[1, 0, 2, 1, 0]),
        (StackOperation::Dup2X2, [2, 2, ..]) => rearrangement(2, &[0, 1, 0]),
        (StackOperation::Swap, [1, 1, ..]) => rearrangement(2, &[0, 1]),
        _ => None,
    }
}

/// The values that an instruction other than a [`StackOperation`] pops and pushes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The kinds of the popped values, the lowest first.
    pub takes: Vec<Kind>,
    /// The kind of the pushed value, if there is one.
    pub gives: Option<Kind>,
}

/// The effect of an instruction of a method; none for a [`StackOperation`], or if a descriptor is invalid.
pub(crate) fn effect(code: &Code, types: &TypeTable, instruction: Instruction) -> Option<Effect> {
    use Instruction as I;
    use Kind::{Int, Reference};
    let effect = |takes: &[Kind], gives| Some(Effect { takes: takes.to_vec(), gives });
    match instruction {
        I::Stack(_) => None,
        I::Nop | I::Increment(..) | I::Goto(_) | I::Ret(_) | I::Return(None) => effect(&[], None),
        I::Constant(constant) => effect(&[], Some(constant.kind())),
        I::Load(kind, _) => effect(&[], Some(kind)),
        I::Store(kind, _) | I::Return(Some(kind)) => effect(&[kind], None),
        I::ArrayLoad(element) => effect(&[Reference, Int], Some(element.kind())),
        I::ArrayStore(element) => effect(&[Reference, Int, element.kind()], None),
        I::ArrayLength | I::InstanceOf(_) => effect(&[Reference], Some(Int)),
        I::Binary(operator, kind) => effect(&[kind, if operator.is_shift() { Int } else { kind }], Some(kind)),
        I::Negate(kind) => effect(&[kind], Some(kind)),
        I::Convert(from, to) => effect(&[from], Some(to)),
        I::Narrow(_) => effect(&[Int], Some(Int)),
        I::Compare(kind) => effect(&[kind, kind], Some(Int)),
        I::Branch(condition, _) => {
            let (count, kind) = condition.takes();
            effect(&vec![kind; count], None)
        }
        I::Jsr(_) | I::New(_) => effect(&[], Some(Reference)),
        I::Switch(_) => effect(&[Int], None),
        I::Throw | I::MonitorEnter | I::MonitorExit => effect(&[Reference], None),
        I::GetField(field) => effect(&[Reference], Some(types.field(field.descriptor)?.kind())),
        I::PutField(field) => effect(&[Reference, types.field(field.descriptor)?.kind()], None),
        I::GetStatic(field) => effect(&[], Some(types.field(field.descriptor)?.kind())),
        I::PutStatic(field) => effect(&[types.field(field.descriptor)?.kind()], None),
        I::Invoke(kind, method) => {
            let receiver = (kind != InvokeKind::Static).then_some(Reference);
            call(types, receiver, method.descriptor)
        }
        I::InvokeDynamic(id) => call(types, None, code.call_site(id).descriptor),
        I::NewArray(_) => effect(&[Int], Some(Reference)),
        I::NewMultiArray(_, lengths) => effect(&vec![Int; lengths.into()], Some(Reference)),
        I::CheckCast(_) => effect(&[Reference], Some(Reference)),
    }
}

fn call(types: &TypeTable, receiver: Option<Kind>, descriptor: Name) -> Option<Effect> {
    let method = types.method(descriptor)?;
    let arguments = method.parameters.iter().map(|parameter| parameter.kind());
    Some(Effect { takes: receiver.into_iter().chain(arguments).collect(), gives: method.result.map(Type::kind) })
}

/// The operand stack before each instruction.
///
/// Stacks are hash-consed lists: each one is a value on top of another stack, and equal stacks have equal indices. The
/// space is therefore linear in the number of pushed values, whatever the height of the stacks, and a comparison takes
/// constant time.
#[derive(Clone, Debug)]
pub struct Stacks {
    /// Each nonempty stack: its top and the stack below.
    nodes: Vec<(Kind, StackId)>,
    before: Box<[Option<StackId>]>,
}

/// The index of a stack: 0 is the empty stack, `n` is `nodes[n - 1]`.
type StackId = u32;

/// An inconsistent use of the operand stack, for which a Java virtual machine rejects the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackError {
    /// The instruction.
    pub at: InstructionIndex,
    /// The kind of the inconsistency.
    pub problem: StackProblem,
}

/// The kinds of inconsistent use of the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackProblem {
    /// The values on top do not have the kinds that the instruction pops.
    Mismatch,
    /// Two paths reach the instruction with different stacks.
    Join,
}

impl fmt::Display for StackError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            StackProblem::Mismatch => "the operand stack does not hold what the instruction takes",
            StackProblem::Join => "two paths lead here with different operand stacks",
        };
        write!(out, "instruction {}: {problem}", self.at.index())
    }
}

impl std::error::Error for StackError {}

impl Stacks {
    /// The stack before an instruction, from the top down; none if the instruction is unreachable.
    pub fn before(&self, index: InstructionIndex) -> Option<impl Iterator<Item = Kind>> {
        let mut stack = self.before[index.index()]?;
        Some(std::iter::from_fn(move || {
            let (kind, below) = self.nodes[(stack as usize).checked_sub(1)?];
            stack = below;
            Some(kind)
        }))
    }

    /// Computes the stacks by one traversal of the control flow. Linear in the code and its branches, with a
    /// logarithmic factor for handlers.
    pub(crate) fn new(code: &Code, types: &TypeTable) -> Result<Self, StackError> {
        let stacks = Self { nodes: Vec::new(), before: vec![None; code.len()].into() };
        let covering = Covering::new(code);
        let mut builder = Builder { code, types, stacks, known: FxHashMap::default(), open: Vec::new(), covering };
        builder.reach(InstructionIndex(0), 0)?;
        let exception = builder.push(Kind::Reference, 0);
        while let Some(index) = builder.open.pop() {
            builder.step(index)?;
            // A handler is reachable if it covers a reachable instruction.
            for handler in builder.covering.take(index.index()) {
                builder.reach(code.handlers()[handler].target, exception)?;
            }
        }
        Ok(builder.stacks)
    }
}

/// The handlers that are not yet reached, in a segment tree over the instructions: each handler is stored at the roots
/// of the largest subtrees that it covers completely. All handlers of an instruction are stored at its ancestors.
struct Covering {
    /// The number of leaves: one for each instruction.
    size: usize,
    /// The handlers at each node. Node 1 is the root, `2n` and `2n + 1` are the children of `n`, and the leaves come
    /// last.
    nodes: Vec<Vec<usize>>,
}

impl Covering {
    fn new(code: &Code) -> Self {
        let size = code.len();
        let mut covering = Self { size, nodes: vec![Vec::new(); 2 * size] };
        for (number, handler) in code.handlers().iter().enumerate() {
            let (mut low, mut high) = (handler.covers.start + size, handler.covers.end + size);
            while low < high {
                if low % 2 == 1 {
                    covering.nodes[low].push(number);
                    low += 1;
                }
                if high % 2 == 1 {
                    high -= 1;
                    covering.nodes[high].push(number);
                }
                (low, high) = (low / 2, high / 2);
            }
        }
        covering
    }

    /// Removes and returns the handlers that cover an instruction. A handler may be returned once for each of its
    /// subtrees.
    fn take(&mut self, instruction: usize) -> Vec<usize> {
        let mut taken = Vec::new();
        let mut node = instruction + self.size;
        while node > 0 {
            taken.append(&mut self.nodes[node]);
            node /= 2;
        }
        taken
    }
}

struct Builder<'c> {
    code: &'c Code,
    types: &'c TypeTable,
    stacks: Stacks,
    known: FxHashMap<(Kind, StackId), StackId>,
    open: Vec<InstructionIndex>,
    covering: Covering,
}

impl Builder<'_> {
    fn push(&mut self, kind: Kind, below: StackId) -> StackId {
        *self.known.entry((kind, below)).or_insert_with(|| {
            self.stacks.nodes.push((kind, below));
            u32::try_from(self.stacks.nodes.len()).expect("fewer values are pushed than 2^32")
        })
    }

    /// The top value and the stack below.
    fn top(&self, stack: StackId) -> Option<(Kind, StackId)> {
        Some(self.stacks.nodes[(stack as usize).checked_sub(1)?])
    }

    fn reach(&mut self, at: InstructionIndex, stack: StackId) -> Result<(), StackError> {
        match &mut self.stacks.before[at.index()] {
            Some(known) if *known == stack => Ok(()),
            Some(_) => Err(StackError { at, problem: StackProblem::Join }),
            unknown => {
                *unknown = Some(stack);
                self.open.push(at);
                Ok(())
            }
        }
    }

    fn step(&mut self, at: InstructionIndex) -> Result<(), StackError> {
        let before = self.stacks.before[at.index()].expect("an open instruction is reached");
        let instruction = self.code.instruction(at);
        let after = self.after(instruction, before).ok_or(StackError { at, problem: StackProblem::Mismatch })?;
        for next in self.code.successors(at) {
            // A subroutine begins with its return address on the stack, and has popped it when it returns.
            let returns = matches!(instruction, Instruction::Jsr(target) if target != next);
            self.reach(next, if returns { before } else { after })?;
        }
        Ok(())
    }

    fn after(&mut self, instruction: Instruction, before: StackId) -> Option<StackId> {
        if let Instruction::Stack(operation) = instruction {
            return self.rearranged(operation, before);
        }
        let effect = effect(self.code, self.types, instruction)?;
        let mut stack = before;
        for kind in effect.takes.iter().rev() {
            let (top, below) = self.top(stack)?;
            if top != *kind {
                return None;
            }
            stack = below;
        }
        Some(effect.gives.map_or(stack, |kind| self.push(kind, stack)))
    }

    fn rearranged(&mut self, operation: StackOperation, before: StackId) -> Option<StackId> {
        let mut values = Vec::new();
        let mut stack = before;
        while values.len() < 4
            && let Some((kind, below)) = self.top(stack)
        {
            values.push((kind, below));
            stack = below;
        }
        let found = rearrange(operation, values.iter().map(|value| value.0))?;
        let below = values[found.takes - 1].1;
        Some(found.pushes.iter().fold(below, |stack, value| self.push(values[*value].0, stack)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies an operation to slots, as the specification describes it for values of one slot.
    fn slots_after(operation: StackOperation, slots: &mut Vec<char>) {
        let depth = slots.len();
        match operation {
            StackOperation::Pop => slots.truncate(depth - 1),
            StackOperation::Pop2 => slots.truncate(depth - 2),
            StackOperation::Dup => slots.push(slots[depth - 1]),
            StackOperation::DupX1 => slots.insert(depth - 2, slots[depth - 1]),
            StackOperation::DupX2 => slots.insert(depth - 3, slots[depth - 1]),
            StackOperation::Dup2 => slots.extend_from_within(depth - 2..),
            StackOperation::Dup2X1 => {
                let top = [slots[depth - 2], slots[depth - 1]];
                slots.splice(depth - 3..depth - 3, top);
            }
            StackOperation::Dup2X2 => {
                let top = [slots[depth - 2], slots[depth - 1]];
                slots.splice(depth - 4..depth - 4, top);
            }
            StackOperation::Swap => slots.swap(depth - 1, depth - 2),
        }
    }

    /// Each value has a letter of its own and takes one slot (`a`) or two (`Aa`).
    #[test]
    fn rearranging_values_is_rearranging_slots() {
        use StackOperation::{Dup, Dup2, Dup2X1, Dup2X2, DupX1, DupX2, Pop, Pop2, Swap};
        let mut possible = 0;
        for operation in [Pop, Pop2, Dup, DupX1, DupX2, Dup2, Dup2X1, Dup2X2, Swap] {
            for wide in 0..16 {
                let values: Vec<Vec<char>> = (0..4)
                    .zip(["d", "c", "b", "a"])
                    .map(|(bit, letter)| {
                        let wide = if wide >> bit & 1 == 1 { letter.to_uppercase() } else { String::new() };
                        format!("{wide}{letter}").chars().collect()
                    })
                    .collect();
                // From the top down: a, b, c, d.
                let kinds = values.iter().rev().map(|value| if value.len() == 2 { Kind::Long } else { Kind::Int });
                let mut slots: Vec<char> = values.concat();
                slots_after(operation, &mut slots);
                // A wide value stays whole if its upper slot is followed by its lower one.
                let whole = slots.iter().enumerate().all(|(place, slot)| match slot.is_uppercase() {
                    true => slots.get(place + 1) == Some(&slot.to_ascii_lowercase()),
                    false => {
                        let is_wide = values.iter().any(|value| value.len() == 2 && value[1] == *slot);
                        !is_wide || (place > 0 && slots[place - 1] == slot.to_ascii_uppercase())
                    }
                });
                match rearrange(operation, kinds) {
                    None => assert!(!whole || operation == Swap, "{operation:?} {values:?}"),
                    Some(found) => {
                        possible += 1;
                        let mut after: Vec<Vec<char>> = values[..4 - found.takes].to_vec();
                        after.extend(found.pushes.iter().map(|value| values[3 - value].clone()));
                        assert_eq!(after.concat(), slots, "{operation:?} {values:?}");
                    }
                }
            }
        }
        assert_eq!(possible, 8 + 12 + 8 + 4 + 6 + 12 + 6 + 9 + 4);
    }

    #[test]
    fn nothing_is_taken_from_an_empty_stack() {
        for operation in [StackOperation::Pop, StackOperation::Dup2X2, StackOperation::Swap] {
            assert_eq!(rearrange(operation, []), None);
        }
        assert_eq!(rearrange(StackOperation::Swap, [Kind::Int]), None);
    }
}
