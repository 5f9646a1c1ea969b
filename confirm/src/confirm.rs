//! The driver: runs the findings of a report, the most likely first, until all are answered or the time is over.
//!
//! Findings wait in a queue. A worker takes the first one, explores it for a slice of time, and appends it to the
//! queue if it is still open. A slice is at most an equal part of the remaining time of all workers, so that each
//! finding gets some time before one of them gets much. Programs that show a finding are written as soon as it is
//! confirmed.
//!
//! A difference that belongs to other methods than those of the finding that was run (`attribution`) confirms the
//! finding that has these methods, or becomes a finding of its own (`answers`).
//!
//! Invariant: every finding has an answer, whenever the run ends: a search that did not begin also has one, with the
//! reason (`search_end`). The run ends soon after the deadline or a cancellation, because every wait for another
//! process asks [`Stop`].

use crate::answers::{Answer, Answers, Owner};
use crate::attribution::OtherDifference;
use crate::client_exploration::{ConfirmedClient, Found};
use crate::controller::Controller;
use crate::error::Error;
use crate::event::Event;
use crate::exploration::Exploration;
use crate::jdk::Jdk;
use crate::machine::{NoAnswer, Setup};
use crate::options::Options;
use crate::reproduction::{Reproduction, ReproductionWriter, Written};
use crate::search_end::SearchEnd;
use crate::stop::Stop;
use crate::test_objects::TestObjects;
use audit::{Confirmation, Demonstration, Report};
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The number of targets that run at the same time.
const TARGETS: usize = 2;

/// The longest slice of a finding in its first, its second, and each later round.
const SLICES: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(8), Duration::from_secs(40)];

/// The shortest slice: in less time no client runs.
const MIN_SLICE: Duration = Duration::from_millis(250);

/// The number of findings of a class that come before all other findings.
const FIRST_FINDINGS: usize = 3;

/// A confirmed finding for which no program was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreproduced {
    /// The violated unit.
    pub unit: String,
    /// The reason.
    pub reason: &'static str,
}

/// What a confirmation left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The confirmed findings without a program.
    pub programs: Vec<Unreproduced>,
    /// The reason why the tests that the options name were not looked for.
    pub tests: Option<&'static str>,
}

/// Runs the findings of a report until the deadline, adds a [`Confirmation`] to each, and moves confirmed findings to
/// the front. Writes the programs that the options want.
///
/// # Errors
/// The kit cannot compile the classes of the controller, or a program or its folder cannot be written. The report then
/// has no confirmations.
pub fn confirm(report: &mut Report, jdk: &Jdk, options: &Options<'_>) -> Result<LeftOut, Error> {
    let stop = Stop::new(options.cancellation.clone(), options.deadline);
    let is_ready = jdk.prepare(&stop)?;
    let (tests, no_tests) = match find_tests(report, jdk, options, &stop, is_ready)? {
        None => (None, None),
        Some(Ok(found)) => (Some(found), None),
        Some(Err(why)) => (None, Some(why)),
    };
    let mut class_path = options.class_path.clone();
    class_path.extend(tests.iter().map(|found| found.folder().to_path_buf()));
    let run = Run {
        setup: Setup { jdk: jdk.clone(), path: class_path, stop: stop.clone() },
        machine: OnceLock::new(),
        options,
        writer: options.reproductions.map(|wanted| ReproductionWriter::new(wanted, jdk, &options.class_path, &stop)),
        stop,
        failed: Mutex::new(None),
        unreproduced: Mutex::new(Vec::new()),
    };
    let answers = run.all(report, is_ready);
    if let Some(error) = run.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let programs = run.unreproduced.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.add_to(report);
    report.confirmed_first();
    report.count_clients(tests.map(|found| found.counts.clone()));
    Ok(LeftOut { programs, tests: no_tests })
}

/// Runs the tests that the options name, for objects of the classes with findings. Returns nothing if there are none.
fn find_tests(
    report: &Report,
    jdk: &Jdk,
    options: &Options<'_>,
    stop: &Stop,
    is_ready: bool,
) -> Result<Option<Result<TestObjects, &'static str>>, Error> {
    let with_findings = report.subjects.iter().filter(|subject| !subject.findings.is_empty());
    let classes: Vec<&str> = with_findings.map(|subject| subject.class.as_str()).collect();
    if options.tests.is_empty() || classes.is_empty() || report.main.is_some() {
        return Ok(None);
    }
    if !is_ready {
        return Ok(Some(Err("the run ended before")));
    }
    let tell = |event: Event<'_>| {
        if let Some(observer) = options.observer {
            observer(event);
        }
    };
    TestObjects::find(jdk, &options.class_path, &options.tests, &classes, (stop, &tell)).map(Some)
}

