//! Relations between lock histories as binary decision diagrams.
//!
//! A [`Relation`] over the phases `x..=y` is a set of tuples `(h, h_x, ..., h_y)` of lock histories: a path that begins
//! in phase `x`, with history `h` of that phase so far, and continues to phase `y`, ends phase `i` with history `h_i`.
//! These are the coefficients of the paper's power series; the arity is the number of phases that a path crosses, so
//! the phases themselves are the exponents. [`Relations::compose`] is the paper's generalized relational composition.
//!
//! [`Compatibility::choose`] is the compatibility check: one tuple for each process such that the histories of every
//! phase are [compatible](crate::compatible()).
//!
//! Source: Kidd, Lammich, Touili, Reps 2009, section 7, Definitions 4 and 5.
//!
//! Operations have no limits of their own: each takes a [`Budget`] and gives up when it is spent.

mod budget;
mod compatibility;
mod layout;
mod relation;
mod schwoon;

pub use budget::{Budget, Exhausted};
pub use compatibility::Compatibility;
pub use layout::{Layout, Orientation};
pub use relation::{Relation, Relations};
pub use schwoon::{StateRelation, StateRelations};
