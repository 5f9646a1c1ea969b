//! Clients and schedules for one finding, until one shows an outcome of no serial order, or the time is over.

use crate::controller::{Answer, Controller, Silence};
use crate::outcome::{Outcome, Serial};
use crate::schedule::{Schedule, Seen, orders, paused, schedules};
use audit::{Confirmation, ConfirmationVerdict, Demonstration, Difference, Finding, SubjectKind, SubjectReport};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Serial runs of each order before schedules are tried.
const SERIAL: usize = 2;

/// Serial runs of each order in the new target that has the last word.
const SERIAL_AGAIN: usize = 10;

/// Milliseconds for which a thread is stopped in a serial run, as it may be in a forced one.
const PAUSES: [u64; 2] = [15, 60];

/// Single steps of a thread that are followed.
const STEPS: usize = 4000;

/// Milliseconds after which threads that wait for each other hang; longer where it decides.
const PATIENCE: &str = "400";
const PATIENCE_AGAIN: &str = "2000";

/// A finding is benign by experiment if so many clients could tell nothing in the order of the witness.
const CLIENTS: usize = 4;

/// So many schedules of a client are tried however long that takes: else nothing would ever be tried on a busy machine.
const LEAST: usize = 12;

/// So many clients are tried at most.
const SEEDS: usize = 400;

/// After so many clients that were tried before, there are no new ones.
const REPEATED: usize = 40;

/// What a finding is about.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) class: &'a str,
    pub(crate) is_static: bool,
    pub(crate) unit: &'a str,
    /// What interferes: that of the witness first.
    pub(crate) by: Vec<&'a str>,
    /// The files and lines of the accesses before which the witness switches back to the unit.
    lines: BTreeSet<(String, u32)>,
}

impl<'a> Question<'a> {
    pub(crate) fn of(subject: &'a SubjectReport, finding: &'a Finding) -> Self {
        let by = std::iter::once(&finding.by).chain(&finding.other_by).map(String::as_str).collect();
        let steps = &finding.witness.steps;
        let mut lines = BTreeSet::new();
        for (place, step) in steps.iter().enumerate().filter(|(_, step)| step.thread == 0 && step.event.is_some()) {
            let has_switched =
                steps[..place].iter().rev().take_while(|other| other.event.is_none() || other.thread != 0);
            if has_switched.clone().any(|other| other.thread != 0) {
                lines.insert((step.file.clone().unwrap_or_default(), step.line));
            }
        }
        Self { class: &subject.class, is_static: subject.kind == SubjectKind::Static, unit: &finding.unit, by, lines }
    }
}

/// What came of the exploration so far.
pub(crate) struct ClientExploration<'a> {
    question: Question<'a>,
    next_seed: usize,
    record: Confirmation,
    /// Why clients were not made or could not run, with how many.
    reasons: BTreeMap<String, usize>,
    /// The clients that were tried, as Java code, and how many came again since there was a new one.
    tried: BTreeSet<String>,
    repeated: usize,
    /// Methods that reach outside, which clients do not call but for what is asked about.
    avoided: BTreeSet<String>,
    /// Clients of which a run had the order of the witness.
    in_order: usize,
    seconds: Duration,
}

/// How to go on after a client.
enum Next {
    Client,
    Enough,
}

/// A client that is confirmed, for those who write programs.
pub(crate) struct ConfirmedClient {
    /// The schedule.
    pub(crate) steps: Vec<String>,
    /// Classes that are loaded first.
    pub(crate) loaded: Vec<String>,
}

impl<'a> ClientExploration<'a> {
    pub(crate) fn new(question: Question<'a>, jdk: &str) -> Self {
        Self {
            question,
            next_seed: 0,
            record: Confirmation::open(jdk),
            reasons: BTreeMap::new(),
            tried: BTreeSet::new(),
            repeated: 0,
            avoided: BTreeSet::new(),
            in_order: 0,
            seconds: Duration::ZERO,
        }
    }

