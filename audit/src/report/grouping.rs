//! One finding per defect: the violations of a subject with a common torn section, and sections of several methods that
//! tear the same fields.
//!
//! **Definition.** Each violation of a unit on a set of locations has a torn [section](crate::violations::Section): the
//! lines of a method that would have to be atomic. Violations of a subject whose sections are in one method and overlap
//! have one cause, whichever units reach the section, and whatever the interfering calls and the patterns; the finding
//! counts and names all of them.
//!
//! Causes in several methods are one *defect*, with several [places](super::Place), if they concern the same fields
//! (those that are shown, or all), and one of these holds:
//!
//! - an access in the section of one is in the section of the other or interferes with it. So a class whose methods
//!   test and use one field without a lock has one finding, and not one for each method: the repair of one method alone
//!   does not help while another one interferes with it;
//! - they have the same *shape*: the same statements interfere, by the same kind of violation. So thirty methods that
//!   use an object whose reference one setter replaces have one finding: the setter is to be repaired.
//!
//! **Invariant.** Each violation is a member of exactly one finding, which names its unit, its locations, the
//! interfering calls and its accesses. So no violation is lost, and all accesses and fields of a member are named in
//! its finding. Causes can be repaired independently: an atomic section (with the lock that the other accesses of its
//! fields hold) repairs all members.
//!
//! The shown member is the most likely one by the evidence, so that rank, sentence and witness of the finding belong
//! together. Among equally likely members, the one with the strongest effect is preferred, then one whose unit is the
//! method with the torn section, then one whose unit reaches it. The title names the fields of the shown member.

use super::finding::{Fault, Finding};
use crate::evidence::Likelihood;
use crate::violations::section::is_access;
use decide::witness::Step;
use std::collections::{BTreeMap, BTreeSet};

/// Unites the violations of a subject, one finding each, by their causes. `O(n log n)`, without comparisons of names.
pub(super) fn causes(violations: Vec<Finding>) -> Vec<Finding> {
    groups(violations, |violation| violation.cause.section()).into_iter().filter_map(united).collect()
}

/// Unites the causes of a subject that are one defect; see the module. The order is that of the shown causes.
pub(super) fn defects(causes: Vec<Finding>) -> Vec<Finding> {
    let mut sets = DisjointSets::new(causes.len());
    // The causes with a torn access, by their fields and the access.
    let mut torn: BTreeMap<(Fields<'_>, Statement<'_>), usize> = BTreeMap::new();
    for (number, cause) in causes.iter().enumerate() {
        for (fields, access) in keys(cause, &torn_accesses(cause)) {
            sets.unite(*torn.entry((fields, access)).or_insert(number), number);
        }
    }
    for (number, cause) in causes.iter().enumerate() {
        for key in keys(cause, &interfering_accesses(cause)) {
            if let Some(other) = torn.get(&key) {
                sets.unite(*other, number);
            }
        }
    }
    drop(torn);
    let mut shapes: BTreeMap<Shape<'_>, usize> = BTreeMap::new();
    for (number, cause) in causes.iter().enumerate() {
        if let Some(shape) = Shape::of(cause) {
            sets.unite(*shapes.entry(shape).or_insert(number), number);
        }
    }
    drop(shapes);
    let mut of_defects: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
    for (number, cause) in causes.into_iter().enumerate() {
        of_defects.entry(sets.first(number)).or_default().push(cause);
    }
    of_defects.into_values().filter_map(united).collect()
}

/// A statement: its file and line.
type Statement<'a> = (Option<&'a str>, u32);

/// Some fields of a cause, and whether they are all its fields or those that it shows.
type Fields<'a> = (bool, BTreeSet<&'a str>);

/// The fields that a cause shows, and all its fields, with each of some statements.
fn keys<'a>(cause: &'a Finding, statements: &BTreeSet<Statement<'a>>) -> Vec<(Fields<'a>, Statement<'a>)> {
    let shown: Fields<'_> = (false, cause.locations.iter().map(String::as_str).collect());
    let all: Fields<'_> = (true, cause.all_locations().collect());
    let with_each = |fields: Fields<'a>| statements.iter().map(move |statement| (fields.clone(), *statement));
    [shown, all].into_iter().flat_map(with_each).collect()
}

