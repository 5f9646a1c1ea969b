//! The answer to one query, from workers that may run too long, run out of memory or be killed.
//!
//! A limit is final only if the query met it by itself: a query that shares work with others is asked again without
//! them. So a record says how much the query needs, whatever was asked before it, and only its times depend on where a
//! batch was interrupted.

use super::plan::{Group, Plan};
use super::process::{Death, Outcome, Process};
use super::protocol::{Reply, Request};
use super::queue::{Queue, Task};
use super::record::{BatchRecord, QueryKey};
use asercheck::answers::{QueryRecord, VerdictKind};
use asercheck::{Reason, Sharing};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An engine that looks at the clock ends within this time after its limit; then its worker is killed.
const GRACE: Duration = Duration::from_millis(250);

/// Time for a worker to read its model; far more than it takes.
const LOADING: Duration = Duration::from_secs(60);

/// Number of times that a worker may be killed from outside, and replaced, for one query. After that, the system is
/// taken to kill it because memory is short.
const MOST_KILLS: usize = 4;

/// A worker that decides queries one by one is replaced after one that used this much memory, since not all of it goes
/// back to the system. Starting a worker takes some milliseconds.
const SWELLING: u64 = 8 << 20;

/// The outcome of asking a query.
#[derive(Debug)]
pub(super) enum Answer {
    Record(Box<BatchRecord>),
    /// The program is at fault.
    Fault(String),
    /// The runner has to stop; the query has no answer.
    Stopped,
}

/// One of the workers that decide queries at the same time; it is replaced when it dies.
#[derive(Debug)]
pub(super) struct Slot<'a> {
    pub(super) program: &'a Path,
    pub(super) plan: &'a Plan,
    pub(super) groups: &'a [Group],
    pub(super) queue: &'a Queue,
    pub(super) stop: &'a AtomicBool,
    worker: Option<Worker>,
}

/// A worker that has taken up a job.
#[derive(Debug)]
struct Worker {
    process: Process,
    /// The group of its job.
    group: Option<usize>,
    /// Whether it has decided a query, so that its memory is not that of the next query alone.
    is_used: bool,
    /// Its memory before the first query, in bytes.
    first_memory: Option<u64>,
}

impl Worker {
    /// Whether a query used so much memory that the remainder would count for the next query.
    fn is_swollen(&self, memory: Option<u64>) -> bool {
        let (Some(first), Some(now)) = (self.first_memory, memory) else { return false };
        now > first + SWELLING
    }
}

/// The outcome of one attempt.
enum Attempt {
    Answer { record: QueryRecord, memory: Option<u64> },
    Limit { reason: Reason, seconds: f64, memory: Option<u64> },
    Killed,
    Fault(String),
    Stopped,
}

impl<'a> Slot<'a> {
    pub(super) fn new(
        program: &'a Path,
        plan: &'a Plan,
        groups: &'a [Group],
        queue: &'a Queue,
        stop: &'a AtomicBool,
    ) -> Self {
        Self { program, plan, groups, queue, stop, worker: None }
    }

    /// Asks until there is an answer.
    pub(super) fn decide(&mut self, task: Task) -> Answer {
        if self.groups[task.group].trivial[task.number] {
            return self.settled(task, VerdictKind::Safe, None, 0.0, None);
        }
        let mut kills = 0;
        let mut alone = self.plan.separate || self.queue.is_parted(task.group);
        loop {
            let was_used =
                self.worker.as_ref().is_some_and(|worker| worker.is_used && worker.group == Some(task.group));
            let attempt = self.attempt(task, alone);
            match attempt {
                Attempt::Fault(what) => return Answer::Fault(format!("{}: {what}", self.name(task))),
                Attempt::Stopped => return Answer::Stopped,
                Attempt::Killed if kills + 1 < MOST_KILLS => kills += 1,
                Attempt::Killed => return self.limit(task, Reason::Memory, 0.0, None),
                // The engine has already asked the query by itself after an attempt for many queries.
                Attempt::Answer { ref record, .. } if record.reason == Some(Reason::Timeout) => {
                    return self.answer(task, attempt);
                }
                attempt => match limit_of(&attempt) {
                    Some(reason) if self.shared_it(task, reason, alone, was_used) => {
                        alone = true;
                        if reason == Reason::Memory {
                            self.worker = None;
                        }
                    }
                    _ => return self.answer(task, attempt),
                },
            }
        }
    }

    /// Whether the limit may have been met because of other queries. If so, later queries of the group are asked one by
    /// one.
    fn shared_it(&self, task: Task, reason: Reason, alone: bool, was_used: bool) -> bool {
        let together = !alone && self.solves_together(task);
        if together && (self.worker.is_none() || reason == Reason::Memory) {
            self.queue.part(task.group);
        }
        together || (reason == Reason::Memory && was_used)
    }

    /// Whether the engine solves all queries that it will be asked together with the first one, so that this one takes
    /// longer than by itself.
    fn solves_together(&self, task: Task) -> bool {
        self.groups[task.group].engine.sharing() == Sharing::Words
    }

