//! What is asked of the model of one object, and what came of it.

use super::fault::held_throughout;
use super::model::Isolated;
use crate::check::{Error, Outcome, Reason, Verdict};
use crate::check_all::check_each;
use crate::findings::{Clarity, Group, clarity};
use crate::model::ProcessId;
use crate::options::Options;
use crate::query::{Property, Query, Selection};
use crate::report::QueryRecord;
use crate::witness::{Action, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

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
    /// The query that is shown, without its witness: of the most severe violations, the first with the clearest interleaving.
    pub shown: QueryRecord,
    /// Its witness.
    pub witness: Witness,
    /// The entry that breaks in there.
    pub breaker: Option<String>,
    /// A lock that the unit holds all the time in what is shown, so that it is the other one who does without it.
    pub held: Option<String>,
    /// Whether it holds one in each of its violations: nothing is wrong with the unit itself.
    pub is_victim: bool,
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

    /// Less comes first: severity, then clarity.
    fn order(label: &str, witness: &Witness) -> (i64, Clarity) {
        (-(Group::of(label).severity() * 1000.0) as i64, clarity(witness))
    }
}

/// What came of a subject.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// The units that can be broken, in the order of the entries.
    pub broken: Vec<Broken>,
    /// How many queries there were, without those that nothing in the model can violate.
    pub queries: usize,
    /// How many of them are violated.
    pub violations: usize,
    /// How many were not decided, and why the first one was not.
    pub unknown: Option<(usize, Reason)>,
    /// The units of which a query was not decided, by the name of their processes, and why the first one was not.
    pub open: BTreeMap<String, Reason>,
    /// The queries one by one, if that is wanted.
    pub records: Vec<QueryRecord>,
}

/// Which queries are listed one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// None.
    #[default]
    None,
    /// The violations.
    Violations,
    /// All that something in the model could violate.
    All,
}

/// So many queries are asked together; between them it is looked whether there is time left.
const TOGETHER: usize = 512;

/// What of a subject is asked, and how much of the answers is kept.
#[derive(Clone, Copy)]
pub struct Focus<'a> {
    /// Whether an entry is asked for as the unit that is broken, by its full name; see [`Meanings`](super::Meanings).
    pub is_unit: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a location is asked for, by its full name. Queries over several ask for all of them.
    pub is_location: &'a (dyn Fn(&str) -> bool + Sync),
    /// Which queries are listed.
    pub listed: Listed,
    /// When the time for the subject is over: what is not asked by then is open.
    pub until: Option<Instant>,
}

impl std::fmt::Debug for Focus<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Focus").field("listed", &self.listed).finish_non_exhaustive()
    }
}

impl Default for Focus<'_> {
    /// Everything is asked, nothing listed.
    fn default() -> Self {
        Self { is_unit: &|_| true, is_location: &|_| true, listed: Listed::None, until: None }
    }
}

/// Asks of each entry whether any method can break it.
///
/// # Errors
/// If the program is at fault.
pub fn decide(isolated: &Isolated, properties: &[Arc<Property>], options: &Options) -> Result<Decided, Error> {
    decide_on(isolated, properties, &Focus::default(), options)
}

/// Asks of the entries and locations that are in focus. A cancellation leaves the rest unasked.
///
/// # Errors
/// If the program is at fault.
pub fn decide_on(
    isolated: &Isolated,
    properties: &[Arc<Property>],
    focus: &Focus<'_>,
    options: &Options,
) -> Result<Decided, Error> {
    let Isolated { model, meanings, .. } = isolated;
    let mut decided = Decided::default();
    let asks = |query: &Query| {
        query.locations().iter().all(|id| (focus.is_location)(meanings.location(model.location(*id).name())))
    };
    for group in groups(isolated, focus) {
        let Some(pair) = group.first() else { continue };
        let processes = pair.map(|process| model.process(process).name().to_string());
        let unit = processes[0].clone();
        let selection = Selection { processes: Some(processes.to_vec()), ..Selection::default() };
        let is_over = || focus.until.is_some_and(|until| Instant::now() >= until);
        if is_over() {
            open_all(&mut decided, isolated, &group);
            continue;
        }
        // Only automata about two threads bind to two processes.
        let Ok(asked) = selection.ask(model, properties) else { continue };
        // Pairs with the same unit stand together.
        let mut found: Option<Broken> = decided.broken.pop_if(|broken| broken.unit == unit);
        let mut queries = asked.possible().filter(asks);
        while !options.limits.cancellation.is_cancelled() {
            let some: Vec<Query> = queries.by_ref().take(TOGETHER).collect();
            if some.is_empty() {
                break;
            }
            if is_over() {
                open_all(&mut decided, isolated, &group);
                break;
            }
            check_each(model, some, options, |_, query, outcome| {
                decided.queries += 1;
                let is_listed = match (&outcome.verdict, focus.listed) {
                    (_, Listed::All) | (Verdict::Violation(_), Listed::Violations) => true,
                    (_, Listed::None | Listed::Violations) => false,
                };
                if is_listed {
                    decided.records.push(QueryRecord::new(model, query, &outcome));
                }
                match outcome {
                    Outcome { verdict: Verdict::Safe, .. } => {}
                    Outcome { verdict: Verdict::Unknown(reason), .. } => {
                        decided.unknown.get_or_insert((0, reason)).0 += 1;
                        decided.open.entry(unit.clone()).or_insert(reason);
                    }
                    Outcome { verdict: Verdict::Violation(_), .. } => {
                        decided.violations += 1;
                        add(&mut found, isolated, query, outcome);
                    }
                }
            })?;
        }
        let mut same = Vec::new();
        for [process, others] in &group[1..] {
            let name = model.process(*process).name().to_string();
            if let Some(reason) = decided.open.get(&unit).copied() {
                decided.open.insert(name.clone(), reason);
            }
            let Some(found) = &found else { continue };
            if is_over() {
                decided.open.insert(name, Reason::Timeout);
                continue;
            }
            let names = [name.clone(), model.process(*others).name().to_string()];
            decided.queries += 1;
            match likewise(isolated, found, names, properties, options)? {
                Ok(broken) => {
                    decided.violations += 1;
                    same.push(broken);
                }
                Err(reason) => drop(decided.open.insert(name, reason)),
            }
        }
        decided.broken.extend(found);
        decided.broken.extend(same);
    }
    Ok(decided)
}

