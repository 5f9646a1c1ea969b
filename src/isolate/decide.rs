//! What is asked of the model of one object, and what came of it.

use super::model::Isolated;
use crate::check::{Error, Outcome, Reason, Verdict};
use crate::check_all::check_each;
use crate::options::Options;
use crate::query::{Property, Query, Selection};
use crate::witness::{Action, Witness};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A unit of work that can be broken.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The entry, as its process is named: `this.addAll(Collection)`.
    pub unit: String,
    /// The locations of the object that are concerned.
    pub locations: BTreeSet<String>,
    /// The methods that break in.
    pub breakers: BTreeSet<String>,
    /// The numbers of the patterns.
    pub patterns: BTreeSet<usize>,
    /// The shortest of the witnesses.
    pub witness: Witness,
}

/// What came of a subject.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// The units that can be broken, in the order of the entries.
    pub broken: Vec<Broken>,
    /// How many queries there were, without those that nothing in the model can violate.
    pub queries: usize,
    /// How many were not decided, and why the first one was not.
    pub unknown: Option<(usize, Reason)>,
}

/// Asks of each entry whether any method can break it.
///
/// # Errors
/// If the program is at fault.
pub fn decide(isolated: &Isolated, properties: &[Arc<Property>], options: &Options) -> Result<Decided, Error> {
    let Isolated { model, entries, others, .. } = isolated;
    let mut decided = Decided::default();
    for entry in entries {
        let processes = [*entry, *others].map(|process| model.process(process).name().to_string());
        let selection = Selection { processes: Some(processes.to_vec()), ..Selection::default() };
        // Only automata about two threads bind to two processes.
        let Ok(asked) = selection.ask(model, properties) else { continue };
        let mut found: Option<Broken> = None;
        check_each(model, asked.possible(), options, |_, query, outcome| {
            decided.queries += 1;
            match outcome {
                Outcome { verdict: Verdict::Safe, .. } => {}
                Outcome { verdict: Verdict::Unknown(reason), .. } => {
                    decided.unknown.get_or_insert((0, reason)).0 += 1;
                }
                Outcome { verdict: Verdict::Violation(witness), .. } => add(&mut found, isolated, query, witness),
            }
        })?;
        decided.broken.extend(found);
    }
    Ok(decided)
}

fn add(found: &mut Option<Broken>, isolated: &Isolated, query: &Query, witness: Witness) {
    let model = &isolated.model;
    let breaker = breaker(&witness);
    let broken = found.get_or_insert_with(|| Broken {
        unit: model.process(query.processes()[0]).name().to_string(),
        locations: BTreeSet::new(),
        breakers: BTreeSet::new(),
        patterns: BTreeSet::new(),
        witness: witness.clone(),
    });
    broken.locations.extend(query.locations().iter().map(|location| model.location(*location).name().to_string()));
    broken.breakers.extend(breaker);
    broken.patterns.extend(query.property().pattern().map(phases::Pattern::number));
    if witness.length() < broken.witness.length() {
        broken.witness = witness;
    }
}

/// The method that the second thread runs when it does what matters.
fn breaker(witness: &Witness) -> Option<String> {
    let mut called = None;
    for step in witness.steps.iter().filter(|step| step.thread == 1) {
        if step.action == Action::Call && called.is_none() {
            called.clone_from(&step.object);
        }
        if step.event.is_some() {
            return called;
        }
        if step.action == Action::End {
            called = None;
        }
    }
    None
}
