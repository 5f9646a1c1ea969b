//! Java classes: a request of `java`.

use super::deciding::{Patterns, automata, engine, pattern_numbers, reductions, seconds, units};
use super::error::{Error, ErrorKind};
use super::progress::{Progress, Step};
use super::question::Question;
use super::source_folders::SourceFolders;
use super::watch::Watch;
use crate::audit::{self as audits, Event, Listed, Report};
use crate::java::library::Library;
use crate::java::{self, Diagnostic, Program};
use crate::records::ProblemRecord;
use crate::witness::Witness;
use crate::{Cancellation, Clock, Limits, Options};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The time for each class, in seconds, by default.
const TIMEOUT: f64 = 10.0;

/// A request of `java`. All members but `paths` are optional.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditRequest {
    /// Class files, folders and archives.
    pub paths: Vec<PathBuf>,
    /// Those whose classes are analysed, but are no subjects.
    pub libraries: Vec<PathBuf>,
    /// Folders of sources, whose paths then stand in witnesses; folders near the class files are searched anyway.
    pub sources: Vec<PathBuf>,
    /// Name patterns of classes; by default all that claim to be thread-safe.
    pub classes: Vec<String>,
    /// Name patterns of classes that are no subjects.
    pub exclude: Vec<String>,
    /// Name patterns of methods as violated units.
    pub methods: Vec<String>,
    /// Name patterns of fields.
    pub fields: Vec<String>,
    /// The class whose `main` begins the program.
    pub main: Option<String>,
    /// Files with effects of methods that are missing.
    pub summaries: Vec<PathBuf>,
    /// Patterns; by default all of them, if nothing else is asked.
    pub patterns: Option<Patterns>,
    /// Whether data races are asked for.
    pub races: bool,
    /// Whether deadlocks are asked for, besides the rest.
    pub deadlocks: bool,
    /// Files of phase automata.
    pub automata: Vec<PathBuf>,
    /// Texts of phase automata.
    pub automaton_texts: Vec<String>,
    /// The threads of a pattern that must act in one unit of work: `both`, the default, or `first`.
    pub units: Option<String>,
    /// The engine; by default the one that the command chooses.
    pub engine: Option<String>,
    /// Names of reductions that are switched off; `all` for all of them.
    pub no_reduce: Vec<String>,
    /// Processor time for each class, in seconds; 10 by default.
    pub timeout: Option<f64>,
    /// Wall-clock time for everything together, in seconds.
    pub total_timeout: Option<f64>,
    /// The limit for the resident memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Number of classes that are decided at the same time; by default the number of processors.
    pub jobs: Option<NonZeroUsize>,
    /// Whether files and entries that cannot be read leave nothing undecided.
    pub keep_going: bool,
    /// Whether each query is listed; then none is subsumed.
    pub all_queries: bool,
}

/// Audits Java classes.
///
/// # Errors
/// If the request is wrong, there are no classes, or the run was ended before the subjects were known.
pub fn audit(request: &AuditRequest, cancellation: &Cancellation, progress: &Progress<'_>) -> Result<Report, Error> {
    let begin = Instant::now();
    let deadline = seconds("total_timeout", request.total_timeout)?.and_then(|total| begin.checked_add(total));
    let mut options = request.options(cancellation)?;
    let folders = SourceFolders::new(&request.sources, &request.paths);
    let folders = folders.map_err(|missing| Error::new(ErrorKind::Input, missing.to_string()))?;
    let (program, diagnostics) = request.load(cancellation, deadline)?;
    let _watch = Watch::begin(cancellation, deadline, None).map_err(threads)?;
    options.is_complete = !diagnostics.iter().any(|diagnostic| matches!(diagnostic.cause, java::Cause::Cancelled));
    let (total, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let event = |event: Event<'_>| match event {
        Event::Selected { own, .. } => {
            total.store(own, Ordering::Relaxed);
            progress(Step { done: 0, total: Some(own), name: "" });
        }
        Event::Model { .. } => {}
        Event::Decided(subject) => {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Step { done, total: Some(total.load(Ordering::Relaxed)), name: &subject.class });
        }
    };
    let mut report = audits::audit(&program, &options, &event).map_err(|error| {
        let kind = match error {
            audits::Error::NoClass(_) | audits::Error::NoMain(_) => ErrorKind::Usage,
            audits::Error::Ended(_) => ErrorKind::Ended,
            audits::Error::Threads(_) => ErrorKind::Internal,
        };
        Error::new(kind, error.to_string())
    })?;
    report.summary.seconds = begin.elapsed().as_secs_f64();
    report.paths = request.paths.iter().map(|path| path.display().to_string()).collect();
    report.problems = problems(&diagnostics);
    report.keep_going = request.keep_going;
    name_sources(&mut report, &folders);
    Ok(report)
}

