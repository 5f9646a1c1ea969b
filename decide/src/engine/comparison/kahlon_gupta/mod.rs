//! The algorithm of Kahlon and Gupta (POPL 2007) in the corrected form that the introduction of the paper describes.
//!
//! It goes backwards from the accepting state and keeps, for each phase, a set of tuples of automata: one automaton for
//! each participant, which accepts configurations of this participant. A tuple stands for the global configurations
//! with one member of each automaton; from each of them the remaining phases can be carried out. (Kahlon and Gupta keep
//! a single tuple and take componentwise unions, which adds combinations that belong to no tuple.) A step for one
//! tuple:
//!
//! 1. *The end of the phase*: the automaton of the participant that ends the phase is replaced by the automaton of the
//!    configurations from which its action leads there. The others stay.
//! 2. *The phase itself*: for each participant one pre* query for the paths within the phase, whose weights are lock
//!    histories. The result is split by the locks held at the beginning and by history ([`Class`]).
//! 3. *The split*: every choice of one class for each participant whose histories are compatible (Theorem 1) is a tuple
//!    of the phase. Classes that no step which ends the previous phase can reach, and tuples covered by others
//!    ([`Tuples`]), are left out.
//!
//! The query is violated iff some tuple of the first phase has all initial configurations. The number of tuples is
//! exponential in the number of locks and phases; the paper's own algorithm avoids this.
//!
//! Unlike the other engines, this one knows the locks held from the configurations: a process is a pushdown system
//! whose control states are sets of plain locks (a read-write lock is encoded as several of them). A participant that
//! is started by another keeps its initial configuration until then. The runs of a violation are found forwards: each
//! saturation knows a run from a configuration to the target set.

mod backward;
mod configurations;
mod forward;
mod locking_process;
mod segments;
mod split;
mod tuples;

use super::finite_sets::{ElementId, FiniteSets};
use crate::encode::{
    Allowed, Arrangement, ContendedLocks, Encoder, LocalAction, LocalWord, Scenario, Variant, WordTree,
};
use crate::engine::interface::{Decide, EngineKind, Task};
use crate::engine::nesting::{self, Attempt};
use crate::engine::{Decision, Failure, Sharing};
use crate::query::Query;
use backward::{Backward, Class};
use configurations::ConfigurationsId;
use indexmap::IndexMap;
use limits::{Meter, StopReason};
use locking_process::LockingProcess;
use phases::Turn;
use rustc_hash::FxBuildHasher;
use segments::{SegmentMonoid, SegmentSets};
use split::{Choice, compatible_choices};
use std::sync::Arc;
use tuples::{Derivation, Tuple, Tuples};

type Weight = super::finite_sets::SetId;

/// A process with its contended locks and its words in a scenario.
type ProcessKey = (Variant, ContendedLocks, Vec<LocalWord>);

/// The results for the processes of earlier scenarios.
#[derive(Debug)]
struct Known {
    segments: SegmentSets,
    processes: IndexMap<ProcessKey, Backward, FxBuildHasher>,
}

impl Default for Known {
    fn default() -> Self {
        Self { segments: FiniteSets::new(SegmentMonoid), processes: IndexMap::default() }
    }
}

/// The engine with its memoized results.
#[derive(Debug)]
pub(crate) struct KahlonGupta<'m> {
    encoder: Encoder<'m>,
    known: Known,
}

impl<'m> EngineKind<'m> for KahlonGupta<'m> {
    const NAME: &'static str = "kahlon-gupta";
    const SHARING: Sharing = Sharing::Processes;

    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self { encoder: task.encoder(meter)?, known: Known::default() })
    }
}

impl Decide for KahlonGupta<'_> {
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        self.known.segments.set_meter(meter.clone());
        let attempt = |engine: &mut Self, scenario: &_, arrangement: &_| engine.attempt(scenario, arrangement, meter);
        nesting::decide(self, |engine| &mut engine.encoder, query, meter, attempt)
    }

    fn forget(&mut self) {
        self.known = Known::default();
    }
}

impl KahlonGupta<'_> {
    fn attempt(&mut self, scenario: &Scenario, arrangement: &Arrangement, meter: &Meter) -> Result<Attempt, Failure> {
        let keys = (0..scenario.participants.len()).map(|place| process_key(scenario, place, arrangement));
        let processes = keys.map(|key| self.process(key, meter)).collect::<Result<Vec<_>, _>>()?;
        let buried = |number: &usize| self.known.processes[*number].process().reduced().original().buried().to_vec();
        let buried = processes.iter().flat_map(buried).collect();
        let mut search = Search { scenario, processes, meter, known: &mut self.known, tuples: Tuples::default() };
        let Some(first) = search.run()? else { return Ok(Attempt::Infeasible(buried)) };
        search.paths(first).map(Attempt::Paths)
    }

    /// Returns the number of a process among the known ones.
    fn process(&mut self, key: ProcessKey, meter: &Meter) -> Result<usize, StopReason> {
        if let Some(number) = self.known.processes.get_index_of(&key) {
            return Ok(number);
        }
        let (variant, locks, words) = &key;
        let mut tree = WordTree::default();
        words.iter().for_each(|word| drop(tree.insert(word)));
        let reduced = self.encoder.reduce(variant, locks, &tree, meter)?;
        let backward = Backward::new(LockingProcess::new(reduced, meter)?);
        Ok(self.known.processes.insert_full(key, backward).0)
    }
}

