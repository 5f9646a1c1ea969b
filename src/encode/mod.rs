//! From queries about a model to weighted pushdown systems, and back to paths through the model.
//!
//! ```text
//! query -> participants (who takes part) -> scenarios (who does what when) -> one local word per participant
//! process -> clone (no reentrancy) -> reduced flow graph --+
//! words of all queries -> word tree -----------------------+-> product -> post* over a semiring of lock histories
//! element of a weight -> run of the product -> path through the model
//! ```
//!
//! The semirings are [`diagram`], sets of segment sequences, and [`power_series`], relations between lock histories as
//! binary decision diagrams.

mod choose;
mod clone;
mod contention;
mod creators;
mod delivery;
mod diagram;
mod encoder;
mod expand;
mod flow;
mod participants;
mod partitions;
mod power_series;
mod product;
mod reduce;
mod scenario;
mod segments;
mod solo;
mod solve;
mod start_graph;
mod touch;
mod trace;
mod tree;
mod weights;
mod word;

pub(crate) use choose::Chooser;
pub(crate) use contention::ContendedLocks;
pub(crate) use creators::with_creators;
pub(crate) use diagram::{DiagramId, Diagrams, sequence};
pub(crate) use encoder::Encoder;
pub(crate) use expand::expand;
pub(crate) use flow::{EdgeId, FlowNode, Label};
pub(crate) use power_series::{PowerSeries, metered};
pub(crate) use product::{Executed, TracedRule};
pub(crate) use reduce::ReducedProcess;
pub(crate) use scenario::{Scenario, Scenarios};
pub(crate) use solve::Solved;
pub(crate) use trace::Trace;
pub(crate) use tree::{Position, WordTree};
pub(crate) use word::{Allowed, LocalAction, LocalWord};
