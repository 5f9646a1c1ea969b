//! The driver: runs the findings of a report, the most likely first, until all are answered or the time is over.
//!
//! Findings wait in a queue. A worker takes the first one, explores it for a slice of time, and appends it to the
//! queue if it is still open. A slice is at most an equal part of the remaining time of all workers, so that each
//! finding gets some time before one of them gets much. Programs that show a finding are written as soon as it is
//! confirmed.
//!
//! Invariant: every finding has an answer, whenever the run ends: a search that did not begin also has one, with the
//! reason (`search_end`). The run ends soon after the deadline or a cancellation, because every wait for another
//! process asks [`Stop`].

use crate::controller::{Controller, NoAnswer};
use crate::error::Error;
use crate::event::Event;
use crate::exploration::Exploration;
use crate::jdk::Jdk;
use crate::options::Options;
use crate::reproduction::{Reproduction, ReproductionWriter, Written};
use crate::search_end::SearchEnd;
use crate::stop::Stop;
use audit::{Confirmation, Report};
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The number of targets that run at the same time.
const TARGETS: u32 = 2;

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

/// Runs the findings of a report until the deadline, adds a [`Confirmation`] to each, and moves confirmed findings to
/// the front. Writes the programs that the options want.
///
/// # Errors
/// The kit cannot compile the classes of the controller, or a program or its folder cannot be written. The report then
/// has no confirmations.
pub fn confirm(report: &mut Report, jdk: &Jdk, options: &Options<'_>) -> Result<Vec<Unreproduced>, Error> {
    let stop = Stop::new(options.cancellation.clone(), options.deadline);
    let is_ready = jdk.prepare(&stop)?;
    let run = Run {
        jdk,
        machine: OnceLock::new(),
        options,
        writer: options.reproductions.map(|wanted| ReproductionWriter::new(wanted, jdk, &options.class_path, &stop)),
        stop,
        failed: Mutex::new(None),
        unreproduced: Mutex::new(Vec::new()),
    };
    let results = run.all(report, is_ready);
    if let Some(error) = run.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let unreproduced = run.unreproduced.into_inner().unwrap_or_else(PoisonError::into_inner);
    for Answered { subject, finding, confirmation } in results {
        report.subjects[subject].findings[finding].confirmation = Some(confirmation);
    }
    report.confirmed_first();
    Ok(unreproduced)
}

/// The data that all workers share.
struct Run<'a> {
    jdk: &'a Jdk,
    /// The name and version of the virtual machine, as it reports them, once one has started.
    machine: OnceLock<String>,
    options: &'a Options<'a>,
    writer: Option<ReproductionWriter<'a>>,
    stop: Stop,
    /// The error because of which the run ends.
    failed: Mutex<Option<Error>>,
    unreproduced: Mutex<Vec<Unreproduced>>,
}

/// A finding without an answer.
struct Job<'a> {
    subject: usize,
    finding: usize,
    round: usize,
    /// Identifies the answer in the store.
    question: String,
    exploration: Exploration<'a>,
}

/// A finding with its answer.
struct Answered {
    subject: usize,
    finding: usize,
    confirmation: Confirmation,
}

