//! Confirmation: findings are run on a real Java virtual machine, until a client can tell that something went wrong.
//!
//! Definition: a *client* makes an object, calls the unit from one thread and what interferes from another one, and
//! looks at what it can. A *schedule* says where the threads are stopped (`schedule`). A finding is *confirmed* if the
//! outcome of a client under a schedule is that of no serial order of the same calls (`judge`). Which clients and
//! schedules are tried (`explore`) decides what is found only: whatever order the threads really ran in, an outcome
//! that no serial order has was seen. What depends on the time is ruled out by serial runs that are stopped as long,
//! and by new targets for the last word.
//!
//! Of a whole program (`--main`) nothing is made: the program itself is run, with its threads held where the finding
//! says (`program`).
//!
//! The Java side: `Controller` speaks to the debugger's interface of `Target`, which makes clients (`Planner`) and runs
//! them (`Attempt`). What reaches outside of the target's folder is ended before it happens (`Guards`).

mod controller;
mod embedded;
mod explore;
mod jdk;
mod judge;
mod known;
mod program;
mod programs;
mod schedule;

use super::arguments::{ConfirmArguments, ConfirmingArguments, FailOnFinding, TextOrJson};
use super::check::{print, write_file};
use super::ending::Ending;
use super::output::Terminal;
use super::{Exit, Failure};
use crate::report::java;
use anyhow::{Context, anyhow};
use asercheck::Cancellation;
use asercheck::audit::Likelihood;
use asercheck::audit::{Confirmation, ConfirmationVerdict, Finding, Report};
use controller::{Controller, Silence, is_class_path};
use explore::{Confirmed, Exploration, Question};
use jdk::Jdk;
use known::Known;
use program::ProgramExploration;
use programs::Program;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many targets run at the same time.
const TARGETS: usize = 2;

/// The time for a finding before others have their turn, round by round.
const ROUNDS: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(8), Duration::from_secs(40)];

/// Runs `asercheck confirm`.
pub(crate) fn run(arguments: &ConfirmArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let name = arguments.report.display().to_string();
    let text = std::fs::read_to_string(&arguments.report).with_context(|| format!("cannot read {name}"));
    let parsed = java::parse(&text.map_err(Failure::input)?).map_err(|why| anyhow!("{name}: {why}"));
    let mut report = parsed.map_err(Failure::input)?;
    let asked = Asked { paths: &arguments.paths, time: arguments.time, cache: arguments.cache.as_deref() };
    confirm(&mut report, &asked, &arguments.confirming, terminal)?;
    let text = match arguments.format {
        TextOrJson::Json => serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n",
        TextOrJson::Text => summary(&report),
    };
    print(terminal, &text)?;
    if let Some(path) = &arguments.output {
        let text = serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n";
        write_file(path, &text)?;
    }
    Ok(exit(&report, arguments.confirming.fail_on, Exit::Success))
}

/// A paragraph for each finding that was run.
fn summary(report: &Report) -> String {
    let mut text = String::new();
    for subject in &report.subjects {
        for finding in &subject.findings {
            let Some(confirmation) = &finding.confirmation else { continue };
            text += &format!("{}: {} by {}\n{}\n", subject.class, finding.unit, finding.by, confirmation.text());
        }
    }
    super::output::plain(&(text + &counts(report)))
}

/// How many findings have which answer.
pub(crate) fn counts(report: &Report) -> String {
    let records =
        || report.subjects.iter().flat_map(|subject| &subject.findings).filter_map(|it| it.confirmation.as_ref());
    let count = |verdict| records().filter(|record| record.verdict == verdict).count();
    use ConfirmationVerdict::{Benign, Confirmed, NotConfirmed, NotTried};
    let [confirmed, benign, open, not_tried] = [Confirmed, Benign, NotConfirmed, NotTried].map(count);
    format!(
        "{confirmed} confirmed, {benign} benign by experiment, {open} not confirmed, {not_tried} not tried of {} findings\n",
        records().count()
    )
}

