//! What is asked of the model of a subject, and what came of it.
//!
//! # On what an answer depends
//!
//! [`Question::answer`] gets a question, limits and a time to end, and nothing else: it reads no files and knows no
//! program, no arguments and no other subject. So an answer that no limit has cut short depends on the question and on
//! this program itself, and [`Question::key`] hashes both:
//!
//! - the model with its names, files and lines, the pairs of processes, the processes that are alike, entries,
//!   assumptions and what the names mean ([`Isolated`]);
//! - the class, which is part of fingerprints;
//! - the fields that are counters for statistics or caches, which is all that matters of the rest of the program where
//!   it is asked why a finding is perhaps harmless, and so, what is spared ([`Bookkeeping`]);
//! - the properties with their automata, which are different for each unit mode;
//! - the patterns of names of units and fields, what is spared and what is listed;
//! - the engine, reductions and bounds ([`Options`] without limits);
//! - the bytes of the program: another build may answer in other words, whatever its version.
//!
//! Values are hashed as their derived `Debug` writes them (see `hashed`): none of their members is forgotten.
//! [`Question`] and [`Common`] are taken apart member by member: one that is forgotten does not compile.
//!
//! Limits are not in the key: they leave something undecided, or they do not matter. Which of several interleavings is
//! shown may depend on them, as it may depend on how busy the machine is. Each is one that was replayed.

use super::matches::any_matches;
use crate::cli::hashed::Hashed;
use asercheck::answers::QueryRecord;
use asercheck::isolate::{Isolated, Meanings};
use asercheck::java_records::FindingRecord;
use asercheck::query::Property;
use asercheck::verdict::{Bookkeeping, Broken, Decided, Focus, Listed, Tear, decide_on, harmless, is_settled};
use asercheck::{Deadline, Error, Limits, Options, Reason};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

/// What is asked of all models of a run.
#[derive(Debug)]
pub(super) struct Common<'a> {
    pub(super) properties: &'a [Arc<Property>],
    /// Patterns of names of units, with or without their parameters; none for all.
    pub(super) units: &'a [String],
    /// Patterns of names of locations; none for all.
    pub(super) fields: &'a [String],
    pub(super) spares: bool,
    pub(super) listed: Listed,
    pub(super) options: Options,
}

/// What is asked of a model.
pub(super) struct Question<'a> {
    pub(super) common: &'a Common<'a>,
    pub(super) isolated: &'a Isolated,
    pub(super) class: &'a str,
    pub(super) bookkeeping: &'a Bookkeeping,
}

/// What came of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub(super) queries: usize,
    pub(super) spared: usize,
    pub(super) violations: usize,
    /// How many queries were not decided.
    pub(super) undecided: usize,
    /// The violations, in the order of the entries: of each unit, one on each set of locations.
    pub(super) findings: Vec<FindingRecord>,
    /// The units of which something was not decided, by their full names, and why.
    pub(super) open: Vec<(String, Reason)>,
    /// The queries one by one, if that is wanted.
    pub(super) records: Vec<QueryRecord>,
}

impl Answer {
    /// Whether nothing was left open. A run that is cancelled does not always say what is.
    pub(super) fn is_whole(&self) -> bool {
        self.undecided == 0 && self.open.is_empty()
    }
}

