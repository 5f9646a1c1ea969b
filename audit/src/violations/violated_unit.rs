//! A violated unit: its violations on each set of locations, and the queries about it that are subsumed.
//!
//! # Subsumption
//!
//! Many classes are not thread-safe at all. Nearly all queries about their units are violated, thousands for each unit,
//! and to find their interleavings takes far more time than to decide thread-safe classes. A query is skipped, it is
//! *subsumed*, if all of these conditions hold:
//!
//! 1. It is one of the fourteen patterns, and a violation of its unit by the same pattern was found and replayed.
//! 2. There is a violation on exactly its locations; or it is about several locations, and the unit has a violation on
//!    each of them.
//! 3. It would not be shown: the shown violation is more severe, or it is as severe and the clearest of [`COMPARED`]
//!    violations. These are the violations on its locations, if there are any, else those of the unit.
//! 4. In one of these violations the unit does not hold one lock throughout. No further violation can remove a reason
//!    why they are possibly benign (see `benign_reason`).
//!
//! **Invariant.** With and without subsumption the same units are violated, each on the same locations and by the same
//! patterns. For each single location the same query is shown, if witnesses are equally clear, and the side at fault
//! and the benign reason are the same. Subsumption loses the number of violations, some interfering calls, and
//! violations on several locations each of which has a violation of its own.
//!
//! *Proof.* No query about a unit is subsumed before a violation of the unit was replayed. So all queries about a unit
//! without violation are decided, and a subject is safe only if that is true of all its units. Of the violated queries
//! about a unit, condition 1 keeps the first one of each pattern, and condition 2 the first one on each location. Of
//! those on a single location, condition 2 keeps the first, and condition 3 the first [`COMPARED`] of the most severe
//! ones. Once false, `is_victim` stays false, and so do the reasons of condition 4.

use super::fault::held_throughout;
use decide::Outcome;
use decide::answers::QueryRecord;
use decide::findings::{Group, clarity};
use decide::query::Query;
use decide::witness::{Action, Witness};
use eml::model::{Model, Operation, ProcedureId, ProcessId};
use isolate::Isolated;
use std::collections::{BTreeMap, BTreeSet};

/// Number of the most severe violations on a set of locations among which the clearest is selected to be shown.
const COMPARED: usize = 4;

/// A violated unit of work.
#[derive(Clone, Debug)]
pub struct ViolatedUnit {
    /// The name of its process, an entry: `this.addAll(Collection)`.
    pub unit: String,
    /// Its violations, by their locations.
    pub by_locations: BTreeMap<BTreeSet<String>, LocationViolations>,
}

/// The violations of a unit on one set of locations.
#[derive(Clone, Debug)]
pub struct LocationViolations {
    /// The interfering entries.
    pub interfering_calls: BTreeSet<String>,
    /// The numbers of the patterns.
    pub patterns: BTreeSet<usize>,
    /// Number of violations by the label of the property.
    pub counts: BTreeMap<String, usize>,
    /// The shown query without its witness: among the first of the most severe violations, the one with the clearest
    /// interleaving.
    pub shown: QueryRecord,
    /// The witness of the shown query.
    pub witness: Witness,
    /// The interfering entry of the witness.
    pub interfering_call: Option<String>,
    /// A lock that the unit holds throughout the witness, if any. Then the interfering call, which lacks it, is at
    /// fault.
    pub held_lock: Option<String>,
    /// Whether the unit holds a lock throughout each violation, so that it is not at fault.
    pub is_victim: bool,
    /// Whether other entries write the locations, even if none of them is known to interfere.
    pub is_written_by_others: bool,
    /// The shown query.
    pub(super) query: Query,
    /// Number of compared violations of its severity, itself included.
    compared: usize,
    /// Whether no further violation can change the reason why they are possibly benign.
    is_settled: bool,
}

impl LocationViolations {
    /// The group of the shown violation, the most severe one.
    pub fn group(&self) -> Group {
        Group::of(&self.shown.automaton)
    }

    /// The shown query with its witness.
    pub fn record(&self) -> QueryRecord {
        QueryRecord { witness: Some(self.witness.clone()), ..self.shown.clone() }
    }

    /// The importance, from 0 to 1, as for [findings](decide::findings::Finding).
    pub fn rank(&self) -> f64 {
        self.group().rank(clarity(&self.witness))
    }

    /// Whether a violation of this severity would not be shown.
    fn hides(&self, severity: f64) -> bool {
        let shown = self.group().severity();
        severity < shown || severity == shown && self.compared >= COMPARED
    }

