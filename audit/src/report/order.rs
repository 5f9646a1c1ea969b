//! The order of subjects and findings in a report: by importance, with repeated findings last.

use super::audit_report::Report;
use super::finding::Finding;
use super::subject::SubjectReport;
use crate::evidence::Likelihood;
use isolate::Claim;

impl Report {
    /// Orders the subjects by importance, equally important ones by the given places: subjects with findings first,
    /// then undecided ones, then decided ones. Classes that are named but claim nothing come after those that claim to
    /// be thread-safe.
    pub fn order(&mut self, places: Vec<usize>) {
        let group = |record: &SubjectReport| match record.findings.is_empty() {
            true => 2,
            false => u8::from(record.claim == Claim::Named.name()),
        };
        let sorted = |places: Vec<usize>, subjects: Vec<SubjectReport>| -> (Vec<usize>, Vec<SubjectReport>) {
            let mut placed: Vec<_> = places.into_iter().zip(subjects).collect();
            placed.sort_by(|(place, a), (other, b)| {
                let by_likelihood = group(a).cmp(&group(b)).then(a.likelihood().cmp(&b.likelihood()));
                by_likelihood.then(b.rank().total_cmp(&a.rank())).then(place.cmp(other))
            });
            placed.into_iter().unzip()
        };
        let (places, subjects) = sorted(places, std::mem::take(&mut self.subjects));
        self.subjects = subjects;
        if let Some(shard) = &mut self.shard {
            // Repeated findings are known when the shards are united.
            shard.places = places;
            return;
        }
        super::repeats::mark(&mut self.subjects);
        for subject in &mut self.subjects {
            subject.findings.sort_by(|a, b| {
                let by_likelihood = a.repeats.is_some().cmp(&b.repeats.is_some()).then(a.likelihood.cmp(&b.likelihood));
                by_likelihood.then(b.rank.total_cmp(&a.rank))
            });
        }
        (_, self.subjects) = sorted(places, std::mem::take(&mut self.subjects));
        self.count_likelihoods();
    }

    fn count_likelihoods(&mut self) {
        let all = || self.subjects.iter().flat_map(|subject| &subject.findings).filter(|it| it.stands_alone());
        let count = |likelihood: Likelihood| all().filter(|finding| finding.likelihood == likelihood).count();
        let [likely, possible, benign] = [Likelihood::Likely, Likelihood::Possible, Likelihood::Benign].map(count);
        (self.summary.likely, self.summary.possible, self.summary.benign) = (likely, possible, benign);
    }

    /// Moves confirmed findings to the front, where the others keep their order, and counts the findings again.
    pub fn confirmed_first(&mut self) {
        let findings = || self.subjects.iter().flat_map(|subject| &subject.findings);
        self.summary.findings = findings().count();
        self.summary.confirmed = findings().filter(|finding| finding.is_confirmed()).count();
        for subject in &mut self.subjects {
            subject.findings.sort_by_key(|finding| !finding.is_confirmed());
        }
        if self.shard.is_none() {
            let is_not = |subject: &SubjectReport| !subject.findings.iter().any(Finding::is_confirmed);
            self.subjects.sort_by_key(is_not);
            self.count_likelihoods();
        }
    }
}
