//! `asercheck java`: decides the classes of a Java program, each as one object that any number of threads use.

mod cache;
mod caught;
mod emit;
mod matches;
mod question;
mod shard;
mod sources;
mod suppress;
mod watch;

use super::answers::hash_of_program;
use super::arguments::JavaArguments;
use super::check::{print, reason_of, statistics, write_file};
use super::confirm;
use super::ending::Ending;
use super::output::Terminal;
use super::progress::Progress;
use super::properties::{own_automata, properties};
use super::reading::within;
use super::{Exit, Failure, meant};
use crate::report::Checked;
use crate::report::forms::{self, Form, Html};
use crate::report::java::{Baseline, combined};
use anyhow::{Context, anyhow};
use asercheck::findings::Group;
use asercheck::isolate::{
    Analysis, Claim, Entering, Facts, Isolated, MOST_STATES, Main, NoSubject, NotIsolated, Shared, Stuck, Subject,
    isolate_client_within, isolate_main, printable,
};
use asercheck::java::ir::Bodies;
use asercheck::java::library::Library;
use asercheck::java::points_to::{Clients, Mode, PointsTo, PointsToError};
use asercheck::java::{self, ClassId, Diagnostic, Program, Role};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::records::java::{Fault, FindingRecord, JavaReport, JavaSummary, OpenRecord, SubjectKind, SubjectRecord};
use asercheck::records::{ProblemRecord, Shard};
use asercheck::results::{VerdictKind, units_name};
use asercheck::verdict::{Bookkeeping, Case, Judge};
use asercheck::{Clock, Deadline, Error, Limits, Options, Reason};
use cache::Cache;
use caught::{caught, fault, is_any_fault, recorded};
use emit::Emitter;
use matches::any_matches;
use question::{Answer, Common, KeyBeginning, Question};
use rayon::ThreadPoolBuilder;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use sources::Finder;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use suppress::Suppressions;
use watch::{Watch, beginning_now};

/// So many warnings about what could not be read are told, unless all are wanted.
const WARNINGS: usize = 10;

/// So much time the pointer analysis may take. Nothing is decided without it.
const POINTS_TO: Duration = Duration::from_secs(600);

