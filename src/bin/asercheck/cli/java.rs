//! `asercheck java`: decides the classes of a Java program, each as one object that any number of threads use.

mod asking;
mod cache;
mod caught;
mod chosen;
mod emit;
mod ignored;
mod input;
mod known;
mod matches;
mod points;
mod question;
mod shard;
mod sources;
mod suppress;
mod watch;
mod written;

use super::answers::hash_of_program;
use super::arguments::JavaArguments;
use super::check::statistics;
use super::confirm;
use super::ending::Ending;
use super::output::Terminal;
use super::progress::Progress;
use super::properties::{own_automata, properties};
use super::{Exit, Failure, meant};
use anyhow::anyhow;
use asercheck::answers::units_name;
use asercheck::isolate::{Analysis, Entering, Facts, Main, Shared};
use asercheck::java::ir::Bodies;
use asercheck::java::library::Library;
use asercheck::java::points_to::{Clients, Mode};
use asercheck::java::{self, Diagnostic, Program};
use asercheck::java_records::{JavaReport, JavaSummary, ShardRecord, SubjectRecord};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::records::ProblemRecord;
use asercheck::verdict::Judge;
use asercheck::{Clock, Limits, Options, Reason};
use asking::Asking;
use cache::Cache;
use chosen::Chosen;
use emit::Emitter;
use input::{library, load, main_of, tell};
use known::Known;
use points::points_to;
use question::{Common, KeyBeginning};
use sources::Finder;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use written::{coarse, write};

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
    let known = Known::read(arguments)?;
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
    let chosen = Chosen::among(&program, &facts, main, arguments)?;
    if main.is_none() {
        chosen.offer(&mut program, &facts);
    }
    let reading = begin.elapsed();
    let read = Read { arguments, properties: &properties, library: &library, program: &program, facts: &facts, main };
    let is_read = !diagnostics.iter().any(|diagnostic| matches!(diagnostic.cause, java::Cause::Cancelled));
    let mut decided = read.decide(&chosen, &finder, (limits, ending), is_read)?;
    let elapsed = decided.at - begin;
    let (classes, own, cache) = (chosen.classes, std::mem::take(&mut decided.own), decided.cache.take());
    let mut report = read.report(chosen, &diagnostics, decided).finished(classes, elapsed);
    known.hide(&mut report, &program, arguments, terminal)?;
    report.order(own);
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

/// What a run has read before it decides anything.
struct Read<'a> {
    arguments: &'a JavaArguments,
    properties: &'a [Arc<Property>],
    library: &'a Library,
    program: &'a Program,
    facts: &'a Facts,
    main: Option<Main>,
}

/// What a run has decided.
struct Decided {
    /// The places of the subjects among all.
    own: Vec<usize>,
    subjects: Vec<SubjectRecord>,
    /// What has ended the run before everything was decided.
    ended: Option<Reason>,
    shard: Option<ShardRecord>,
    cache: Option<Cache>,
    /// When that was.
    at: Instant,
}

impl Read<'_> {
    /// Decides the chosen subjects; classes that were not read to their end are not decided.
    fn decide(
        &self,
        chosen: &Chosen,
        finder: &Mutex<Finder>,
        (limits, ending): (Limits, Ending),
        is_read: bool,
    ) -> Result<Decided, Failure> {
        let Self { arguments, program, facts, main, .. } = *self;
        let common = common(arguments, self.properties);
        let cache = arguments.cache.as_deref().map(|folder| {
            let program = hash_of_program()?;
            Cache::open(folder, KeyBeginning::new(&program, &common))
        });
        let shard = arguments.shard.map(|part| shard::record(part, arguments, program, chosen.subjects.len()));
        let shard = shard.transpose()?;
        let emitter = arguments.emit.as_deref();
        let emitter = emitter.map(|folder| Emitter::new(folder, program, &chosen.subjects, finder, main.is_some()));
        let bodies = Bodies::new(program);
        let mode = main.map_or(Mode::Client(Clients::default()), |main| Mode::Main(main.method()));
        let points = points_to(program, self.library, mode, &limits);
        let shared = Shared::default();
        let entering = Entering::default();
        let with =
            |points| Analysis { program, library: self.library, bodies: &bodies, points, shared: &shared, entering };
        let analysis = points.as_ref().map(with);
        let analysis = analysis.map_err(Clone::clone);
        let judge = Judge::new(program, &bodies, facts);
        let asking = Asking {
            judge: &judge,
            analysis,
            program,
            facts,
            common: &common,
            limits,
            cache: cache.transpose()?,
            emitter: emitter.transpose()?,
            arguments,
            main,
        };
        let own = chosen.part(program, arguments.shard);
        let progress = Progress::new(Some(own.len()), "classes", !arguments.output.quiet);
        let subjects = asking.all(&own, progress, &ending)?;
        // What ends a run behind its last class ends nothing.
        let is_decided = is_read && subjects.iter().all(|subject| subject.unknown.is_empty());
        let ended = ending.reason().filter(|_| !is_decided);
        drop(ending);
        let own = own.into_iter().map(|(place, _)| place).collect();
        Ok(Decided { own, subjects, ended, shard, cache: asking.cache, at: Instant::now() })
    }

    /// What was found, not yet counted.
    fn report(&self, chosen: Chosen, diagnostics: &[Diagnostic], decided: Decided) -> JavaReport {
        let (arguments, main) = (self.arguments, self.main);
        JavaReport {
            version: asercheck::java_records::VERSION,
            paths: arguments.paths.iter().map(|path| path.display().to_string()).collect(),
            mode: if main.is_some() { "program" } else { "client" }.into(),
            main: main.and(arguments.main.clone()),
            engine: arguments.deciding.engine.resolve().name().to_string(),
            units: units_name(UnitMode::from(arguments.deciding.units)).to_string(),
            summary: JavaSummary::default(),
            ended: decided.ended,
            shard: decided.shard,
            baseline: None,
            suppressed: Vec::new(),
            subjects: decided.subjects,
            skipped: chosen.skipped,
            unclaimed: chosen.unclaimed,
            problems: problems(diagnostics),
            keep_going: arguments.keep_going,
        }
    }
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

fn problems(diagnostics: &[Diagnostic]) -> Vec<ProblemRecord> {
    let real = diagnostics.iter().filter(|diagnostic| diagnostic.cause.is_missing());
    let record = |diagnostic: &Diagnostic| ProblemRecord {
        path: diagnostic.origin.to_string(),
        message: diagnostic.cause.to_string(),
    };
    real.map(record).collect()
}
