//! The driver: runs the findings of a report, the most important first, until all are answered or the time is over.
//!
//! Findings wait in a queue. A worker takes the first one, explores it for the time of its round, and appends it to the
//! queue if it is still open. So each finding gets some time before one of them gets much.

use crate::controller::{Controller, NoAnswer};
use crate::error::Error;
use crate::exploration::Exploration;
use crate::jdk::Jdk;
use crate::options::Options;
use crate::reproduction::{Reproduction, write_reproductions};
use crate::stop::Stop;
use audit::{Confirmation, Report};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The number of targets that run at the same time.
const TARGETS: usize = 2;

/// The time of a finding in its first, its second, and each later round.
const ROUNDS: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(8), Duration::from_secs(40)];

/// A confirmed finding for which no program was written, because no program that was tried reproduces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreproduced {
    /// The violated unit.
    pub unit: String,
}

/// Runs the findings of a report until the deadline, adds a [`Confirmation`] to each, and sorts the findings of each
/// subject by their confirmations. Writes the programs that the options want.
///
/// # Errors
/// A program or its folder cannot be written. The report then has its confirmations, and keeps its order.
pub fn confirm(report: &mut Report, jdk: &Jdk, options: &Options<'_>) -> Result<Vec<Unreproduced>, Error> {
    let stop = Stop::new(options.cancellation.clone(), options.deadline);
    let machine = Controller::new(jdk.clone(), Vec::new(), stop.clone()).start().unwrap_or_default();
    let mut results = Run { jdk, machine, options, stop }.all(report);
    results.sort_by_key(|result| (result.subject, result.finding));
    let mut reproductions = Vec::new();
    for Answered { subject, finding, confirmation, reproduction } in results {
        report.subjects[subject].findings[finding].confirmation = Some(confirmation);
        reproductions.extend(reproduction.map(|reproduction| (subject, finding, reproduction)));
    }
    let unreproduced = match options.reproductions {
        Some(wanted) => write_reproductions(wanted, report, reproductions, jdk, &options.class_path)?,
        None => Vec::new(),
    };
    report.confirmed_first();
    Ok(unreproduced.into_iter().map(|unit| Unreproduced { unit }).collect())
}

/// The data that all workers share.
struct Run<'a> {
    jdk: &'a Jdk,
    /// The name and version of the virtual machine, as it says them.
    machine: String,
    options: &'a Options<'a>,
    stop: Stop,
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
    reproduction: Option<Reproduction>,
}

impl Run<'_> {
    fn all(&self, report: &Report) -> Vec<Answered> {
        let (jobs, answered) = self.jobs(report);
        let (queue, answered) = (Mutex::new(jobs), Mutex::new(answered));
        std::thread::scope(|scope| {
            for _ in 0..TARGETS {
                scope.spawn(|| self.work(&queue, &answered));
            }
        });
        let mut answered = answered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let open = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        answered.extend(open.into_iter().map(|job| job.finish(None)));
        answered
    }

    /// Returns the jobs in the order in which they run, and the findings whose answers the store has. Earlier come
    /// findings that do not follow from others; among these, those that are not possibly benign; among these, the first
    /// three of a subject.
    fn jobs<'a>(&self, report: &'a Report) -> (VecDeque<Job<'a>>, Vec<Answered>) {
        let (mut jobs, mut answered) = (Vec::new(), Vec::new());
        for (subject, of) in report.subjects.iter().enumerate() {
            for (finding, it) in of.findings.iter().enumerate() {
                let exploration = Exploration::new(report, of, it, &self.machine);
                let question = exploration.question();
                match self.stored(&question) {
                    Some(confirmation) => {
                        answered.push(Answered { subject, finding, confirmation, reproduction: None });
                    }
                    None => {
                        let place = (!it.stands_alone(), it.benign_reason.is_some(), finding >= 3);
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

    fn work<'a>(&self, queue: &Mutex<VecDeque<Job<'a>>>, answered: &Mutex<Vec<Answered>>) {
        let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        let mut controller = Controller::new(self.jdk.clone(), self.options.class_path.clone(), self.stop.clone());
        let mut is_running = controller.start().is_ok();
        while is_running && !self.stop.is_reached() {
            let Some(mut job) = lock().pop_front() else { return };
            let time = ROUNDS[job.round.min(2)].min(self.stop.remaining());
            let result = job.exploration.explore(&mut controller, time);
            is_running = result.is_ok() || (matches!(result, Err(NoAnswer::Lost)) && controller.start().is_ok());
            job.round += 1;
            let client = result.ok().flatten();
            if client.is_none() && job.exploration.is_open() {
                lock().push_back(job);
                continue;
            }
            let wanted = client.filter(|_| self.options.reproductions.is_some());
            let reproduction = wanted.and_then(|client| Reproduction::of(&mut controller, client));
            let question = job.question.clone();
            let answer = job.finish(reproduction);
            // A confirmation that was stopped has not tried everything.
            if let Some(store) = self.options.store.filter(|_| !self.stop.is_reached()) {
                store.keep(&question, &answer.confirmation);
            }
            answered.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
        }
    }
}

impl Job<'_> {
    fn finish(self, reproduction: Option<Reproduction>) -> Answered {
        let Self { subject, finding, exploration, .. } = self;
        Answered { subject, finding, confirmation: exploration.finish(), reproduction }
    }
}