/// Runs the command.
pub(crate) fn run(arguments: &JavaArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let memory = arguments.memory.map(|size| size.as_u64());
    let limits = Limits::default().with_timeout(arguments.timeout).with_memory(memory).with_clock(Clock::Thread);
    let deadline = arguments.total_timeout.and_then(|total| begin.checked_add(total));
    let ending = Ending::of(limits.cancellation.clone(), deadline)?;
    let units = UnitMode::from(arguments.deciding.units);
    let own = own_automata(&arguments.question.automaton, &limits, terminal)?;
    let properties = properties(&arguments.question, &arguments.question.numbers(), false, units, own)?;
    let library = library(arguments)?;
    let baseline = arguments.baseline.as_deref().map(baseline_at).transpose()?;
    let suppressions = arguments.suppress.as_deref().map(suppressions_at).transpose()?;
    let finder = Mutex::new(Finder::new(&arguments.source, &arguments.paths)?);
    let (mut program, diagnostics) = match load(arguments, &limits) {
        Ok(loaded) => loaded,
        Err(reason) => {
            terminal.tell(&format!("unknown ({reason}): the classes were not read to their end\n"));
            return Ok(Exit::Unknown);
        }
    };
    if !arguments.output.quiet {
        tell(&diagnostics, arguments.verbose, terminal);
    }
    if program.classes().len() == 0 && ending.reason().is_none() {
        return Err(Failure::input(anyhow!(meant::without_classes(&arguments.paths))));
    }
    let Some(facts) = Facts::new_within(&program, &|| limits.cancellation.is_cancelled()) else {
        let reason = ending.reason().unwrap_or(Reason::Cancelled);
        terminal.tell(&format!("unknown ({reason}): the classes were not looked at to their end\n"));
        return Ok(Exit::Unknown);
    };
    let main = main_of(&program, arguments)?;
    let chosen = match main {
        Some(main) => Chosen::of_program(&program, &facts, main, arguments),
        None => Chosen::of(&program, &facts, arguments)?,
    };
    if main.is_none() {
        let named = chosen.subjects.iter().map(|subject| subject.class);
        let offered: Vec<ClassId> = Subject::claiming(&program, &facts).into_iter().chain(named).collect();
        offered.into_iter().for_each(|class| program.offer(class));
    }
    let reading = begin.elapsed();
    let common = common(arguments, &properties);
    let cache = arguments.cache.as_deref().map(|folder| {
        let program = hash_of_program()?;
        Cache::open(folder, KeyBeginning::new(&program, &common))
    });
    let shard = arguments.shard.map(|part| shard::record(part, arguments, &program, chosen.subjects.len()));
    let shard = shard.transpose()?;
    let emitter = arguments.emit.as_deref();
    let emitter = emitter.map(|folder| Emitter::new(folder, &program, &chosen.subjects, &finder, main.is_some()));
    let bodies = Bodies::new(&program);
    let mode = main.map_or(Mode::Client(Clients::default()), |main| Mode::Main(main.method()));
    let points = points_to(&program, &library, mode, &limits);
    let shared = Shared::default();
    let (program_of, library_of) = (&program, &library);
    let entering = Entering::default();
    let with = |points| Analysis {
        program: program_of,
        library: library_of,
        bodies: &bodies,
        points,
        shared: &shared,
        entering,
    };
    let analysis = points.as_ref().map(with);
    let analysis = analysis.map_err(Clone::clone);
    let judge = Judge::new(&program, &bodies, &facts);
    let asking = Asking {
        judge: &judge,
        analysis,
        program: &program,
        facts: &facts,
        common: &common,
        limits,
        cache: cache.transpose()?,
        emitter: emitter.transpose()?,
        arguments,
        main,
    };
    let own = chosen.part(&program, arguments.shard);
    let progress = Progress::new(Some(own.len()), "classes", !arguments.output.quiet);
    let subjects = asking.all(&own, progress, &ending)?;
    let is_read = !diagnostics.iter().any(|diagnostic| matches!(diagnostic.cause, java::Cause::Cancelled));
    // What ends a run behind its last class ends nothing.
    let is_decided = is_read && subjects.iter().all(|subject| subject.unknown.is_empty());
    let ended = ending.reason().filter(|_| !is_decided);
    drop(ending);
    let report = JavaReport {
        version: asercheck::records::java::VERSION,
        paths: arguments.paths.iter().map(|path| path.display().to_string()).collect(),
        mode: if main.is_some() { "program" } else { "client" }.into(),
        main: main.and(arguments.main.clone()),
        engine: arguments.deciding.engine.resolve().name().to_string(),
        units: units_name(units).to_string(),
        summary: JavaSummary::default(),
        ended,
        shard,
        baseline: None,
        suppressed: Vec::new(),
        subjects,
        skipped: chosen.skipped,
        unclaimed: chosen.unclaimed,
        problems: problems(&diagnostics),
        keep_going: arguments.keep_going,
    };
    let mut report = report.finished(chosen.classes, begin.elapsed());
    if let Some(path) = &arguments.write_baseline {
        write_baseline(path, &report, terminal)?;
    }
    if let Some(baseline) = baseline {
        let is_whole = arguments.class.is_empty() && report.ended.is_none();
        let mut answered: BTreeMap<String, bool> = BTreeMap::new();
        for subject in &report.subjects {
            *answered.entry(subject.class.clone()).or_insert(true) &= subject.unknown.is_empty();
        }
        let asks_all = arguments.unit.is_empty() && arguments.field.is_empty();
        // One of the shards tells what is gone.
        let is_own = |class: &str| arguments.shard.is_none_or(|shard| crate::batch::has_class(shard, class));
        let is_gone = |class: &str| is_whole && is_own(class) && program.find(class).is_none();
        baseline.hide(&mut report, |class| asks_all && answered.get(class).copied().unwrap_or_else(|| is_gone(class)));
    }
    if let Some((path, suppressions)) = arguments.suppress.as_deref().zip(suppressions) {
        let unused = suppressions.hide(&mut report);
        // A part of the classes does not say what is found in the others.
        let is_whole = arguments.class.is_empty() && arguments.shard.is_none() && report.ended.is_none();
        for (line, pattern) in unused.into_iter().filter(|_| is_whole && !arguments.output.quiet) {
            terminal.tell(&format!("note: {}:{line}: `{pattern}` suppresses nothing\n", path.display()));
        }
    }
    report.order(own.into_iter().map(|(place, _)| place).collect());
    let cache = asking.cache;
    drop(asking.emitter);
    let finder = finder.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(time) = arguments.confirm {
        let paths = [arguments.paths.as_slice(), &arguments.library].concat();
        let asked = confirm::Asked { paths: &paths, time, cache: arguments.cache.as_deref() };
        confirm::confirm(&mut report, &asked, &arguments.confirming, terminal)?;
    }
    let exit = write(&mut report, &properties, finder, arguments, terminal)?;
    if let Some(cache) = cache.as_ref().filter(|_| !arguments.output.quiet) {
        cache.answers.warn(terminal);
    }
    if arguments.output.statistics {
        terminal.tell(&statistics(reading, begin.elapsed() - reading));
        cache.iter().for_each(|cache| terminal.tell(&cache.answers.statistics()));
        terminal.tell(&coarse(&report));
    }
    Ok(exit)
}

