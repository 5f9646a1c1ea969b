//! Queries about deadlocks: a cycle of the lock order, with an instance for each of its edges.
//!
//! **The queries.** In a deadlock of `n` threads and locks, thread `i` holds lock `i` and wants lock `i + 1`, and the
//! last thread wants the first lock. Each thread can come there alone, whatever others do
//! ([`locking`](crate::locking)). So the locks are a cycle of the lock order, and each thread is an instance of a
//! process of its edge. A cycle can be written from any of its locks; there is one query, from the lock that is
//! declared first.
//!
//! **Read-write locks.** The thread that holds a lock must block the one that wants it: the lock is held or wanted in
//! write mode. These are two automata for each lock of the cycle, and the query is violated if one of all combinations
//! is ([`exclusions`](super::exclusions)). Combinations are left out if a thread cannot come to its place in such
//! modes. If a lock is always held, or always wanted, in write mode, its modes are not constrained.

use super::exclusions::combinations;
use super::instances::{has_instances, max_instances};
use super::named_bindings::NamedBindings;
use super::sequences::Sequences;
use super::{Property, Query};
use crate::locking::{Cycles, LockOrder, ModePairs, can_be_given};
use eml::model::{LockId, Model, ProcessId};
use limits::{Limits, Meter, StopReason};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The deadlock queries of a model, made one at a time: cycle by cycle in the order of their locks, then in the order
/// of the processes.
pub struct Deadlocks<'m> {
    model: &'m Model,
    limits: Limits,
    named: NamedBindings,
    order: LockOrder,
    /// All cycles, or the named one.
    cycles: Source,
    /// The present cycle, and the processes of its edges that remain.
    cycle: Vec<LockId>,
    processes: Box<dyn Iterator<Item = Vec<ProcessId>> + 'm>,
    properties: FxHashMap<Vec<ModePairs>, Arc<Property>>,
    ended: Option<StopReason>,
    is_done: bool,
}

#[derive(Debug)]
enum Source {
    All(Cycles),
    Named(Option<Vec<LockId>>),
}

impl<'m> Deadlocks<'m> {
    /// The queries of the named locks and processes, or of all. The lock order is computed now, within the limits.
    /// Later on the limits hold for making each query.
    pub(super) fn new(model: &'m Model, named: NamedBindings, limits: Limits) -> Self {
        let (order, ended) = match LockOrder::new(model, &Meter::start(&limits)) {
            Ok(order) => (order, None),
            Err(reason) => (LockOrder::default(), Some(reason)),
        };
        let longest = named.processes.as_ref().map_or(usize::MAX, Vec::len);
        let cycles = match &named.locks {
            None => Source::All(Cycles::new(&order, longest)),
            Some(locks) => Source::Named(Some(from_first(locks))),
        };
        Self {
            model,
            // From now on time is counted for each query.
            limits: limits.with_since(None),
            named,
            order,
            cycles,
            cycle: Vec::new(),
            processes: Box::new(std::iter::empty()),
            properties: FxHashMap::default(),
            ended,
            is_done: false,
        }
    }

    /// Whether all queries were made.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The limit that stopped the listing before all queries were made, if any.
    pub fn ended(&self) -> Option<StopReason> {
        self.ended
    }

