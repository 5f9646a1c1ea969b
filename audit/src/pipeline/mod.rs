//! The pipeline of an audit: for each subject its models, their queries, and findings with evidence.
//!
//! Subjects are decided independently of each other, in parallel, and reported in their order. A panic or an error in
//! one subject is reported with it and does not affect the others. Invariant: a subject that a limit, a cancellation or
//! a fault has cut short is not safe; it has an entry in [`SubjectReport::unknown`].

mod panics;
mod pointer_analysis;
mod stage_limits;

pub use pointer_analysis::{Unanalysed, points_to};

use crate::evidence::{Case, Judge};
use crate::options::Options;
use crate::progress::{Event, Progress};
use crate::question::{Answer, Common, Question};
use crate::report::{Fault, Finding, SubjectKind, SubjectReport, Undecided};
use crate::selection::class_name;
use crate::violations::Bookkeeping;
use decide::answers::VerdictKind;
use decide::findings::Group;
use decide::{Error, Reason};
use isolate::{
    Analysis, Claim, Facts, Isolated, MAX_STATES, Main, NotIsolated, Stuck, Subject, isolate_client_within,
    isolate_main,
};
use java::Program;
use limits::{Deadline, Limits};
use panics::reported;
use rayon::ThreadPoolBuilder;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use stage_limits::{StageLimits, beginning_now};
use std::num::NonZeroUsize;
use std::time::Instant;

/// The common data of all subjects of a run.
pub struct Pipeline<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// Judges the evidence of violations.
    pub judge: &'a Judge<'a>,
    /// The analysis of the whole program, or the reason why there is none.
    pub analysis: Result<Analysis<'a>, Unanalysed>,
    pub options: &'a Options,
    pub common: Common<'a>,
    pub main: Option<Main>,
    pub progress: &'a Progress<'a>,
}

