//! How each subject is decided: its models are made, and their questions are answered.

use super::cache::Cache;
use super::caught::{fault, recorded};
use super::chosen::name_of;
use super::emit::Emitter;
use super::points::Unanalysed;
use super::question::{Answer, Common, Question};
use super::watch::{Watch, beginning_now};
use crate::cli::Failure;
use crate::cli::arguments::JavaArguments;
use crate::cli::ending::Ending;
use crate::cli::progress::Progress;
use anyhow::Context;
use asercheck::answers::VerdictKind;
use asercheck::findings::Group;
use asercheck::isolate::{
    Analysis, Claim, Facts, Isolated, MOST_STATES, Main, NotIsolated, Stuck, Subject, isolate_client_within,
    isolate_main, printable,
};
use asercheck::java::Program;
use asercheck::java_records::{Fault, FindingRecord, OpenRecord, SubjectKind, SubjectRecord};
use asercheck::verdict::{Bookkeeping, Case, Judge};
use asercheck::{Deadline, Error, Limits, Reason};
use rayon::ThreadPoolBuilder;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What is asked of each subject.
pub(super) struct Asking<'a> {
    pub(super) program: &'a Program,
    /// What the evidence says of violations.
    pub(super) judge: &'a Judge<'a>,
    /// What is known of the program; or why it is not.
    pub(super) analysis: Result<Analysis<'a>, Unanalysed>,
    pub(super) facts: &'a Facts,
    pub(super) common: &'a Common<'a>,
    pub(super) limits: Limits,
    pub(super) cache: Option<Cache>,
    pub(super) emitter: Option<Emitter<'a>>,
    pub(super) arguments: &'a JavaArguments,
    pub(super) main: Option<Main>,
}

