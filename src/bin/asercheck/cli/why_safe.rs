//! Why safe queries are safe, for `check --explain`.
//!
//! Queries with one reason are told together. For locks, the model without them is decided again: the interleaving of a
//! query that is violated then is the one that they prevent. Locks that nobody needs, and sections that could end
//! earlier, are found by deciding all safe queries of the changed model.

use super::Failure;
use super::certificates::Subject;
use crate::report::{Sources, Steps, Style, View, witness_table};
use asercheck::certify::{Certificates, Unproved, Why};
use asercheck::claim::claim;
use asercheck::model::Model;
use asercheck::query::{Bindings, Query};
use asercheck::repair::{Deadlocks, Savings, savings, without_locks};
use asercheck::syntax::ast::Program;
use asercheck::witness::Witness;
use asercheck::{Options, Verdict, check_all};
use limits::Meter;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Greatest number of changed models that are decided to find savings.
const TRIES: usize = 300;

/// Greatest number of queries that are named for a reason.
const NAMED: usize = 3;

/// The reasons as text.
pub(crate) fn explained(
    subject: &Subject<'_>,
    options: &Options,
    (sources, style): (&Sources, Style),
) -> Result<String, Failure> {
    let Subject { program, units, asked, decided } = subject;
    let safe = decided.safe_ones();
    let mut certificates = Certificates::new(program, *units);
    let mut reasons: BTreeMap<Result<Why, String>, Vec<&Query>> = BTreeMap::new();
    for query in &safe {
        let meter = Meter::start(&options.limits.clone().with_since(None));
        let why = certificates.why(&claim(asked.model(), query), &meter).map_err(|error: Unproved| error.to_string());
        reasons.entry(why).or_default().push(query);
    }
    let mut text = String::new();
    for (why, queries) in &reasons {
        let _ = writeln!(text, "\n{}: {}", headline(why, asked.model(), queries), named(asked.model(), queries));
        let Ok(Why::Locks(sets)) = why else { continue };
        let locks: Vec<_> = sets.iter().flatten().cloned().collect();
        let without = if locks.len() == 1 { "this lock" } else { "these locks" };
        match changed_answer(program, &locks, queries, options)? {
            ChangedAnswer::Violated(query, witness) => {
                let _ = writeln!(text, "without {without}, this happens ({}):\n", query_words(asked.model(), query));
                text += &witness_table(&witness, &View { style, sources, steps: Steps::Folded });
            }
            ChangedAnswer::AllSafe => {
                let _ = writeln!(text, "without {without} all of this stays safe, for another reason");
            }
            ChangedAnswer::Open => {
                let _ = writeln!(text, "the model without {without} was not decided");
            }
        }
    }
    if !safe.is_empty() {
        text += &savings_text(program, &safe, options)?;
    }
    Ok(text)
}

fn headline(why: &Result<Why, String>, model: &Model, queries: &[&Query]) -> String {
    let thread = |thread: usize| {
        let names: BTreeSet<_> =
            queries.iter().map(|query| model.process(query.processes()[thread - 1]).name()).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    };
    match why {
        Ok(Why::Never { event }) => format!("safe, since no statement of the thread performs event {event}"),
        Ok(Why::NoPath { thread: number }) => {
            format!("safe without any lock, since thread {number} ({}) has no such path", thread(*number))
        }
        Ok(Why::Locks(sets)) => format!("safe by {}", alternatives(sets)),
        Ok(Why::Starts(locks)) if locks.is_empty() => "safe by the order of starts".into(),
        Ok(Why::Starts(locks)) => {
            format!("safe by the order of starts and {}", alternatives(std::slice::from_ref(locks)))
        }
        Err(reason) => format!("safe, but without a short reason ({reason})"),
    }
}

/// `` `a` or `b` ``, or `` `a` and `b` ``.
fn alternatives(sets: &[Vec<String>]) -> String {
    let set = |locks: &Vec<String>| locks.iter().map(|lock| format!("`{lock}`")).collect::<Vec<_>>().join(" and ");
    sets.iter().map(set).collect::<Vec<_>>().join(" or by ")
}