/// There was no time for these units.
fn open_all(decided: &mut Decided, isolated: &Isolated, group: &[[ProcessId; 2]]) {
    for [process, _] in group {
        let name = isolated.model.process(*process).name().to_string();
        decided.open.entry(name).or_insert(Reason::Timeout);
    }
}

/// The pairs of processes that are asked about; those whose first processes do the same stand together.
fn groups(isolated: &Isolated, focus: &Focus<'_>) -> Vec<Vec<[ProcessId; 2]>> {
    let Isolated { model, pairs, alike, meanings, .. } = isolated;
    let mut same: BTreeMap<ProcessId, Vec<ProcessId>> = BTreeMap::new();
    for (process, first) in alike {
        same.entry(*first).or_default().push(*process);
    }
    let is_asked = |process: &ProcessId| (focus.is_unit)(meanings.unit(model.process(*process).name()));
    let group = |[first, others]: &[ProcessId; 2]| {
        let members = [*first].into_iter().chain(same.get(first).into_iter().flatten().copied());
        members.filter(is_asked).map(|process| [process, *others]).collect()
    };
    pairs.iter().map(group).collect()
}

/// A unit that does the same as one that is broken is broken, too: of its violations the one that is shown is decided again, for an
/// interleaving of its own.
fn likewise(
    isolated: &Isolated,
    found: &Broken,
    names: [String; 2],
    properties: &[Arc<Property>],
    options: &Options,
) -> Result<Result<Broken, Reason>, Error> {
    let unit = names[0].clone();
    let selection = Selection {
        processes: Some(names.to_vec()),
        locations: Some(found.shown.locations.clone()),
        ..Selection::default()
    };
    let is_shown = |property: &&Arc<Property>| property.label() == found.shown.automaton;
    let property: Vec<Arc<Property>> = properties.iter().filter(is_shown).cloned().collect();
    let queries = selection.queries(&isolated.model, &property).unwrap_or_default();
    let (mut shown, mut reason) = (None, Reason::Cancelled);
    check_each(&isolated.model, queries, options, |_, query, outcome| match outcome.verdict {
        Verdict::Violation(_) => add(&mut shown, isolated, query, outcome),
        Verdict::Unknown(why) => reason = why,
        Verdict::Safe => {}
    })?;
    let by_itself = |breaker: &String| if *breaker == found.unit { unit.clone() } else { breaker.clone() };
    Ok(shown.ok_or(reason).map(|shown| Broken {
        unit: unit.clone(),
        locations: found.locations.clone(),
        breakers: found.breakers.iter().map(by_itself).collect(),
        patterns: found.patterns.clone(),
        violations: found.violations.clone(),
        is_victim: found.is_victim,
        ..shown
    }))
}

/// Adds a violation to those of its unit.
fn add(found: &mut Option<Broken>, isolated: &Isolated, query: &Query, outcome: Outcome) {
    let mut record = QueryRecord::new(&isolated.model, query, &outcome);
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
    });
    broken.locations.extend(record.locations.iter().cloned());
    broken.breakers.extend(breaker.clone());
    broken.patterns.extend(query.property().pattern().map(phases::Pattern::number));
    *broken.violations.entry(label.clone()).or_default() += 1;
    broken.is_victim &= held.is_some();
    if Broken::order(&label, &witness) < Broken::order(&broken.shown.automaton, &broken.witness) {
        (broken.shown, broken.witness, broken.breaker, broken.held) = (record, witness, breaker, held);
    }
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
