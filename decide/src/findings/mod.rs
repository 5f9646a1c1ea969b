//! Findings: violations with one cause, as one.
//!
//! A model of which one statement is wrong has many violated queries: several patterns, both orders of the locations,
//! each pair of processes. Who reads them wants each cause once.
//!
//! **Definition.** The *accesses* of a violation are the steps of its witness that take a transition of the automaton,
//! without the boundaries of units; all of those steps, if there are only boundaries. The *statement* of a step is its
//! function, file, line and column with what it does to what ([`Statement`]). The *share* of a thread is the set of
//! statements of its accesses, and the *cause* of a violation the multiset of the shares of its threads that have one.
//! Violations with equal causes are one finding.
//!
//! So it does not matter by which pattern a violation was found, in which order the accesses happen, how the locations
//! were bound to parameters, which processes or instances execute the statements, and how they get there. It does
//! matter which statements of one function make the accesses, and which of them one and the same thread executes.
//!
//! A query has one witness of perhaps many, so its finding says what this one interleaving does; other statements that
//! can violate the same query have no finding of their own unless another query shows them.
//!
//! **Which violation is shown.** Of those whose group is the most severe, after which the finding is named, that with
//! the fewest switches from one thread to another, then the fewest steps, then the fewest threads, then the first.
//!
//! **Order.** By [rank](Finding::rank), then by the first violation. **Fingerprints** are defined in `fingerprint`.

mod fingerprint;
mod group;
mod statement;

pub use fingerprint::Ordinals;
pub use fingerprint::fnv;
pub use group::Group;
pub use statement::Statement;

use crate::answers::{QueryRecord, VerdictKind};
use crate::witness::Witness;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use statement::{Cause, cause};

/// Violations with one cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// 32 hexadecimal digits that stay the same while other parts of the model change.
    pub fingerprint: String,
    /// How important it is, from 0 to 1; the definition is at [`Group::severity`].
    pub rank: f64,
    /// What goes wrong: of all its violations, what is most severe.
    pub group: Group,
    /// The numbers of its violations among the records, the shown one first, the others in order.
    pub queries: Vec<usize>,
}

impl Finding {
    /// The number of the violation that is shown.
    pub fn shown(&self) -> usize {
        self.queries[0]
    }
}

/// A violation by its place among the records, with how clear its interleaving is: the less the clearer.
type Candidate = (usize, Clarity);

/// Switches, steps, threads.
pub type Clarity = (usize, u64, usize);

/// The findings of records, the most important first. Records without a witness are in none. Linear in the size of the
/// witnesses but for sorting the findings.
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
    // Stable: among equals the one with the first violation comes first.
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

/// How clear an interleaving is: its switches, its steps, its threads.
pub fn clarity(witness: &Witness) -> Clarity {
    (witness.switches(), witness.length(), witness.threads.len())
}

#[cfg(test)]
mod tests;
