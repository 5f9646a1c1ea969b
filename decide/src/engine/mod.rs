//! The engines: different procedures that decide a query, all with the same answer.
//!
//! Each engine takes a query and returns a [`Decision`]. The caller replays an interleaving that violates the query
//! before it is reported. All engines use the same encoding, except [`interleave`] and [`search`], which execute the
//! model.
//!
//! A new engine is a module here, whose type is [`Decide`](interface::Decide) and
//! [`EngineKind`](interface::EngineKind), and a line in the list of [`registry`]. Sessions, reports, arguments of the
//! command line and the tests that compare engines use that list.

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
mod short_search;
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
