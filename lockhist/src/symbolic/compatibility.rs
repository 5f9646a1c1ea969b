//! The compatibility check: finds one tuple of each process, compatible in every phase (the paper's Algorithm 2, line
//! 4).

use super::budget::{Budget, Exhausted};
use super::layout::{Bit, Layout, Orientation, Ply};
use super::relation::{Relation, Relations, renamed};
use crate::history::LockHistory;
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddValuation, BddVariable};
use std::collections::HashMap;
use std::sync::Arc;

/// The compatibility check over one layout; caches its conditions.
#[derive(Clone, Debug)]
pub struct Compatibility {
    layout: Arc<Layout>,
    /// Per phase, the condition on two processes.
    conditions: HashMap<usize, Bdd>,
}

impl Compatibility {
    /// Returns the check over this layout.
    pub fn new(layout: Arc<Layout>) -> Self {
        Self { layout, conditions: HashMap::new() }
    }

    /// Returns one tuple of each process such that the histories of every phase are [compatible](crate::compatible());
    /// `None` if there are none. A tuple begins with the initial history, without locks, followed by the history at the
    /// end of each phase.
    ///
    /// The relations are over all phases of the layout, each in the [orientation](Orientation::of_thread) of its
    /// position.
    ///
    /// For two processes, the bits of the first are quantified phase by phase, under the condition of the phase; the
    /// result is the set of tuples of the second that are compatible with some tuple of the first. For more processes
    /// the condition alone would be too large, so the tuples are joined under its conjuncts one by one.
    ///
    /// # Errors
    /// If the budget is spent.
    ///
    /// # Panics
    /// If there is no relation, or more than the layout has room for.
    pub fn choose(
        &mut self,
        relations: &[&Relation],
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Vec<LockHistory>>>, Exhausted> {
        assert!(!relations.is_empty() && relations.len() <= self.layout.threads(), "the layout is for so many");
        let valuation = match relations {
            [first, second] => self.choose_two(first, second, budget)?,
            _ => self.join(relations, budget)?.sat_witness(),
        };
        let tuples = |valuation: BddValuation| (0..relations.len()).map(|t| self.tuple(&valuation, t)).collect();
        Ok(valuation.map(tuples))
    }

    fn choose_two(
        &mut self,
        first: &Relation,
        second: &Relation,
        budget: &Budget<'_>,
    ) -> Result<Option<BddValuation>, Exhausted> {
        let (first, second) = (self.set(first, 0, budget)?, self.set(second, 1, budget)?);
        let layout = self.layout.clone();
        let mut allowed = first.clone();
        for phase in 0..layout.phases() {
            let hidden = |variable| layout.phase_of(variable) == phase && layout.ply_of(variable) == Ply(0);
            allowed = budget.and_exists(&allowed, self.condition(phase, budget)?, hidden)?;
        }
        let Some(of_second) = budget.and(&allowed, &second)?.sat_witness() else { return Ok(None) };
        // With the tuple of the second process known, the conditions restrict the first process alone.
        let mut both = budget.and(&first, &self.only(&of_second, 1))?;
        for phase in 0..layout.phases() {
            both = budget.and(&both, self.condition(phase, budget)?)?;
        }
        Ok(both.sat_witness())
    }

    /// The compatible choices of all processes.
    fn join(&self, relations: &[&Relation], budget: &Budget<'_>) -> Result<Bdd, Exhausted> {
        let mut joined = self.layout.variables().mk_true();
        for (thread, relation) in relations.iter().enumerate() {
            joined = budget.and(&joined, &self.set(relation, thread, budget)?)?;
            // Most histories are small, so most bits are never set; conflicts with such bits need no conjunct.
            let Some(fixed) = joined.necessary_clause() else { return Ok(joined) };
            let conflicts = (0..self.layout.phases()).flat_map(|phase| self.conflicts(phase, thread));
            for conflict in conflicts {
                if conflict.iter().all(|variable| fixed.get_value(*variable) != Some(false)) {
                    joined = budget.and(&joined, &self.not_all(&conflict))?;
                }
            }
        }
        Ok(joined)
    }

    /// Returns the tuples of a process that begin without locks, on the ply of the process.
    fn set(&self, relation: &Relation, thread: usize, budget: &Budget<'_>) -> Result<Bdd, Exhausted> {
        let relations = Relations::new(self.layout.clone(), Orientation::of_thread(thread));
        let set = relations.without_locks_at_start(relation, budget)?;
        Ok(renamed(&set, |variable| self.layout.on_ply(variable, Ply(thread))))
    }

    /// Returns the tuple of a process in a valuation, as a set.
    fn only(&self, valuation: &BddValuation, thread: usize) -> Bdd {
        let orientation = Orientation::of_thread(thread);
        let phases = 0..self.layout.phases();
        let variables = phases.flat_map(|phase| {
            self.layout.bits().map(move |bit| self.layout.variable(phase, Ply(thread), bit, orientation))
        });
        let literals: Vec<_> = variables.map(|variable| (variable, valuation.value(variable))).collect();
        self.layout.variables().mk_conjunctive_clause(&BddPartialValuation::from_values(&literals))
    }

    fn tuple(&self, valuation: &BddValuation, thread: usize) -> Vec<LockHistory> {
        let orientation = Orientation::of_thread(thread);
        let end = |phase| {
            let value = |bit| valuation.value(self.layout.variable(phase, Ply(thread), bit, orientation));
            self.layout.decode(value)
        };
        let start = LockHistory::start(crate::LockSet::EMPTY);
        std::iter::once(start).chain((0..self.layout.phases()).map(end)).collect()
    }

    /// Returns the condition of Compatible on the first two processes in a phase.
    fn condition(&mut self, phase: usize, budget: &Budget<'_>) -> Result<&Bdd, Exhausted> {
        if !self.conditions.contains_key(&phase) {
            let mut conflicts = self.conflicts(phase, 1);
            // The last variables come first, so that the conjunction grows at its root.
            conflicts.sort_by_key(|conflict| std::cmp::Reverse(conflict.iter().copied().min()));
            let mut condition = self.layout.variables().mk_true();
            for conflict in conflicts {
                condition = budget.and(&condition, &self.not_all(&conflict))?;
            }
            self.conditions.insert(phase, condition);
        }
        Ok(&self.conditions[&phase])
    }

    /// Returns the condition that at least one of the bits is not set.
    fn not_all(&self, bits: &[BddVariable]) -> Bdd {
        let literals: Vec<_> = bits.iter().map(|variable| (*variable, false)).collect();
        self.layout.variables().mk_disjunctive_clause(&BddPartialValuation::from_values(&literals))
    }

    /// Returns the conflicts of a process with those before it in a phase, by Compatible: sets of bits that must not
    /// all be set.
    fn conflicts(&self, phase: usize, thread: usize) -> Vec<Vec<BddVariable>> {
        let mut conflicts = Vec::new();
        for lock in 0..self.layout.locks() {
            for other in 0..thread {
                self.two_owners(phase, [thread, other], lock, &mut conflicts);
            }
        }
        for length in 2..=(thread + 1).min(self.layout.locks()) {
            self.cycles(phase, thread, length, &mut conflicts);
        }
        conflicts
    }

    fn bit(&self, phase: usize, thread: usize, bit: Bit) -> BddVariable {
        self.layout.variable(phase, Ply(thread), bit, Orientation::of_thread(thread))
    }

    /// Adds conditions 1, 2 and 5 for one lock: if one process holds it at the start, at the end or throughout, the
    /// other process does not hold it at the same time, and does not use it if it is held throughout.
    fn two_owners(&self, phase: usize, threads: [usize; 2], lock: usize, conflicts: &mut Vec<Vec<BddVariable>>) {
        let [held, used] = [Bit::HeldThroughout(lock), Bit::Used(lock)];
        let [released, acquired] = [Bit::Releases(lock, lock), Bit::Acquisitions(lock, lock)];
        let at_start = [(held, held), (held, released), (released, held), (released, released)];
        let at_end = [(held, acquired), (acquired, held), (acquired, acquired)];
        let throughout = [(held, used), (used, held)];
        let [one, other] = threads;
        let pairs = at_start.into_iter().chain(at_end).chain(throughout);
        conflicts.extend(pairs.map(|(own, others)| vec![self.bit(phase, one, own), self.bit(phase, other, others)]));
    }

    /// Adds conditions 3 and 4 for cycles through `length` locks, with one edge of each of `length` processes, among
    /// them `thread`. A cycle with two edges of one process has a shortcut, as the histories of a process are nested.
    fn cycles(&self, phase: usize, thread: usize, length: usize, conflicts: &mut Vec<Vec<BddVariable>>) {
        for others in arrangements(thread, length - 1) {
            let threads = [&[thread], &others[..]].concat();
            for locks in arrangements(self.layout.locks(), length) {
                for edge in [Bit::Acquisitions, Bit::Releases] {
                    let bit =
                        |place: usize| self.bit(phase, threads[place], edge(locks[place], locks[(place + 1) % length]));
                    conflicts.push((0..length).map(bit).collect());
                }
            }
        }
    }
}

/// The sequences of `length` different numbers below `count`, in lexicographic order.
fn arrangements(count: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = |front: &Vec<usize>| {
            let free = (0..count).filter(|next| !front.contains(next));
            free.map(|next| [&front[..], &[next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::{Lock, LockSet, Operation};
    use crate::{LockHistory, compatible};
    use std::collections::HashSet;

    /// Returns the histories of all well-nested paths up to a length, with any locks held at the start, even those with
    /// which no phase can begin after compatible phases.
    fn histories(locks: usize, length: usize) -> Vec<LockHistory> {
        let all_locks = || (0..locks).map(Lock::new);
        let mut stacks: Vec<Vec<Lock>> = vec![Vec::new()];
        for depth in 0..locks {
            let lower: Vec<_> = stacks.iter().filter(|stack| stack.len() == depth).cloned().collect();
            let higher = |stack: &Vec<Lock>, lock| [&stack[..], &[lock]].concat();
            stacks.extend(lower.iter().flat_map(|stack| {
                all_locks().filter(|lock| !stack.contains(lock)).map(move |lock| higher(stack, lock))
            }));
        }
        let start = |stack: Vec<Lock>| (LockHistory::start(stack.iter().copied().collect()), stack);
        let mut last: HashSet<_> = stacks.into_iter().map(start).collect();
        let mut seen = last.clone();
        for _ in 0..length {
            last = last.iter().flat_map(|(history, stack)| longer(history, stack, locks)).collect();
            seen.extend(last.iter().cloned());
        }
        let found: HashSet<_> = seen.into_iter().map(|(history, _)| history).collect();
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort();
        found
    }

    /// Returns the histories with one more operation, each with the locks then held, in the order of their acquisition.
    fn longer(history: &LockHistory, stack: &[Lock], locks: usize) -> Vec<(LockHistory, Vec<Lock>)> {
        let free = (0..locks).map(Lock::new).filter(|lock| !stack.contains(lock));
        let mut all: Vec<_> =
            free.map(|lock| (history.post(Operation::Acquire(lock)), [stack, &[lock]].concat())).collect();
        if let Some((top, rest)) = stack.split_last() {
            all.push((history.post(Operation::Release(*top)), rest.to_vec()));
        }
        all
    }

    /// Returns the variables that are set for a history on the ply of a thread.
    fn bits(layout: &Layout, history: &LockHistory, thread: usize) -> Vec<BddVariable> {
        let orientation = Orientation::of_thread(thread);
        let set = layout.encode(history).filter(|(_, value)| *value);
        set.map(|(bit, _)| layout.variable(0, Ply(thread), bit, orientation)).collect()
    }

    /// Returns every history with its variables on the ply of each thread.
    fn encoded(layout: &Layout, locks: usize, length: usize) -> Vec<(LockHistory, Vec<Vec<BddVariable>>)> {
        let encode = |history: LockHistory| {
            let plies = (0..layout.threads()).map(|thread| bits(layout, &history, thread)).collect();
            (history, plies)
        };
        histories(locks, length).into_iter().map(encode).collect()
    }

    #[test]
    fn the_condition_of_two_is_compatible() {
        for (locks, length) in [(2, 6), (3, 4)] {
            let layout = Arc::new(Layout::new(locks, 1, 2).expect("fits"));
            let mut check = Compatibility::new(layout.clone());
            let condition = check.condition(0, &Budget::unlimited()).expect("there is no limit");
            let (mut counts, mut meeting) = ([0_usize; 2], 0_usize);
            let all = encoded(&layout, locks, length);
            for (one, ones) in &all {
                for (other, others) in &all {
                    let mut valuation = BddValuation::all_false(layout.variables().num_vars());
                    ones[0].iter().chain(&others[1]).for_each(|variable| valuation.set(*variable));
                    let expected = compatible(&[one, other]);
                    assert_eq!(condition.eval_in(&valuation), expected, "{one:?} {other:?}");
                    counts[usize::from(expected)] += 1;
                    meeting += usize::from(one.initially_held().meets(other.initially_held()));
                }
            }
            assert!(counts.iter().chain([&meeting]).all(|count| *count > 100), "{counts:?} {meeting}");
        }
    }

    #[test]
    fn the_conflicts_of_three_are_compatible() {
        for (locks, length) in [(2, 5), (3, 3)] {
            let layout = Arc::new(Layout::new(locks, 1, 3).expect("fits"));
            let check = Compatibility::new(layout.clone());
            let all = encoded(&layout, locks, length);
            // Conflicts name the ply of the thread, so all threads share one table of bits.
            let mut is_set = vec![false; usize::from(layout.variables().num_vars())];
            let conflict = |threads: std::ops::Range<usize>| threads.flat_map(|thread| check.conflicts(0, thread));
            let (of_two, of_three): (Vec<_>, Vec<_>) = (conflict(1..2).collect(), conflict(2..3).collect());
            let free = |is_set: &[bool], conflicts: &[Vec<BddVariable>]| {
                !conflicts.iter().any(|conflict| conflict.iter().all(|variable| is_set[variable.to_index()]))
            };
            let mut counts = [0_usize; 2];
            for (one, ones) in &all {
                for (two, twos) in &all {
                    ones[0].iter().chain(&twos[1]).for_each(|variable| is_set[variable.to_index()] = true);
                    let pair = free(&is_set, &of_two);
                    assert_eq!(pair, compatible(&[one, two]), "{one:?} {two:?}");
                    for (three, threes) in all.iter().filter(|_| pair) {
                        threes[2].iter().for_each(|variable| is_set[variable.to_index()] = true);
                        let expected = compatible(&[one, two, three]);
                        assert_eq!(free(&is_set, &of_three), expected, "{one:?} {two:?} {three:?}");
                        threes[2].iter().for_each(|variable| is_set[variable.to_index()] = false);
                        counts[usize::from(expected)] += 1;
                    }
                    ones[0].iter().chain(&twos[1]).for_each(|variable| is_set[variable.to_index()] = false);
                }
            }
            assert!(counts.iter().all(|count| *count > 100), "the test sees both answers: {counts:?}");
        }
    }

    /// Locks that both processes hold at the start, whether or not they are released.
    #[test]
    fn no_lock_is_held_by_two_at_the_start() {
        let layout = Arc::new(Layout::new(1, 1, 2).expect("fits"));
        let mut check = Compatibility::new(layout.clone());
        let condition = check.condition(0, &Budget::unlimited()).expect("there is no limit");
        let held = LockHistory::start(LockSet::of(Lock::new(0)));
        let given_up = held.post(Operation::Release(Lock::new(0)));
        for (one, other) in [(&held, &held), (&held, &given_up), (&given_up, &held), (&given_up, &given_up)] {
            let mut valuation = BddValuation::all_false(layout.variables().num_vars());
            bits(&layout, one, 0).iter().for_each(|variable| valuation.set(*variable));
            bits(&layout, other, 1).iter().for_each(|variable| valuation.set(*variable));
            assert!(!condition.eval_in(&valuation), "{one:?} {other:?}");
        }
    }
}