impl Question<'_> {
    /// Asks it, until this time.
    pub(super) fn answer(&self, limits: &Limits, until: Option<Deadline>) -> Result<Answer, Error> {
        let Self { common, isolated, class, bookkeeping } = self;
        let Common { properties, units, fields, spares, listed, options } = common;
        // A method may be named with or without its parameters.
        let is_unit = |name: &str| {
            let plain = name.split('(').next().unwrap_or(name);
            units.is_empty() || any_matches(units, name) || any_matches(units, plain)
        };
        let is_location = |name: &str| fields.is_empty() || any_matches(fields, name);
        let is_settled = |unit: &str, on: &BTreeSet<String>, tear: &Tear| is_settled(bookkeeping, unit, on, tear);
        let focus = Focus {
            is_unit: &is_unit,
            is_location: &is_location,
            is_settled: &is_settled,
            spares: *spares,
            listed: *listed,
            until,
        };
        let options = options.clone().with_limits(limits.clone());
        let decided = decide_on(isolated, properties, &focus, &options)?;
        Ok(told(decided, class, bookkeeping, &isolated.meanings))
    }

    /// The key of its answer; see the module.
    pub(super) fn key(&self, beginning: &KeyBeginning) -> String {
        let Self { common: _, isolated, class, bookkeeping } = self;
        let mut key = beginning.0.clone();
        key.add(class);
        key.add(bookkeeping);
        key.add(isolated);
        key.hexadecimal()
    }
}

/// What was decided, in full names.
fn told(decided: Decided, class: &str, bookkeeping: &Bookkeeping, meanings: &Meanings) -> Answer {
    let Decided { broken, queries, spared, violations, unknown, open, records } = decided;
    let of_unit = |Broken { unit, tears }: Broken| {
        let record = |(locations, tear): (BTreeSet<String>, Tear)| {
            let why = harmless(bookkeeping, &unit, &locations, &tear);
            FindingRecord::new(class, &unit, tear, meanings, why)
        };
        tears.into_iter().map(record).collect::<Vec<_>>()
    };
    Answer {
        queries,
        spared,
        violations,
        undecided: unknown.map_or(0, |(count, _)| count),
        findings: broken.into_iter().flat_map(of_unit).collect(),
        open: open.into_iter().map(|(unit, reason)| (meanings.unit(&unit).to_string(), reason)).collect(),
        records,
    }
}

/// What the keys of a run have in common.
#[derive(Clone)]
pub(super) struct KeyBeginning(Hashed);

