//! The answers of a run, and the findings to which differences of other methods belong.

use crate::attribution::Attribution;
use crate::torn_section::{CodeLine, TornSection};
use audit::{Confirmation, ConfirmationVerdict, Fault, Finding, ObservedCalls, Report, SubjectReport};
use std::collections::{BTreeMap, BTreeSet};

/// The answer of a finding.
pub(crate) struct Answer {
    pub(crate) confirmation: Confirmation,
    /// The calls that were seen, if the finding of another search was run.
    pub(crate) calls: Option<ObservedCalls>,
}

impl Answer {
    /// The answer of the search for the finding itself.
    pub(crate) fn own(confirmation: Confirmation) -> Self {
        Self { confirmation, calls: None }
    }
}

/// The finding to which a difference belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This finding of the subject has the methods.
    Finding(usize),
    /// No finding of the subject has them.
    New,
}

/// The answers so far.
#[derive(Default)]
pub(crate) struct Answers {
    /// The answers by subject and finding.
    all: BTreeMap<(usize, usize), Answer>,
    /// The findings that were seen, and that the report does not have.
    observed: Vec<(usize, ObservedCalls, Confirmation)>,
    /// The methods that are known to differ: the subject, the interrupted method, the other one.
    known: BTreeSet<(usize, String, String)>,
    /// The places of the observed findings: the subject, the interrupted method, the line of the interruption. Further
    /// methods that differ there have the same cause.
    places: BTreeSet<(usize, String, CodeLine)>,
}

impl Answers {
    /// Whether a finding is confirmed.
    pub(crate) fn is_confirmed(&self, finding: (usize, usize)) -> bool {
        let is_confirmed = |answer: &Answer| answer.confirmation.verdict == ConfirmationVerdict::Confirmed;
        self.all.get(&finding).is_some_and(is_confirmed)
    }

    /// Adds the answer of a finding, unless it is confirmed. Returns whether the finding had no answer.
    pub(crate) fn add(&mut self, finding: (usize, usize), answer: Answer) -> bool {
        let is_new = !self.all.contains_key(&finding);
        if !self.is_confirmed(finding) {
            self.all.insert(finding, answer);
        }
        is_new
    }

    /// Adds a finding that the report does not have.
    pub(crate) fn add_observed(&mut self, subject: usize, calls: ObservedCalls, confirmation: Confirmation) {
        self.observed.push((subject, calls, confirmation));
    }

    /// Returns the finding to which a difference belongs: one whose sentence names the methods, or else one that has
    /// them among its interfering calls, or among all units and calls of its cause; its torn section was torn. None if
    /// the methods are known to differ, or the interrupted one at this place.
    pub(crate) fn owner(&mut self, number: usize, subject: &SubjectReport, seen: &Attribution) -> Option<Owner> {
        let is_torn = |finding: &Finding, by: &str| seen.is_of(&finding.unit, by, &TornSection::of(finding));
        let is_open = |place: usize| !self.is_confirmed((number, place));
        let find = |is_one: &dyn Fn(&Finding) -> bool| {
            let all = subject.findings.iter().enumerate();
            let mut owners =
                all.filter(|(_, finding)| !finding.is_deadlock() && is_one(finding)).map(|(place, _)| place);
            owners.clone().find(|place| is_open(*place)).or_else(|| owners.next())
        };
        let named = find(&|finding| is_torn(finding, &finding.by));
        let owner = named.or_else(|| find(&|finding| finding.other_by.iter().any(|by| is_torn(finding, by))));
        let is_of_cause = |finding: &Finding| {
            let cause = &finding.cause;
            let has_both = cause.units.contains(&seen.unit) && cause.by_all.contains(&seen.by);
            has_both
                && finding.at_fault == Fault::Unit
                && TornSection::of_other_unit(finding).is_surely_torn(&seen.interruption)
        };
        let owner = owner.or_else(|| find(&is_of_cause));
        match owner {
            Some(place) => is_open(place).then_some(Owner::Finding(place)),
            None => self.is_new(number, seen).then_some(Owner::New),
        }
    }

    /// Whether neither the methods nor the place of a difference are known.
    fn is_new(&mut self, number: usize, seen: &Attribution) -> bool {
        let is_new_pair = self.known.insert((number, seen.unit.clone(), seen.by.clone()));
        is_new_pair && self.places.insert((number, seen.unit.clone(), seen.interruption.at.clone()))
    }

    /// Adds all answers to the report.
    pub(crate) fn add_to(self, report: &mut Report) {
        for ((subject, finding), Answer { confirmation, calls }) in self.all {
            let subject = &mut report.subjects[subject];
            match calls {
                Some(calls) => subject.show_observed(finding, &calls, confirmation),
                None => subject.findings[finding].confirmation = Some(confirmation),
            }
        }
        for (subject, calls, confirmation) in self.observed {
            report.subjects[subject].add_observed(&calls, confirmation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use audit::{ConfirmationEffort, Demonstration};

    fn confirmation(is_confirmed: bool) -> Confirmation {
        let demonstration = Demonstration {
            kind: "fails".into(),
            says: String::new(),
            seed: 0,
            before: String::new(),
            threads: Vec::new(),
            forced: String::new(),
            steps: Vec::new(),
            differences: Vec::new(),
            program: None,
        };
        let effort = ConfirmationEffort { schedules: 1, ..ConfirmationEffort::default() };
        Confirmation::new("", &effort, if is_confirmed { Ok(demonstration) } else { Err("why".into()) })
    }

    #[test]
    fn a_confirmed_finding_keeps_its_answer() {
        let mut answers = Answers::default();
        assert!(answers.add((0, 0), Answer::own(confirmation(false))));
        assert!(!answers.add((0, 0), Answer::own(confirmation(true))) && answers.is_confirmed((0, 0)));
        assert!(!answers.add((0, 0), Answer::own(confirmation(false))) && answers.is_confirmed((0, 0)));
        assert!(!answers.is_confirmed((0, 1)));
    }
}
