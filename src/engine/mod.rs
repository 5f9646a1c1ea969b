//! The engines: different ways to decide a query, all with the same answer.
//!
//! Each engine takes a query and gives a [`Finding`]; an interleaving that violates the query is checked by the caller, not
//! believed. They share the encoding but for [`interleave`], which executes the model.

mod cpds;
mod explicit;
mod finite_sets;
mod interleave;
mod kahlon_gupta;
mod parts;
mod session;
mod symbolic;
mod violation;

pub use interleave::Bounds;
pub(crate) use parts::parts;
pub(crate) use session::Session;

use crate::encode::{Scenario, Scenarios};
use crate::limits::{Meter, StopReason};
use crate::witness::Interleaving;
use std::fmt;
use std::str::FromStr;

/// Which engine decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The engine that is best as far as is known: [`Explicit`](Self::Explicit), which was faster on all models measured.
    #[default]
    Auto,
    /// The decision procedure of Kidd, Lammich, Touili and Reps over binary decision diagrams (their Algorithm 2).
    Symbolic,
    /// The same with explicit sets of lock histories, shared in decision diagrams, for all queries at once.
    Explicit,
    /// The chain of backward queries of Kahlon and Gupta, with sets of tuples of automata in place of single ones.
    KahlonGupta,
    /// Communicating pushdown systems, with path languages approximated by longer and longer prefixes: a semi-decision
    /// procedure, which may take all the time that it gets.
    Cpds,
    /// Exhaustive search over the global states of the model, up to bounds on their number and on the stacks.
    Interleave,
}

impl Engine {
    /// All engines, and the choice among them.
    pub const ALL: [Self; 6] =
        [Self::Auto, Self::Symbolic, Self::Explicit, Self::KahlonGupta, Self::Cpds, Self::Interleave];

    /// The engine that decides when this one is asked for.
    pub fn resolve(self) -> Self {
        match self {
            Self::Auto => Self::Explicit,
            engine => engine,
        }
    }

    /// The name by which the command line and reports call the engine.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Symbolic => "symbolic",
            Self::Explicit => "explicit",
            Self::KahlonGupta => "kahlon-gupta",
            Self::Cpds => "cpds",
            Self::Interleave => "interleave",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(pub String);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Engine::ALL.map(Engine::name).join(", ");
        write!(f, "there is no engine `{}`; the engines are {names}", self.0)
    }
}

impl std::error::Error for UnknownEngine {}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let found = Self::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| UnknownEngine(name.to_string()))
    }
}

/// What an engine finds out about a query.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// No interleaving violates it.
    Safe,
    /// This one does, the engine says.
    Violation(Interleaving),
    /// A bound of the engine was met.
    Bound,
    /// The engine cannot decide queries like this one.
    Unsupported,
}

/// What the scenarios of a query say together, each carried out in turn: the first that is neither safe nor unsupported
/// decides.
pub(crate) fn any_of(
    mut scenarios: Scenarios<'_>,
    meter: &Meter,
    mut carry_out: impl FnMut(&Scenario) -> Result<Finding, Failure>,
) -> Result<Finding, Failure> {
    let mut finding = Finding::Safe;
    while let Some(scenario) = scenarios.next(meter)? {
        match carry_out(&scenario)? {
            Finding::Safe => {}
            Finding::Unsupported => finding = Finding::Unsupported,
            other @ (Finding::Violation(_) | Finding::Bound) => return Ok(other),
        }
    }
    Ok(finding)
}

/// Why an engine finds out nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A limit was reached.
    Stopped(StopReason),
    /// The engine contradicts itself; a fault of the program.
    Internal(&'static str),
}

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}
