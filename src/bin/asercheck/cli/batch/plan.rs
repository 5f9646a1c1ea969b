//! From arguments to a plan: everything is read and checked before anything is decided.

use super::super::arguments::{BatchArguments, Units};
use super::super::check::tell_warnings;
use super::super::output::Terminal;
use super::super::properties::{own_automata, properties};
use super::super::reading::within;
use super::{Exit, Failure};
use crate::batch::{AutomatonText, Header, Plan, PlannedModel, Question};
use anyhow::{Context, anyhow};
use asercheck::model::{self, Loaded};
use asercheck::phases::UnitMode;
use asercheck::requests::nothing_named;
use asercheck::{Limits, Reason};
use std::path::Path;

/// Reads all models and automata. Every file is read, even if one before it is wrong.
pub(super) fn plan(arguments: &BatchArguments, terminal: &Terminal) -> Result<Plan, Failure> {
    let mut models: Vec<PlannedModel> = Vec::new();
    let mut wrong = Vec::new();
    for path in &arguments.models {
        match planned(path, arguments, terminal) {
            Ok(model) if models.iter().any(|other| other.path == model.path) => {
                wrong.push(format!("error: the model {} is named twice\n", model.path));
            }
            Ok(model) => models.push(model),
            // Reading continues in the background until the process ends, so nothing else is begun.
            Err(failure) if failure.exit == Exit::Unknown => return Err(failure),
            Err(failure) => wrong.push(format!("{:#}", failure.error)),
        }
    }
    if !wrong.is_empty() {
        return Err(Failure::input(anyhow!(wrong.join("\n"))));
    }
    let mut engines = Vec::new();
    for engine in arguments.engines.iter().map(|engine| engine.resolve()) {
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    Ok(Plan {
        models,
        engines,
        questions: questions(arguments, terminal)?,
        limits: limits(arguments),
        reductions: arguments.reduce.reductions(),
        search_reductions: arguments.reduce.search_reductions(),
        separate: arguments.separate,
        shard: arguments.shard,
    })
}

/// Returns the limits of each query, and of reading each file.
fn limits(arguments: &BatchArguments) -> Limits {
    let memory = arguments.memory.map(|size| size.as_u64());
    Limits::default().with_timeout(arguments.timeout).with_memory(memory)
}

/// Returns the header of a plan; fails if a selected name does not exist.
pub(super) fn header(plan: &Plan) -> Result<Header, Failure> {
    plan.header().map_err(|(path, error)| match path {
        Some(path) => Failure::input(anyhow!("{path}: {error}")),
        None => Failure::input(error),
    })
}

fn planned(path: &Path, arguments: &BatchArguments, terminal: &Terminal) -> Result<PlannedModel, Failure> {
    let colors = terminal.colors_messages();
    let limits = limits(arguments);
    let file = path.to_path_buf();
    let loaded = within(&limits, move || model::load(&file)).map_err(|stop| Failure {
        exit: Exit::Unknown,
        error: anyhow!("{}: it was not read to its end ({})", path.display(), Reason::from(stop)),
    })?;
    let mut loaded = loaded.map_err(|rejected| Failure::input(anyhow!(rejected.render(colors))))?;
    if !arguments.quiet {
        tell_warnings(&mut loaded, &arguments.question, &limits, terminal);
    }
    let vacuous = why_vacuous(&loaded, arguments, &limits, terminal)?;
    let text = loaded.source.text().unwrap_or_default().to_string();
    Ok(PlannedModel { path: name(path)?, text, model: loaded.model, vacuous })
}

/// Returns the reason why no query can be violated in a model, if that is so. It does not depend on the unit mode.
fn why_vacuous(
    loaded: &Loaded,
    arguments: &BatchArguments,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Option<String>, Failure> {
    let question = &arguments.question;
    let why = question.kinds().vacuous(loaded);
    if why.is_some() || !question.names_parts() {
        return Ok(why);
    }
    let numbers = question.pattern_numbers();
    let own = own_automata(&question.of.automaton, limits, terminal)?;
    let properties = properties(&question.of, &numbers, question.deadlocks, UnitMode::Both, own)?;
    // Errors in the questions are reported with the questions.
    Ok(question.ask(&loaded.model, &properties).ok().and_then(|asked| {
        let has_cycles = || asked.deadlocks(limits).is_some_and(|mut cycles| cycles.next().is_some());
        // The needs of the user's automata are unknown.
        let is_known = question.of.automaton.is_empty();
        is_known.then(|| nothing_named(&asked, question.deadlocks, has_cycles)).flatten()
    }))
}

/// Returns one question for each unit mode. Automata define units themselves, and races and deadlocks have none, so
/// these are asked once.
fn questions(arguments: &BatchArguments, terminal: &Terminal) -> Result<Vec<Question>, Failure> {
    let mut texts = Vec::new();
    own_automata(&arguments.question.of.automaton, &limits(arguments), terminal)?;
    for path in &arguments.question.of.automaton {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display())).map_err(Failure::input)?;
        texts.push(AutomatonText { path: name(path)?, text });
    }
    let mut units: Vec<Units> = Vec::new();
    for mode in &arguments.units {
        if !units.contains(mode) {
            units.push(*mode);
        }
    }
    let question = |(number, mode): (usize, &Units)| Question {
        both_units: *mode == Units::Both,
        patterns: arguments.question.pattern_numbers(),
        automata: if number == 0 { texts.clone() } else { Vec::new() },
        races: number == 0 && arguments.question.of.races,
        deadlocks: number == 0 && arguments.question.deadlocks,
        locations: arguments.question.locations.clone(),
        locks: arguments.question.locks.clone(),
        processes: arguments.question.processes.clone(),
    };
    // If nothing depends on the unit mode, the question for a second mode is empty.
    let asks = |question: &Question| {
        !(question.patterns.is_empty() && question.automata.is_empty()) || question.races || question.deadlocks
    };
    Ok(units.iter().enumerate().map(question).filter(asks).collect())
}

/// Returns a path as records have it.
fn name(path: &Path) -> Result<String, Failure> {
    let name = path.to_str().with_context(|| format!("{}: the name is not UTF-8", path.display()));
    name.map(str::to_string).map_err(Failure::input)
}
