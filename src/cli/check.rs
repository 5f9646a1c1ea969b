//! `asercheck check`: decides queries of one model.

use super::arguments::{CheckArguments, Format, QuestionArguments};
use super::ending::Ending;
use super::output::Terminal;
use super::progress::Progress;
use super::reading::within;
use super::{Exit, Failure};
use anyhow::{Context, anyhow};
use asercheck::eml::render_all;
use asercheck::model::{self, Loaded, Model, Rejected, Warning};
use asercheck::phases::{UnitMode, patterns};
use asercheck::query::{Asked, Property, Selection};
use asercheck::report::{CheckReport, Entries, Ledger, explain_pattern, text_report, units_name};
use asercheck::{Cancellation, Limits, Options, Reason, StopReason, check_each, peak_memory};
use bytesize::ByteSize;
use std::mem::ManuallyDrop;
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
    let deadline = arguments.total_timeout.and_then(|total| begin.checked_add(total));
    let memory = arguments.memory.map(|size| size.as_u64());
    let limits = Limits::default().with_timeout(arguments.timeout).with_memory(memory).with_since(begin);
    let reading = limits.clone().with_timeout(sooner(arguments.timeout, arguments.total_timeout));
    let file = path.to_path_buf();
    let loaded = match within(&reading, move || model::load(&file)) {
        // The process ends soon after the last use, and does not give a big model back piece by piece.
        Ok(loaded) => ManuallyDrop::new(accepted(loaded, terminal)?),
        Err(reason) => {
            terminal.tell(&format!(
                "{}: unknown ({}): it was not read to its end\n",
                path.display(),
                reason_of(reason)
            ));
            return Ok(Exit::Unknown);
        }
    };
    let question = &arguments.question;
    if !arguments.quiet {
        tell_warnings(&loaded, question, terminal);
    }
    let reading = begin.elapsed();
    let properties = properties(question, units, terminal)?;
    let QuestionArguments { locations, locks, processes, .. } = question;
    let selection = Selection { locations: locations.clone(), locks: locks.clone(), processes: processes.clone() };
    let asked = if question.deadlocks {
        selection.ask_with_deadlocks(&loaded.model, &properties)
    } else {
        selection.ask(&loaded.model, &properties)
    };
    let asked = asked.map_err(Failure::input)?;
    if asked.count() == 0 && question.selects() && !question.deadlocks {
        return Err(Failure::input(anyhow!("{}", nothing_asked(&properties))));
    }
    let options = Options::default()
        .with_engine(arguments.engine)
        .with_jobs(arguments.jobs.map(NonZeroUsize::get))
        .with_reductions(arguments.reduce.reductions())
        .with_limits(limits);
    let Entries { tally, records, unlisted, ended, locations, cycles } = decide(&asked, &options, deadline, arguments)?;
    let report = CheckReport {
        model: path.display().to_string(),
        engine: arguments.engine.resolve().name().to_string(),
        units: units_name(units).to_string(),
        summary: tally.summary(begin.elapsed().as_secs_f64()),
        vacuous: vacuous(&loaded, question),
        ended,
        unlisted: if arguments.format == Format::Json { unlisted } else { 0 },
        queries: records,
        locations,
        cycles,
    };
    let text = match arguments.format {
        Format::Text => text_report(&report, &properties, &tally, terminal.style(), arguments.quiet),
        Format::Json => serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n",
    };
    print(terminal, &text)?;
    if arguments.statistics {
        terminal.tell(&statistics(reading, begin.elapsed() - reading));
    }
    match (report.summary.violation, report.summary.unknown, &report.vacuous) {
        (0, 0, Some(why)) if arguments.fail_on_vacuous => Err(Failure::input(anyhow!("nothing to decide: {why}"))),
        (0, 0, _) => Ok(Exit::Success),
        (0, _, _) => Ok(Exit::Unknown),
        _ => Ok(Exit::Violation),
    }
}

/// The shorter of two times, each perhaps without end.
fn sooner(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    [one, other].into_iter().flatten().min()
}

/// Decides what is asked, until the end of the time for everything or until the user wants it to end.
fn decide(
    asked: &Asked<'_>,
    options: &Options,
    deadline: Option<Instant>,
    arguments: &CheckArguments,
) -> Result<Entries, Failure> {
    let mut ledger = Ledger::new(asked, arguments.format == Format::Json);
    let mut progress = Progress::new(ledger.expected(), !arguments.quiet);
    let ending = Ending::of(options.limits.cancellation.clone(), deadline)?;
    let mut deadlocks = asked.deadlocks(&options.limits);
    let queries = asked.possible().chain(deadlocks.as_mut().into_iter().flatten());
    let result = check_each(asked.model(), queries, options, |number, query, outcome| {
        progress.count(ledger.enter(number, query, outcome, ending.reason()));
    });
    drop(progress);
    result.map_err(Failure::internal)?;
    let ended = ending.reason();
    let unmade = deadlocks.filter(|deadlocks| !deadlocks.is_done()).map(|deadlocks| {
        let limit = deadlocks.ended().map(reason_of);
        ended.or(limit).unwrap_or(Reason::Cancelled)
    });
    ledger
        .close(ended, unmade, &options.limits.clone().with_cancellation(Cancellation::default()).with_since(None))
        .map_err(Failure::internal)
}

/// A deadlock needs two locks.
fn few_locks(model: &Model) -> Option<String> {
    (model.locks().len() < 2).then(|| "the model has fewer than two locks".to_string())
}

/// Why no interleaving of the model can violate any of what is asked, if there is a plain reason for each kind of question: then
/// nothing was asked, so to say.
fn vacuous(loaded: &Loaded, question: &QuestionArguments) -> Option<String> {
    let first = |excludes: fn(&Warning) -> bool| {
        let warning = loaded.warnings.iter().find(|warning| excludes(warning));
        warning.map(|warning| warning.diagnostic().message().to_string())
    };
    let kinds = [
        (!question.pattern_numbers().is_empty(), first(Warning::is_about_patterns)),
        (question.races, first(Warning::excludes_races)),
        (question.deadlocks, first(Warning::excludes_deadlocks).or_else(|| few_locks(&loaded.model))),
        (!question.automaton.is_empty(), first(|warning| *warning == Warning::NoProcess)),
    ];
    let mut reasons: Vec<_> = kinds.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, reason)| reason).collect();
    reasons.dedup();
    let reasons: Option<Vec<String>> = reasons.into_iter().collect();
    reasons.map(|reasons| reasons.join("; "))
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
pub(crate) fn reason_of(stopped: StopReason) -> Reason {
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
    let is_taken = |property: &&Arc<Property>| {
        let label = property.label();
        (question.races && label == "race") || (question.deadlocks && Property::threads_of_deadlock(label).is_some())
    };
    if let Some(property) = properties.iter().find(is_taken) {
        let label = property.label();
        return Err(Failure::input(anyhow!(
            "an automaton has the name `{label}`, by which the tool's own is reported"
        )));
    }
    if question.races {
        properties.push(Arc::new(Property::race()));
    }
    Ok(properties)
}

/// The automata in a file.
pub(crate) fn automata(path: &Path, terminal: &Terminal) -> Result<Vec<Arc<Property>>, Failure> {
    let automata = asercheck::query::load_automata(path);
    let automata = automata.map_err(|error| Failure::input(anyhow!(error.render(terminal.colors_messages()))))?;
    Ok(automata.into_iter().map(|automaton| Arc::new(Property::of_automaton(automaton))).collect())
}
