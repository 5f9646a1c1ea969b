//! The properties that are asked: patterns, races, and automata from files, which are read within the limits of models.

use super::Exit;
use super::Failure;
use super::arguments::PropertyArguments;
use super::output::Terminal;
use super::reading::within;
use anyhow::anyhow;
use asercheck::phases::UnitMode;
use asercheck::query::{AutomatonError, Property, load_automata};
use asercheck::requests::Question;
use asercheck::{Limits, Reason, StopReason};
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
    Question { patterns: patterns.to_vec(), races: question.races, deadlocks: asks_deadlocks, automata, units }
        .properties()
        .map_err(|taken| Failure::input(anyhow!(taken.to_string())))
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
        error: anyhow!("the automata were not read to their end ({})", Reason::from(stop)),
    })
}
