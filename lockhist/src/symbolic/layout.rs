//! The order of variables: one for each bit of each lock history.
//!
//! There is one block of variables per phase. A block has one group per lock `k`: `U_k`, `HT_k`, `RH[k][k]`, `AH[k][k]`
//! (the last two mean that `k` is in R and in A), then column `k` of RH and row `k` of AH. Each bit exists on several
//! adjacent *plies*: a relation reads one history and writes another, composition needs a third in between, and the
//! compatibility check uses one ply for each process.
//!
//! The order is decisive for the size of diagrams. With one block per ply instead of adjacent plies, the equality of
//! two plies would be exponential. Conditions 3 and 4 of Definition 3 compare `AH[i][j]` of one process with `AH[j][i]`
//! of the other, so every second process has RH and AH transposed, which makes these bits adjacent.

use crate::histories::Histories;
use crate::history::LockHistory;
use crate::lock::{Lock, LockSet};
use crate::segment::Segment;
use biodivine_lib_bdd::{BddVariable, BddVariableSet};

/// Whether RH and AH are laid out as they are or transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// For the first process of a check, the third, and so on.
    Straight,
    /// For the second process of a check, the fourth, and so on.
    Transposed,
}

impl Orientation {
    /// The orientation of the process at this position in a check, from 0.
    pub fn of_thread(thread: usize) -> Self {
        if thread.is_multiple_of(2) { Self::Straight } else { Self::Transposed }
    }
}

/// One bit of a lock history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bit {
    Used(usize),
    HeldThroughout(usize),
    /// The second lock is in the release history of the first.
    Releases(usize, usize),
    /// The second lock is in the acquisition history of the first.
    Acquisitions(usize, usize),
}

/// A copy of the bits of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ply(pub(crate) usize);

impl Ply {
    /// The history that a relation reads.
    pub(crate) const IN: Self = Self(0);
    /// The history between two relations that are composed.
    pub(crate) const MIDDLE: Self = Self(1);
    /// The history that a relation writes.
    pub(crate) const OUT: Self = Self(2);
}

/// The variables of relations over some number of locks and phases, for checks of some number of processes.
#[derive(Clone, Debug)]
pub struct Layout {
    locks: usize,
    phases: usize,
    plies: usize,
    variables: BddVariableSet,
}

impl Layout {
    /// Returns the layout for this many locks, phases and processes. It needs
    /// `phases * 2 * locks * (locks + 1) * max(3, threads)` variables; `None` if these are more than 65,534.
    pub fn new(locks: usize, phases: usize, threads: usize) -> Option<Self> {
        let plies = threads.max(3);
        let count =
            phases.checked_mul(locks.checked_mul(2)?.checked_mul(locks.checked_add(1)?)?)?.checked_mul(plies)?;
        let count = u16::try_from(count).ok().filter(|count| *count < u16::MAX)?;
        (locks <= LockSet::CAPACITY).then(|| Self {
            locks,
            phases,
            plies,
            variables: BddVariableSet::new_anonymous(count),
        })
    }

    /// The number of locks.
    pub fn locks(&self) -> usize {
        self.locks
    }

    /// The number of phases.
    pub fn phases(&self) -> usize {
        self.phases
    }

    /// The greatest number of processes in a check.
    pub fn threads(&self) -> usize {
        self.plies
    }

    pub(crate) fn variables(&self) -> &BddVariableSet {
        &self.variables
    }

    fn bits_per_phase(&self) -> usize {
        2 * self.locks * (self.locks + 1)
    }

    pub(crate) fn variable(&self, phase: usize, ply: Ply, bit: Bit, orientation: Orientation) -> BddVariable {
        let slot = self.slot(bit, orientation);
        BddVariable::from_index((phase * self.bits_per_phase() + slot) * self.plies + ply.0)
    }

    pub(crate) fn phase_of(&self, variable: BddVariable) -> usize {
        variable.to_index() / (self.bits_per_phase() * self.plies)
    }

    pub(crate) fn ply_of(&self, variable: BddVariable) -> Ply {
        Ply(variable.to_index() % self.plies)
    }

    /// Returns the variable of the same bit and phase on another ply.
    pub(crate) fn on_ply(&self, variable: BddVariable, ply: Ply) -> BddVariable {
        BddVariable::from_index(variable.to_index() - self.ply_of(variable).0 + ply.0)
    }

