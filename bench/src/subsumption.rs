//! Subsumed queries must change no finding: each class is decided once with all queries, and once without the
//! subsumed ones.

use crate::analysis::with_clients;
use asercheck::audit::{
    Bookkeeping, Focus, LocationViolations, UnitAnswers, ViolatedUnit, benign_reason, decide_units, is_settled,
};
use asercheck::isolate::{Analysis, Claim, Facts, Isolated, NotIsolated, Subject, isolate_client};
use asercheck::java::{ClassId, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::{Clock, Deadline, Options, Reason};
use std::collections::BTreeSet;
use std::time::Duration;

/// Counts of a comparison, and the differences.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Classes with a model, of an object or of static fields.
    pub subjects: usize,
    /// Violated units.
    pub violated: usize,
    /// Number of these that are not at fault.
    pub victims: usize,
    /// Number of these that are possibly benign.
    pub benign: usize,
    /// Number of queries without the subsumed ones.
    pub asked: usize,
    /// Number of subsumed queries.
    pub subsumed: usize,
    /// Models with a query that was not decided, and classes without a model in time.
    pub undecided: usize,
    /// Descriptions of the differences.
    pub differences: Vec<String>,
}

impl Compared {
    /// Adds the counts and differences of another comparison.
    pub fn add(&mut self, other: Self) {
        self.subjects += other.subjects;
        self.violated += other.violated;
        self.victims += other.victims;
        self.benign += other.benign;
        self.asked += other.asked;
        self.subsumed += other.subsumed;
        self.undecided += other.undecided;
        self.differences.extend(other.differences);
    }
}

/// Compares all classes of a program that have fields, and all that have static fields. Each may need this much
/// processor time.
///
/// # Panics
/// If an engine contradicts itself.
pub fn compare(program: &Program, limit: Duration) -> Compared {
    with_clients(program, |analysis| compare_all(program, analysis, limit))
}

fn compare_all(program: &Program, analysis: Analysis<'_>, limit: Duration) -> Compared {
    let facts = Facts::new(program);
    let mut total = Compared::default();
    for (class, declared) in program.classes() {
        let object = (!declared.flags.is_abstract() && !declared.flags.is_interface())
            .then_some(Subject { class, claim: Claim::Named });
        let statics = Subject::of_shared_statics(program, &facts, class, true);
        for subject in object.into_iter().chain(statics) {
            let deadline = Deadline::after(Clock::Thread, limit).expect("no limit is that long");
            match isolate_client(analysis, &subject, &|| deadline.is_over()) {
                Ok(isolated) => compare_model(program, &facts, class, &isolated, Some(deadline), &mut total),
                Err(NotIsolated::Stuck(_)) => total.undecided += 1,
                Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached) => {}
                Err(NotIsolated::Fault(errors)) => {
                    total.differences.push(format!("{}: {errors:?}", program.class_name(class)));
                }
            }
        }
    }
    total
}

/// Decides a model of a class with and without the subsumed queries.
///
/// # Panics
/// If an engine contradicts itself.
pub fn compare_model(
    program: &Program,
    facts: &Facts,
    class: ClassId,
    isolated: &Isolated,
    deadline: Option<Deadline>,
    total: &mut Compared,
) {
    let bookkeeping = Bookkeeping::of(program, facts, class);
    let is_settled = |unit: &str, on: &BTreeSet<String>, violations: &LocationViolations| {
        is_settled(&bookkeeping, unit, on, violations)
    };
    let properties = Property::all_patterns(UnitMode::Both);
    let decided = |subsumption: bool| -> UnitAnswers {
        let focus = Focus { subsumption, is_settled: &is_settled, until: deadline, ..Focus::default() };
        let options = Options::default().with_jobs(1);
        decide_units(isolated, &properties, &focus, &options).expect("no engine contradicts itself")
    };
    let [some, all] = [true, false].map(decided);
    let name = program.class_name(class);
    total.subjects += 1;
    total.asked += some.queries;
    total.subsumed += some.subsumed;
    total.violated += some.violated.len();
    total.victims += some.violated.iter().filter(|broken| broken.is_victim()).count();
    let is_late = deadline.is_some_and(|deadline| deadline.is_over());
    if is_late || some.unknown.is_some() || all.unknown.is_some() {
        total.undecided += 1;
        return;
    }
    let mut differs = |what: String| total.differences.push(format!("{name}: {what}"));
    // Equivalent units are asked once for each set of violated locations; with all queries there may be more such sets.
    if all.subsumed != 0 || some.queries + some.subsumed > all.queries {
        differs(format!("{} of {} queries, {} subsumed", some.queries, all.queries, some.subsumed));
    }
    let open = |decided: &UnitAnswers| -> Vec<(String, Reason)> {
        decided.undecided_units.iter().map(|(unit, reason)| (unit.clone(), *reason)).collect()
    };
    if open(&some) != open(&all) {
        differs(format!("undecided {:?}, {:?}", some.undecided_units, all.undecided_units));
    }
    let units = |decided: &UnitAnswers| decided.violated.iter().map(|broken| broken.unit.clone()).collect::<Vec<_>>();
    if units(&some) != units(&all) {
        differs(format!("violated are {:?}, and with all queries {:?}", units(&some), units(&all)));
        return;
    }
    let mut benign = 0;
    for (some, all) in some.violated.iter().zip(&all.violated) {
        let described =
            |broken: &ViolatedUnit| format!("{:?} {:?} {}", broken.locations(), broken.patterns(), broken.is_victim());
        let (found, found_of_all) = (described(some), described(all));
        if found != found_of_all {
            differs(format!("{}: {found}, and with all queries {found_of_all}", some.unit));
        }
        for (locations, violations) in &some.by_locations {
            let Some(of_all) = all.by_locations.get(locations) else {
                differs(format!("{}: {locations:?} only if queries are subsumed", some.unit));
                continue;
            };
            let [why, why_of_all] =
                [violations, of_all].map(|violations| benign_reason(&bookkeeping, &some.unit, locations, violations));
            benign += usize::from(why.is_some());
            let shows = |violations: &LocationViolations, why: &Option<String>| {
                format!("{} {:?} {} {why:?}", violations.shown.automaton, violations.held_lock, violations.is_victim)
            };
            let (shown, shown_of_all) = (shows(violations, &why), shows(of_all, &why_of_all));
            // For several locations, the shown violation depends on the queries before it.
            if locations.len() == 1 && shown != shown_of_all {
                differs(format!("{} {locations:?}: {shown}, and with all queries {shown_of_all}", some.unit));
            }
            let is_less = violations.counts.iter().all(|(label, count)| of_all.counts.get(label) >= Some(count));
            if !violations.interfering_calls.is_subset(&of_all.interfering_calls) || !is_less {
                differs(format!("{}: more violations or interfering calls than with all queries", some.unit));
            }
        }
        let missing = all
            .by_locations
            .keys()
            .filter(|locations| locations.len() == 1 && !some.by_locations.contains_key(*locations));
        missing.for_each(|locations| differs(format!("{}: nothing on {locations:?}", some.unit)));
    }
    total.benign += benign;
}
