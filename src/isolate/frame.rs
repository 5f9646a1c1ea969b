//! A state of a method: where control is, and what is known of the values there.

use super::agree::{PairId, Pairs, Relation};
use super::flow::Step;
use super::value::{Lock, PlaceId, Value};
use crate::model::Mode;
use java::{Code, FieldId, Instruction, InstructionIndex, Local};

/// Something that is open and closed in the reverse order of opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Open {
    /// A monitor of the model.
    Monitor(Lock),
    /// The monitor of an object that is not followed.
    Silent,
    /// A lock of `java.util.concurrent.locks`.
    Explicit(Lock, Mode),
}

impl Open {
    /// What gives it up until a condition is told.
    pub(super) fn waits(self) -> Option<Step> {
        match self {
            Self::Explicit(lock, Mode::Write) => Some(Step::Wait(lock)),
            Self::Explicit(_, Mode::Read) | Self::Monitor(_) | Self::Silent => None,
        }
    }

    /// What closes it.
    pub(super) fn release(self) -> Option<Step> {
        match self {
            Self::Monitor(lock) => Some(Step::Release(lock, Mode::Write)),
            Self::Explicit(lock, mode) => Some(Step::Release(lock, mode)),
            Self::Silent => None,
        }
    }
}

/// A state of a clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) at: InstructionIndex,
    /// By slot; of a value of two slots, the second one is nothing.
    pub(super) locals: Vec<Value>,
    /// By value, the top last.
    pub(super) stack: Vec<Value>,
    /// The innermost last.
    pub(super) open: Vec<Open>,
    /// The locks that were open in callers and are closed here, in this order.
    pub(super) closed: Vec<Open>,
    /// In a constructor, what the fields of its object hold that never change afterwards; sorted.
    pub(super) fields: Vec<(FieldId, Value)>,
    /// What is known of pairs of expressions, those that were tested last behind the others; see `agree`.
    pub(super) known: Vec<(PairId, Relation)>,
    /// Whether control depends on what was found in the object; program mode.
    pub(super) is_tested: bool,
    /// Whether something computed from it was put into an array or a field; program mode.
    pub(super) is_kept: bool,
    /// Whether a compare-and-set has succeeded since the loop around has begun anew; see `retry`.
    pub(super) swapped: bool,
}

impl Frame {
    /// The state at an instruction with these local variables, and nothing else.
    pub(super) fn at(at: InstructionIndex, locals: Vec<Value>) -> Self {
        Self {
            at,
            locals,
            stack: Vec::new(),
            open: Vec::new(),
            closed: Vec::new(),
            fields: Vec::new(),
            known: Vec::new(),
            is_tested: false,
            is_kept: false,
            swapped: false,
        }
    }

    /// The smallest number of an undecided value that is free.
    pub(super) fn undecided(&self) -> Value {
        self.free(Value::Maybe)
    }

    /// A new object with a number that is free.
    pub(super) fn fresh(&self) -> Value {
        self.free(Value::New)
    }

    fn free(&self, make: fn(u32) -> Value) -> Value {
        let is_taken = |new: Value| self.locals.iter().chain(&self.stack).any(|value| *value == new);
        (0..).map(make).find(|value| !is_taken(*value)).expect("there are fewer values than numbers")
    }

    /// Puts another value where one is.
    pub(super) fn replace(&mut self, old: Value, new: Value) {
        let values = self.locals.iter_mut().chain(&mut self.stack);
        values.filter(|value| **value == old).for_each(|value| *value = new);
    }

    /// The frame for each decision about a value: it is the object, or it is not.
    pub(super) fn decided(&self, number: u32) -> [Self; 2] {
        [Value::Place(PlaceId::OBJECT), Value::Any].map(|decision| {
            let mut frame = self.clone();
            frame.replace(Value::Maybe(number), decision);
            frame
        })
    }

    /// Forgets the local variables that are not read any more, so that fewer frames differ.
    pub(super) fn forget_dead(&mut self, live: &Liveness) {
        for (slot, value) in self.locals.iter_mut().enumerate() {
            if !live.is_live(self.at, slot) {
                *value = Value::Any;
            }
        }
    }
}

/// Which local variables are read later, for each instruction.
#[derive(Debug)]
pub(super) struct Liveness {
    /// None if there are too many: then all are live.
    live: Option<Vec<bool>>,
    slots: usize,
}

/// So many pairs of an instruction and a local variable are computed.
const MOST: usize = 1 << 24;

impl Liveness {
    /// Backwards from where variables are read, or used in an expression that counts, until nothing changes.
    pub(super) fn new(code: &Code, pairs: &Pairs) -> Self {
        let slots = usize::from(code.max_locals);
        if slots.saturating_mul(code.len()) > MOST || code.handlers().len() > 1000 {
            return Self { live: None, slots };
        }
        let mut live = vec![false; slots * code.len()];
        let instructions: Vec<_> = code.instructions().collect();
        loop {
            let mut has_changed = false;
            for (at, instruction) in instructions.iter().rev() {
                let mut now = vec![false; slots];
                let targets =
                    code.successors(*at).into_iter().chain(code.handlers_at(*at).map(|handler| handler.target));
                for next in targets.collect::<Vec<_>>() {
                    let row = &live[next.index() * slots..][..slots];
                    now.iter_mut().zip(row).for_each(|(now, later)| *now |= later);
                }
                if let Instruction::Store(_, Local(slot)) = instruction
                    && code.handlers_at(*at).next().is_none()
                    && let Some(now) = now.get_mut(usize::from(*slot))
                {
                    *now = false;
                }
                if let Instruction::Load(_, Local(slot))
                | Instruction::Increment(Local(slot), _)
                | Instruction::Ret(Local(slot)) = instruction
                    && let Some(now) = now.get_mut(usize::from(*slot))
                {
                    *now = true;
                }
                for local in pairs.locals_at(*at) {
                    now.get_mut(usize::from(*local)).into_iter().for_each(|now| *now = true);
                }
                let row = &mut live[at.index() * slots..][..slots];
                if row != &now[..] {
                    row.copy_from_slice(&now);
                    has_changed = true;
                }
            }
            if !has_changed {
                return Self { live: Some(live), slots };
            }
        }
    }

    /// Whether a local variable is read at an instruction or behind it. One that damaged code does not declare may be.
    pub(super) fn is_live(&self, at: InstructionIndex, slot: usize) -> bool {
        self.live.as_ref().is_none_or(|live| slot >= self.slots || live[at.index() * self.slots + slot])
    }
}