    /// The position of a bit in its block.
    fn slot(&self, bit: Bit, orientation: Orientation) -> usize {
        let bit = match (bit, orientation) {
            (Bit::Releases(i, j), Orientation::Transposed) => Bit::Releases(j, i),
            (Bit::Acquisitions(i, j), Orientation::Transposed) => Bit::Acquisitions(j, i),
            _ => bit,
        };
        let rank = |other: usize, own: usize| other - usize::from(other > own);
        let (group, offset) = match bit {
            Bit::Used(k) => (k, 0),
            Bit::HeldThroughout(k) => (k, 1),
            Bit::Releases(i, j) if i == j => (i, 2),
            Bit::Acquisitions(i, j) if i == j => (i, 3),
            Bit::Releases(row, column) => (column, 4 + rank(row, column)),
            Bit::Acquisitions(row, column) => (row, 4 + (self.locks - 1) + rank(column, row)),
        };
        group * 2 * (self.locks + 1) + offset
    }

    /// All bits of a history.
    pub(crate) fn bits(&self) -> impl Iterator<Item = Bit> {
        let locks = 0..self.locks;
        locks.clone().flat_map(move |i| {
            let rows = locks.clone().flat_map(move |j| [Bit::Releases(i, j), Bit::Acquisitions(i, j)]);
            [Bit::Used(i), Bit::HeldThroughout(i)].into_iter().chain(rows)
        })
    }

    /// The value of each bit of a history.
    pub(crate) fn encode(&self, history: &LockHistory) -> impl Iterator<Item = (Bit, bool)> {
        let segment = history.segment();
        let has = |set: LockSet, k| set.contains(Lock::new(k));
        self.bits().map(move |bit| {
            let value = match bit {
                Bit::Used(k) => has(segment.used(), k),
                Bit::HeldThroughout(k) => has(history.held_throughout(), k),
                Bit::Releases(i, j) => has(segment.releases().of(Lock::new(i)), j),
                Bit::Acquisitions(i, j) => has(segment.acquisitions().of(Lock::new(i)), j),
            };
            (bit, value)
        })
    }

    /// Returns the history with these bits; R and A follow from RH and AH, whose histories contain their own lock.
    pub(crate) fn decode(&self, value: impl Fn(Bit) -> bool) -> LockHistory {
        let set = |has: &dyn Fn(usize) -> bool| (0..self.locks).filter(|k| has(*k)).map(Lock::new).collect::<LockSet>();
        let histories = |bit: &dyn Fn(usize, usize) -> Bit| {
            Histories::new(set(&|k| value(bit(k, k))), |lock| set(&|k| value(bit(lock.index(), k))))
        };
        let used = set(&|k| value(Bit::Used(k)));
        let segment = Segment::new(histories(&Bit::Releases), used, histories(&Bit::Acquisitions));
        let initially_held = set(&|k| value(Bit::HeldThroughout(k))) | segment.released();
        LockHistory::new(segment, initially_held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_bit_has_a_variable_of_its_own() {
        for orientation in [Orientation::Straight, Orientation::Transposed] {
            let layout = Layout::new(4, 3, 2).expect("fits");
            let mut seen = HashSet::new();
            for phase in 0..3 {
                for ply in [Ply::IN, Ply::MIDDLE, Ply::OUT] {
                    for bit in layout.bits() {
                        let variable = layout.variable(phase, ply, bit, orientation);
                        assert!(seen.insert(variable), "{bit:?} shares a variable");
                        assert_eq!((layout.phase_of(variable), layout.ply_of(variable)), (phase, ply));
                    }
                }
            }
            assert_eq!(seen.len(), usize::from(layout.variables().num_vars()));
        }
    }

    #[test]
    fn what_the_conditions_compare_are_neighbours() {
        let layout = Layout::new(5, 1, 2).expect("fits");
        for (i, j) in (0..5).flat_map(|i| (0..5).map(move |j| (i, j))) {
            for bit in [Bit::Acquisitions, Bit::Releases] {
                let first = layout.variable(0, Ply(0), bit(i, j), Orientation::Straight);
                let second = layout.variable(0, Ply(1), bit(j, i), Orientation::Transposed);
                assert_eq!(second.to_index(), first.to_index() + 1);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(Layout::new(16, 8, 2).is_some());
        assert!(Layout::new(60, 8, 2).is_none());
        assert!(Layout::new(usize::MAX / 4, usize::MAX / 2, 2).is_none());
    }
}