    fn add(&mut self, query: &Query, outcome: Violation, is_settled: &dyn Fn(&Self) -> bool) {
        let Violation { record, witness, interfering_call, held_lock } = outcome;
        let label = record.automaton.clone();
        self.interfering_calls.extend(interfering_call.clone());
        self.patterns.extend(query.property().pattern().map(phases::Pattern::number));
        *self.counts.entry(label.clone()).or_default() += 1;
        self.is_victim &= held_lock.is_some();
        let (severity, shown) = (Group::of(&label).severity(), self.group().severity());
        let is_clearer = || self.compared < COMPARED && clarity(&witness) < clarity(&self.witness);
        let is_shown = severity > shown || severity == shown && is_clearer();
        self.compared = if severity > shown { 1 } else { self.compared + usize::from(severity == shown) };
        if is_shown {
            (self.shown, self.witness, self.interfering_call, self.held_lock) =
                (record, witness, interfering_call, held_lock);
            self.query = query.clone();
        }
        self.is_settled = self.is_settled || is_settled(self);
    }
}

impl ViolatedUnit {
    /// The locations of all violations.
    pub fn locations(&self) -> BTreeSet<&str> {
        self.by_locations.keys().flatten().map(String::as_str).collect()
    }

    /// The interfering entries.
    pub fn interfering_calls(&self) -> BTreeSet<&str> {
        self.by_locations
            .values()
            .flat_map(|violations| violations.interfering_calls.iter().map(String::as_str))
            .collect()
    }

    /// The numbers of the patterns.
    pub fn patterns(&self) -> BTreeSet<usize> {
        self.by_locations.values().flat_map(|violations| violations.patterns.iter().copied()).collect()
    }

    /// Whether the unit holds a lock throughout each of its violations.
    pub fn is_victim(&self) -> bool {
        self.by_locations.values().all(|violations| violations.is_victim)
    }

    /// Whether a query about the unit is subsumed; see the module.
    pub(super) fn subsumes(&self, isolated: &Isolated, query: &Query) -> bool {
        let Some(pattern) = query.property().pattern() else { return false };
        if !self.by_locations.values().any(|violations| violations.patterns.contains(&pattern.number())) {
            return false;
        }
        let severity = Group::of(query.property().label()).severity();
        let names: BTreeSet<String> =
            query.locations().iter().map(|id| isolated.model.location(*id).name().to_string()).collect();
        if let Some(violations) = self.by_locations.get(&names) {
            return violations.is_settled && !violations.is_victim && violations.hides(severity);
        }
        let is_known = |name: &String| self.by_locations.keys().any(|locations| locations.contains(name));
        let of_unit = || self.by_locations.values();
        names.len() > 1
            && names.iter().all(is_known)
            && of_unit().all(|violations| violations.is_settled)
            && of_unit().any(|violations| !violations.is_victim)
            && of_unit().any(|violations| violations.hides(severity))
    }
}

/// Gives a unit the counts, patterns and interfering calls of an equivalent unit whose queries were decided.
pub(super) fn with_counts_of(found: &ViolatedUnit, mut own: ViolatedUnit) -> ViolatedUnit {
    let unit = own.unit.clone();
    let by_itself = |interfering_call: &String| {
        if *interfering_call == found.unit { unit.clone() } else { interfering_call.clone() }
    };
    for (locations, violations) in &mut own.by_locations {
        let Some(found) = found.by_locations.get(locations) else { continue };
        violations.interfering_calls = found.interfering_calls.iter().map(by_itself).collect();
        violations.patterns.clone_from(&found.patterns);
        violations.counts.clone_from(&found.counts);
        violations.is_victim = found.is_victim;
        violations.is_written_by_others = found.is_written_by_others;
    }
    own
}

/// The locations that interfering entries other than the unit write. Linear in the model.
pub(super) fn written_by_others(model: &Model, [unit, other]: [ProcessId; 2]) -> BTreeSet<&str> {
    let graph = model.call_graph();
    let [own, breaking] = [unit, other].map(|process| model.process(process).body());
    let own = graph.callees(own);
    let others = graph.callees(breaking).iter().copied().filter(|callee| !own.contains(callee));
    let reached: BTreeSet<ProcedureId> = graph.reachable(others).into_iter().chain([breaking]).collect();
    let written = model.nodes().filter_map(|(_, node)| match node.operation {
        Operation::Write(at) if reached.contains(&node.procedure) => Some(model.location(at).name()),
        _ => None,
    });
    written.collect()
}

/// A violated query with the facts of its witness.
struct Violation {
    record: QueryRecord,
    witness: Witness,
    interfering_call: Option<String>,
    held_lock: Option<String>,
}

