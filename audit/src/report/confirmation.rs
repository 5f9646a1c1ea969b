//! The result of running a finding on a Java virtual machine.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The result of running a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The verdict.
    pub verdict: ConfirmationVerdict,
    /// Name and version of the Java virtual machine, as it reports them.
    pub jdk: String,
    /// Number of clients that ran; a whole program counts as one.
    pub clients: usize,
    /// Number of forced schedules.
    pub schedules: usize,
    /// If nothing was confirmed: the most frequent reason why a client was not made or could not run.
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
pub enum ConfirmationVerdict {
    /// A client observed an outcome that no serial order has.
    #[serde(rename = "confirmed")]
    Confirmed,
    /// The order of the witness was forced, and all outcomes were those of serial orders.
    #[serde(rename = "benign by experiment")]
    Benign,
    /// All outcomes were those of serial orders, or the order was never reached.
    #[serde(rename = "not confirmed")]
    NotConfirmed,
    /// No client ran.
    #[serde(rename = "not tried")]
    NotTried,
}

impl ConfirmationVerdict {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Benign => "benign by experiment",
            Self::NotConfirmed => "not confirmed",
            Self::NotTried => "not tried",
        }
    }
}

/// A client or a program with an outcome that no serial order has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demonstration {
    /// The worst difference: `fails`, `result`, `state`, or `together` if no single part of the outcome differs.
    pub kind: Cow<'static, str>,
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
    /// A confirmation that was not tried yet.
    pub fn open(jdk: &str) -> Self {
        Self {
            verdict: ConfirmationVerdict::NotTried,
            jdk: jdk.to_string(),
            clients: 0,
            schedules: 0,
            reason: None,
            demonstration: None,
            seconds: 0.0,
        }
    }

    /// The text for users: one line, or several if it is confirmed.
    pub fn text(&self) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let tried = format!("{}, {}", count(self.clients, "client"), count(self.schedules, "schedule"));
        let reason = self.reason.as_ref().map_or_else(String::new, |why| format!("; {why}"));
        match (self.verdict, &self.demonstration) {
            (_, Some(shown)) => shown.text(&self.jdk),
            (ConfirmationVerdict::Benign, _) => format!("benign by experiment: no client can tell ({tried})\n"),
            (ConfirmationVerdict::NotTried, _) => {
                format!("not tried: {}\n", self.reason.as_deref().unwrap_or("there was no time"))
            }
            _ => format!("not confirmed ({tried}{reason})\n"),
        }
    }

    /// The same text in one line.
    pub fn line(&self) -> String {
        self.text().split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
    }
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
