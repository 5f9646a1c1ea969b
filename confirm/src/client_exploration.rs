//! The search of clients and schedules for one finding, until an outcome differs from every serial order or the time is
//! over.
//!
//! Each client follows from a seed; the seeds are tried in order. A client first runs every serial order, then each
//! side alone for its trace, then the schedules that follow from the traces. A candidate has to come again in new
//! targets.

use crate::controller::{Answer, Controller, NoAnswer};
use crate::outcome::{Outcome, SerialOutcomes};
use crate::schedule::{Schedule, TracedAccess, schedules, serial_orders, with_pauses};
use crate::search_end::{self, SearchEnd};
use audit::{Confirmation, ConfirmationEffort, Demonstration, Difference, Finding, SubjectKind, SubjectReport};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The number of runs of each serial order before schedules are tried.
const SERIAL_RUNS: usize = 2;

/// The number of runs of each serial order that verify a candidate.
const VERIFYING_RUNS: usize = 10;

/// The milliseconds of pauses in serial runs: forced runs stop threads for a similar time.
const PAUSES: [u64; 2] = [15, 60];

/// The largest number of instructions in the trace of a thread.
const MAX_STEPS: usize = 4000;

/// The milliseconds after which a call that waits counts as one that never returns.
const PATIENCE: &str = "400";

/// The same for the runs that verify a candidate.
const VERIFYING_PATIENCE: &str = "2000";

/// The number of schedules that each client tries even if its time is over. Otherwise a busy machine would try none.
const MIN_SCHEDULES: usize = 12;

/// The largest number of seeds.
const MAX_SEEDS: usize = 400;

/// The number of consecutive known clients after which there are no new ones.
const MAX_REPEATED: usize = 40;

/// The number of seeds without any client after which the search ends.
const MAX_FAILED_SEEDS: usize = 12;

/// The parts of a finding on which its confirmation depends.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) class: &'a str,
    pub(crate) is_static: bool,
    pub(crate) unit: &'a str,
    /// The interfering methods; the one of the witness is the first.
    pub(crate) by: Vec<&'a str>,
    /// The files and lines of the accesses before which the witness switches back to the unit.
    lines: BTreeSet<(String, u32)>,
}

impl<'a> Question<'a> {
    /// Returns the question about a finding of a subject.
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

/// The state of the search.
pub(crate) struct ClientExploration<'a> {
    question: Question<'a>,
    next_seed: usize,
    effort: ConfirmationEffort,
    demonstration: Option<Demonstration>,
    /// The reasons why clients were not made or could not run, with their counts.
    reasons: BTreeMap<String, usize>,
    /// The clients that were tried, as Java code.
    tried: BTreeSet<String>,
    /// The number of known clients since the last new one.
    repeated: usize,
    /// Methods that reach outside of the target. Clients do not call them, except for the unit and its interferers.
    avoided: BTreeSet<String>,
}

/// A client that confirms the finding.
pub(crate) struct ConfirmedClient {
    /// The schedule, as commands for the controller.
    pub(crate) steps: Vec<String>,
    /// The classes that are loaded first.
    pub(crate) loaded: Vec<String>,
}

impl<'a> ClientExploration<'a> {
    /// Returns a search without runs.
    pub(crate) fn new(question: Question<'a>) -> Self {
        Self {
            question,
            next_seed: 0,
            effort: ConfirmationEffort::default(),
            demonstration: None,
            reasons: BTreeMap::new(),
            tried: BTreeSet::new(),
            repeated: 0,
            avoided: BTreeSet::new(),
        }
    }