/// Adds a violation to those of its unit. `is_settled` decides whether no further violation can change the reason why
/// those on the same locations are possibly benign.
pub(super) fn add(
    found: &mut Option<ViolatedUnit>,
    isolated: &Isolated,
    query: &Query,
    outcome: &Outcome,
    is_settled: &dyn Fn(&str, &BTreeSet<String>, &LocationViolations) -> bool,
) {
    let mut record = QueryRecord::new(&isolated.model, query, outcome);
    let Some(witness) = record.witness.take() else { return };
    let interfering_call = interfering_call(isolated, &witness);
    let held_lock = held_throughout(&witness);
    let broken =
        found.get_or_insert_with(|| ViolatedUnit { unit: record.processes[0].clone(), by_locations: BTreeMap::new() });
    let locations: BTreeSet<String> = record.locations.iter().cloned().collect();
    let violations = broken.by_locations.entry(locations.clone()).or_insert_with(|| LocationViolations {
        interfering_calls: BTreeSet::new(),
        patterns: BTreeSet::new(),
        counts: BTreeMap::new(),
        shown: record.clone(),
        witness: witness.clone(),
        interfering_call: interfering_call.clone(),
        held_lock: held_lock.clone(),
        is_victim: true,
        is_written_by_others: true,
        query: query.clone(),
        compared: 0,
        is_settled: false,
    });
    let unit = broken.unit.clone();
    violations.add(query, Violation { record, witness, interfering_call, held_lock }, &|violations| {
        is_settled(&unit, &locations, violations)
    });
}

/// The entry that the second thread runs at its first event, by the name of its process.
fn interfering_call(isolated: &Isolated, witness: &Witness) -> Option<String> {
    let processes = &isolated.meanings.processes;
    let mut called = None;
    for step in witness.steps.iter().filter(|step| step.thread == 1) {
        if step.action == Action::Call && called.is_none() {
            called.clone_from(&step.object);
        }
        if step.event.is_some() && called.is_some() {
            return called.map(|called| processes.get(&called).cloned().unwrap_or(called));
        }
        if step.action == Action::End {
            called = None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use decide::Options;
    use decide::query::{Bindings, Property};
    use decide::{Verdict, check};
    use eml::model::{self, LocationId, ProcessId};
    use phases::UnitMode;

    const UNIT: &str = "atomic { read x; read x; read y; read y; write x; }";

    fn isolated(first: &str) -> Isolated {
        let text =
            format!("lock l; shared x, y; process P {{ {first} }} process Q {{ atomic {{ write x; write y; }} }}");
        Isolated {
            model: model::from_text("m.eml", &text).expect("a model").model,
            pairs: Vec::new(),
            equivalent: Vec::new(),
            entries: Vec::new(),
            others: ProcessId::new(1),
            assumptions: BTreeSet::new(),
            partial: None,
            coarse: std::collections::BTreeMap::new(),
            meanings: isolate::Meanings::default(),
            covered: None,
        }
    }

    /// The query of a pattern about the unit of `P`, on `x` or on `y`.
    fn query(isolated: &Isolated, pattern: usize, location: usize) -> Query {
        let property = Property::all_patterns(UnitMode::Both).swap_remove(pattern - 1);
        let processes = vec![ProcessId::new(0), ProcessId::new(1)];
        let bindings = Bindings { locations: vec![LocationId::new(location)], locks: Vec::new(), processes };
        Query::new(&isolated.model, property, bindings).expect("it fits")
    }

    /// Whether patterns 1 and 2 on `x`, and pattern 2 on `y`, are subsumed after violations of these patterns on `x`.
    fn subsumed(isolated: &Isolated, patterns: &[usize], is_settled: bool) -> [bool; 3] {
        let mut found = None;
        for pattern in patterns {
            let query = query(isolated, *pattern, 0);
            let outcome = check(&isolated.model, &query, &Options::default()).expect("no fault");
            assert!(matches!(outcome.verdict, Verdict::Violation(_)));
            add(&mut found, isolated, &query, &outcome, &|_, _, _| is_settled);
        }
        let found = found.expect("a violation");
        [(1, 0), (2, 0), (2, 1)]
            .map(|(pattern, location)| found.subsumes(isolated, &query(isolated, pattern, location)))
    }

    #[test]
    fn only_redundant_queries_are_subsumed() {
        let open = isolated(UNIT);
        assert_eq!(subsumed(&open, &[1], true), [false; 3], "another pattern");
        // A clearer violation of pattern 1 may still be shown; there is none on `y`.
        assert_eq!(subsumed(&open, &[1, 2], true), [false, true, false]);
        assert_eq!(subsumed(&open, &[2], true), [false; 3], "pattern 1 is more severe");
        assert_eq!(subsumed(&open, &[1, 2], false), [false; 3], "it may be benign");
        assert_eq!(subsumed(&isolated(&format!("sync l {{ {UNIT} }}")), &[1, 2], true), [false; 3], "it holds a lock");
        // The clearest of the first violations is selected.
        let many = [[1; COMPARED], [2; COMPARED]].concat();
        assert_eq!(subsumed(&open, &many[..COMPARED - 1], true), [false; 3]);
        assert_eq!(subsumed(&open, &many, true), [true, true, false]);
    }
}
