//! Subsumed queries must change no finding: each class is decided once with all queries, and once without the
//! subsumed ones.

use crate::analysis::with_clients;
use asercheck::audit::{
    Bookkeeping, Decided, Focus, LocationViolations, ViolatedUnit, decide_units_within, harmless, is_settled,
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
    pub broken: usize,
    /// Number of these that are not at fault.
    pub victims: usize,
    /// Number of these that are possibly benign.
    pub harmless: usize,
    /// Number of queries without the subsumed ones.
    pub asked: usize,
    /// Number of subsumed queries.
    pub spared: usize,
    /// Models with a query that was not decided, and classes without a model in time.
    pub open: usize,
    /// Descriptions of the differences.
    pub differences: Vec<String>,
}

impl Compared {
    /// Adds the counts and differences of another comparison.
    pub fn add(&mut self, other: Self) {
        self.subjects += other.subjects;
        self.broken += other.broken;
        self.victims += other.victims;
        self.harmless += other.harmless;
        self.asked += other.asked;
        self.spared += other.spared;
        self.open += other.open;
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
                Err(NotIsolated::Stuck(_)) => total.open += 1,
                Err(NotIsolated::NothingToViolate(_) | NotIsolated::NotReached) => {}
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
    let is_settled =
        |unit: &str, on: &BTreeSet<String>, tear: &LocationViolations| is_settled(&bookkeeping, unit, on, tear);
    let properties = Property::all_patterns(UnitMode::Both);
    let decided = |spares: bool| -> Decided {
        let focus = Focus { spares, is_settled: &is_settled, until: deadline, ..Focus::default() };
        let options = Options::default().with_jobs(1);
        decide_units_within(isolated, &properties, &focus, &options).expect("no engine contradicts itself")
    };
    let [some, all] = [true, false].map(decided);
    let name = program.class_name(class);
    total.subjects += 1;
    total.asked += some.queries;
    total.spared += some.spared;
    total.broken += some.broken.len();
    total.victims += some.broken.iter().filter(|broken| broken.is_victim()).count();
    let is_late = deadline.is_some_and(|deadline| deadline.is_over());
    if is_late || some.unknown.is_some() || all.unknown.is_some() {
        total.open += 1;
        return;
    }
    let mut differs = |what: String| total.differences.push(format!("{name}: {what}"));
    // Equivalent units are asked once for each set of violated locations; with all queries there may be more such sets.
    if all.spared != 0 || some.queries + some.spared > all.queries {
        differs(format!("{} of {} queries, {} subsumed", some.queries, all.queries, some.spared));
    }
    let open = |decided: &Decided| -> Vec<(String, Reason)> {
        decided.open.iter().map(|(unit, reason)| (unit.clone(), *reason)).collect()
    };
    if open(&some) != open(&all) {
        differs(format!("undecided {:?}, {:?}", some.open, all.open));
    }
    let units = |decided: &Decided| decided.broken.iter().map(|broken| broken.unit.clone()).collect::<Vec<_>>();
    if units(&some) != units(&all) {
        differs(format!("violated are {:?}, and with all queries {:?}", units(&some), units(&all)));
        return;
    }
    let mut is_harmless = 0;
    for (some, all) in some.broken.iter().zip(&all.broken) {
        let described =
            |broken: &ViolatedUnit| format!("{:?} {:?} {}", broken.locations(), broken.patterns(), broken.is_victim());
        let (found, found_of_all) = (described(some), described(all));
        if found != found_of_all {
            differs(format!("{}: {found}, and with all queries {found_of_all}", some.unit));
        }
        for (locations, tear) in &some.tears {
            let Some(tear_of_all) = all.tears.get(locations) else {
                differs(format!("{}: {locations:?} only if queries are subsumed", some.unit));
                continue;
            };
            let [why, why_of_all] = [tear, tear_of_all].map(|tear| harmless(&bookkeeping, &some.unit, locations, tear));
            is_harmless += usize::from(why.is_some());
            let shows = |tear: &LocationViolations, why: &Option<String>| {
                format!("{} {:?} {} {why:?}", tear.shown.automaton, tear.held, tear.is_victim)
            };
            let (shown, shown_of_all) = (shows(tear, &why), shows(tear_of_all, &why_of_all));
            // For several locations, the shown violation depends on the queries before it.
            if locations.len() == 1 && shown != shown_of_all {
                differs(format!("{} {locations:?}: {shown}, and with all queries {shown_of_all}", some.unit));
            }
            let is_less = tear.violations.iter().all(|(label, count)| tear_of_all.violations.get(label) >= Some(count));
            if !tear.breakers.is_subset(&tear_of_all.breakers) || !is_less {
                differs(format!("{}: more violations or interfering calls than with all queries", some.unit));
            }
        }
        let missing = all.tears.keys().filter(|locations| locations.len() == 1 && !some.tears.contains_key(*locations));
        missing.for_each(|locations| differs(format!("{}: nothing on {locations:?}", some.unit)));
    }
    total.harmless += is_harmless;
}
