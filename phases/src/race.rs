//! Data races: a write of a location and another access to it, at the same time.
//!
//! Thread 1 has just written and has not moved since when thread 2 reads or writes: nothing that thread 1 holds keeps
//! thread 2 from being at its access while thread 1 is at its write. The automata are text, in `patterns.phases`.

use crate::automaton::Automaton;
use crate::patterns;
use std::sync::LazyLock;

static RACES: LazyLock<[Automaton; 2]> = LazyLock::new(|| ["race.read", "race.write"].map(patterns::embedded));

/// The automata of a race, with the threads `T1`, which writes, and `T2`, and the location `l`. There is a race if one
/// of them accepts.
pub fn races() -> &'static [Automaton] {
    &*RACES
}
