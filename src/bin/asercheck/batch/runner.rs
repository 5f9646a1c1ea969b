//! The runner of a plan: several workers at a time, each served by a thread of its own.

use super::attempt::{Answer, Slot};
use super::error::BatchError;
use super::plan::{Group, Plan};
use super::queue::Queue;
use super::record::{BatchRecord, QueryKey};
use super::shard::has_query;
use asercheck::records::Shard;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Interval at which the caller is called even if nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// An event during a run.
#[derive(Debug)]
pub enum Event {
    /// A query has its answer.
    Done(Box<BatchRecord>),
    /// The program is at fault; the query has no answer.
    Fault(String),
    /// Some time has passed.
    Tick,
}

/// A plan and the queries that are left.
#[derive(Debug)]
pub struct Runner<'a> {
    plan: &'a Plan,
    program: PathBuf,
    groups: Vec<Group>,
    left: Vec<VecDeque<usize>>,
}

impl<'a> Runner<'a> {
    /// Returns a runner whose workers are processes of this program, called with the argument `worker`.
    pub fn new(plan: &'a Plan, program: PathBuf) -> Self {
        let groups = plan.groups();
        let hashes: Vec<_> = plan.models.iter().map(|model| crate::stable_hash::content_hash(&model.text)).collect();
        let belongs = |group: &Group, number: &usize| {
            let has = |shard: Shard| has_query(shard, &hashes[group.model], &group.keys[*number]);
            plan.shard.is_none_or(has)
        };
        let numbers = |group: &Group| (0..group.keys.len()).filter(|number| belongs(group, number)).collect();
        let left = groups.iter().map(numbers).collect();
        Self { plan, program, groups, left }
    }

    /// Removes the queries that have answers.
    pub fn skip<'r>(&mut self, records: impl IntoIterator<Item = &'r BatchRecord>) {
        let mut done: HashMap<&str, HashSet<QueryKey>> = HashMap::new();
        for record in records {
            done.entry(&record.engine).or_default().insert(record.key());
        }
        for (group, left) in self.groups.iter().zip(&mut self.left) {
            if let Some(done) = done.get(group.engine.name()) {
                left.retain(|number| !done.contains(&group.keys[*number]));
            }
        }
    }

    /// Returns the number of queries that are left.
    pub fn len(&self) -> usize {
        self.left.iter().map(VecDeque::len).sum()
    }

    /// Decides the queries that are left with `jobs` workers, until `stop` is set; calls `happens` for each event,
    /// several times a second.
    ///
    /// # Errors
    /// If the caller returns an error; then the run stops.
    pub fn run(
        self,
        jobs: usize,
        stop: &AtomicBool,
        mut happens: impl FnMut(Event) -> Result<(), BatchError>,
    ) -> Result<(), BatchError> {
        let jobs = jobs.clamp(1, self.len().max(1));
        let queue = Queue::new(self.left);
        let (sender, events) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..jobs {
                let slot = Slot::new(&self.program, self.plan, &self.groups, &queue, stop);
                let sender = sender.clone();
                scope.spawn(move || feed(slot, &sender));
            }
            drop(sender);
            let result = watch(&events, &mut happens);
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            result
        })
    }
}

/// Takes queries until there are no more.
///
/// The worker is a child of this thread, and the system ends it with this thread: both live until the queue is empty.
fn feed(mut slot: Slot<'_>, events: &Sender<Event>) {
    let mut current = None;
    while let Some(task) = slot.queue.next(current) {
        current = Some(task.group);
        let event = match slot.decide(task) {
            Answer::Record(record) => Event::Done(record),
            Answer::Fault(what) => Event::Fault(what),
            Answer::Stopped => break,
        };
        if events.send(event).is_err() {
            break;
        }
    }
}

/// Passes on events until all threads have ended.
fn watch(
    events: &Receiver<Event>,
    happens: &mut impl FnMut(Event) -> Result<(), BatchError>,
) -> Result<(), BatchError> {
    loop {
        match events.recv_timeout(TICK) {
            Ok(event) => happens(event)?,
            Err(RecvTimeoutError::Timeout) => happens(Event::Tick)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