    /// What is asked.
    pub(crate) fn question(&self) -> &Question<'a> {
        &self.question
    }

    /// Whether more time could change the answer.
    pub(crate) fn is_open(&self) -> bool {
        self.record.demonstration.is_none() && self.next_seed < SEEDS && self.repeated < REPEATED && !self.is_hopeless()
    }

    /// Whether clients were never made, for one reason.
    fn is_hopeless(&self) -> bool {
        self.record.clients == 0 && self.next_seed >= 12
    }

    /// The record, with the verdict as it is now.
    pub(crate) fn finish(mut self) -> Confirmation {
        let reason = self.reasons.iter().max_by_key(|(_, count)| **count).map(|(why, _)| why.clone());
        self.record.seconds = (self.seconds.as_secs_f64() * 1000.0).round() / 1000.0;
        self.record.verdict = match &self.record {
            record if record.demonstration.is_some() => ConfirmationVerdict::Confirmed,
            record if record.clients == 0 => ConfirmationVerdict::NotTried,
            _ if self.in_order >= CLIENTS => ConfirmationVerdict::Benign,
            _ => ConfirmationVerdict::NotConfirmed,
        };
        if self.record.demonstration.is_none() {
            self.record.reason = reason;
        }
        self.record
    }

    /// Tries clients for some time; what is confirmed, if something is.
    pub(crate) fn explore(
        &mut self,
        controller: &mut Controller,
        time: Duration,
    ) -> Result<Option<ConfirmedClient>, Silence> {
        let begin = Instant::now();
        let mut result = Ok(None);
        while self.is_open() && begin.elapsed() < time {
            let seed = self.next_seed;
            self.next_seed += 1;
            let left = time.saturating_sub(begin.elapsed());
            match self.client(controller, seed, left) {
                Ok(Some(confirmed)) => {
                    result = Ok(Some(confirmed));
                    break;
                }
                Ok(None) => {}
                Err(Silence::Cancelled) => {
                    result = Err(Silence::Cancelled);
                    break;
                }
                Err(Silence::Gone) => {
                    self.count("the target was lost");
                    controller.start()?;
                }
            }
        }
        self.seconds += begin.elapsed();
        result
    }

    fn count(&mut self, why: &str) {
        *self.reasons.entry(why.to_string()).or_default() += 1;
    }

    /// Makes a client and tries its schedules.
    fn client(
        &mut self,
        controller: &mut Controller,
        seed: usize,
        time: Duration,
    ) -> Result<Option<ConfirmedClient>, Silence> {
        let begin = Instant::now();
        let Some(client) = self.make(controller, seed)? else { return Ok(None) };
        if !self.tried.insert(format!("{}{:?}", client.before, client.threads)) {
            self.repeated += 1;
            return Ok(None);
        }
        self.repeated = 0;
        let mut serial = Serial::new(client.calls + 1);
        if let Next::Client = self.serial(controller, &mut serial, SERIAL, &[])? {
            return Ok(None);
        }
        let Some(traces) = self.traces(controller)? else { return Ok(None) };
        let loaded = classes(&traces);
        let fields: Vec<&str> = std::iter::once("load").chain(loaded.iter().map(String::as_str)).collect();
        controller.ask(&fields)?;
        self.record.clients += 1;
        let mut in_order = false;
        for (place, schedule) in schedules(&traces, &self.question.lines).into_iter().enumerate() {
            if place >= LEAST && begin.elapsed() > time {
                break;
            }
            let answer = self.run(controller, "forced", PATIENCE, &schedule.steps)?;
            self.record.schedules += 1;
            in_order |= answer.kind == "kept" && schedule.is_of_witness;
            let Some(outcome) = self.usable(controller, &answer)? else { continue };
            if answer.kind != "depends" && serial.is_none(&outcome) {
                if let Some(record) = self.verify(controller, &client, serial.clone(), &schedule, &loaded)? {
                    self.record.demonstration = Some(record);
                    return Ok(Some(ConfirmedClient { steps: schedule.steps, loaded }));
                }
                // What was seen by chance is known now: start again with a new target and a new client.
                return Ok(None);
            }
            if outcome.hangs() {
                self.renew(controller, &loaded, seed)?;
            }
        }
        self.in_order += usize::from(in_order);
        Ok(None)
    }

    /// A new target with the same client.
    fn renew(&mut self, controller: &mut Controller, loaded: &[String], seed: usize) -> Result<bool, Silence> {
        controller.start()?;
        let made = self.make(controller, seed)?.is_some();
        let fields: Vec<&str> = std::iter::once("load").chain(loaded.iter().map(String::as_str)).collect();
        controller.ask(&fields)?;
        Ok(made)
    }

    fn make(&mut self, controller: &mut Controller, seed: usize) -> Result<Option<Client>, Silence> {
        let question = &self.question;
        let kind = if question.is_static { "static" } else { "object" };
        let number = seed.to_string();
        let avoided = self.avoided.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let mut fields = vec!["client", question.class, kind, &number, &avoided, question.unit];
        fields.extend(&question.by);
        let answer = controller.ask(&fields)?;
        match answer.kind.as_str() {
            "client" => Ok(Client::of(&answer.fields)),
            _ => {
                self.fail(controller, &answer)?;
                Ok(None)
            }
        }
    }

    /// Runs every serial order some times; whether the client is of use.
    fn serial(
        &mut self,
        controller: &mut Controller,
        serial: &mut Serial,
        runs: usize,
        stops: &[(usize, Seen)],
    ) -> Result<Next, Silence> {
        let all = orders(serial.orders() - 1);
        let plain = std::iter::repeat_n(None, runs);
        let paused_runs = PAUSES.iter().filter(|_| !stops.is_empty()).map(|pause| Some(*pause));
        for pause in plain.chain(paused_runs) {
            for (order, steps) in all.iter().enumerate() {
                let steps = pause.map_or_else(|| steps.clone(), |pause| paused(steps, stops, pause));
                let answer = self.run(controller, "serial", PATIENCE, &steps)?;
                let Some(outcome) = self.usable(controller, &answer)? else { return Ok(Next::Client) };
                let is_blocked = answer.kind == "blocked" && pause.is_none();
                if is_blocked || outcome.hangs() {
                    self.count("a call waits for the other one");
                    return Ok(Next::Client);
                }
                serial.add(order, &outcome);
            }
        }
        Ok(Next::Enough)
    }

    fn run(
        &mut self,
        controller: &mut Controller,
        how: &str,
        patience: &str,
        steps: &[String],
    ) -> Result<Answer, Silence> {
        let fields: Vec<&str> = ["run", how, patience].into_iter().chain(steps.iter().map(String::as_str)).collect();
        controller.ask(&fields)
    }

    /// The outcome of a run, if it came to its end; else the reason is counted.
    fn usable(&mut self, controller: &mut Controller, answer: &Answer) -> Result<Option<Outcome>, Silence> {
        let is_outcome = matches!(answer.kind.as_str(), "kept" | "changed" | "depends" | "blocked");
        let outcome = Outcome::of(&answer.fields);
        if is_outcome && outcome.failure().is_none() {
            return Ok(Some(outcome));
        }
        match outcome.failure().filter(|_| is_outcome) {
            Some(why) => self.count(&format!("what is asked afterwards {why}")),
            None => self.fail(controller, answer)?,
        }
        Ok(None)
    }

    /// Counts why an attempt was of no use; starts a new target if the old one is gone.
    fn fail(&mut self, controller: &mut Controller, answer: &Answer) -> Result<(), Silence> {
        match answer.kind.as_str() {
            "guarded" => {
                self.count(&format!("it would {}", answer.first()));
                self.avoided.extend(answer.fields.get(1).filter(|name| !name.is_empty()).cloned());
            }
            "cannot" => self.count(answer.first()),
            "failed" => self.count(&format!("making the objects {}", answer.fields.last().map_or("", String::as_str))),
            _ => self.count("it does not end"),
        }
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            controller.start()?;
        }
        Ok(())
    }

    fn traces(&mut self, controller: &mut Controller) -> Result<Option<[Vec<Seen>; 2]>, Silence> {
        let mut traces = [Vec::new(), Vec::new()];
        for (place, trace) in traces.iter_mut().enumerate() {
            let (side, most) = ((place + 1).to_string(), STEPS.to_string());
            let answer = controller.ask(&["trace", &side, &most])?;
            if answer.kind != "trace" {
                self.fail(controller, &answer)?;
                return Ok(None);
            }
            *trace = answer.fields.iter().filter_map(|field| Seen::of(field)).collect();
        }
        Ok(Some(traces))
    }

    /// Whether an outcome that no serial order had comes again in new targets, and comes in none of many more serial
    /// runs, also such in which the threads are stopped as long.
    fn verify(
        &mut self,
        controller: &mut Controller,
        client: &Client,
        mut serial: Serial,
        schedule: &Schedule,
        loaded: &[String],
    ) -> Result<Option<Demonstration>, Silence> {
        let mut last = None;
        for _ in 0..2 {
            if !self.renew(controller, loaded, client.seed)? {
                return Ok(None);
            }
            let answer = self.run(controller, "watched", PATIENCE_AGAIN, &schedule.steps)?;
            let Some(outcome) = self.usable(controller, &answer)? else { return Ok(None) };
            if answer.kind == "depends" || !serial.is_none(&outcome) {
                return Ok(None);
            }
            if outcome.hangs() && !self.renew(controller, loaded, client.seed)? {
                return Ok(None);
            }
            if let Next::Client = self.serial(controller, &mut serial, SERIAL_AGAIN / 2, &schedule.stops)? {
                return Ok(None);
            }
            if !serial.is_none(&outcome) {
                return Ok(None);
            }
            last = Some(outcome);
        }
        Ok(last.map(|outcome| client.demonstration(&serial, &outcome, schedule)))
    }
}

