//! The search for the lightest changes of a class.
//!
//! A state is a set of changes. Its model is decided; if a query is violated, the changes that may remove the witness
//! lead to further states. States are taken by the weight of their regions, then by the number of changes, then in the
//! order in which they were found. A lock that is held over more lines has more weight, so the first state without
//! violations and new deadlocks is the lightest of those that these changes reach.

use super::change::Change;
use super::choices::{Choice, Choices, without_parts};
use crate::deadlocks::Deadlocks;
use decide::query::Query;
use decide::witness::Witness;
use decide::{Error, Options, Verdict, check_all};
use eml::model::Model;
use isolate::Isolated;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// The bounds of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JavaBounds {
    /// The greatest number of changes of a repair.
    pub changes: usize,
    /// The greatest number of changed models that are decided.
    pub models: usize,
}

impl Default for JavaBounds {
    fn default() -> Self {
        Self { changes: 3, models: 40 }
    }
}

/// Changes after which the queries are safe and no deadlock is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaRepair {
    /// The changes, by method.
    pub changes: Vec<Change>,
    /// The number of queries, all of which were violated before and are safe now.
    pub queries: usize,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JavaRepairs {
    /// The lightest repair.
    pub repair: Option<JavaRepair>,
    /// The number of changed models that were decided.
    pub decided: usize,
    /// Whether all choices within the bounds were decided.
    pub is_complete: bool,
}

/// Searches the lightest repair of violated queries about the model of a Java class.
///
/// `new_lock` is the monitor that a method may hold although the model does not have it: `this` for the object of a
/// class, `Pool.class` for static fields.
///
/// # Errors
/// After an internal error of an engine.
pub fn java_repairs(
    isolated: &Isolated,
    violated: &[Query],
    new_lock: &str,
    options: &Options,
    bounds: JavaBounds,
) -> Result<JavaRepairs, Error> {
    let choices = Choices::of(isolated, new_lock);
    let mut search = Search {
        isolated,
        violated,
        options,
        bounds,
        choices,
        is_cut: false,
        seen: BTreeSet::from([Vec::new()]),
        open: BinaryHeap::new(),
    };
    let mut result = JavaRepairs { is_complete: true, ..JavaRepairs::default() };
    let Decided::Violated(witness) = search.decide(&isolated.model)? else { return Ok(result) };
    search.extend(&Vec::new(), &witness);
    let mut before = None;
    while let Some(Reverse((_, _, changes))) = search.open.pop() {
        if result.decided == bounds.models || options.limits.cancellation.is_cancelled() {
            search.is_cut = true;
            break;
        }
        let Some(changed) = search.changed(&changes) else { continue };
        result.decided += 1;
        match search.decide(&changed)? {
            Decided::Violated(witness) => search.extend(&changes, &witness),
            Decided::Open => search.is_cut = true,
            Decided::Safe => {
                let known = match &before {
                    Some(known) => known,
                    None => before.insert(Deadlocks::of(&isolated.model, options)?),
                };
                let after = Deadlocks::of(&changed, options)?;
                search.is_cut |= !after.are_decided();
                if after.are_among(known) {
                    result.repair = Some(JavaRepair { changes, queries: violated.len() });
                    break;
                }
            }
        }
    }
    result.is_complete = !search.is_cut;
    Ok(result)
}

/// The answer about a changed model.
enum Decided {
    Safe,
    Violated(Box<Witness>),
    Open,
}

struct Search<'a> {
    isolated: &'a Isolated,
    violated: &'a [Query],
    options: &'a Options,
    bounds: JavaBounds,
    choices: Choices<'a>,
    /// Whether some choices were left out.
    is_cut: bool,
    seen: BTreeSet<Choice>,
    /// The states to decide: weight, number of changes, changes.
    open: BinaryHeap<Reverse<(u64, usize, Choice)>>,
}

impl Search<'_> {
    /// Decides the queries about a model with the same ids.
    fn decide(&self, model: &Model) -> Result<Decided, Error> {
        let mut decided = Decided::Safe;
        for outcome in check_all(model, self.violated, self.options, |_, _| {})? {
            match outcome.verdict {
                Verdict::Safe => {}
                Verdict::Violation(witness) => return Ok(Decided::Violated(Box::new(witness))),
                Verdict::Unknown(_) => decided = Decided::Open,
            }
        }
        Ok(decided)
    }

    /// The model after changes, one after the other; none if that is no model.
    fn changed(&self, changes: &[Change]) -> Option<Model> {
        let mut model = Cow::Borrowed(&self.isolated.model);
        for change in changes {
            model = Cow::Owned(change.applied(&model, &self.choices.methods)?);
        }
        Some(model.into_owned())
    }

    /// Adds the states that further changes lead to.
    fn extend(&mut self, changes: &Choice, witness: &Witness) {
        let (more, is_cut) = self.choices.against(witness);
        self.is_cut |= is_cut;
        for choice in more {
            let all = without_parts(&[&changes[..], &choice].concat());
            if all.len() > self.bounds.changes || !self.seen.insert(all.clone()) {
                continue;
            }
            let weight = all.iter().fold(0, |sum: u64, change| sum.saturating_add(self.choices.weight(change)));
            self.open.push(Reverse((weight, all.len(), all)));
        }
    }
}
