//! The interfering calls that violate a unit, each with an interleaving.
//!
//! A query about a unit asks whether any other call violates it, and its witness shows one such call. Subsumption makes
//! the others unknown: `average()` is violated by `record()`, which is harmless, and by `reset()`, which makes it
//! divide by 0. For the violations that are shown, all interfering calls are searched: the same query is asked with the
//! process of each entry in the place of the process that runs any entry.
//!
//! **Invariant.** Each interference is a violation: the process of an entry runs a part of that of all entries, or is
//! equivalent to a part, and each witness is replayed. An entry that the process of all entries does not run (one that
//! runs only once, if the unit is that entry) is not asked.

use super::fault::held_throughout;
use decide::answers::QueryRecord;
use decide::query::{Bindings, Property, Query, Selection};
use decide::witness::Witness;
use decide::{Checker, Error, Options};
use eml::model::ProcessId;
use isolate::Isolated;
use limits::Deadline;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An interfering call that violates a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interference {
    /// The name of its process.
    pub by: String,
    /// An interleaving.
    pub witness: Witness,
    /// Whether the unit holds a lock throughout, so that the call is at fault.
    pub is_victim: bool,
}

/// A violation whose interfering calls are searched.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    /// The name of the process of the unit.
    pub unit: &'a str,
    /// The names of the locations.
    pub locations: &'a [String],
    /// The property.
    pub property: &'a Arc<Property>,
    /// The interfering call that is known.
    pub known: &'a str,
}

/// Maximal number of interfering calls that are asked about for one violation.
const CALLS: usize = 40;

/// Maximal number of queries for one model.
const QUERIES: usize = 400;

/// The other interfering calls of violations: for each violation, those that violate it, in the order of the entries.
/// Stops at the end of the time, or at a cancellation.
///
/// # Errors
/// If an engine is at fault.
pub fn interferers(
    isolated: &Isolated,
    sought: &[Sought<'_>],
    options: &Options,
    until: Option<Deadline>,
) -> Result<Vec<Vec<Interference>>, Error> {
    let mut left = QUERIES;
    let of_one = |one: &Sought<'_>| -> Vec<(ProcessId, Query)> {
        let mut queries = queries(isolated, one);
        queries.truncate(left.min(CALLS));
        left -= queries.len();
        queries
    };
    let asked: Vec<Vec<(ProcessId, Query)>> = sought.iter().map(of_one).collect();
    let all: Vec<Query> = asked.iter().flatten().map(|(_, query)| query.clone()).collect();
    let mut checker = Checker::new(&isolated.model, &all, options.clone());
    let is_over = || until.is_some_and(Deadline::is_over) || options.limits.cancellation.is_cancelled();
    let mut found = Vec::new();
    for queries in asked {
        let mut of_one = Vec::new();
        for (process, query) in queries {
            if is_over() {
                break;
            }
            let timeout = options.limits.timeout.into_iter().chain(until.map(Deadline::left)).min();
            let limits = options.limits.clone().with_since(None).with_timeout(timeout);
            let outcome = checker.check_within(&query, limits)?;
            let Some(witness) = QueryRecord::new(&isolated.model, &query, &outcome).witness else { continue };
            let is_victim = held_throughout(&witness).is_some();
            let by = isolated.model.process(process).name().to_string();
            of_one.push(Interference { by, witness, is_victim });
        }
        found.push(of_one);
    }
    Ok(found)
}

/// The queries about a violation with each other interfering call that may violate it.
fn queries(isolated: &Isolated, sought: &Sought<'_>) -> Vec<(ProcessId, Query)> {
    let Isolated { model, pairs, equivalent, entries, .. } = isolated;
    let Some(unit) = model.process_named(sought.unit) else { return Vec::new() };
    let asked = equivalent.iter().find(|(process, _)| *process == unit).map_or(unit, |(_, first)| *first);
    let Some([_, others]) = pairs.iter().find(|[process, _]| *process == asked) else { return Vec::new() };
    // The threads of a whole program are asked one by one.
    if entries.contains(others) {
        return Vec::new();
    }
    let locations: Option<Vec<_>> = sought.locations.iter().map(|name| model.location_named(name)).collect();
    let Some(locations) = locations else { return Vec::new() };
    let Ok(set) = Selection::default().ask(model, std::slice::from_ref(sought.property)) else { return Vec::new() };
    let graph = model.call_graph();
    let callees = |process: ProcessId| graph.callees(model.process(process).body()).iter().copied();
    let run: BTreeSet<_> = callees(*others).collect();
    // Of equivalent entries, the process of all entries runs one.
    let alike = |entry: ProcessId| equivalent.iter().find(|(process, _)| *process == entry).map(|(_, first)| *first);
    let is_run = |entry: &ProcessId| {
        let entries = [Some(*entry), alike(*entry)];
        entries.into_iter().flatten().any(|entry| callees(entry).all(|callee| run.contains(&callee)))
    };
    let query = |entry: ProcessId| {
        let bindings = Bindings { locations: locations.clone(), locks: Vec::new(), processes: vec![unit, entry] };
        Query::new(model, sought.property.clone(), bindings).ok().filter(|query| !set.is_trivial(query))
    };
    let is_new = |entry: &ProcessId| model.process(*entry).name() != sought.known;
    let possible = entries.iter().copied().filter(|entry| is_new(entry) && is_run(entry));
    possible.filter_map(|entry| Some((entry, query(entry)?))).collect()
}
