//! The entry point of an audit.

use crate::error::Error;
use crate::options::Options;
use crate::progress::{Event, Progress};
use crate::report::{Report, Run, StoredRun, Summary, VERSION, is_whole};
use crate::subjects::with_subjects;
use decide::Reason;
use decide::answers::units_name;
use java::Program;
use std::time::Instant;

/// Audits a program: decides each subject, and orders its findings.
///
/// Subjects that a limit or a fault of the analysis leaves undecided are in the report with the reason. Except for
/// times, the report does not depend on the number of jobs.
///
/// # Errors
/// If the options name a class that does not exist, or threads cannot be started.
pub fn audit(program: &Program, options: &Options, progress: &Progress<'_>) -> Result<Report, Error> {
    audit_hiding(program, options, progress, |_| ())
}

/// Like [`audit`], but known findings can be taken out of the report before equal findings of several classes are
/// united, so that no shown finding refers to a hidden one.
///
/// # Errors
/// Those of [`audit`].
pub fn audit_hiding(
    program: &Program,
    options: &Options,
    progress: &Progress<'_>,
    hide: impl FnOnce(&mut Report),
) -> Result<Report, Error> {
    let begin = Instant::now();
    let run = match options.runs.as_ref().and_then(|runs| runs.get()) {
        Some(stored) => known(stored.into(), progress),
        None => decided(program, options, progress)?,
    };
    let Run { classes, skipped, unclaimed, of, places, subjects } = run;
    let cancellation = &options.limits.cancellation;
    let is_decided = options.is_complete && subjects.iter().all(|subject| subject.unknown.is_empty());
    let ended = cancellation.reason().map(Reason::from).filter(|_| !is_decided);
    let report = Report { ended, subjects, skipped, unclaimed, ..unaudited(options) };
    let mut report = report.finished(classes, begin.elapsed());
    if let Some(shard) = &mut report.shard {
        shard.of = of;
    }
    hide(&mut report);
    report.order(places);
    Ok(report)
}

/// The result of an earlier run, with the events of its subjects.
fn known(run: Run, progress: &Progress<'_>) -> Run {
    progress(Event::Selected { subjects: &[], own: run.subjects.len() });
    run.subjects.iter().for_each(|report| progress(Event::Decided(report)));
    run
}

/// Analyses the program, and stores the result if no limit has cut it short.
fn decided(program: &Program, options: &Options, progress: &Progress<'_>) -> Result<Run, Error> {
    let run = with_subjects(program, options, progress, |subjects| {
        let own = subjects.own();
        let reports = subjects.decide(&own)?;
        subjects.head().run(own, reports, |place| subjects.decide_silently(place))
    })?;
    if let Some(runs) = options.runs.as_ref().filter(|_| !options.limits.cancellation.is_cancelled())
        && run.subjects.iter().all(is_whole)
    {
        runs.keep(&StoredRun::from(&run));
    }
    Ok(run)
}

/// A report without subjects.
fn unaudited(options: &Options) -> Report {
    Report {
        version: VERSION,
        paths: Vec::new(),
        mode: if options.main.is_some() { "program" } else { "client" }.into(),
        main: options.main.clone(),
        engine: options.deciding.engine.resolve().name().to_string(),
        units: units_name(options.units).to_string(),
        deadlocks: options.deadlocks,
        summary: Summary::default(),
        ended: None,
        shard: options.shard.clone(),
        baseline: None,
        clients: None,
        suppressed: Vec::new(),
        subjects: Vec::new(),
        skipped: Default::default(),
        unclaimed: Vec::new(),
        problems: Vec::new(),
        keep_going: false,
    }
}
