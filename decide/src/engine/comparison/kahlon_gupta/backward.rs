//! The backward steps for one process: one pre* query per set and phase, split by lock histories.

use super::configurations::{Automaton, ConfigurationSets, ConfigurationsId, State};
use super::locking_process::{Configuration, ControlState, LockingProcess, node, symbol};
use super::segments::SegmentSets;
use crate::encode::{Allowed, LocalAction};
use crate::engine::comparison::finite_sets::ElementId;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;
use wpds::{Goal, Inner, Origin, Place, PreStar, Progress};

/// The number of saturation steps between two checks of the limits.
const STEPS: usize = 256;

/// The configurations of a process that reach a set in a phase by paths with one lock history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// The locks held in all these configurations.
    pub(super) held: ControlState,
    /// The history of the paths; other paths from the same configuration may have other histories.
    pub(super) history: ElementId,
    pub(super) configurations: ConfigurationsId,
}

/// A process with the sets of its configurations and the memoized backward steps.
#[derive(Debug)]
pub(super) struct Backward {
    process: LockingProcess,
    sets: ConfigurationSets,
    queries: FxHashMap<(Allowed, ConfigurationsId), Arc<[Class]>>,
    ends: FxHashMap<(LocalAction, ConfigurationsId), Option<ConfigurationsId>>,
}

/// The states of a pre* automaton, each with the history of the remaining path: the weights are unrolled into the
/// states.
type Unrolled = IndexSet<(Place, ElementId), FxBuildHasher>;

impl Backward {
    pub(super) fn new(process: LockingProcess) -> Self {
        Self { process, sets: ConfigurationSets::default(), queries: FxHashMap::default(), ends: FxHashMap::default() }
    }

    pub(super) fn process(&self) -> &LockingProcess {
        &self.process
    }

    pub(super) fn accepts(&self, set: ConfigurationsId, at: &Configuration) -> bool {
        self.sets.get(set).accepts(at)
    }

    /// Whether the first set includes the second.
    pub(super) fn includes(
        &mut self,
        first: ConfigurationsId,
        second: ConfigurationsId,
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        self.sets.includes(first, second, meter)
    }

    /// Returns the set of all configurations, perhaps with some that no run reaches.
    pub(super) fn everything(&mut self, meter: &Meter) -> Result<ConfigurationsId, StopReason> {
        let rest = self.process.returns_of_calls().into_iter().map(|node| (node, 0)).collect();
        let mut states = vec![State { accepts: true, edges: rest }];
        let mut starts = Vec::new();
        for held in self.process.all_held() {
            let nodes = self.process.nodes(held);
            meter.work_of(1 + nodes.len())?;
            starts.push((held, states.len()));
            states.push(State { accepts: true, edges: nodes.iter().map(|node| (*node, 0)).collect() });
        }
        Ok(self.sets.intern(&Automaton { starts, states }, meter)?.expect("there is some configuration"))
    }

    /// Returns the set with the initial configuration only.
    pub(super) fn only_initial(&mut self, meter: &Meter) -> Result<ConfigurationsId, StopReason> {
        let Configuration { held, stack } = self.process.initial();
        let first = State { accepts: false, edges: vec![(stack[0], 1)] };
        let automaton =
            Automaton { starts: vec![(held, 0)], states: vec![first, State { accepts: true, edges: vec![] }] };
        Ok(self.sets.intern(&automaton, meter)?.expect("there is an initial configuration"))
    }

    /// Returns the configurations from which one step with this action leads into the set; `None` if there are none.
    pub(super) fn before_action(
        &mut self,
        action: &LocalAction,
        set: ConfigurationsId,
        meter: &Meter,
    ) -> Result<Option<ConfigurationsId>, StopReason> {
        if let Some(known) = self.ends.get(&(*action, set)) {
            return Ok(*known);
        }
        let Automaton { starts, mut states } = self.sets.get(set).clone();
        let mut before = Vec::new();
        for (held, start) in starts {
            let mut edges = Vec::new();
            for node in self.process.nodes(held) {
                meter.work_of(1)?;
                for found in self.process.own_moves(action, (held, *node)) {
                    let after = states[start].edges.iter().filter(|(node, _)| Some(*node) == found.target);
                    edges.extend(after.map(|(_, to)| (*node, *to)));
                }
            }
            before.push((held, states.len()));
            states.push(State { accepts: false, edges });
        }
        let found = self.sets.intern(&Automaton { starts: before, states }, meter)?;
        self.ends.insert((*action, set), found);
        Ok(found)
    }

