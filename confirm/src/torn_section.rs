//! The torn section of a finding, and the interruptions of a run.
//!
//! A finding says that its unit is interrupted within a torn section: between two accesses of the unit, where its
//! witness switches to the interfering thread. A run *tears* the section if the thread of the unit is interrupted after
//! it came to the line of the first access of such a pair, and comes to the line of the second one afterwards.
//!
//! A finding may stand for several torn sections on the same fields. Its places have their lines; neighbouring accesses
//! of the finding's locations within one place are pairs, too, if the unit is the one that shows the place. For the
//! other units of the cause those of all places are the pairs.
//!
//! A difference under a schedule that does not tear the section says nothing about the finding, however real it is: it
//! belongs to the methods that ran (`attribution`).

use audit::{Finding, Place, TornAccess};
use decide::witness::{Action, Step};
use std::collections::BTreeSet;
use std::fmt;

/// A line of the program: the name of its file without folders, and its number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CodeLine {
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl CodeLine {
    /// The line with a number in a file, which may have folders.
    pub(crate) fn new(file: &str, line: u32) -> Self {
        Self { file: file.rsplit(['/', '\\']).next().unwrap_or_default().to_string(), line }
    }

    /// Reads a line of the target: `FILE:LINE`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (file, line) = text.rsplit_once(':')?;
        Some(Self::new(file, line.parse().ok()?))
    }

    /// Reads lines of the target, separated by blanks.
    pub(crate) fn parse_all(text: &str) -> BTreeSet<Self> {
        text.split(' ').filter_map(Self::parse).collect()
    }

    fn of_access(access: &TornAccess) -> Self {
        Self::new(access.file.as_deref().unwrap_or_default(), access.line)
    }

    /// The line of a step.
    pub(crate) fn of(step: &Step) -> Self {
        Self::new(step.file.as_deref().unwrap_or_default(), step.line)
    }
}

impl fmt::Display for CodeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.replace(' ', "_"), self.line)
    }
}

/// A number of a side of a client, 1 or 2.
pub(crate) type Side = usize;

/// A switch away from a side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Interruption {
    pub(crate) side: Side,
    /// The lines of the program to which the side came before.
    pub(crate) before: BTreeSet<CodeLine>,
    /// The lines of the program to which the side comes afterwards.
    pub(crate) after: BTreeSet<CodeLine>,
    /// The line of the access before which the side was stopped.
    pub(crate) at: CodeLine,
}

impl Interruption {
    /// Reads an interruption of the target.
    pub(crate) fn parse([side, before, after, at]: [&String; 4]) -> Option<Self> {
        Some(Self {
            side: side.parse().ok()?,
            before: CodeLine::parse_all(before),
            after: CodeLine::parse_all(after),
            at: CodeLine::parse(at).unwrap_or_default(),
        })
    }
}

/// The torn section of a finding.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TornSection {
    /// The lines of the accesses of the unit.
    lines: BTreeSet<CodeLine>,
    /// The lines of the neighbouring accesses of the unit between which the witness switches.
    switches: BTreeSet<(CodeLine, CodeLine)>,
}

impl TornSection {
    /// Returns the section of a finding. It is empty for a finding that names no accesses.
    pub(crate) fn of(finding: &Finding) -> Self {
        let mut section = Self::default();
        let mut last: Option<CodeLine> = None;
        let mut is_switched = false;
        let is_access = |step: &&Step| step.event.is_some() && matches!(step.action, Action::Read | Action::Write);
        for step in finding.witness.steps.iter().filter(is_access) {
            if step.thread != 0 {
                is_switched = true;
                continue;
            }
            let line = CodeLine::of(step);
            section.lines.insert(line.clone());
            if let Some(last) = last.replace(line.clone()).filter(|_| is_switched) {
                section.switches.insert((last, line));
            }
            is_switched = false;
        }
        section.add_places(finding, |place| place.unit == finding.unit);
        section
    }

    /// Returns the section of another unit of the cause: the neighbouring accesses of all places. In a place with one
    /// line both accesses are in this line.
    pub(crate) fn of_other_unit(finding: &Finding) -> Self {
        let mut section = Self::default();
        section.add_places(finding, |_| true);
        for place in finding.cause.places.iter().filter(|place| place.lines[0] == place.lines[1]) {
            let line = CodeLine::new(place.file.as_deref().unwrap_or_default(), place.lines[0]);
            section.switches.extend(section.lines.get(&line).map(|line| (line.clone(), line.clone())));
        }
        section
    }