    /// Goes on to the next cycle; returns whether there is one.
    fn next_cycle(&mut self, meter: &Meter) -> Result<bool, StopReason> {
        let model = self.model;
        loop {
            let next = match &mut self.cycles {
                Source::All(cycles) => cycles.next(&self.order, &|process| max_instances(model, process), meter)?,
                Source::Named(cycle) => cycle.take(),
            };
            let Some(cycle) = next else { return Ok(false) };
            let edges =
                || (0..cycle.len()).map(|place| self.order.edge(cycle[place], cycle[(place + 1) % cycle.len()]));
            // In some combination of modes, for any processes of the edges.
            let together: Vec<_> = edges().map(|edge| edge.iter().map(|own| own.1).collect::<ModePairs>()).collect();
            if combinations(&together).next().is_none() {
                continue;
            }
            let edges: Vec<Vec<_>> = edges().map(|edge| edge.iter().map(|own| own.0).collect()).collect();
            let options = move |chosen: &[ProcessId]| {
                let place = chosen.len();
                let mut given: Vec<Vec<_>> = chosen.iter().map(|process| vec![*process]).collect();
                given.extend(edges[place..].iter().cloned());
                let mut next = edges[place].clone();
                next.retain(|next| {
                    given[place] = vec![*next];
                    has_instances(model, &[chosen, &[*next]].concat(), *next)
                        && can_be_given(&given, &|process| max_instances(model, process))
                });
                next
            };
            self.processes = Box::new(Sequences::new(cycle.len(), options));
            self.cycle = cycle;
            return Ok(true);
        }
    }

    /// Whether some rotation has the named locks and processes.
    fn is_named(&self, processes: &[ProcessId]) -> bool {
        let count = self.cycle.len();
        (0..count).any(|first| {
            let has_locks = self.named.locks.as_ref().is_none_or(|named| rotated(&self.cycle, first).eq(named));
            has_locks && self.named.processes.as_ref().is_none_or(|named| rotated(processes, first).eq(named))
        })
    }

    /// The property of the present cycle with these processes; none if they never exclude each other.
    fn property(&mut self, processes: &[ProcessId]) -> Option<Arc<Property>> {
        let count = self.cycle.len();
        let pairs: Vec<_> = processes
            .iter()
            .enumerate()
            .map(|(place, process)| {
                let edge = self.order.edge(self.cycle[place], self.cycle[(place + 1) % count]);
                edge.iter().find(|own| own.0 == *process).map_or(ModePairs::default(), |own| own.1)
            })
            .collect();
        if !self.properties.contains_key(&pairs) {
            let property = Property::deadlock_of(pairs.clone())?;
            self.properties.insert(pairs.clone(), Arc::new(property));
        }
        self.properties.get(&pairs).cloned()
    }
}

impl Iterator for Deadlocks<'_> {
    type Item = Query;

    fn next(&mut self) -> Option<Query> {
        let meter = Meter::start(&self.limits);
        // Most queries take less work than there is between two checks of a meter.
        if self.limits.cancellation.is_cancelled() {
            self.ended.get_or_insert(StopReason::Cancelled);
        }
        while self.ended.is_none() {
            let Some(processes) = self.processes.next() else {
                match self.next_cycle(&meter) {
                    Ok(true) => continue,
                    Ok(false) => {
                        self.is_done = true;
                        return None;
                    }
                    Err(reason) => self.ended = Some(reason),
                }
                continue;
            };
            if let Err(reason) = meter.work_of(self.cycle.len()) {
                self.ended = Some(reason);
            }
            if !self.is_named(&processes) {
                continue;
            }
            if let Some(property) = self.property(&processes) {
                return Some(Query { property, locations: Vec::new(), locks: self.cycle.clone(), processes });
            }
        }
        None
    }
}

fn rotated<T>(cycle: &[T], first: usize) -> impl Iterator<Item = &T> {
    cycle[first..].iter().chain(&cycle[..first])
}

