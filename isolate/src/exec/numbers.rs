//! Numbers with one value in each execution: [symbolic indices](super::symbolic_indices) and expressions of them.

use crate::value::{AliasId, NumberId, RegionId, SymbolicIndex};
use java::{FieldId, Operator};
use rustc_hash::{FxHashMap, FxHashSet};

/// An expression with one value in each execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    /// A followed index.
    Index(SymbolicIndex),
    /// An index that is not followed.
    Elsewhere,
    /// An index that has passed followed indices.
    Counter(Counter),
    Int(i32),
    /// The length of an array.
    Length(RegionId),
    /// The value of an unchanging field of a region.
    Held(RegionId, FieldId),
    Binary(Operator, NumberId, NumberId),
}

/// An index that counts up: it is greater than the followed indices that it has passed, so it does not reach them
/// again.
///
/// *Why it suffices.* An index at which an array was accessed is less than the array's length, so adding a positive
/// number without overflow gives a greater number; if an array is accessed between any two additions of one, none of
/// them overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Counter {
    /// Where it is, if that is decided: at a followed index, or elsewhere.
    pub(super) at: Option<Option<SymbolicIndex>>,
    /// Whether it was at the followed indices before.
    pub(super) past: [bool; 2],
    /// Whether an array was accessed at the present index.
    pub(super) is_valid: bool,
}

impl Counter {
    pub(super) fn decided(at: Option<SymbolicIndex>) -> Self {
        Self { at: Some(at), past: [false; 2], is_valid: false }
    }

    /// The simplest number with this information.
    pub(super) fn number(self) -> Number {
        match (self.at, self.past, self.is_valid) {
            (Some(Some(which)), [false, false], false) => Number::Index(which),
            (Some(None), [false, false], false) => Number::Elsewhere,
            _ => Number::Counter(self),
        }
    }

    /// The cases of a split: the followed indices not yet passed, and elsewhere.
    pub(super) fn cases(self) -> Vec<Self> {
        let is_new = |at: &Option<SymbolicIndex>| at.is_none_or(|which| !self.past[which as usize]);
        let cases = [Some(SymbolicIndex::First), Some(SymbolicIndex::Second), None].into_iter().filter(is_new);
        cases.map(|at| Self { at: Some(at), is_valid: false, ..self }).collect()
    }

    /// The index plus one, if an array was accessed at the index and a followed index has been passed.
    pub(super) fn next(self) -> Option<Self> {
        let at = self.at.filter(|_| self.is_valid)?;
        let mut past = self.past;
        if let Some(which) = at {
            past[which as usize] = true;
        }
        past.contains(&true).then_some(Self { at: None, past, is_valid: false })
    }
}

/// Interned numbers, and the accesses to arrays.
#[derive(Debug, Default)]
pub(crate) struct SymbolicIndices {
    numbers: Vec<Number>,
    ids: FxHashMap<Number, NumberId>,
    /// Arrays that are accessed at an index, and arrays that are accessed as a whole.
    pub(crate) at_index: FxHashSet<AliasId>,
    pub(crate) as_whole: FxHashSet<AliasId>,
}

impl SymbolicIndices {
    pub(super) fn id(&mut self, number: Number) -> NumberId {
        if let Some(known) = self.ids.get(&number) {
            return *known;
        }
        let id = NumberId(u32::try_from(self.numbers.len()).expect("the number of states is bounded"));
        self.numbers.push(number);
        self.ids.insert(number, id);
        id
    }

    pub(super) fn number(&self, id: NumberId) -> Number {
        self.numbers[id.0 as usize]
    }

    pub(super) fn depth(&self, id: NumberId) -> usize {
        // The recursion ends, as the depth of numbers is bounded.
        match self.number(id) {
            Number::Binary(_, one, other) => 1 + self.depth(one).max(self.depth(other)),
            Number::Index(_) | Number::Elsewhere | Number::Counter(_) => 0,
            Number::Int(_) | Number::Length(_) | Number::Held(..) => 0,
        }
    }
}

/// The case of an element access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementPlace {
    /// Elements are not distinguished.
    All,
    /// At a followed index.
    At(SymbolicIndex),
    /// At another index.
    Elsewhere,
}
