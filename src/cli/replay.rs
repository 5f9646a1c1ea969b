//! `asercheck replay`: executes witnesses on their models again.

use super::arguments::ReplayArguments;
use super::check::{automata, load};
use super::output::Terminal;
use super::{Exit, Failure};
use anyhow::{Context, anyhow, bail};
use asercheck::model::{LockKind, Mode, Model};
use asercheck::phases::{Automaton, Exclusion, UnitMode, deadlock};
use asercheck::query::Property;
use asercheck::report::{CheckReport, QueryRecord, VerdictKind};
use asercheck::witness::{Subject, replay};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A query on its own, or a line of a batch.
#[derive(Debug, Deserialize)]
struct Line {
    model: Option<PathBuf>,
    units: Option<String>,
    #[serde(flatten)]
    record: QueryRecord,
}

/// Runs the command: success if every witness in the file replays, internal error if one does not.
pub(crate) fn run(arguments: &ReplayArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let text = std::fs::read_to_string(&arguments.witness)
        .with_context(|| format!("cannot read {}", arguments.witness.display()))
        .map_err(Failure::input)?;
    let lines = lines(&text)
        .with_context(|| format!("{} holds no queries with witnesses", arguments.witness.display()))
        .map_err(Failure::input)?;
    let mut replayer = Replayer { arguments, terminal, models: HashMap::new(), automata: Vec::new() };
    for path in &arguments.automaton {
        replayer.automata.extend(automata(path, terminal)?);
    }
    let mut exit = Exit::Success;
    let violations: Vec<_> = lines.iter().filter(|line| line.record.verdict == VerdictKind::Violation).collect();
    for line in &violations {
        if !replayer.line(line)? {
            exit = Exit::Internal;
        }
    }
    if violations.is_empty() && !arguments.quiet {
        terminal.tell("there is no violation in the file, so nothing was replayed\n");
    }
    Ok(exit)
}

/// The queries in a file: a report of `check`, one query, or one query a line. What the file is follows from its first
/// value, so that a mistake is reported as one in a file of that kind.
fn lines(text: &str) -> anyhow::Result<Vec<Line>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let lines = match (values.next(), values.next()) {
        (None, _) => bail!("the file is empty"),
        (Some(Err(error)), _) => bail!("it is not JSON: {error}"),
        (Some(Ok(value)), None) if value.get("queries").is_some() => {
            let report = serde_json::from_str::<CheckReport>(text).context("as a report of `check`")?;
            let line =
                |record| Line { model: Some(report.model.clone().into()), units: Some(report.units.clone()), record };
            report.queries.iter().cloned().map(line).collect()
        }
        (Some(Ok(value)), None) => {
            is_query(&value)?;
            vec![serde_json::from_str(text).context("as a query")?]
        }
        (Some(Ok(_)), Some(_)) => one_a_line(text)?,
    };
    lines.iter().try_for_each(check_units)?;
    Ok(lines)
}

/// The lines of a batch.
fn one_a_line(text: &str) -> anyhow::Result<Vec<Line>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let one = |line: &str| -> anyhow::Result<Line> {
        is_query(&serde_json::from_str(line).context("it is not JSON")?)?;
        Ok(serde_json::from_str(line)?)
    };
    lines.map(|(number, line)| one(line).with_context(|| format!("line {}", number + 1))).collect()
}

/// That a value is meant as a query at all.
fn is_query(value: &Value) -> anyhow::Result<()> {
    if value.get("automaton").is_none() && value.get("verdict").is_none() {
        bail!("it has neither `queries`, as a report of `check`, nor `automaton` and `verdict`, as a query");
    }
    Ok(())
}

fn check_units(line: &Line) -> anyhow::Result<()> {
    match line.units.as_deref() {
        None | Some("both" | "first") => Ok(()),
        Some(other) => bail!("the units `{other}` are neither `both` nor `first`"),
    }
}

struct Replayer<'a> {
    arguments: &'a ReplayArguments,
    terminal: &'a Terminal,
    models: HashMap<PathBuf, Arc<Model>>,
    automata: Vec<Arc<Property>>,
}