/// Returns the key on which the sets of a participant depend. Participants of one process share them, unless they have
/// different numbers as readers.
fn process_key(scenario: &Scenario, place: usize, arrangement: &Arrangement) -> ProcessKey {
    let process = scenario.participants[place].process;
    let own =
        scenario.participants.iter().zip(&scenario.words).filter(|(participant, _)| participant.process == process);
    let mut words: Vec<_> = own.map(|(_, word)| word.clone()).collect();
    words.sort_unstable();
    words.dedup();
    (arrangement.variants[place].clone(), arrangement.locks.clone(), words)
}

/// The search for one scenario.
struct Search<'a> {
    scenario: &'a Scenario,
    /// The number of its process among the known ones, per participant.
    processes: Vec<usize>,
    meter: &'a Meter,
    known: &'a mut Known,
    tuples: Tuples,
}

impl<'a> Search<'a> {
    /// Goes back from the accepting state; returns the number of a tuple of the first phase that contains the initial
    /// configurations.
    fn run(&mut self) -> Result<Option<usize>, StopReason> {
        let (places, meter) = (0..self.scenario.participants.len(), self.meter);
        let everything = places.map(|place| self.of_place(place).0.everything(meter));
        let everything = everything.collect::<Result<Tuple, _>>()?;
        self.tuples.insert(self.scenario.ends.len(), everything, Derivation { next: None, histories: Vec::new() });
        // The last tuple first, so that tuples close to the first phase are followed first.
        let mut waiting = vec![0];
        while let Some(number) = waiting.pop() {
            let (phase, tuple) = self.tuples.get(number);
            if phase == 0 {
                return Ok(Some(number));
            }
            let tuple = tuple.clone();
            if self.is_covered(phase, &tuple)? {
                continue;
            }
            let Some(ended) = self.before_end(phase - 1, &tuple)? else { continue };
            for (tuple, histories) in self.before_phase(phase - 1, &ended)? {
                if !self.is_covered(phase - 1, &tuple)? {
                    waiting.extend(self.tuples.insert(phase - 1, tuple, Derivation { next: Some(number), histories }));
                }
            }
        }
        Ok(None)
    }

    /// Whether another tuple covers this one.
    fn is_covered(&mut self, phase: usize, tuple: &Tuple) -> Result<bool, StopReason> {
        let Self { tuples, processes, known, meter, .. } = self;
        tuples.is_covered(phase, tuple, &mut |place, first, second| {
            known.processes[processes[place]].includes(first, second, meter)
        })
    }

    /// Returns the sets of the process of a participant.
    fn of_place(&mut self, place: usize) -> (&mut Backward, &mut SegmentSets) {
        let Known { segments, processes } = &mut *self.known;
        (&mut processes[self.processes[place]], segments)
    }

    /// Returns the action by which the participant at this place ends the phase, if it is the one that does.
    fn own_action(&self, place: usize, phase: usize) -> Option<&'a LocalAction> {
        let scenario = self.scenario;
        match &scenario.words[place].0[phase].turn {
            Turn::Own(action) => Some(action),
            Turn::Tick => None,
        }
    }

    fn allowed(&self, place: usize, phase: usize) -> &'a Allowed {
        let scenario = self.scenario;
        &scenario.words[place].0[phase].allowed
    }

    /// Returns the global configurations from which the last step of the phase leads into the tuple; `None` if there
    /// are none.
    fn before_end(&mut self, phase: usize, tuple: &Tuple) -> Result<Option<Tuple>, StopReason> {
        let sets = tuple.iter().enumerate().map(|(place, set)| self.before_own_end(phase, place, *set));
        sets.collect()
    }

    /// Returns the configurations of one participant from which the last step of the phase leads into the set.
    fn before_own_end(
        &mut self,
        phase: usize,
        place: usize,
        set: ConfigurationsId,
    ) -> Result<Option<ConfigurationsId>, StopReason> {
        let (scenario, meter, action) = (self.scenario, self.meter, self.own_action(place, phase));
        let (backward, _) = self.of_place(place);
        let before = match action {
            Some(action) => backward.before_action(action, set, meter)?,
            None => Some(set),
        };
        match before {
            Some(before) if scenario.begins_after(phase, place) => {
                let is_start = backward.accepts(before, &backward.process().initial());
                if is_start { backward.only_initial(meter).map(Some) } else { Ok(None) }
            }
            before => Ok(before),
        }
    }

    /// Whether a participant can be in some configuration of the set when the phase begins.
    fn can_begin(&mut self, phase: usize, place: usize, set: ConfigurationsId) -> Result<bool, StopReason> {
        if phase > 0 {
            return Ok(self.before_own_end(phase - 1, place, set)?.is_some());
        }
        let (backward, _) = self.of_place(place);
        Ok(backward.accepts(set, &backward.process().initial()))
    }

    /// Returns the tuples from which compatible paths within the phase lead into this one, with the histories of the
    /// paths.
    fn before_phase(&mut self, phase: usize, tuple: &Tuple) -> Result<Vec<(Tuple, Vec<ElementId>)>, StopReason> {
        let meter = self.meter;
        let mut choices: Vec<Vec<Choice>> = Vec::new();
        for (place, set) in tuple.iter().enumerate() {
            let allowed = self.allowed(place, phase);
            let (backward, segments) = self.of_place(place);
            let own: Arc<[Class]> = match allowed {
                Allowed::Nothing => {
                    let held = backward.process().initial().held;
                    Arc::from([Class { held, history: ElementId::UNIT, configurations: *set }])
                }
                Allowed::AllBut(_) => backward.before_phase(allowed, *set, segments, meter)?,
            };
            let mut possible = Vec::new();
            for class in own.iter() {
                if self.can_begin(phase, place, class.configurations)? {
                    possible.push((self.of_place(place).0.process().locks(class.held), *class));
                }
            }
            choices.push(possible);
        }
        compatible_choices(&choices, &self.known.segments, meter)
    }
}
