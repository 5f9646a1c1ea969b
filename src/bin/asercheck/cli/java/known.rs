//! The findings that are known already: in a baseline or by suppressions.

use super::ignored::ignored;
use super::input::text_at;
use super::suppress::{Line, Origin, Suppressions};
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

/// The findings that a run does not tell again.
pub(super) struct Known {
    baseline: Option<Baseline>,
    suppressions: Suppressions,
}

impl Known {
    /// What the arguments name.
    pub(super) fn read(arguments: &JavaArguments) -> Result<Self, Failure> {
        let baseline = arguments.baseline.as_deref().map(baseline_at).transpose()?;
        let suppressions = arguments.suppress.as_deref().map(suppressions_at).transpose()?.unwrap_or_default();
        Ok(Self { baseline, suppressions })
    }

    /// Records the findings of a report where that is wanted, and hides those that are known.
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
            // One of the shards tells what is gone.
            let is_own = |class: &str| arguments.shard.is_none_or(|shard| crate::batch::has_class(shard, class));
            let is_gone = |class: &str| is_whole && is_own(class) && program.find(class).is_none();
            baseline.hide(report, |class| asks_all && answered.get(class).copied().unwrap_or_else(|| is_gone(class)));
        }
        let (lines, without) = ignored(program);
        for name in without.into_iter().filter(|_| !arguments.output.quiet) {
            terminal
                .tell(&format!("warning: the annotation AsercheckIgnore of {name} has no reason: it is not obeyed\n"));
        }
        self.suppressions.add(lines);
        let unused = self.suppressions.hide(report);
        // A part of the classes does not say what is found in the others.
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

/// Records the findings of a run. What a run that was ended early has found is only a part, which would hide nothing of
/// the rest: it is not recorded, and what is in the file stays there.
fn write_baseline(path: &Path, report: &Report, terminal: &Terminal) -> Result<(), Failure> {
    if let Some(reason) = report.ended {
        let path = path.display();
        terminal.tell(&format!("warning: the run was ended ({reason}), so {path} was not written\n"));
        return Ok(());
    }
    write_file(path, &Baseline::of(report).text())
}

fn baseline_at(path: &Path) -> Result<Baseline, Failure> {
    Baseline::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}: {why}", path.display())))
}

fn suppressions_at(path: &Path) -> Result<Suppressions, Failure> {
    Suppressions::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}:{why}", path.display())))
}
