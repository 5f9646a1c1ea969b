//! `asercheck check`: decides queries of one model.

use super::arguments::{CheckArguments, Format, QuestionArguments};
use super::output::Terminal;
use super::progress::Progress;
use super::reading::within;
use super::{Exit, Failure};
use anyhow::{Context, anyhow};
use asercheck::eml::render_all;
use asercheck::model::{self, Loaded, Rejected, Warning};
use asercheck::phases::{UnitMode, patterns};
use asercheck::query::{Property, Selection};
use asercheck::report::{CheckReport, QueryRecord, Summary, VerdictKind, explain_pattern, text_report, units_name};
use asercheck::{Limits, Options, Reason, StopReason, check_all, peak_memory};
use bytesize::ByteSize;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let units = UnitMode::from(arguments.units);
    if let Some(number) = arguments.explain_pattern {
        let pattern = patterns::pattern(usize::from(number)).expect("the argument is between 1 and 14");
        return print(terminal, &explain_pattern(pattern, units, terminal.style()));
    }
    let path = arguments.model.as_deref().expect("required unless a pattern is explained");
    let begin = Instant::now();
    let limits =
        Limits { timeout: arguments.timeout, memory: arguments.memory.map(|size| size.as_u64()), ..Limits::default() };
    let file = path.to_path_buf();
    let loaded = match within(&limits, move || model::load(&file)) {
        Ok(loaded) => accepted(loaded, terminal)?,
        Err(reason) => {
            terminal.tell(&format!(
                "{}: unknown ({}): it was not read to its end\n",
                path.display(),
                reason_of(reason)
            ));
            return Ok(Exit::Unknown);
        }
    };
    if !arguments.quiet {
        tell_warnings(&loaded, &arguments.question, terminal);
    }
    let reading = begin.elapsed();
    let properties = properties(&arguments.question, units, terminal)?;
    let QuestionArguments { locations, locks, processes, .. } = &arguments.question;
    let selection = Selection { locations: locations.clone(), locks: locks.clone(), processes: processes.clone() };
    let queries = selection.queries(&loaded.model, &properties).map_err(Failure::input)?;
    if queries.is_empty() && arguments.question.selects() {
        return Err(Failure::input(anyhow!("{}", nothing_asked(&properties))));
    }
    let options = Options {
        engine: arguments.engine,
        jobs: arguments.jobs.map(NonZeroUsize::get),
        reductions: arguments.reduce.reductions(),
        limits,
        ..Options::default()
    };
    let mut progress = Progress::new(queries.len(), !arguments.quiet);
    let outcomes =
        check_all(&loaded.model, &queries, &options, |_, outcome| progress.count(VerdictKind::from(&outcome.verdict)));
    drop(progress);
    let outcomes = outcomes.map_err(Failure::internal)?;
    let records = queries.iter().zip(&outcomes).map(|(query, outcome)| QueryRecord::new(&loaded.model, query, outcome));
    let records: Vec<_> = records.collect();
    let report = CheckReport {
        model: path.display().to_string(),
        engine: arguments.engine.resolve().name().to_string(),
        units: units_name(units).to_string(),
        summary: Summary::of(&records, begin.elapsed().as_secs_f64()),
        queries: records,
    };
    let text = match arguments.format {
        Format::Text => text_report(&report, &properties, terminal.style(), arguments.quiet),
        Format::Json => serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n",
    };
    print(terminal, &text)?;
    if arguments.statistics {
        terminal.tell(&statistics(reading, begin.elapsed() - reading));
    }
    Ok(match (report.summary.violation, report.summary.unknown) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::Unknown,
        _ => Exit::Violation,
    })
}

/// What to say if nothing that was selected binds to the model: that is no proof of anything.
fn nothing_asked(properties: &[Arc<Property>]) -> String {
    let labels: Vec<_> = properties.iter().map(|property| property.label()).collect();
    format!(
        "nothing to decide: the model has no locations of one atomic set and no instances of processes that bind to the \
         parameters of {} as selected",
        labels.join(", ")
    )
}

/// Says what is probably not intended, as far as it matters to what is asked.
pub(crate) fn tell_warnings(loaded: &Loaded, question: &QuestionArguments, terminal: &Terminal) {
    let asks_patterns = !question.pattern_numbers().is_empty();
    let matters = loaded.warnings.iter().filter(|warning| asks_patterns || !warning.is_about_patterns());
    let diagnostics: Vec<_> = matters.map(Warning::diagnostic).collect();
    terminal.tell(&render_all(&diagnostics, &loaded.source, terminal.colors_messages()));
}

/// The times, and the most memory.
fn statistics(reading: Duration, deciding: Duration) -> String {
    let memory = peak_memory().map_or("unknown".to_string(), |bytes| ByteSize(bytes).to_string());
    let [reading, deciding] = [reading, deciding].map(|time| time.as_secs_f64());
    format!("reading {reading:.3} s, deciding {deciding:.3} s, peak memory {memory}\n")
}

fn print(terminal: &Terminal, text: &str) -> Result<Exit, Failure> {
    terminal.print(text).context("standard output").map_err(Failure::internal)?;
    Ok(Exit::Success)
}

/// Reads a model, or says what is wrong with it.
pub(crate) fn load(path: &Path, terminal: &Terminal) -> Result<Loaded, Failure> {
    accepted(model::load(path), terminal)
}

/// Why nothing was decided.
fn reason_of(stopped: StopReason) -> Reason {
    match stopped {
        StopReason::Timeout => Reason::Timeout,
        StopReason::Memory => Reason::Memory,
        StopReason::Cancelled => Reason::Cancelled,
    }
}

fn accepted(loaded: Result<Loaded, Box<Rejected>>, terminal: &Terminal) -> Result<Loaded, Failure> {
    loaded.map_err(|rejected| Failure::input(anyhow!(rejected.render(terminal.colors_messages()))))
}

/// What is asked: the patterns and automata that are named, or all patterns.
fn properties(
    question: &QuestionArguments,
    units: UnitMode,
    terminal: &Terminal,
) -> Result<Vec<Arc<Property>>, Failure> {
    let numbers = question.pattern_numbers();
    let mut properties = Property::all_patterns(units);
    properties.retain(|property| property.pattern().is_some_and(|pattern| numbers.contains(&pattern.number())));
    for path in &question.automaton {
        properties.extend(automata(path, terminal)?);
    }
    Ok(properties)
}

/// The automata in a file.
pub(crate) fn automata(path: &Path, terminal: &Terminal) -> Result<Vec<Arc<Property>>, Failure> {
    let automata = asercheck::query::load_automata(path);
    let automata = automata.map_err(|error| Failure::input(anyhow!(error.render(terminal.colors_messages()))))?;
    Ok(automata.into_iter().map(|automaton| Arc::new(Property::of_automaton(automaton))).collect())
}
