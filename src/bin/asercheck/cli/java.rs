//! `asercheck java`: audits a Java program, with the library's [`audit`], and prints the report.

mod annotations;
mod cache;
mod certifier;
mod emitter;
mod input;
mod known_findings;
mod output;
mod parts;
mod repairer;
mod shard;
mod sources;
mod suppressions;
mod undecided_models;

use super::arguments::JavaArguments;
use super::check::statistics;
use super::confirm;
use super::ending::Ending;
use super::output::Terminal;
use super::progress::Progress;
use super::properties::{own_automata, properties};
use super::{Exit, Failure, suggestions};
use anyhow::anyhow;
use asercheck::audit::{self, ClassVerdict, Event, Finding, Likelihood, Report, SubjectReport, audit_hiding};
use asercheck::java::{self, Program};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::requests::problems;
use asercheck::{Clock, Limits, Options, Reason};
use cache::{Cache, Runs};
use certifier::Certifier;
use emitter::Emitter;
use input::{library, load, print_diagnostics};
use known_findings::{Hidden, KnownFindings};
use output::{precision_losses, write};
use repairer::Repairer;
use sources::SourceFinder;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &JavaArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let begin = Instant::now();
    if let Some(option) = arguments.confirming.needing_runs().filter(|_| arguments.confirm.is_none()) {
        return Err(Failure::input(anyhow!("{option} has an effect only with --confirm, which runs the findings")));
    }
    let memory = arguments.memory.map(|size| size.as_u64());
    let limits = Limits::default().with_timeout(arguments.timeout).with_memory(memory).with_clock(Clock::Thread);
    let deadline = arguments.total_timeout.and_then(|total| begin.checked_add(total));
    let ending = Ending::of(limits.cancellation.clone(), deadline)?;
    let units = UnitMode::from(arguments.deciding.units);
    let own = own_automata(&arguments.question.automaton, &limits, terminal)?;
    let properties = properties(&arguments.question, &arguments.question.numbers(), false, units, own)?;
    let library = library(arguments)?;
    let known = KnownFindings::read(arguments)?;
    let finder = Mutex::new(SourceFinder::new(&arguments.source, &arguments.paths)?);
    let (program, diagnostics) = match load(arguments, &limits) {
        Ok(loaded) => loaded,
        Err(reason) => {
            return without_report(arguments, &format!("({reason}): not all classes were read"), terminal);
        }
    };
    if !arguments.output.quiet {
        print_diagnostics(&diagnostics, arguments.verbose, terminal);
    }
    if program.classes().len() == 0 && ending.reason().is_none() {
        return Err(Failure::input(anyhow!(suggestions::without_classes(&arguments.paths))));
    }
    let known = known.with_annotations(&program, (!arguments.output.quiet).then_some(terminal));
    let reading = begin.elapsed();
    let mut options = options(arguments, &properties, units, (library, limits), &program)?;
    let cache = Cache::open(&arguments.cache, &options.common(), &options.limits.cancellation)?.map(Arc::new);
    options.store = cache.clone().map(|cache| cache as Arc<dyn audit::AnswerStore>);
    options.is_complete = !diagnostics.iter().any(|diagnostic| matches!(diagnostic.cause, java::Cause::Cancelled));
    let run = Run { arguments, program: &program, finder: &finder };
    // Stored results have no models.
    let needs_models = arguments.emit.is_some() || arguments.certificates.is_some() || arguments.repair;
    if let Some(cache) = cache.as_ref().filter(|_| !needs_models) {
        let runs = Runs::new(cache, &program, &options);
        options.runs = Some(match arguments.parts {
            true => Arc::new(parts::gather(&program, &options, (cache, &runs), |error| run.failure(error))?),
            false => Arc::new(runs),
        });
    }
    let Some((mut report, hidden)) = run.audit(&options, &known, terminal)? else {
        let reason = ending.reason().map_or_else(String::new, |reason| reason.to_string());
        return without_report(arguments, &format!("({reason}): not all classes were analysed"), terminal);
    };
    let elapsed = begin.elapsed();
    let is_interrupted = ending.reason() == Some(Reason::Cancelled);
    drop(ending);
    report.summary.seconds = elapsed.as_secs_f64();
    report.paths = arguments.paths.iter().map(|path| path.display().to_string()).collect();
    report.problems = problems(&diagnostics);
    report.keep_going = arguments.keep_going;
    let finder = finder.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(time) = arguments.confirm {
        let paths = [arguments.paths.as_slice(), &arguments.library].concat();
        let left = deadline.map_or(time, |deadline| deadline.saturating_duration_since(Instant::now()));
        let request = confirm::Request {
            paths: &paths,
            time: time.min(left),
            cache: &arguments.cache,
            is_interrupted,
            shows_progress: !arguments.output.quiet,
        };
        confirm::confirm(&mut report, &request, &arguments.confirming, terminal)?;
        known.hide_observed(&mut report, &hidden, arguments)?;
    }
    let exit = write(&mut report, &properties, finder, arguments, terminal)?;
    if let Some(cache) = cache.as_ref().filter(|_| !arguments.output.quiet) {
        cache.answers.warn(terminal);
    }
    if arguments.output.statistics {
        terminal.tell(&statistics(reading, begin.elapsed() - reading));
        cache.iter().for_each(|cache| terminal.tell(&cache.answers.statistics()));
        terminal.tell(&precision_losses(&report));
    }
    // The report is printed in any case.
    hidden.refused.map_or(Ok(exit), |why| Err(Failure::input(anyhow!(why))))
}