/// The classes in which a thread may be stopped.
fn classes(traces: &[Vec<Seen>; 2]) -> Vec<String> {
    let all: BTreeSet<&str> = traces.iter().flatten().map(Seen::class).collect();
    all.into_iter().map(String::from).collect()
}

/// A client as the target tells it.
struct Client {
    seed: usize,
    before: String,
    threads: [Vec<String>; 2],
    calls: usize,
}

impl Client {
    fn of(fields: &[String]) -> Option<Self> {
        let mut fields = fields.iter();
        let seed = fields.next()?.parse().ok()?;
        let before = fields.next()?.clone();
        let mut threads = [Vec::new(), Vec::new()];
        for thread in &mut threads {
            let count = fields.next()?.parse().ok()?;
            thread.extend(fields.by_ref().take(count).cloned());
        }
        let calls = threads[1].len();
        Some(Self { seed, before, threads, calls })
    }

    fn demonstration(&self, serial: &Serial, outcome: &Outcome, schedule: &Schedule) -> Demonstration {
        let (kind, differences) = serial.differences(outcome);
        let stops =
            schedule.stops.iter().map(|(side, seen)| format!("thread {side} stops before {}:{}", seen.file, seen.line));
        let (first, second) = match schedule.stops.first() {
            Some((2, _)) => (2, 1),
            _ => (1, 2),
        };
        let then = match schedule.stops.len() {
            1 => format!("thread {second} runs, thread {first} goes on"),
            _ => format!("thread {first} goes on to its end, then thread {second}"),
        };
        Demonstration {
            kind: kind.name().into(),
            seed: self.seed,
            before: self.before.clone(),
            threads: self.threads.to_vec(),
            forced: stops.chain([then]).collect::<Vec<_>>().join(", "),
            steps: schedule.steps.clone(),
            differences: differences
                .into_iter()
                .map(|one| Difference { what: one.what, seen: one.seen, serial: one.serial })
                .collect(),
            program: None,
        }
    }
}
