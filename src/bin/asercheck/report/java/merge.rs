//! Unites the reports of all shards into the report of a run without shards.
//!
//! **Invariant.** The united report equals that of a run without `--shard` in everything but seconds, if no run met a
//! limit. *Why.* Every shard reads all classes, so that the data about all classes (`paths`, `classes`, `skipped`,
//! `problems`) is the same in all reports, and is taken once. Each subject is in one shard, which decides it as a whole
//! run does; counts of subjects are added. Subjects are ordered by importance, which depends on the subject alone, and
//! equally important ones by their places among all.

use asercheck::audit::{BaselineComparison, Report, ShardPart, SubjectReport, Summary, VERSION};
use asercheck::records::Shard;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Largest number of missing shards that are named.
const NAMED: usize = 10;

/// The reason why reports are not united.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// There is no report.
    Nothing,
    /// A report is about all classes.
    Whole(String),
    /// A report is about other classes or other options than the first one: the differences.
    Differs(String, Vec<String>),
    /// Two reports are about the same shard.
    Twice(Shard, [String; 2]),
    /// Shards without a report: their number, and the first of them.
    Missing(u64, Vec<String>),
    /// The subjects of a report cannot be those of its shard.
    Damaged(String),
    /// This number of subjects is in no report, though each shard has one.
    Incomplete(usize),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there is no report"),
            Self::Whole(name) => write!(f, "{name} is about all classes, not about a shard"),
            Self::Differs(name, differences) => {
                write!(f, "{name} is a shard of something else:")?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
            }
            Self::Twice(shard, [one, other]) => write!(f, "{one} and {other} are both shard {shard}"),
            Self::Missing(count, names) => {
                let more = if (names.len() as u64) < *count { ", ..." } else { "" };
                let verb = if *count == 1 { "shard is" } else { "shards are" };
                write!(f, "{count} {verb} missing: {}{more}", names.join(", "))
            }
            Self::Damaged(name) => write!(f, "{name} is damaged: its subjects are not those of its shard"),
            Self::Incomplete(count) => {
                let verb = if *count == 1 { "subject is" } else { "subjects are" };
                write!(f, "the reports are damaged: {count} {verb} in none of them")
            }
        }
    }
}

impl std::error::Error for MergeError {}

/// Reads a report.
///
/// # Errors
/// A description of the mistake in the text.
pub fn parse(text: &str) -> Result<Report, String> {
    #[derive(Deserialize)]
    struct Head {
        version: Option<u32>,
    }
    let head: Head =
        serde_json::from_str(text).map_err(|error| format!("it is no report of `asercheck java`: {error}"))?;
    match head.version {
        Some(VERSION) => {
            serde_json::from_str(text).map_err(|error| format!("it is no report of `asercheck java`: {error}"))
        }
        Some(other) if other < VERSION => Err(format!(
            "it is a report of version {other}, and this program reads version {VERSION}: write it again with `asercheck java --format json`"
        )),
        Some(other) => Err(format!("it is a report of version {other}, and this program reads version {VERSION}")),
        None => Err("it is no report of `asercheck java`: it has no member `version`".to_string()),
    }
}

/// Unites the reports of all shards, each given with the name of its file.
///
/// # Errors
/// If they are not the reports of all shards of one run, each once.
pub fn merge(reports: Vec<(String, Report)>) -> Result<Report, MergeError> {
    let mut parts = Vec::new();
    for (name, mut report) in reports {
        let Some(shard) = report.shard.take() else { return Err(MergeError::Whole(name)) };
        parts.push(Part { name, shard, report });
    }
    let first = parts.first().ok_or(MergeError::Nothing)?;
    for part in &parts {
        let differences = part.differences(first);
        if !differences.is_empty() {
            return Err(MergeError::Differs(part.name.clone(), differences));
        }
    }
    each_once(&parts)?;
    parts.sort_by_key(|part| part.shard.part.index());
    unite(parts)
}

/// The report of a shard.
struct Part {
    name: String,
    shard: ShardPart,
    report: Report,
}

