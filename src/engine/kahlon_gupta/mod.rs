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
use super::{Failure, Finding};
use crate::encode::{
    ClonedProcess, Conduct, Contention, LocalAction, LockNumbers, Plan, ReducedProcess, WordTree, plans,
};
use crate::limits::{Meter, StopReason};
use crate::model::{Model, ProcessId};
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

/// Decides a query.
///
/// # Errors
/// If a limit is reached, or the engine contradicts itself.
pub(crate) fn decide(model: &Model, query: &Query, reductions: Reductions, meter: &Meter) -> Result<Finding, Failure> {
    let contention = Contention::new(model);
    let mut finding = Finding::Safe;
    for plan in plans(model, query, reductions) {
        let locks = contention.locks_of(&plan, reductions);
        let Some(numbers) = LockNumbers::new(model, &locks) else {
            finding = Finding::Unsupported;
            continue;
        };
        let mut search = Search::new(model, &plan, &numbers, reductions, meter);
        if let Some(first) = search.run()? {
            let paths = search.paths(first)?;
            return interleaving(model, &plan, paths).map(Finding::Violation);
        }
    }
    Ok(finding)
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
    meter: &'a Meter,
    segments: SegmentSets,
    processes: FxHashMap<ProcessId, Backward>,
    /// All tuples with the phase at whose beginning they stand.
    tuples: IndexMap<(usize, Tuple), Found, FxBuildHasher>,
}

impl<'a> Search<'a> {
    fn new(model: &Model, plan: &'a Plan, numbers: &LockNumbers, reductions: Reductions, meter: &'a Meter) -> Self {
        let mut trees: FxHashMap<ProcessId, WordTree> = FxHashMap::default();
        for (participant, word) in plan.cast.iter().zip(&plan.words) {
            trees.entry(participant.process).or_default().insert(word);
        }
        let backward = |(process, tree): (ProcessId, WordTree)| {
            let cloned = Arc::new(ClonedProcess::new(model, process, numbers));
            (process, Backward::new(LockingProcess::new(ReducedProcess::new(cloned, &tree, reductions))))
        };
        let processes = trees.into_iter().map(backward).collect();
        let mut segments = FiniteSets::new(Segments);
        segments.set_meter(meter.clone());
        Self { plan, meter, segments, processes, tuples: IndexMap::default() }
    }

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
        let process = self.plan.cast[place].process;
        (self.processes.get_mut(&process).expect("every process of the cast is there"), &mut self.segments)
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
        for place in 0..tuple.len() {
            if let Some(action) = self.own_action(place, phase) {
                match self.of_place(place).0.before_action(action, tuple[place], meter)? {
                    Some(before) => tuple[place] = before,
                    None => return Ok(None),
                }
            }
            if self.plan.ends[phase].starts == Some(place) {
                let (backward, _) = self.of_place(place);
                if !backward.accepts(tuple[place], &backward.process().initial()) {
                    return Ok(None);
                }
                tuple[place] = backward.only_initial(meter)?;
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
            self.taken.push((*held, self.search.segments.element(class.history)));
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