/// Where precision was given up: in how many subjects, and how often in all.
fn coarse(report: &JavaReport) -> String {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (what, count) in report.subjects.iter().flat_map(|subject| &subject.coarse) {
        let [subjects, times] = counts.entry(what).or_default();
        (*subjects, *times) = (*subjects + 1, *times + count);
    }
    let line =
        |(what, [subjects, times]): (&str, [usize; 2])| format!("coarse: {times} {what}, in {subjects} subjects\n");
    counts.into_iter().map(line).collect()
}

/// What is asked of every model.
fn common<'a>(arguments: &'a JavaArguments, properties: &'a [Arc<Property>]) -> Common<'a> {
    let JavaArguments { deciding, output, all_queries, .. } = arguments;
    let options =
        Options::default().with_engine(deciding.engine).with_jobs(1).with_reductions(deciding.reduce.reductions());
    let listed = output.format.listed(*all_queries, output.detail());
    // Where all are wanted, also those are asked whose answers say nothing new of a unit that is broken.
    let spares = !(*all_queries || output.findings.all);
    Common { properties, units: &arguments.unit, fields: &arguments.field, spares, listed, options }
}

/// Prints the report, and writes the page.
fn write(
    report: &mut JavaReport,
    properties: &[Arc<Property>],
    mut finder: Finder,
    arguments: &JavaArguments,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let output = &arguments.output;
    for subject in &mut report.subjects {
        let records = subject.all_queries.iter_mut().filter_map(|record| record.witness.as_mut());
        subject.findings.iter_mut().map(|finding| &mut finding.witness).chain(records).for_each(|it| finder.find(it));
    }
    let exit = match report.verdict() {
        _ if is_any_fault(&report.subjects) => Exit::Internal,
        "vacuous" if arguments.fail_on_vacuous => {
            terminal.complain(&anyhow!("nothing to decide: {}", report.why_vacuous().unwrap_or_default()));
            Exit::Input
        }
        "violation" => Exit::Violation,
        "unknown" => Exit::Unknown,
        _ => Exit::Success,
    };
    let exit = confirm::exit(report, arguments.confirming.fail_on, exit);
    let together = combined(report);
    let (artifacts, unread) = (&report.paths[..], report.unread());
    let checked = Checked { report: &together, properties, sources: &finder.sources, artifacts };
    let how = output.how(arguments.verbose, terminal);
    let program = forms::Program { report, together: checked, how, unread, exit_code: exit.code() };
    let text = output.format.java(&program).map_err(Failure::internal)?;
    print(terminal, &text)?;
    if let Some(path) = &output.report {
        write_file(path, &Html.java(&program).map_err(Failure::internal)?)?;
    }
    Ok(exit)
}

/// Reads the classes; how much memory that takes is limited, how long it takes by what ends the run.
fn load(arguments: &JavaArguments, limits: &Limits) -> Result<(Program, Vec<Diagnostic>), Reason> {
    let (paths, library) = (arguments.paths.clone(), arguments.library.clone());
    let cancellation = limits.cancellation.clone();
    let read = move || {
        let is_cancelled = || cancellation.is_cancelled();
        let reading = java::Limits { is_cancelled: &is_cancelled, ..java::Limits::default() };
        Program::load(&paths, &library, &reading)
    };
    within(&limits.clone().with_timeout(None), read).map_err(reason_of)
}

