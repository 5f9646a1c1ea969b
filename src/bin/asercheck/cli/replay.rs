//! `asercheck replay`: executes witnesses on their models again.

use super::arguments::{ReplayArguments, TextOrJson};
use super::check::{STANDARD_INPUT, load};
use super::output::Terminal;
use super::properties::own_automata;
use super::stored_queries::{Line, stored_lines};
use super::{Exit, Failure};
use crate::report::{Sources, Steps, View, step_table};
use anyhow::{Context, anyhow};
use asercheck::Limits;
use asercheck::answers::{QueryRecord, VerdictKind};
use asercheck::model::{Loaded, LockKind, Mode, Model};
use asercheck::phases::{Automaton, Exclusion, deadlock};
use asercheck::query::Property;
use asercheck::records::VERSION;
use asercheck::witness::{ReplayError, Subject, Witness, replay};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs the command. All witnesses in the file are tried; it is a success if all of them replay, an internal error if
/// one does not, and wrong input if one cannot be tried.
pub(crate) fn run(arguments: &ReplayArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let lines = stored_lines(&arguments.witness)?;
    let automata = own_automata(&arguments.automaton, &Limits::default(), terminal)?;
    let mut replayer = Replayer { arguments, terminal, models: HashMap::new(), automata };
    let mut exit = Exit::Success;
    let mut results = Vec::new();
    let violations: Vec<_> = lines.iter().filter(|line| line.record.verdict == VerdictKind::Violation).collect();
    for line in &violations {
        let (result, its_exit) = replayer.line(line)?;
        exit = exit.worse(its_exit);
        results.push(result);
    }
    if arguments.format == TextOrJson::Json {
        let report = json!({ "version": VERSION, "results": results });
        replayer.print(&(serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n"))?;
    }
    if violations.is_empty() && !arguments.quiet {
        terminal.tell("there is no violation in the file, so nothing was replayed\n");
    }
    Ok(exit)
}

struct Replayer<'a> {
    arguments: &'a ReplayArguments,
    terminal: &'a Terminal,
    models: HashMap<PathBuf, Arc<Loaded>>,
    automata: Vec<Arc<Property>>,
}

impl Replayer<'_> {
    /// Replays the witness of a query; prints the result, and returns it as JSON.
    fn line(&mut self, line: &Line) -> Result<(Value, Exit), Failure> {
        let record = &line.record;
        let path = self.arguments.model.clone().or_else(|| line.model.clone());
        let path = path.ok_or_else(|| Failure::input(anyhow!("the file names no model; use --model")))?;
        if path == Path::new(STANDARD_INPUT) {
            return Err(Failure::input(anyhow!("the model was read from standard input; name its file with --model")));
        }
        let (exit, error) = match self.tried(line, &path) {
            Ok(Ok(())) => (Exit::Success, None),
            Ok(Err(error)) => (Exit::Internal, Some(error.to_string())),
            Err(Failure { exit: Exit::Input, error }) => {
                self.terminal.complain(&error);
                (Exit::Input, Some(error.to_string()))
            }
            Err(failure) => return Err(failure),
        };
        let mut value = json!({
            "model": path,
            "automaton": record.automaton,
            "locations": record.locations,
            "processes": record.processes,
            "replays": error.is_none(),
            "steps": record.witness.as_ref().map_or(0, Witness::length),
        });
        if !record.locks.is_empty() {
            value["locks"] = json!(record.locks);
        }
        if let Some(error) = error {
            value["error"] = json!(error);
        }
        Ok((value, exit))
    }

    /// Replays a witness, and prints the result; fails if the witness cannot be tried.
    fn tried(&mut self, line: &Line, path: &Path) -> Result<Result<(), ReplayError>, Failure> {
        let record = &line.record;
        let QueryRecord { locations, locks, processes, .. } = record;
        let name = format!(
            "{} [{}] [{}]",
            record.automaton,
            [&locations[..], &locks[..]].concat().join(", "),
            processes.join(", ")
        );
        let file = self.arguments.witness.display();
        let wrong = |what: String| Failure::input(anyhow!("{file}: {name}: {what}"));
        let witness = record.witness.as_ref().ok_or_else(|| wrong("a violation without a witness".into()))?;
        let loaded = self.model(path)?;
        let automata = self.automata(line, &loaded.model).ok_or_else(|| {
            wrong(format!("there is no automaton `{}`; name its file with --automaton", record.automaton))
        })?;
        let model = &loaded.model;
        let one = |automaton: &Automaton| replay(&Subject { model, automaton, locations, locks, processes }, witness);
        let result = one_of(&automata, one);
        let text = match &result {
            Ok(()) => format!("{name}: replayed, {} steps\n", witness.length()),
            Err(error) => format!("{name}: does not replay: {error}\n"),
        };
        if self.arguments.format == TextOrJson::Text && (result.is_err() || !self.arguments.quiet) {
            self.print(&text)?;
            if self.arguments.steps && witness.names_its_threads() {
                let sources = Sources::of_text(loaded.source.text().unwrap_or_default());
                let view = View { style: self.terminal.style(), sources: &sources, steps: Steps::All };
                self.print(&format!("\n{}\n", step_table(witness, &view)))?;
            }
        }
        Ok(result)
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        self.terminal.print(text).context("standard output").map_err(Failure::internal)
    }

    fn model(&mut self, path: &Path) -> Result<Arc<Loaded>, Failure> {
        if let Some(model) = self.models.get(path) {
            return Ok(model.clone());
        }
        let model = Arc::new(load(path, self.terminal)?);
        self.models.insert(path.to_path_buf(), model.clone());
        Ok(model)
    }

    /// Returns the automata of the query, one of which the witness has to drive to its end; none if they are unknown.
    fn automata(&self, line: &Line, model: &Model) -> Option<Vec<Automaton>> {
        let units = line.units().unwrap_or(self.arguments.units.into());
        let patterns = Property::all_patterns(units);
        let label = &line.record.automaton;
        if let Some(property) = patterns.iter().chain(&self.automata).find(|property| property.label() == label) {
            return Some(vec![property.automaton().clone()]);
        }
        let race = Property::race();
        if label == race.label() {
            return Some(race.automata().map(Cow::into_owned).collect());
        }
        match Property::threads_of_deadlock(label) {
            Some(threads) if threads == line.record.locks.len() => {
                Some(vec![deadlock(&exclusions(model, &line.record))])
            }
            _ => None,
        }
    }
}

