//! Decides atomic-set serializability of concurrent programs with recursion and nested locks.
//!
//! A model has processes, functions, locks and shared locations. Queries ask whether some interleaving contains one of
//! fourteen problematic access patterns; the answer is a proof that none does, or an interleaving, step by step:
//!
//! ```
//! use asercheck::query::{Property, Selection};
//! use asercheck::{Options, Verdict, check_all, model, phases::UnitMode};
//!
//! // Two threads run P. A unit of work reads x and writes it, but gives the lock up in between.
//! let text = "lock l; shared x; process P * 2 { atomic { sync l { read x; } sync l { write x; } } }";
//! let model = model::from_text("counter.eml", text)?.model;
//! let queries = Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both))?;
//! let outcomes = check_all(&model, &queries, &Options::default(), |_, _| {})?;
//! let lost_update = queries.iter().zip(&outcomes).find_map(|(query, outcome)| match &outcome.verdict {
//!     Verdict::Violation(witness) if query.property().label() == "1" => Some(witness),
//!     _ => None,
//! });
//! assert!(lost_update.is_some_and(|witness| witness.switches() == 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Models are also built from code: nested statements with [`model::ModelBuilder`], control-flow graphs with
//! [`model::GraphBuilder`]. [`Limits`] bound time and memory, and end an analysis from outside; a query that they stop
//! is [`Verdict::Unknown`]. [`answers`] and [`findings`] are answers as data, [`records`] is the JSON of `check`.
//!
//! [`audit`](fn@audit) analyses a Java program: it loads nothing and prints nothing, takes a [`java::Program`] and
//! returns an [`audit::Report`] with one [`audit::Finding`] per cause; `examples/audit.rs` shows it with limits,
//! cancellation and progress. [`isolate`] makes the model of one class. [`requests`] are both calls as data, for other
//! languages.
//!
//! The crates below this facade are not meant to be used on their own. The feature `cli`, on by default, adds the
//! command with its dependencies and changes nothing in the library; another program leaves it out with
//! `default-features = false`.

pub mod claim;
pub mod requests;

pub use ::audit;
pub use ::audit::audit;
pub use certify;
pub use decide::{
    Bounds, Checker, Engine, Error, Options, Outcome, Reason, Reduction, Reductions, SearchOptions, SearchOrder,
    SearchReduction, SearchReductions, SearchStatistics, Sharing, UnknownEngine, UnknownReduction,
    UnknownSearchReduction, Verdict, answers, check, check_all, check_each, findings, lock_warnings, query, records,
    witness,
};
pub use eml::{model, syntax};
pub use isolate;
pub use java;
pub use limits::{Cancellation, Clock, Deadline, Limits, StopReason, peak_memory, peak_memory_of};
pub use phases;
pub use repair;
