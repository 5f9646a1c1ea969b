//! The data of a run that no subject has, and the run that it makes with the reports of its subjects.

use super::stored::Run;
use super::subject::SubjectReport;
use super::undecided::Undecided;
use super::verdict::ClassVerdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The data of a run that no subject has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Number of classes, without those of libraries.
    pub classes: usize,
    /// Number of classes that are no subjects, by the reason.
    pub skipped: BTreeMap<Cow<'static, str>, usize>,
    /// Classes that do not claim to be thread-safe.
    pub unclaimed: Vec<String>,
    /// Number of subjects.
    pub of: usize,
    /// The places of classes, each with that of a subclass whose objects clients get as objects of the class.
    pub factories: Vec<(usize, usize)>,
}

impl Head {
    /// The run of the subjects at these places, with their reports. `decide` decides a subject that is not among them.
    ///
    /// A proved class is left open if a subclass whose objects clients get is not proved, or one of that subclass, and
    /// so on. So each part of a run leaves the same classes open as the whole run does.
    ///
    /// # Errors
    /// If `decide` fails.
    pub fn run<E>(
        self,
        places: Vec<usize>,
        mut subjects: Vec<SubjectReport>,
        decide: impl Fn(usize) -> Result<Option<SubjectReport>, E>,
    ) -> Result<Run, E> {
        let own: BTreeMap<usize, usize> = places.iter().enumerate().map(|(number, place)| (*place, number)).collect();
        let mut known: BTreeMap<usize, Option<String>> = BTreeMap::new();
        for (place, number) in &own {
            known.insert(*place, subjects.get(*number).and_then(refuted));
        }
        let mut left_open = Vec::new();
        for (place, number) in &own {
            if subjects.get(*number).is_none_or(|report| report.verdict() != ClassVerdict::Proved) {
                continue;
            }
            for subclass in self.subclasses(*place) {
                if let Entry::Vacant(new) = known.entry(subclass) {
                    new.insert(decide(subclass)?.as_ref().and_then(refuted));
                }
                if let Some(Some(class)) = known.get(&subclass) {
                    left_open.push((*number, Undecided::by_subclass(class)));
                    break;
                }
            }
        }
        for (number, reason) in left_open {
            subjects[number].unknown.push(reason);
        }
        let Self { classes, skipped, unclaimed, of, factories: _ } = self;
        Ok(Run { classes, skipped, unclaimed, of, places, subjects })
    }

    /// The places of all subclasses whose objects clients get in place of those of a class.
    fn subclasses(&self, base: usize) -> Vec<usize> {
        let mut found = vec![base];
        let mut next = 0;
        while let Some(class) = found.get(next).copied() {
            next += 1;
            for (_, subclass) in self.factories.iter().filter(|(of, _)| *of == class) {
                if !found.contains(subclass) {
                    found.push(*subclass);
                }
            }
        }
        found.remove(0);
        found
    }
}

/// The name of a class that is neither proved nor without questions.
fn refuted(report: &SubjectReport) -> Option<String> {
    matches!(report.verdict(), ClassVerdict::Violated | ClassVerdict::Open).then(|| report.class.clone())
}

#[cfg(test)]
mod tests {
    use super::super::subject::SubjectKind;
    use super::*;
    use decide::Reason;

    /// A proved class, an open one, or one that was not asked about.
    fn report(name: &str, verdict: ClassVerdict) -> SubjectReport {
        let mut report = SubjectReport::new(name.into(), SubjectKind::Object, "named".into());
        report.queries = usize::from(verdict != ClassVerdict::NothingAsked);
        if verdict == ClassVerdict::Open {
            report.unknown.push(Undecided::new(None, Reason::Bound));
        }
        assert_eq!(report.verdict(), verdict);
        report
    }

    /// The classes that a part of the run reports as open.
    fn open(all: &[SubjectReport], factories: &[(usize, usize)], places: &[usize]) -> Vec<String> {
        let head = Head {
            classes: all.len(),
            skipped: BTreeMap::new(),
            unclaimed: Vec::new(),
            of: all.len(),
            factories: factories.to_vec(),
        };
        let reports = places.iter().map(|place| all[*place].clone()).collect();
        let decide = |place: usize| -> Result<_, std::convert::Infallible> {
            assert!(!places.contains(&place));
            Ok(all.get(place).cloned())
        };
        let Ok(run) = head.run(places.to_vec(), reports, decide);
        let open = run.subjects.iter().filter(|report| report.verdict() == ClassVerdict::Open);
        open.map(|report| report.class.clone()).collect()
    }

    #[test]
    fn parts_leave_the_same_classes_open_as_the_whole() {
        use ClassVerdict::{NothingAsked, Open, Proved};
        let all = [
            report("A", Proved),
            report("B", Proved),
            report("C", Open),
            report("D", Proved),
            report("E", NothingAsked),
        ];
        let factories = [(0, 1), (1, 2), (3, 4)];
        let whole = open(&all, &factories, &[0, 1, 2, 3, 4]);
        assert_eq!(whole, ["A", "B", "C"]);
        for parts in 0..1_u32 << 5 {
            let part = |one: u32| -> Vec<usize> { (0..5).filter(|place| parts >> place & 1 == one).collect() };
            let mut both = [0, 1].map(|one| open(&all, &factories, &part(one))).concat();
            both.sort();
            assert_eq!(both, whole, "{parts:b}");
        }
    }
}