/// Ends a run that has no report, for this reason.
fn without_report(arguments: &JavaArguments, why: &str, terminal: &Terminal) -> Result<Exit, Failure> {
    match &arguments.write_baseline {
        Some(path) => Err(Failure::input(anyhow!("{} was not written {why}", path.display()))),
        None => {
            terminal.tell(&format!("open {why}\n"));
            Ok(Exit::Unknown)
        }
    }
}

/// The data that all subjects of a run need.
struct Run<'a> {
    arguments: &'a JavaArguments,
    program: &'a Program,
    finder: &'a Mutex<SourceFinder>,
}

impl Run<'_> {
    /// Audits the program, shows the progress, and writes the models of `--emit`. Returns no report if the run was
    /// ended before the subjects were known. Also returns the findings that are hidden.
    fn audit(
        &self,
        options: &audit::Options,
        known: &KnownFindings,
        terminal: &Terminal,
    ) -> Result<Option<(Report, Hidden)>, Failure> {
        let Self { arguments, program, finder } = *self;
        let progress: OnceLock<Mutex<Progress>> = OnceLock::new();
        let emitter: OnceLock<Emitter<'_>> = OnceLock::new();
        let certifier: OnceLock<Certifier<'_>> = OnceLock::new();
        let deciding = options.deciding.clone().with_limits(options.limits.clone());
        let repairer = arguments.repair.then(|| Repairer::new(program, &options.properties, deciding));
        let failed: Mutex<Option<Failure>> = Mutex::new(None);
        let cancellation = &options.limits.cancellation;
        let fail = |failure: Failure| {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
            cancellation.cancel();
        };
        let event = |event: Event<'_>| match event {
            Event::Selected { subjects, own } => {
                let words = ClassVerdict::ALL.map(ClassVerdict::words);
                let new = Progress::new(Some(own), "classes", &words, !arguments.output.quiet);
                progress.get_or_init(|| Mutex::new(new));
                let into = |folder| Emitter::new(folder, program, subjects, finder, arguments.main.is_some());
                match arguments.emit.as_deref().map(into).transpose() {
                    Ok(new) => new.into_iter().for_each(|new| {
                        emitter.get_or_init(|| new);
                    }),
                    Err(failure) => fail(failure),
                }
                let (properties, units, limits) = (&options.properties, options.units, &options.limits);
                match arguments.certificates.as_deref().map(into).transpose() {
                    Ok(new) => new.into_iter().for_each(|new| {
                        certifier.get_or_init(|| Certifier::new(new, program, properties, units, limits));
                    }),
                    Err(failure) => fail(failure),
                }
            }
            Event::Model { subject, number, isolated } => {
                if let Some(Err(failure)) = emitter.get().map(|emitter| emitter.write(subject, number, isolated)) {
                    fail(failure);
                }
                certifier.get().into_iter().for_each(|certifier| certifier.keep(subject, number, isolated));
                repairer.iter().for_each(|repairer| repairer.keep(subject, isolated));
            }
            Event::Decided(report) => {
                if let Some(Err(failure)) = certifier.get().map(|certifier| certifier.decided(report)) {
                    fail(failure);
                }
                if let Some(Err(error)) = repairer.as_ref().map(|repairer| repairer.decided(report)) {
                    fail(Failure::internal(anyhow!(error)));
                }
                if let Some(progress) = progress.get() {
                    let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                    found_lines(report, known).for_each(|line| progress.tell(line));
                    progress.count(report.verdict().words());
                }
            }
        };
        let mut hidden = Ok(Hidden::default());
        let hide = |report: &mut Report| hidden = known.hide(report, program, arguments, terminal);
        let report = match audit_hiding(program, options, &event, hide) {
            Err(audit::Error::Ended(_)) => None,
            result => Some(result.map_err(|error| self.failure(&error))?),
        };
        if let Some(failure) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        if let Some((certifier, report)) = certifier.get().zip(report.as_ref()) {
            terminal.tell(&certifier.write(report)?);
        }
        let attached = |mut report: Report| {
            repairer.iter().for_each(|repairer| repairer.attach(&mut report));
            report
        };
        hidden.map(|hidden| report.map(|report| (attached(report), hidden)))
    }

    /// Returns the failure of an audit. If a class does not exist, it names a similar one.
    fn failure(&self, error: &audit::Error) -> Failure {
        match error {
            audit::Error::NoClass(patterns) => {
                Failure::input(anyhow!("{error}{}", suggestions::class_hint(self.program, patterns)))
            }
            audit::Error::NoMain(_) | audit::Error::Ended(_) => Failure::input(anyhow!("{error}")),
            audit::Error::Threads(_) => Failure::internal(anyhow!("{error}")),
        }
    }
}

