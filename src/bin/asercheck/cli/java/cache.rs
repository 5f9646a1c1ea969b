//! `--cache`: the answers of earlier runs (see `answers`).
//!
//! The result of a whole run is kept by the hash of the program, of the options and of this build ([`Runs`]). If the
//! program has changed, answers about models that are still the same are found by the hashes of the identities of their
//! questions (see [`Question`]). Only complete answers are kept.

use crate::cli::Failure;
use crate::cli::answers::Answers;
use crate::cli::value_hash::ValueHash;
use asercheck::answers::QueryRecord;
use asercheck::audit::{
    Answer, AnswerStore, Common, Finding, Interference, Labels, Options, Question, RunStore, StoredRun,
};
use asercheck::java::Program;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// The first words of a file. They change when the form changes.
const FORM: &str = "asercheck java answer 3 ";

/// A folder with answers.
pub(super) struct Cache {
    pub(super) answers: Arc<Answers>,
    /// The hash of this program and of what all questions of the run have in common.
    beginning: ValueHash,
}

/// An answer, as a file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<Key, Findings, Interferences, Records> {
    key: Key,
    queries: usize,
    subsumed: usize,
    violations: usize,
    /// Each finding with its labels, which its JSON does not have.
    findings: Findings,
    interferences: Interferences,
    records: Records,
}

impl Cache {
    /// Opens a folder for the questions of a run. `this` is the hash of this program, which is part of all keys.
    pub(super) fn open(folder: &Path, this: &str, common: &Common<'_>) -> Result<Self, Failure> {
        let mut beginning = ValueHash::new();
        beginning.add(&this);
        // Writing into a hash does not fail.
        let _ = common.write_identity(&mut beginning);
        Ok(Self { answers: Arc::new(Answers::open(folder, FORM)?), beginning })
    }
}

impl AnswerStore for Cache {
    fn key(&self, question: &Question<'_>) -> String {
        let mut key = self.beginning.clone();
        // Writing into a hash does not fail.
        let _ = question.write_identity(&mut key);
        key.hexadecimal()
    }

    fn get(&self, key: &str) -> Option<Answer> {
        self.answers.get(key, |body| parse(body, key))
    }

    fn keep(&self, key: &str, answer: &Answer) {
        debug_assert!(answer.is_whole());
        self.answers.keep(key, text(key, answer));
    }
}

/// Returns the text of an answer.
fn text(key: &str, answer: &Answer) -> serde_json::Result<String> {
    let Answer { queries, subsumed, violations, undecided: _, findings, interferences, undecided_units: _, records } =
        answer;
    let findings: Vec<_> = findings.iter().map(|finding| (finding, &finding.labels)).collect();
    let (queries, subsumed, violations) = (*queries, *subsumed, *violations);
    serde_json::to_string(&Stored { key, queries, subsumed, violations, findings, interferences, records })
}

/// An answer as it is read.
type Parsed = Stored<String, Vec<(Finding, Labels)>, Vec<(usize, Interference)>, Vec<QueryRecord>>;

/// Reads an answer that was kept under a key.
fn parse(text: &str, key: &str) -> Option<Answer> {
    let stored: Parsed = serde_json::from_str(text).ok()?;
    let Stored { key: own, queries, subsumed, violations, findings, interferences, records } = stored;
    let findings = findings.into_iter().map(|(finding, labels)| Finding { labels, ..finding }).collect();
    let (undecided, undecided_units) = (0, Vec::new());
    let answer = Answer { queries, subsumed, violations, undecided, findings, interferences, undecided_units, records };
    // A place that no finding has is damage.
    let fits = answer.interferences.iter().all(|(place, _)| *place < answer.findings.len());
    (own == key && fits).then_some(answer)
}

/// The result of an earlier run with the same identity.
pub(super) struct Runs {
    answers: Arc<Answers>,
    key: String,
}

/// The result of a run, as a file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<Key, Run> {
    key: Key,
    run: Run,
}

impl Runs {
    /// The result of a run in the folder of its answers.
    pub(super) fn new(cache: &Cache, program: &Program, options: &Options) -> Self {
        let mut key = cache.beginning.clone();
        key.add(&("run", program.contents()));
        // Writing into a hash does not fail.
        let _ = options.write_identity(&mut key);
        Self { answers: cache.answers.clone(), key: key.hexadecimal() }
    }

    fn parse(&self, text: &str) -> Option<StoredRun> {
        let Kept { key, run }: Kept<String, StoredRun> = serde_json::from_str(text).ok()?;
        (key == self.key).then_some(run)
    }
}

impl RunStore for Runs {
    fn get(&self) -> Option<StoredRun> {
        self.answers.get(&self.key, |body| self.parse(body))
    }

    fn keep(&self, run: &StoredRun) {
        let text = |run: &StoredRun| serde_json::to_string(&Kept { key: &self.key, run });
        let (text, again) = (text(run), |first: &str| self.parse(first).and_then(|read| text(&read).ok()));
        // A number may not have the same bits after it was read. Such a run is not kept.
        if text.as_ref().is_ok_and(|text| again(text).as_ref() == Some(text)) {
            self.answers.keep(&self.key, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_its_key() {
        let answer = Answer { queries: 7, subsumed: 2, violations: 1, ..Answer::default() };
        let text = text("ab", &answer).expect("JSON");
        assert_eq!(parse(&text, "ab"), Some(answer));
        assert_eq!(parse(&text, "ac"), None, "another question");
    }
}