impl AuditRequest {
    /// Reads the classes within the limit on memory, until the deadline.
    fn load(
        &self,
        cancellation: &Cancellation,
        deadline: Option<Instant>,
    ) -> Result<(Program, Vec<Diagnostic>), Error> {
        if self.paths.is_empty() {
            return Err(Error::usage("no path with classes is given"));
        }
        let watch = Watch::begin(cancellation, deadline, self.memory).map_err(threads)?;
        let is_cancelled = || cancellation.is_cancelled();
        let reading = java::Limits { is_cancelled: &is_cancelled, ..java::Limits::default() };
        let loaded = Program::load(&self.paths, &self.libraries, &reading);
        drop(watch);
        if loaded.0.classes().len() == 0 && !cancellation.is_cancelled() {
            return Err(Error::new(ErrorKind::Input, "there are no classes in what is given"));
        }
        Ok(loaded)
    }

    fn options(&self, cancellation: &Cancellation) -> Result<audits::Options, Error> {
        if self.deadlocks && self.main.is_some() {
            return Err(Error::usage("deadlocks are asked for objects, not for a program with `main`"));
        }
        let automata = automata(&self.automata, &self.automaton_texts)?;
        let patterns = pattern_numbers(self.patterns.as_ref(), self.races || !automata.is_empty())?;
        let units = units(self.units.as_deref())?;
        let question = Question { patterns, races: self.races, deadlocks: false, automata, units };
        let timeout = seconds("timeout", Some(self.timeout.unwrap_or(TIMEOUT)))?;
        let limits = Limits::default().with_timeout(timeout).with_memory(self.memory).with_clock(Clock::Thread);
        let mut options = audits::Options::default().with_classes(self.classes.clone());
        options = options.with_exclude(self.exclude.clone());
        options = options.with_limits(limits.with_cancellation(cancellation.clone()));
        options.properties = question.properties().map_err(|taken| Error::usage(taken.to_string()))?;
        options.units = units;
        options.deadlocks = self.deadlocks;
        options.main.clone_from(&self.main);
        options.unit_names.clone_from(&self.methods);
        options.fields.clone_from(&self.fields);
        options.library = Arc::new(self.library()?);
        let (reductions, _) = reductions(&self.no_reduce)?;
        let engine = engine(self.engine.as_deref())?;
        options.deciding = Options::default().with_engine(engine).with_jobs(1).with_reductions(reductions);
        options.listed = if self.all_queries { Listed::All } else { Listed::None };
        options.subsumption = !self.all_queries;
        options.jobs = self.jobs;
        Ok(options)
    }

    /// The library model, with the rows of the user before the built-in ones.
    fn library(&self) -> Result<Library, Error> {
        let mut library = Library::builtin();
        for path in &self.summaries {
            let name = path.display();
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| Error::new(ErrorKind::Input, format!("cannot read {name}: {error}")))?;
            library.add(&text).map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(|error| format!("{name}:{error}")).collect();
                Error::new(ErrorKind::Input, errors.join("\n"))
            })?;
        }
        Ok(library)
    }
}

fn threads(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot start threads: {error}"))
}

/// The input that could not be read, for a report.
pub fn problems(diagnostics: &[Diagnostic]) -> Vec<ProblemRecord> {
    let real = diagnostics.iter().filter(|diagnostic| diagnostic.cause.is_missing());
    let record = |diagnostic: &Diagnostic| ProblemRecord {
        path: diagnostic.origin.to_string(),
        message: diagnostic.cause.to_string(),
    };
    real.map(record).collect()
}

/// Replaces the names of files in witnesses with the paths of sources, where they are found.
fn name_sources(report: &mut Report, folders: &SourceFolders) {
    let mut paths: HashMap<String, Option<String>> = HashMap::new();
    let mut name = |witness: &mut Witness| {
        for step in &mut witness.steps {
            let Some(file) = &step.file else { continue };
            if let Some(path) = paths.entry(file.clone()).or_insert_with_key(|file| folders.path(file)) {
                step.file = Some(path.clone());
            }
        }
    };
    for subject in &mut report.subjects {
        subject.findings.iter_mut().for_each(|finding| name(&mut finding.witness));
        subject.all_queries.iter_mut().filter_map(|record| record.witness.as_mut()).for_each(&mut name);
    }
}
