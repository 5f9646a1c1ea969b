//! Groups of violations by their kind of fault, and the severity of each.

use super::Clarity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Threads wait for each other forever.
    Deadlock,
    /// Calls gave an outcome that no serial order of them gives, when they ran.
    Observed,
    /// An update is lost, or computed from a stale value: patterns 1 and 5.
    LostUpdate,
    /// Values that belong together are left inconsistent: patterns 6, 7 and 8.
    InconsistentValues,
    /// A user-defined automaton accepts.
    Automaton,
    /// A location is written while another thread accesses it.
    Race,
    /// A thread reads a different value from the one that it read or wrote before: patterns 2 and 4.
    UnrepeatableRead,
    /// A thread reads an intermediate value: pattern 3.
    IntermediateRead,
    /// A thread sees values that do not belong together: patterns 9 to 14.
    InconsistentReads,
}

impl Group {
    /// All groups, the most severe first.
    pub const ALL: [Self; 9] = [
        Self::Deadlock,
        Self::Observed,
        Self::LostUpdate,
        Self::InconsistentValues,
        Self::Automaton,
        Self::Race,
        Self::UnrepeatableRead,
        Self::IntermediateRead,
        Self::InconsistentReads,
    ];

    /// The label of observed differences.
    pub const OBSERVED: &str = "observed difference";

    /// The group of violations of a property, by its label: a pattern's number, `race`, `deadlock2` and so on,
    /// [`Group::OBSERVED`], or an automaton's name.
    pub fn of(label: &str) -> Self {
        match label.parse() {
            Ok(1 | 5) => Self::LostUpdate,
            Ok(2 | 4) => Self::UnrepeatableRead,
            Ok(3) => Self::IntermediateRead,
            Ok(6..=8) => Self::InconsistentValues,
            Ok(9..=14_u8) => Self::InconsistentReads,
            Ok(_) => Self::Automaton,
            Err(_) if label == "race" => Self::Race,
            Err(_) if label == Self::OBSERVED => Self::Observed,
            Err(_) if is_deadlock(label) => Self::Deadlock,
            Err(_) => Self::Automaton,
        }
    }

    /// The severity, from 0 to 1. Faults that stop the program come first, then lasting wrong values, then
    /// user-defined automata and races, then wrong values that are only read.
    ///
    /// The rank of a finding is the severity of its group, minus 0.02 for each switch of the shown interleaving beyond
    /// the second (5 at most) and each thread beyond the second (5 at most), and minus 0.01 for each factor of 10 in
    /// the number of its steps (5 at most). So within a group, findings that are easier to understand come first.
    pub fn severity(self) -> f64 {
        match self {
            Self::Deadlock => 1.0,
            Self::Observed => 0.98,
            Self::LostUpdate => 0.95,
            Self::InconsistentValues => 0.9,
            Self::Automaton => 0.85,
            Self::Race => 0.8,
            Self::UnrepeatableRead => 0.7,
            Self::IntermediateRead => 0.65,
            Self::InconsistentReads => 0.6,
        }
    }

    /// The rank of a finding of this group.
    pub fn rank(self, (switches, steps, threads): Clarity) -> f64 {
        let beyond_two = |count: usize| count.saturating_sub(2).min(5) as f64;
        let effort =
            0.02 * (beyond_two(switches) + beyond_two(threads)) + 0.01 * f64::from(steps.max(1).ilog10().min(5));
        ((self.severity() - effort) * 1000.0).round() / 1000.0
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Observed => Self::OBSERVED,
            Self::LostUpdate => "lost update",
            Self::InconsistentValues => "inconsistent values",
            Self::Automaton => "accepted automaton",
            Self::Race => "data race",
            Self::UnrepeatableRead => "unrepeatable read",
            Self::IntermediateRead => "intermediate read",
            Self::InconsistentReads => "inconsistent reads",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a label is `deadlock`, with or without a number.
fn is_deadlock(label: &str) -> bool {
    label.strip_prefix("deadlock").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}
