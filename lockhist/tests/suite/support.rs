//! Paths of lock operations, all of them up to a length, and their interleavings.

use lockhist::{Lock, LockHistory, LockSet, Operation};
use std::collections::HashSet;

/// A path that begins with some locks held (in the order of their acquisition).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    pub held: Vec<Lock>,
    pub operations: Vec<Operation>,
}

impl Path {
    pub fn held_set(&self) -> LockSet {
        self.held.iter().copied().collect()
    }

    pub fn history(&self) -> LockHistory {
        self.operations.iter().fold(LockHistory::start(self.held_set()), |history, &next| history.post(next))
    }

    /// The locks held at the end, in the order of their acquisition.
    pub fn held_after(&self) -> Vec<Lock> {
        let mut stack = self.held.clone();
        for &operation in &self.operations {
            match operation {
                Operation::Acquire(lock) => stack.push(lock),
                Operation::Release(lock) => assert_eq!(stack.pop(), Some(lock)),
            }
        }
        stack
    }
}

/// All well-nested paths of at most `length` operations over `locks` locks that begin with these locks held.
pub fn paths_from(held: &[Lock], locks: usize, length: usize) -> Vec<Path> {
    let mut all = vec![Path { held: held.to_vec(), operations: Vec::new() }];
    let mut done = 0;
    for _ in 0..length {
        let known = all.len();
        for index in done..known {
            let path = all[index].clone();
            let stack = path.held_after();
            let acquisitions = (0..locks).map(Lock::new).filter(|lock| !stack.contains(lock)).map(Operation::Acquire);
            for next in acquisitions.chain(stack.last().copied().map(Operation::Release)) {
                let mut longer = path.clone();
                longer.operations.push(next);
                all.push(longer);
            }
        }
        done = known;
    }
    all
}

/// All orders in which some of the locks can be held.
pub fn stacks(locks: usize) -> Vec<Vec<Lock>> {
    let mut all: Vec<Vec<Lock>> = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        let stack = all[next].clone();
        all.extend((0..locks).map(Lock::new).filter(|lock| !stack.contains(lock)).map(|lock| {
            let mut higher = stack.clone();
            higher.push(lock);
            higher
        }));
        next += 1;
    }
    all
}

/// Whether the paths can be interleaved so that no lock ever has two owners; by exhaustive search.
pub fn interleave(paths: &[&Path]) -> bool {
    let disjoint = |sets: &[LockSet]| {
        let mut all = LockSet::EMPTY;
        sets.iter().all(|&set| {
            let free = !all.meets(set);
            all |= set;
            free
        })
    };
    let start: Vec<_> = paths.iter().map(|path| (0, path.held_set())).collect();
    if !disjoint(&start.iter().map(|(_, held)| *held).collect::<Vec<_>>()) {
        return false;
    }
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = vec![start];
    while let Some(state) = waiting.pop() {
        if state.iter().zip(paths).all(|((at, _), path)| *at == path.operations.len()) {
            return true;
        }
        for (thread, path) in paths.iter().enumerate() {
            let Some(&operation) = path.operations.get(state[thread].0) else { continue };
            let mut next = state.clone();
            next[thread].0 += 1;
            match operation {
                Operation::Acquire(lock) if state.iter().any(|(_, held)| held.contains(lock)) => continue,
                Operation::Acquire(lock) => next[thread].1 |= LockSet::of(lock),
                Operation::Release(lock) => next[thread].1 -= LockSet::of(lock),
            }
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    false
}
