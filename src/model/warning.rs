//! Plain reasons for which no pattern can be violated in a model, and other likely oversights.

use std::fmt;

use crate::eml::ast::Name;
use crate::eml::{Diagnostic, Span, quote};

/// Something about a model that its author probably did not intend.
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
}

impl Warning {
    /// Whether it says something about the fourteen patterns only; to other automata it may not matter.
    pub fn is_about_patterns(&self) -> bool {
        match self {
            Self::DuplicateMember { .. } => false,
            Self::NoProcess
            | Self::TooFewInstances
            | Self::NoLocation
            | Self::NothingWritten
            | Self::NoUnit
            | Self::UnreachableUnits { .. } => true,
        }
    }

    /// Whether it is a reason for which no process can race with another.
    pub fn excludes_races(&self) -> bool {
        match self {
            Self::NoProcess | Self::TooFewInstances | Self::NoLocation | Self::NothingWritten => true,
            Self::DuplicateMember { .. } | Self::NoUnit | Self::UnreachableUnits { .. } => false,
        }
    }

    /// The message for users.
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
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(formatter)
    }
}
