//! The queries that are left, shared by the threads of all workers.
//!
//! A thread stays with a group as long as queries of it are left, because its worker keeps the work that the queries of
//! a group share. After that it takes a group that no thread works on, and at the end it helps other threads.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Mutex;

/// A query: its group and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) group: usize,
    pub(super) number: usize,
}

/// The queries that are left.
#[derive(Debug)]
pub(super) struct Queue {
    places: Mutex<Places>,
}

#[derive(Debug)]
struct Places {
    /// By group.
    left: Vec<VecDeque<usize>>,
    /// By group: the number of threads that work on it.
    threads: Vec<usize>,
    /// Groups whose queries are asked one by one.
    alone: BTreeSet<usize>,
}

impl Queue {
    /// Returns a queue with these queries of each group.
    pub(super) fn new(left: Vec<VecDeque<usize>>) -> Self {
        let threads = vec![0; left.len()];
        Self { places: Mutex::new(Places { left, threads, alone: BTreeSet::new() }) }
    }

    /// Returns the next query for a thread that worked on a group.
    pub(super) fn next(&self, current: Option<usize>) -> Option<Task> {
        self.with(|places| places.next(current))
    }

    /// Returns the queries of a group that are left.
    pub(super) fn left(&self, group: usize) -> Vec<usize> {
        self.with(|places| places.left[group].iter().copied().collect())
    }

    /// Has the queries of the group asked one by one from now on, since together they need too much.
    pub(super) fn part(&self, group: usize) {
        self.with(|places| places.alone.insert(group));
    }

    /// Whether the queries of the group are asked one by one.
    pub(super) fn is_parted(&self, group: usize) -> bool {
        self.with(|places| places.alone.contains(&group))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Places) -> T) -> T {
        // No thread panics while it holds the lock, and even then the queue would be consistent.
        work(&mut self.places.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

impl Places {
    fn next(&mut self, current: Option<usize>) -> Option<Task> {
        let stays = current.filter(|group| !self.left[*group].is_empty());
        let has_some = |group: &usize| !self.left[*group].is_empty();
        let idle = || (0..self.left.len()).filter(has_some).find(|group| self.threads[*group] == 0);
        let longest = || (0..self.left.len()).filter(has_some).max_by_key(|group| self.left[*group].len());
        let group = stays.or_else(idle).or_else(longest);
        if group != current {
            current.into_iter().for_each(|group| self.threads[group] -= 1);
            group.into_iter().for_each(|group| self.threads[group] += 1);
        }
        let group = group?;
        self.left[group].pop_front().map(|number| Task { group, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_stay_then_take_idle_groups_then_help() {
        let queue = Queue::new(vec![VecDeque::from([0, 1]), VecDeque::from([0]), VecDeque::from([4, 5, 6])]);
        let task = |group, number| Some(Task { group, number });
        assert_eq!(queue.next(None), task(0, 0));
        assert_eq!(queue.next(None), task(1, 0));
        assert_eq!(queue.next(Some(0)), task(0, 1));
        assert_eq!(queue.next(Some(1)), task(2, 4));
        assert_eq!(queue.next(Some(0)), task(2, 5));
        assert_eq!(queue.left(2), [6]);
        assert_eq!(queue.next(Some(2)), task(2, 6));
        assert_eq!(queue.next(Some(2)), None);
    }
}
