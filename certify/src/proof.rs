//! The search for a proof of a claim: locks for its invariants, and starts that have to be considered.
//!
//! The locks are found from few to many. Fewer locks leave more interleavings, so whatever they refute stays refuted:
//! first no locks but those that the automaton names, then sets that refuted an earlier claim, then single locks. If
//! none suffices, all locks that can refute anything are taken, and afterwards only those of the clauses; each of these
//! is then left out if the others suffice. If all locks do not suffice, the start of a participant is considered.
//!
//! All bounds are numbers of steps, so the result is always the same.

use crate::cases::Case;
use crate::clauses::{Clause, End, refute};
use crate::code::Code;
use crate::fixpoint::{Incomplete, Question, least_invariant};
use crate::instructions::{BodyId, Lock};
use crate::pieces::{Piece, Uses};
use crate::reach::Calls;
use crate::roles::Role;
use crate::table::Table;
use crate::unproved::Unproved;
use indexmap::IndexMap;
use limits::Meter;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The greatest number of steps for one invariant.
const STEPS: u64 = 1_000_000;

/// The greatest number of steps for one claim.
const CLAIM_STEPS: u64 = 4_000_000;

/// The greatest number of choices of ends of a case.
const CHOICES: usize = 1_000_000;

/// The greatest number of participants of a case, and of cases of a claim.
const PARTICIPANTS: usize = 12;
const CASES: usize = 20_000;

/// The number of an invariant in [`Prover`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InvariantId(pub(crate) usize);

/// The proof of a case, in the form of the format.
#[derive(Clone, Debug)]
pub(crate) enum Proof {
    /// The number of an event, from 0.
    Absent(usize),
    Refuted {
        invariants: Vec<InvariantId>,
        clauses: Vec<Clause>,
        /// Numbers of choices, with the clause of each.
        choices: Vec<(usize, usize)>,
    },
    Start {
        participant: usize,
        cases: Vec<Self>,
    },
}

type Key = (BodyId, Role, Vec<Lock>);

/// The invariants of a model that were computed so far.
pub(crate) struct Prover {
    pub(crate) code: Code,
    pub(crate) calls: Calls,
    invariants: IndexMap<Key, Option<Table>, FxBuildHasher>,
    /// For processes, the locks that refuted a case of theirs, the last ones first.
    successes: FxHashMap<Vec<BodyId>, Vec<Vec<Lock>>>,
}

/// The budget of a claim.
pub(crate) struct Budget<'a> {
    steps: u64,
    cases: usize,
    meter: &'a Meter,
}

impl<'a> Budget<'a> {
    /// The budget of a claim, with the limits of the run.
    pub(crate) fn new(meter: &'a Meter) -> Self {
        Self { steps: CLAIM_STEPS, cases: CASES, meter }
    }
}

impl Prover {
    pub(crate) fn new(code: Code) -> Result<Self, Unproved> {
        let calls = Calls::new(&code).ok_or(Unproved::Large)?;
        Ok(Self { code, calls, invariants: IndexMap::default(), successes: FxHashMap::default() })
    }

    pub(crate) fn table(&self, id: InvariantId) -> Option<&Table> {
        self.invariants.get_index(id.0)?.1.as_ref()
    }

    /// Proves the case of an automaton.
    pub(crate) fn prove(&mut self, case: &Case, meter: &Meter) -> Result<Proof, Unproved> {
        match case.absent_event(&self.calls) {
            Some(event) => Ok(Proof::Absent(event)),
            None => {
                let mut budget = Budget::new(meter);
                self.prove_within(case, &mut budget)
            }
        }
    }

    /// Each level of the recursion considers the start of one of at most [`PARTICIPANTS`] participants.
    fn prove_within(&mut self, case: &Case, budget: &mut Budget<'_>) -> Result<Proof, Unproved> {
        let refuted = self.refute(case, budget);
        if !matches!(refuted, Err(Unproved::NotRefuted)) {
            return refuted;
        }
        let Some(participant) = case.started(&self.calls) else { return refuted };
        if case.len() > PARTICIPANTS {
            return Err(Unproved::Budget);
        }
        let cases = case.starts(participant, &self.code, &self.calls);
        budget.cases = budget.cases.checked_sub(cases.len()).ok_or(Unproved::Budget)?;
        let cases = cases.iter().map(|case| self.prove_within(case, budget)).collect::<Result<_, _>>()?;
        Ok(Proof::Start { participant, cases })
    }

    fn refute(&mut self, case: &Case, budget: &mut Budget<'_>) -> Result<Proof, Unproved> {
        let named = case.named_locks();
        let with = |locks: &[Lock]| {
            let mut all = [&named, locks].concat();
            all.sort_unstable();
            all.dedup();
            all
        };
        if let Some(proof) = self.refute_with(case, &with(&[]), budget)? {
            return Ok(proof);
        }
        let useful = case.refuting_locks(&self.calls);
        let processes: Vec<_> = case.participants().into_iter().map(|(process, _)| process).collect();
        let earlier = self.successes.get(&processes).cloned().unwrap_or_default();
        let single = useful.iter().map(|lock| with(&[*lock])).filter(|locks| *locks != named);
        let earlier = earlier.iter().map(|locks| with(locks));
        for locks in earlier.chain(single).collect::<Vec<_>>() {
            if let Some(proof) = self.refute_with(case, &locks, budget)? {
                self.remember(processes, locks);
                return Ok(proof);
            }
        }
        let all = with(&useful);
        if all.len() > Uses::MOST_LOCKS {
            return Err(Unproved::ManyLocks);
        }
        let proof = self.refute_with(case, &all, budget)?.ok_or(Unproved::NotRefuted)?;
        let (locks, proof) = self.with_fewer_locks(case, &named, proof, budget)?;
        self.remember(processes, locks);
        Ok(proof)
    }

