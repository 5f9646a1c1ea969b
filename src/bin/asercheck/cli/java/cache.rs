//! `--cache`: the answers of earlier runs (see `answers`).
//!
//! The result of a whole run is kept by the hash of the program, of the options and of this build ([`Runs`]). If the
//! program has changed, answers about models that are still the same are found by the hashes of the identities of their
//! questions (see [`Question`]). Only complete answers are kept.

use crate::cli::Failure;
use crate::cli::answers::{Answers, hash_of_program};
use crate::cli::arguments::CacheArguments;
use crate::cli::value_hash::ValueHash;
use asercheck::Cancellation;
use asercheck::answers::QueryRecord;
use asercheck::audit::{
    Answer, AnswerStore, Common, Finding, Head, Interference, Labels, Options, Question, RunStore, StoredRun,
    StoredSubject,
};
use asercheck::java::Program;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::sync::Arc;

/// The first words of a file. They change when the form changes.
const FORM: &str = "asercheck java answer 3 ";

/// The answers of a cache.
pub(super) struct Cache {
    pub(super) answers: Arc<Answers>,
    /// The hash of this program and of what all questions of the run have in common.
    beginning: ValueHash,
    /// The hash of this program.
    build: String,
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
    /// Opens the cache that the arguments name, for the questions of a run.
    pub(super) fn open(
        arguments: &CacheArguments,
        common: &Common<'_>,
        cancellation: &Cancellation,
    ) -> Result<Option<Self>, Failure> {
        let Some((place, usage)) = arguments.place() else { return Ok(None) };
        let (mut beginning, build) = (ValueHash::new(), hash_of_program()?);
        // The same question may have another answer for another build of this program.
        beginning.add(&build);
        // Writing into a hash does not fail.
        let _ = common.write_identity(&mut beginning);
        Ok(Some(Self { answers: Arc::new(Answers::open(place, usage, FORM, cancellation)?), beginning, build }))
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

/// A part of a run or all of it, as a text has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<Key, Part> {
    key: Key,
    run: Part,
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

    /// The key of the whole run.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// The key of a part of the run.
    fn key_of(&self, part: &dyn Debug) -> String {
        let mut key = ValueHash::new();
        key.add(&(&self.key, part));
        key.hexadecimal()
    }
}

impl RunStore for Runs {
    fn get(&self) -> Option<StoredRun> {
        part(&self.answers, &self.key)
    }

    fn keep(&self, run: &StoredRun) {
        keep_part(&self.answers, &self.key, run);
    }
}

/// The parts of a run that several processes share.
impl Cache {
    /// The hash of this program.
    pub(super) fn build(&self) -> &str {
        &self.build
    }

    /// The data of a run that no subject has.
    pub(super) fn head(&self, runs: &Runs) -> Option<Head> {
        part(&self.answers, &runs.key_of(&"head"))
    }

    pub(super) fn keep_head(&self, runs: &Runs, head: &Head) -> bool {
        keep_part(&self.answers, &runs.key_of(&"head"), head)
    }

    /// The subject at a place.
    pub(super) fn subject(&self, runs: &Runs, place: usize) -> Option<StoredSubject> {
        part(&self.answers, &runs.key_of(&place))
    }

    pub(super) fn keep_subject(&self, runs: &Runs, place: usize, subject: &StoredSubject) -> bool {
        keep_part(&self.answers, &runs.key_of(&place), subject)
    }
}

fn part<Part: DeserializeOwned>(answers: &Answers, key: &str) -> Option<Part> {
    answers.get(key, |text| {
        let Kept { key: own, run }: Kept<String, Part> = serde_json::from_str(text).ok()?;
        (own == key).then_some(run)
    })
}

/// Numbers have the same bits after they were read (feature `float_roundtrip` of `serde_json`).
fn keep_part(answers: &Answers, key: &str, run: &impl Serialize) -> bool {
    answers.keep(key, serde_json::to_string(&Kept { key, run }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_same_bits_after_reading() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits >> 12 | 0x3fe0_0000_0000_0000) - 0.5;
            let text = serde_json::to_string(&number).expect("JSON");
            let read: f64 = serde_json::from_str(&text).expect("a number");
            assert_eq!(read.to_bits(), number.to_bits(), "{text}");
        }
    }

    #[test]
    fn an_answer_belongs_to_its_key() {
        let answer = Answer { queries: 7, subsumed: 2, violations: 1, ..Answer::default() };
        let text = text("ab", &answer).expect("JSON");
        assert_eq!(parse(&text, "ab"), Some(answer));
        assert_eq!(parse(&text, "ac"), None, "another question");
    }
}
