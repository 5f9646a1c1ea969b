//! The engines: different ways to decide a query, all with the same answer.
//!
//! Each engine takes a query and gives a [`Decision`]; an interleaving that violates the query is checked by the caller,
//! not believed. They share the encoding but for [`interleave`], which executes the model.
//!
//! A new engine is a module here, whose type is [`Decide`] and [`EngineKind`], and a line in the list of
//! [`registry`]. Sessions, reports, arguments of the command line and the tests that compare engines go by that list.

mod bounds;
mod comparison;
mod decision;
mod explicit;
mod interface;
mod interleave;
mod nesting;
mod options;
mod query_partition;
mod registry;
mod search;
mod session;
mod violation;

pub use bounds::Bounds;
pub(crate) use decision::{Decision, Failure, Unsupported, any_of};
pub use interface::Sharing;
pub use options::Options;
pub(crate) use query_partition::partition;
pub use registry::{Engine, UnknownEngine};
pub use search::{
    SearchOptions, SearchOrder, SearchReduction, SearchReductions, SearchStatistics, UnknownSearchReduction,
};
pub(crate) use session::Session;
