//! The algorithm of Kahlon and Gupta (POPL 2007) in the corrected form that the introduction of the paper describes.
//!
//! It goes backwards from the accepting state and keeps, for each phase, a set of tuples of automata: one automaton for each
//! participant, which accepts configurations of it. A tuple stands for the global configurations that are made of any
//! members of its automata, and from all of them the rest of the phases can be carried out. (Kahlon and Gupta keep a single
//! tuple and unite componentwise, which lets in combinations that belong to no tuple.) A step for one tuple:
//!
//! 1. *the end of the phase*: the automaton of the participant that ends the phase is replaced by one for the configurations
//!    that its action leads there, the others stay;
//! 2. *the phase itself*: for each participant one pre* query for the paths within the phase, whose weights are lock
//!    histories, split by the locks held at the beginning and by history ([`Class`]);
//! 3. *the split*: every choice of one class for each participant whose histories are compatible (Theorem 1) is a tuple of
//!    the phase.
//!
//! The query is violated iff some tuple of the first phase has all initial configurations. The number of tuples is exponential
//! in the number of locks and phases, which is what the paper's own algorithm avoids.
//!
//! Unlike the other engines this one knows the locks held from the configurations: a process is a pushdown system whose
//! control states are sets of locks. A participant that is started by another keeps its initial configuration until then.
//! For a violation, runs are found forwards: each saturation knows a run from a configuration to the set that was asked for.

mod backward;
mod configurations;
mod forward;
mod process;
mod segments;

use super::finite_sets::{ElementId, FiniteSets};
use super::violation::interleaving;
use super::{Failure, Finding, any_of};
use crate::encode::{
    ClonedProcess, Conduct, Contention, LocalAction, LocalWord, LockNumbers, Plan, ReducedProcess, WordTree, plans,
};
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, ProcessId};
use crate::query::Query;
use crate::reductions::Reductions;
use backward::{Backward, Class};
use configurations::ConfigurationsId;
use indexmap::IndexMap;
use lockhist::{LockSet, Segment, compatible_segments};
use phases::Turn;
use process::LockingProcess;
use rustc_hash::{FxBuildHasher, FxHashMap};
use segments::{SegmentSets, Segments};
use std::sync::Arc;

type Weight = super::finite_sets::SetId;

/// A process with the locks that are contended and the words that it has in a plan.
type ProcessKey = (ProcessId, Vec<LockId>, Vec<LocalWord>);

/// What was computed for the processes of earlier plans.
#[derive(Debug)]
struct Known {
    segments: SegmentSets,
    processes: FxHashMap<ProcessKey, Backward>,
}

impl Default for Known {
    fn default() -> Self {
        Self { segments: FiniteSets::new(Segments), processes: FxHashMap::default() }
    }
}

/// The engine with what it has computed so far.
#[derive(Debug)]
pub(crate) struct KahlonGupta<'m> {
    model: &'m Model,
    reductions: Reductions,
    contention: Contention,
    known: Known,
}

impl<'m> KahlonGupta<'m> {
    pub(crate) fn new(model: &'m Model, reductions: Reductions) -> Self {
        Self { model, reductions, contention: Contention::new(model), known: Known::default() }
    }

    /// Forgets what was computed, to give back memory.
    pub(crate) fn forget(&mut self) {
        self.known = Known::default();
    }

    /// Decides a query.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        self.known.segments.set_meter(meter.clone());
        any_of(plans(self.model, query, self.reductions), |plan| self.carry_out(&plan, meter))
    }

    fn carry_out(&mut self, plan: &Plan, meter: &Meter) -> Result<Finding, Failure> {
        let locks = self.contention.locks_of(plan, self.reductions);
        let Some(numbers) = LockNumbers::new(self.model, &locks) else { return Ok(Finding::Unsupported) };
        let keys: Vec<_> = (0..plan.cast.len()).map(|place| process_key(plan, place, &locks)).collect();
        for key in &keys {
            self.known.processes.entry(key.clone()).or_insert_with(|| {
                let mut tree = WordTree::default();
                key.2.iter().for_each(|word| drop(tree.insert(word)));
                let cloned = Arc::new(ClonedProcess::new(self.model, key.0, &numbers));
                Backward::new(LockingProcess::new(ReducedProcess::new(cloned, &tree, self.reductions)))
            });
        }
        let mut search = Search { plan, keys, meter, known: &mut self.known, tuples: IndexMap::default() };
        let Some(first) = search.run()? else { return Ok(Finding::Safe) };
        let paths = search.paths(first)?;
        interleaving(self.model, plan, paths).map(Finding::Violation)
    }
}

/// What the sets of a participant depend on; participants of one process share them.
fn process_key(plan: &Plan, place: usize, locks: &[LockId]) -> ProcessKey {
    let process = plan.cast[place].process;
    let own = plan.cast.iter().zip(&plan.words).filter(|(participant, _)| participant.process == process);
    let mut words: Vec<_> = own.map(|(_, word)| word.clone()).collect();
    words.sort_unstable();
    words.dedup();
    (process, locks.to_vec(), words)
}

/// A tuple of sets of configurations, one for each participant.
type Tuple = Vec<ConfigurationsId>;

/// A tuple that was found: its number is its place in the list of all.
#[derive(Debug)]
struct Found {
    /// The number of the tuple of the next phase from which it comes; none for the accepting one.
    next: Option<usize>,
    /// The histories of the paths to there.
    histories: Vec<ElementId>,
}