impl Part {
    /// Returns the data that must be the same in all shards, and differs.
    fn differences(&self, first: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, there: &dyn fmt::Display, wanted: &dyn fmt::Display| {
            let [there, wanted] = [there, wanted].map(ToString::to_string);
            if there != wanted {
                differences.push(format!("{what}: there {}, wanted {}", or_none(&there), or_none(&wanted)));
            }
        };
        let (own, other) = (&self.report, &first.report);
        compare("paths", &own.paths.join(" "), &other.paths.join(" "));
        compare("mode", &own.mode, &other.mode);
        compare("engine", &own.engine, &other.engine);
        compare("units", &own.units, &other.units);
        compare("shards", &self.shard.part.count(), &first.shard.part.count());
        let names: BTreeSet<&String> = self.shard.options.keys().chain(first.shard.options.keys()).collect();
        for name in names {
            let [there, wanted] = [self, first].map(|part| part.shard.options.get(name).map_or("", String::as_str));
            compare(name, &there, &wanted);
        }
        compare("number of classes", &own.summary.classes, &other.summary.classes);
        compare("number of subjects", &self.shard.of, &first.shard.of);
        if own.paths != other.paths && differences.is_empty() {
            differences.push("paths".to_string());
        }
        if own.skipped != other.skipped {
            differences.push("classes that are not looked at".to_string());
        }
        if own.problems != other.problems {
            differences.push("what could not be read".to_string());
        }
        differences
    }
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// Checks that each shard has one report.
fn each_once(parts: &[Part]) -> Result<(), MergeError> {
    let mut there: BTreeMap<u64, &Part> = BTreeMap::new();
    for part in parts {
        if let Some(other) = there.insert(part.shard.part.index(), part) {
            return Err(MergeError::Twice(part.shard.part, [other.name.clone(), part.name.clone()]));
        }
    }
    let count = parts[0].shard.part.count();
    let missing = count - there.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    let names = (1..=count).filter(|index| !there.contains_key(index)).take(NAMED);
    Err(MergeError::Missing(missing, names.map(|index| format!("{index}/{count}")).collect()))
}

/// Unites all shards of a run, which are given in their order.
fn unite(parts: Vec<Part>) -> Result<Report, MergeError> {
    let all = parts[0].shard.of;
    let (mut places, mut subjects, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for Part { name, shard, mut report } in parts {
        let own = std::mem::take(&mut report.subjects);
        let is_own = |subject: &SubjectReport| crate::stable_hash::has_class(shard.part, &subject.class);
        let fits = shard.places.len() == own.len() && own.iter().all(is_own);
        if !(fits && shard.places.iter().all(|place| *place < all && seen.insert(*place))) {
            return Err(MergeError::Damaged(name));
        }
        places.extend(shard.places);
        subjects.extend(own);
        reports.push(report);
    }
    if seen.len() != all {
        return Err(MergeError::Incomplete(all - seen.len()));
    }
    let mut united = reports.into_iter().reduce(both).ok_or(MergeError::Nothing)?;
    united.subjects = subjects;
    united.order(places);
    united.confirmed_first();
    // Each shard has run the tests for its own classes, so that no sum is the number of all.
    united.count_clients(None);
    Ok(united)
}

/// Unites two reports, except for their subjects.
fn both(one: Report, other: Report) -> Report {
    Report {
        summary: sum(one.summary, other.summary),
        ended: one.ended.or(other.ended),
        baseline: one.baseline.zip(other.baseline).map(|(one, other)| hidden(one, other)),
        ..one
    }
}

/// Unites the summaries of two shards, which have read the same classes.
fn sum(one: Summary, other: Summary) -> Summary {
    Summary {
        classes: one.classes,
        subjects: one.subjects.saturating_add(other.subjects),
        violated: one.violated.saturating_add(other.violated),
        proved: one.proved.saturating_add(other.proved),
        open: one.open.saturating_add(other.open),
        nothing_asked: one.nothing_asked.saturating_add(other.nothing_asked),
        unreached: one.unreached.saturating_add(other.unreached),
        timeouts: one.timeouts.saturating_add(other.timeouts),
        findings: one.findings.saturating_add(other.findings),
        // Counted after repeated findings are known.
        likely: 0,
        possible: 0,
        benign: 0,
        confirmed: 0,
        queries: one.queries.saturating_add(other.queries),
        subsumed: one.subsumed.saturating_add(other.subsumed),
        violation: one.violation.saturating_add(other.violation),
        unknown: one.unknown.saturating_add(other.unknown),
        seconds: one.seconds + other.seconds,
    }
}

/// Unites the comparisons of two shards with one baseline.
fn hidden(one: BaselineComparison, other: BaselineComparison) -> BaselineComparison {
    let mut gone = [one.gone, other.gone].concat();
    gone.sort_unstable();
    BaselineComparison { hidden: one.hidden.saturating_add(other.hidden), gone }
}
