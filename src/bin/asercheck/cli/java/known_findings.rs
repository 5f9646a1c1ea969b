//! The findings that a run does not report again: those of a baseline, and suppressed ones.

use super::annotations::annotation_suppressions;
use super::input::text_at;
use super::suppressions::{Line, Origin, Suppressions};
use crate::cli::Failure;
use crate::cli::arguments::JavaArguments;
use crate::cli::check::write_file;
use crate::cli::output::Terminal;
use crate::report::java::Baseline;
use anyhow::anyhow;
use asercheck::audit::Report;
use asercheck::java::Program;
use std::collections::BTreeMap;
use std::path::Path;

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

    /// Writes the baseline of a report if the arguments want it, then removes known findings from the report.
    pub(super) fn hide(
        mut self,
        report: &mut Report,
        program: &Program,
        arguments: &JavaArguments,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        if let Some(path) = &arguments.write_baseline {
            write_baseline(path, report, terminal)?;
        }
        if let Some(baseline) = &self.baseline {
            let is_whole = arguments.class.is_empty() && report.ended.is_none();
            let mut answered: BTreeMap<String, bool> = BTreeMap::new();
            for subject in &report.subjects {
                *answered.entry(subject.class.clone()).or_insert(true) &= subject.unknown.is_empty();
            }
            let asks_all = arguments.unit.is_empty() && arguments.field.is_empty();
            // Only the shard of a class reports that the class no longer exists.
            let is_own = |class: &str| arguments.shard.is_none_or(|shard| crate::stable_hash::has_class(shard, class));
            let is_gone = |class: &str| is_whole && is_own(class) && program.find(class).is_none();
            baseline.hide(report, |class| asks_all && answered.get(class).copied().unwrap_or_else(|| is_gone(class)));
        }
        let (lines, without_reason) = annotation_suppressions(program);
        for name in without_reason.into_iter().filter(|_| !arguments.output.quiet) {
            terminal.tell(&format!("warning: the annotation AsercheckIgnore of {name} has no reason: it is ignored\n"));
        }
        self.suppressions.add(lines);
        let unused = self.suppressions.hide(report);
        // A suppression may concern classes that were not analysed.
        let is_whole = arguments.class.is_empty() && arguments.shard.is_none() && report.ended.is_none();
        for Line { origin, pattern, .. } in unused.into_iter().filter(|_| is_whole && !arguments.output.quiet) {
            let at = match (origin, arguments.suppress.as_deref()) {
                (Origin::File(line), Some(path)) => format!("{}:{line}: `{pattern}`", path.display()),
                (Origin::File(_), None) | (Origin::Annotation, _) => format!("AsercheckIgnore of {pattern}"),
            };
            terminal.tell(&format!("note: {at} suppresses nothing\n"));
        }
        Ok(())
    }
}

/// Writes the findings of a run as a baseline. If the run ended early, it has only a part of the findings: then the file
/// stays as it is.
fn write_baseline(path: &Path, report: &Report, terminal: &Terminal) -> Result<(), Failure> {
    if let Some(reason) = report.ended {
        let path = path.display();
        terminal.tell(&format!("warning: the run was ended ({reason}), so {path} was not written\n"));
        return Ok(());
    }
    write_file(path, &Baseline::of(report).text())
}

/// Reads a baseline.
fn baseline_at(path: &Path) -> Result<Baseline, Failure> {
    Baseline::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}: {why}", path.display())))
}

/// Reads a file of suppressions.
fn suppressions_at(path: &Path) -> Result<Suppressions, Failure> {
    Suppressions::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}:{why}", path.display())))
}
