//! A unit of work that can be broken: what its violations are together, and which queries about it are spared.
//!
//! # What is spared
//!
//! A unit that can be broken is one finding, in however many ways it can be. Many classes are not made for threads at all; then nearly all
//! queries about their units are violated, thousands of each unit, and an interleaving for each takes far more time than the answers about the
//! classes that are. So a query is not asked, it is *spared*, if all of this is true:
//!
//! 1. It is one of the fourteen patterns, and a violation of its unit by the same pattern was found, and replayed.
//! 2. Each of its locations is one of a violation of its unit that was found.
//! 3. It would not be shown: what is shown is more severe, or as severe and the clearest of [`COMPARED`] violations.
//! 4. A violation was found in which the unit does not hold one lock all the time; and there is no reason why its violations are perhaps
//!    harmless that another violation could take away (see `harmless`).
//!
//! **Invariant.** Whether queries are spared or not, the same units are found broken, each on the same locations and by the same patterns; it is
//! shown by the same query, if witnesses are as clear; and whose fault it is and why it is perhaps harmless is the same. What is lost is how many
//! violations there are, and some of those that break in.
//!
//! *Why.* Nothing is spared of a unit before a violation of it was replayed. So a unit that is not found broken was asked about in full, and a
//! subject is safe only if all of its units were. Of the violated queries about a unit take the first one by some pattern: it is asked by 1. Of those
//! on some location take the first one: it is asked by 2. Both find what the pattern or the location is known by. Queries are asked in the order of severity, of each
//! pair of threads; the first [`COMPARED`] violations that are the most severe are asked by 3, and only these are compared for what is shown, whether
//! queries are spared or not. `is_victim` becomes false once and stays so, and so do the reasons that 4 waits for.

use super::fault::held_throughout;
use crate::check::Outcome;
use crate::findings::{Group, clarity};
use crate::isolate::Isolated;
use crate::model::{Model, Operation, ProcedureId, ProcessId};
use crate::query::Query;
use crate::report::QueryRecord;
use crate::witness::{Action, Witness};
use std::collections::{BTreeMap, BTreeSet};

/// So many of the most severe violations of a unit are compared for the clearest, which is shown.
const COMPARED: usize = 8;

/// A unit of work that can be broken: all violations of which it is the first thread.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The entry, as its process is named: `this.addAll(Collection)`.
    pub unit: String,
    /// The locations of the object that are concerned.
    pub locations: BTreeSet<String>,
    /// The entries that break in.
    pub breakers: BTreeSet<String>,
    /// The numbers of the patterns.
    pub patterns: BTreeSet<usize>,
    /// How many violations there are of which property, by its label.
    pub violations: BTreeMap<String, usize>,
    /// The query that is shown, without its witness: of the first of the most severe violations the one with the clearest interleaving.
    pub shown: QueryRecord,
    /// Its witness.
    pub witness: Witness,
    /// The entry that breaks in there.
    pub breaker: Option<String>,
    /// A lock that the unit holds all the time in what is shown, so that it is the other one who does without it.
    pub held: Option<String>,
    /// Whether it holds one in each of its violations: nothing is wrong with the unit itself.
    pub is_victim: bool,
    /// Whether others write the locations that are concerned, even if none of them was shown to break in.
    pub is_written_by_others: bool,
    /// The query that is shown.
    pub(super) query: Query,
    /// How many violations as severe as that were compared with it, itself among them.
    compared: usize,
    /// Whether no other violation can change why they are perhaps harmless.
    is_settled: bool,
}

impl Broken {
    /// What goes wrong, where it is most severe.
    pub fn group(&self) -> Group {
        Group::of(&self.shown.automaton)
    }

    /// The query that is shown, with its witness.
    pub fn record(&self) -> QueryRecord {
        QueryRecord { witness: Some(self.witness.clone()), ..self.shown.clone() }
    }

    /// How important it is, from 0 to 1, as of [findings](crate::findings::Finding).
    pub fn rank(&self) -> f64 {
        self.group().rank(clarity(&self.witness))
    }

    /// Whether the answer to a query about the unit would say nothing new; see the module.
    pub(super) fn spares(&self, isolated: &Isolated, query: &Query) -> bool {
        let Some(pattern) = query.property().pattern() else { return false };
        let is_known = |name: &str| self.locations.contains(name);
        let severity = Group::of(query.property().label()).severity();
        let shown = self.group().severity();
        let is_shown = severity > shown || severity == shown && self.compared < COMPARED;
        let mut locations = query.locations().iter();
        !self.is_victim
            && self.is_settled
            && !is_shown
            && self.patterns.contains(&pattern.number())
            && locations.all(|location| is_known(isolated.model.location(*location).name()))
    }
}

/// A unit that does the same as one that is broken, with a violation of its own: it is broken in as many ways.
pub(super) fn likewise(found: &Broken, own: Broken) -> Broken {
    let by_itself = |breaker: &String| if *breaker == found.unit { own.unit.clone() } else { breaker.clone() };
    Broken {
        locations: found.locations.clone(),
        breakers: found.breakers.iter().map(by_itself).collect(),
        patterns: found.patterns.clone(),
        violations: found.violations.clone(),
        is_victim: found.is_victim,
        is_written_by_others: found.is_written_by_others,
        ..own
    }
}

