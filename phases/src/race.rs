//! Data races: a write of a location and another access to it, at the same time.
//!
//! Thread 1 has just written and has made no step since, when thread 2 reads or writes. So no lock that thread 1 holds
//! keeps thread 2 from its access while thread 1 is at its write. The automata are in the text file `patterns.phases`.

use crate::automaton::Automaton;
use crate::patterns;
use std::sync::LazyLock;

static RACES: LazyLock<[Automaton; 2]> = LazyLock::new(|| ["race.read", "race.write"].map(patterns::embedded));

/// Returns the automata of a race, with the threads `T1`, which writes, and `T2`, and the location `l`. There is a race
/// if one of them accepts.
pub fn races() -> &'static [Automaton] {
    &*RACES
}
