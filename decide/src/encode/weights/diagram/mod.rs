//! Sets of segment sequences as decision diagrams: the weights of the explicit engine.
//!
//! A path that crosses the phases `x..=y` is abstracted to the sequence of its segments. A set of such sequences is a
//! rooted acyclic graph with a level for each phase, whose edges carry segments. Each path from the root to the leaf
//! spells one sequence, *backwards*: paths grow at their end, so appending an operation changes the root alone. No two
//! edges of a node carry the same segment, the children of a node are equal iff their ids are, and only the empty set
//! has the empty root. So the form is canonical, and equality is equality of ids.
//!
//! Between two segments a sequence may name the location of the access that ended the phase. The weights of queries
//! that differ only in locations are computed together, as one set in which each query follows its own locations (see
//! `compatibility`).
//!
//! Sets are represented by their minimal elements. A sequence *dominates* another if each of its segments dominates the
//! other's (same beginning and end, and no more constraints) and the locations are the same. If a dominated sequence is
//! compatible with something, also after composition, so is the one that dominates it; so dominated sequences are left
//! out. The weights are thus the upward-closed sets of sequences, each represented by the antichain of its minimal
//! elements, and combine and extend are those of upward-closed sets. The upward closure determines the antichain, so
//! equality of ids still is equality. Upward closures only grow and are finitely many, so saturation terminates.
//!
//! Composition joins the last segment of one sequence with the first of the other and touches only that level;
//! operations are memoized. The weights are the coefficients of the paper's power series (section 7), without the input
//! of the relations: a segment has the same meaning relative to any locks held before.

mod cache;
mod item;
mod lightest;
mod nodes;
mod semiring;
mod sets;
#[cfg(test)]
mod tests;

pub(crate) use item::{SequenceItem, sequence};
pub(crate) use nodes::DiagramId;
pub(crate) use sets::Diagrams;
