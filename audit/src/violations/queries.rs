//! The queries about the model of one subject, and their answers.
//!
//! Queries are decided unit by unit, the most severe ones of a unit first; `violated_unit` defines which are subsumed.
//! Queries about several units share a checker: the interfering process runs any entry, is the same for all units, and
//! is the largest.

use super::violated_unit::{self, LocationViolations, ViolatedUnit};
use decide::Options;
use decide::answers::QueryRecord;
use decide::findings::Group;
use decide::query::{Property, Query, Selection};
use decide::{Checker, Error, Outcome, Reason, Verdict};
use eml::model::ProcessId;
use isolate::Isolated;
use limits::{Deadline, Limits};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The answers about the units of a model.
#[derive(Clone, Debug, Default)]
pub struct UnitAnswers {
    /// The violated units, in the order of the entries.
    pub violated: Vec<ViolatedUnit>,
    /// Number of decided queries, without those that nothing in the model can violate.
    pub queries: usize,
    /// Number of subsumed queries: their answers would add nothing to a violated unit.
    pub subsumed: usize,
    /// Number of violated queries.
    pub violations: usize,
    /// Number of undecided queries, with the reason of the first one.
    pub unknown: Option<(usize, Reason)>,
    /// Units with an undecided query, by the names of their processes, with the first reason.
    pub undecided_units: BTreeMap<String, Reason>,
    /// The listed queries; see [`Listed`].
    pub records: Vec<QueryRecord>,
}

/// Whether no further violation of a unit on these locations can change the reason why they are possibly benign.
pub type IsSettled<'a> = dyn Fn(&str, &BTreeSet<String>, &LocationViolations) -> bool + Sync + 'a;

/// Which queries are listed one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// None.
    #[default]
    None,
    /// The violations.
    Violations,
    /// All queries that something in the model could violate.
    All,
}

/// Number of queries that share a checker.
const BATCH: usize = 8192;

/// The part of the budget of steps that is kept for the search of [interfering calls](super::interferers).
const KEPT: f64 = 0.125;

/// The part of a model that is queried, and the amount of answers that is kept.
#[derive(Clone, Copy)]
pub struct Focus<'a> {
    /// Whether an entry is queried as the violated unit, by its full name; see [`Meanings`](isolate::Meanings).
    pub is_unit: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a location is queried, by its full name. A query over several locations needs all of them.
    pub is_location: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether no further violation can change the reason why the violations are possibly benign; see
    /// [`is_settled`](super::is_settled). Once true, it stays true.
    pub is_settled: &'a IsSettled<'a>,
    /// Whether queries are skipped if their answers would add nothing to a violated unit.
    pub subsumption: bool,
    /// Which queries are listed.
    pub listed: Listed,
    /// Whether one undecided query leaves the rest undecided, too: the model is asked for a proof, which needs all.
    pub needs_all: bool,
    /// The end of the subject's time. Queries that are left then are undecided.
    pub until: Option<Deadline>,
}

impl std::fmt::Debug for Focus<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Focus")
            .field("subsumption", &self.subsumption)
            .field("listed", &self.listed)
            .finish_non_exhaustive()
    }
}

impl Default for Focus<'_> {
    /// All units and locations, with subsumption; no query is listed.
    fn default() -> Self {
        Self {
            is_unit: &|_| true,
            is_location: &|_| true,
            is_settled: &|_, _, _| true,
            subsumption: true,
            listed: Listed::None,
            needs_all: false,
            until: None,
        }
    }
}

/// Decides for each entry whether other calls can violate it.
///
/// # Errors
/// If the program is at fault.
pub fn decide(isolated: &Isolated, properties: &[Arc<Property>], options: &Options) -> Result<UnitAnswers, Error> {
    decide_units(isolated, properties, &Focus::default(), options)
}

/// Decides the queries about the entries and locations in focus, one after the other. After a cancellation the
/// remaining queries are not counted.
///
/// # Errors
/// If the program is at fault.
pub fn decide_units(
    isolated: &Isolated,
    properties: &[Arc<Property>],
    focus: &Focus<'_>,
    options: &Options,
) -> Result<UnitAnswers, Error> {
    let mut properties = properties.to_vec();
    let severity = |property: &Arc<Property>| Group::of(property.label()).severity();
    properties.sort_by(|a, b| severity(b).total_cmp(&severity(a)));
    let Ok(asked) = Selection::default().ask(&isolated.model, &properties) else { return Ok(UnitAnswers::default()) };
    let groups = groups(isolated, focus);
    let firsts: Vec<(usize, [ProcessId; 2])> =
        groups.iter().enumerate().filter_map(|(place, group)| Some((place, *group.first()?))).collect();
    let all = firsts.iter().flat_map(|(place, pair)| asked.possible_of(pair).map(|query| (*place, query)));
    let mut decider =
        Decider { isolated, groups: &groups, focus, options, decided: UnitAnswers::default(), present: None };
    decider.ask(all)?;
    Ok(decider.decided)
}

