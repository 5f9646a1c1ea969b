//! Tables as CSV, for other programs.

use super::super::record::QueryKey;
use super::data::Data;
use super::success::Success;
use super::totals::Totals;
use csv::{Error, IntoInnerError, Writer};

/// A file of comma-separated values.
pub(super) struct Sheet {
    /// The file's name without its ending.
    pub(super) name: &'static str,
    rows: fn(&Data) -> Vec<Vec<String>>,
}

/// All files.
pub(super) const ALL: [Sheet; 3] = [
    Sheet { name: "queries", rows: queries },
    Sheet { name: "totals", rows: totals },
    Sheet { name: "pairs", rows: pairs },
];

impl Sheet {
    /// Returns the text.
    pub(super) fn text(&self, data: &Data) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::from_writer(Vec::new());
        (self.rows)(data).iter().try_for_each(|row| writer.write_record(row))?;
        writer.into_inner().map_err(IntoInnerError::into_error).map_err(Error::from)
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

/// Returns a line for each query, with the verdict, the seconds and the bytes of each engine.
fn queries(data: &Data) -> Vec<Vec<String>> {
    let mut header = words(&["model", "units", "automaton", "locations", "locks", "processes"]);
    for engine in &data.engines {
        header.extend(["verdict", "seconds", "memory"].map(|what| format!("{engine} {what}")));
    }
    let line = |row: &super::data::Row| {
        let QueryKey { model, units, automaton, locations, locks, processes } = row.key.clone();
        let mut line = vec![model, units, automaton, locations.join(" "), locks.join(" "), processes.join(" ")];
        for answer in &row.answers {
            let verdict = answer.map(|answer| match answer.reason {
                Some(reason) if reason.is_unsupported() => "unsupported".to_string(),
                Some(reason) => reason.to_string(),
                None => format!("{:?}", answer.verdict).to_lowercase(),
            });
            let seconds = answer.map(|answer| answer.seconds.to_string());
            let memory = answer.and_then(|answer| answer.memory).map(|memory| memory.to_string());
            line.extend([verdict, seconds, memory].map(Option::unwrap_or_default));
        }
        line
    };
    [header].into_iter().chain(data.rows.iter().map(line)).collect()
}

/// Returns a line for each engine.
fn totals(data: &Data) -> Vec<Vec<String>> {
    let header = ["engine", "queries", "safe", "violation", "timeout", "memory", "other", "seconds", "longest", "peak"];
    let line = |(engine, name): (usize, &String)| {
        let own = Totals::new(data, engine, None);
        let counts = [own.queries, own.safe, own.violation, own.timeout, own.memory, own.other];
        let mut line = vec![name.clone()];
        line.extend(counts.map(|count| count.to_string()));
        line.extend([own.seconds, own.longest].map(|seconds| seconds.to_string()));
        line.push(own.peak.map(|peak| peak.to_string()).unwrap_or_default());
        line
    };
    [words(&header)].into_iter().chain(data.engines.iter().enumerate().map(line)).collect()
}

/// Returns a line for each pair of engines and each subset of it that succeeded.
fn pairs(data: &Data) -> Vec<Vec<String>> {
    let mut lines = vec![words(&["first", "second", "succeeded", "queries", "first seconds", "second seconds"])];
    for (first, second) in data.pairs() {
        let pair = Success::new(data, vec![first, second]);
        for category in &pair.categories {
            let mut line = vec![data.engines[first].clone(), data.engines[second].clone()];
            line.extend([pair.names(data, category).join(" "), category.queries.to_string()]);
            line.extend(category.seconds.iter().map(f64::to_string));
            lines.push(line);
        }
    }
    lines
}