impl Run<'_> {
    fn all(&self, report: &Report, is_ready: bool) -> Vec<Answered> {
        let (jobs, answered) = self.jobs(report);
        self.tell(Event::Started { findings: jobs.len() + answered.len() });
        answered.iter().for_each(|answer| self.tell_answer(report, answer));
        let has_jobs = !jobs.is_empty();
        let (queue, answered) = (Mutex::new(jobs), Mutex::new(answered));
        if is_ready && has_jobs {
            std::thread::scope(|scope| {
                for _ in 0..TARGETS {
                    scope.spawn(|| self.work(report, &queue, &answered));
                }
            });
        }
        let mut answered = answered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let end = self.stop.end().unwrap_or(SearchEnd::NoMachine);
        for job in queue.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let answer = job.finish(self.machine(), end);
            self.tell_answer(report, &answer);
            answered.push(answer);
        }
        answered
    }

    fn tell(&self, event: Event<'_>) {
        if let Some(observer) = self.options.observer {
            observer(event);
        }
    }

    fn tell_answer(&self, report: &Report, answer: &Answered) {
        let subject = &report.subjects[answer.subject];
        let finding = &subject.findings[answer.finding];
        self.tell(Event::Answered { class: &subject.class, finding, confirmation: &answer.confirmation });
    }

    fn machine(&self) -> &str {
        self.machine.get().map_or("", String::as_str)
    }

    /// Returns the jobs in the order in which they run, and the findings whose answers the store has. Findings that
    /// repeat one of another class come last; before them, the first findings of each class come first; among these,
    /// the most likely ones.
    fn jobs<'a>(&self, report: &'a Report) -> (VecDeque<Job<'a>>, Vec<Answered>) {
        let (mut jobs, mut answered) = (Vec::new(), Vec::new());
        for (subject, of) in report.subjects.iter().enumerate() {
            for (finding, it) in of.findings.iter().enumerate() {
                let exploration = Exploration::new(report, of, it);
                let question = exploration.question();
                match self.stored(&question) {
                    Some(confirmation) => answered.push(Answered { subject, finding, confirmation }),
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

    fn work<'a>(&self, report: &Report, queue: &Mutex<VecDeque<Job<'a>>>, answered: &Mutex<Vec<Answered>>) {
        let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        let mut controller = Controller::new(self.jdk.clone(), self.options.class_path.clone(), self.stop.clone());
        let mut is_running = self.start(&mut controller);
        while is_running && !self.stop.is_reached() {
            let (job, waiting) = {
                let mut queue = lock();
                (queue.pop_front(), queue.len())
            };
            let Some(mut job) = job else { return };
            let before = job.exploration.schedules();
            let result = job.exploration.explore(&mut controller, self.slice(job.round, waiting));
            self.tell(Event::Schedules(job.exploration.schedules() - before));
            is_running = result.is_ok() || (matches!(result, Err(NoAnswer::Lost)) && self.start(&mut controller));
            job.round += 1;
            let client = result.ok().flatten();
            if client.is_none() && job.exploration.is_open() {
                lock().push_back(job);
                continue;
            }
            let wanted = client.filter(|_| self.writer.is_some());
            let reproduction = wanted.and_then(|client| Reproduction::of(&mut controller, client));
            let question = job.question.clone();
            let mut answer = job.finish(self.machine(), SearchEnd::Complete);
            // A confirmation that was stopped has not tried everything.
            let is_complete = answer.confirmation.demonstration.is_some() || !self.stop.is_reached();
            if let Some(store) = self.options.store.filter(|_| is_complete) {
                store.keep(&question, &answer.confirmation);
            }
            if self.writer.is_some() {
                self.write(report, &mut answer, reproduction.as_ref());
            }
            self.tell_answer(report, &answer);
            answered.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
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

    /// Returns the length of the next slice of a finding: an equal part of the remaining time, within bounds.
    fn slice(&self, round: usize, waiting: usize) -> Duration {
        let remaining = self.stop.remaining();
        let findings = u32::try_from(waiting + 1).unwrap_or(u32::MAX);
        let part = remaining.saturating_mul(TARGETS) / findings;
        SLICES[round.min(SLICES.len() - 1)].min(part).max(MIN_SLICE).min(remaining)
    }

    /// Writes the program of a confirmed finding, and names it in the answer.
    fn write(&self, report: &Report, answer: &mut Answered, reproduction: Option<&Reproduction>) {
        let subject = &report.subjects[answer.subject];
        let finding = &subject.findings[answer.finding];
        let (Some(writer), Some(shown)) = (&self.writer, &mut answer.confirmation.demonstration) else { return };
        let written = match reproduction {
            Some(reproduction) => writer.write(&subject.class, finding, shown, reproduction),
            None => Ok(Written::No("the run ended before a program was written")),
        };
        match written {
            Ok(Written::Program(file)) => shown.program = Some(file.display().to_string()),
            Ok(Written::No(reason)) => {
                let one = Unreproduced { unit: finding.unit.clone(), reason };
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
    fn finish(self, machine: &str, end: SearchEnd) -> Answered {
        let Self { subject, finding, exploration, .. } = self;
        Answered { subject, finding, confirmation: exploration.finish(machine, end) }
    }
}