    /// The parts of the finding on which the result depends.
    pub(crate) fn question(&self) -> &Question<'a> {
        &self.question
    }

    /// Whether more time could change the result.
    pub(crate) fn is_open(&self) -> bool {
        self.demonstration.is_none()
            && self.next_seed < MAX_SEEDS
            && self.repeated < MAX_REPEATED
            && !self.is_hopeless()
    }

    /// Whether no client could be made or run.
    fn is_hopeless(&self) -> bool {
        self.effort.clients == 0 && self.next_seed >= MAX_FAILED_SEEDS
    }

    /// Returns the number of forced schedules so far.
    pub(crate) fn schedules(&self) -> usize {
        self.effort.schedules
    }

    /// Returns the result of the search so far. `jdk` is the name of the virtual machine.
    pub(crate) fn finish(self, jdk: &str, end: SearchEnd) -> Confirmation {
        let obstacle = self.reasons.iter().max_by_key(|(_, count)| **count).map(|(why, _)| why.as_str());
        search_end::answer(jdk, &self.effort, self.demonstration, end, obstacle)
    }

    /// Tries clients for some time. Returns the one that confirms the finding.
    pub(crate) fn explore(
        &mut self,
        controller: &mut Controller,
        time: Duration,
    ) -> Result<Option<ConfirmedClient>, NoAnswer> {
        let begin = Instant::now();
        let mut result = Ok(None);
        while self.is_open() && begin.elapsed() < time {
            let seed = self.next_seed;
            self.next_seed += 1;
            let left = time.saturating_sub(begin.elapsed());
            match self.try_client(controller, seed, left) {
                Ok(Some(confirmed)) => {
                    result = Ok(Some(confirmed));
                    break;
                }
                Ok(None) => {}
                Err(NoAnswer::Stopped) => {
                    result = Err(NoAnswer::Stopped);
                    break;
                }
                Err(NoAnswer::Lost) => {
                    self.add_reason("the target was lost");
                    controller.start()?;
                }
            }
        }
        self.effort.time += begin.elapsed();
        result
    }

    /// Counts a reason why a client could not be used.
    fn add_reason(&mut self, why: &str) {
        *self.reasons.entry(why.to_string()).or_default() += 1;
    }

    /// Makes a client and tries its schedules.
    fn try_client(
        &mut self,
        controller: &mut Controller,
        seed: usize,
        time: Duration,
    ) -> Result<Option<ConfirmedClient>, NoAnswer> {
        let begin = Instant::now();
        let Some(client) = self.make_client(controller, seed)? else { return Ok(None) };
        if !self.tried.insert(format!("{}{:?}", client.before, client.threads)) {
            self.repeated += 1;
            return Ok(None);
        }
        self.repeated = 0;
        let mut serial = SerialOutcomes::new(client.calls + 1);
        if !self.run_serial_orders(controller, &mut serial, SERIAL_RUNS, &[])? {
            return Ok(None);
        }
        let Some(traces) = self.traces(controller)? else { return Ok(None) };
        let loaded = traced_classes(&traces);
        let fields: Vec<&str> = std::iter::once("load").chain(loaded.iter().map(String::as_str)).collect();
        controller.ask(&fields)?;
        self.effort.clients += 1;
        for (place, schedule) in schedules(&traces, &self.question.lines).into_iter().enumerate() {
            if place >= MIN_SCHEDULES && begin.elapsed() > time {
                break;
            }
            let answer = self.run(controller, "forced", PATIENCE, &schedule.steps)?;
            self.effort.schedules += 1;
            let Some(outcome) = self.outcome(controller, &answer)? else { continue };
            if answer.kind != "depends" && serial.excludes(&outcome) {
                if let Some(record) = self.verify(controller, &client, serial.clone(), &schedule, &loaded)? {
                    self.demonstration = Some(record);
                    return Ok(Some(ConfirmedClient { steps: schedule.steps, loaded }));
                }
                // The outcome does not come again, or serial runs have it, too: continue with the next client.
                return Ok(None);
            }
            if outcome.hangs() {
                self.restart(controller, &loaded, seed)?;
            }
        }
        Ok(None)
    }

    /// Starts a new target with the same client. Returns whether the client could be made.
    fn restart(&mut self, controller: &mut Controller, loaded: &[String], seed: usize) -> Result<bool, NoAnswer> {
        controller.start()?;
        let made = self.make_client(controller, seed)?.is_some();
        let fields: Vec<&str> = std::iter::once("load").chain(loaded.iter().map(String::as_str)).collect();
        controller.ask(&fields)?;
        Ok(made)
    }

    /// Makes the client of a seed in the target.
    fn make_client(&mut self, controller: &mut Controller, seed: usize) -> Result<Option<Client>, NoAnswer> {
        let question = &self.question;
        let kind = if question.is_static { "static" } else { "object" };
        let number = seed.to_string();
        let avoided = self.avoided.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let mut fields = vec!["client", question.class, kind, &number, &avoided, question.unit];
        fields.extend(&question.by);
        let answer = controller.ask(&fields)?;
        match answer.kind.as_str() {
            "client" => Ok(Client::parse(&answer.fields)),
            _ => {
                self.add_failure(controller, &answer)?;
                Ok(None)
            }
        }
    }

    /// Runs every serial order some times; with stops, also with pauses there. Returns whether the client is usable.
    fn run_serial_orders(
        &mut self,
        controller: &mut Controller,
        serial: &mut SerialOutcomes,
        runs: usize,
        stops: &[(usize, TracedAccess)],
    ) -> Result<bool, NoAnswer> {
        let all = serial_orders(serial.orders() - 1);
        let plain = std::iter::repeat_n(None, runs);
        let paused_runs = PAUSES.iter().filter(|_| !stops.is_empty()).map(|pause| Some(*pause));
        for pause in plain.chain(paused_runs) {
            for (order, steps) in all.iter().enumerate() {
                let steps = pause.map_or_else(|| steps.clone(), |pause| with_pauses(steps, stops, pause));
                let answer = self.run(controller, "serial", PATIENCE, &steps)?;
                let Some(outcome) = self.outcome(controller, &answer)? else { return Ok(false) };
                let is_blocked = answer.kind == "blocked" && pause.is_none();
                if is_blocked || outcome.hangs() {
                    self.add_reason("a call waits for the other one");
                    return Ok(false);
                }
                serial.add(order, &outcome);
            }
        }
        Ok(true)
    }

    /// Runs the client of the target with some steps.
    fn run(
        &mut self,
        controller: &mut Controller,
        how: &str,
        patience: &str,
        steps: &[String],
    ) -> Result<Answer, NoAnswer> {
        let fields: Vec<&str> = ["run", how, patience].into_iter().chain(steps.iter().map(String::as_str)).collect();
        controller.ask(&fields)
    }

    /// Returns the outcome of a complete run; otherwise counts the reason.
    fn outcome(&mut self, controller: &mut Controller, answer: &Answer) -> Result<Option<Outcome>, NoAnswer> {
        let is_outcome = matches!(answer.kind.as_str(), "kept" | "changed" | "depends" | "blocked");
        let outcome = Outcome::of(&answer.fields);
        if is_outcome && outcome.failure().is_none() {
            return Ok(Some(outcome));
        }
        match outcome.failure().filter(|_| is_outcome) {
            Some(why) => self.add_reason(&format!("what is asked afterwards {why}")),
            None => self.add_failure(controller, answer)?,
        }
        Ok(None)
    }

    /// Counts the reason of an answer without an outcome. Starts a new target if the old one has ended.
    fn add_failure(&mut self, controller: &mut Controller, answer: &Answer) -> Result<(), NoAnswer> {
        match answer.kind.as_str() {
            "guarded" => {
                self.add_reason(&format!("it would {}", answer.first_field()));
                self.avoided.extend(answer.fields.get(1).filter(|name| !name.is_empty()).cloned());
            }
            "cannot" => self.add_reason(answer.first_field()),
            "failed" => {
                self.add_reason(&format!("making the objects {}", answer.fields.last().map_or("", String::as_str)))
            }
            _ => self.add_reason("it does not end"),
        }
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            controller.start()?;
        }
        Ok(())
    }

    /// Runs each side alone, and returns the accesses of both.
    fn traces(&mut self, controller: &mut Controller) -> Result<Option<[Vec<TracedAccess>; 2]>, NoAnswer> {
        let mut traces = [Vec::new(), Vec::new()];
        for (place, trace) in traces.iter_mut().enumerate() {
            let (side, most) = ((place + 1).to_string(), MAX_STEPS.to_string());
            let answer = controller.ask(&["trace", &side, &most])?;
            if answer.kind != "trace" {
                self.add_failure(controller, &answer)?;
                return Ok(None);
            }
            *trace = answer.fields.iter().filter_map(|field| TracedAccess::of(field)).collect();
        }
        Ok(Some(traces))
    }

    /// Repeats a schedule in two new targets, and the serial orders many times, also with pauses at the stops of the
    /// schedule. Returns the demonstration if the outcomes of the schedule differ from every serial order.
    fn verify(
        &mut self,
        controller: &mut Controller,
        client: &Client,
        mut serial: SerialOutcomes,
        schedule: &Schedule,
        loaded: &[String],
    ) -> Result<Option<Demonstration>, NoAnswer> {
        let mut last = None;
        for _ in 0..2 {
            if !self.restart(controller, loaded, client.seed)? {
                return Ok(None);
            }
            let answer = self.run(controller, "watched", VERIFYING_PATIENCE, &schedule.steps)?;
            let Some(outcome) = self.outcome(controller, &answer)? else { return Ok(None) };
            if answer.kind == "depends" || !serial.excludes(&outcome) {
                return Ok(None);
            }
            if outcome.hangs() && !self.restart(controller, loaded, client.seed)? {
                return Ok(None);
            }
            if !self.run_serial_orders(controller, &mut serial, VERIFYING_RUNS / 2, &schedule.stops)? {
                return Ok(None);
            }
            if !serial.excludes(&outcome) {
                return Ok(None);
            }
            last = Some(outcome);
        }
        Ok(last.map(|outcome| client.demonstration(&serial, &outcome, schedule)))
    }
}

/// Returns the classes of the accesses.
fn traced_classes(traces: &[Vec<TracedAccess>; 2]) -> Vec<String> {
    let all: BTreeSet<&str> = traces.iter().flatten().map(TracedAccess::class).collect();
    all.into_iter().map(String::from).collect()
}

/// A client, as the target describes it.
struct Client {
    seed: usize,
    /// The preparation, as Java code.
    before: String,
    /// The calls of both threads, as Java code.
    threads: [Vec<String>; 2],
    /// The number of calls of the second thread.
    calls: usize,
}

impl Client {
    /// Reads the fields of an answer.
    fn parse(fields: &[String]) -> Option<Self> {
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

    /// Returns the demonstration by an outcome of this client under a schedule.
    fn demonstration(&self, serial: &SerialOutcomes, outcome: &Outcome, schedule: &Schedule) -> Demonstration {
        let (kind, deviations) = serial.deviations(outcome);
        let stops = schedule
            .stops
            .iter()
            .map(|(side, access)| format!("thread {side} stops before {}:{}", access.file, access.line));
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
            differences: deviations
                .into_iter()
                .map(|one| Difference { what: one.name, seen: one.seen, serial: one.serial })
                .collect(),
            program: None,
        }
    }
}
