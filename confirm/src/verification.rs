//! The verification of a candidate: a client, and a schedule under which its outcome seems to differ from every serial
//! order.
//!
//! Two machines that have never run the client make it, run the schedule, and run every serial order: some times as it
//! is, and with pauses at the stops of the schedule. One of them runs the schedule first, the other one the serial
//! orders, so that neither order of the runs explains a difference. Both work at the same time, as pauses need no
//! processor. The second one waits for the time that the schedule took in the first one before it pauses.
//!
//! If the outcome differs only by an exception where serial orders give values that vary, the exception may be rare
//! chance. The schedule then has to give it again and again in both machines.

use crate::client::Client;
use crate::machine::{Answer, Machine, NoAnswer};
use crate::outcome::{Outcome, SerialOutcomes};
use crate::schedule::{Schedule, serial_orders, with_pauses};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The number of runs of each serial order in each machine.
const SERIAL_RUNS: usize = 5;

/// The number of further runs of the schedule in each machine if the outcome differs in entries that vary.
const REPEATED_RUNS: usize = 5;

/// The pauses in serial runs, as multiples of the time of a forced run. So a thread that is stopped for some time is no
/// reason for another outcome.
const PAUSES: [u64; 2] = [1, 4];

/// The milliseconds after which a call that waits counts as one that never returns.
const PATIENCE: &str = "2000";

/// A client and a schedule.
pub(crate) struct Candidate<'a> {
    pub(crate) client: &'a Client,
    /// The command that makes the client.
    pub(crate) command: &'a [String],
    /// The classes that are loaded first.
    pub(crate) loaded: &'a [String],
    pub(crate) schedule: &'a Schedule,
}

/// The reason why a candidate shows nothing.
pub(crate) enum Refusal {
    /// A machine gave no answer.
    NoAnswer(NoAnswer),
    /// A machine could not make the client, or not run it.
    Failure(Answer),
    /// A run shows why the client cannot be used.
    Reason(String),
    /// The client is another one, its outcome depends on time, or a serial order has the outcome.
    Unconfirmed,
}

impl From<NoAnswer> for Refusal {
    fn from(why: NoAnswer) -> Self {
        Self::NoAnswer(why)
    }
}

/// Verifies a candidate in two machines. Returns all serial outcomes, and an outcome that differs from each of them.
pub(crate) fn verify(
    [first, second]: [&mut Machine; 2],
    candidate: &Candidate<'_>,
) -> Result<(SerialOutcomes, Outcome), Refusal> {
    let (mut first, mut second) = (Verifier::new(first, candidate), Verifier::new(second, candidate));
    let (tell, told) = channel();
    let (begun, ended) = std::thread::scope(|scope| {
        let second = scope.spawn(|| second.serial_orders_first(told));
        let begun = first.schedule_first(tell);
        (begun, second.join().unwrap_or(Err(Refusal::NoAnswer(NoAnswer::Lost))))
    });
    let [begun, ended] = [begun?, ended?];
    let mut serial = SerialOutcomes::new(candidate.client.calls + 1);
    for (order, outcome) in first.serial.iter().chain(&second.serial) {
        serial.add(*order, outcome);
    }
    if !serial.excludes(&begun) || !serial.excludes(&ended) {
        return Err(Refusal::Unconfirmed);
    }
    if !serial.excludes_surely(&begun) || !serial.excludes_surely(&ended) {
        first.repeat_schedule(&serial)?;
        second.repeat_schedule(&serial)?;
    }
    Ok((serial, ended))
}

/// A machine that verifies a candidate.
struct Verifier<'a> {
    machine: &'a mut Machine,
    candidate: &'a Candidate<'a>,
    /// The outcomes of serial runs, with the numbers of their orders.
    serial: Vec<(usize, Outcome)>,
}

impl<'a> Verifier<'a> {
    fn new(machine: &'a mut Machine, candidate: &'a Candidate<'a>) -> Self {
        Self { machine, candidate, serial: Vec::new() }
    }

    /// Runs the schedule, tells the milliseconds that it took, and runs the serial orders.
    fn schedule_first(&mut self, tell: Sender<u64>) -> Result<Outcome, Refusal> {
        self.make_client()?;
        let forced = self.run_schedule()?;
        // The other machine may have given up.
        let _ = tell.send(forced.milliseconds);
        if forced.outcome.hangs() {
            self.machine.start()?;
            self.make_client()?;
        }
        self.run_serial_orders()?;
        self.run_paused_orders(forced.milliseconds)?;
        Ok(forced.outcome)
    }

