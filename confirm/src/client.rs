//! Clients of a class, as a target describes them.

use crate::outcome::{Outcome, SerialOutcomes};
use crate::schedule::Schedule;
use crate::sentence::sentence;
use crate::torn_section::Side;
use audit::{ClientWay, Demonstration, Difference};

/// A client, as the target describes it.
pub(crate) struct Client {
    pub(crate) seed: usize,
    /// The way in which its objects are made.
    pub(crate) way: Option<ClientWay>,
    /// The method that the second thread calls instead of the interfering one.
    pub(crate) by: Option<String>,
    /// The preparation, as Java code.
    before: String,
    /// The calls of both threads, as Java code.
    threads: [Vec<String>; 2],
    /// The number of calls of the second thread.
    pub(crate) calls: usize,
}

impl Client {
    /// Reads the fields of an answer.
    pub(crate) fn parse(fields: &[String]) -> Option<Self> {
        let mut fields = fields.iter();
        let seed = fields.next()?.parse().ok()?;
        let way = ClientWay::of(fields.next()?);
        let by = fields.next().filter(|name| !name.is_empty()).cloned();
        let before = fields.next()?.clone();
        let mut threads = [Vec::new(), Vec::new()];
        for thread in &mut threads {
            let count = fields.next()?.parse().ok()?;
            thread.extend(fields.by_ref().take(count).cloned());
        }
        let calls = threads[1].len();
        Some(Self { seed, way, by, before, threads, calls })
    }

    /// Returns the text of all its calls.
    pub(crate) fn text(&self) -> String {
        format!("{}{:?}", self.before, self.threads)
    }

    /// Returns the demonstration by an outcome of this client under a schedule.
    pub(crate) fn demonstration(
        &self,
        serial: &SerialOutcomes,
        outcome: &Outcome,
        schedule: &Schedule,
        interrupted: Side,
    ) -> Demonstration {
        let (kind, deviations) = serial.deviations(outcome);
        let stops =
            schedule.stops.iter().map(|(side, access)| format!("thread {side} stops before {}", access.place()));
        let last = schedule.stops.last().map_or(2, |(side, _)| *side);
        let other = 3 - last;
        let then = match schedule.stops.len() {
            1 => format!("thread {other} runs, thread {last} goes on"),
            _ => format!("thread {other} goes on to its end, then thread {last}"),
        };
        let differences: Vec<Difference> = deviations
            .into_iter()
            .map(|one| Difference { what: one.name, seen: one.seen, serial: one.serial })
            .collect();
        Demonstration {
            kind: kind.name().into(),
            says: sentence(&self.threads, interrupted, &differences),
            seed: self.seed,
            before: self.before.clone(),
            threads: self.threads.to_vec(),
            forced: stops.chain([then]).collect::<Vec<_>>().join(", "),
            steps: schedule.steps.clone(),
            differences,
            program: None,
        }
    }
}
