//! The semi-decision procedure to which the paper compares its own: communicating pushdown systems with approximated
//! path languages (its sections 1 and 8; Bouajjani, Esparza, Touili 2003; Chaki et al. 2006).
//!
//! Each participant is a component that synchronizes with the others on lock operations, accesses, boundaries of units
//! and starts. The locks and the automaton are components, too; they are regular. The language of a participant is
//! over-approximated by its words with at most `k` letters and the prefixes with `k` letters of its other words. If the
//! components have no common word, the query is safe; if they have one whose parts are all complete, it is violated;
//! otherwise `k` grows. If no word is cut, the languages are exact, and so is the answer. If they are infinite, it may
//! be that no `k` is enough, and only the limits end the search.

mod intersection;
mod language;
mod words;

use crate::encode::{Arrangement, Encoder, Executed, ReducedProcess, Scenario, Scenarios, Variant, WordTree, expand};
use crate::engine::interface::{Decide, EngineKind, Task};
use crate::engine::violation::interleaving;
use crate::engine::{Decision, Failure, Sharing, Unsupported, any_of};
use crate::query::Query;
use crate::witness::LocalPath;
use eml::model::LockId;
use intersection::{Components, Event, Intersection, Tree};
use language::{Alphabet, Language, alphabet, letter};
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The engine; it keeps nothing of earlier queries.
#[derive(Debug)]
pub(crate) struct Cpds<'m> {
    encoder: Encoder<'m>,
}

impl<'m> EngineKind<'m> for Cpds<'m> {
    const NAME: &'static str = "cpds";
    const SHARING: Sharing = Sharing::Nothing;

    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self { encoder: task.encoder(meter)? })
    }
}

impl Decide for Cpds<'_> {
    /// Decides a query, or searches until a limit is reached.
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        let scenarios = self.encoder.scenarios(query);
        let mut search = Search { encoder: &mut self.encoder, scenarios, open: VecDeque::new() };
        any_of(
            &mut search,
            |search| Ok(search.next(meter)?),
            |search, case| {
                let Case::Words(refinement, length) = case else {
                    return Ok(Decision::Unsupported(Unsupported::ManyLocks));
                };
                match refinement.step(length, meter)? {
                    Step::Safe if refinement.buried.is_empty() => Ok(Decision::Safe),
                    Step::Safe if refinement.is_wider => Ok(Decision::Unsupported(Unsupported::Nesting)),
                    Step::Safe => search.widen(refinement, meter),
                    Step::Violation(_) if refinement.is_wider => Ok(Decision::Unsupported(Unsupported::Nesting)),
                    Step::Violation(paths) => {
                        interleaving(search.encoder, &refinement.scenario, paths, meter).map(Decision::Violation)
                    }
                    // It is tried again with longer words. As far as this case goes, it is safe.
                    Step::Open => {
                        search.open.push_back((refinement, length + 1));
                        Ok(Decision::Safe)
                    }
                }
            },
        )
    }
}

/// The remaining work for a query. All scenarios are tried with short words before any of them with longer words, since
/// a violated one may come after one that is never decided.
struct Search<'a, 'm> {
    encoder: &'a mut Encoder<'m>,
    scenarios: Scenarios<'m>,
    /// Undecided scenarios, each with the next length of words.
    open: VecDeque<(Refinement, usize)>,
}

/// A scenario with words of one length.
enum Case {
    Words(Refinement, usize),
    /// There are too many locks.
    ManyLocks,
}

impl Search<'_, '_> {
    fn next(&mut self, meter: &Meter) -> Result<Option<Case>, StopReason> {
        let Some(scenario) = self.scenarios.next(meter)? else {
            return Ok(self.open.pop_front().map(|(refinement, length)| Case::Words(refinement, length)));
        };
        let refinement = Refinement::new(self.encoder, scenario, &[], meter)?;
        Ok(Some(refinement.map_or(Case::ManyLocks, |refinement| Case::Words(refinement, 1))))
    }

    /// Puts a scenario back without its buried locks, those that are waited for below another lock (see `nesting`).
    fn widen(&mut self, refinement: Refinement, meter: &Meter) -> Result<Decision, Failure> {
        let Refinement { scenario, buried, .. } = refinement;
        Ok(match Refinement::new(self.encoder, scenario, &buried, meter)? {
            None => Decision::Unsupported(Unsupported::ManyLocks),
            Some(wider) => {
                self.open.push_back((wider, 1));
                Decision::Safe
            }
        })
    }
}

