//! The output of a run: the report in its form, the files with reports, and the losses of precision.

use super::sources::SourceFinder;
use crate::cli::arguments::JavaArguments;
use crate::cli::check::{print, write_file};
use crate::cli::output::Terminal;
use crate::cli::{Exit, Failure, confirm};
use crate::report::forms::{self, How};
use crate::report::java::combined;
use crate::report::{Checked, Counts};
use anyhow::anyhow;
use asercheck::audit::Report;
use asercheck::query::Property;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Prints the report and writes its files. Returns the exit of the command.
pub(super) fn write(
    report: &mut Report,
    properties: &[Arc<Property>],
    mut finder: SourceFinder,
    arguments: &JavaArguments,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let output = &arguments.output;
    for subject in &mut report.subjects {
        let records = subject.all_queries.iter_mut().filter_map(|record| record.witness.as_mut());
        subject.findings.iter_mut().map(|finding| &mut finding.witness).chain(records).for_each(|it| finder.find(it));
    }
    let exit = exit(report, arguments, terminal);
    let together = combined(report);
    let (artifacts, unread) = (&report.paths[..], report.unread());
    let counts = Counts::of_java(report);
    let checked = Checked { report: &together, counts, properties, sources: &finder.sources, artifacts };
    let how = How { lists_open: arguments.why_open, ..output.how(arguments.verbose, terminal) };
    let program = forms::Program { report, together: checked, how, unread, exit_code: exit.code() };
    let text = output.format.java(&program).map_err(Failure::internal)?;
    print(terminal, &text)?;
    for path in &output.report {
        write_file(path, &forms::of_file(path).java(&program).map_err(Failure::internal)?)?;
    }
    Ok(exit)
}

/// Returns the exit of the command, and complains of its reason if the report does not show it.
fn exit(report: &Report, arguments: &JavaArguments, terminal: &Terminal) -> Exit {
    if report.has_fault() {
        Exit::Internal
    } else if let Some(why) = report.why_vacuous().filter(|_| arguments.fail_on_vacuous) {
        terminal.complain(&anyhow!("nothing to decide: {why}"));
        Exit::Input
    } else if confirm::fails(report, arguments.confirming.fail_on) {
        Exit::Violation
    } else if report.is_incomplete() || arguments.require_proof && report.lacks_proof() {
        Exit::Unknown
    } else {
        Exit::Success
    }
}

/// Returns a line for each loss of precision, with the number of subjects and of all occurrences.
pub(super) fn precision_losses(report: &Report) -> String {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (what, count) in report.subjects.iter().flat_map(|subject| &subject.coarse) {
        let [subjects, times] = counts.entry(what).or_default();
        (*subjects, *times) = (*subjects + 1, *times + count);
    }
    let line =
        |(what, [subjects, times]): (&str, [usize; 2])| format!("coarse: {times} {what}, in {subjects} subjects\n");
    counts.into_iter().map(line).collect()
}