/// The search for one plan.
struct Search<'a> {
    plan: &'a Plan,
    /// Per participant.
    keys: Vec<ProcessKey>,
    meter: &'a Meter,
    known: &'a mut Known,
    /// All tuples with the phase at whose beginning they stand.
    tuples: IndexMap<(usize, Tuple), Found, FxBuildHasher>,
}

impl<'a> Search<'a> {
    /// Goes back from the accepting state; gives the number of a tuple of the first phase with the initial configurations.
    fn run(&mut self) -> Result<Option<usize>, StopReason> {
        let (places, meter) = (0..self.plan.cast.len(), self.meter);
        let everything = places.map(|place| self.of_place(place).0.everything(meter));
        let everything = everything.collect::<Result<Tuple, _>>()?;
        let phases = self.plan.ends.len();
        self.tuples.insert((phases, everything), Found { next: None, histories: Vec::new() });
        // The last tuple first: what leads to the first phase soon is found soon.
        let mut waiting = vec![0];
        while let Some(number) = waiting.pop() {
            let ((phase, tuple), _) = self.tuples.get_index(number).expect("numbers are of tuples");
            let (phase, tuple) = (*phase, tuple.clone());
            if phase == 0 {
                return Ok(Some(number));
            }
            let Some(ended) = self.before_end(phase - 1, tuple)? else { continue };
            for (tuple, histories) in self.before_phase(phase - 1, &ended)? {
                let (place, known) =
                    self.tuples.insert_full((phase - 1, tuple), Found { next: Some(number), histories });
                match known {
                    None => waiting.push(place),
                    // How it was found first stays: that tuple is older, so going on from one to the next comes to an end.
                    Some(first) => self.tuples[place] = first,
                }
            }
        }
        Ok(None)
    }

    /// The sets of the process of a participant.
    fn of_place(&mut self, place: usize) -> (&mut Backward, &mut SegmentSets) {
        let Known { segments, processes } = &mut *self.known;
        (processes.get_mut(&self.keys[place]).expect("every process of the cast is known"), segments)
    }

    /// What the participant at this place does to end the phase, if it is the one.
    fn own_action(&self, place: usize, phase: usize) -> Option<&'a LocalAction> {
        let plan = self.plan;
        match &plan.words[place].0[phase].turn {
            Turn::Own(action) => Some(action),
            Turn::Tick => None,
        }
    }

    fn conduct(&self, place: usize, phase: usize) -> &'a Conduct {
        let plan = self.plan;
        &plan.words[place].0[phase].conduct
    }

    /// The global configurations from which the last step of the phase leads into the tuple; none if there are none.
    fn before_end(&mut self, phase: usize, mut tuple: Tuple) -> Result<Option<Tuple>, StopReason> {
        let meter = self.meter;
        for (place, set) in tuple.iter_mut().enumerate() {
            if let Some(action) = self.own_action(place, phase) {
                match self.of_place(place).0.before_action(action, *set, meter)? {
                    Some(before) => *set = before,
                    None => return Ok(None),
                }
            }
            if self.plan.ends[phase].starts == Some(place) {
                let (backward, _) = self.of_place(place);
                if !backward.accepts(*set, &backward.process().initial()) {
                    return Ok(None);
                }
                *set = backward.only_initial(meter)?;
            }
        }
        Ok(Some(tuple))
    }

    /// The tuples from which compatible paths within the phase lead into this one, with the histories of the paths.
    fn before_phase(&mut self, phase: usize, tuple: &Tuple) -> Result<Vec<(Tuple, Vec<ElementId>)>, StopReason> {
        let mut classes: Vec<Vec<(LockSet, Class)>> = Vec::new();
        for (place, set) in tuple.iter().enumerate() {
            let conduct = self.conduct(place, phase);
            let meter = self.meter;
            let (backward, segments) = self.of_place(place);
            let initial = backward.process().initial();
            let own = match conduct {
                Conduct::Absent => {
                    Arc::from([Class { held: initial.held, history: ElementId::UNIT, configurations: *set }])
                }
                Conduct::Forbidden(_) => backward.before_phase(conduct, *set, segments, meter)?,
            };
            let is_possible = |class: &&Class| phase > 0 || backward.accepts(class.configurations, &initial);
            let own = own.iter().filter(is_possible).map(|class| (backward.process().locks(class.held), *class));
            classes.push(own.collect());
        }
        let mut split =
            Split { search: self, classes: &classes, taken: Vec::new(), chosen: Vec::new(), found: Vec::new() };
        split.choose()?;
        Ok(split.found)
    }
}

/// The split of the classes of all participants into compatible tuples.
struct Split<'s, 'a> {
    search: &'s Search<'a>,
    /// Per participant, the locks held at the beginning and the class.
    classes: &'s [Vec<(LockSet, Class)>],
    taken: Vec<(LockSet, &'s Segment)>,
    chosen: Vec<Class>,
    found: Vec<(Tuple, Vec<ElementId>)>,
}

impl Split<'_, '_> {
    /// Lets the next participant choose its class.
    fn choose(&mut self) -> Result<(), StopReason> {
        let Some(classes) = self.classes.get(self.chosen.len()) else {
            let tuple = self.chosen.iter().map(|class| class.configurations).collect();
            self.found.push((tuple, self.chosen.iter().map(|class| class.history).collect()));
            return Ok(());
        };
        self.search.meter.work_of(1 + classes.len())?;
        for (held, class) in classes {
            self.taken.push((*held, self.search.known.segments.element(class.history)));
            if compatible_segments(&self.taken) {
                self.chosen.push(*class);
                self.choose()?;
                self.chosen.pop();
            }
            self.taken.pop();
        }
        Ok(())
    }
}