/// The result for one length of words.
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

/// A scenario with its components; the words may have any length.
struct Refinement {
    scenario: Scenario,
    variants: Vec<Variant>,
    components: FxHashMap<Variant, Component>,
    /// The buried locks, which are waited for below another lock.
    buried: Vec<LockId>,
    /// Whether some locks are taken to be always free, so that interleavings may exist here that the model does not
    /// have.
    is_wider: bool,
}

impl Refinement {
    /// Creates the components with all contended locks except `without`; returns `None` if the locks do not fit into
    /// lock sets.
    fn new(
        encoder: &mut Encoder<'_>,
        scenario: Scenario,
        without: &[LockId],
        meter: &Meter,
    ) -> Result<Option<Self>, StopReason> {
        let arrangement = encoder.arrangement(&scenario, without, meter)?;
        let Some(Arrangement { locks, variants }) = arrangement else { return Ok(None) };
        let mut trees: FxHashMap<Variant, WordTree> = FxHashMap::default();
        for (variant, word) in variants.iter().zip(&scenario.words) {
            trees.entry(variant.clone()).or_default().insert(word);
        }
        let (mut components, mut buried) = (FxHashMap::default(), Vec::new());
        for (variant, tree) in trees {
            let process = encoder.reduce(&variant, &locks, &tree, meter)?;
            buried.extend_from_slice(process.original().buried());
            components.insert(variant, Component { alphabet: alphabet(&process, meter)?, process });
        }
        Ok(Some(Self { components, scenario, variants, buried, is_wider: !without.is_empty() }))
    }

    /// Intersects the components, with words of this length.
    fn step(&self, length: usize, meter: &Meter) -> Result<Step, Failure> {
        let mut languages: FxHashMap<&Variant, (Language, Tree)> = FxHashMap::default();
        for (id, component) in &self.components {
            let language = Language::new(&component.process, &component.alphabet, length, meter)?;
            let tree = Tree::new(&language, meter)?;
            languages.insert(id, (language, tree));
        }
        let alphabets: Vec<_> = self.variants.iter().map(|id| &self.components[id].alphabet).collect();
        let instants = self.variants.iter().map(|id| &**self.components[id].process.original().instants());
        let instants: Vec<_> = instants.collect();
        let trees: Vec<_> = self.variants.iter().map(|id| &languages[id].1).collect();
        let (scenario, alphabets) = (&self.scenario, &alphabets[..]);
        let components = Components { scenario, alphabets, trees: &trees, instants: &instants, meter };
        match components.intersect()? {
            Intersection::Empty => Ok(Step::Safe),
            Intersection::Cut if languages.values().all(|(language, _)| language.is_exact()) => {
                Err(Failure::Internal("a word is cut in an exact language"))
            }
            Intersection::Cut => Ok(Step::Open),
            Intersection::Complete(word) => {
                let paths = self.variants.iter().enumerate().map(|(place, id)| {
                    let language = &mut languages.get_mut(id).expect("every process has a language").0;
                    let path = self.path(place, &word, language, meter)?;
                    path.ok_or(Failure::Internal("a complete word has no path"))
                });
                Ok(Step::Violation(paths.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Returns a path of a participant with its part of a common word, each letter in its phase; `None` if there is
    /// none.
    fn path(
        &self,
        place: usize,
        word: &[Event],
        language: &mut Language,
        meter: &Meter,
    ) -> Result<Option<LocalPath>, StopReason> {
        let Component { process, .. } = &self.components[&self.variants[place]];
        let own: Vec<_> = word.iter().filter(|event| event.thread == place).collect();
        let letters = own.iter().map(|event| event.letter).collect();
        let Some(mut trace) = language.trace(process, letters, meter)? else { return Ok(None) };
        // An unseen step belongs to the phase of the next letter; steps after the last letter are dropped.
        let mut phases = own.iter().map(|event| event.phase);
        let mut phase = phases.next();
        let mut seen = 0;
        for step in &mut trace.steps {
            let Some(now) = phase else { break };
            step.phase = now;
            seen += 1;
            // A call that is one step has no letters.
            let is_call = matches!(step.executed, Executed::Call(..));
            if !is_call && letter(process, step.executed).is_some() {
                phase = phases.next();
            }
        }
        trace.steps.truncate(seen);
        expand(process, &trace, self.scenario.ends.len(), meter)
    }
}