/// How the command ends, if some findings count: as `otherwise` says, but that it depends on these whether there is a
/// violation. What is not decided, or is wrong with the input, stays so.
pub(crate) fn exit(report: &Report, fail_on: FailOnFinding, otherwise: Exit) -> Exit {
    let counts = |finding: &Finding| match fail_on {
        FailOnFinding::Finding => true,
        FailOnFinding::Possible => finding.likelihood != Likelihood::Benign,
        FailOnFinding::Likely => finding.likelihood == Likelihood::Likely,
        FailOnFinding::Confirmed => finding.is_confirmed(),
    };
    let is_any = report.subjects.iter().flat_map(|subject| &subject.findings).any(counts);
    match otherwise {
        Exit::Success | Exit::Violation if is_any => Exit::Violation,
        Exit::Violation if fail_on != FailOnFinding::Confirmed && !is_decided(report) => Exit::Unknown,
        Exit::Violation => Exit::Success,
        otherwise => otherwise,
    }
}

/// Whether nothing was left open.
fn is_decided(report: &Report) -> bool {
    report.ended.is_none() && report.subjects.iter().all(|subject| subject.unknown.is_empty())
}

/// What is asked of the findings of a report.
pub(crate) struct Asked<'a> {
    /// The class path.
    pub(crate) paths: &'a [PathBuf],
    /// Wall-clock time for all together.
    pub(crate) time: Duration,
    /// A folder with answers of earlier runs.
    pub(crate) cache: Option<&'a Path>,
}

/// What is left to do of a finding.
struct Job<'a> {
    subject: usize,
    finding: usize,
    round: usize,
    /// All on which the answer depends, but for classes and Java.
    question: String,
    exploration: Exploring<'a>,
}

/// How a finding is run.
enum Exploring<'a> {
    Clients(Box<Exploration<'a>>),
    Program(Box<ProgramExploration>),
}

impl Exploring<'_> {
    fn is_open(&self) -> bool {
        match self {
            Self::Clients(clients) => clients.is_open(),
            Self::Program(program) => program.is_open(),
        }
    }

    /// Runs it for some time; the client that confirms it, if one does.
    fn explore(&mut self, controller: &mut Controller, time: Duration) -> Result<Option<Confirmed>, Silence> {
        match self {
            Self::Clients(clients) => clients.explore(controller, time),
            Self::Program(program) => program.explore(controller, time).map(|()| None),
        }
    }

    /// All on which the answer depends, but for classes and Java.
    fn question(&self) -> String {
        match self {
            Self::Clients(clients) => format!("{:?}", clients.question()),
            Self::Program(program) => format!("{:?}", program.question()),
        }
    }

    fn finish(self) -> Confirmation {
        match self {
            Self::Clients(clients) => clients.finish(),
            Self::Program(program) => program.finish(),
        }
    }
}

/// What came of a finding.
struct Done {
    subject: usize,
    finding: usize,
    record: Confirmation,
    program: Option<Program>,
}

/// Runs the findings of a report, the most important first, for some time; the records go into the report.
pub(crate) fn confirm(
    report: &mut Report,
    asked: &Asked<'_>,
    settings: &ConfirmingArguments,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let jdk = Jdk::find().map_err(Failure::input)?;
    let path = class_path(asked.paths)?;
    let known = asked.cache.map(|folder| Known::open(folder, &jdk, &path)).transpose()?;
    let cancellation = Cancellation::default();
    let ending = Ending::of(cancellation.clone(), begin.checked_add(asked.time))?;
    let name = Controller::new(jdk.clone(), Vec::new(), cancellation.clone()).start().unwrap_or_default();
    let (until, wants_programs) = (begin + asked.time, settings.tests.is_some());
    let work = Work { jdk, name, path, cancellation, until, wants_programs, known };
    let mut done = work.all(report);
    drop(ending);
    if let Some(known) = &work.known {
        known.warn(terminal);
    }
    done.sort_by_key(|one| (one.subject, one.finding));
    let mut programs = Vec::new();
    for one in done {
        let finding = &mut report.subjects[one.subject].findings[one.finding];
        finding.confirmation = Some(one.record);
        programs.extend(one.program.map(|program| (one.subject, one.finding, program)));
    }
    if let Some(folder) = &settings.tests {
        programs::write(folder, settings.tests_style, report, programs, &work.jdk, &work.path, terminal)
            .map_err(Failure::input)?;
    }
    report.confirmed_first();
    Ok(())
}

