//! The semi-decision procedure that the paper compares with: communicating pushdown systems, whose path languages are
//! approximated (its sections 1 and 8; Bouajjani, Esparza, Touili 2003; Chaki et al. 2006).
//!
//! Each participant is a component that synchronizes with the others on lock operations, accesses, boundaries of units and
//! starts; so are the locks and the automaton, which are regular. The language of a participant is approximated from above
//! by its words with at most `k` letters and the prefixes with `k` letters of the others. If the components have no word in
//! common, the query is safe; if they have one whose parts are all complete, it is violated; otherwise `k` grows. Where no word
//! is cut any more the languages are exact, and so is the answer; where they are infinite it may be that no `k` is enough,
//! and only the limits end the search.

mod intersection;
mod language;
mod words;

use super::violation::interleaving;
use super::{Failure, Finding};
use crate::encode::{
    ClonedProcess, Contention, Executed, LockNumbers, ReducedProcess, Scenario, Scenarios, StartGraph, WordTree, expand,
};
use crate::limits::{Meter, StopReason};
use crate::model::{Model, ProcessId};
use crate::query::Query;
use crate::reductions::Reductions;
use crate::witness::LocalPath;
use intersection::{Components, Event, Intersection, Tree};
use language::{Alphabet, Language, alphabet};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// Decides a query, or searches until a limit is reached.
///
/// # Errors
/// If a limit is reached, or the engine contradicts itself.
pub(crate) fn decide(model: &Model, query: &Query, reductions: Reductions, meter: &Meter) -> Result<Finding, Failure> {
    let contention = Contention::new(model);
    let mut scenarios = Scenarios::new(&Arc::new(StartGraph::new(model)), query, reductions);
    let mut finding = Finding::Safe;
    let mut open = VecDeque::new();
    // All scenarios with short words, before any with longer ones: one that is violated may be behind one that is never
    // decided.
    while let Some(scenario) = scenarios.next(meter)? {
        match LockNumbers::new(model, &contention.locks_of(&scenario, reductions)) {
            Some(numbers) => open.push_back((Refinement::new(model, scenario, &numbers, reductions), 1)),
            None => finding = Finding::Unsupported,
        }
    }
    while let Some((refinement, length)) = open.pop_front() {
        match refinement.step(length, meter)? {
            Step::Safe => {}
            Step::Violation(paths) => {
                return interleaving(model, &refinement.scenario, paths, meter).map(Finding::Violation);
            }
            Step::Open => open.push_back((refinement, length + 1)),
        }
    }
    Ok(finding)
}

/// What came of one length.
enum Step {
    Safe,
    Violation(Vec<LocalPath>),
    Open,
}

/// A process as a component.
struct Component {
    process: ReducedProcess,
    alphabet: Alphabet,
}

/// A scenario with its components, for any length.
struct Refinement {
    scenario: Scenario,
    components: FxHashMap<ProcessId, Component>,
}

impl Refinement {
    fn new(model: &Model, scenario: Scenario, numbers: &LockNumbers, reductions: Reductions) -> Self {
        let mut trees: FxHashMap<ProcessId, WordTree> = FxHashMap::default();
        for (participant, word) in scenario.participants.iter().zip(&scenario.words) {
            trees.entry(participant.process).or_default().insert(word);
        }
        let component = |(id, tree): (ProcessId, WordTree)| {
            let process = ReducedProcess::new(Arc::new(ClonedProcess::new(model, id, numbers)), &tree, reductions);
            (id, Component { alphabet: alphabet(&process), process })
        };
        Self { components: trees.into_iter().map(component).collect(), scenario }
    }

    /// Intersects the components with words of this length.
    fn step(&self, length: usize, meter: &Meter) -> Result<Step, Failure> {
        let mut languages: FxHashMap<ProcessId, (Language, Tree)> = FxHashMap::default();
        for (id, component) in &self.components {
            let language = Language::new(&component.process, &component.alphabet, length, meter)?;
            let tree = Tree::new(&language);
            languages.insert(*id, (language, tree));
        }
        let processes: Vec<_> = self.scenario.participants.iter().map(|participant| participant.process).collect();
        let alphabets: Vec<_> = processes.iter().map(|id| &self.components[id].alphabet).collect();
        let trees: Vec<_> = processes.iter().map(|id| &languages[id].1).collect();
        let components = Components { scenario: &self.scenario, alphabets: &alphabets, trees: &trees, meter };
        match components.intersect()? {
            Intersection::Empty => Ok(Step::Safe),
            Intersection::Cut if languages.values().all(|(language, _)| language.is_exact()) => {
                Err(Failure::Internal("a word is cut in an exact language"))
            }
            Intersection::Cut => Ok(Step::Open),
            Intersection::Complete(word) => {
                let paths = processes.iter().enumerate().map(|(place, id)| {
                    let language = &mut languages.get_mut(id).expect("every process has a language").0;
                    let path = self.path(place, &word, language, meter)?;
                    path.ok_or(Failure::Internal("a complete word has no path"))
                });
                Ok(Step::Violation(paths.collect::<Result<_, _>>()?))
            }
        }
    }

    /// A path of a participant with its part of a common word, each letter in its phase; `None` if there is none.
    fn path(
        &self,
        place: usize,
        word: &[Event],
        language: &mut Language,
        meter: &Meter,
    ) -> Result<Option<LocalPath>, StopReason> {
        let Component { process, alphabet } = &self.components[&self.scenario.participants[place].process];
        let own: Vec<_> = word.iter().filter(|event| event.thread == place).collect();
        let letters = own.iter().map(|event| event.letter).collect();
        let Some(mut trace) = language.trace(process, letters, meter)? else { return Ok(None) };
        // What nobody sees belongs to the phase of the next letter; after the last one it is left out.
        let mut phases = own.iter().map(|event| event.phase);
        let mut phase = phases.next();
        let mut seen = 0;
        for step in &mut trace.steps {
            let Some(now) = phase else { break };
            step.phase = now;
            seen += 1;
            let is_letter = matches!(step.executed, Executed::Edge(edge)
                if alphabet.contains(&process.graph().edge(edge).label));
            if is_letter {
                phase = phases.next();
            }
        }
        trace.steps.truncate(seen);
        expand(process, &trace, self.scenario.ends.len(), meter)
    }
}
