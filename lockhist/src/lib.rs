//! Lock histories: abstractions of the paths of processes that decide which paths can be interleaved.
//!
//! Locks are not reentrant and are released in the opposite order of their acquisition. A path of lock operations is
//! abstracted to a [`LockHistory`] (if the locks held at its start are known) or to a [`Segment`] (if not);
//! [`compatible()`] decides whether paths of several processes, one each, can be interleaved. Both exist in an explicit
//! form and, for [relations](symbolic) between histories, as binary decision diagrams.
//!
//! Source: N. Kidd, P. Lammich, T. Touili, T. Reps, *A decision procedure for detecting atomicity violations for
//! communicating processes with locks* (SPIN 2009), sections 4 and 5, after V. Kahlon and A. Gupta (POPL 2007).
//!
//! # Example
//!
//! Two processes nest the same two locks in opposite order, and each stops inside: no interleaving leads to both
//! places.
//!
//! ```
//! use lockhist::{Lock, LockHistory, LockSet, Operation::{Acquire, Release}, compatible};
//!
//! let (a, b) = (Lock::new(0), Lock::new(1));
//! let path = |word: &[_]| {
//!     word.iter().fold(LockHistory::start(LockSet::EMPTY), |history, &operation| history.post(operation))
//! };
//! let first = path(&[Acquire(a), Acquire(b), Release(b)]);
//! let second = path(&[Acquire(b), Acquire(a), Release(a)]);
//! assert!(!compatible(&[&first, &second]));
//! assert!(compatible(&[&first, &path(&[Acquire(b), Release(b)])]));
//! ```

mod compatible;
mod histories;
mod history;
mod lock;
mod segment;
pub mod symbolic;

pub use compatible::{compatible, compatible_segments, last_is_compatible};
pub use histories::Histories;
pub use history::LockHistory;
pub use lock::{Lock, LockSet, Operation};
pub use segment::Segment;
