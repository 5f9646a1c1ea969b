//! The list of the engines.

use super::interface::{Decide, EngineKind, Sharing, Task};
use limits::{Meter, StopReason};
use std::fmt;
use std::str::FromStr;

/// Generates the enumeration of the engines from one line for each: `Name => module::Type,`.
macro_rules! engines {
    ($($(#[$doc:meta])* $engine:ident => $module:ident::$type:ident,)*) => {
        /// The engine that decides.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Engine {
            /// The default choice: [`Explicit`](Self::Explicit), which was the fastest on all models measured.
            /// [`Search`](Self::Search) decides the queries to which it does not apply, and those that a few steps
            /// decide where processes call their functions with very many sets of locks.
            #[default]
            Auto,
            $($(#[$doc])* $engine,)*
        }

        impl Engine {
            /// All engines and [`Auto`](Self::Auto).
            pub const ALL: &'static [Self] = &[Self::Auto, $(Self::$engine,)*];

            /// Returns the work that the engine shares between the queries of a model.
            pub fn sharing(self) -> Sharing {
                match self {
                    Self::Auto => self.resolve().sharing(),
                    $(Self::$engine => super::$module::$type::SHARING,)*
                }
            }

            /// Returns the name of the engine on the command line and in reports.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Auto => "auto",
                    $(Self::$engine => super::$module::$type::NAME,)*
                }
            }

            /// Starts the engine.
            ///
            /// # Errors
            /// If a limit is reached.
            pub(super) fn start<'m>(
                self,
                task: Task<'_, 'm>,
                meter: &Meter,
            ) -> Result<Box<dyn Decide + 'm>, StopReason> {
                Ok(match self {
                    Self::Auto => self.resolve().start(task, meter)?,
                    $(Self::$engine => Box::new(super::$module::$type::start(task, meter)?),)*
                })
            }
        }
    };
}

engines! {
    /// The decision procedure of Kidd, Lammich, Touili and Reps over binary decision diagrams (their Algorithm 2).
    Symbolic => comparison::Symbolic,
    /// The same procedure with explicit sets of lock histories, stored in shared decision diagrams. It solves all
    /// queries together.
    Explicit => explicit::Explicit,
    /// The chain of backward queries of Kahlon and Gupta, with sets of tuples of automata instead of single tuples.
    KahlonGupta => comparison::KahlonGupta,
    /// Communicating pushdown systems, whose path languages are approximated by longer and longer prefixes. A
    /// semi-decision procedure: it may run until a limit stops it.
    Cpds => comparison::Cpds,
    /// Exhaustive search over the global states of the model. The number of states and the depth of stacks are bounded.
    Interleave => interleave::Interleave,
    /// Bounded search over the global states with partial-order reductions; see
    /// [`SearchOptions`](super::SearchOptions).
    Search => search::Systematic,
}

impl Engine {
    /// Returns the engine that decides queries for this choice.
    pub fn resolve(self) -> Self {
        match self {
            Self::Auto => Self::Explicit,
            engine => engine,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(pub String);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
        let names = names.join(", ");
        write!(f, "there is no engine `{}`; the engines are {names}", self.0)
    }
}

impl std::error::Error for UnknownEngine {}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let found = Self::ALL.iter().copied().find(|engine| engine.name() == name);
        found.ok_or_else(|| UnknownEngine(name.to_string()))
    }
}
