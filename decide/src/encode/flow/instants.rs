//! The instants at which a process wants a lock.

use crate::semantics::Act;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The number of an instant, among those of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InstantId(u32);

/// The instants of a process, as automata see them: the wanted lock, the mode, and those held locks that some word
/// mentions together with the wanted one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instants(IndexSet<Act, FxBuildHasher>);

impl Instants {
    pub(crate) fn intern(&mut self, instant: Act) -> InstantId {
        InstantId(u32::try_from(self.0.insert_full(instant).0).expect("fewer than 2^32 instants"))
    }

    pub(crate) fn get(&self, id: InstantId) -> &Act {
        &self.0[id.0 as usize]
    }
}