/// Returns for each lock of a deadlock why it blocks the thread that wants it: a read-write lock because that thread
/// wants it in write mode, as its last step says; otherwise the lock must be held in write mode.
fn exclusions(model: &Model, record: &QueryRecord) -> Vec<Exclusion> {
    let count = record.locks.len();
    let steps = record.witness.iter().flat_map(|witness| &witness.steps);
    let written: HashSet<usize> =
        steps.filter(|step| step.mode == Some(Mode::Write)).filter_map(|step| step.event).collect();
    // The thread before it takes the transition of the same number.
    let wants_to_write = |place: usize| written.contains(&((place + count - 1) % count + 1));
    let is_plain = |name: &String| model.lock_named(name).is_none_or(|lock| model.lock(lock).kind() == LockKind::Plain);
    let exclusion = |(place, name): (usize, &String)| match (is_plain(name), wants_to_write(place)) {
        (true, _) => Exclusion::Plain,
        (false, true) => Exclusion::WantedInWrite,
        (false, false) => Exclusion::HeldInWrite,
    };
    record.locks.iter().enumerate().map(exclusion).collect()
}

/// Replays a witness with each of the automata; succeeds if one of them accepts it, else returns the last error.
fn one_of(automata: &[Automaton], replay: impl Fn(&Automaton) -> Result<(), ReplayError>) -> Result<(), ReplayError> {
    automata
        .iter()
        .fold(None, |result, automaton| match result {
            Some(Ok(())) => result,
            _ => Some(replay(automaton)),
        })
        .expect("a property has an automaton")
}