    /// Runs the serial orders, and then the schedule.
    fn serial_orders_first(&mut self, told: Receiver<u64>) -> Result<Outcome, Refusal> {
        self.make_client()?;
        self.run_serial_orders()?;
        // Without the time, the other machine says why.
        let milliseconds = told.recv().map_err(|_| Refusal::Unconfirmed)?;
        self.run_paused_orders(milliseconds)?;
        Ok(self.run_schedule()?.outcome)
    }

    /// Makes the client, and loads the classes.
    fn make_client(&mut self) -> Result<(), Refusal> {
        let made = self.machine.ask(self.candidate.command)?;
        if made.kind != "client" {
            return Err(self.failure(made));
        }
        if Client::parse(&made.fields).is_none_or(|made| made.text() != self.candidate.client.text()) {
            return Err(Refusal::Unconfirmed);
        }
        let load = std::iter::once("load").chain(self.candidate.loaded.iter().map(String::as_str));
        self.machine.ask(&load.collect::<Vec<_>>())?;
        Ok(())
    }

    /// Runs the schedule. If a call hangs, the machine ends, as the threads would disturb the next runs.
    fn run_schedule(&mut self) -> Result<ClientRun, Refusal> {
        let run = self.run(&self.candidate.schedule.steps)?;
        if run.outcome.hangs() {
            self.machine.end();
        }
        if run.depends { Err(Refusal::Unconfirmed) } else { Ok(run) }
    }

    /// Runs the schedule some more times. Each outcome has to differ from all serial ones.
    fn repeat_schedule(&mut self, serial: &SerialOutcomes) -> Result<(), Refusal> {
        for _ in 0..REPEATED_RUNS {
            let outcome = self.run_schedule()?.outcome;
            if outcome.hangs() || !serial.excludes(&outcome) {
                return Err(Refusal::Unconfirmed);
            }
        }
        Ok(())
    }

    /// Runs every serial order some times.
    fn run_serial_orders(&mut self) -> Result<(), Refusal> {
        let orders = serial_orders(self.candidate.client.calls);
        for _ in 0..SERIAL_RUNS {
            for (order, steps) in orders.iter().enumerate() {
                self.run_serial_order(order, steps, false)?;
            }
        }
        Ok(())
    }

    /// Runs every serial order with pauses at the stops of the schedule, which took some milliseconds.
    fn run_paused_orders(&mut self, milliseconds: u64) -> Result<(), Refusal> {
        let orders = serial_orders(self.candidate.client.calls);
        for times in PAUSES {
            for (order, steps) in orders.iter().enumerate() {
                let steps = with_pauses(steps, &self.candidate.schedule.stops, times * (milliseconds + 1));
                self.run_serial_order(order, &steps, true)?;
            }
        }
        Ok(())
    }

    fn run_serial_order(&mut self, order: usize, steps: &[String], is_paused: bool) -> Result<(), Refusal> {
        let run = self.run(steps)?;
        let is_blocked = !run.is_kept && !is_paused;
        if is_blocked || run.outcome.hangs() {
            self.machine.end();
            return Err(Refusal::Reason("a call waits for the other one".to_string()));
        }
        self.serial.push((order, run.outcome));
        Ok(())
    }

    /// Runs the client with some steps. Returns a complete run.
    fn run(&mut self, steps: &[String]) -> Result<ClientRun, Refusal> {
        let fields: Vec<&str> = ["run", PATIENCE].into_iter().chain(steps.iter().map(String::as_str)).collect();
        let answer = self.machine.ask(&fields)?;
        let Some(run) = ClientRun::parse(&answer) else { return Err(self.failure(answer)) };
        match run.outcome.failure() {
            Some(why) => Err(Refusal::Reason(format!("a call after both threads {why}"))),
            None => Ok(run),
        }
    }

    fn failure(&mut self, answer: Answer) -> Refusal {
        self.machine.end_after(&answer);
        Refusal::Failure(answer)
    }
}

/// A complete run of a client.
struct ClientRun {
    /// Whether the threads stopped as the schedule says.
    is_kept: bool,
    /// Whether something depended on time.
    depends: bool,
    milliseconds: u64,
    outcome: Outcome,
}

impl ClientRun {
    /// Reads an answer; none if there is no outcome.
    fn parse(answer: &Answer) -> Option<Self> {
        if !matches!(answer.kind.as_str(), "kept" | "changed" | "depends") {
            return None;
        }
        let (milliseconds, outcome) = answer.fields.split_first()?;
        Some(Self {
            is_kept: answer.kind == "kept",
            depends: answer.kind == "depends",
            milliseconds: milliseconds.parse().ok()?,
            outcome: Outcome::of(outcome),
        })
    }
}
