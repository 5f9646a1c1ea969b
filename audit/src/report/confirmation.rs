//! The result of running a finding on a Java virtual machine.

use super::client_counts::ClientWay;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// The result of running a finding.
///
/// An answer says only what was seen. [`Confirmation::new`] derives the verdict from the search, so that a confirmed
/// finding has a demonstration, one that is not confirmed has schedules, and one that was not tried has a reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The verdict.
    pub verdict: ConfirmationVerdict,
    /// Name and version of the Java virtual machine, as it reports them; empty if none was started.
    pub jdk: String,
    /// Number of clients that ran; a whole program counts as one.
    pub clients_tried: usize,
    /// Number of forced schedules.
    pub schedules_tried: usize,
    /// The way in which the first client that ran was made; none for a whole program, or if no client ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<ClientWay>,
    /// Share of the places of the torn section that ran in a client, from 0 to 1; none if no schedule ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<f64>,
    /// If it was not tried: the reason. If it is not confirmed: the reason why the search ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The client, the schedule and the outcome, if it is confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demonstration: Option<Demonstration>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Whether a finding is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationVerdict {
    /// Both methods ran, the unit was interrupted within its torn section, and a caller got an outcome that no serial
    /// order has.
    Confirmed,
    /// Schedules were forced, and none gave such an outcome.
    NotConfirmed,
    /// No schedule was forced.
    NotTried,
}

impl ConfirmationVerdict {
    /// All verdicts.
    pub const ALL: [Self; 3] = [Self::Confirmed, Self::NotConfirmed, Self::NotTried];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::NotTried => "not tried",
        }
    }
}

/// The effort of a search for a confirmation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfirmationEffort {
    /// Number of clients that ran; a whole program counts as one.
    pub clients: usize,
    /// Number of forced schedules.
    pub schedules: usize,
    /// The way in which the first client that ran was made.
    pub way: Option<ClientWay>,
    /// Share of the places of the torn section that ran in a client, from 0 to 1; none if that is not known.
    pub reached: Option<f64>,
    /// Wall-clock time.
    pub time: Duration,
}

/// A client or a program with an outcome that no serial order has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demonstration {
    /// The worst difference: `fails`, `result`, `state`, or `together` if no single part of the outcome differs.
    pub kind: Cow<'static, str>,
    /// The difference in a sentence.
    #[serde(default)]
    pub says: String,
    /// The seed of the client.
    pub seed: usize,
    /// The Java code of the client before its threads begin; for a program, how it is started.
    pub before: String,
    /// The calls of both threads, or the threads of a program; the first one has the unit.
    pub threads: Vec<Vec<String>>,
    /// The forced order, as text.
    pub forced: String,
    /// The steps of the forced order of a program.
    pub steps: Vec<String>,
    /// The parts of the outcome that differ from serial orders.
    pub differences: Vec<Difference>,
    /// The file of a program that reproduces it, if one was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

/// A part of an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Its name: `thread 1.0` is the first call of the first thread; other names are calls after the threads. For a
    /// program: `the program` for its end, `uncaught exceptions`, and `output` for lines that serial orders do not
    /// print.
    pub what: String,
    /// The observed value.
    pub seen: String,
    /// The values in serial orders.
    pub serial: Vec<String>,
}

impl Confirmation {
    /// The confirmation after a search on a Java virtual machine: with its demonstration, or with the reason why there
    /// is none.
    pub fn new(jdk: &str, effort: &ConfirmationEffort, result: Result<Demonstration, String>) -> Self {
        let ConfirmationEffort { clients, schedules, way, reached, time } = *effort;
        let verdict = match &result {
            Ok(_) => ConfirmationVerdict::Confirmed,
            Err(_) if schedules > 0 => ConfirmationVerdict::NotConfirmed,
            Err(_) => ConfirmationVerdict::NotTried,
        };
        let (demonstration, reason) = match result {
            Ok(demonstration) => (Some(demonstration), None),
            Err(reason) => (None, Some(reason)),
        };
        Self {
            verdict,
            jdk: jdk.to_string(),
            clients_tried: clients,
            schedules_tried: schedules,
            way,
            reached: reached.filter(|_| schedules > 0),
            reason,
            demonstration,
            seconds: rounded(time.as_secs_f64()),
        }
    }

    /// The text for users: one line, or several if it is confirmed.
    pub fn text(&self) -> String {
        let reason = self.reason.as_deref().unwrap_or_default();
        match &self.demonstration {
            Some(shown) => shown.text(&self.jdk),
            None if self.verdict == ConfirmationVerdict::NotTried => format!("not tried: {reason}\n"),
            None => format!("not confirmed: {}; {reason}\n", self.effort()),
        }
    }

    /// The effort in words: `3 clients, 120 schedules, 100% of the torn section reached`.
    fn effort(&self) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut text = format!("{}, {}", count(self.clients_tried, "client"), count(self.schedules_tried, "schedule"));
        if let Some(reached) = self.reached {
            // No part that was missed is rounded away.
            text += &format!(", {}% of the torn section reached", (reached * 100.0).floor());
        }
        text
    }

    /// The same text in one line.
    pub fn line(&self) -> String {
        let text = self.text();
        let lines = text.split('\n').map(|line| line.trim().trim_end_matches(';')).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("; ")
    }
}

/// A number with three digits after the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

impl Demonstration {
    fn text(&self, jdk: &str) -> String {
        let mut text = format!("confirmed on {jdk}: {}\n", self.before);
        for (number, calls) in self.threads.iter().enumerate() {
            text += &format!("  thread {}: {}\n", number + 1, calls.join("; "));
        }
        text += &format!("  forced: {}\n", self.forced);
        for one in &self.differences {
            let serial: Vec<&str> = one.serial.iter().map(String::as_str).collect();
            text +=
                &format!("  {}: {}; in every serial order: {}\n", self.name(&one.what), one.seen, serial.join(" or "));
        }
        if self.kind == "together" {
            text += "  no serial order has these together\n";
        }
        if let Some(program) = &self.program {
            text += &format!("  program: {program}\n");
        }
        text
    }

    /// The name with the call instead of its number.
    fn name(&self, what: &str) -> String {
        let call = || {
            let (thread, number) = what.strip_prefix("thread ")?.split_once('.')?;
            let calls = self.threads.get(thread.parse::<usize>().ok()?.checked_sub(1)?)?;
            Some(format!("thread {thread}, {}", calls.get(number.parse::<usize>().ok()?)?))
        };
        call().unwrap_or_else(|| what.to_string())
    }
}