/// Returns the options of the audit.
fn options(
    arguments: &JavaArguments,
    properties: &[Arc<Property>],
    units: UnitMode,
    (library, limits): (java::library::Library, Limits),
    program: &Program,
) -> Result<audit::Options, Failure> {
    let JavaArguments { deciding, output, all_queries, .. } = arguments;
    let mut options = audit::Options::default().with_classes(arguments.class.clone());
    options = options.with_exclude(arguments.exclude.clone()).with_limits(limits);
    options.properties = properties.to_vec();
    options.units = units;
    options.deadlocks = arguments.deadlocks;
    options.main.clone_from(&arguments.main);
    options.unit_names.clone_from(&arguments.unit);
    options.fields.clone_from(&arguments.field);
    options.library = Arc::new(library);
    options.deciding =
        Options::default().with_engine(deciding.engine).with_jobs(1).with_reductions(deciding.reduce.reductions());
    options.listed = output.format.listed(*all_queries, output.detail());
    // If all queries are wanted, subsumed ones are decided as well.
    options.subsumption = !(*all_queries || output.findings.all);
    options.jobs = arguments.jobs;
    if let Some(part) = arguments.shard {
        options.shard = Some(shard::record(part, arguments, program)?);
        options.is_own = Some(Arc::new(move |class| crate::stable_hash::has_class(part, class)));
    }
    Ok(options)
}

/// Returns a line for each finding of a class that is just decided, unless it is known or possibly benign.
fn found_lines<'a>(subject: &'a SubjectReport, known: &'a KnownFindings) -> impl Iterator<Item = String> + 'a {
    let is_shown = |finding: &&Finding| finding.likelihood != Likelihood::Benign && !known.hides(subject, finding);
    let line =
        |finding: &Finding| format!("found ({}): {}: {}", finding.likelihood.name(), subject.class, finding.says);
    subject.findings.iter().filter(is_shown).map(line)
}
