//! Warnings: simple reasons why no pattern can be violated in a model, and other likely oversights.

use std::fmt;

use crate::syntax::ast::Name;
use crate::syntax::{Diagnostic, Span, quote};

/// A probable oversight of the author of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// An atomic set lists a location twice.
    DuplicateMember {
        /// The set.
        set: String,
        /// The second mention.
        name: Name,
        /// The first one.
        first: Span,
    },
    /// There is no process.
    NoProcess,
    /// At most one instance of a process can run, so nothing is concurrent.
    TooFewInstances,
    /// There is no shared location.
    NoLocation,
    /// No process that can run writes a location.
    NothingWritten,
    /// There is no unit of work.
    NoUnit,
    /// There are units of work, but no process that can run reaches one.
    UnreachableUnits {
        /// The first unit.
        first: Span,
    },
    /// A thread acquires a lock in write mode that it may hold in read mode only; then it waits for ever.
    Upgrade {
        /// The lock.
        lock: String,
        /// The acquisition.
        place: Span,
    },
    /// No thread that waits here holds the lock, so it stays here for ever.
    WaitNotHeld {
        /// The lock.
        lock: String,
        /// The statement.
        place: Span,
    },
}

impl Warning {
    /// Whether it concerns only the fourteen patterns; for other automata it may not matter.
    pub fn is_about_patterns(&self) -> bool {
        match self {
            Self::DuplicateMember { .. } | Self::Upgrade { .. } | Self::WaitNotHeld { .. } => false,
            Self::NoProcess
            | Self::TooFewInstances
            | Self::NoLocation
            | Self::NothingWritten
            | Self::NoUnit
            | Self::UnreachableUnits { .. } => true,
        }
    }

    /// Whether it is a reason why no data race is possible.
    pub fn excludes_races(&self) -> bool {
        match self {
            Self::NoProcess | Self::TooFewInstances | Self::NoLocation | Self::NothingWritten => true,
            Self::DuplicateMember { .. }
            | Self::NoUnit
            | Self::UnreachableUnits { .. }
            | Self::Upgrade { .. }
            | Self::WaitNotHeld { .. } => false,
        }
    }

    /// Whether it is a reason why no deadlock is possible.
    pub fn excludes_deadlocks(&self) -> bool {
        match self {
            Self::NoProcess | Self::TooFewInstances => true,
            Self::DuplicateMember { .. }
            | Self::NoLocation
            | Self::NothingWritten
            | Self::NoUnit
            | Self::UnreachableUnits { .. }
            | Self::Upgrade { .. }
            | Self::WaitNotHeld { .. } => false,
        }
    }

    /// Returns the place that is known only by its line and column.
    pub(super) fn place_mut(&mut self) -> Option<&mut Span> {
        match self {
            Self::Upgrade { place, .. } | Self::WaitNotHeld { place, .. } => Some(place),
            Self::DuplicateMember { .. }
            | Self::NoProcess
            | Self::TooFewInstances
            | Self::NoLocation
            | Self::NothingWritten
            | Self::NoUnit
            | Self::UnreachableUnits { .. } => None,
        }
    }

    /// Returns the message for users.
    pub fn diagnostic(&self) -> Diagnostic {
        let safe = |reason: &str| Diagnostic::warning(reason).note("none of the fourteen patterns can be violated");
        match self {
            Warning::DuplicateMember { set, name, first } => {
                Diagnostic::warning(format!("the atomic set {} lists {} twice", quote(set), quote(&name.text)))
                    .at(name.span, "listed again")
                    .also(*first, "first listed here")
                    .help("remove one of them")
            }
            Warning::NoProcess => safe("the model has no process").help("declare what runs: `process P { ... }`"),
            Warning::TooFewInstances => safe("fewer than two instances of processes can run")
                .help("declare another process, or several instances: `process P * 2 { ... }`"),
            Warning::NoLocation => {
                safe("the model has no shared location").help("declare what the processes share: `shared x;`")
            }
            Warning::NothingWritten => safe("no process that can run writes a location"),
            Warning::NoUnit => {
                safe("the model has no unit of work").help("enclose what has to be atomic in `atomic { ... }`")
            }
            Warning::UnreachableUnits { first } => safe("no process that can run reaches a unit of work")
                .at(*first, "never executed, like all other units"),
            Warning::Upgrade { lock, place } => Diagnostic::warning(format!(
                "{} may be held in read mode where it is acquired in write mode",
                quote(lock)
            ))
            .at(*place, "a thread that reads waits here for ever")
            .help("release it before, or acquire it in write mode from the beginning"),
            Warning::WaitNotHeld { lock, place } => {
                Diagnostic::warning(format!("no thread that waits for {} here holds it", quote(lock)))
                    .at(*place, "a thread stays here for ever")
                    .help(format!("wait inside of `sync {lock} {{ ... }}`"))
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(formatter)
    }
}