    /// Adds the neighbouring accesses of some places.
    fn add_places(&mut self, finding: &Finding, is_chosen: impl Fn(&Place) -> bool) {
        let cause = &finding.cause;
        for place in cause.places.iter().filter(|place| is_chosen(place)) {
            let [first, last] = place.lines;
            let is_of_place = |one: &&TornAccess| {
                let is_in_range = (first..=last).contains(&one.line);
                one.method == place.method && is_in_range && place.locations.contains(&one.location)
            };
            let lines: BTreeSet<CodeLine> =
                cause.accesses.iter().filter(is_of_place).map(CodeLine::of_access).collect();
            self.switches.extend(lines.iter().zip(lines.iter().skip(1)).map(|(a, b)| (a.clone(), b.clone())));
            self.lines.extend(lines);
        }
    }

    /// Whether an interruption of the unit is within the section. Any one is if the section has no switch.
    pub(crate) fn is_torn(&self, interruption: &Interruption) -> bool {
        self.switches.is_empty() || self.is_surely_torn(interruption)
    }

    /// Whether an interruption of the unit is between two accesses of the section.
    pub(crate) fn is_surely_torn(&self, Interruption { before, after, .. }: &Interruption) -> bool {
        let is_torn = |(first, second): &(CodeLine, CodeLine)| before.contains(first) && after.contains(second);
        self.switches.iter().any(is_torn)
    }

    /// Returns the text for the target: pairs of lines, separated by blanks.
    pub(crate) fn text(&self) -> String {
        let pairs = self.switches.iter().map(|(first, second)| format!("{first}>{second}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    /// The share of the lines of the section that a thread came to; none for an empty section.
    pub(crate) fn reached(&self, visited: &BTreeSet<CodeLine>) -> Option<f64> {
        let all = self.lines.len();
        (all > 0).then(|| self.lines.intersection(visited).count() as f64 / all as f64)
    }

    /// The lines of the section to which a thread came.
    pub(crate) fn visited<'s>(&'s self, lines: &'s BTreeSet<CodeLine>) -> impl Iterator<Item = &'s CodeLine> {
        self.lines.intersection(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(numbers: &[u32]) -> BTreeSet<CodeLine> {
        numbers.iter().map(|line| CodeLine::new("p/C.java", *line)).collect()
    }

    fn interruption(before: &[u32], after: &[u32]) -> Interruption {
        Interruption { side: 1, before: lines(before), after: lines(after), at: CodeLine::default() }
    }

    /// A unit reads in line 3, another thread interferes, and the unit writes in line 5.
    fn section() -> TornSection {
        let pair = (CodeLine::new("C.java", 3), CodeLine::new("C.java", 5));
        TornSection { lines: lines(&[3, 5]), switches: BTreeSet::from([pair]) }
    }

    #[test]
    fn a_section_is_torn_between_its_accesses_only() {
        assert!(section().is_torn(&interruption(&[2, 3], &[5, 6])));
        assert!(!section().is_torn(&interruption(&[2], &[3, 5])), "before the section");
        assert!(!section().is_torn(&interruption(&[3, 5], &[6])), "after the section");
        assert!(!section().is_torn(&interruption(&[5], &[3])), "in the other order");
        assert!(TornSection::default().is_torn(&interruption(&[], &[])), "no access is named");
    }

    #[test]
    fn texts_are_read() {
        let fields = ["2", "C.java:3 D.java:4", "", "C.java:3"].map(String::from);
        let read = Interruption::parse([&fields[0], &fields[1], &fields[2], &fields[3]]).expect("an interruption");
        assert_eq!((read.side, read.before.len(), read.after.len()), (2, 2, 0));
        assert_eq!(read.at, CodeLine::new("p/C.java", 3));
        assert_eq!(section().text(), "C.java:3>C.java:5");
    }

    #[test]
    fn the_share_counts_lines() {
        assert_eq!(section().reached(&lines(&[2, 3])), Some(0.5));
        assert_eq!(section().reached(&lines(&[3, 5])), Some(1.0));
        assert_eq!(TornSection::default().reached(&lines(&[3])), None);
    }
}
