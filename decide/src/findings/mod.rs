//! Findings: groups of violations with the same cause.
//!
//! One wrong statement of a model violates many queries: several patterns, both orders of the locations, each pair of
//! processes. A report shows each cause once.
//!
//! **Definition.** The *accesses* of a violation are the steps of its witness that take a transition of the automaton,
//! without the boundaries of units. If all of these steps are boundaries, they are the accesses. The *statement* of a
//! step is its function, file, line and column, and its action, object and mode ([`Statement`]). The *share* of a
//! thread is the set of statements of its accesses. The *cause* of a violation is the multiset of the shares of the
//! threads with at least one access. Violations with equal causes are one finding.
//!
//! So a cause does not depend on the pattern, the order of the accesses, the binding of locations to parameters, the
//! processes or instances that execute the statements, or the paths to them. It does depend on the statements that
//! make the accesses, and on which of them the same thread executes.
//!
//! A violated query has one witness, even if more exist, and its finding describes this interleaving. Other statements
//! that can violate the same query have a finding only if the witness of another query shows them.
//!
//! **Shown violation.** The finding has the most severe group of its violations. Of the violations in that group, the
//! one with the fewest context switches is shown, then with the fewest steps, then the fewest threads, then the first.
//!
//! **Order.** By [rank](Finding::rank), then by the first violation. **Fingerprints** are defined in `fingerprint`.

mod cause;
mod fingerprint;
mod group;

pub use crate::witness::Statement;
pub use fingerprint::Ordinals;
pub use fingerprint::fnv;
pub use group::Group;

use crate::answers::{QueryRecord, VerdictKind};
use crate::witness::Witness;
use cause::{Cause, cause};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

/// The violations with one cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// 32 hexadecimal digits that stay the same while other parts of the model change.
    pub fingerprint: String,
    /// The importance, from 0 to 1; defined at [`Group::severity`].
    pub rank: f64,
    /// The most severe group of its violations.
    pub group: Group,
    /// The indices of its violations in the records: the shown one first, then the others in order.
    pub queries: Vec<usize>,
}

impl Finding {
    /// The index of the shown violation in the records.
    pub fn shown(&self) -> usize {
        self.queries[0]
    }
}

/// The index of a violation in the records, and the clarity of its interleaving.
type Candidate = (usize, Clarity);

/// The numbers of switches, steps and threads of an interleaving; a smaller tuple is clearer.
pub type Clarity = (usize, u64, usize);

/// Returns the findings of records, the most important first. Records without a witness belong to no finding. Linear in
/// the size of the witnesses, except for sorting the findings.
pub fn findings(records: &[QueryRecord], ordinals: &Ordinals) -> Vec<Finding> {
    let mut causes: IndexMap<Cause, Vec<Candidate>, FxBuildHasher> = IndexMap::default();
    for (number, record) in records.iter().enumerate() {
        let Some(witness) = record.witness.as_ref().filter(|_| record.verdict == VerdictKind::Violation) else {
            continue;
        };
        causes.entry(cause(witness)).or_default().push((number, clarity(witness)));
    }
    let mut findings: Vec<_> =
        causes.into_iter().map(|(cause, violations)| finding(&cause, &violations, records, ordinals)).collect();
    // The sort is stable: of equal ranks, the finding with the earliest violation comes first.
    findings.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    findings
}

fn finding(cause: &Cause, violations: &[Candidate], records: &[QueryRecord], ordinals: &Ordinals) -> Finding {
    let group_of = |number: usize| Group::of(&records[number].automaton);
    let groups = violations.iter().map(|(number, _)| group_of(*number));
    let group = groups.max_by(|a, b| a.severity().total_cmp(&b.severity())).expect("a cause has a violation");
    let most_severe = violations.iter().filter(|(number, _)| group_of(*number) == group);
    let (shown, clarity) = *most_severe.min_by_key(|(_, clarity)| *clarity).expect("its group is that of a violation");
    let others = violations.iter().map(|(number, _)| *number).filter(|number| *number != shown);
    let queries: Vec<_> = [shown].into_iter().chain(others).collect();
    let is_of_automata = queries.iter().all(|number| group_of(*number) == Group::Automaton);
    let fingerprint = ordinals.fingerprint(cause, is_of_automata);
    Finding { fingerprint, rank: group.rank(clarity), group, queries }
}

/// Returns the clarity of an interleaving.
pub fn clarity(witness: &Witness) -> Clarity {
    (witness.switches(), witness.length(), witness.threads.len())
}

#[cfg(test)]
mod tests;
