//! `asercheck merge`: unites batches, or the reports of shards of `asercheck java`.
//!
//! A folder or a missing path counts as a batch, any other path as a report. Batches and reports are not united with
//! each other.

use super::arguments::MergeArguments;
use super::batch::{complain_of, failure};
use super::output::Terminal;
use super::{Exit, Failure};
use crate::batch::{merge, verdict_table};
use crate::report::java;
use crate::report::java::java_text;
use crate::report::{Detail, Sources, Steps, View, wrapped};
use anyhow::{Context, anyhow};
use asercheck::audit::Report;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Runs the command.
pub(crate) fn run(arguments: &MergeArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let is_report = |path: &&PathBuf| path.exists() && !path.is_dir();
    let (reports, folders): (Vec<&PathBuf>, Vec<&PathBuf>) = arguments.paths.iter().partition(is_report);
    match (reports.first(), folders.first()) {
        (Some(report), Some(folder)) => Err(Failure::input(anyhow!(
            "{} is a file, as reports of `asercheck java` are, and {} is none: batches and reports are not united with each other",
            report.display(),
            folder.display()
        ))),
        (Some(_), None) => unite_reports(arguments, terminal),
        (None, _) => unite_batches(arguments, terminal),
    }
}

/// Unites batches. Nothing is written if a query has conflicting verdicts. If results are missing, the united batch is
/// written, so that it can be continued, and the command fails.
fn unite_batches(arguments: &MergeArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let merged = merge(&arguments.paths).map_err(failure)?;
    if !merged.disagreements.is_empty() {
        complain_of(&merged.disagreements, terminal);
        return Ok(Exit::Internal);
    }
    merged.write(&arguments.out).map_err(failure)?;
    let missing = merged.header.expected().saturating_sub(merged.records.len());
    if !arguments.quiet {
        let table = verdict_table(&merged.header.engines, &merged.records, terminal.style());
        terminal.print(&table).context("standard output").map_err(Failure::internal)?;
    }
    if missing > 0 && merged.header.shard.is_none() {
        let out = arguments.out.display();
        return Err(Failure::input(anyhow!(
            "{missing} queries have no result, as of a shard that is missing; `asercheck batch` with the same options, \
             --out {out} and --resume decides them"
        )));
    }
    Ok(Exit::Success)
}

/// Unites the reports of all shards of a run into that of a run without shards.
fn unite_reports(arguments: &MergeArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let reports: Result<Vec<_>, Failure> = arguments.paths.iter().map(|path| report_at(path)).collect();
    let united = java::merge(reports?).map_err(Failure::input)?;
    let text = serde_json::to_string_pretty(&united).map_err(Failure::internal)? + "\n";
    write_new(&arguments.out, &text)?;
    if !arguments.quiet {
        let view = View { style: terminal.style(), sources: &Sources::default(), steps: Steps::Essential };
        let counts = java_text(&united, view, Detail::Counts, java::Listings::default());
        terminal.print(&wrapped(&counts, view.style.width)).context("standard output").map_err(Failure::internal)?;
    }
    Ok(Exit::Success)
}

/// Reads a report; returns it with the name of its file.
fn report_at(path: &Path) -> Result<(String, Report), Failure> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}")).map_err(Failure::input)?;
    let report = String::from_utf8(bytes).map_err(|_| "it is no text".to_string()).and_then(|text| java::parse(&text));
    let report = report.map_err(|why| Failure::input(anyhow!("{name}: {why}")))?;
    Ok((name, report))
}

/// Writes a new file, completely or not at all.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    if path.exists() {
        return Err(Failure::input(anyhow!("{} is there already; choose another file", path.display())));
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".unfinished");
    let unfinished = path.with_file_name(name);
    let write = || -> io::Result<()> {
        let mut file = File::create(&unfinished)?;
        file.write_all(text.as_bytes())?;
        fs::rename(&unfinished, path)
    };
    let written = write().inspect_err(|_| drop(fs::remove_file(&unfinished)));
    written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::input)
}