    fn attempt(&mut self, task: Task, alone: bool) -> Attempt {
        let loading = Instant::now();
        let (begin, outcome) = match self.prepare(task) {
            None => (Instant::now(), self.ask(task, alone)),
            Some(outcome) => (loading, outcome),
        };
        let seconds = begin.elapsed().as_secs_f64();
        let Some(mut worker) = self.worker.take() else { return unstarted(outcome) };
        match outcome {
            Outcome::Reply(Reply::Answer { record, memory }) => {
                worker.is_used = true;
                if !(self.plan.separate && worker.is_swollen(memory)) {
                    self.worker = Some(worker);
                }
                Attempt::Answer { record, memory }
            }
            Outcome::Reply(Reply::Fault(what)) => Attempt::Fault(what),
            Outcome::Reply(Reply::Ready { .. }) => Attempt::Fault("a worker is ready twice".into()),
            Outcome::Late => {
                let memory = worker.process.peak_memory();
                Attempt::Limit { reason: Reason::Timeout, seconds, memory }
            }
            Outcome::Dead(Death::Memory) => Attempt::Limit { reason: Reason::Memory, seconds, memory: None },
            Outcome::Dead(Death::Killed) => Attempt::Killed,
            Outcome::Dead(Death::Fault(what)) => Attempt::Fault(what),
            Outcome::Stopped => Attempt::Stopped,
        }
    }

    /// Ensures that there is a worker for the group; otherwise returns the reply of the worker.
    fn prepare(&mut self, task: Task) -> Option<Outcome> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Outcome::Stopped);
        }
        if self.worker.as_ref().is_some_and(|worker| worker.group == Some(task.group)) {
            return None;
        }
        // Each group has a worker of its own, so that memory that one group leaves is not counted for the next.
        self.worker = None;
        let process = match Process::start(self.program) {
            Ok(process) => process,
            Err(error) => return Some(Outcome::Reply(Reply::Fault(error.to_string()))),
        };
        let worker = self.worker.insert(Worker { process, group: None, is_used: false, first_memory: None });
        let mut numbers = vec![task.number];
        if !self.plan.separate && !self.queue.is_parted(task.group) {
            let is_asked = |number: &usize| !self.groups[task.group].trivial[*number];
            numbers.extend(self.queue.left(task.group).into_iter().filter(is_asked));
        }
        let job = self.plan.job(&self.groups[task.group], numbers);
        worker.process.send(&Request::Job(Box::new(job)));
        match worker.process.wait(Some(Instant::now() + LOADING), self.stop) {
            Outcome::Reply(Reply::Ready { memory }) => {
                worker.group = Some(task.group);
                worker.first_memory = memory;
                None
            }
            outcome => Some(outcome),
        }
    }

    fn ask(&mut self, task: Task, alone: bool) -> Outcome {
        let joint = if alone { 0.0 } else { self.groups[task.group].engine.sharing().joint_part() };
        let time = self.plan.limits.timeout.map(|time| time.mul_f64(1.0 + joint));
        let deadline = time.and_then(|time| Instant::now().checked_add(time)?.checked_add(GRACE));
        let Some(worker) = &mut self.worker else { return Outcome::Stopped };
        worker.process.send(&Request::Ask { number: task.number, alone });
        worker.process.wait(deadline, self.stop)
    }

    fn answer(&self, task: Task, attempt: Attempt) -> Answer {
        match attempt {
            Attempt::Answer { record, memory } => Answer::Record(Box::new(self.record(task, record, memory))),
            Attempt::Limit { reason, seconds, memory } => self.limit(task, reason, seconds, memory),
            Attempt::Killed | Attempt::Stopped => Answer::Stopped,
            Attempt::Fault(what) => Answer::Fault(what),
        }
    }

    /// Returns the answer to a query whose worker was ended.
    fn limit(&self, task: Task, reason: Reason, seconds: f64, memory: Option<u64>) -> Answer {
        self.settled(task, VerdictKind::Unknown, Some(reason), seconds, memory)
    }

    /// Returns the answer to a query that no worker decided.
    fn settled(
        &self,
        task: Task,
        verdict: VerdictKind,
        reason: Option<Reason>,
        seconds: f64,
        memory: Option<u64>,
    ) -> Answer {
        let QueryKey { automaton, locations, locks, processes, .. } = self.groups[task.group].keys[task.number].clone();
        let query = QueryRecord {
            automaton,
            locations,
            locks,
            processes,
            verdict,
            reason,
            detail: None,
            seconds,
            witness: None,
        };
        Answer::Record(Box::new(self.record(task, query, memory)))
    }

    fn record(&self, task: Task, query: QueryRecord, memory: Option<u64>) -> BatchRecord {
        let group = &self.groups[task.group];
        let QueryKey { model, units, .. } = group.keys[task.number].clone();
        BatchRecord { model, engine: group.engine.name().to_string(), units, memory, query }
    }

    fn name(&self, task: Task) -> String {
        let group = &self.groups[task.group];
        format!("{}, {} engine", group.keys[task.number], group.engine)
    }
}

/// Returns the outcome if there is no worker, because it cannot or should not be started.
fn unstarted(outcome: Outcome) -> Attempt {
    match outcome {
        Outcome::Reply(Reply::Fault(what)) => Attempt::Fault(what),
        _ => Attempt::Stopped,
    }
}

/// Returns the limit that an attempt met.
fn limit_of(attempt: &Attempt) -> Option<Reason> {
    match attempt {
        Attempt::Limit { reason, .. } => Some(*reason),
        Attempt::Answer { record, .. } => {
            record.reason.filter(|reason| matches!(reason, Reason::Timeout | Reason::Memory))
        }
        _ => None,
    }
}
