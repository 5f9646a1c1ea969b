//! The list of the engines.

use super::interface::{Decide, EngineKind, Sharing, Task};
use limits::{Meter, StopReason};
use std::fmt;
use std::str::FromStr;

/// Makes the enumeration of the engines from one line for each: `Name => module::Type,`.
macro_rules! engines {
    ($($(#[$doc:meta])* $engine:ident => $module:ident::$type:ident,)*) => {
        /// Which engine decides.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Engine {
            /// The engine that is best as far as is known: [`Explicit`](Self::Explicit), which was faster on all models
            /// measured; where it does not apply, [`Search`](Self::Search).
            #[default]
            Auto,
            $($(#[$doc])* $engine,)*
        }

        impl Engine {
            /// All engines, and the choice among them.
            pub const ALL: &'static [Self] = &[Self::Auto, $(Self::$engine,)*];

            /// What the engine shares between the queries of a model.
            pub fn sharing(self) -> Sharing {
                match self {
                    Self::Auto => self.resolve().sharing(),
                    $(Self::$engine => super::$module::$type::SHARING,)*
                }
            }

            /// The name by which the command line and reports call the engine.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Auto => "auto",
                    $(Self::$engine => super::$module::$type::NAME,)*
                }
            }

            /// The engine at work.
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
    /// The same with explicit sets of lock histories, shared in decision diagrams, for all queries at once.
    Explicit => explicit::Explicit,
    /// The chain of backward queries of Kahlon and Gupta, with sets of tuples of automata in place of single ones.
    KahlonGupta => comparison::KahlonGupta,
    /// Communicating pushdown systems, with path languages approximated by longer and longer prefixes: a semi-decision
    /// procedure, which may take all the time that it gets.
    Cpds => comparison::Cpds,
    /// Exhaustive search over the global states of the model, up to bounds on their number and on the stacks.
    Interleave => interleave::Interleave,
    /// Systematic search over the global states with partial-order reductions, up to bounds; see
    /// [`SearchOptions`](super::SearchOptions).
    Search => search::Systematic,
}

impl Engine {
    /// The engine that decides when this one is asked for.
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

/// A name that no engine has.
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