impl Replayer<'_> {
    /// Whether the witness of a query replays; says so.
    fn line(&mut self, line: &Line) -> Result<bool, Failure> {
        let record = &line.record;
        let objects = [&record.locations[..], &record.locks[..]].concat();
        let name = format!("{} [{}] [{}]", record.automaton, objects.join(", "), record.processes.join(", "));
        let path = self.arguments.model.clone().or_else(|| line.model.clone());
        let path = path.ok_or_else(|| Failure::input(anyhow!("the file names no model; use --model")))?;
        let model = self.model(&path)?;
        let automata = self.automata(line, &model)?;
        let witness = record.witness.as_ref();
        let witness = witness.ok_or_else(|| Failure::input(anyhow!("{name}: a violation without a witness")))?;
        let (locations, locks, processes) = (&record.locations, &record.locks, &record.processes);
        let execute =
            |automaton: &Automaton| replay(&Subject { model: &model, automaton, locations, locks, processes }, witness);
        // The query is violated if one of its automata accepts.
        let results: Vec<_> = automata.iter().map(execute).collect();
        let result = results.iter().find(|result| result.is_ok()).or(results.last()).cloned();
        let (replays, text) = match result.unwrap_or(Ok(())) {
            Ok(()) => (true, format!("{name}: replayed, {} steps\n", witness.length())),
            Err(error) => (false, format!("{name}: does not replay: {error}\n")),
        };
        if !replays || !self.arguments.quiet {
            self.terminal.print(&text).context("standard output").map_err(Failure::internal)?;
        }
        Ok(replays)
    }

    fn model(&mut self, path: &Path) -> Result<Arc<Model>, Failure> {
        if let Some(model) = self.models.get(path) {
            return Ok(model.clone());
        }
        let model = Arc::new(load(path, self.terminal)?.model);
        self.models.insert(path.to_path_buf(), model.clone());
        Ok(model)
    }

    /// The automata of which the witness drives one to its end; there is at least one.
    fn automata(&self, line: &Line, model: &Model) -> Result<Vec<Automaton>, Failure> {
        let units = match line.units.as_deref() {
            Some("first") => UnitMode::First,
            Some("both") => UnitMode::Both,
            _ => self.arguments.units.into(),
        };
        let patterns = Property::all_patterns(units);
        let label = &line.record.automaton;
        if let Some(property) = patterns.iter().chain(&self.automata).find(|property| property.label() == label) {
            return Ok(vec![property.automaton().clone()]);
        }
        let race = Property::race();
        if label == race.label() {
            return Ok(race.automata().cloned().collect());
        }
        match Property::threads_of_deadlock(label) {
            Some(threads) if threads == line.record.locks.len() => Ok(vec![deadlock(&exclusions(model, &line.record))]),
            _ => Err(Failure::input(anyhow!("there is no automaton `{label}`; name its file with --automaton"))),
        }
    }
}

/// Why each lock of a deadlock keeps the thread waiting that wants it: a read-write lock because that thread wants it in write mode, as its last
/// step says; otherwise the lock must be held in write mode.
fn exclusions(model: &Model, record: &QueryRecord) -> Vec<Exclusion> {
    let count = record.locks.len();
    let steps = record.witness.iter().flat_map(|witness| &witness.steps);
    let wants_to_write = |place: usize| {
        // The thread before it takes the transition of the same number.
        let event = Some((place + count - 1) % count + 1);
        steps.clone().any(|step| step.event == event && step.mode == Some(Mode::Write))
    };
    let is_plain = |name: &String| model.lock_named(name).is_none_or(|lock| model.lock(lock).kind() == LockKind::Plain);
    let exclusion = |(place, name): (usize, &String)| match (is_plain(name), wants_to_write(place)) {
        (true, _) => Exclusion::Plain,
        (false, true) => Exclusion::WantedInWrite,
        (false, false) => Exclusion::HeldInWrite,
    };
    record.locks.iter().enumerate().map(exclusion).collect()
}
