//! Sets of segment sequences as decision diagrams: the weights of the explicit engine.
//!
//! A path that crosses the phases `x..=y` is abstracted to the sequence of its segments. A set of such sequences is a
//! rooted acyclic graph with a level for each phase, whose edges carry segments: each path from the root to the leaf
//! spells one sequence, *backwards*, since paths grow at their end: appending an operation changes the root alone. No
//! two edges of a node carry the same segment, the children of a node are equal iff their ids are, and only the empty
//! set has the empty root; so the form is canonical and equality is equality of ids.
//!
//! Between two segments a sequence may name the location by whose access the process ended the phase: the weights of
//! queries that differ only in locations are computed together, as one set in which each query follows its own (see
//! `choose`).
//!
//! Sets are kept as their minimal elements: a sequence *dominates* another if each of its segments dominates the
//! other's (begins and ends alike, and constrains others no more) and the locations are the same. Whatever a dominated
//! sequence is compatible with, also after composition, the one that dominates it is, too, so dominated sequences are
//! left out. The weights are thus the upward-closed sets of sequences, each represented by the antichain of its minimal
//! elements, and combine and extend are those of upward-closed sets; an antichain is determined by its upward closure,
//! so equality of ids still is equality, and since upward closures only grow and are finitely many, saturation
//! terminates.
//!
//! Composition joins the last segment of the one sequence with the first of the other and touches only that level;
//! operations are memoized. The weights are the coefficients of the paper's power series (section 7), without the input
//! of the relations: a segment says the same relative to any locks held before.

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
