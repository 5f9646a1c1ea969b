//! The store of visited states, each with the state from which it was first found.
//!
//! The encodings of states are stored one after the other in one block of memory, and a hash table holds their numbers.
//! Equality is decided on the encodings, never on hashes alone. A state takes its own bytes, four for their beginning,
//! four for its origin, four for its sleep set, and its part of the table.

use super::global_state::State;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The number of a state, in the order in which states were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StateId(u32);

/// The store is full: more than 4 GiB of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IsFull;

#[derive(Clone, Debug, Default)]
pub(super) struct StateStore {
    bytes: Vec<u8>,
    /// The end of each encoding.
    ends: Vec<u32>,
    origins: Vec<u32>,
    table: HashTable<u32>,
    scratch: Vec<u8>,
}

impl StateStore {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the memory in use, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity() + 4 * (self.ends.capacity() + self.origins.capacity()) + self.table.allocation_size()
    }

    pub(super) fn get(&self, id: StateId) -> State {
        State::read(slice(&self.bytes, &self.ends, id.0))
    }

    /// Returns the origin of a state; `None` for the initial one.
    pub(super) fn origin(&self, id: StateId) -> Option<StateId> {
        self.origins[id.0 as usize].checked_sub(1).map(StateId)
    }

    /// Replaces the origin of a state.
    pub(super) fn set_origin(&mut self, id: StateId, origin: Option<StateId>) {
        self.origins[id.0 as usize] = origin.map_or(0, |origin| origin.0 + 1);
    }

    /// Returns the number of a state and whether it is new.
    pub(super) fn insert(&mut self, state: &State, origin: Option<StateId>) -> Result<(StateId, bool), IsFull> {
        self.scratch.clear();
        state.write(&mut self.scratch);
        let Self { bytes, ends, origins, table, scratch } = self;
        let found = table.find(hash(scratch), |id| slice(bytes, ends, *id) == &scratch[..]);
        if let Some(id) = found {
            return Ok((StateId(*id), false));
        }
        let end = u32::try_from(bytes.len() + scratch.len()).map_err(|_| IsFull)?;
        let id = u32::try_from(ends.len()).map_err(|_| IsFull)?;
        bytes.extend_from_slice(scratch);
        ends.push(end);
        origins.push(origin.map_or(0, |origin| origin.0 + 1));
        table.insert_unique(hash(scratch), id, |id| hash(slice(bytes, ends, *id)));
        Ok((StateId(id), true))
    }
}

impl StateId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], id: u32) -> &'a [u8] {
    let begin = if id == 0 { 0 } else { ends[id as usize - 1] };
    &bytes[begin as usize..ends[id as usize] as usize]
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
