//! The queries about one model of a subject, and their answers.
//!
//! # The identity of a question
//!
//! [`Question::answer`] depends on the question, the limits and the time to end, and on nothing else: it reads no files
//! and depends on no program, no arguments and no other subject. So an answer that no limit has cut short is a function
//! of the question and of the version of this code. [`Question::write_identity`] writes all parts of a question:
//!
//! - the model with its names, files and lines, the pairs of processes, the equivalent processes, entries, assumptions
//!   and the meanings of names ([`Isolated`]);
//! - the class, which is part of fingerprints;
//! - the fields that are counters for statistics or caches ([`Bookkeeping`]): the only facts about the rest of the
//!   program on which benign reasons, and thus subsumption, depend;
//! - the properties with their automata, which are different for each unit mode;
//! - the name patterns of units and fields, whether queries may be subsumed, and which are listed;
//! - the engine, reductions and bounds ([`Options`] without limits).
//!
//! Values are written by their derived `Debug`, which omits no member. [`Question`] and [`Common`] are destructured, so
//! a new member that is not written does not compile.
//!
//! Limits are not part of the identity: an answer that they affect is incomplete, and not stored. Only the choice among
//! several interleavings may depend on them, as on the load of the machine. Each interleaving was replayed.

use crate::name_pattern::any_matches;
use crate::report::{Fault, Finding, distance, groups};
use crate::violations::{
    Bookkeeping, Focus, Interference, Listed, LocationViolations, Sought, UnitAnswers, ViolatedUnit, benign_reason,
    decide_units, interferers, is_settled,
};
use decide::answers::QueryRecord;
use decide::query::Property;
use decide::{Error, Options, Reason};
use isolate::{Isolated, Meanings};
use limits::{Deadline, Limits};
use std::collections::BTreeSet;
use std::fmt::{self, Debug, Write};
use std::sync::Arc;

/// The common part of all questions of a run.
#[derive(Debug)]
pub struct Common<'a> {
    /// The properties.
    pub properties: &'a [Arc<Property>],
    /// Name patterns of units, with or without parameters; none for all.
    pub units: &'a [String],
    /// Name patterns of locations; none for all.
    pub fields: &'a [String],
    /// Whether queries may be subsumed.
    pub subsumption: bool,
    /// The queries that are listed one by one.
    pub listed: Listed,
    /// The engine, its reductions and bounds; the limits in it are not used.
    pub options: Options,
}

/// The queries about a model.
pub struct Question<'a> {
    /// The part that all questions of a run have in common.
    pub common: &'a Common<'a>,
    /// The model.
    pub isolated: &'a Isolated,
    /// The name of the class in fingerprints.
    pub class: &'a str,
    /// The fields that are counters or caches.
    pub bookkeeping: &'a Bookkeeping,
    /// Whether the model has only the steps that the code shows, so that only violations are wanted.
    pub is_firm: bool,
    /// Whether only a proof is wanted, so that nothing is asked after an undecided query.
    pub is_proof: bool,
}

/// The answers about a model, with full names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Number of decided queries.
    pub queries: usize,
    /// Number of subsumed queries.
    pub subsumed: usize,
    /// Number of violated queries.
    pub violations: usize,
    /// Number of undecided queries.
    pub undecided: usize,
    /// The violations in the order of the entries, one finding for each unit and set of locations.
    pub findings: Vec<Finding>,
    /// Other interfering calls of findings, each with the number of the finding: those of the violations that show a
    /// cause.
    pub interferences: Vec<(usize, Interference)>,
    /// The undecided units by their full names, with the reason.
    pub undecided_units: Vec<(String, Reason)>,
    /// The listed queries.
    pub records: Vec<QueryRecord>,
}

/// Number of violations of a cause whose interfering calls are searched.
const SHOWN: usize = 3;

impl Answer {
    /// Whether all queries are decided. After a cancellation an answer may be incomplete without an undecided query.
    pub fn is_whole(&self) -> bool {
        self.undecided == 0 && self.undecided_units.is_empty()
    }
}