/// What classes are loaded from: whole paths, as targets work in folders of their own.
fn class_path(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let whole = |path: &PathBuf| {
        std::fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::input)
    };
    paths.iter().filter(|path| is_class_path(path) || !Path::exists(path)).map(whole).collect()
}

/// What the threads that run findings share.
struct Work {
    jdk: Jdk,
    /// How this Java calls itself.
    name: String,
    path: Vec<PathBuf>,
    cancellation: Cancellation,
    until: Instant,
    wants_programs: bool,
    /// Answers of earlier runs.
    known: Option<Known>,
}

impl Work {
    fn all(&self, report: &Report) -> Vec<Done> {
        let (jobs, known) = self.jobs(report);
        let (queue, done) = (Mutex::new(jobs), Mutex::new(known));
        std::thread::scope(|scope| {
            for _ in 0..TARGETS {
                scope.spawn(|| self.worker(&queue, &done));
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let left = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.extend(left.into_iter().map(|job| job.done(None)));
        done
    }

    /// The findings in the order in which they are run: those that follow from others, and those that are possibly
    /// benign, last; and those of which it is known what comes of them.
    fn jobs<'a>(&self, report: &'a Report) -> (VecDeque<Job<'a>>, Vec<Done>) {
        let (mut jobs, mut known) = (Vec::new(), Vec::new());
        for (subject, of) in report.subjects.iter().enumerate() {
            for (finding, it) in of.findings.iter().enumerate() {
                let exploration = match &report.main {
                    Some(main) => Exploring::Program(Box::new(ProgramExploration::new(main, it, &self.name))),
                    None => Exploring::Clients(Box::new(Exploration::new(Question::of(of, it), &self.name))),
                };
                let question = exploration.question();
                let answer = self.known.as_ref().and_then(|known| known.get(&question));
                // Of a client that ran in another run no program can be written.
                let answer = answer.filter(|record| !(self.wants_programs && record.demonstration.is_some()));
                if let Some(record) = answer {
                    known.push(Done { subject, finding, record, program: None });
                    continue;
                }
                let place = (!it.stands_alone(), it.harmless.is_some(), finding >= 3);
                jobs.push((place, Job { subject, finding, round: 0, question, exploration }));
            }
        }
        jobs.sort_by_key(|(place, _)| *place);
        (jobs.into_iter().map(|(_, job)| job).collect(), known)
    }

    fn worker<'a>(&self, queue: &Mutex<VecDeque<Job<'a>>>, done: &Mutex<Vec<Done>>) {
        let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        let mut controller = Controller::new(self.jdk.clone(), self.path.clone(), self.cancellation.clone());
        let mut is_there = controller.start().is_ok();
        while is_there && Instant::now() < self.until {
            let Some(mut job) = lock().pop_front() else { return };
            let left = self.until.saturating_duration_since(Instant::now());
            let result = job.exploration.explore(&mut controller, ROUNDS[job.round.min(2)].min(left));
            is_there = result.is_ok() || (matches!(result, Err(Silence::Gone)) && controller.start().is_ok());
            job.round += 1;
            let confirmed = result.ok().flatten();
            if confirmed.is_none() && job.exploration.is_open() {
                lock().push_back(job);
                continue;
            }
            let program = confirmed.filter(|_| self.wants_programs).and_then(|it| Program::of(&mut controller, it));
            let question = job.question.clone();
            let one = job.done(program);
            // Whatever else it is, a run that was cancelled has not tried all there is.
            if let Some(known) = self.known.as_ref().filter(|_| !self.cancellation.is_cancelled()) {
                known.keep(&question, &one.record);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push(one);
        }
    }
}

impl Job<'_> {
    fn done(self, program: Option<Program>) -> Done {
        let Self { subject, finding, exploration, .. } = self;
        Done { subject, finding, record: exploration.finish(), program }
    }
}