impl Asking<'_> {
    /// Decides all subjects, some at the same time, in their order.
    pub(super) fn all(
        &self,
        subjects: &[(usize, Subject)],
        progress: Progress,
        ending: &Ending,
    ) -> Result<Vec<SubjectRecord>, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.arguments.jobs.map_or(0, NonZeroUsize::get)).build();
        let pool = pool.context("threads").map_err(Failure::internal)?;
        let progress = Mutex::new(progress);
        let one = |(_, subject): &(usize, Subject)| {
            let record = recorded(|| self.one(subject, ending), || self.empty(subject))?;
            let verdict = match (record.findings.is_empty(), record.unknown.is_empty()) {
                (false, _) => VerdictKind::Violation,
                (true, false) => VerdictKind::Unknown,
                (true, true) => VerdictKind::Safe,
            };
            progress.lock().unwrap_or_else(PoisonError::into_inner).count(verdict);
            Ok(record)
        };
        pool.install(|| subjects.par_iter().map(one).collect())
    }

    fn one(&self, subject: &Subject, ending: &Ending) -> Result<SubjectRecord, Failure> {
        let begin = Instant::now();
        let limits = &beginning_now(&self.limits);
        let watch = Watch::new(limits);
        let until = watch.until();
        let mut record = match &self.analysis {
            Ok(analysis) => {
                let models = self.models(*analysis, subject, &watch);
                self.record(subject, models, (limits, ending, until), &watch)?
            }
            Err(why) => SubjectRecord { unknown: vec![unanalysed(why)], ..self.empty(subject) },
        };
        record.seconds = begin.elapsed().as_secs_f64();
        Ok(record)
    }

    /// What is found in the models of a subject.
    fn record(
        &self,
        subject: &Subject,
        models: Result<Vec<Isolated>, NotIsolated>,
        (limits, ending, until): (&Limits, &Ending, Option<Deadline>),
        watch: &Watch<'_>,
    ) -> Result<SubjectRecord, Failure> {
        let mut record = self.empty(subject);
        match models {
            Ok(models) => {
                let bookkeeping = Bookkeeping::of(self.program, self.facts, subject.class);
                for (number, isolated) in models.into_iter().enumerate() {
                    if let Some(emitter) = &self.emitter {
                        emitter.write(subject, number, &isolated)?;
                    }
                    self.decide(&mut record, (subject, &bookkeeping), isolated, (limits, ending, until))
                        .map_err(Failure::internal)?;
                }
                record.find_causes();
            }
            Err(NotIsolated::NothingToViolate(assumptions)) => record.assumptions = assumptions,
            Err(NotIsolated::NotReached) => record.unreached = true,
            Err(NotIsolated::Stuck(Stuck::Cancelled)) => {
                let reason = watch.reason().or(ending.reason()).unwrap_or(Reason::Cancelled);
                record.unknown.push(open(None, reason));
            }
            Err(NotIsolated::Stuck(stuck)) => record.unknown.push(not_followed(&stuck.to_string())),
            Err(NotIsolated::Fault(errors)) => {
                let first = errors.first().map(ToString::to_string).unwrap_or_default();
                record.unknown.push(not_followed(&format!("its methods make no model: {first}")));
            }
        }
        Ok(record)
    }

    /// The models of a subject: one, or in program mode several, each of which can show a violation.
    fn models(
        &self,
        analysis: Analysis<'_>,
        subject: &Subject,
        watch: &Watch<'_>,
    ) -> Result<Vec<Isolated>, NotIsolated> {
        match self.main {
            Some(main) => isolate_main(analysis, subject, main, &|| watch.is_over()),
            None => {
                let is_over = |stage| watch.is_stage_over(stage);
                isolate_client_within(analysis, subject, MOST_STATES, &is_over).map(|isolated| vec![isolated])
            }
        }
    }

    fn decide(
        &self,
        record: &mut SubjectRecord,
        (subject, bookkeeping): (&Subject, &Bookkeeping),
        isolated: Isolated,
        (limits, ending, until): (&Limits, &Ending, Option<Deadline>),
    ) -> Result<(), Error> {
        // The object and the static fields of a class may have a unit in common: what is found of both has two
        // fingerprints.
        let class = match record.kind {
            SubjectKind::Object => record.class.clone(),
            SubjectKind::Static => format!("{} static", record.class),
        };
        let question = Question { common: self.common, isolated: &isolated, class: &class, bookkeeping };
        let answer = self.answer(&question, limits, until)?;
        let Answer { queries, spared, violations, undecided, mut findings, open: undecided_units, records } = answer;
        findings.iter_mut().for_each(|finding| self.weigh(subject, &isolated, finding));
        let Isolated { model, entries, assumptions, partial, coarse, meanings, .. } = isolated;
        for (what, count) in coarse {
            let known = record.coarse.entry(what).or_default();
            *known = count.max(*known);
        }
        record.entries = record.entries.max(entries.len());
        let locations = model.locations().iter().map(|location| meanings.location(location.name()).to_string());
        record.locations.extend(locations);
        record.locations.sort();
        record.locations.dedup();
        record.assumptions.extend(assumptions);
        record.queries += queries;
        record.spared += spared;
        record.violations += violations;
        record.undecided += undecided;
        // Where calls are left out, nothing is safe.
        let says_something =
            |query: &asercheck::answers::QueryRecord| partial.is_none() || query.verdict != VerdictKind::Safe;
        record.all_queries.extend(records.into_iter().filter(says_something));
        record
            .unknown
            .extend(partial.map(|stuck| not_followed(&format!("{stuck}; calls of other classes were left out"))));
        record.findings.extend(findings);
        let ended = ending.reason();
        let units = undecided_units.into_iter().filter(|(_, reason)| ended.is_none() || *reason != Reason::Cancelled);
        record.unknown.extend(units.map(|(unit, reason)| open(Some(unit), reason)));
        if self.limits.cancellation.is_cancelled() {
            record.unknown.push(open(None, ended.unwrap_or(Reason::Cancelled)));
        }
        Ok(())
    }

    /// Says how likely a violation is one to repair.
    fn weigh(&self, subject: &Subject, isolated: &Isolated, finding: &mut FindingRecord) {
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
            is_benign: finding.harmless.is_some(),
            meanings: &isolated.meanings,
        });
        (finding.likelihood, finding.rank) = (judgement.likelihood, judgement.rank);
        (finding.evidence, finding.says) = (judgement.evidence, judgement.says);
    }

    /// The answer to a question: from the cache, or a new one, which is kept if it is whole.
    fn answer(&self, question: &Question<'_>, limits: &Limits, until: Option<Deadline>) -> Result<Answer, Error> {
        let Some(cache) = &self.cache else { return question.answer(limits, until) };
        let key = question.key(cache.beginning());
        if let Some(answer) = cache.get(&key) {
            return Ok(answer);
        }
        let answer = question.answer(limits, until)?;
        // What a cancelled run has not asked is not always open.
        if answer.is_whole() && !self.limits.cancellation.is_cancelled() {
            cache.keep(&key, &answer);
        }
        Ok(answer)
    }

    fn empty(&self, subject: &Subject) -> SubjectRecord {
        let kind = if subject.claim == Claim::Statics { SubjectKind::Static } else { SubjectKind::Object };
        SubjectRecord::new(name_of(self.program, subject), kind, subject.claim.name().into())
    }
}

/// That a subject is not decided, as there is no pointer analysis.
fn unanalysed(why: &Unanalysed) -> OpenRecord {
    match why {
        Unanalysed::Limit(reason) => {
            let detail = Some("the pointer analysis met a limit".into());
            OpenRecord { detail, ..open(None, *reason) }
        }
        Unanalysed::TooLarge(error) => not_followed(&error.to_string()),
        Unanalysed::Fault(message) => fault(message),
    }
}

/// That something was not decided.
fn open(unit: Option<String>, reason: Reason) -> OpenRecord {
    let word = match reason {
        Reason::NoneWithin(_) => Reason::Bound.name(),
        reason if reason.is_unsupported() => "unsupported",
        reason => reason.name(),
    };
    OpenRecord { unit, reason: word.into(), detail: reason.detail() }
}

/// That there is no model of a class.
fn not_followed(why: &str) -> OpenRecord {
    OpenRecord { unit: None, reason: "unsupported".into(), detail: Some(printable(why).into_owned()) }
}
