//! `asercheck confirm` and `--confirm`: runs the findings of a report on a Java virtual machine, with the crate
//! [`confirm`](::confirm), and prints the results.

mod cache;
mod progress;

use super::arguments::{CacheArguments, ConfirmArguments, ConfirmingArguments, FailOnFinding, TestsStyle, TextOrJson};
use super::check::{print, write_file};
use super::ending::Ending;
use super::output::Terminal;
use super::{Exit, Failure};
use crate::report::java;
use ::confirm::{
    ConfirmationStore, Event, Factories, Jdk, Options, ReproductionStyle, Reproductions, Unreproduced, class_path,
};
use anyhow::{Context, anyhow};
use asercheck::Cancellation;
use asercheck::audit::{Confirmation, Finding, Likelihood, Report};
use cache::Cache;
use progress::ConfirmationProgress;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Runs `asercheck confirm`.
pub(crate) fn run(arguments: &ConfirmArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let name = arguments.report.display().to_string();
    let text = std::fs::read_to_string(&arguments.report).with_context(|| format!("cannot read {name}"));
    let parsed = java::parse(&text.map_err(Failure::input)?).map_err(|why| anyhow!("{name}: {why}"));
    let mut report = parsed.map_err(Failure::input)?;
    let request = Request {
        paths: &arguments.paths,
        time: arguments.time,
        cache: &arguments.cache,
        is_interrupted: false,
        shows_progress: true,
    };
    confirm(&mut report, &request, &arguments.confirming, terminal)?;
    let text = match arguments.format {
        TextOrJson::Json => serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n",
        TextOrJson::Text => summary(&report),
    };
    print(terminal, &text)?;
    if let Some(path) = &arguments.output {
        let text = serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n";
        write_file(path, &text)?;
    }
    Ok(if fails(&report, arguments.confirming.fail_on) { Exit::Violation } else { Exit::Success })
}

/// Returns a paragraph for each finding that was run, and the counts.
fn summary(report: &Report) -> String {
    let mut text = String::new();
    for subject in &report.subjects {
        for finding in &subject.findings {
            let Some(confirmation) = &finding.confirmation else { continue };
            text +=
                &format!("{}: {} by {}\n{}\n", subject.class, finding.unit, finding.by, told(finding, confirmation));
        }
    }
    super::output::plain(&(text + &java::confirmation_lines(report)))
}

/// Returns the answer of a finding: what was seen, if it is confirmed, and the details.
fn told(finding: &Finding, confirmation: &Confirmation) -> String {
    let seen = if finding.is_confirmed() { format!("{}\n", finding.headline()) } else { String::new() };
    seen + &confirmation.text()
}

/// Whether a report has a finding that `--fail-on` selects.
pub(crate) fn fails(report: &Report, fail_on: FailOnFinding) -> bool {
    let counts = |finding: &Finding| match fail_on {
        FailOnFinding::Finding => true,
        FailOnFinding::Possible => finding.is_confirmed() || finding.likelihood != Likelihood::Benign,
        FailOnFinding::Likely => finding.is_confirmed() || finding.likelihood == Likelihood::Likely,
        FailOnFinding::Confirmed => finding.is_confirmed(),
    };
    report.subjects.iter().flat_map(|subject| &subject.findings).any(counts)
}

/// The arguments of a confirmation that depend on the command.
pub(crate) struct Request<'a> {
    /// The class path.
    pub(crate) paths: &'a [PathBuf],
    /// The wall-clock time for all findings together.
    pub(crate) time: Duration,
    /// The answers of earlier runs.
    pub(crate) cache: &'a CacheArguments,
    /// Whether the user has ended the run before; then only stored answers are given.
    pub(crate) is_interrupted: bool,
    /// Whether the user wants to see the progress.
    pub(crate) shows_progress: bool,
}

/// Runs the findings of a report, adds the confirmations to it, and prints warnings.
pub(crate) fn confirm(
    report: &mut Report,
    request: &Request<'_>,
    arguments: &ConfirmingArguments,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let deadline = begin + request.time;
    let jdk = Jdk::find().map_err(Failure::input)?;
    let mut class_path = class_path(request.paths).map_err(Failure::input)?;
    let tests = ::confirm::class_path(&arguments.clients).map_err(Failure::input)?;
    class_path.extend(tests.iter().filter(|one| !class_path.contains(one)).cloned().collect::<Vec<_>>());
    let factories = match arguments.client.as_slice() {
        [] => None,
        files => Some(Factories::compile(&jdk, files, &class_path).map_err(Failure::input)?),
    };
    class_path.extend(factories.iter().map(|made| made.folder().to_path_buf()));
    let cancellation = Cancellation::default();
    let cache = Cache::open(request.cache, (&jdk, &class_path, &tests), &cancellation)?;
    if request.is_interrupted {
        cancellation.cancel();
    }
    let ending = Ending::of(cancellation.clone(), None)?;
    let reproductions =
        arguments.tests.as_deref().map(|folder| Reproductions { folder, style: arguments.tests_style.into() });
    let store = cache.as_ref().map(|cache| cache as &dyn ConfirmationStore);
    let progress = ConfirmationProgress::new(begin, request.shows_progress);
    let observer = |event: Event<'_>| progress.receive(event);
    let observer = Some(&observer as &(dyn Fn(Event<'_>) + Sync));
    let options = Options { class_path, tests, cancellation, deadline, store, reproductions, observer };
    let result = ::confirm::confirm(report, &jdk, &options);
    drop((ending, progress));
    if let Some(cache) = &cache {
        cache.answers.warn(terminal);
    }
    if request.shows_progress && report.summary.confirmed > 0 && arguments.tests.is_none() {
        terminal.tell("note: --tests DIR writes a program for each confirmed finding, which shows it\n");
    }
    let left_out = result.map_err(Failure::input)?;
    if let Some(reason) = left_out.tests {
        terminal.tell(&format!("warning: the tests of --clients were not looked for: {reason}\n"));
    }
    for Unreproduced { unit, reason } in left_out.programs {
        terminal.tell(&format!("warning: the confirmed finding of {unit} has no program: {reason}\n"));
    }
    Ok(())
}

impl From<TestsStyle> for ReproductionStyle {
    fn from(style: TestsStyle) -> Self {
        match style {
            TestsStyle::Plain => Self::Plain,
            TestsStyle::Junit5 => Self::Junit5,
            TestsStyle::Stress => Self::Stress,
        }
    }
}
