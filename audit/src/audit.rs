//! The entry point of an audit.

use crate::error::Error;
use crate::evidence::Judge;
use crate::options::Options;
use crate::pipeline::{Pipeline, points_to};
use crate::progress::{Event, Progress};
use crate::report::{ClassVerdict, Report, Run, StoredRun, SubjectReport, Summary, Undecided, VERSION, is_whole};
use crate::selection::{Selection, class_name};
use decide::Reason;
use decide::answers::units_name;
use isolate::{Analysis, Claim, Entering, Facts, Main, Modality, Shared, Subject};
use java::ir::Bodies;
use java::points_to::{Clients, Mode};
use java::{ClassId, Program};
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
    let cancellation = &options.limits.cancellation;
    let main = options.main.as_deref().map(|name| main_of(program, name)).transpose()?;
    let Some(facts) = Facts::new_within(program, &|| cancellation.is_cancelled()) else {
        return Err(Error::Ended(cancellation.reason().map_or(Reason::Cancelled, Reason::from)));
    };
    let selection = Selection::new(program, &facts, main, (&options.classes, &options.exclude))?;
    let Decided { selection, own, subjects } = decide(program, &facts, selection, main, options, progress)?;
    let of = selection.subjects.len();
    let Selection { classes, skipped, unclaimed, .. } = selection;
    let places = own.into_iter().map(|(place, _)| place).collect();
    let run = Run { classes, skipped, unclaimed, of, places, subjects };
    if let Some(runs) = options.runs.as_ref().filter(|_| !cancellation.is_cancelled())
        && run.subjects.iter().all(is_whole)
    {
        runs.keep(&StoredRun::from(&run));
    }
    Ok(run)
}

/// The method `main` of a class.
fn main_of(program: &Program, name: &str) -> Result<Main, Error> {
    let main = program.find(name).and_then(|class| Main::of(program, class));
    main.ok_or_else(|| Error::NoMain(name.to_string()))
}

/// The subjects of this run, each with its place among all.
fn own(program: &Program, selection: &Selection, options: &Options) -> Vec<(usize, Subject)> {
    let is_own = |subject: &Subject| options.is_own.as_ref().is_none_or(|is_own| is_own(&class_name(program, subject)));
    selection.subjects.iter().cloned().enumerate().filter(|(_, subject)| is_own(subject)).collect()
}

/// The reports of the subjects of this run.
struct Decided {
    /// All subjects, with those that the analysis of the program has added.
    selection: Selection,
    /// The subjects of this run, each with its place among all.
    own: Vec<(usize, Subject)>,
    subjects: Vec<SubjectReport>,
}

/// Leaves a proved class open if clients get objects of a subclass as its objects, and the subclass is not proved.
fn leave_bases_open(selection: &Selection, own: &[(usize, Subject)], reports: &mut [SubjectReport]) {
    let place = |class: ClassId| own.iter().position(|(_, one)| one.class == class && one.claim != Claim::Statics);
    for (base, subclass) in &selection.factories {
        let (Some(base), Some(subclass)) = (place(*base), place(*subclass)) else { continue };
        let is_refuted = matches!(reports[subclass].verdict(), ClassVerdict::Violated | ClassVerdict::Open);
        if is_refuted && reports[base].verdict() == ClassVerdict::Proved {
            let reason = Undecided::by_subclass(&reports[subclass].class);
            reports[base].unknown.push(reason);
        }
    }
}

/// Analyses the program and decides the subjects of this run.
fn decide(
    program: &Program,
    facts: &Facts,
    mut selection: Selection,
    main: Option<Main>,
    options: &Options,
    progress: &Progress<'_>,
) -> Result<Decided, Error> {
    let library = &*options.library;
    let bodies = Bodies::new(program);
    let offered = selection.offered(program, facts);
    let clients = Clients { offered: &offered, ..Clients::default() };
    let mode = main.map_or(Mode::Client(clients), |main| Mode::Main(main.method()));
    let points = points_to(program, library, mode, &options.limits);
    let (shared, entering, modality) = (Shared::default(), Entering::default(), Modality::default());
    let analysis = points.as_ref().map(|points| Analysis {
        program,
        library,
        bodies: &bodies,
        points,
        shared: &shared,
        entering,
        modality,
    });
    if let (Ok(analysis), None) = (&analysis, main) {
        selection.add_reached(*analysis);
        shared.note_subjects(selection.object_classes());
    }
    let own = own(program, &selection, options);
    progress(Event::Selected { subjects: &selection.subjects, own: own.len() });
    let judge = Judge::new(program, &bodies, facts);
    let pipeline = Pipeline {
        program,
        facts,
        judge: &judge,
        analysis: analysis.map_err(Clone::clone),
        options,
        common: options.common(),
        main,
        progress,
    };
    let mut subjects = pipeline.all(&own)?;
    leave_bases_open(&selection, &own, &mut subjects);
    Ok(Decided { selection, own, subjects })
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
