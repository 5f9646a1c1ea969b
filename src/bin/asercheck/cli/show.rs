//! `asercheck show`: stored witnesses as tables.

use super::arguments::ShowArguments;
use super::check::STANDARD_INPUT;
use super::output::Terminal;
use super::properties::own_automata;
use super::stored_queries::{Line, stored_lines};
use super::{Exit, Failure};
use crate::report::{Sources, View, findings_text, wrapped};
use anyhow::{Context, anyhow};
use asercheck::Limits;
use asercheck::answers::{QueryRecord, VerdictKind};
use asercheck::findings::{Ordinals, findings};
use asercheck::model::{self, Loaded};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::witness::Witness;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs the command. The models are read for their texts; without its model, a table has no source lines.
pub(crate) fn run(arguments: &ShowArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut lines = stored_lines(&arguments.file)?;
    let all = lines.len();
    lines.retain(can_be_shown);
    let damaged = all - lines.len();
    let own = own_automata(&arguments.automaton, &Limits::default(), terminal)?;
    let mut has_violations = false;
    for (path, units, records) in by_model(lines) {
        if !records.iter().any(|record| record.verdict == VerdictKind::Violation) {
            continue;
        }
        let path = arguments.model.clone().or(path);
        let is_file = |path: &&Path| *path != Path::new(STANDARD_INPUT);
        let loaded = path.as_deref().filter(is_file).and_then(|path| loaded(path, terminal));
        let properties: Vec<_> = Property::all_patterns(units)
            .into_iter()
            .chain([Arc::new(Property::race())])
            .chain(own.iter().cloned())
            .collect();
        let sources = loaded.as_ref().map_or_else(Sources::default, sources);
        let mut found =
            findings(&records, &loaded.as_ref().map_or_else(Ordinals::default, |loaded| Ordinals::of(&loaded.model)));
        if loaded.is_none() {
            // Fingerprints need the model's text.
            found.iter_mut().for_each(|finding| finding.fingerprint.clear());
        }
        let detail = arguments.findings.detail(false);
        let view = View { style: terminal.style(), sources: &sources, steps: detail.steps() };
        let head = path.map_or_else(String::new, |path| format!("{}\n\n", path.display()));
        let text = findings_text(&records, &found, &properties, view, detail, Some(arguments.context));
        terminal
            .print(&wrapped(&format!("{head}{text}"), view.style.width))
            .context("standard output")
            .map_err(Failure::internal)?;
        has_violations = true;
    }
    if damaged > 0 {
        return Err(Failure::input(anyhow!(
            "{}: {damaged} of {all} queries are violations with no interleaving, or with one by threads that it does not name",
            arguments.file.display()
        )));
    }
    if !has_violations {
        terminal.tell("there is no violation in the file, so there is nothing to show\n");
    }
    Ok(Exit::Success)
}

/// Whether the interleaving of a violation has steps, all of them of its own threads.
fn can_be_shown(line: &Line) -> bool {
    let is_whole = |witness: &Witness| !witness.steps.is_empty() && witness.names_its_threads();
    line.record.verdict != VerdictKind::Violation || line.record.witness.as_ref().is_some_and(is_whole)
}

type Part = (Option<PathBuf>, UnitMode, Vec<QueryRecord>);

/// Groups the queries by model and unit mode, in the order of their first occurrence.
fn by_model(lines: Vec<Line>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in lines {
        let units = line.units().unwrap_or_default();
        let Line { model, record, .. } = line;
        match parts.iter_mut().find(|(own, mode, _)| *own == model && *mode == units) {
            Some((_, _, records)) => records.push(record),
            None => parts.push((model, units, vec![record])),
        }
    }
    parts
}

/// Reads the model; otherwise prints the reason, and returns none.
fn loaded(path: &Path, terminal: &Terminal) -> Option<Loaded> {
    match model::load(path) {
        Ok(loaded) => Some(loaded),
        Err(rejected) => {
            terminal.tell(&format!(
                "{}\nso there are no source lines\n",
                rejected.render(terminal.colors_messages()).trim_end()
            ));
            None
        }
    }
}

fn sources(loaded: &Loaded) -> Sources {
    Sources::of_text(loaded.source.text().unwrap_or_default())
}
