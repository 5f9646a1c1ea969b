//! Compatibility: whether paths of several processes can be interleaved.
//!
//! For two processes this is Definition 3 of the paper, by Theorem 1 (Kahlon and Gupta). For more processes, conditions
//! 1, 2 and 5 are required of every pair, but conditions 3 and 4 of all processes together. An edge from a lock to
//! every other lock of its acquisition history means that the last acquisition of the first lock precedes those of the
//! others, so a cycle forbids the interleaving; in a cycle through three locks of three processes, no two processes
//! conflict. The same holds for release histories, backwards in time.

use crate::histories::Histories;
use crate::history::LockHistory;
use crate::lock::LockSet;
use crate::segment::Segment;

/// Whether paths with these histories, one of each process, have an interleaving in which no lock has two owners.
///
/// For `n` processes and `k` locks in their histories: `O(n^2 + k^2)`.
///
/// ```
/// use lockhist::{Lock, LockHistory, LockSet, Operation, compatible};
///
/// // Each of three processes holds a lock and then uses the lock of the next process: only all three conflict.
/// let lock = |index: usize| Lock::new(index % 3);
/// let histories: Vec<_> = (0..3_usize)
///     .map(|i| {
///         LockHistory::start(LockSet::EMPTY)
///             .post(Operation::Acquire(lock(i)))
///             .post(Operation::Acquire(lock(i + 1)))
///             .post(Operation::Release(lock(i + 1)))
///     })
///     .collect();
/// assert!(compatible(&[&histories[0], &histories[1]]));
/// assert!(!compatible(&[&histories[0], &histories[1], &histories[2]]));
/// ```
pub fn compatible(histories: &[&LockHistory]) -> bool {
    let threads: Vec<_> = histories.iter().map(|history| (history.initially_held(), history.segment())).collect();
    compatible_segments(&threads)
}

/// The same for segments, each with the locks that its process holds at the start.
pub fn compatible_segments(threads: &[(LockSet, &Segment)]) -> bool {
    (0..threads.len()).all(|last| fits(&threads[..=last])) && all_acyclic(threads)
}

/// The same for processes that are compatible without the last one: `O(n + k^2)`.
pub fn last_is_compatible(threads: &[(LockSet, &Segment)]) -> bool {
    fits(threads) && all_acyclic(threads)
}

/// Whether no lock has two owners, one of them the last process, at the start, at the end, or because one of them holds
/// it throughout.
fn fits(threads: &[(LockSet, &Segment)]) -> bool {
    let Some(((held, segment), others)) = threads.split_last() else { return true };
    let throughout = *held - segment.released();
    let touched = segment.used() | segment.acquired();
    others.iter().all(|(other_held, other)| {
        let other_throughout = *other_held - other.released();
        let held_together =
            held.meets(*other_held) || (throughout | segment.acquired()).meets(other_throughout | other.acquired());
        let through_held = touched.meets(other_throughout) || (other.used() | other.acquired()).meets(throughout);
        !held_together && !through_held
    })
}

fn all_acyclic(threads: &[(LockSet, &Segment)]) -> bool {
    acyclic(threads, Segment::acquisitions) && acyclic(threads, Segment::releases)
}

/// Whether the graph that has an edge from each lock to the other locks of its history has no cycle.
///
/// Repeatedly removes locks whose edges all lead to removed locks; the remaining locks are on a cycle or lead to one.
/// Requires that the processes' sets of locks with a history are disjoint.
fn acyclic(threads: &[(LockSet, &Segment)], histories: impl Fn(&Segment) -> &Histories) -> bool {
    let mut rest = threads.iter().fold(LockSet::EMPTY, |all, (_, segment)| all | histories(segment).keys());
    loop {
        let mut last = LockSet::EMPTY;
        for (_, segment) in threads {
            for (lock, history) in histories(segment).iter() {
                let own = LockSet::of(lock);
                if own.is_subset(rest) && !(history - own).meets(rest) {
                    last |= own;
                }
            }
        }
        if last.is_empty() {
            return rest.is_empty();
        }
        rest -= last;
    }
}
