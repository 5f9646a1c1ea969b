//! The findings that a run does not report again: those of a baseline, and suppressed ones.
//!
//! A confirmation may observe differences that no finding of the report names. Such a finding is also known if a hidden
//! finding of its class has its unit and its interfering call.

use super::annotations::annotation_suppressions;
use super::input::text_at;
use super::suppressions::{Line, Origin, Suppressions};
use crate::cli::Failure;
use crate::cli::arguments::JavaArguments;
use crate::cli::check::write_file;
use crate::cli::output::Terminal;
use crate::report::counted;
use crate::report::java::Baseline;
use anyhow::anyhow;
use asercheck::audit::{Finding, Report, SubjectReport, Undecided};
use asercheck::java::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The findings that were hidden before a confirmation.
#[derive(Default)]
pub(super) struct Hidden {
    /// The reason why no baseline was written, although one is wanted.
    pub(super) refused: Option<String>,
    /// The classes, units and interfering calls of hidden findings.
    methods: BTreeSet<(String, String, String)>,
}

impl Hidden {
    fn add(&mut self, subject: &SubjectReport, finding: &Finding) {
        for by in std::iter::once(&finding.by).chain(&finding.other_by) {
            self.methods.insert((subject.class.clone(), finding.unit.clone(), by.clone()));
        }
    }

    fn has(&self, subject: &SubjectReport, finding: &Finding) -> bool {
        self.methods.contains(&(subject.class.clone(), finding.unit.clone(), finding.by.clone()))
    }
}

/// A baseline and suppressions.
pub(super) struct KnownFindings {
    baseline: Option<Baseline>,
    suppressions: Suppressions,
}

impl KnownFindings {
    /// Reads the files that the arguments name.
    pub(super) fn read(arguments: &JavaArguments) -> Result<Self, Failure> {
        let baseline = arguments.baseline.as_deref().map(baseline_at).transpose()?;
        let suppressions = arguments.suppress.as_deref().map(suppressions_at).transpose()?.unwrap_or_default();
        Ok(Self { baseline, suppressions })
    }

    /// Adds the suppressions of annotations in the program, and complains of those without a reason.
    pub(super) fn with_annotations(mut self, program: &Program, terminal: Option<&Terminal>) -> Self {
        let (lines, without_reason) = annotation_suppressions(program);
        for name in without_reason {
            if let Some(terminal) = terminal {
                let why = "has no reason: it is ignored";
                terminal.tell(&format!("warning: the annotation AsercheckIgnore of {name} {why}\n"));
            }
        }
        self.suppressions.add(lines);
        self
    }

    /// Whether a finding of a subject is known or suppressed.
    pub(super) fn hides(&self, subject: &SubjectReport, finding: &Finding) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| baseline.knows(finding))
            || self.suppressions.hides(&subject.class, finding)
    }

    /// Writes the baseline of a report if the arguments want it, then removes known findings from the report.
    pub(super) fn hide(
        &self,
        report: &mut Report,
        program: &Program,
        arguments: &JavaArguments,
        terminal: &Terminal,
    ) -> Result<Hidden, Failure> {
        let mut hidden = Hidden::default();
        for subject in &report.subjects {
            let known = subject.findings.iter().filter(|finding| self.hides(subject, finding));
            known.for_each(|finding| hidden.add(subject, finding));
        }
        if let Some(path) = &arguments.write_baseline {
            match why_no_baseline(report) {
                None => write_file(path, &Baseline::of(report).text())?,
                Some(why) => {
                    let path = path.display();
                    hidden.refused = Some(format!("{path} was not written: {why}, so findings may be missing"));
                }
            }
        }
        if let Some(baseline) = &self.baseline {
            let is_whole = arguments.class.is_empty() && report.ended.is_none();
            let mut answered: BTreeMap<String, bool> = BTreeMap::new();
            for subject in &report.subjects {
                let has_all_findings = subject.unknown.iter().all(Undecided::is_possible);
                *answered.entry(subject.class.clone()).or_insert(true) &= has_all_findings;
            }
            let asks_all = arguments.unit.is_empty() && arguments.field.is_empty();
            // Only the shard of a class reports that the class no longer exists.
            let is_own = |class: &str| arguments.shard.is_none_or(|shard| crate::stable_hash::has_class(shard, class));
            let is_gone = |class: &str| is_whole && is_own(class) && program.find(class).is_none();
            baseline.hide(report, |class| asks_all && answered.get(class).copied().unwrap_or_else(|| is_gone(class)));
        }
        let unused = self.suppressions.hide(report);
        // A suppression may concern classes that were not analysed.
        let is_whole = arguments.class.is_empty()
            && arguments.exclude.is_empty()
            && arguments.shard.is_none()
            && report.ended.is_none();
        for Line { origin, pattern, .. } in unused.into_iter().filter(|_| is_whole && !arguments.output.quiet) {
            let at = match (origin, arguments.suppress.as_deref()) {
                (Origin::File(line), Some(path)) => format!("{}:{line}: `{pattern}`", path.display()),
                (Origin::File(_), None) | (Origin::Annotation, _) => format!("AsercheckIgnore of {pattern}"),
            };
            terminal.tell(&format!("note: {at} suppresses nothing\n"));
        }
        Ok(hidden)
    }

    /// Adds the findings that a confirmation has observed to the baseline that was written, then removes the known ones
    /// from the report. A finding that has the methods of a hidden one counts as hidden by the baseline.
    pub(super) fn hide_observed(
        &self,
        report: &mut Report,
        hidden: &Hidden,
        arguments: &JavaArguments,
    ) -> Result<(), Failure> {
        if let Some(path) = arguments.write_baseline.as_deref().filter(|_| hidden.refused.is_none()) {
            write_file(path, &baseline_at(path)?.with_observed(report).text())?;
        }
        let mut suppressed = Vec::new();
        let mut known = 0;
        for subject in &mut report.subjects {
            let findings = std::mem::take(&mut subject.findings);
            for finding in findings {
                let is_observed = Baseline::is_observed(&finding);
                if let Some(one) = self.suppressions.suppressed(&subject.class, &finding).filter(|_| is_observed) {
                    suppressed.push(one);
                } else if is_observed && (self.hides(subject, &finding) || hidden.has(subject, &finding)) {
                    known += 1;
                } else {
                    subject.findings.push(finding);
                    continue;
                }
                subject.hidden += 1;
            }
        }
        if known > 0 {
            report.baseline.get_or_insert_default().hidden += known;
        }
        report.suppressed.extend(suppressed);
        report.confirmed_first();
        Ok(())
    }
}

/// Returns the reason why the findings of a run are no baseline, if there is one: a limit of time or memory was met, so
/// another run of the same classes may have more findings.
fn why_no_baseline(report: &Report) -> Option<String> {
    if let Some(reason) = report.ended {
        return Some(format!("the run was ended ({reason})"));
    }
    let has_met =
        |subject: &&SubjectReport| subject.unknown.iter().any(|open| open.is_of_time() || open.is_of_memory());
    let count = report.subjects.iter().filter(has_met).count();
    (count > 0).then(|| format!("{} met a limit of time or memory", counted(count, "class", "classes")))
}

/// Reads a baseline.
fn baseline_at(path: &Path) -> Result<Baseline, Failure> {
    Baseline::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}: {why}", path.display())))
}

/// Reads a file of suppressions.
fn suppressions_at(path: &Path) -> Result<Suppressions, Failure> {
    Suppressions::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}:{why}", path.display())))
}
