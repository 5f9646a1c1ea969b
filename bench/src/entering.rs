//! Calls that are not entered must hide no violation: each class is decided once with the relevant calls entered, as
//! the analysis does it, and once with all calls entered.
//!
//! A unit that is violated only if all calls are entered is a wrong proof, or a false alarm caused by a call entered in
//! vain; a reader has to decide which. A unit that is violated only if calls are left out is a false alarm: the results
//! of such a call are unknown, and so is whether it always throws.

use crate::analysis::with_clients;
use asercheck::audit::{Focus, ViolatedUnit, decide_units};
use asercheck::isolate::{Analysis, Claim, Entering, Facts, NotIsolated, Subject, isolate_client};
use asercheck::java::Program;
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Clock, Deadline, Options};
use std::collections::BTreeSet;
use std::time::Duration;

/// Counts of a comparison, and the differences.
#[derive(Clone, Debug, Default)]
pub struct Entered {
    /// Number of subjects that were decided in both ways.
    pub subjects: usize,
    /// Number of units that are violated with the relevant calls entered.
    pub violated: usize,
    /// Number of subjects that have no model, or an undecided query, in one of the two ways.
    pub undecided: usize,
    /// Units that are violated only if all calls are entered.
    pub hidden: Vec<String>,
    /// Units that are violated only if calls are left out.
    pub vanished: Vec<String>,
}

impl Entered {
    /// Adds the counts and differences of another comparison.
    pub fn add(&mut self, other: Self) {
        self.subjects += other.subjects;
        self.violated += other.violated;
        self.undecided += other.undecided;
        self.hidden.extend(other.hidden);
        self.vanished.extend(other.vanished);
    }
}

/// Decides an object of each class, and all static fields, in both ways. Each may need this much processor time.
///
/// # Panics
/// If an engine contradicts itself.
pub fn compare(program: &Program, limit: Duration) -> Entered {
    let facts = Facts::new(program);
    with_clients(program, |analysis| {
        let mut total = Entered::default();
        for (class, declared) in program.classes() {
            let is_made = !declared.flags.is_abstract() && !declared.flags.is_interface();
            let object = is_made.then_some(Subject { class, claim: Claim::Named });
            let statics = Subject::of_shared_statics(program, &facts, class, true);
            for subject in statics.into_iter().chain(object) {
                total.add(compare_subject(analysis, &subject, limit));
            }
        }
        total
    })
}

/// Decides a subject in both ways. Each may need this much processor time.
///
/// # Panics
/// If an engine contradicts itself.
pub fn compare_subject(analysis: Analysis<'_>, subject: &Subject, limit: Duration) -> Entered {
    let name = analysis.program.class_name(subject.class);
    let asked = |entering| violated(Analysis { entering, ..analysis }, subject, limit);
    let (Some(relevant), Some(all)) = (asked(Entering::Relevant), asked(Entering::All)) else {
        return Entered { undecided: 1, ..Entered::default() };
    };
    let only = |of: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        of.difference(other).map(|unit| format!("{name}: {unit}")).collect()
    };
    let (hidden, vanished) = (only(&all, &relevant), only(&relevant, &all));
    Entered { subjects: 1, violated: relevant.len(), undecided: 0, hidden, vanished }
}

/// Returns the violated units; none if the subject was not decided.
fn violated(analysis: Analysis<'_>, subject: &Subject, limit: Duration) -> Option<BTreeSet<String>> {
    let deadline = Deadline::after(Clock::Thread, limit).expect("no limit is that long");
    match isolate_client(analysis, subject, &|| deadline.is_over()) {
        Ok(isolated) if isolated.partial.is_none() => {
            let focus = Focus { until: Some(deadline), ..Focus::default() };
            let options = Options::default().with_jobs(1);
            let decided = decide_units(&isolated, &Property::all_patterns(UnitMode::Both), &focus, &options);
            let decided = decided.expect("the program is not at fault");
            let is_open = decided.unknown.is_some() || !decided.undecided_units.is_empty();
            let unit = |broken: ViolatedUnit| isolated.meanings.unit(&broken.unit).to_string();
            (!is_open).then(|| decided.violated.into_iter().map(unit).collect())
        }
        Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => Some(BTreeSet::new()),
        Ok(_) | Err(NotIsolated::Stuck(_)) => None,
        Err(NotIsolated::Fault(errors)) => panic!("{errors:?}"),
    }
}
