//! What came of running a finding on a Java virtual machine.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What came of running a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The answer.
    pub verdict: ConfirmationVerdict,
    /// In which Java: the name and version that it gives itself.
    pub jdk: String,
    /// How many clients ran; a program that runs itself counts as one.
    pub clients: usize,
    /// How many schedules were forced.
    pub schedules: usize,
    /// Why clients were not made, or could not run: the most frequent reason, if nothing was confirmed.
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
    /// A client can tell: it got what it gets in no serial order.
    #[serde(rename = "confirmed")]
    Confirmed,
    /// The order of the witness was forced, and no client could tell.
    #[serde(rename = "benign by experiment")]
    Benign,
    /// No client could tell, or the order was never reached.
    #[serde(rename = "not confirmed")]
    NotConfirmed,
    /// No client ran.
    #[serde(rename = "not tried")]
    NotTried,
}

impl ConfirmationVerdict {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Benign => "benign by experiment",
            Self::NotConfirmed => "not confirmed",
            Self::NotTried => "not tried",
        }
    }
}

/// A client that gets what it gets in no serial order, or a program that ends as it does in none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demonstration {
    /// What is worst: `fails`, `result`, `state`, or `together` if only several parts together are those of no order.
    pub kind: Cow<'static, str>,
    /// The seed of which the client was made.
    pub seed: usize,
    /// What the client does before its threads begin, as Java code; how a program is started.
    pub before: String,
    /// The calls of both threads, or what the threads of a program are; the first has the unit.
    pub threads: Vec<Vec<String>>,
    /// The order that was forced, in words.
    pub forced: String,
    /// The same for programs.
    pub steps: Vec<String>,
    /// What shows the difference.
    pub differences: Vec<Difference>,
    /// The file with a program that shows it, if one was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

/// Something that a client looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What it is: `thread 1.0` is the first call of the first thread; else what is asked afterwards. Of a program:
    /// `the program` for how it ends, `uncaught exceptions`, and `output` for lines that are printed only so.
    pub what: String,
    /// What it was.
    pub seen: String,
    /// What it is in serial orders.
    pub serial: Vec<String>,
}

impl Confirmation {
    /// Nothing is known yet.
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

    /// What people read: a line, or several if it is confirmed.
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

    /// The same in one line.
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

    /// A call by what it is, not by its number.
    fn name(&self, what: &str) -> String {
        let call = || {
            let (thread, number) = what.strip_prefix("thread ")?.split_once('.')?;
            let calls = self.threads.get(thread.parse::<usize>().ok()?.checked_sub(1)?)?;
            Some(format!("thread {thread}, {}", calls.get(number.parse::<usize>().ok()?)?))
        };
        call().unwrap_or_else(|| what.to_string())
    }
}