    /// A proof with no lock that the others make unnecessary.
    fn with_fewer_locks(
        &mut self,
        case: &Case,
        named: &[Lock],
        proof: Proof,
        budget: &mut Budget<'_>,
    ) -> Result<(Vec<Lock>, Proof), Unproved> {
        let Proof::Refuted { clauses, .. } = &proof else { return Ok((named.to_vec(), proof)) };
        let mut locks: Vec<_> = clauses.iter().flat_map(Clause::locks).chain(named.iter().copied()).collect();
        locks.sort_unstable();
        locks.dedup();
        let mut best = match self.refute_with(case, &locks, budget)? {
            Some(smaller) => smaller,
            None => proof,
        };
        for lock in locks.clone() {
            let rest: Vec<_> = locks.iter().copied().filter(|own| *own != lock).collect();
            if !named.contains(&lock)
                && let Some(smaller) = self.refute_with(case, &rest, budget)?
            {
                (locks, best) = (rest, smaller);
            }
        }
        Ok((locks, best))
    }

    fn remember(&mut self, processes: Vec<BodyId>, locks: Vec<Lock>) {
        let known = self.successes.entry(processes).or_default();
        known.retain(|own| *own != locks);
        known.insert(0, locks);
        known.truncate(4);
    }

    /// The refutation of a case with these locks, if they suffice.
    pub(crate) fn refute_with(
        &mut self,
        case: &Case,
        locks: &[Lock],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Proof>, Unproved> {
        let mut invariants = Vec::new();
        for (process, role) in case.participants() {
            invariants.push(self.invariant(process, role, locks, budget)?);
        }
        let tables: Vec<_> = invariants.iter().filter_map(|id| self.table(*id)).collect();
        let counts = tables.iter().map(|table| table.end_count());
        let count = counts.fold(1, |product: usize, count| product.saturating_mul(count));
        if count > CHOICES {
            return Err(Unproved::Budget);
        }
        let nothing = Piece::default();
        let ends: Vec<Vec<End<'_>>> = tables.iter().map(|table| table.ends(&nothing)).collect();
        let (mut clauses, mut choices): (Vec<Clause>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        let mut choice = vec![0; ends.len()];
        for _ in 0..count {
            budget.meter.work_of(8).map_err(Unproved::Stopped)?;
            let chosen: Vec<_> = choice.iter().zip(&ends).map(|(place, ends)| &ends[*place]).collect();
            let last = choices.last().map(|(_, clause)| *clause);
            let mut known = last.into_iter().chain(0..clauses.len());
            let found = match known.find(|number| clauses[*number].holds_for(&chosen)) {
                Some(number) => number,
                None => {
                    let Some(clause) = refute(&chosen) else { return Ok(None) };
                    clauses.push(clause);
                    clauses.len() - 1
                }
            };
            match choices.last_mut() {
                Some((count, clause)) if *clause == found => *count += 1,
                _ => choices.push((1, found)),
            }
            advance(&mut choice, &ends);
        }
        Ok(Some(Proof::Refuted { invariants, clauses, choices }))
    }

    fn invariant(
        &mut self,
        process: BodyId,
        role: Role,
        locks: &[Lock],
        budget: &mut Budget<'_>,
    ) -> Result<InvariantId, Unproved> {
        let key = (process, role, locks.to_vec());
        if let Some((number, _, table)) = self.invariants.get_full(&key) {
            return if table.is_some() { Ok(InvariantId(number)) } else { Err(Unproved::Budget) };
        }
        let question = Question { code: &self.code, calls: &self.calls, process, role: &key.1, locks };
        let table = match least_invariant(question, STEPS, budget.meter) {
            Ok(invariant) => {
                budget.steps = budget.steps.checked_sub(invariant.steps).ok_or(Unproved::Budget)?;
                Some(Table::new(&invariant, question))
            }
            Err(Incomplete::Budget) => None,
            Err(Incomplete::Stopped(reason)) => return Err(Unproved::Stopped(reason)),
        };
        let is_complete = table.is_some();
        let number = self.invariants.insert_full(key, table).0;
        if is_complete { Ok(InvariantId(number)) } else { Err(Unproved::Budget) }
    }
}

/// Goes on to the next choice: the last place changes fastest.
fn advance(choice: &mut [usize], ends: &[Vec<End<'_>>]) {
    for (place, ends) in choice.iter_mut().zip(ends).rev() {
        *place += 1;
        if *place < ends.len() {
            return;
        }
        *place = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eml::syntax::parse;

    fn error(text: &str) -> Option<Unproved> {
        let program = parse(text).unwrap_or_else(|_| panic!("it can be read"));
        let code = Code::new(&program);
        code.and_then(Prover::new).err()
    }

    #[test]
    fn programs_have_a_bound() {
        let nested = |depth, inner: &str| {
            let (open, close) = ("sync l { ".repeat(depth), "} ".repeat(depth));
            format!("lock l; process P {{ {open} {inner} {close} }}")
        };
        assert_eq!(error(&nested(2000, "return;")), None);
        assert_eq!(error(&nested(10_000, "")), Some(Unproved::Large), "open lists");
        let jumps = "choose { return; } or { }".repeat(3000);
        assert_eq!(error(&nested(2000, &jumps)), Some(Unproved::Large), "instructions");
        let chain = |length| {
            let calls: String =
                (1..length).map(|number| format!("fn f{number}() {{ call f{}; }} ", number - 1)).collect();
            format!("fn f0() {{ }} {calls} process P {{ }}")
        };
        assert_eq!(error(&chain(1000)), None);
        assert_eq!(error(&chain(20_000)), Some(Unproved::Large), "calls");
    }
}