/// A cycle from its first lock in the order of declarations.
fn from_first(cycle: &[LockId]) -> Vec<LockId> {
    let first = (0..cycle.len()).min_by_key(|place| cycle[*place]).unwrap_or(0);
    rotated(cycle, first).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::Selection;
    use super::*;

    fn asked(text: &str, selection: &Selection) -> Vec<String> {
        let model = eml::model::from_text("m.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
        let asked = selection.ask_with_deadlocks(&model, &[]).expect("the names are there");
        let mut deadlocks = asked.deadlocks(&Limits::default()).expect("they are asked");
        let written = deadlocks.by_ref().map(|query| {
            let locks = query.locks.iter().map(|id| model.lock(*id).name()).collect::<String>();
            let processes = query.processes.iter().map(|id| model.process(*id).name()).collect::<String>();
            format!("{} {locks} {processes} {}", query.property.label(), query.property.automata().count())
        });
        let written = written.collect();
        assert_eq!(deadlocks.ended(), None);
        written
    }

    fn all(text: &str) -> Vec<String> {
        asked(text, &Selection::default())
    }

    const OPPOSITE: &str = "lock a, b; process P { sync a { sync b { } } } process Q { sync b { sync a { } } }";

    #[test]
    fn every_cycle_is_one_query() {
        assert_eq!(all(OPPOSITE), ["deadlock2 ab PQ 1"]);
        assert_eq!(
            all("lock a, b; process P { sync a { sync b { } } } process Q * 2 { sync a { sync b { } } }"),
            [""; 0]
        );
        let both = "sync a { sync b { } } sync b { sync a { } }";
        assert_eq!(all(&format!("lock a, b; process P {{ {both} }}")), [""; 0]);
        assert_eq!(all(&format!("lock a, b; process P * 2 {{ {both} }}")), ["deadlock2 ab PP 1"]);
        assert_eq!(
            all(&format!("lock a, b; process P {{ {both} }} process Q {{ {both} }}")),
            ["deadlock2 ab PQ 1", "deadlock2 ab QP 1"]
        );
    }

    #[test]
    fn rotations_are_the_same_query() {
        let named = |locks: Option<&str>, processes: Option<&str>| {
            let names = |names: Option<&str>| names.map(|names| names.chars().map(String::from).collect());
            asked(OPPOSITE, &Selection { locations: None, locks: names(locks), processes: names(processes) })
        };
        let found = ["deadlock2 ab PQ 1"];
        assert_eq!(named(Some("ab"), None), found);
        assert_eq!(named(Some("ba"), None), found);
        assert_eq!(named(None, Some("PQ")), found);
        assert_eq!(named(None, Some("QP")), found);
        assert_eq!(named(Some("ab"), Some("PQ")), found);
        assert_eq!(named(Some("ba"), Some("QP")), found);
        assert_eq!(named(Some("ba"), Some("PQ")), [""; 0]);
    }

    #[test]
    fn modes_must_exclude() {
        let two = |first: &str, second: &str| {
            let text = |modes: &str| {
                let modes: Vec<_> = modes.split(' ').collect();
                let word = |mode: &str| if mode == "r" { "read" } else { "write" };
                (word(modes[0]), word(modes[1]))
            };
            let ((a, b), (c, d)) = (text(first), text(second));
            all(&format!(
                "rwlock a, b; process P {{ sync {a} a {{ sync {b} b {{ }} }} }} process Q {{ sync {c} b {{ sync {d} a {{ }} }} }}"
            ))
        };
        assert_eq!(two("r r", "r r"), [""; 0]);
        assert_eq!(two("r w", "r r"), [""; 0]);
        assert_eq!(two("r w", "r w"), ["deadlock2 ab PQ 1"]);
        assert_eq!(two("w r", "w r"), ["deadlock2 ab PQ 1"]);
        assert_eq!(two("w r", "r r"), [""; 0]);
        assert_eq!(two("w w", "r r"), ["deadlock2 ab PQ 1"]);
        // Each takes the inner lock in both modes, so that both locks can be excluded in two ways.
        let both = |first: &str, second: &str| {
            let takes = |outer: &str, inner: &str| {
                format!("sync {outer} {first} {{ choose {{ sync read {second} {{ }} }} or {{ sync write {second} {{ }} }} }}")
                    .replace("OUTER", inner)
            };
            takes("read", "") + &takes("write", "")
        };
        let text = format!("rwlock a, b; process P {{ {} }} process Q {{ {} }}", both("a", "b"), both("b", "a"));
        assert_eq!(all(&text), ["deadlock2 ab PQ 4"]);
    }
}