fn named(model: &Model, queries: &[&Query]) -> String {
    let mut words: Vec<_> = queries.iter().take(NAMED).map(|query| query_words(model, query)).collect();
    if queries.len() > NAMED {
        words.push(format!("and {} more queries", queries.len() - NAMED));
    }
    words.join("; ")
}

fn query_words(model: &Model, query: &Query) -> String {
    let property = query.property();
    let label = match property.pattern() {
        Some(pattern) => format!("pattern {}", pattern.number()),
        None => property.label().to_string(),
    };
    let locations = query.locations().iter().map(|id| model.location(*id).name());
    let objects: Vec<_> = locations.chain(query.locks().iter().map(|id| model.lock(*id).name())).collect();
    let processes: Vec<_> = query.processes().iter().map(|id| model.process(*id).name()).collect();
    format!("{label} of {} by {}", objects.join(", "), processes.join(", "))
}

/// The answer to some queries about a changed model.
enum ChangedAnswer<'q> {
    /// This query is violated.
    Violated(&'q Query, Witness),
    AllSafe,
    /// Some query was not decided, or the change makes no model.
    Open,
}

/// Asks the queries about the model without these locks.
fn changed_answer<'q>(
    program: &Program,
    locks: &[String],
    queries: &[&'q Query],
    options: &Options,
) -> Result<ChangedAnswer<'q>, Failure> {
    let Ok((model, _)) = Model::from_program(&without_locks(program, locks)) else { return Ok(ChangedAnswer::Open) };
    let asked: Option<Vec<_>> = queries.iter().map(|query| again(&model, query)).collect();
    let Some(asked) = asked else { return Ok(ChangedAnswer::Open) };
    let outcomes = check_all(&model, &asked, options, |_, _| {}).map_err(Failure::internal)?;
    let mut answer = ChangedAnswer::AllSafe;
    for (query, outcome) in queries.iter().zip(outcomes) {
        match outcome.verdict {
            Verdict::Violation(witness) => return Ok(ChangedAnswer::Violated(query, witness)),
            Verdict::Unknown(_) => answer = ChangedAnswer::Open,
            Verdict::Safe => {}
        }
    }
    Ok(answer)
}

/// The query about a changed model with the same declarations.
fn again(model: &Model, query: &Query) -> Option<Query> {
    let bindings = Bindings {
        locations: query.locations().to_vec(),
        locks: query.locks().to_vec(),
        processes: query.processes().to_vec(),
    };
    Query::new(model, query.property().clone(), bindings).ok()
}

fn savings_text(program: &Program, safe: &[Query], options: &Options) -> Result<String, Failure> {
    let deadlocks = |model: &Model| Deadlocks::of(model, options).map_err(Failure::internal);
    let before = match Model::from_program(program) {
        Ok((model, _)) => deadlocks(&model)?,
        Err(_) => Deadlocks::default(),
    };
    let is_as_good = |changed: &Program| -> Result<bool, Failure> {
        let Ok((model, _)) = Model::from_program(changed) else { return Ok(false) };
        let Some(queries) = safe.iter().map(|query| again(&model, query)).collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        let outcomes = check_all(&model, &queries, options, |_, _| {}).map_err(Failure::internal)?;
        Ok(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Safe) && deadlocks(&model)?.are_among(&before))
    };
    let Savings { unneeded, early_ends, is_cut } = savings(program, TRIES, is_as_good)?;
    let mut text = String::new();
    if !unneeded.is_empty() {
        let names: Vec<_> = unneeded.iter().map(|lock| format!("`{lock}`")).collect();
        let _ = writeln!(text, "\nno safe query needs {} (each by itself)", names.join(", "));
    }
    for end in &early_ends {
        let (section, from) = (end.section, end.from);
        let _ = writeln!(
            text,
            "the section of `{}` at {}:{}:{} could end before {}:{}",
            end.lock, end.body, section.line, section.column, from.line, from.column
        );
    }
    if is_cut {
        let _ = writeln!(text, "savings were searched in {TRIES} changed models only");
    }
    Ok(text)
}