fn torn_accesses(cause: &Finding) -> BTreeSet<Statement<'_>> {
    cause.cause.accesses.iter().map(|access| (access.file.as_deref(), access.line)).collect()
}

/// The accesses of the shown interleaving.
fn interfering_accesses(cause: &Finding) -> BTreeSet<Statement<'_>> {
    cause.witness.steps.iter().filter(|step| is_access(step)).map(|step| (step.file.as_deref(), step.line)).collect()
}

/// The fields of a cause, its interfering statements, and the kind of violation.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shape<'a> {
    fields: &'a [String],
    interfering: BTreeSet<Statement<'a>>,
    group: &'a str,
    likelihood: Likelihood,
}

impl<'a> Shape<'a> {
    /// None without lines, where statements cannot be told apart.
    fn of(cause: &'a Finding) -> Option<Self> {
        let interferes = |step: &&Step| step.thread != 0 && is_access(step);
        let interfering: BTreeSet<Statement<'_>> =
            cause.witness.steps.iter().filter(interferes).map(|step| (step.file.as_deref(), step.line)).collect();
        let has_lines = !interfering.is_empty() && interfering.iter().all(|(_, line)| *line > 1);
        let Finding { locations, group, likelihood, .. } = cause;
        has_lines.then_some(Self { fields: locations, interfering, group, likelihood: *likelihood })
    }
}

/// Disjoint sets of numbers.
pub(super) struct DisjointSets {
    above: Vec<usize>,
}

impl DisjointSets {
    pub(super) fn new(count: usize) -> Self {
        Self { above: (0..count).collect() }
    }

    /// The least number of the set of a number.
    pub(super) fn first(&mut self, number: usize) -> usize {
        let mut first = number;
        while self.above[first] != first {
            first = self.above[first];
        }
        self.above[number] = first;
        first
    }

    pub(super) fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.above[one.max(other)] = one.min(other);
    }
}

/// Groups items by their causes: items whose sections are in one method and overlap are in one group.
pub(crate) fn groups<T>(things: Vec<T>, section: impl Fn(&T) -> (&str, [u32; 2])) -> Vec<Vec<T>> {
    let mut of_methods: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for thing in things {
        of_methods.entry(section(&thing).0.to_string()).or_default().push(thing);
    }
    let mut groups: Vec<Vec<T>> = Vec::new();
    for mut of_method in of_methods.into_values() {
        of_method.sort_by_key(|thing| section(thing).1);
        let mut end = None;
        for thing in of_method {
            let [first, last] = section(&thing).1;
            match (groups.last_mut(), end) {
                (Some(group), Some(before)) if first <= before => group.push(thing),
                _ => groups.push(vec![thing]),
            }
            end = end.filter(|before| first <= *before).max(Some(last));
        }
    }
    groups
}

/// The distance of the violated unit from the torn section: 0 if it is the method itself, 1 if it reaches the section,
/// 2 if the interfering call reaches it.
pub(crate) fn distance(member: &Finding) -> u8 {
    let unit = member.unit.split(" [argument").next().unwrap_or(&member.unit);
    match member.at_fault {
        // The method of a lambda is not callable by name.
        Fault::Unit => u8::from(unit != member.cause.method || unit.contains("lambda$")),
        Fault::By => 2,
    }
}

/// Unites the violations with one cause. The shown member is the most likely one, among these the one with the
/// strongest effect, then the one with the nearest unit, then the one with the highest rank.
fn united(mut members: Vec<Finding>) -> Option<Finding> {
    // The sort is stable: among equal members, the first entry of the class.
    members.sort_by(|a, b| {
        let strongest = a.likelihood.cmp(&b.likelihood).then(a.effect.cmp(&b.effect));
        strongest.then(distance(a).cmp(&distance(b))).then(b.rank.total_cmp(&a.rank))
    });
    let mut members = members.into_iter();
    let mut shown = members.next()?;
    for member in members {
        add(&mut shown, &member);
    }
    tidy(&mut shown);
    Some(shown)
}