impl KeyBeginning {
    /// Of a program with this hash.
    pub(super) fn new(program: &str, common: &Common<'_>) -> Self {
        let Common { properties, units, fields, spares, listed, options } = common;
        let options = options.clone().with_engine(options.engine.resolve()).with_limits(Limits::default());
        let mut beginning = Hashed::new();
        let values: [&dyn Debug; 7] = [&program, properties, units, fields, spares, listed, &options];
        values.iter().for_each(|value| beginning.add(value));
        Self(beginning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asercheck::isolate::{Facts, MethodMeaning};
    use asercheck::java::Program;
    use asercheck::model::{ProcessId, from_text};
    use asercheck::phases::UnitMode;
    use asercheck::{Cancellation, Clock, Engine, Reduction, Reductions};
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    const TEXT: &str = "lock l; shared x; process P { atomic { read x; write x; } } process Q { atomic { write x; } }";

    fn isolated(text: &str) -> Isolated {
        let [first, second] = [0, 1].map(ProcessId::new);
        Isolated {
            model: from_text("m.eml", text).expect("a model").model,
            pairs: vec![[first, second]],
            alike: Vec::new(),
            entries: vec![first],
            others: second,
            assumptions: BTreeSet::new(),
            partial: None,
            coarse: BTreeMap::new(),
            meanings: Meanings::default(),
        }
    }

    /// What is asked by default, with this changed.
    struct Asked {
        program: &'static str,
        properties: Vec<Arc<Property>>,
        units: Vec<String>,
        fields: Vec<String>,
        spares: bool,
        listed: Listed,
        options: Options,
        isolated: Isolated,
        class: &'static str,
        bookkeeping: Bookkeeping,
    }

    /// Those of a class with a counter for statistics.
    fn bookkeeping() -> Bookkeeping {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models/java/order/classes");
        let (program, _) = Program::load(&[folder.into()], &[], &asercheck::java::Limits::default());
        let class = program.find("order.Served").expect("the class");
        Bookkeeping::of(&program, &Facts::new(&program), class)
    }

    impl Asked {
        fn new() -> Self {
            Self {
                program: "this",
                properties: Property::all_patterns(UnitMode::Both),
                units: Vec::new(),
                fields: Vec::new(),
                spares: true,
                listed: Listed::None,
                options: Options::default(),
                isolated: isolated(TEXT),
                class: "Pool",
                bookkeeping: Bookkeeping::default(),
            }
        }

        fn key(&self) -> String {
            let Self { program, properties, units, fields, spares, listed, options, isolated, class, bookkeeping } =
                self;
            let (spares, listed, options) = (*spares, *listed, options.clone());
            let common = Common { properties, units, fields, spares, listed, options };
            let question = Question { common: &common, isolated, class, bookkeeping };
            question.key(&KeyBeginning::new(program, &common))
        }
    }

    fn changed(change: impl FnOnce(&mut Asked)) -> String {
        let mut asked = Asked::new();
        change(&mut asked);
        asked.key()
    }

    #[test]
    fn whatever_changes_an_answer_changes_the_key() {
        let text = |from: &str, to: &str| {
            let text = TEXT.replace(from, to);
            changed(move |asked| asked.isolated = isolated(&text))
        };
        let keys = [
            changed(|_| ()),
            text("write x; } } process Q", "read x; } } process Q"),
            text("lock l", "rwlock l"),
            text("lock l", "lock m"),
            text("process Q", "process R"),
            text("shared x", "\nshared x"),
            text("process P", "process P * 2"),
            changed(|asked| asked.isolated.pairs[0].reverse()),
            changed(|asked| asked.isolated.alike.push((ProcessId::new(1), ProcessId::new(0)))),
            changed(|asked| asked.isolated.entries.clear()),
            changed(|asked| asked.isolated.others = ProcessId::new(0)),
            changed(|asked| asked.isolated.assumptions.extend(["none".to_string()])),
            changed(|asked| drop(asked.isolated.meanings.units.insert("P".into(), "Pool.take()V".into()))),
            changed(|asked| drop(asked.isolated.meanings.processes.insert("P".into(), "Pool.take()V".into()))),
            changed(|asked| drop(asked.isolated.meanings.functions.insert("f".into(), MethodMeaning::default()))),
            changed(|asked| drop(asked.isolated.meanings.locations.insert("x".into(), "Pool.x".into()))),
            changed(|asked| asked.program = "another"),
            changed(|asked| drop(asked.properties.pop())),
            changed(|asked| asked.properties = Property::all_patterns(UnitMode::First)),
            changed(|asked| asked.properties.push(Arc::new(Property::race()))),
            changed(|asked| asked.units.push("P".into())),
            changed(|asked| asked.fields.push("P".into())),
            changed(|asked| asked.spares = false),
            changed(|asked| asked.listed = Listed::Violations),
            changed(|asked| asked.listed = Listed::All),
            changed(|asked| asked.options.engine = Engine::Symbolic),
            changed(|asked| asked.options.reductions = Reductions::all().without(Reduction::Steps)),
            changed(|asked| asked.options.longest_call = Some(5)),
            changed(|asked| asked.options.bounds.stack = 5),
            changed(|asked| asked.class = "Other"),
            changed(|asked| asked.bookkeeping = bookkeeping()),
        ];
        for (place, key) in keys.iter().enumerate() {
            assert!(!keys[..place].contains(key), "change {place} has the key of one before");
        }
    }

    #[test]
    fn limits_are_not_in_the_key() {
        let cancelled = Cancellation::default();
        cancelled.cancel();
        let limits = Limits::default().with_timeout(Duration::from_secs(1)).with_memory(1 << 30);
        let limits = limits.with_cancellation(cancelled).with_since(Instant::now()).with_clock(Clock::Thread);
        assert_eq!(changed(|asked| asked.options.limits = limits), Asked::new().key());
        assert_eq!(changed(|asked| asked.options.engine = Engine::Auto.resolve()), Asked::new().key());
    }
}
