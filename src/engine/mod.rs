//! The engines: different ways to decide a query, all with the same answer.
//!
//! Each engine takes a query and gives a [`Finding`]; an interleaving that violates the query is checked by the caller,
//! not believed. They share the encoding but for [`interleave`], which executes the model.

mod cpds;
mod explicit;
mod finite_sets;
mod interleave;
mod kahlon_gupta;
mod nesting;
mod options;
mod parts;
mod search;
mod session;
mod symbolic;
mod violation;

pub use interleave::Bounds;
pub use options::Options;
pub(crate) use parts::parts;
pub use search::{
    SearchOptions, SearchOrder, SearchReduction, SearchReductions, SearchStatistics, UnknownSearchReduction,
};
pub(crate) use session::Session;

use crate::limits::StopReason;
use crate::witness::Interleaving;
use std::fmt;
use std::str::FromStr;

/// Which engine decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The engine that is best as far as is known: [`Explicit`](Self::Explicit), which was faster on all models
    /// measured; where it does not apply, [`Search`](Self::Search).
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
    /// Systematic search over the global states with partial-order reductions, up to bounds; see [`SearchOptions`].
    Search,
}

impl Engine {
    /// All engines, and the choice among them.
    pub const ALL: [Self; 7] =
        [Self::Auto, Self::Symbolic, Self::Explicit, Self::KahlonGupta, Self::Cpds, Self::Interleave, Self::Search];

    /// The engine that decides when this one is asked for.
    pub fn resolve(self) -> Self {
        match self {
            Self::Auto => Self::Explicit,
            engine => engine,
        }
    }

    /// What the engine shares between the queries of a model.
    pub fn sharing(self) -> Sharing {
        match self.resolve() {
            Self::Auto | Self::Explicit => Sharing::Words,
            Self::Symbolic | Self::KahlonGupta => Sharing::Processes,
            Self::Cpds | Self::Interleave | Self::Search => Sharing::Nothing,
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
            Self::Search => "search",
        }
    }
}

/// What an engine shares between the queries of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The local words of all queries with the same contended locks are solved together, when the first is asked.
    Words,
    /// What was computed for processes is kept for later queries about the same ones.
    Processes,
    /// Nothing.
    Nothing,
}

impl Sharing {
    /// How much of a query's time an attempt may take that serves other queries, too.
    pub fn joint_part(self) -> f64 {
        match self {
            Self::Words => 0.5,
            Self::Processes | Self::Nothing => 0.0,
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
    Unsupported(Unsupported),
}

/// Why an engine cannot decide a query, whatever the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsupported {
    /// More locks are contended than a set of locks has room for.
    ManyLocks,
    /// A check needs more variables than a binary decision diagram may have.
    ManyVariables,
    /// A process waits for a lock that is not the innermost of those that matter, and that may matter.
    Nesting,
    /// A scenario is too long to be encoded.
    ManyPhases,
    /// One of these, and the systematic search found nothing with up to so many threads, within its bounds.
    NoneWithin(usize),
}

/// What the cases of a query say together, each carried out in turn: the first that is violated or meets a bound
/// decides; without such a one the query is safe only if every case is.
///
/// `next` gives the cases until there are no more, `carry_out` decides one; both share the state.
pub(crate) fn any_of<S, C>(
    state: &mut S,
    mut next: impl FnMut(&mut S) -> Result<Option<C>, Failure>,
    mut carry_out: impl FnMut(&mut S, C) -> Result<Finding, Failure>,
) -> Result<Finding, Failure> {
    let mut together = Finding::Safe;
    while let Some(case) = next(state)? {
        match carry_out(state, case)? {
            Finding::Safe => {}
            unsupported @ Finding::Unsupported(_) => together = unsupported,
            decided @ (Finding::Violation(_) | Finding::Bound) => return Ok(decided),
        }
    }
    Ok(together)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What cases with these findings say together, and how many are carried out.
    fn together(findings: &[Finding]) -> (Finding, usize) {
        let mut carried_out = 0;
        let found = any_of(
            &mut findings.iter().cloned(),
            |left| Ok(left.next()),
            |_, finding| {
                carried_out += 1;
                Ok(finding)
            },
        );
        (found.expect("no case fails"), carried_out)
    }

    #[test]
    fn only_safe_cases_make_a_query_safe() {
        let unsupported = Finding::Unsupported(Unsupported::ManyLocks);
        assert!(matches!(together(&[]), (Finding::Safe, 0)));
        assert!(matches!(together(&[Finding::Safe, Finding::Safe]), (Finding::Safe, 2)));
        for cases in [vec![unsupported.clone(), Finding::Safe], vec![Finding::Safe, unsupported.clone()]] {
            assert!(matches!(together(&cases), (Finding::Unsupported(Unsupported::ManyLocks), 2)));
        }
        assert!(matches!(together(&[unsupported, Finding::Bound, Finding::Safe]), (Finding::Bound, 2)));
    }
}
