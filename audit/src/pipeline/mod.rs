//! The pipeline of an audit: for each subject its models, their queries, and findings with evidence.
//!
//! A class that clients use is asked twice at most. The model of [`Modality::Firm`] has the steps that the code shows;
//! its violations are the findings. If it has none, the model of [`Modality::Possible`] is asked. Without a violation
//! there, the class is proved; otherwise it is open: neither finding nor proof. **Invariant.** No finding comes from
//! `Possible`, and no proof from `Firm`. The model of a whole program has the threads that the program starts; it is
//! asked once, and gives both. A subject whose firm model has too many states is not asked for a proof.
//!
//! Subjects are decided independently of each other, in parallel, and reported in their order. A panic or an error in
//! one subject is reported with it and does not affect the others. Invariant: a subject that a limit, a cancellation or
//! a fault has cut short is not proved; it has an entry in [`SubjectReport::unknown`].

mod panics;
mod pointer_analysis;
mod subject_limits;

pub use pointer_analysis::{Unanalysed, points_to};

use crate::deadlocks::Deadlocks;
use crate::evidence::{Case, Judge, Likelihood};
use crate::options::Options;
use crate::progress::{Event, Progress};
use crate::question::{Answer, Common, Question};
use crate::report::{ClassVerdict, Fault, Finding, SubjectKind, SubjectReport, Undecided};
use crate::selection::class_name;
use crate::violations::{Bookkeeping, Interference, is_task};
use decide::answers::VerdictKind;
use decide::findings::Group;
use decide::{Error, Reason};
use isolate::{
    Analysis, Claim, Facts, Isolated, Main, Modality, NotIsolated, Stuck, Subject, isolate_client_within, isolate_firm,
    isolate_for_deadlocks, isolate_main,
};
use java::Program;
use limits::{Deadline, Limits, Steps};
use panics::reported;
use rayon::ThreadPoolBuilder;
use std::cmp;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use subject_limits::{SubjectLimits, beginning_now};

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
    pub fn all(&self, subjects: &[Subject]) -> Result<Vec<SubjectReport>, crate::error::Error> {
        let jobs = self.options.jobs.map_or(0, NonZeroUsize::get);
        let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| crate::error::Error::Threads(error.to_string()))?;
        let reports: Vec<OnceLock<SubjectReport>> = subjects.iter().map(|_| OnceLock::new()).collect();
        // Each thread takes the next subject, so that those that promise most are decided, and shown, first.
        let next = AtomicUsize::new(0);
        pool.broadcast(|_| {
            while let Some((place, subject)) = nth(subjects, next.fetch_add(1, Ordering::Relaxed)) {
                let report = reported(|| self.one(subject), || self.empty(subject));
                (self.progress)(Event::Decided(&report));
                // No other thread has this place.
                let _ = reports[place].set(report);
            }
        });
        Ok(reports.into_iter().filter_map(OnceLock::into_inner).collect())
    }

    fn one(&self, subject: &Subject) -> Result<SubjectReport, Error> {
        let begin = Instant::now();
        let limits = &beginning_now(&self.options.limits).with_steps(Steps::new(self.options.steps));
        let own = SubjectLimits::new(limits);
        let mut report = match (&self.analysis, self.main) {
            (Ok(analysis), Some(main)) => {
                let models = isolate_main(*analysis, subject, main, &|| own.is_over());
                self.report(subject, (Modality::Possible, models), limits, &own)?
            }
            (Ok(analysis), None) => self.findings_or_proof(*analysis, subject, limits, &own)?,
            (Err(why), _) => SubjectReport { unknown: vec![unanalysed(why)], ..self.empty(subject) },
        };
        report.seconds = (begin.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        Ok(report)
    }

    /// The findings of the firm model; without findings, the answer of the model with all possible steps.
    fn findings_or_proof(
        &self,
        analysis: Analysis<'_>,
        subject: &Subject,
        limits: &Limits,
        own: &SubjectLimits<'_>,
    ) -> Result<SubjectReport, Error> {
        let models = isolate_firm(analysis, subject, FIRM_STATES, &|| own.is_over());
        let is_too_large = is_too_large(&models);
        let mut firm = self.report(subject, (Modality::firm(), models), limits, own)?;
        let Deadlocks { findings, queries, undecided } = self.deadlocks(analysis, subject, limits, own)?;
        firm.queries += queries;
        firm.violations += findings.len();
        firm.findings.splice(0..0, findings);
        if !firm.findings.is_empty() || is_too_large || self.options.limits.cancellation.is_cancelled() {
            return Ok(firm);
        }
        let model = isolate_client_within(analysis, subject, POSSIBLE_STATES, &|| own.is_over());
        let models = (Modality::Possible, model.map(|isolated| vec![isolated]));
        let limits = &limits.clone().with_steps(Steps::new(self.options.steps / PROOF_PART));
        let mut possible = self.report(subject, models, limits, own)?;
        possible.leave_violations_open();
        possible.queries += queries;
        possible.unknown.extend(undecided);
        if matches!(possible.verdict(), ClassVerdict::Proved | ClassVerdict::NothingAsked) {
            let changes = isolate::changes_of_process(analysis, subject);
            possible.unknown.extend(changes.iter().map(Undecided::uncovered));
        }
        Ok(possible)
    }

    /// The deadlocks of a subject, if they are asked for.
    fn deadlocks(
        &self,
        analysis: Analysis<'_>,
        subject: &Subject,
        limits: &Limits,
        own: &SubjectLimits<'_>,
    ) -> Result<Deadlocks, Error> {
        let mut found = Deadlocks::default();
        if !self.options.deadlocks {
            return Ok(found);
        }
        let class = class_name(self.program, subject);
        let models = match isolate_for_deadlocks(analysis, subject, FIRM_STATES, &|| own.is_over()) {
            Ok(models) => models,
            Err(NotIsolated::Stuck(stuck)) => {
                found.undecided.push(Undecided::unsupported(&format!("deadlocks: {stuck}")));
                return Ok(found);
            }
            Err(NotIsolated::NothingToViolate(..) | NotIsolated::NotReached | NotIsolated::Fault(_)) => {
                return Ok(found);
            }
        };
        for isolated in models {
            found.add(&class, &isolated, &self.common.options, (limits, own.until()))?;
            let left_out = |stuck: &Stuck| Undecided::unsupported(&format!("deadlocks: {stuck}"));
            found.undecided.extend(isolated.partial.as_ref().map(left_out));
        }
        Ok(found)
    }

    /// The findings in the models of a subject.
    fn report(
        &self,
        subject: &Subject,
        (modality, models): (Modality, Result<Vec<Isolated>, NotIsolated>),
        limits: &Limits,
        own: &SubjectLimits<'_>,
    ) -> Result<SubjectReport, Error> {
        let mut report = self.empty(subject);
        match models {
            Ok(models) => {
                let bookkeeping = Bookkeeping::of(self.program, self.facts, subject.class);
                for (number, isolated) in models.into_iter().enumerate() {
                    let asked = Asked { subject, bookkeeping: &bookkeeping, modality, number };
                    self.decide(&mut report, asked, isolated, (limits, own.until()))?;
                }
                report.find_causes();
                // A limit left models out.
                report.unknown.extend(own.reason().map(|reason| Undecided::new(None, reason)));
            }
            Err(NotIsolated::NothingToViolate(assumptions, covered)) => {
                report.assumptions = assumptions;
                if let (false, Some(covered), Ok(analysis)) = (modality.is_firm(), covered, &self.analysis) {
                    let uncovered = isolate::uncovered(*analysis, subject, &covered);
                    report.unknown.extend(uncovered.iter().map(Undecided::uncovered));
                }
            }
            Err(NotIsolated::NotReached) => report.unreached = true,
            Err(NotIsolated::Stuck(Stuck::Cancelled)) => {
                let reason = own.reason().or(self.ended()).unwrap_or(Reason::Cancelled);
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

    fn decide(
        &self,
        report: &mut SubjectReport,
        Asked { subject, bookkeeping, modality, number }: Asked<'_>,
        isolated: Isolated,
        (limits, until): (&Limits, Option<Deadline>),
    ) -> Result<(), Error> {
        // The object and the static fields of a class may have a common unit, but their findings need different
        // fingerprints.
        let class = match report.kind {
            SubjectKind::Object => report.class.clone(),
            SubjectKind::Static => format!("{} static", report.class),
        };
        let (common, is_firm) = (&self.common, modality.is_firm());
        let wants_proof = !is_firm && self.main.is_none();
        let question =
            Question { common, isolated: &isolated, class: &class, bookkeeping, is_firm, is_proof: wants_proof };
        let answer = self.answer(&question, limits, until)?;
        let Answer { queries, subsumed, violations, undecided, mut findings, interferences, undecided_units, records } =
            answer;
        if !modality.is_firm() || !findings.is_empty() {
            (self.progress)(Event::Model { subject, number, isolated: &isolated });
        }
        findings.iter_mut().for_each(|finding| self.assess_likelihood(subject, &isolated, finding));
        for (place, other) in &interferences {
            self.show_strongest(subject, &isolated, &mut findings[*place], other);
        }
        let Isolated { model, entries, assumptions, partial, coarse, meanings, covered, .. } = isolated;
        for (what, count) in coarse {
            let known = report.coarse.entry(what.into()).or_default();
            *known = count.max(*known);
        }
        report.entries = report.entries.max(entries.len());
        let locations = model.locations().iter().map(|location| meanings.location(location.name()).to_string());
        report.locations.extend(locations);
        report.locations.sort();
        report.locations.dedup();
        // A finding needs no assumption, and a firm model proves nothing.
        if !modality.is_firm() {
            report.assumptions.extend(assumptions);
        }
        report.queries += queries;
        report.subsumed += subsumed;
        report.violations += violations;
        report.undecided += undecided;
        let says_something =
            |query: &decide::answers::QueryRecord| !modality.is_firm() || query.verdict != VerdictKind::Safe;
        report.all_queries.extend(records.into_iter().filter(says_something));
        report.findings.extend(findings);
        report.unknown.extend(
            partial.map(|stuck| Undecided::unsupported(&format!("{stuck}; calls of other classes were left out"))),
        );
        let ended = self.ended();
        let units = undecided_units.into_iter().filter(|(_, reason)| ended.is_none() || *reason != Reason::Cancelled);
        report.unknown.extend(units.map(|(unit, reason)| Undecided::new(Some(unit), reason)));
        if self.options.limits.cancellation.is_cancelled() {
            report.unknown.push(Undecided::new(None, ended.unwrap_or(Reason::Cancelled)));
        }
        // A proof holds only for the accesses that the model has.
        let is_answered = matches!(report.verdict(), ClassVerdict::Proved | ClassVerdict::NothingAsked);
        let is_proof = !modality.is_firm() && is_answered;
        if let (true, Some(covered), Ok(analysis)) = (is_proof, covered, &self.analysis) {
            let uncovered = isolate::uncovered(*analysis, subject, &covered);
            report.unknown.extend(uncovered.iter().map(Undecided::uncovered));
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
        (finding.evidence, finding.says, finding.effect) = (judgement.evidence, judgement.says, judgement.effect);
        if let Some(reason) = judgement.benign {
            finding.note_benign(&reason);
        }
    }

    /// Shows another interfering call of a violation if its effect is stronger, or as strong and more likely; names it
    /// in any case.
    fn show_strongest(&self, subject: &Subject, isolated: &Isolated, finding: &mut Finding, other: &Interference) {
        let Some(mut changed) = finding.with_interference(other, &isolated.meanings) else { return };
        self.assess_likelihood(subject, isolated, &mut changed);
        let strength = |one: &Finding| (one.likelihood == Likelihood::Benign, one.effect);
        let is_stronger = strength(&changed).cmp(&strength(finding)).then(finding.rank.total_cmp(&changed.rank));
        // Two threads seldom run one task.
        let is_task_twice = changed.by == changed.unit && is_task(&changed.labels.unit);
        match is_stronger {
            _ if is_task_twice => finding.note_interference(changed),
            cmp::Ordering::Less => *finding = changed,
            cmp::Ordering::Equal | cmp::Ordering::Greater => finding.note_interference(changed),
        }
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

/// Maximal number of abstract states in each round of a firm model. Most of the rounds that end at this number would
/// not end at twice the number either.
const FIRM_STATES: usize = 10_000;

/// The queries of a proof may take this part of the steps of a class: one quarter. Most queries that take more take all
/// that there are.
const PROOF_PART: u64 = 4;

/// Maximal number of abstract states in a model with all possible steps.
const POSSIBLE_STATES: usize = 30_000;

/// An element with its place.
fn nth<T>(all: &[T], place: usize) -> Option<(usize, &T)> {
    all.get(place).map(|one| (place, one))
}

/// Whether the steps that the code shows have too many states. Then all possible steps have too many, too: there are
/// more of them, and their states are told apart at least as far. So the subject is open, for the reason that is known.
fn is_too_large(models: &Result<Vec<Isolated>, NotIsolated>) -> bool {
    match models {
        Ok(models) => models.iter().any(|model| matches!(model.partial, Some(Stuck::TooLarge { .. }))),
        Err(why) => matches!(why, NotIsolated::Stuck(Stuck::TooLarge { .. })),
    }
}

/// A model's subject and its modality.
#[derive(Clone, Copy)]
struct Asked<'a> {
    subject: &'a Subject,
    bookkeeping: &'a Bookkeeping,
    modality: Modality,
    /// The number of the model among those of the subject.
    number: usize,
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
