//! The properties that are asked: patterns, races, and automata from files, which are read within the limits of models.

use super::Exit;
use super::Failure;
use super::arguments::PropertyArguments;
use super::output::Terminal;
use super::reading::{reason_of, within};
use anyhow::anyhow;
use asercheck::phases::UnitMode;
use asercheck::query::{AutomatonError, Property, load_automata};
use asercheck::{Limits, StopReason};
use std::path::PathBuf;
use std::sync::Arc;

/// Returns the properties: these patterns, these automata of the user's, and races.
pub(crate) fn properties(
    question: &PropertyArguments,
    patterns: &[usize],
    asks_deadlocks: bool,
    units: UnitMode,
    automata: Vec<Arc<Property>>,
) -> Result<Vec<Arc<Property>>, Failure> {
    let mut properties = Property::all_patterns(units);
    properties.retain(|property| property.pattern().is_some_and(|pattern| patterns.contains(&pattern.number())));
    properties.extend(automata);
    let is_taken = |property: &&Arc<Property>| {
        let label = property.label();
        (question.races && label == "race") || (asks_deadlocks && Property::threads_of_deadlock(label).is_some())
    };
    if let Some(property) = properties.iter().find(is_taken) {
        let label = property.label();
        return Err(Failure::input(anyhow!(
            "an automaton has the name `{label}`, by which the tool's own is reported"
        )));
    }
    let mut sorted: Vec<_> = properties.iter().map(|property| property.label()).collect();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let label = twice[0];
        return Err(Failure::input(anyhow!("two automata have the name `{label}`, by which verdicts are told apart")));
    }
    if question.races {
        properties.push(Arc::new(Property::race()));
    }
    Ok(properties)
}

/// Reads the automata in files, in order; or returns the limit that was met.
pub(crate) fn read_automata(
    paths: &[PathBuf],
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Result<Vec<Arc<Property>>, StopReason>, Failure> {
    if paths.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let files = paths.to_vec();
    let read = within(limits, move || {
        let automata = files.iter().map(|path| load_automata(path)).collect::<Result<Vec<_>, _>>()?;
        let automata = automata.into_iter().flatten();
        Ok(automata.map(|automaton| Arc::new(Property::of_automaton(automaton))).collect())
    });
    let wrong = |error: AutomatonError| Failure::input(anyhow!(error.render(terminal.colors_messages())));
    read.map_or_else(|stop| Ok(Err(stop)), |read| read.map(Ok).map_err(wrong))
}

/// Reads the automata in files; a limit that is met is an error.
pub(crate) fn own_automata(
    paths: &[PathBuf],
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Vec<Arc<Property>>, Failure> {
    read_automata(paths, limits, terminal)?.map_err(|stop| Failure {
        exit: Exit::Unknown,
        error: anyhow!("the automata were not read to their end ({})", reason_of(stop)),
    })
}
