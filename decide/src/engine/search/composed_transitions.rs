//! Composed transitions: a visible step followed by all possible invisible steps of the same thread.
//!
//! Stoller (000, section 5.2; 002, section 5): the reduced system C(M) has a transition for each visible one and each
//! sequence of invisible ones after it that ends at a visible control point. By Theorem 4 it has the same visible
//! states. Here the sequences are not enumerated: those that end in the same local state and phase are merged. The ends
//! are computed once for each local state and phase, since invisible steps depend on nothing else.
//!
//! # Without BoundedInvis
//!
//! The theorem requires bounded invisible sequences (BoundedInvis), since a search that only follows them would never
//! reach the other threads. Here the ends are the reachable visible states, however long the path, so a loop of
//! invisible steps is no problem in itself. A thread that can enter a loop without an exit stays somewhere in this
//! loop. Other threads do not notice its steps there, and it may leave the loop in another phase. One place of such a
//! loop also counts as an end, and is treated as visible, which is always allowed.

use super::effects::{EffectId, Phase};
use super::future_operations::FutureOperations;
use super::local_states::{LocalId, LocalStates, StepId};
use super::reduction::{SearchReduction, SearchReductions};
use super::statistics::Savings;
use super::visibility::Visibility;
use indexmap::IndexMap;
use limits::{Meter, StopReason};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// A place that a thread can reach by invisible steps, with one path to it.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) local: LocalId,
    pub(super) phase: Phase,
    pub(super) steps: Box<[StepId]>,
    /// The reductions that made these steps invisible.
    pub(super) saved: Savings,
}

/// A local state in a phase.
type Place = (LocalId, Phase);

/// The memoized ends of invisible steps.
#[derive(Clone, Debug)]
pub(super) struct Composer {
    visibility: Visibility,
    /// Places in loops without an exit; they are treated as visible.
    stuck: FxHashSet<Place>,
    ends: FxHashMap<Place, Rc<[End]>>,
}

impl Composer {
    pub(super) fn new(visibility: Visibility) -> Self {
        Self { visibility, stuck: FxHashSet::default(), ends: FxHashMap::default() }
    }

    /// Returns the reductions by which a thread at this place is explored before all others; `None` if it is not.
    pub(super) fn invisible_by(
        &mut self,
        locals: &mut LocalStates<'_>,
        futures: &FutureOperations,
        place: Place,
        meter: &Meter,
    ) -> Result<Option<SearchReductions>, StopReason> {
        let Some(needed) = self.visibility.invisible_by(locals, futures, place.0, place.1) else { return Ok(None) };
        // The places in loops without an exit are known only after the ends.
        self.ends(locals, futures, place, meter)?;
        Ok((!self.stuck.contains(&place)).then_some(needed))
    }

    /// Returns the definition of invisible steps.
    pub(super) fn visibility(&self) -> &Visibility {
        &self.visibility
    }

    /// Records that a thread executes a step with this effect, or is about to.
    pub(super) fn note(&mut self, locals: &LocalStates<'_>, from: LocalId, effect: EffectId) {
        self.visibility.note(locals, from, effect);
    }

    /// Returns the ends of invisible steps from a place; for a visible place only the place itself.
    pub(super) fn ends(
        &mut self,
        locals: &mut LocalStates<'_>,
        futures: &FutureOperations,
        place: Place,
        meter: &Meter,
    ) -> Result<Rc<[End]>, StopReason> {
        if let Some(known) = self.ends.get(&place) {
            return Ok(known.clone());
        }
        let walk = self.walk(locals, futures, place, meter)?;
        let mut ends: Vec<usize> = (0..walk.places.len()).filter(|index| walk.next[*index].is_empty()).collect();
        for loops in walk.bottoms() {
            self.stuck.insert(*walk.places.get_index(loops).expect("a place of the walk").0);
            ends.push(loops);
        }
        let ends: Rc<[End]> = ends.into_iter().map(|index| walk.end(index)).collect();
        self.ends.insert(place, ends.clone());
        Ok(ends)
    }

    fn walk(
        &mut self,
        locals: &mut LocalStates<'_>,
        futures: &FutureOperations,
        place: Place,
        meter: &Meter,
    ) -> Result<Walk, StopReason> {
        let mut walk = Walk::default();
        walk.places.insert(place, None);
        while walk.next.len() < walk.places.len() {
            let index = walk.next.len();
            let (local, phase) = *walk.places.get_index(index).expect("a place of the walk").0;
            let mut next = Vec::new();
            let may_go_on = phase < locals.effects.accepting() && !self.stuck.contains(&(local, phase));
            let needed = self.visibility.invisible_by(locals, futures, local, phase).filter(|_| may_go_on);
            walk.needed.push(needed.unwrap_or(SearchReductions::none()));
            for id in locals.steps(local).filter(|_| needed.is_some()) {
                meter.work_of(1)?;
                let (effect, after) = (locals.step(id).effect, locals.step(id).after);
                self.visibility.note(locals, local, effect);
                for phase in locals.effects.after(effect, phase) {
                    let entry = walk.places.entry((after, phase));
                    next.push(entry.index());
                    entry.or_insert(Some((index, id)));
                }
            }
            walk.next.push(next);
        }
        Ok(walk)
    }
}

/// All places reachable by invisible steps.
#[derive(Default)]
struct Walk {
    /// The places, each with the place and the step from which it was first reached.
    places: IndexMap<Place, Option<(usize, StepId)>, FxBuildHasher>,
    next: Vec<Vec<usize>>,
    /// The reductions that make the steps of each place invisible.
    needed: Vec<SearchReductions>,
}

impl Walk {
    /// Returns one place of each loop without an exit (bottom component).
    fn bottoms(&self) -> Vec<usize> {
        let mut graph = DiGraph::<(), ()>::with_capacity(self.next.len(), self.next.len());
        for _ in &self.next {
            graph.add_node(());
        }
        for (from, next) in self.next.iter().enumerate() {
            for to in next {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(*to), ());
            }
        }
        let components = kosaraju_scc(&graph);
        let mut component_of = vec![0; self.next.len()];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[node.index()] = number);
        }
        let is_bottom = |component: &&Vec<NodeIndex>| {
            let of = |node: &NodeIndex| component_of[node.index()];
            component.iter().all(|node| {
                let next = &self.next[node.index()];
                !next.is_empty() && next.iter().all(|next| component_of[*next] == of(node))
            })
        };
        let bottoms = components.iter().filter(is_bottom);
        bottoms.filter_map(|component| component.iter().map(|node| node.index()).min()).collect()
    }

    fn end(&self, index: usize) -> End {
        let (local, phase) = *self.places.get_index(index).expect("a place of the walk").0;
        let mut steps = Vec::new();
        let mut saved = Savings::default();
        let mut at = index;
        while let Some((before, step)) = self.places[at] {
            steps.push(step);
            saved.save(SearchReduction::Composed, 1);
            saved.save_each(self.needed[before]);
            at = before;
        }
        steps.reverse();
        End { local, phase, steps: steps.into(), saved }
    }
}