/// Says what could not be read, and which classes were given more than once.
fn tell(diagnostics: &[Diagnostic], is_verbose: bool, terminal: &Terminal) {
    let told = || diagnostics.iter().filter(|diagnostic| is_verbose || !diagnostic.cause.is_note());
    for diagnostic in told().take(if is_verbose { usize::MAX } else { WARNINGS }) {
        let kind = if diagnostic.cause.is_note() { "note" } else { "warning" };
        terminal.tell(&format!("{kind}: {diagnostic}\n"));
    }
    let count = told().count();
    if !is_verbose && count > WARNINGS {
        terminal.tell(&format!("warning: and {} more, which --verbose lists\n", count - WARNINGS));
    }
}

fn problems(diagnostics: &[Diagnostic]) -> Vec<ProblemRecord> {
    let real = diagnostics.iter().filter(|diagnostic| diagnostic.cause.is_missing());
    let record = |diagnostic: &Diagnostic| ProblemRecord {
        path: diagnostic.origin.to_string(),
        message: diagnostic.cause.to_string(),
    };
    real.map(record).collect()
}

/// Why there is no pointer analysis.
#[derive(Clone, Debug)]
enum Unanalysed {
    /// A limit of the run was met, or it was cancelled.
    Limit(Reason),
    /// The program is too large.
    TooLarge(PointsToError),
    /// A panic with this message.
    Fault(String),
}

/// Which objects variables and fields hold.
fn points_to<'p>(
    program: &'p Program,
    library: &'p Library,
    mode: Mode,
    limits: &Limits,
) -> Result<PointsTo<'p>, Unanalysed> {
    let limits = &Limits::default().with_cancellation(limits.cancellation.clone()).with_memory(limits.memory);
    let limits = &limits.clone().with_timeout(POINTS_TO).with_clock(Clock::Thread);
    let watch = Watch::new(limits);
    match caught(|| PointsTo::new(program, library, mode, &|| watch.is_over())) {
        Ok(Ok(points)) => Ok(points),
        Ok(Err(PointsToError::Cancelled)) => Err(Unanalysed::Limit(watch.reason().unwrap_or(Reason::Cancelled))),
        Ok(Err(error @ (PointsToError::TooManyObjects | PointsToError::TooLarge))) => Err(Unanalysed::TooLarge(error)),
        Err(message) => Err(Unanalysed::Fault(message)),
    }
}

/// What methods do that are not given, with the rows of the user in front.
fn library(arguments: &JavaArguments) -> Result<Library, Failure> {
    let mut library = Library::builtin();
    for path in &arguments.summaries {
        library.add(&text_at(path)?).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(|error| format!("{}:{error}", path.display())).collect();
            Failure::input(anyhow!("{}", errors.join("\n")))
        })?;
    }
    Ok(library)
}

/// Records the findings of a run. What a run that was ended early has found is only a part, which would hide nothing of
/// the rest: it is not recorded, and what is in the file stays there.
fn write_baseline(path: &Path, report: &JavaReport, terminal: &Terminal) -> Result<(), Failure> {
    if let Some(reason) = report.ended {
        let path = path.display();
        terminal.tell(&format!("warning: the run was ended ({reason}), so {path} was not written\n"));
        return Ok(());
    }
    write_file(path, &Baseline::of(report).text())
}

fn baseline_at(path: &Path) -> Result<Baseline, Failure> {
    Baseline::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}: {why}", path.display())))
}

fn suppressions_at(path: &Path) -> Result<Suppressions, Failure> {
    Suppressions::parse(&text_at(path)?).map_err(|why| Failure::input(anyhow!("{}:{why}", path.display())))
}

fn text_at(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::input)
}

/// Where the program begins, if its threads are followed.
fn main_of(program: &Program, arguments: &JavaArguments) -> Result<Option<Main>, Failure> {
    let Some(name) = &arguments.main else { return Ok(None) };
    let main = program.find(name).and_then(|class| Main::of(program, class));
    main.map(Some).ok_or_else(|| Failure::input(anyhow!("there is no class `{name}` with a method `main`")))
}

/// Which classes are looked at, and why the others are not.
struct Chosen {
    subjects: Vec<Subject>,
    /// How many classes there are, without those of libraries.
    classes: usize,
    skipped: BTreeMap<Cow<'static, str>, usize>,
    unclaimed: Vec<String>,
}

impl Chosen {
    /// The classes of a program of which objects or static fields change.
    fn of_program(program: &Program, facts: &Facts, main: Main, arguments: &JavaArguments) -> Self {
        let globs = &arguments.class;
        let classes = program.classes().filter(|(_, declared)| !declared.is_library).count();
        let mut subjects = main.subjects(program, facts);
        subjects.retain(|subject| globs.is_empty() || any_matches(globs, &program.class_name(subject.class)));
        Self { subjects, classes, skipped: BTreeMap::new(), unclaimed: Vec::new() }
    }