/// Removes duplicates after members were added.
pub(super) fn tidy(shown: &mut Finding) {
    shown.other_locations.retain(|location| !shown.locations.contains(location));
    shown.other_by.retain(|other| *other != shown.by);
    let labels = &mut shown.labels;
    labels.other_locations.retain(|location| !labels.locations.contains(location));
    labels.other_by.retain(|other| *other != labels.by);
    if let Some(first) = shown.patterns.first().copied() {
        let others: BTreeSet<usize> = shown.patterns.iter().copied().filter(|pattern| *pattern != first).collect();
        shown.patterns = [first].into_iter().chain(others).collect();
    }
    let cause = &mut shown.cause;
    sort(&mut cause.units);
    sort(&mut cause.by_all);
    sort(&mut cause.accesses);
    sort(&mut cause.members);
    if let Some(first) = cause.places.first().cloned() {
        sort(&mut cause.places);
        cause.places.retain(|place| *place != first);
        cause.places.insert(0, first);
    }
}

/// Adds the contents of a member to the finding.
pub(super) fn add(shown: &mut Finding, member: &Finding) {
    shown.patterns.extend(&member.patterns);
    shown.violations += member.violations;
    extend(&mut shown.automata, &member.automata);
    extend(&mut shown.other_locations, &member.locations);
    extend(&mut shown.other_locations, &member.other_locations);
    extend(&mut shown.other_by, std::slice::from_ref(&member.by));
    extend(&mut shown.other_by, &member.other_by);
    let labels = &mut shown.labels;
    extend(&mut labels.other_locations, &member.labels.locations);
    extend(&mut labels.other_locations, &member.labels.other_locations);
    extend(&mut labels.other_by, std::slice::from_ref(&member.labels.by));
    extend(&mut labels.other_by, &member.labels.other_by);
    if member.labels.unit != labels.unit {
        extend(&mut labels.other_units, std::slice::from_ref(&member.labels.unit));
    }
    for (label, count) in &member.labels.violations {
        *labels.violations.entry(label.clone()).or_default() += count;
    }
    let cause = &mut shown.cause;
    cause.lines = [cause.lines[0].min(member.cause.lines[0]), cause.lines[1].max(member.cause.lines[1])];
    cause.accesses.extend(member.cause.accesses.iter().cloned());
    cause.units.extend(member.cause.units.iter().cloned());
    cause.by_all.extend(member.cause.by_all.iter().cloned());
    cause.members.extend(member.cause.members.iter().cloned());
    cause.places.extend(member.cause.places.iter().cloned());
}

/// Adds the new elements.
fn extend(to: &mut Vec<String>, from: &[String]) {
    for one in from {
        if !to.contains(one) {
            to.push(one.clone());
        }
    }
}

fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort();
    list.dedup();
}

#[cfg(test)]
mod tests {
    use super::super::cause::Cause;
    use super::groups;

    fn cause(method: &str, lines: [u32; 2]) -> Cause {
        Cause { method: method.into(), lines, ..Cause::default() }
    }

    fn found(causes: Vec<Cause>) -> Vec<Vec<[u32; 2]>> {
        let groups = groups(causes, Cause::section);
        groups.into_iter().map(|group| group.into_iter().map(|cause| cause.lines).collect()).collect()
    }

    #[test]
    fn sections_that_overlap_have_one_cause() {
        // The first one is long enough to reach the third, which begins after the end of the second.
        let of_one = vec![cause("f", [8, 9]), cause("f", [1, 8]), cause("f", [2, 3]), cause("f", [10, 12])];
        assert_eq!(found(of_one), [vec![[1, 8], [2, 3], [8, 9]], vec![[10, 12]]]);
    }

    #[test]
    fn sections_of_different_methods_are_different_causes() {
        assert_eq!(found(vec![cause("g", [1, 2]), cause("f", [1, 2])]).len(), 2);
        assert!(found(Vec::new()).is_empty());
    }
}
