//! Engines that exist for comparison only.
//!
//! They decide the same queries as [`explicit`](super::explicit) by the procedures that were published before it, or
//! beside it: [`symbolic`] is the paper's Algorithm 2 over binary decision diagrams, [`kahlon_gupta`] the algorithm of
//! Kahlon and Gupta in its corrected form, [`cpds`] the semi-decision procedure over communicating pushdown systems.
//! No engine is chosen from here unless the user names it. They stay in the product for two reasons: their answers are
//! compared with those of the other engines in the tests, and their times with those of `explicit` in the benchmarks.

mod cpds;
mod finite_sets;
mod kahlon_gupta;
mod symbolic;

pub(super) use cpds::Cpds;
pub(super) use kahlon_gupta::KahlonGupta;
pub(super) use symbolic::Symbolic;
