//! Global states: a phase and the local states of all threads, in a compact encoding.
//!
//! Threads without a role at the same point of the same process are interchangeable, and so are their steps. So the
//! local states are kept in ascending order, as the representative of all permutations (a role is part of a local
//! state, so bound threads stay distinct). Numbers are encoded in groups of seven bits: most states need one or two
//! bytes for each thread.

use super::effects::Phase;
use super::local_states::LocalId;

/// A global state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) threads: Vec<LocalId>,
    /// The thread that acted last, if context switches are counted.
    pub(super) active: Option<LocalId>,
}

impl State {
    /// Appends the encoding of the state.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.phase as u32);
        put(bytes, self.active.map_or(0, |active| active.0 + 1));
        for thread in &self.threads {
            put(bytes, thread.0);
        }
    }

    /// Decodes a state.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut numbers = Numbers(bytes);
        let phase = numbers.next().unwrap_or(0) as Phase;
        let active = numbers.next().and_then(|active| active.checked_sub(1)).map(LocalId);
        Self { phase, active, threads: numbers.map(LocalId).collect() }
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The numbers encoded in a sequence of bytes.
struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let mut number = 0;
        for (place, byte) in self.0.iter().enumerate() {
            number |= u32::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                self.0 = &self.0[place + 1..];
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_decoded_as_encoded() {
        let locals = |numbers: &[u32]| numbers.iter().copied().map(LocalId).collect::<Vec<_>>();
        for threads in [&[][..], &[0], &[127, 128, 129], &[16_383, 16_384, u32::MAX]] {
            for active in [None, Some(LocalId(0)), Some(LocalId(300))] {
                let state = State { phase: 5, threads: locals(threads), active };
                let mut bytes = Vec::new();
                state.write(&mut bytes);
                assert_eq!(State::read(&bytes), state);
            }
        }
    }
}