/// The state of deciding the queries of a model.
struct Decider<'a> {
    isolated: &'a Isolated,
    groups: &'a [Vec<[ProcessId; 2]>],
    focus: &'a Focus<'a>,
    options: &'a Options,
    decided: UnitAnswers,
    /// The index of the present group, with the violations of its first unit.
    present: Option<(usize, Option<ViolatedUnit>)>,
}

impl Decider<'_> {
    /// Decides the queries, each with the index of its group. They come group by group.
    fn ask(&mut self, mut queries: impl Iterator<Item = (usize, Query)>) -> Result<(), Error> {
        let model = &self.isolated.model;
        let mut checker = None;
        while !self.options.limits.cancellation.is_cancelled() {
            let mut some: Vec<(usize, Query)> = queries.by_ref().take(BATCH).collect();
            let Some((first, _)) = some.first() else { break };
            if let Some(reason) = self.reason_to_end() {
                self.leave_undecided_from(*first, reason);
                break;
            }
            some.retain(|(place, query)| self.is_wanted(*place, query));
            let together: Vec<Query> = some.iter().map(|(_, query)| query.clone()).collect();
            let checker = checker.insert(Checker::new(model, &together, self.options.clone()));
            for (place, query) in some {
                if self.options.limits.cancellation.is_cancelled() {
                    break;
                }
                self.switch_to(place, checker)?;
                if let Some(reason) = self.reason_to_end() {
                    self.leave_undecided_from(place, reason);
                    break;
                }
                if self.is_wanted(place, &query) {
                    let outcome = checker.check_within(&query, self.limits())?;
                    self.count(&query, &outcome);
                }
            }
        }
        if let Some(mut checker) = checker {
            self.finish(&mut checker)?;
        }
        Ok(())
    }

    /// Whether a query is in focus and not subsumed.
    fn is_wanted(&mut self, place: usize, query: &Query) -> bool {
        let Isolated { model, meanings, .. } = self.isolated;
        let full_name = |id| meanings.location(model.location(id).name());
        if !query.locations().iter().all(|id| (self.focus.is_location)(full_name(*id))) {
            return false;
        }
        let is_synchronized = |id| meanings.synchronized.contains(model.location(id).name());
        if query.property().is_race() && query.locations().iter().copied().any(is_synchronized) {
            return false;
        }
        let found = self.first_unit_of(place);
        let is_subsumed = self.focus.subsumption && found.is_some_and(|found| found.subsumes(self.isolated, query));
        self.decided.subsumed += usize::from(is_subsumed);
        !is_subsumed
    }

    /// The violations of the first unit of a group, if it is the present one and there are some.
    fn first_unit_of(&self, place: usize) -> Option<&ViolatedUnit> {
        self.present.as_ref().filter(|(present, _)| *present == place).and_then(|(_, found)| found.as_ref())
    }

    /// Makes a group the present one. Groups of the same unit are adjacent, and share its violations.
    fn switch_to(&mut self, place: usize, checker: &mut Checker<'_>) -> Result<(), Error> {
        let unit = |place: usize| self.groups[place][0][0];
        let found = match &mut self.present {
            Some((present, _)) if *present == place => return Ok(()),
            Some((present, found)) if unit(*present) == unit(place) => found.take(),
            Some(_) | None => {
                self.finish(checker)?;
                None
            }
        };
        self.present = Some((place, found));
        Ok(())
    }

    /// Ends the present group: decides the units that are equivalent to its first one.
    fn finish(&mut self, checker: &mut Checker<'_>) -> Result<(), Error> {
        let Some((place, mut found)) = self.present.take() else { return Ok(()) };
        let units: Vec<ProcessId> = self.groups[place].iter().map(|[process, _]| *process).collect();
        if let Some(found) = &mut found {
            self.note_other_writers(self.groups[place][0], found);
        }
        let open = self.decided.undecided_units.get(self.name(units[0])).copied();
        let mut same = Vec::new();
        for process in &units[1..] {
            let name = self.name(*process).to_string();
            if let Some(reason) = open {
                self.decided.undecided_units.insert(name.clone(), reason);
            }
            let Some(found) = &found else { continue };
            if let Some(reason) = self.reason_to_end() {
                self.decided.undecided_units.insert(name, reason);
                continue;
            }
            let (broken, open) = self.decide_equivalent(found, *process, checker)?;
            same.extend(broken);
            if let Some(reason) = open {
                self.decided.undecided_units.insert(name, reason);
            }
        }
        self.decided.violated.extend(found);
        self.decided.violated.extend(same);
        Ok(())
    }

    /// Notes whether other entries than the unit write the locations of its violations. Assumed if several processes
    /// interfere or the unit has equivalent ones.
    fn note_other_writers(&self, pair: [ProcessId; 2], found: &mut ViolatedUnit) {
        let Isolated { model, pairs, equivalent, .. } = self.isolated;
        let are_several = pairs.iter().filter(|[unit, _]| *unit == pair[0]).count() > 1
            || equivalent.iter().any(|(process, first)| [*process, *first].contains(&pair[0]));
        let written = violated_unit::written_by_others(model, pair);
        for (locations, violations) in &mut found.by_locations {
            violations.is_written_by_others =
                are_several || locations.iter().any(|name| written.contains(name.as_str()));
        }
    }

    /// A unit that is equivalent to a violated one is violated, too. The shown query on each set of locations is
    /// decided again for the unit, so that it has interleavings of its own. Returns its violations, and the reason of
    /// the first undecided query.
    fn decide_equivalent(
        &mut self,
        found: &ViolatedUnit,
        process: ProcessId,
        checker: &mut Checker<'_>,
    ) -> Result<(Option<ViolatedUnit>, Option<Reason>), Error> {
        let (mut own, mut open) = (None, None);
        for violations in found.by_locations.values() {
            if let Some(reason) = self.reason_to_end() {
                open.get_or_insert(reason);
                continue;
            }
            let same = violations.query.with_first_process(&self.isolated.model, process);
            let Ok(query) = same else { continue };
            self.decided.queries += 1;
            let outcome = checker.check_within(&query, self.limits())?;
            match outcome.verdict {
                Verdict::Unknown(reason) => drop(open.get_or_insert(reason)),
                Verdict::Violation(_) => self.decided.violations += 1,
                // Impossible: the units are equivalent.
                Verdict::Safe => drop(open.get_or_insert(Reason::Cancelled)),
            }
            violated_unit::add(&mut own, self.isolated, &query, &outcome, &|_, _, _| true);
        }
        Ok((own.map(|own| violated_unit::with_counts_of(found, own)), open))
    }

    /// Counts the answer to a query about the present group.
    fn count(&mut self, query: &Query, outcome: &Outcome) {
        self.decided.queries += 1;
        let is_listed = match (&outcome.verdict, self.focus.listed) {
            (_, Listed::All) | (Verdict::Violation(_), Listed::Violations) => true,
            (_, Listed::None | Listed::Violations) => false,
        };
        if is_listed {
            self.decided.records.push(QueryRecord::new(&self.isolated.model, query, outcome));
        }
        match outcome.verdict {
            Verdict::Safe => {}
            Verdict::Unknown(reason) => {
                self.decided.unknown.get_or_insert((0, reason)).0 += 1;
                let unit = self.name(query.processes()[0]).to_string();
                self.decided.undecided_units.entry(unit).or_insert(reason);
            }
            Verdict::Violation(_) => {
                self.decided.violations += 1;
                if let Some((_, found)) = &mut self.present {
                    violated_unit::add(found, self.isolated, query, outcome, self.focus.is_settled);
                }
            }
        }
    }

    /// Marks the units of the groups from this index on as undecided for a reason.
    fn leave_undecided_from(&mut self, place: usize, reason: Reason) {
        for [process, _] in self.groups[place..].iter().flatten() {
            let name = self.name(*process).to_string();
            self.decided.undecided_units.entry(name).or_insert(reason);
        }
    }

    /// The reason why no further query is asked, if there is one: a query that is needed is undecided; the budget of
    /// steps is used up, except for the part that is kept for interfering calls; or the time is over.
    fn reason_to_end(&self) -> Option<Reason> {
        if let (true, Some((_, reason))) = (self.focus.needs_all, self.decided.unknown) {
            return Some(reason);
        }
        if self.options.limits.steps.as_ref().is_some_and(|steps| steps.has_at_most(KEPT)) {
            return Some(Reason::Bound);
        }
        self.focus.until.is_some_and(Deadline::is_over).then_some(Reason::Timeout)
    }

    /// The limits of the next query: at most the time that is left for the subject.
    fn limits(&self) -> Limits {
        let limits = self.options.limits.clone().with_since(None);
        let left = self.focus.until.map(Deadline::left);
        let timeout = limits.timeout.into_iter().chain(left).min();
        limits.with_timeout(timeout)
    }

    fn name(&self, process: ProcessId) -> &str {
        self.isolated.model.process(process).name()
    }
}

/// The queried pairs of processes; pairs with equivalent units form a group.
fn groups(isolated: &Isolated, focus: &Focus<'_>) -> Vec<Vec<[ProcessId; 2]>> {
    let Isolated { model, pairs, equivalent, meanings, .. } = isolated;
    let mut same: BTreeMap<ProcessId, Vec<ProcessId>> = BTreeMap::new();
    for (process, first) in equivalent {
        same.entry(*first).or_default().push(*process);
    }
    let is_asked = |process: &ProcessId| (focus.is_unit)(meanings.unit(model.process(*process).name()));
    let group = |[first, others]: &[ProcessId; 2]| {
        let members = [*first].into_iter().chain(same.get(first).into_iter().flatten().copied());
        members.filter(is_asked).map(|process| [process, *others]).collect()
    };
    pairs.iter().map(group).collect()
}