/// A store of answers of earlier runs, by the identity of their questions.
pub trait AnswerStore: Send + Sync {
    /// The key of a question; questions with different identities have different keys.
    fn key(&self, question: &Question<'_>) -> String;
    /// The stored answer of a key.
    fn get(&self, key: &str) -> Option<Answer>;
    /// Stores a complete answer.
    fn keep(&self, key: &str, answer: &Answer);
}

impl Question<'_> {
    /// Decides the queries until this time.
    ///
    /// # Errors
    /// If an engine is at fault.
    pub fn answer(&self, limits: &Limits, until: Option<Deadline>) -> Result<Answer, Error> {
        let Self { common, isolated, class, bookkeeping, is_firm, is_proof } = self;
        let Common { properties, units, fields, subsumption, listed, options } = common;
        // A method may be named with or without its parameters.
        let is_unit = |name: &str| {
            let plain = name.split('(').next().unwrap_or(name);
            units.is_empty() || any_matches(units, name) || any_matches(units, plain)
        };
        let is_location = |name: &str| fields.is_empty() || any_matches(fields, name);
        let is_settled = |unit: &str, on: &BTreeSet<String>, violations: &LocationViolations| {
            is_settled(bookkeeping, unit, on, violations)
        };
        let focus = Focus {
            is_unit: &is_unit,
            is_location: &is_location,
            is_settled: &is_settled,
            subsumption: *subsumption,
            listed: *listed,
            needs_all: *is_proof,
            until,
        };
        let options = options.clone().with_limits(limits.clone()).with_violations_only(*is_firm);
        let decided = decide_units(isolated, properties, &focus, &options)?;
        let mut answer = with_full_names(decided, class, bookkeeping, &isolated.meanings);
        answer.interferences = self.interferences(&answer.findings, &options, until)?;
        Ok(answer)
    }

    /// The other interfering calls of the violations that may show a cause: of each cause, the violations whose unit is
    /// nearest to the torn section. If the interfering call is at fault, another one has another cause.
    fn interferences(
        &self,
        findings: &[Finding],
        options: &Options,
        until: Option<Deadline>,
    ) -> Result<Vec<(usize, Interference)>, Error> {
        let mut shown: Vec<usize> = Vec::new();
        let numbered: Vec<(usize, &Finding)> = findings.iter().enumerate().collect();
        for mut cause in groups(numbered, |(_, finding)| finding.cause.section()) {
            cause.retain(|(_, finding)| finding.at_fault == Fault::Unit);
            cause.sort_by(|(_, a), (_, b)| distance(a).cmp(&distance(b)).then(b.rank.total_cmp(&a.rank)));
            shown.extend(cause.into_iter().map(|(number, _)| number).take(SHOWN));
        }
        let property = |finding: &Finding| {
            let mut properties = self.common.properties.iter();
            properties.find(|property| property.pattern().is_some() && property.label() == finding.labels.shown)
        };
        shown.retain(|place| property(&findings[*place]).is_some());
        let sought = |place: &usize| {
            let labels = &findings[*place].labels;
            let property = property(&findings[*place])?;
            Some(Sought { unit: &labels.unit, locations: &labels.locations, property, known: &labels.by })
        };
        let sought: Vec<Sought<'_>> = shown.iter().filter_map(sought).collect();
        if sought.is_empty() {
            return Ok(Vec::new());
        }
        let found = interferers(self.isolated, &sought, options, until)?;
        let numbered = shown.into_iter().zip(found);
        Ok(numbered.flat_map(|(place, calls)| calls.into_iter().map(move |call| (place, call))).collect())
    }

    /// Writes the identity of the question without that of [`Common`]; see the module.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write_identity(&self, out: &mut dyn Write) -> fmt::Result {
        let Self { common: _, isolated, class, bookkeeping, is_firm, is_proof } = self;
        let values: [&dyn Debug; 5] = [class, bookkeeping, isolated, is_firm, is_proof];
        values.iter().try_for_each(|value| writeln!(out, "{value:?}"))
    }
}

impl Common<'_> {
    /// Writes the common part of the identities of all questions of a run; see the module.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write_identity(&self, out: &mut dyn Write) -> fmt::Result {
        let Self { properties, units, fields, subsumption, listed, options } = self;
        let options = options.clone().with_engine(options.engine.resolve()).with_limits(Limits::default());
        let values: [&dyn Debug; 6] = [properties, units, fields, subsumption, listed, &options];
        values.iter().try_for_each(|value| writeln!(out, "{value:?}"))
    }
}

