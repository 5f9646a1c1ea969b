//! Indexed phase automata: finite automata over the actions of several threads whose only loops are self-loops.
//!
//! An [`Automaton`] passes through phases. In each phase it loops on every action that is not forbidden, until one
//! action of one thread takes it to the next phase; the last such step accepts. [`parse`] reads the text form,
//! [`AutomatonBuilder`] builds an automaton in code, [`patterns`] has the fourteen problematic access patterns of
//! atomic-set serializability, [`races`] and [`deadlock`] return the automata of races and deadlocks, and
//! [`Automaton::view`] is the projection of an automaton to one thread, for separate analysis.
//!
//! Source: N. Kidd, P. Lammich, T. Touili, T. Reps, *A decision procedure for detecting atomicity violations for
//! communicating processes with locks* (SPIN 2009), Definition 2; the patterns are those of M. Vaziri, F. Tip, J. Dolby
//! (POPL 2006).
//!
//! # Example
//!
//! ```
//! let text = "automaton handover(T1, T2; a) {
//!                 q1: on T1 write a -> q2;
//!                 q2: forbid * write a; on T2 read a -> q3;
//!             }";
//! let automaton = &phases::parse(text).unwrap()[0];
//! assert_eq!(automaton.phases().len(), 2);
//! assert_eq!(automaton.to_string().parse(), Ok(automaton.clone()));
//! ```

mod automaton;
mod builder;
mod deadlock;
mod error;
mod fuse;
mod lexer;
mod parser;
pub mod patterns;
mod print;
mod race;
mod run;
mod view;

pub use automaton::{
    Access, Action, ActionKind, Automaton, Event, Forbidden, ForbiddenAction, LocationParameter, LockParameter,
    LockUse, Mode, Phase, ThreadParameter,
};
pub use builder::{AutomatonBuilder, BuildError};
pub use deadlock::{Exclusion, deadlock};
pub use error::{ErrorKind, TextError};
pub use parser::parse;
pub use patterns::{Pattern, UnitMode};
pub use race::races;
pub use run::{Performed, Step};
pub use view::{Turn, View, ViewPhase};
