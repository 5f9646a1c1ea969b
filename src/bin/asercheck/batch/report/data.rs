//! The records of a batch as a table: a row for each query, a column for each engine.

use super::super::merge::Merged;
use super::super::record::{BatchRecord, QueryKey};
use asercheck::Reason;
use asercheck::answers::VerdictKind;

/// The answer of one engine to one query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) verdict: VerdictKind,
    pub(super) reason: Option<Reason>,
    pub(super) seconds: f64,
    pub(super) memory: Option<u64>,
}

impl Answer {
    pub(super) fn is_decided(&self) -> bool {
        self.verdict != VerdictKind::Unknown
    }
}

/// A query and the answers of the engines.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) key: QueryKey,
    /// By engine; none if there is no record.
    pub(super) answers: Vec<Option<Answer>>,
}

impl Row {
    /// Returns the verdict of the engines that decide it. They agree, or the user was warned.
    pub(super) fn verdict(&self) -> VerdictKind {
        let decided = self.answers.iter().flatten().find(|answer| answer.is_decided());
        decided.map_or(VerdictKind::Unknown, |answer| answer.verdict)
    }

    /// Whether an engine decides it.
    pub(super) fn is_decided_by(&self, engine: usize) -> bool {
        self.answers[engine].is_some_and(|answer| answer.is_decided())
    }
}

/// All records.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) engines: Vec<String>,
    /// Sorted.
    pub(super) rows: Vec<Row>,
    /// Seconds that each query may take.
    pub(super) timeout: Option<f64>,
}

impl Data {
    pub(super) fn new(batch: &Merged) -> Self {
        let engines = batch.header.engines.clone();
        let mut rows: Vec<Row> = Vec::new();
        // Sorted by query, so that the records of one are neighbours.
        for record in &batch.records {
            let key = record.key();
            if rows.last().is_none_or(|row| row.key != key) {
                rows.push(Row { key, answers: vec![None; engines.len()] });
            }
            let engine = engines.iter().position(|engine| *engine == record.engine);
            if let (Some(row), Some(engine)) = (rows.last_mut(), engine) {
                row.answers[engine] = Some(answer(record));
            }
        }
        Self { engines, rows, timeout: batch.header.timeout }
    }

    /// Returns all pairs of engines, each once, by their numbers.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let count = self.engines.len();
        (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second))).collect()
    }

    /// Returns the answers of an engine to all queries.
    pub(super) fn answers(&self, engine: usize) -> impl Iterator<Item = Answer> {
        self.rows.iter().filter_map(move |row| row.answers[engine])
    }
}

fn answer(record: &BatchRecord) -> Answer {
    let query = &record.query;
    Answer { verdict: query.verdict, reason: query.reason, seconds: query.seconds, memory: record.memory }
}