/// Replaces the names of the model by full names.
fn with_full_names(decided: UnitAnswers, class: &str, bookkeeping: &Bookkeeping, meanings: &Meanings) -> Answer {
    let UnitAnswers { violated, queries, subsumed, violations, unknown, undecided_units, records } = decided;
    let of_unit = |ViolatedUnit { unit, by_locations }: ViolatedUnit| {
        let record = |(locations, violations): (BTreeSet<String>, LocationViolations)| {
            let why = benign_reason(bookkeeping, &unit, &locations, &violations);
            Finding::new(class, &unit, violations, meanings, why)
        };
        by_locations.into_iter().map(record).collect::<Vec<_>>()
    };
    Answer {
        queries,
        subsumed,
        violations,
        undecided: unknown.map_or(0, |(count, _)| count),
        findings: violated.into_iter().flat_map(of_unit).collect(),
        interferences: Vec::new(),
        undecided_units: undecided_units
            .into_iter()
            .map(|(unit, reason)| (meanings.unit(&unit).to_string(), reason))
            .collect(),
        records,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use decide::{Engine, Reduction, Reductions};
    use eml::model::{ProcessId, from_text};
    use isolate::{Facts, MethodMeaning};
    use java::Program;
    use limits::{Cancellation, Clock};
    use phases::UnitMode;
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    const TEXT: &str = "lock l; shared x; process P { atomic { read x; write x; } } process Q { atomic { write x; } }";

    fn isolated(text: &str) -> Isolated {
        let [first, second] = [0, 1].map(ProcessId::new);
        Isolated {
            model: from_text("m.eml", text).expect("a model").model,
            pairs: vec![[first, second]],
            equivalent: Vec::new(),
            entries: vec![first],
            others: second,
            assumptions: BTreeSet::new(),
            partial: None,
            coarse: BTreeMap::new(),
            meanings: Meanings::default(),
            covered: None,
        }
    }

    /// The parts of a question, by default and then changed.
    struct Asked {
        properties: Vec<Arc<Property>>,
        units: Vec<String>,
        fields: Vec<String>,
        subsumption: bool,
        listed: Listed,
        options: Options,
        isolated: Isolated,
        class: &'static str,
        bookkeeping: Bookkeeping,
    }

    /// The bookkeeping of a class with a counter for statistics.
    fn bookkeeping() -> Bookkeeping {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/java/order/classes");
        let (program, _) = Program::load(&[folder.into()], &[], &java::Limits::default());
        let class = program.find("order.Served").expect("the class");
        Bookkeeping::of(&program, &Facts::new(&program), class)
    }

    impl Asked {
        fn new() -> Self {
            Self {
                properties: Property::all_patterns(UnitMode::Both),
                units: Vec::new(),
                fields: Vec::new(),
                subsumption: true,
                listed: Listed::None,
                options: Options::default(),
                isolated: isolated(TEXT),
                class: "Pool",
                bookkeeping: Bookkeeping::default(),
            }
        }

        fn identity(&self) -> String {
            let Self { properties, units, fields, subsumption, listed, options, isolated, class, bookkeeping } = self;
            let (subsumption, listed, options) = (*subsumption, *listed, options.clone());
            let common = Common { properties, units, fields, subsumption, listed, options };
            let question = Question { common: &common, isolated, class, bookkeeping, is_firm: false, is_proof: false };
            let mut identity = String::new();
            common.write_identity(&mut identity).expect("a text");
            question.write_identity(&mut identity).expect("a text");
            identity
        }
    }

    fn changed(change: impl FnOnce(&mut Asked)) -> String {
        let mut asked = Asked::new();
        change(&mut asked);
        asked.identity()
    }

    #[test]
    fn whatever_changes_an_answer_changes_the_identity() {
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
            changed(|asked| asked.isolated.equivalent.push((ProcessId::new(1), ProcessId::new(0)))),
            changed(|asked| asked.isolated.entries.clear()),
            changed(|asked| asked.isolated.others = ProcessId::new(0)),
            changed(|asked| asked.isolated.assumptions.extend(["none".to_string()])),
            changed(|asked| drop(asked.isolated.meanings.units.insert("P".into(), "Pool.take()V".into()))),
            changed(|asked| drop(asked.isolated.meanings.processes.insert("P".into(), "Pool.take()V".into()))),
            changed(|asked| drop(asked.isolated.meanings.functions.insert("f".into(), MethodMeaning::default()))),
            changed(|asked| drop(asked.isolated.meanings.locations.insert("x".into(), "Pool.x".into()))),
            changed(|asked| drop(asked.properties.pop())),
            changed(|asked| asked.properties = Property::all_patterns(UnitMode::First)),
            changed(|asked| asked.properties.push(Arc::new(Property::race()))),
            changed(|asked| asked.units.push("P".into())),
            changed(|asked| asked.fields.push("P".into())),
            changed(|asked| asked.subsumption = false),
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
            assert!(!keys[..place].contains(key), "change {place} has the identity of one before");
        }
    }

    #[test]
    fn limits_are_not_in_the_identity() {
        let cancelled = Cancellation::default();
        cancelled.cancel();
        let limits = Limits::default().with_timeout(Duration::from_secs(1)).with_memory(1 << 30);
        let limits = limits.with_cancellation(cancelled).with_since(Instant::now()).with_clock(Clock::Thread);
        assert_eq!(changed(|asked| asked.options.limits = limits), Asked::new().identity());
        assert_eq!(changed(|asked| asked.options.engine = Engine::Auto.resolve()), Asked::new().identity());
    }
}
