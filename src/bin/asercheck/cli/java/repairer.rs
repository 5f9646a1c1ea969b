//! `--repair`: for each finding the lightest changes of the code after which its queries are safe.
//!
//! The models of a class are kept until the class is decided. Then each finding is repaired on the first model on which
//! its queries are violated.

use super::undecided_models::{SubjectKey, UndecidedModels};
use asercheck::audit::{
    Finding, Likelihood, Member, RepairChange, RepairKind, RepairRecord, Report, STEPS, SubjectKind, SubjectReport,
};
use asercheck::isolate::{Isolated, Subject};
use asercheck::java::Program;
use asercheck::model::ProcessId;
use asercheck::query::{Property, Query, Selection};
use asercheck::repair::java::{Change, ChangeKind, JavaBounds, JavaRepairs, java_repairs};
use asercheck::{Error, Options, Verdict, check_all};
use limits::Steps;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The greatest number of queries of a finding that are asked, those of the shown violation first.
const QUERIES: usize = 64;

/// The part of the steps of a class that the repair of a finding may take.
const PART: u64 = 4;

/// Searches the repairs of all findings.
pub(super) struct Repairer<'a> {
    program: &'a Program,
    properties: &'a [Arc<Property>],
    options: Options,
    waiting: UndecidedModels<Isolated>,
    /// By the subject and the fingerprint of the finding.
    found: Mutex<HashMap<(SubjectKey, String), RepairRecord>>,
}

impl<'a> Repairer<'a> {
    pub(super) fn new(program: &'a Program, properties: &'a [Arc<Property>], options: Options) -> Self {
        Self { program, properties, options, waiting: UndecidedModels::new(), found: Mutex::default() }
    }

    /// Keeps a model of a subject until the subject is decided.
    pub(super) fn keep(&self, subject: &Subject, isolated: &Isolated) {
        self.waiting.keep(self.program, subject, isolated.clone());
    }

    /// Searches repairs of the findings of a subject, apart from those that are possibly benign and from deadlocks.
    ///
    /// # Errors
    /// After an internal error of an engine.
    pub(super) fn decided(&self, report: &SubjectReport) -> Result<(), Error> {
        let (key, models) = (SubjectKey::of(report), self.waiting.take(report));
        let is_asked = |finding: &&Finding| finding.likelihood != Likelihood::Benign && !finding.is_deadlock();
        for finding in report.findings.iter().filter(is_asked) {
            if let Some(record) = self.record(report, &models, finding)? {
                let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.insert((key.clone(), finding.fingerprint.clone()), record);
            }
        }
        Ok(())
    }

    /// Writes the results into the findings of a report.
    pub(super) fn attach(&self, report: &mut Report) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        for subject in &mut report.subjects {
            let key = SubjectKey::of(subject);
            for finding in &mut subject.findings {
                finding.repair = found.remove(&(key.clone(), finding.fingerprint.clone()));
            }
        }
    }

    /// The result for a finding; none if no model has its violations.
    fn record(
        &self,
        report: &SubjectReport,
        models: &[Isolated],
        finding: &Finding,
    ) -> Result<Option<RepairRecord>, Error> {
        let limits = self.options.limits.clone().with_since(None).with_steps(Steps::new(STEPS / PART));
        let options = self.options.clone().with_limits(limits);
        let new_lock = match report.kind {
            SubjectKind::Object => "this".to_string(),
            SubjectKind::Static => format!("{}.class", report.class.rsplit(['.', '$']).next().unwrap_or_default()),
        };
        for isolated in models {
            let violated = self.violated(isolated, finding, &options)?;
            if violated.is_empty() {
                continue;
            }
            let found = java_repairs(isolated, &violated, &new_lock, &options, JavaBounds::default())?;
            return Ok(Some(record_of(found)));
        }
        Ok(None)
    }

    /// The violated queries of a finding about a model.
    fn violated(&self, isolated: &Isolated, finding: &Finding, options: &Options) -> Result<Vec<Query>, Error> {
        let shown = (&finding.unit, &finding.locations);
        let (first, others): (Vec<&Member>, Vec<&Member>) =
            finding.cause.members.iter().partition(|member| (&member.unit, &member.locations) == shown);
        let members = first.into_iter().chain(others);
        let queries: Vec<Query> = members.flat_map(|member| self.queries(isolated, member)).take(QUERIES).collect();
        let outcomes = check_all(&isolated.model, &queries, options, |_, _| {})?;
        let is_violated = |verdict: &Verdict| matches!(verdict, Verdict::Violation(_));
        let both = queries.into_iter().zip(outcomes);
        Ok(both.filter(|(_, outcome)| is_violated(&outcome.verdict)).map(|(query, _)| query).collect())
    }

    /// The queries about the locations of a unit.
    fn queries(&self, isolated: &Isolated, member: &Member) -> Vec<Query> {
        let Isolated { model, pairs, equivalent, entries, meanings, .. } = isolated;
        let Ok(asked) = Selection::default().ask(model, self.properties) else { return Vec::new() };
        let wanted: BTreeSet<&str> = member.locations.iter().map(String::as_str).collect();
        let has_locations = |query: &Query| {
            let names = query.locations().iter().map(|id| meanings.location(model.location(*id).name()));
            names.collect::<BTreeSet<_>>() == wanted
        };
        let is_unit = |process: &&ProcessId| meanings.unit(model.process(**process).name()) == member.unit;
        let mut queries = Vec::new();
        for process in entries.iter().filter(is_unit) {
            let same = equivalent.iter().find(|(own, _)| own == process).map_or(*process, |(_, first)| *first);
            for pair in pairs.iter().filter(|[unit, _]| *unit == same) {
                let of_pair = asked.possible_of(pair).filter(has_locations);
                queries.extend(of_pair.filter_map(|query| query.with_first_process(model, *process).ok()));
            }
        }
        queries
    }
}

fn record_of(found: JavaRepairs) -> RepairRecord {
    let JavaRepairs { repair, decided, is_complete } = found;
    let (changes, queries) = repair.map_or((Vec::new(), 0), |repair| (repair.changes, repair.queries));
    RepairRecord {
        changes: changes.into_iter().map(change_of).collect(),
        queries,
        models: decided,
        complete: is_complete,
    }
}

fn change_of(change: Change) -> RepairChange {
    let says = change.to_string();
    let Change { kind, method, file, lines, .. } = change;
    let (kind, of) = match kind {
        ChangeKind::Hold(lock) => (RepairKind::Hold, lock.expression),
        ChangeKind::ReadOnce { field, .. } => (RepairKind::ReadOnce, field),
    };
    RepairChange { says, kind, of, method, file, lines }
}
