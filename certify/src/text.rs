//! Proofs as lines of a certificate.

use crate::clauses::{Clause, NamedUse, Reason};
use crate::proof::{InvariantId, Proof, Prover};
use crate::roles::Participant;
use crate::table::{Table, list};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The numbers of the invariants that were written.
pub(crate) type Written = FxHashMap<InvariantId, usize>;

/// Writes the invariants of a proof that were not written before. The depth of proofs is bounded.
pub(crate) fn write_invariants(prover: &Prover, proof: &Proof, written: &mut Written, text: &mut String) {
    match proof {
        Proof::Absent(_) => {}
        Proof::Refuted { invariants, .. } => {
            for id in invariants {
                let next = written.len();
                if let Some(table) = prover.table(*id)
                    && !written.contains_key(id)
                {
                    written.insert(*id, next);
                    text.push_str(&table.lines(&prover.code));
                }
            }
        }
        Proof::Start { cases, .. } => cases.iter().for_each(|case| write_invariants(prover, case, written, text)),
    }
}

/// Writes a case, and after it the cases in it.
pub(crate) fn write_case(prover: &Prover, proof: &Proof, written: &Written, text: &mut String) {
    match proof {
        Proof::Absent(event) => {
            let _ = writeln!(text, "absent {}", event + 1);
        }
        Proof::Start { participant, cases } => {
            let _ = writeln!(text, "start {}", participant + 1);
            cases.iter().for_each(|case| write_case(prover, case, written, text));
        }
        Proof::Refuted { invariants, clauses, choices } => {
            let numbers: Vec<usize> = invariants.iter().filter_map(|id| written.get(id).copied()).collect();
            let _ = writeln!(text, "refuted {}", list(&numbers));
            let tables: Vec<&Table> = invariants.iter().filter_map(|id| prover.table(*id)).collect();
            for clause in clauses {
                write_clause(clause, &tables, text);
            }
            let sizes: Vec<usize> = tables.iter().map(|table| table.end_count()).collect();
            for [participant, count, clause] in grouped(choices, &sizes) {
                let _ = writeln!(text, "choice {} {count} {clause}", participant + 1);
            }
        }
    }
}

fn write_clause(clause: &Clause, tables: &[&Table], text: &mut String) {
    let number = |at: Participant, named: NamedUse| tables[at].number_of(named).unwrap_or_default();
    let single = |(at, named): &(Participant, NamedUse)| vec![at + 1, number(*at, *named)];
    let pair = |(at, first, second): &(Participant, NamedUse, NamedUse)| {
        vec![at + 1, number(*at, *first), number(*at, *second)]
    };
    let (condition, facts): (u8, Vec<Vec<usize>>) = match &clause.reason {
        Reason::Held(facts) => (1, facts.iter().map(single).collect()),
        Reason::Through(facts) => (2, facts.iter().map(single).collect()),
        Reason::Acquired(facts) => (3, facts.iter().map(pair).collect()),
        Reason::Released(facts) => (4, facts.iter().map(pair).collect()),
    };
    let facts: String = facts.iter().map(|fact| format!(",{}", list(fact))).collect();
    let _ = writeln!(text, "clause {condition} {}{facts}", clause.phase + 1);
}

/// Runs of choices with one clause, as ends of a participant with all ends of the later ones: in each step of the
/// first participant for which this is possible. `sizes` are the numbers of ends.
fn grouped(runs: &[(usize, usize)], sizes: &[usize]) -> Vec<[usize; 3]> {
    // The number of choices of the participants after each one.
    let mut after = vec![1; sizes.len()];
    for at in (1..sizes.len()).rev() {
        after[at - 1] = after[at] * sizes[at];
    }
    let mut grouped = Vec::new();
    let mut begin = 0;
    for (count, clause) in runs {
        let end = begin + count;
        while begin < end {
            let fits = |at: &usize| begin % after[*at] == 0 && after[*at] <= end - begin;
            let at = (0..sizes.len()).find(fits).expect("one end of the last participant fits");
            let left = sizes[at] - begin / after[at] % sizes[at];
            let some = left.min((end - begin) / after[at]);
            grouped.push([at, some, *clause]);
            begin += some * after[at];
        }
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_grouped_from_the_first_participant_on() {
        assert_eq!(grouped(&[(12, 0)], &[2, 3, 2]), [[0, 2, 0]]);
        assert_eq!(
            grouped(&[(1, 0), (4, 1), (7, 0)], &[2, 3, 2]),
            [[2, 1, 0], [2, 1, 1], [1, 1, 1], [2, 1, 1], [2, 1, 0], [0, 1, 0]]
        );
        assert_eq!(grouped(&[], &[2, 0]), [[0; 3]; 0]);
    }
}