/// Whether of the entries that break in some others than the unit's own write one of these locations. Linear in the model.
pub(super) fn is_written_by_others(model: &Model, [unit, other]: [ProcessId; 2], locations: &BTreeSet<String>) -> bool {
    let graph = model.call_graph();
    let [own, breaking] = [unit, other].map(|process| model.process(process).body());
    let own = graph.callees(own);
    let others = graph.callees(breaking).iter().copied().filter(|callee| !own.contains(callee));
    let reached: BTreeSet<ProcedureId> = graph.reachable(others).into_iter().chain([breaking]).collect();
    model.nodes().any(|(_, node)| match node.operation {
        Operation::Write(at) => reached.contains(&node.procedure) && locations.contains(model.location(at).name()),
        _ => false,
    })
}

/// Adds a violation to those of its unit. `is_settled` tells whether no other one can change why they are perhaps harmless.
pub(super) fn add(
    found: &mut Option<Broken>,
    isolated: &Isolated,
    query: &Query,
    outcome: &Outcome,
    is_settled: &dyn Fn(&Broken) -> bool,
) {
    let mut record = QueryRecord::new(&isolated.model, query, outcome);
    let Some(witness) = record.witness.take() else { return };
    let breaker = breaker(isolated, &witness);
    let held = held_throughout(&witness);
    let label = record.automaton.clone();
    let broken = found.get_or_insert_with(|| Broken {
        unit: record.processes[0].clone(),
        locations: BTreeSet::new(),
        breakers: BTreeSet::new(),
        patterns: BTreeSet::new(),
        violations: BTreeMap::new(),
        shown: record.clone(),
        witness: witness.clone(),
        breaker: breaker.clone(),
        held: held.clone(),
        is_victim: true,
        is_written_by_others: true,
        query: query.clone(),
        compared: 0,
        is_settled: false,
    });
    broken.locations.extend(record.locations.iter().cloned());
    broken.breakers.extend(breaker.clone());
    broken.patterns.extend(query.property().pattern().map(phases::Pattern::number));
    *broken.violations.entry(label.clone()).or_default() += 1;
    broken.is_victim &= held.is_some();
    let (severity, shown) = (Group::of(&label).severity(), broken.group().severity());
    let is_clearer = || broken.compared < COMPARED && clarity(&witness) < clarity(&broken.witness);
    let is_shown = severity > shown || severity == shown && is_clearer();
    broken.compared = if severity > shown { 1 } else { broken.compared + usize::from(severity == shown) };
    if is_shown {
        (broken.shown, broken.witness, broken.breaker, broken.held) = (record, witness, breaker, held);
        broken.query = query.clone();
    }
    broken.is_settled = broken.is_settled || is_settled(broken);
}

/// The entry that the second thread runs when it does what matters, as its process is named.
fn breaker(isolated: &Isolated, witness: &Witness) -> Option<String> {
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
    use crate::check::{Verdict, check};
    use crate::model::{self, LocationId, ProcessId};
    use crate::options::Options;
    use crate::query::{Bindings, Property};
    use phases::UnitMode;

    const UNIT: &str = "atomic { read x; read x; read y; read y; write x; }";

    fn isolated(first: &str) -> Isolated {
        let text =
            format!("lock l; shared x, y; process P {{ {first} }} process Q {{ atomic {{ write x; write y; }} }}");
        Isolated {
            model: model::from_text("m.eml", &text).expect("a model").model,
            pairs: Vec::new(),
            alike: Vec::new(),
            entries: Vec::new(),
            others: ProcessId::new(1),
            assumptions: BTreeSet::new(),
            partial: None,
            meanings: crate::isolate::Meanings::default(),
        }
    }

    /// The query of a pattern about the unit of `P`, on `x` or on `y`.
    fn query(isolated: &Isolated, pattern: usize, location: usize) -> Query {
        let property = Property::all_patterns(UnitMode::Both).swap_remove(pattern - 1);
        let processes = vec![ProcessId::new(0), ProcessId::new(1)];
        let bindings = Bindings { locations: vec![LocationId::new(location)], locks: Vec::new(), processes };
        Query::new(&isolated.model, property, bindings).expect("it fits")
    }

    /// What is spared, of patterns 1 and 2 on `x` and pattern 2 on `y`, when these patterns were found on `x`.
    fn spared(isolated: &Isolated, patterns: &[usize], is_settled: bool) -> [bool; 3] {
        let mut found = None;
        for pattern in patterns {
            let query = query(isolated, *pattern, 0);
            let outcome = check(&isolated.model, &query, &Options::default()).expect("no fault");
            assert!(matches!(outcome.verdict, Verdict::Violation(_)));
            add(&mut found, isolated, &query, &outcome, &|_| is_settled);
        }
        let found = found.expect("it is broken");
        [(1, 0), (2, 0), (2, 1)].map(|(pattern, location)| found.spares(isolated, &query(isolated, pattern, location)))
    }

    #[test]
    fn only_what_says_nothing_new_is_spared() {
        let open = isolated(UNIT);
        assert_eq!(spared(&open, &[1], true), [false; 3], "another pattern");
        // Pattern 1 is shown, and may be shown by a clearer one; on `y` nothing was found.
        assert_eq!(spared(&open, &[1, 2], true), [false, true, false]);
        assert_eq!(spared(&open, &[2], true), [false; 3], "pattern 1 is more severe");
        assert_eq!(spared(&open, &[1, 2], false), [false; 3], "it may be harmless");
        assert_eq!(spared(&isolated(&format!("sync l {{ {UNIT} }}")), &[1, 2], true), [false; 3], "it holds a lock");
        // The first ones are compared for the clearest.
        let many = [[1; COMPARED], [2; COMPARED]].concat();
        assert_eq!(spared(&open, &many[..COMPARED - 1], true), [false; 3]);
        assert_eq!(spared(&open, &many, true), [true, true, false]);
    }
}
