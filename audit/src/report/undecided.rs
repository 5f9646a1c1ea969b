//! Parts of a subject that are not decided.

use super::finding::Finding;
use decide::Reason;
use isolate::{Uncovered, printable};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The reason of a subject that a fault of the analysis leaves undecided.
const INTERNAL: &str = "internal error";

/// The reason of a unit that the model with all possible steps violates, and the firm one does not.
const POSSIBLE: &str = "possible";

/// The reason of a subject whose model lacks an access that the code may make.
const UNCOVERED: &str = "uncovered";

/// A unit, or a whole subject, that is not decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Undecided {
    /// The unit; none for the whole subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The reason: `possible`, `uncovered`, `timeout`, `memory`, `bound`, `unsupported`, `cancelled` or
    /// `internal error`.
    pub reason: Cow<'static, str>,
    /// The details of the reason, if there are some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Undecided {
    /// A unit, or the whole subject, that is not decided for this reason.
    pub fn new(unit: Option<String>, reason: Reason) -> Self {
        let word = match reason {
            Reason::NoneWithin(_) => Reason::Bound.name(),
            reason if reason.is_unsupported() => "unsupported",
            reason => reason.name(),
        };
        Self { unit, reason: word.into(), detail: reason.detail() }
    }

    /// A unit with a violation that needs a step which the analysis cannot exclude, and which the code does not show.
    pub fn only_possible(finding: &Finding) -> Self {
        let method = short_name(&finding.cause.method);
        let file = finding.cause.file.as_deref().and_then(|file| file.rsplit(['/', '\\']).next());
        let place = match (file, finding.cause.lines) {
            (Some(file), [first, last]) if last > 1 && java::code_offset(last).is_none() => match first == last {
                true => format!(" ({file}:{first})"),
                false => format!(" ({file}:{first}-{last})"),
            },
            _ => String::new(),
        };
        let detail = format!("{method}{place} is not shown to be atomic: {}", finding.says);
        Self { unit: Some(finding.unit.clone()), reason: POSSIBLE.into(), detail: Some(detail) }
    }

    /// A subject without a model.
    pub fn unsupported(why: &str) -> Self {
        Self { unit: None, reason: "unsupported".into(), detail: Some(printable(why).into_owned()) }
    }

    /// Whether the reason is a violation that needs a step which the code does not show. Findings are decided then.
    pub fn is_possible(&self) -> bool {
        self.reason == POSSIBLE
    }

    /// Whether a limit of time is the reason.
    pub fn is_of_time(&self) -> bool {
        self.reason == Reason::Timeout.name()
    }

    /// Whether a limit of memory is the reason.
    pub fn is_of_memory(&self) -> bool {
        self.reason == Reason::Memory.name()
    }

    /// Whether the run was ended.
    pub fn is_ended(&self) -> bool {
        self.reason == Reason::Cancelled.name()
    }

    /// A subject with a proof that does not cover an access.
    pub fn uncovered(Uncovered { file, line, method, what }: &Uncovered) -> Self {
        let file = file.rsplit('/').next().unwrap_or(file);
        let line = if *line == 0 { String::new() } else { format!(":{line}") };
        let detail = format!("the proof does not cover {what} in {} ({file}{line})", short_name(method));
        Self { unit: None, reason: UNCOVERED.into(), detail: Some(printable(&detail).into_owned()) }
    }

    /// A class whose clients also get objects of a subclass that is not proved.
    pub fn by_subclass(subclass: &str) -> Self {
        let detail = format!("clients also get objects of its subclass {subclass}, which is not proved");
        Self { unit: None, reason: UNCOVERED.into(), detail: Some(printable(&detail).into_owned()) }
    }

    /// A subject that a fault of the analysis leaves undecided.
    pub fn fault(message: &str) -> Self {
        Self { unit: None, reason: INTERNAL.into(), detail: Some(format!("{INTERNAL}: {message}")) }
    }

    /// Whether a fault of the analysis is the reason.
    pub fn is_fault(&self) -> bool {
        self.reason == INTERNAL
    }
}

/// The class and the name of a method: `Pool.take` for `com.example.Pool.take(I)V`.
fn short_name(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let class = name.rfind('.').map_or("", |dot| &name[..dot]);
    class.rfind('.').map_or(name, |dot| &name[dot + 1..])
}