    /// The classes that are named, or those that claim to be safe for threads.
    fn of(program: &Program, facts: &Facts, arguments: &JavaArguments) -> Result<Self, Failure> {
        let mut chosen = Self { subjects: Vec::new(), classes: 0, skipped: BTreeMap::new(), unclaimed: Vec::new() };
        let globs = &arguments.class;
        for (class, declared) in program.classes().filter(|(_, declared)| declared.role != Role::Library) {
            chosen.classes += 1;
            let name = program.class_name(class);
            let is_named = any_matches(globs, &name);
            if declared.role == Role::Bundled && !is_named {
                *chosen.skipped.entry("bundled".into()).or_default() += 1;
                continue;
            }
            let is_asked = globs.is_empty() || is_named;
            let statics = is_asked.then(|| Subject::of_shared_statics(program, facts, class, is_named)).flatten();
            let has_statics = statics.is_some();
            chosen.subjects.extend(statics);
            if !globs.is_empty() {
                if is_named && !declared.flags.is_interface() {
                    let claims = Subject::or_reason(program, facts, class);
                    chosen.subjects.push(claims.unwrap_or(Subject { class, claim: Claim::Named }));
                } else {
                    *chosen.skipped.entry("not named".into()).or_default() += 1;
                }
                continue;
            }
            match Subject::or_reason(program, facts, class) {
                Ok(subject) => chosen.subjects.push(subject),
                Err(_) if has_statics => {}
                Err(why) => {
                    *chosen.skipped.entry(why.name().into()).or_default() += 1;
                    if why == NoSubject::ClaimsNothing {
                        chosen.unclaimed.push(printable(&name).into_owned());
                    }
                }
            }
        }
        if !globs.is_empty() && chosen.subjects.is_empty() {
            return Err(Failure::input(anyhow!("there is no class `{}`{}", globs.join("`, `"), meant(program, globs))));
        }
        Ok(chosen)
    }

    /// The subjects of a shard, each with its place among all.
    fn part(&self, program: &Program, shard: Option<Shard>) -> Vec<(usize, Subject)> {
        let is_own =
            |subject: &Subject| shard.is_none_or(|shard| crate::batch::has_class(shard, &name_of(program, subject)));
        self.subjects.iter().cloned().enumerate().filter(|(_, subject)| is_own(subject)).collect()
    }
}

/// The name of a subject's class, as reports say it.
fn name_of(program: &Program, subject: &Subject) -> String {
    printable(&program.class_name(subject.class)).into_owned()
}

/// What a name that no class has could have meant: a class of the same simple name, or a similar one.
fn meant(program: &Program, globs: &[String]) -> String {
    let Some(glob) = globs.iter().find(|glob| !glob.contains('*')) else { return String::new() };
    let names: Vec<String> = program.classes().map(|(id, _)| program.class_name(id)).collect();
    meant::class(glob, &names).map_or_else(String::new, |name| format!("; did you mean `{}`?", printable(&name)))
}

/// What is asked of each subject.
struct Asking<'a> {
    program: &'a Program,
    /// What the evidence says of violations.
    judge: &'a Judge<'a>,
    /// What is known of the program; or why it is not.
    analysis: Result<Analysis<'a>, Unanalysed>,
    facts: &'a Facts,
    common: &'a Common<'a>,
    limits: Limits,
    cache: Option<Cache>,
    emitter: Option<Emitter<'a>>,
    arguments: &'a JavaArguments,
    main: Option<Main>,
}

