//! Composed transitions: a visible step and all invisible steps of the same thread that can follow.
//!
//! Stoller (000, section 5.2; 002, section 5): the reduced system C(M) has a transition for each visible one and each
//! sequence of invisible ones after it that ends at a visible control point; with Theorem 4 it has the same visible
//! states. Here the sequences are not enumerated: those that end in the same local state and phase are one, and their
//! ends are computed once for each local state and phase, since invisible steps depend on nothing else.
//!
//! # Without BoundedInvis
//!
//! The theorem asks that invisible sequences are bounded (BoundedInvis), since a search that only follows them would
//! never come to the others. Here the ends are the visible states that can be reached, however long the way, so loops
//! of invisible steps do no harm. A thread that can come to a loop out of which it never comes stays somewhere in this
//! loop: all that it can do in it others do not notice, and in another phase it can go on from there. Such a place is
//! called an end, too, and taken to be visible, which is always allowed.

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

/// Where a thread can be after invisible steps, and one way to get there.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) local: LocalId,
    pub(super) phase: Phase,
    pub(super) steps: Box<[StepId]>,
    /// What made these steps invisible.
    pub(super) saved: Savings,
}

/// A local state in a phase.
type Place = (LocalId, Phase);

/// What invisible steps lead to.
#[derive(Clone, Debug)]
pub(super) struct Composer {
    visibility: Visibility,
    /// Places in loops out of which nothing leads; they are taken to be visible.
    stuck: FxHashSet<Place>,
    ends: FxHashMap<Place, Rc<[End]>>,
}

impl Composer {
    pub(super) fn new(visibility: Visibility) -> Self {
        Self { visibility, stuck: FxHashSet::default(), ends: FxHashMap::default() }
    }

    /// The reductions by which a thread at this place has to go on before the others are asked; none if it has not.
    pub(super) fn invisible_by(
        &mut self,
        locals: &mut LocalStates<'_>,
        futures: &FutureOperations,
        place: Place,
        meter: &Meter,
    ) -> Result<Option<SearchReductions>, StopReason> {
        let Some(needed) = self.visibility.invisible_by(locals, futures, place.0, place.1) else { return Ok(None) };
        // Whether it is stuck is known only once its ends are.
        self.ends(locals, futures, place, meter)?;
        Ok((!self.stuck.contains(&place)).then_some(needed))
    }

    /// What makes steps invisible.
    pub(super) fn visibility(&self) -> &Visibility {
        &self.visibility
    }

    /// Notes that a thread executes a step with this effect, or is about to.
    pub(super) fn note(&mut self, locals: &LocalStates<'_>, from: LocalId, effect: EffectId) {
        self.visibility.note(locals, from, effect);
    }

    /// Where invisible steps lead from a place; for a visible place nowhere else.
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

/// All places that invisible steps lead to.
#[derive(Default)]
struct Walk {
    /// The places, with where each was reached from first, by which step.
    places: IndexMap<Place, Option<(usize, StepId)>, FxBuildHasher>,
    next: Vec<Vec<usize>>,
    /// What makes the steps of each of them invisible.
    needed: Vec<SearchReductions>,
}

impl Walk {
    /// One place of each loop out of which nothing leads.
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
