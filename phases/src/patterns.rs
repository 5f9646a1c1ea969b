//! The fourteen problematic access patterns of atomic-set serializability.
//!
//! Their automata are in the text file `patterns.phases` of this folder. Source of the patterns: M. Vaziri, F. Tip, J.
//! Dolby, *Associating synchronization constraints with data in an object-oriented language* (POPL 2006).

use crate::automaton::Automaton;
use crate::parser::parse;
use std::sync::LazyLock;

/// The threads whose accesses of a pattern must be in one of their units of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnitMode {
    /// Both threads, as two accesses of the second thread in different units may be serializable.
    #[default]
    Both,
    /// The first thread only, as in the automata of the paper.
    First,
}

/// One of the fourteen patterns.
#[derive(Clone, Debug)]
pub struct Pattern {
    number: usize,
    meaning: &'static str,
    both: Automaton,
    first: Automaton,
}

impl Pattern {
    /// Its number, 1 to 14.
    pub fn number(&self) -> usize {
        self.number
    }

    /// A description of the anomaly; 1 and 2 are the threads.
    pub fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// Its automaton: with threads `T1` and `T2`, where `T1` executes the violated unit of work, and with location `l`,
    /// or locations `a` and `b` of one atomic set.
    pub fn automaton(&self, units: UnitMode) -> &Automaton {
        match units {
            UnitMode::Both => &self.both,
            UnitMode::First => &self.first,
        }
    }
}

/// All patterns, in the order of their numbers.
pub fn all() -> &'static [Pattern] {
    &PATTERNS
}

/// The pattern with this number, 1 to 14.
pub fn pattern(number: usize) -> Option<&'static Pattern> {
    all().iter().find(|pattern| pattern.number == number)
}

/// The text of all built-in automata: patterns, races and deadlocks.
pub const TEXT: &str = include_str!("patterns.phases");

/// The names of the automata and the meanings of the patterns, in the order of their numbers.
const MEANINGS: [(&str, &str); 14] = [
    ("stale_update", "the value that 1 read is stale when it updates"),
    ("unrepeatable_read", "two reads by 1 differ"),
    ("intermediate_read", "2 sees an intermediate value"),
    ("overwritten_before_read", "1 does not read back what it wrote"),
    ("lost_update", "the write of 2 is lost"),
    ("interleaved_writes", "the final values are inconsistent"),
    ("crossed_writes", "the final values are inconsistent"),
    ("crossing_writes", "the final values are inconsistent"),
    ("inconsistent_observation", "2 sees an inconsistent state"),
    ("crossed_observation", "2 sees an inconsistent state"),
    ("interleaved_reads", "1 sees an inconsistent state"),
    ("inconsistent_reads", "1 sees an inconsistent state"),
    ("crossing_reads", "1 sees an inconsistent state"),
    ("crossing_observation", "2 sees an inconsistent state"),
];

static EMBEDDED: LazyLock<Vec<Automaton>> = LazyLock::new(|| parse(TEXT).expect("the embedded text is well-formed"));

/// The automaton of this name in the embedded text.
pub(crate) fn embedded(name: &str) -> Automaton {
    let found = EMBEDDED.iter().find(|automaton| automaton.name() == name);
    found.expect("the embedded text has an automaton of this name").clone()
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let pattern = |(place, (name, meaning)): (usize, &(&str, &'static str))| {
        let both = embedded(name);
        let first = EMBEDDED.iter().find(|automaton| *automaton.name() == format!("{name}.first"));
        let first = first.unwrap_or(&both).clone();
        Pattern { number: place + 1, meaning, both, first }
    };
    MEANINGS.iter().enumerate().map(pattern).collect()
});