impl Pipeline<'_> {
    /// Decides all subjects in parallel. The reports are in the order of the subjects.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn all(&self, subjects: &[(usize, Subject)]) -> Result<Vec<SubjectReport>, crate::error::Error> {
        let jobs = self.options.jobs.map_or(0, NonZeroUsize::get);
        let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| crate::error::Error::Threads(error.to_string()))?;
        let one = |(_, subject): &(usize, Subject)| {
            let report = reported(|| self.one(subject), || self.empty(subject));
            (self.progress)(Event::Decided(&report));
            report
        };
        Ok(pool.install(|| subjects.par_iter().map(one).collect()))
    }

    fn one(&self, subject: &Subject) -> Result<SubjectReport, Error> {
        let begin = Instant::now();
        let limits = &beginning_now(&self.options.limits);
        let stages = StageLimits::new(limits);
        let mut report = match &self.analysis {
            Ok(analysis) => {
                let models = self.models(*analysis, subject, &stages);
                self.report(subject, models, limits, &stages)?
            }
            Err(why) => SubjectReport { unknown: vec![unanalysed(why)], ..self.empty(subject) },
        };
        report.seconds = begin.elapsed().as_secs_f64();
        Ok(report)
    }

    /// The findings in the models of a subject.
    fn report(
        &self,
        subject: &Subject,
        models: Result<Vec<Isolated>, NotIsolated>,
        limits: &Limits,
        stages: &StageLimits<'_>,
    ) -> Result<SubjectReport, Error> {
        let mut report = self.empty(subject);
        match models {
            Ok(models) => {
                let bookkeeping = Bookkeeping::of(self.program, self.facts, subject.class);
                for (number, isolated) in models.into_iter().enumerate() {
                    (self.progress)(Event::Model { subject, number, isolated: &isolated });
                    self.decide(&mut report, (subject, &bookkeeping), isolated, (limits, stages.until()))?;
                }
                report.find_causes();
            }
            Err(NotIsolated::NothingToViolate(assumptions)) => report.assumptions = assumptions,
            Err(NotIsolated::NotReached) => report.unreached = true,
            Err(NotIsolated::Stuck(Stuck::Cancelled)) => {
                let reason = stages.reason().or(self.ended()).unwrap_or(Reason::Cancelled);
                report.unknown.push(Undecided::new(None, reason));
            }
            Err(NotIsolated::Stuck(stuck)) => report.unknown.push(Undecided::unsupported(&stuck.to_string())),
            Err(NotIsolated::Fault(errors)) => {
                let first = errors.first().map(ToString::to_string).unwrap_or_default();
                report.unknown.push(Undecided::unsupported(&format!("its methods make no model: {first}")));
            }
        }
        Ok(report)
    }

    /// The reason for which the whole run was ended, if it was.
    fn ended(&self) -> Option<Reason> {
        self.options.limits.cancellation.reason().map(Reason::from)
    }

    /// The models of a subject: one, or several in a whole program. Each may have violations.
    fn models(
        &self,
        analysis: Analysis<'_>,
        subject: &Subject,
        stages: &StageLimits<'_>,
    ) -> Result<Vec<Isolated>, NotIsolated> {
        match self.main {
            Some(main) => isolate_main(analysis, subject, main, &|| stages.is_over()),
            None => {
                let is_over = |stage| stages.is_stage_over(stage);
                isolate_client_within(analysis, subject, MAX_STATES, &is_over).map(|isolated| vec![isolated])
            }
        }
    }

    fn decide(
        &self,
        report: &mut SubjectReport,
        (subject, bookkeeping): (&Subject, &Bookkeeping),
        isolated: Isolated,
        (limits, until): (&Limits, Option<Deadline>),
    ) -> Result<(), Error> {
        // The object and the static fields of a class may have a common unit, but their findings need different
        // fingerprints.
        let class = match report.kind {
            SubjectKind::Object => report.class.clone(),
            SubjectKind::Static => format!("{} static", report.class),
        };
        let question = Question { common: &self.common, isolated: &isolated, class: &class, bookkeeping };
        let answer = self.answer(&question, limits, until)?;
        let Answer { queries, subsumed, violations, undecided, mut findings, undecided_units, records } = answer;
        findings.iter_mut().for_each(|finding| self.assess_likelihood(subject, &isolated, finding));
        let Isolated { model, entries, assumptions, partial, coarse, meanings, .. } = isolated;
        for (what, count) in coarse {
            let known = report.coarse.entry(what).or_default();
            *known = count.max(*known);
        }
        report.entries = report.entries.max(entries.len());
        let locations = model.locations().iter().map(|location| meanings.location(location.name()).to_string());
        report.locations.extend(locations);
        report.locations.sort();
        report.locations.dedup();
        report.assumptions.extend(assumptions);
        report.queries += queries;
        report.subsumed += subsumed;
        report.violations += violations;
        report.undecided += undecided;
        // If calls were omitted, a query without violation is not safe.
        let says_something =
            |query: &decide::answers::QueryRecord| partial.is_none() || query.verdict != VerdictKind::Safe;
        report.all_queries.extend(records.into_iter().filter(says_something));
        report.unknown.extend(
            partial.map(|stuck| Undecided::unsupported(&format!("{stuck}; calls of other classes were left out"))),
        );
        report.findings.extend(findings);
        let ended = self.ended();
        let units = undecided_units.into_iter().filter(|(_, reason)| ended.is_none() || *reason != Reason::Cancelled);
        report.unknown.extend(units.map(|(unit, reason)| Undecided::new(Some(unit), reason)));
        if self.options.limits.cancellation.is_cancelled() {
            report.unknown.push(Undecided::new(None, ended.unwrap_or(Reason::Cancelled)));
        }
        Ok(())
    }

    /// Assesses how likely a violation should be repaired.
    fn assess_likelihood(&self, subject: &Subject, isolated: &Isolated, finding: &mut Finding) {
        let by: Vec<String> = [finding.by.clone()].into_iter().chain(finding.other_by.iter().cloned()).collect();
        let judgement = self.judge.judge(&Case {
            class: subject.class,
            claim: subject.claim,
            is_program: self.main.is_some(),
            unit: &finding.unit,
            unit_label: &finding.labels.unit,
            by: &by,
            by_label: &finding.labels.by,
            other_by_labels: &finding.labels.other_by,
            locations: &finding.labels.locations,
            torn: &finding.cause.method,
            lines: finding.cause.lines,
            witness: &finding.witness,
            is_victim: finding.at_fault == Fault::By,
            group: Group::of(&finding.labels.shown),
            is_benign: finding.benign_reason.is_some(),
            meanings: &isolated.meanings,
        });
        (finding.likelihood, finding.rank) = (judgement.likelihood, judgement.rank);
        (finding.evidence, finding.says) = (judgement.evidence, judgement.says);
    }

    /// The answer to a question: from the store, or a new one, which is stored if it is complete.
    fn answer(&self, question: &Question<'_>, limits: &Limits, until: Option<Deadline>) -> Result<Answer, Error> {
        let Some(store) = &self.options.store else { return question.answer(limits, until) };
        let key = store.key(question);
        if let Some(answer) = store.get(&key) {
            return Ok(answer);
        }
        let answer = question.answer(limits, until)?;
        // After a cancellation an answer does not list all queries that were left out.
        if answer.is_whole() && !self.options.limits.cancellation.is_cancelled() {
            store.keep(&key, &answer);
        }
        Ok(answer)
    }

    fn empty(&self, subject: &Subject) -> SubjectReport {
        let kind = if subject.claim == Claim::Statics { SubjectKind::Static } else { SubjectKind::Object };
        SubjectReport::new(class_name(self.program, subject), kind, subject.claim.name().into())
    }
}

/// The entry of a subject that is not decided because there is no pointer analysis.
fn unanalysed(why: &Unanalysed) -> Undecided {
    match why {
        Unanalysed::Limit(reason) => {
            let detail = Some("the pointer analysis met a limit".into());
            Undecided { detail, ..Undecided::new(None, *reason) }
        }
        Unanalysed::TooLarge(error) => Undecided::unsupported(&error.to_string()),
        Unanalysed::Fault(message) => Undecided::fault(message),
    }
}