impl Asking<'_> {
    /// Decides all subjects, some at the same time, in their order.
    fn all(
        &self,
        subjects: &[(usize, Subject)],
        progress: Progress,
        ending: &Ending,
    ) -> Result<Vec<SubjectRecord>, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.arguments.jobs.map_or(0, NonZeroUsize::get)).build();
        let pool = pool.context("threads").map_err(Failure::internal)?;
        let progress = Mutex::new(progress);
        let one = |(_, subject): &(usize, Subject)| {
            let record = recorded(|| self.one(subject, ending), || self.empty(subject))?;
            let verdict = match (record.findings.is_empty(), record.unknown.is_empty()) {
                (false, _) => VerdictKind::Violation,
                (true, false) => VerdictKind::Unknown,
                (true, true) => VerdictKind::Safe,
            };
            progress.lock().unwrap_or_else(PoisonError::into_inner).count(verdict);
            Ok(record)
        };
        pool.install(|| subjects.par_iter().map(one).collect())
    }

    fn one(&self, subject: &Subject, ending: &Ending) -> Result<SubjectRecord, Failure> {
        let begin = Instant::now();
        let limits = &beginning_now(&self.limits);
        let watch = Watch::new(limits);
        let until = watch.until();
        let mut record = match &self.analysis {
            Ok(analysis) => {
                let models = self.models(*analysis, subject, &watch);
                self.record(subject, models, (limits, ending, until), &watch)?
            }
            Err(why) => SubjectRecord { unknown: vec![unanalysed(why)], ..self.empty(subject) },
        };
        record.seconds = begin.elapsed().as_secs_f64();
        Ok(record)
    }

    /// What is found in the models of a subject.
    fn record(
        &self,
        subject: &Subject,
        models: Result<Vec<Isolated>, NotIsolated>,
        (limits, ending, until): (&Limits, &Ending, Option<Deadline>),
        watch: &Watch<'_>,
    ) -> Result<SubjectRecord, Failure> {
        let mut record = self.empty(subject);
        match models {
            Ok(models) => {
                let bookkeeping = Bookkeeping::of(self.program, self.facts, subject.class);
                for (number, isolated) in models.into_iter().enumerate() {
                    if let Some(emitter) = &self.emitter {
                        emitter.write(subject, number, &isolated)?;
                    }
                    self.decide(&mut record, (subject, &bookkeeping), isolated, (limits, ending, until))
                        .map_err(Failure::internal)?;
                }
                record.find_causes();
            }
            Err(NotIsolated::NothingToBreak(assumptions)) => record.assumptions = assumptions,
            Err(NotIsolated::NotReached) => record.unreached = true,
            Err(NotIsolated::Stuck(Stuck::Cancelled)) => {
                let reason = watch.reason().or(ending.reason()).unwrap_or(Reason::Cancelled);
                record.unknown.push(open(None, reason));
            }
            Err(NotIsolated::Stuck(stuck)) => record.unknown.push(not_followed(&stuck.to_string())),
            Err(NotIsolated::Fault(errors)) => {
                let first = errors.first().map(ToString::to_string).unwrap_or_default();
                record.unknown.push(not_followed(&format!("its methods make no model: {first}")));
            }
        }
        Ok(record)
    }

    /// The models of a subject: one, or in program mode several, each of which can show a violation.
    fn models(
        &self,
        analysis: Analysis<'_>,
        subject: &Subject,
        watch: &Watch<'_>,
    ) -> Result<Vec<Isolated>, NotIsolated> {
        match self.main {
            Some(main) => isolate_main(analysis, subject, main, &|| watch.is_over()),
            None => {
                let is_over = |stage| watch.is_stage_over(stage);
                isolate_client_within(analysis, subject, MOST_STATES, &is_over).map(|isolated| vec![isolated])
            }
        }
    }

    fn decide(
        &self,
        record: &mut SubjectRecord,
        (subject, bookkeeping): (&Subject, &Bookkeeping),
        isolated: Isolated,
        (limits, ending, until): (&Limits, &Ending, Option<Deadline>),
    ) -> Result<(), Error> {
        // The object and the static fields of a class may have a unit in common: what is found of both has two
        // fingerprints.
        let class = match record.kind {
            SubjectKind::Object => record.class.clone(),
            SubjectKind::Static => format!("{} static", record.class),
        };
        let question = Question { common: self.common, isolated: &isolated, class: &class, bookkeeping };
        let answer = self.answer(&question, limits, until)?;
        let Answer { queries, spared, violations, undecided, mut findings, open: undecided_units, records } = answer;
        findings.iter_mut().for_each(|finding| self.weigh(subject, &isolated, finding));
        let Isolated { model, entries, assumptions, partial, coarse, meanings, .. } = isolated;
        for (what, count) in coarse {
            let known = record.coarse.entry(what).or_default();
            *known = count.max(*known);
        }
        record.entries = record.entries.max(entries.len());
        let locations = model.locations().iter().map(|location| meanings.location(location.name()).to_string());
        record.locations.extend(locations);
        record.locations.sort();
        record.locations.dedup();
        record.assumptions.extend(assumptions);
        record.queries += queries;
        record.spared += spared;
        record.violations += violations;
        record.undecided += undecided;
        // Where calls are left out, nothing is safe.
        let says_something =
            |query: &asercheck::results::QueryRecord| partial.is_none() || query.verdict != VerdictKind::Safe;
        record.all_queries.extend(records.into_iter().filter(says_something));
        record
            .unknown
            .extend(partial.map(|stuck| not_followed(&format!("{stuck}; calls of other classes were left out"))));
        record.findings.extend(findings);
        let ended = ending.reason();
        let units = undecided_units.into_iter().filter(|(_, reason)| ended.is_none() || *reason != Reason::Cancelled);
        record.unknown.extend(units.map(|(unit, reason)| open(Some(unit), reason)));
        if self.limits.cancellation.is_cancelled() {
            record.unknown.push(open(None, ended.unwrap_or(Reason::Cancelled)));
        }
        Ok(())
    }

    /// Says how likely a violation is one to repair.
    fn weigh(&self, subject: &Subject, isolated: &Isolated, finding: &mut FindingRecord) {
        let by: Vec<String> = [finding.by.clone()].into_iter().chain(finding.other_by.iter().cloned()).collect();
        let judgement = self.judge.judge(&Case {
            class: subject.class,
            claim: subject.claim,
            is_program: self.main.is_some(),
            unit: &finding.unit,
            unit_label: &finding.labels.unit,
            by: &by,
            by_label: &finding.labels.by,
            locations: &finding.labels.locations,
            torn: &finding.cause.method,
            lines: finding.cause.lines,
            witness: &finding.witness,
            is_victim: finding.at_fault == Fault::By,
            group: Group::of(&finding.labels.shown),
            is_benign: finding.harmless.is_some(),
            meanings: &isolated.meanings,
        });
        (finding.likelihood, finding.rank) = (judgement.likelihood, judgement.rank);
        (finding.evidence, finding.says) = (judgement.evidence, judgement.says);
    }

    /// The answer to a question: from the cache, or a new one, which is kept if it is whole.
    fn answer(&self, question: &Question<'_>, limits: &Limits, until: Option<Deadline>) -> Result<Answer, Error> {
        let Some(cache) = &self.cache else { return question.answer(limits, until) };
        let key = question.key(cache.beginning());
        if let Some(answer) = cache.get(&key) {
            return Ok(answer);
        }
        let answer = question.answer(limits, until)?;
        // What a cancelled run has not asked is not always open.
        if answer.is_whole() && !self.limits.cancellation.is_cancelled() {
            cache.keep(&key, &answer);
        }
        Ok(answer)
    }

    fn empty(&self, subject: &Subject) -> SubjectRecord {
        SubjectRecord {
            class: name_of(self.program, subject),
            kind: if subject.claim == Claim::Statics { SubjectKind::Static } else { SubjectKind::Object },
            claim: subject.claim.name().into(),
            entries: 0,
            queries: 0,
            spared: 0,
            violations: 0,
            undecided: 0,
            seconds: 0.0,
            unreached: false,
            coarse: BTreeMap::new(),
            hidden: 0,
            locations: Vec::new(),
            findings: Vec::new(),
            unknown: Vec::new(),
            assumptions: BTreeSet::new(),
            all_queries: Vec::new(),
        }
    }
}

/// That a subject is not decided, as there is no pointer analysis.
fn unanalysed(why: &Unanalysed) -> OpenRecord {
    match why {
        Unanalysed::Limit(reason) => {
            let detail = Some("the pointer analysis met a limit".into());
            OpenRecord { detail, ..open(None, *reason) }
        }
        Unanalysed::TooLarge(error) => not_followed(&error.to_string()),
        Unanalysed::Fault(message) => fault(message),
    }
}

/// That something was not decided.
fn open(unit: Option<String>, reason: Reason) -> OpenRecord {
    let word = match reason {
        Reason::NoneWithin(_) => Reason::Bound.name(),
        reason if reason.is_unsupported() => "unsupported",
        reason => reason.name(),
    };
    OpenRecord { unit, reason: word.into(), detail: reason.detail() }
}

/// That there is no model of a class.
fn not_followed(why: &str) -> OpenRecord {
    OpenRecord { unit: None, reason: "unsupported".into(), detail: Some(printable(why).into_owned()) }
}
