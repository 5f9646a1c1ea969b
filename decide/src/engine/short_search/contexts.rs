//! The number of sets of locks with which processes call their procedures: an estimate of the work of saturation.
//!
//! It decides only whether a search is worth its steps, so it need not be exact: locks count as contended if two of the
//! processes can acquire them, and starts are no calls.

use eml::model::{Model, NodeId, Opened, Operation, ProcedureId, ProcessId};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of contexts at which counting ends.
pub(super) const MOST_CONTEXTS: usize = 1 << 14;

/// The number of contexts for each procedure from which on there are very many. With all sets of `n` locks there are
/// `2^n`.
const VERY_MANY: usize = 64;

/// Counts contexts: procedures with the contended locks that are held when they are called, of those that they or their
/// callees acquire.
#[derive(Debug)]
pub(super) struct Contexts<'m> {
    model: &'m Model,
    /// For each procedure, the locks that it or a callee acquires.
    acquired: Vec<FixedBitSet>,
    /// For each procedure, the nodes where it calls others.
    calls: Vec<Vec<NodeId>>,
    known: FxHashMap<(ProcessId, FixedBitSet), usize>,
}

impl<'m> Contexts<'m> {
    /// Prepares for counting. Linear in the size of the model times the number of locks, in bits.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(model: &'m Model, meter: &Meter) -> Result<Self, StopReason> {
        let mut own = vec![FixedBitSet::with_capacity(model.locks().len()); model.procedures().len()];
        let mut calls = vec![Vec::new(); model.procedures().len()];
        for (id, node) in model.nodes() {
            meter.work_of(1)?;
            match node.operation {
                Operation::Acquire(lock, _) => own[node.procedure.index()].insert(lock.index()),
                Operation::Call(_) => calls[node.procedure.index()].push(id),
                _ => {}
            }
        }
        let acquired = model.call_graph().bottom_up(own, |all, other| {
            all.union_with(other);
            meter.work_of(1 + other.as_slice().len())
        })?;
        Ok(Self { model, acquired, calls, known: FxHashMap::default() })
    }

    /// Whether a model may have very many contexts: it needs enough locks.
    pub(super) fn may_be_very_many(model: &Model) -> bool {
        model.locks().len() > VERY_MANY.ilog2() as usize
    }

    /// The greatest number of contexts among some processes, one for each thread, if they have very many.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn very_many(&mut self, processes: &[ProcessId], meter: &Meter) -> Result<Option<usize>, StopReason> {
        let contended = self.contended(processes);
        let mut most = None;
        for process in processes {
            let key = (*process, contended.clone());
            let count = match self.known.get(&key) {
                Some(known) => *known,
                None => {
                    let count = self.count(*process, &contended, meter)?;
                    *self.known.entry(key).or_insert(count)
                }
            };
            most = most.max((count > 0).then_some(count));
        }
        Ok(most)
    }

    /// The locks that two of the processes acquire.
    fn contended(&self, processes: &[ProcessId]) -> FixedBitSet {
        let mut once = FixedBitSet::with_capacity(self.model.locks().len());
        let mut twice = once.clone();
        for process in processes {
            let acquired = &self.acquired[self.model.process(*process).body().index()];
            twice.union_with(&(&once & acquired));
            once.union_with(acquired);
        }
        twice
    }

    /// The number of contexts of a process with some contended locks, up to the greatest one; 0 if there are not very
    /// many.
    fn count(&self, process: ProcessId, contended: &FixedBitSet, meter: &Meter) -> Result<usize, StopReason> {
        if contended.count_ones(..) < VERY_MANY.ilog2() as usize {
            return Ok(0);
        }
        let none = FixedBitSet::with_capacity(self.model.locks().len());
        let first = (self.model.process(process).body(), none);
        let mut known = FxHashSet::from_iter([first.clone()]);
        let mut procedures: FxHashSet<ProcedureId> = FxHashSet::default();
        let mut waiting = vec![first];
        while let Some((procedure, held)) = waiting.pop() {
            procedures.insert(procedure);
            let calls = &self.calls[procedure.index()];
            meter.work_of(1 + calls.len())?;
            for node in calls {
                let Operation::Call(callee) = self.model.node(*node).operation else { continue };
                let mut inside = held.clone();
                for opened in self.model.opened(*node).iter() {
                    if let Opened::Lock(lock, _) = opened {
                        inside.insert(lock.index());
                    }
                }
                inside.intersect_with(contended);
                inside.intersect_with(&self.acquired[callee.index()]);
                let context = (callee, inside);
                if known.len() < MOST_CONTEXTS && known.insert(context.clone()) {
                    waiting.push(context);
                }
            }
        }
        Ok(if known.len() / procedures.len() >= VERY_MANY { known.len() } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limits::Limits;

    fn very_many(text: &str) -> Option<usize> {
        let model = eml::model::from_text("test.eml", text).expect("it is a model").model;
        let meter = Meter::start(&Limits::default());
        let mut contexts = Contexts::new(&model, &meter).expect("there is no limit");
        let counted = contexts.very_many(&[0, 1].map(ProcessId::new), &meter).expect("there is no limit");
        assert!(counted.is_none() || Contexts::may_be_very_many(&model));
        counted
    }

    /// A function that acquires one of some locks and calls itself; `Q` calls it or acquires one lock.
    fn recursion(locks: usize, q: &str) -> String {
        let names: Vec<_> = (0..locks).map(|lock| format!("l{lock}")).collect();
        let sections: Vec<_> = names.iter().map(|lock| format!("{{ sync {lock} {{ call f; }} }}")).collect();
        let (names, sections) = (names.join(", "), sections.join(" or "));
        format!("lock {names}; fn f() {{ choose {sections} or {{ }} }} process P {{ call f; }} process Q {{ {q} }}")
    }

    #[test]
    fn contexts_are_procedures_with_contended_locks() {
        let all_sets = |locks: usize| (1 << locks) + 1;
        assert_eq!(very_many(&recursion(6, "call f;")), None);
        assert_eq!(very_many(&recursion(8, "call f;")), Some(all_sets(8)));
        assert_eq!(very_many(&recursion(13, "call f;")), Some(all_sets(13)));
        assert_eq!(very_many(&recursion(20, "call f;")), Some(MOST_CONTEXTS));
        assert_eq!(very_many(&recursion(20, "sync l0 { sync l1 { } }")), None, "only two locks are contended");
    }

    #[test]
    fn locks_that_a_callee_does_not_acquire_do_not_matter() {
        let names: Vec<_> = (0..20).map(|lock| format!("l{lock}")).collect();
        let held = |body: &str| names.iter().fold(body.to_string(), |body, lock| format!("sync {lock} {{ {body} }}"));
        let choice: Vec<_> = names.iter().map(|lock| format!("{{ sync {lock} {{ call g; }} }}")).collect();
        let text = format!(
            "lock {}; shared x; fn g() {{ read x; }} process P {{ choose {} }} process Q {{ {} }}",
            names.join(", "),
            choice.join(" or "),
            held("call g;")
        );
        assert_eq!(very_many(&text), None);
    }
}
