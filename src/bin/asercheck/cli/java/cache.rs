//! `--cache`: what was decided of classes in earlier runs (see `answers`), by the keys of `question`. Only answers are
//! kept of which nothing is open.

use super::question::{Answer, KeyBeginning};
use crate::cli::Failure;
use crate::cli::answers::Answers;
use asercheck::answers::QueryRecord;
use asercheck::java_records::{FindingRecord, Labels};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How files begin. It is changed when their form is.
const FORM: &str = "asercheck java answer 1 ";

/// A folder with answers.
pub(super) struct Cache {
    pub(super) answers: Answers,
    beginning: KeyBeginning,
}

/// An answer in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<Key, Findings, Records> {
    key: Key,
    queries: usize,
    spared: usize,
    violations: usize,
    /// Each with its labels, which its own JSON does not have.
    findings: Findings,
    records: Records,
}

impl Cache {
    /// Opens a folder for questions whose keys begin so.
    pub(super) fn open(folder: &Path, beginning: KeyBeginning) -> Result<Self, Failure> {
        Ok(Self { answers: Answers::open(folder, FORM)?, beginning })
    }

    /// What the keys of this run have in common.
    pub(super) fn beginning(&self) -> &KeyBeginning {
        &self.beginning
    }

    /// The answer under a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<Answer> {
        self.answers.get(key, |body| parse(body, key))
    }

    /// Keeps an answer of which nothing is open.
    pub(super) fn keep(&self, key: &str, answer: &Answer) {
        debug_assert!(answer.is_whole());
        self.answers.keep(key, text(key, answer));
    }
}

/// The text of an answer.
fn text(key: &str, answer: &Answer) -> serde_json::Result<String> {
    let Answer { queries, spared, violations, undecided: _, findings, open: _, records } = answer;
    let findings: Vec<_> = findings.iter().map(|finding| (finding, &finding.labels)).collect();
    let (queries, spared, violations) = (*queries, *spared, *violations);
    serde_json::to_string(&Stored { key, queries, spared, violations, findings, records })
}

/// The answer of a text that was kept under this key.
fn parse(text: &str, key: &str) -> Option<Answer> {
    let stored: Stored<String, Vec<(FindingRecord, Labels)>, Vec<QueryRecord>> = serde_json::from_str(text).ok()?;
    let Stored { key: own, queries, spared, violations, findings, records } = stored;
    let findings = findings.into_iter().map(|(finding, labels)| FindingRecord { labels, ..finding }).collect();
    let answer = Answer { queries, spared, violations, undecided: 0, findings, open: Vec::new(), records };
    (own == key).then_some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_that_of_its_key() {
        let answer = Answer { queries: 7, spared: 2, violations: 1, ..Answer::default() };
        let text = text("ab", &answer).expect("JSON");
        assert_eq!(parse(&text, "ab"), Some(answer));
        assert_eq!(parse(&text, "ac"), None, "another question");
    }
}
