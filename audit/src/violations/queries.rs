//! What is asked of the model of one object, and what came of it.
//!
//! Queries are asked unit by unit, the most severe ones about a unit first; which are subsumed is said in `broken`. Those
//! about several units share a checker, since the process that breaks in, which runs any entry, is the same for all of
//! them, and is the biggest.

use super::violated_unit::{self, LocationViolations, ViolatedUnit};
use decide::Options;
use decide::answers::QueryRecord;
use decide::findings::Group;
use decide::query::{Bindings, Property, Query, Selection};
use decide::{Checker, Error, Outcome, Reason, Verdict};
use eml::model::ProcessId;
use isolate::Isolated;
use limits::{Deadline, Limits};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What came of a subject.
#[derive(Clone, Debug, Default)]
pub struct UnitAnswers {
    /// The units that can be broken, in the order of the entries.
    pub violated: Vec<ViolatedUnit>,
    /// How many queries were asked, without those that nothing in the model can violate.
    pub queries: usize,
    /// How many more were subsumed, as their answers would say nothing new of a unit that is broken.
    pub subsumed: usize,
    /// How many of them are violated.
    pub violations: usize,
    /// How many were not decided, and why the first one was not.
    pub unknown: Option<(usize, Reason)>,
    /// The units of which a query was not decided, by the name of their processes, and why the first one was not.
    pub undecided_units: BTreeMap<String, Reason>,
    /// The queries one by one, if that is wanted.
    pub records: Vec<QueryRecord>,
}

/// Whether no other violation of a unit on these locations can change why they are possibly benign.
pub type IsSettled<'a> = dyn Fn(&str, &BTreeSet<String>, &LocationViolations) -> bool + Sync + 'a;

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

/// So many queries have a checker together, and it is looked whether they are asked for.
const BATCH: usize = 8192;

/// What of a subject is asked, and how much of the answers is kept.
#[derive(Clone, Copy)]
pub struct Focus<'a> {
    /// Whether an entry is asked for as the unit that is broken, by its full name; see
    /// [`Meanings`](isolate::Meanings).
    pub is_unit: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a location is asked for, by its full name. Queries over several ask for all of them.
    pub is_location: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether no other violation of a unit can change why what was found is perhaps benign_reason, as
    /// [`is_settled`](super::is_settled) says. Once it is true of a unit, it stays so.
    pub is_settled: &'a IsSettled<'a>,
    /// Whether queries are subsumed whose answers would say nothing new of a unit that is broken.
    pub subsumption: bool,
    /// Which queries are listed.
    pub listed: Listed,
    /// When the time for the subject is over: what is not asked by then is open.
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
    /// All units and locations; queries are subsumed, none is listed.
    fn default() -> Self {
        Self {
            is_unit: &|_| true,
            is_location: &|_| true,
            is_settled: &|_, _, _| true,
            subsumption: true,
            listed: Listed::None,
            until: None,
        }
    }
}

/// Asks of each entry whether any method can break it.
///
/// # Errors
/// If the program is at fault.
pub fn decide(isolated: &Isolated, properties: &[Arc<Property>], options: &Options) -> Result<UnitAnswers, Error> {
    decide_units(isolated, properties, &Focus::default(), options)
}

/// Asks of the entries and locations that are in focus, one query after the other. A cancellation leaves the rest
/// unasked.
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

/// The queries of a model on their way.
struct Decider<'a> {
    isolated: &'a Isolated,
    groups: &'a [Vec<[ProcessId; 2]>],
    focus: &'a Focus<'a>,
    options: &'a Options,
    decided: UnitAnswers,
    /// The group that is asked about, by its place, with what was found of its first unit.
    present: Option<(usize, Option<ViolatedUnit>)>,
}

impl Decider<'_> {
    /// Asks the queries, each with the place of its group; they come group by group.
    fn ask(&mut self, mut queries: impl Iterator<Item = (usize, Query)>) -> Result<(), Error> {
        let model = &self.isolated.model;
        let mut checker = None;
        while !self.options.limits.cancellation.is_cancelled() {
            let mut some: Vec<(usize, Query)> = queries.by_ref().take(BATCH).collect();
            let Some((first, _)) = some.first() else { break };
            if self.is_over() {
                self.leave_undecided_from(*first);
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
                if self.is_over() {
                    self.leave_undecided_from(place);
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

    /// The first unit of the group at a place, if something of it was found broken.
    fn first_unit_of(&self, place: usize) -> Option<&ViolatedUnit> {
        self.present.as_ref().filter(|(present, _)| *present == place).and_then(|(_, found)| found.as_ref())
    }

    /// From now on it is asked about the group at this place. Groups with the same unit stand together, and what is
    /// found of it, too.
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

    /// Nothing more is asked about the present group, but for the units that do the same as its first.
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
            if self.is_over() {
                self.decided.undecided_units.insert(name, Reason::Timeout);
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

    /// Looks whether others than the unit write the locations of its violations; true if several processes interfere,
    /// or units do the same as this one.
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

    /// A unit that does the same as one that is violated is violated, too. What is shown of the other one on each set
    /// of locations is decided again, for interleavings of its own; and why the first of them was not, if one was not.
    fn decide_equivalent(
        &mut self,
        found: &ViolatedUnit,
        process: ProcessId,
        checker: &mut Checker<'_>,
    ) -> Result<(Option<ViolatedUnit>, Option<Reason>), Error> {
        let (mut own, mut open) = (None, None);
        for violations in found.by_locations.values() {
            let Some(query) = self.for_unit(&violations.query, process).filter(|_| !self.is_over()) else {
                open.get_or_insert(Reason::Timeout);
                continue;
            };
            self.decided.queries += 1;
            let outcome = checker.check_within(&query, self.limits())?;
            match outcome.verdict {
                Verdict::Unknown(reason) => drop(open.get_or_insert(reason)),
                Verdict::Violation(_) => self.decided.violations += 1,
                // It does the same, so this cannot be.
                Verdict::Safe => drop(open.get_or_insert(Reason::Cancelled)),
            }
            violated_unit::add(&mut own, self.isolated, &query, &outcome, &|_, _, _| true);
        }
        Ok((own.map(|own| violated_unit::with_counts_of(found, own)), open))
    }

    /// A query, asked of another unit.
    fn for_unit(&self, query: &Query, process: ProcessId) -> Option<Query> {
        let (locations, locks) = (query.locations().to_vec(), query.locks().to_vec());
        let processes = [process].into_iter().chain(query.processes()[1..].iter().copied()).collect();
        let bindings = Bindings { locations, locks, processes };
        Query::new(&self.isolated.model, query.property().clone(), bindings).ok()
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

    /// There is no time for the groups from this place on.
    fn leave_undecided_from(&mut self, place: usize) {
        for [process, _] in self.groups[place..].iter().flatten() {
            let name = self.name(*process).to_string();
            self.decided.undecided_units.entry(name).or_insert(Reason::Timeout);
        }
    }

    fn is_over(&self) -> bool {
        self.focus.until.is_some_and(Deadline::is_over)
    }

    /// The limits of a query that is asked now: it has no more time than is left for the subject.
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

/// The pairs of processes that are asked about; those whose first processes do the same stand together.
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
