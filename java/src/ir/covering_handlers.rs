//! The handlers of each instruction.
//!
//! The handlers of an instruction are the handlers that cover it, in the order of the class file. Handlers that can
//! never be chosen are omitted: those after one that catches everything, or after one that catches the same class.

use super::budget::Budget;
use super::error::Stop;
use super::graph::number;
use crate::bytecode::{Code, Constant, Handler, Instruction, Operator};
use crate::class_file::{Kind, Name};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Whether an instruction can throw, regardless of its operands. Errors that a virtual machine can throw anywhere are
/// ignored (out of memory, a class that cannot be found or initialized), and so are errors of `monitorexit`, as the
/// monitor was entered.
pub(super) fn can_throw(instruction: Instruction) -> bool {
    use Instruction as I;
    match instruction {
        I::ArrayLoad(_)
        | I::ArrayStore(_)
        | I::ArrayLength
        | I::NewArray(_)
        | I::NewMultiArray(..)
        | I::CheckCast(_)
        | I::Invoke(..)
        | I::InvokeDynamic(_)
        | I::GetField(_)
        | I::PutField(_)
        | I::MonitorEnter
        | I::Throw => true,
        I::Binary(operator, kind) => {
            matches!(operator, Operator::Divide | Operator::Remainder) && matches!(kind, Kind::Int | Kind::Long)
        }
        // A bootstrap method computes the constant and may throw.
        I::Constant(constant) => matches!(constant, Constant::Dynamic(_)),
        I::Nop
        | I::Load(..)
        | I::Store(..)
        | I::Increment(..)
        | I::Stack(_)
        | I::Negate(_)
        | I::Convert(..)
        | I::Narrow(_)
        | I::Compare(_)
        | I::Branch(..)
        | I::Goto(_)
        | I::Jsr(_)
        | I::Ret(_)
        | I::Switch(_)
        | I::Return(_)
        | I::GetStatic(_)
        | I::PutStatic(_)
        | I::New(_)
        | I::InstanceOf(_)
        | I::MonitorExit => false,
    }
}

/// The index of a list of handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HandlersId(u32);

impl HandlersId {
    /// No handlers.
    pub(super) const NONE: Self = Self(0);
}

/// The handlers of all instructions. Instructions with equal lists share one.
pub(super) struct CoveringHandlers {
    of: Vec<HandlersId>,
    lists: Vec<Box<[u32]>>,
}

impl CoveringHandlers {
    /// Computes the lists in one sweep over the bounds of the handlers. O(n log n) plus the total length of the lists.
    pub(super) fn new(code: &Code, budget: &Budget<'_>) -> Result<Self, Stop> {
        let mut bounds: Vec<(usize, u32)> = Vec::new();
        for (handler, place) in code.handlers().iter().zip(0..) {
            if !handler.covers.is_empty() {
                bounds.extend([(handler.covers.start, place), (handler.covers.end, place)]);
            }
        }
        bounds.sort_unstable();
        let mut cover = Self { of: vec![HandlersId::NONE; code.len()], lists: vec![Box::default()] };
        let mut known: FxHashMap<Box<[u32]>, HandlersId> = FxHashMap::default();
        let mut active = Active::default();
        let mut groups = bounds.chunk_by(|bound, next| bound.0 == next.0).peekable();
        while let Some(group) = groups.next() {
            let start = group[0].0;
            let end = groups.peek().map_or(start, |next| next[0].0);
            group.iter().for_each(|(_, place)| active.toggle(*place, &code.handlers()[*place as usize]));
            if code.instructions[start..end].iter().any(|instruction| can_throw(*instruction)) {
                let list = active.list(code.handlers());
                budget.edges(list.len(), 0)?;
                let next = HandlersId(number(cover.lists.len()));
                let id = *known.entry(list).or_insert_with_key(|list| {
                    cover.lists.push(list.clone());
                    next
                });
                cover.of[start..end].fill(id);
            }
        }
        Ok(cover)
    }

    /// The handlers of an instruction that can throw.
    pub(super) fn at(&self, instruction: usize) -> HandlersId {
        self.of[instruction]
    }

    /// The handlers of a list, as indices of the exception table.
    pub(super) fn list(&self, id: HandlersId) -> &[u32] {
        &self.lists[id.0 as usize]
    }
}

/// The handlers that cover the current position, by caught class. The first one of each class counts.
#[derive(Default)]
struct Active {
    by_class: FxHashMap<Option<Name>, BTreeSet<u32>>,
    firsts: BTreeSet<u32>,
}

impl Active {
    /// Adds a handler at its start, or removes it at its end.
    fn toggle(&mut self, place: u32, handler: &Handler) {
        let places = self.by_class.entry(handler.catches).or_default();
        if let Some(first) = places.first() {
            self.firsts.remove(first);
        }
        if !places.remove(&place) {
            places.insert(place);
        }
        self.firsts.extend(places.first());
    }

    fn list(&self, handlers: &[Handler]) -> Box<[u32]> {
        let catches_all = |place: &u32| handlers[*place as usize].catches.is_none();
        let end = self.firsts.iter().position(catches_all).map_or(self.firsts.len(), |last| last + 1);
        self.firsts.iter().copied().take(end).collect()
    }
}