/// The data that all workers share.
struct Run<'a> {
    setup: Setup,
    /// The name and version of the virtual machine, as it reports them, once one has started.
    machine: OnceLock<String>,
    options: &'a Options<'a>,
    writer: Option<ReproductionWriter<'a>>,
    stop: Stop,
    /// The error because of which the run ends.
    failed: Mutex<Option<Error>>,
    unreproduced: Mutex<Vec<Unreproduced>>,
}

/// The place of a finding in the report: its subject, and its number in that.
type Place = (usize, usize);

/// A finding without an answer.
struct Job<'a> {
    subject: usize,
    finding: usize,
    round: usize,
    /// Identifies the answer in the store.
    question: String,
    exploration: Exploration<'a>,
}

impl Run<'_> {
    fn all(&self, report: &Report, is_ready: bool) -> Answers {
        let answers = Mutex::new(Answers::default());
        let (jobs, stored) = self.jobs(report);
        self.tell(Event::Started { findings: jobs.len() + stored.len() });
        stored.into_iter().for_each(|(finding, answer)| self.answer(report, &answers, finding, answer));
        let has_jobs = !jobs.is_empty();
        let queue = Mutex::new(jobs);
        if is_ready && has_jobs {
            std::thread::scope(|scope| {
                for number in 0..TARGETS {
                    let controller = Controller::new(&self.setup, number);
                    let (queue, answers) = (&queue, &answers);
                    scope.spawn(move || self.work(report, queue, answers, controller));
                }
            });
        }
        let end = self.stop.end().unwrap_or(SearchEnd::NoMachine);
        for job in queue.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let finding = job.place();
            self.answer(report, &answers, finding, Answer::own(job.exploration.finish(self.machine(), end)));
        }
        answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the answer of a finding, unless it has a better one.
    fn answer(&self, report: &Report, answers: &Mutex<Answers>, (subject, finding): Place, answer: Answer) {
        let confirmation = answer.confirmation.clone();
        let is_new = answers.lock().unwrap_or_else(PoisonError::into_inner).add((subject, finding), answer);
        if is_new {
            let subject = &report.subjects[subject];
            let (class, finding) = (subject.class.as_str(), &subject.findings[finding]);
            self.tell(Event::Answered { class, unit: &finding.unit, confirmation: &confirmation });
        }
    }

    fn tell(&self, event: Event<'_>) {
        if let Some(observer) = self.options.observer {
            observer(event);
        }
    }

    fn machine(&self) -> &str {
        self.machine.get().map_or("", String::as_str)
    }

    /// Returns the jobs in the order in which they run, and the findings whose answers the store has. Findings that
    /// repeat one of another class come last; before them, the first findings of each class come first; among these,
    /// the most likely ones.
    fn jobs<'a>(&self, report: &'a Report) -> (VecDeque<Job<'a>>, Vec<(Place, Answer)>) {
        let (mut jobs, mut answered) = (Vec::new(), Vec::new());
        for (subject, of) in report.subjects.iter().enumerate() {
            for (finding, it) in of.findings.iter().enumerate() {
                let exploration = Exploration::new(report, of, it);
                let question = exploration.question();
                match self.stored(&question) {
                    Some(confirmation) => answered.push(((subject, finding), Answer::own(confirmation))),
                    None => {
                        let rank = Reverse((it.rank * 1000.0) as u64);
                        let place = (!it.stands_alone(), it.likelihood, finding >= FIRST_FINDINGS, rank);
                        jobs.push((place, Job { subject, finding, round: 0, question, exploration }));
                    }
                }
            }
        }
        jobs.sort_by_key(|(place, _)| *place);
        (jobs.into_iter().map(|(_, job)| job).collect(), answered)
    }

    /// Returns the stored answer to a question. If programs are wanted, a confirmed finding runs again: a program needs
    /// the client, which the store does not have.
    fn stored(&self, question: &str) -> Option<Confirmation> {
        let stored = self.options.store.and_then(|store| store.get(question));
        stored.filter(|confirmation| self.options.reproductions.is_none() || confirmation.demonstration.is_none())
    }

    fn work<'a>(
        &self,
        report: &Report,
        queue: &Mutex<VecDeque<Job<'a>>>,
        answers: &Mutex<Answers>,
        mut controller: Controller,
    ) {
        let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_running = self.start(&mut controller);
        while is_running && !self.stop.is_reached() {
            let (job, waiting) = {
                let mut queue = lock();
                (queue.pop_front(), queue.len())
            };
            let Some(mut job) = job else { return };
            if answers.lock().unwrap_or_else(PoisonError::into_inner).is_confirmed(job.place()) {
                continue;
            }
            let before = job.exploration.schedules();
            let result = job.exploration.explore(&mut controller, self.slice(job.round, waiting));
            self.tell(Event::Schedules(job.exploration.schedules() - before));
            is_running = result.is_ok() || (matches!(result, Err(NoAnswer::Lost)) && self.start(&mut controller));
            job.round += 1;
            let confirmed = match result.ok().flatten() {
                Some(Found::Other(difference, client)) => {
                    self.add_other(report, answers, job.subject, *difference, (&mut controller, client));
                    None
                }
                Some(Found::Confirmation(client)) => Some(client),
                None => None,
            };
            if confirmed.is_none() && job.exploration.is_open() {
                lock().push_back(job);
            } else {
                self.finish(report, answers, job, &mut controller, confirmed);
            }
        }
    }

    /// Ends the search of a finding. Keeps the answer in the store if more time would not change it: the finding is
    /// confirmed, or everything was tried. If other methods differ, the store would lose that.
    fn finish(
        &self,
        report: &Report,
        answers: &Mutex<Answers>,
        job: Job<'_>,
        controller: &mut Controller,
        client: Option<ConfirmedClient>,
    ) {
        let Job { subject, finding, question, exploration, .. } = job;
        let is_whole = !exploration.has_others() && (client.is_some() || !self.stop.is_reached());
        let end = self.stop.end().unwrap_or(SearchEnd::Complete);
        let mut confirmation = exploration.finish(self.machine(), end);
        if let Some(store) = self.options.store.filter(|_| is_whole) {
            store.keep(&question, &confirmation);
        }
        if let Some(shown) = &mut confirmation.demonstration {
            let of = &report.subjects[subject];
            self.write(&of.class, &of.findings[finding].unit, shown, controller, client);
        }
        self.answer(report, answers, (subject, finding), Answer::own(confirmation));
    }

    /// Adds a difference of other methods than those of the finding that was run, unless these are known to differ.
    fn add_other(
        &self,
        report: &Report,
        answers: &Mutex<Answers>,
        subject: usize,
        difference: OtherDifference,
        (controller, client): (&mut Controller, ConfirmedClient),
    ) {
        let OtherDifference { attribution, mut demonstration, effort } = difference;
        let of = &report.subjects[subject];
        let owner = answers.lock().unwrap_or_else(PoisonError::into_inner).owner(subject, of, &attribution);
        let Some(owner) = owner else { return };
        self.write(&of.class, &attribution.unit, &mut demonstration, controller, Some(client));
        let confirmation = Confirmation::new(self.machine(), &effort, Ok(demonstration));
        match owner {
            Owner::Finding(finding) => {
                let answer = Answer { confirmation, calls: Some(attribution.calls()) };
                self.answer(report, answers, (subject, finding), answer);
            }
            Owner::New => {
                self.tell(Event::Observed { class: &of.class, confirmation: &confirmation });
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.add_observed(subject, attribution.calls(), confirmation);
            }
        }
    }

    /// Starts a target. Returns whether it runs.
    fn start(&self, controller: &mut Controller) -> bool {
        let name = controller.start();
        if let Ok(name) = &name {
            self.machine.get_or_init(|| name.clone());
        }
        name.is_ok()
    }

    /// Returns the length of the next slice of a finding: an equal part of the remaining time, within bounds. A slice
    /// may take longer than it should, as a client and its first schedules are always tried. So the first slices are
    /// shorter; otherwise the last findings would have none.
    fn slice(&self, round: usize, waiting: usize) -> Duration {
        let remaining = self.stop.remaining();
        let findings = u32::try_from(waiting + 1).unwrap_or(u32::MAX);
        let equal = remaining.saturating_mul(TARGETS as u32) / findings;
        let part = if round == 0 { equal / 2 } else { equal };
        SLICES[round.min(SLICES.len() - 1)].min(part).max(MIN_SLICE).min(remaining)
    }

    /// Writes the program of a client that a controller has just confirmed, and names it in the demonstration.
    fn write(
        &self,
        class: &str,
        unit: &str,
        shown: &mut Demonstration,
        controller: &mut Controller,
        client: Option<ConfirmedClient>,
    ) {
        let Some(writer) = &self.writer else { return };
        let reproduction = client.and_then(|client| Reproduction::of(controller, client));
        let written = match &reproduction {
            Some(reproduction) => writer.write(class, unit, shown, reproduction),
            None if self.stop.is_reached() => Ok(Written::No("the run ended before")),
            None => Ok(Written::No("its client is a whole program, or is lost")),
        };
        match written {
            Ok(Written::Program(file)) => shown.program = Some(file.display().to_string()),
            Ok(Written::No(reason)) => {
                let one = Unreproduced { unit: unit.to_string(), reason };
                self.unreproduced.lock().unwrap_or_else(PoisonError::into_inner).push(one);
            }
            Err(error) => {
                self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.stop.cancel();
            }
        }
    }
}

impl Job<'_> {
    fn place(&self) -> Place {
        (self.subject, self.finding)
    }
}