    /// Returns the configurations from which the set can be reached in a phase, split by the locks held and the
    /// histories of the paths.
    pub(super) fn before_phase(
        &mut self,
        allowed: &Allowed,
        set: ConfigurationsId,
        segments: &mut SegmentSets,
        meter: &Meter,
    ) -> Result<Arc<[Class]>, StopReason> {
        let key = (allowed.clone(), set);
        if let Some(known) = self.queries.get(&key) {
            return Ok(known.clone());
        }
        let pre = self.saturate(allowed, set, segments, meter)?;
        let (unrolled, mut automaton) = unroll(&pre, segments, meter)?;
        let mut histories = Vec::new();
        for (state, (place, history)) in unrolled.iter().enumerate() {
            if let Place::Control(control) = place {
                automaton.starts.push((ControlState::of_control(*control), state));
                histories.push(*history);
            }
        }
        let sets = self.sets.intern_each(&automaton, meter)?;
        let classes = automaton.starts.iter().zip(histories).zip(sets).filter_map(|(((held, _), history), set)| {
            set.map(|configurations| Class { held: *held, history, configurations })
        });
        let classes: Arc<[Class]> = self.needed(classes.collect(), segments, meter)?.into();
        self.queries.insert(key, classes.clone());
        Ok(classes)
    }

    /// Removes redundant classes: those for which another class includes the configurations and has a history that
    /// dominates.
    fn needed(
        &mut self,
        mut classes: Vec<Class>,
        segments: &SegmentSets,
        meter: &Meter,
    ) -> Result<Vec<Class>, StopReason> {
        let mut place = 0;
        while place < classes.len() {
            meter.work_of(1 + classes.len())?;
            if self.has_substitute(&classes, place, segments, meter)? {
                classes.swap_remove(place);
            } else {
                place += 1;
            }
        }
        Ok(classes)
    }

    /// Whether another class makes this one redundant.
    fn has_substitute(
        &mut self,
        classes: &[Class],
        place: usize,
        segments: &SegmentSets,
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        let class = classes[place];
        for (other, by) in classes.iter().enumerate() {
            let is_better = other != place && by.held == class.held && segments.dominates(by.history, class.history);
            if is_better && self.includes(by.configurations, class.configurations, meter)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs the pre* query of a set in a phase.
    pub(super) fn saturate(
        &self,
        allowed: &Allowed,
        set: ConfigurationsId,
        segments: &mut SegmentSets,
        meter: &Meter,
    ) -> Result<PreStar<SegmentSets>, StopReason> {
        let system = self.process.system(allowed, segments, meter)?;
        let mut pre = PreStar::new(segments, system);
        pre.target_at(segments, &target(self.sets.get(set), meter)?)?;
        while pre.advance(segments, STEPS)? == Progress::Paused {
            meter.check()?;
        }
        Ok(pre)
    }
}

/// Converts a set into the target automaton of a saturation.
fn target(set: &Automaton, meter: &Meter) -> Result<wpds::Automaton, StopReason> {
    let mut target = wpds::Automaton::new();
    let inner = |state: usize| Inner::new(state as u32);
    let mut edges_of = |from: Origin, state: usize| {
        for (node, to) in &set.states[state].edges {
            if set.states[*to].accepts {
                target.edge(from, symbol(*node), Goal::Final);
            }
            if !set.states[*to].edges.is_empty() {
                target.edge(from, symbol(*node), Goal::Inner(inner(*to)));
            }
        }
    };
    for state in 0..set.states.len() {
        meter.work_of(1 + set.states[state].edges.len())?;
        edges_of(Origin::Inner(inner(state)), state);
    }
    set.starts.iter().for_each(|(held, state)| edges_of(Origin::Control(held.control()), *state));
    for (held, _) in set.starts.iter().filter(|(_, state)| set.states[*state].accepts) {
        target.accept_empty(held.control());
    }
    Ok(target)
}

/// Unrolls the weights of a saturated automaton into its states. Only states from which something is accepted remain.
fn unroll(
    pre: &PreStar<SegmentSets>,
    segments: &mut SegmentSets,
    meter: &Meter,
) -> Result<(Unrolled, Automaton), StopReason> {
    let mut entering: FxHashMap<Place, Vec<_>> = FxHashMap::default();
    for (from, symbol, to, weight) in pre.automaton() {
        meter.work_of(1)?;
        entering.entry(to).or_default().push((from, node(symbol), *weight));
    }
    let accepting = pre.accepting().iter().map(|control| (Place::Control(*control), ElementId::UNIT));
    let mut unrolled: Unrolled = accepting.chain([(Place::Final, ElementId::UNIT)]).collect();
    let mut states = vec![State { accepts: true, edges: Vec::new() }; unrolled.len()];
    let mut next = 0;
    while let Some((to, rest)) = unrolled.get_index(next).copied() {
        for (from, node, weight) in entering.get(&to).into_iter().flatten() {
            let elements = segments.elements(*weight).to_vec();
            meter.work_of(elements.len())?;
            for element in elements {
                let whole = segments.product(element, rest);
                let (state, is_new) = unrolled.insert_full((*from, whole));
                if is_new {
                    states.push(State::default());
                }
                states[state].edges.push((*node, next));
            }
        }
        next += 1;
        meter.work_of(1)?;
    }
    Ok((unrolled, Automaton { starts: Vec::new(), states }))
}
