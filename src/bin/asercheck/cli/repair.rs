//! `asercheck repair`: changes of a model after which all queries are safe.

use super::arguments::RepairArguments;
use super::check::{print, refuse_overwriting, source_at, write_file};
use super::ending::Ending;
use super::output::Terminal;
use super::properties::{own_automata, properties};
use super::{Exit, Failure};
use crate::report::counted;
use anyhow::anyhow;
use asercheck::certify::Certificates;
use asercheck::claim::claim;
use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Query};
use asercheck::repair::{Bounds, Error, Repair, Repairs, repairs};
use asercheck::requests::described;
use asercheck::syntax;
use asercheck::{Limits, Options};
use limits::Meter;
use similar::TextDiff;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &RepairArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let colors = terminal.colors_messages();
    if let Some(file) = &arguments.certificates {
        refuse_overwriting("--certificates", file, &arguments.model)?;
        arguments.apply.iter().try_for_each(|applied| refuse_overwriting("--certificates", file, applied))?;
    }
    let source = source_at(&arguments.model)
        .map_err(|error| Failure::input(anyhow!(error.diagnostic().render(error.source(), colors))))?;
    let text = source.text().unwrap_or_default().to_string();
    let loaded = model::from_source(source).map_err(|rejected| Failure::input(anyhow!(rejected.render(colors))))?;
    let properties = asked_properties(arguments, terminal)?;
    // An error of the selection is told once, with advice.
    arguments
        .question
        .ask(&loaded.model, &properties)
        .map_err(|error| Failure::input(anyhow!(described(&error, &loaded.model, &properties))))?;
    let limits = Limits::default().with_timeout(arguments.timeout);
    let ask = |model: &Model| queries(arguments, model, &properties, &limits);
    let options = Options::default()
        .with_engine(arguments.deciding.engine)
        .with_reductions(arguments.deciding.reduce.reductions())
        .with_limits(limits.clone());
    let deadline = arguments.total_timeout.and_then(|total| Instant::now().checked_add(total));
    let ending = Ending::of(options.limits.cancellation.clone(), deadline)?;
    let bounds = Bounds { edits: arguments.edits, models: arguments.models, repairs: arguments.repairs.get() };
    let found = repairs(&text, &ask, &options, bounds).map_err(|error| match error {
        Error::Input(_) => Failure::input(anyhow!(error)),
        _ => Failure::internal(anyhow!(error)),
    })?;
    drop(ending);
    let name = arguments.model.display().to_string();
    let canonical = syntax::parse(&text).map(|program| syntax::print(&program)).unwrap_or_default();
    let mut report = report(&name, &text, &canonical, &found);
    if let (Some(path), Some(best)) = (&arguments.apply, found.found.first()) {
        write_file(path, &best.text)?;
        if let Some(path) = &arguments.certificates {
            let (certificates, line) = certified(arguments, &best.text, &properties, &limits)?;
            write_file(path, &certificates)?;
            report += &line;
        }
    }
    print(terminal, &report)?;
    Ok(match (found.violated, found.found.is_empty()) {
        (0, _) if found.undecided > 0 => Exit::Unknown,
        (0, _) | (_, false) => Exit::Success,
        (_, true) if found.is_complete && found.undecided == 0 => Exit::Violation,
        (_, true) => Exit::Unknown,
    })
}

fn asked_properties(arguments: &RepairArguments, terminal: &Terminal) -> Result<Vec<Arc<Property>>, Failure> {
    let question = &arguments.question;
    let units = UnitMode::from(arguments.deciding.units);
    let automata = own_automata(&question.of.automaton, &Limits::default(), terminal)?;
    properties(&question.of, &question.pattern_numbers(), question.deadlocks, units, automata)
}

/// All queries about a model that are not trivial.
fn queries(
    arguments: &RepairArguments,
    model: &Model,
    properties: &[Arc<Property>],
    limits: &Limits,
) -> Result<Vec<Query>, String> {
    let asked = arguments.question.ask(model, properties).map_err(|error| described(&error, model, properties))?;
    let mut queries: Vec<_> = asked.possible().collect();
    if let Some(mut deadlocks) = asked.deadlocks(limits) {
        queries.extend(deadlocks.by_ref());
        if !deadlocks.is_done() {
            return Err("a limit kept queries about deadlocks from being listed".into());
        }
    }
    Ok(queries)
}

/// The certificates of the queries about a repaired model, with a line that counts them.
fn certified(
    arguments: &RepairArguments,
    text: &str,
    properties: &[Arc<Property>],
    limits: &Limits,
) -> Result<(String, String), Failure> {
    let fault = |why: String| Failure::internal(anyhow!("the repaired model: {why}"));
    let model = model::from_text("repaired.eml", text).map_err(|error| fault(error.to_string()))?.model;
    let program = syntax::parse(text).map_err(|_| fault("it is no model".into()))?;
    let queries = queries(arguments, &model, properties, limits).map_err(fault)?;
    let mut certificates = Certificates::new(&program, UnitMode::from(arguments.deciding.units));
    for query in &queries {
        // A query without a certificate is not counted.
        let _ = certificates.add(&claim(&model, query), &Meter::start(&limits.clone().with_since(None)));
    }
    let line = format!("certificates of {} of {} queries of the repaired model\n", certificates.len(), queries.len());
    Ok((certificates.finish(), line))
}

/// The report: for each repair its changes in words and as a diff, then the counts.
fn report(name: &str, text: &str, canonical: &str, found: &Repairs) -> String {
    let mut report = String::new();
    for (number, repair) in found.found.iter().enumerate() {
        let _ = writeln!(report, "repair {} of {}: {}", number + 1, found.found.len(), summary(repair));
        for edit in &repair.edits {
            let _ = writeln!(report, "  {edit}");
        }
        let diff = TextDiff::from_lines(canonical, &repair.text);
        let _ = writeln!(report, "\n{}", diff.unified_diff().context_radius(2).header(name, "repaired"));
    }
    if !found.found.is_empty() && text != canonical {
        report += "The changes are those of the canonical form of the model (`asercheck fmt`).\n";
    }
    let Repairs { violated, decided, undecided, .. } = found;
    let _ = write!(report, "{name}: ");
    let _ = match (violated, found.found.len()) {
        (0, _) if *undecided > 0 => writeln!(report, "no query is violated, but not all were decided"),
        (0, _) => writeln!(report, "nothing to repair: no query is violated"),
        (_, 0) => {
            let bounds = if found.is_complete { "" } else { ", before the search was complete" };
            let open = if *undecided == 0 { String::new() } else { format!("; {undecided} were not decided") };
            let models = counted(*decided, "changed model was", "changed models were");
            writeln!(report, "no repair was found{bounds}: {models} decided{open}")
        }
        (_, count) => {
            let repairs = counted(count, "repair", "repairs");
            let models = counted(*decided, "changed model", "changed models");
            writeln!(report, "{repairs} of {violated} violated queries; {models} decided")
        }
    };
    report
}

fn summary(repair: &Repair) -> String {
    let changes = counted(repair.edits.len(), "change", "changes");
    let Repair { queries, weight, weight_before, .. } = repair;
    let queries = counted(*queries, "query is", "queries are");
    format!(
        "{changes}; {queries} safe, no new deadlock; weight of critical sections {weight} instead of {weight_before}"
    )
}
