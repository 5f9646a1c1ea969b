//! From a query to local words: the steps of each process, and their order.
//!
//! Each start by a participant is one more transition; all steps of the participants that it spawns come after it. The
//! order between starts and the transitions of the automaton is not determined, so every merge of the two that respects
//! the order of creation is considered. Each merge is a [`Scenario`], and the query is violated iff some scenario has
//! an interleaving.
//!
//! *Threads alone.* There can be very many merges. So a query with starts is first asked about its threads alone, all
//! of them there from the beginning ([`Scenarios::threads_alone`]). If they have no interleaving, no scenario has one.
//! For take an interleaving that carries out a scenario, and leave out all steps of the spawners. The threads still
//! make all transitions of the automaton in the same order. Nobody holds more locks than before, threads may begin
//! early, and phases forbid steps but require none. The starts by threads are steps like others then, and are made
//! while the automaton has the same state.

use super::participants::{Forest, ForestCache, ForestKey, ForestList, Participant, Restraint, UnaidedStarts};
use super::words::{Allowed, LocalAction, LocalPhase, LocalWord};
use crate::query::Query;
use crate::reductions::{Reduction, Reductions};
use crate::semantics::ModelAction;
use crate::witness::PhaseEnd;
use eml::model::{LocationId, LockId};
use limits::{Meter, StopReason};
use phases::{Automaton, ForbiddenAction, ThreadParameter, Turn, View};
use std::sync::Arc;

/// One way to violate a query: the participants, and the local word of each.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) participants: Vec<Participant>,
    /// The word of each participant; all have the same number of phases.
    pub(crate) words: Vec<LocalWord>,
    /// The end of each phase, with the participant that makes it.
    pub(crate) ends: Vec<PhaseEnd>,
    /// The origin of the participants.
    pub(crate) forest: Arc<Forest>,
    /// Whether it is the first one of its query.
    pub(crate) is_first: bool,
}

/// The maximal number of phases of a scenario that is encoded. Operations on words and weights recurse over phases, so
/// this bounds their depth: the stack of a thread has room for several times as many.
const MOST_PHASES: usize = 500;

impl Scenario {
    /// Whether it has more phases than can be encoded.
    pub(crate) fn is_too_long(&self) -> bool {
        self.ends.len() > MOST_PHASES
    }
}

impl Scenario {
    /// Whether the step that ends this phase starts the participant at this place.
    pub(crate) fn begins_after(&self, phase: usize, place: usize) -> bool {
        let is_absent = |phase: &LocalPhase| phase.allowed == Allowed::Nothing;
        let LocalWord(phases) = &self.words[place];
        is_absent(&phases[phase]) && phases.get(phase + 1).is_some_and(|next| !is_absent(next))
    }
}

/// The end of a phase of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Milestone {
    /// The transition of the automaton with this number.
    Transition(usize),
    /// The start of the forest with this number.
    Start(usize),
}

/// All scenarios of a query, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Scenarios<'m> {
    query: Query,
    /// Whether transitions of the automaton are fused.
    fuses: bool,
    forests: ForestList<'m>,
    /// The number of forests taken so far.
    taken: usize,
    /// The forest whose merges are enumerated now.
    present: Option<Arc<Forest>>,
    open: Vec<Vec<Milestone>>,
    /// The number of scenarios made so far.
    made: usize,
    /// Whether the threads are asked about alone.
    threads_first: bool,
}

impl<'m> Scenarios<'m> {
    /// The scenarios of a query. The cache gets the lists of forests that are computed.
    pub(crate) fn new(
        starts: &Arc<UnaidedStarts<'m>>,
        forests: &ForestCache<'m>,
        query: &Query,
        reductions: Reductions,
    ) -> Self {
        let automaton = query.property.automaton();
        // The actions that the first states of the automaton forbid to instances bound to no thread.
        let View(unbound) = automaton.view(None);
        let restraint = |states: usize| {
            let forbidden = unbound[..states].iter().flat_map(|state| &state.forbidden);
            let mut forbidden: Vec<_> = forbidden.map(|action| bound(*action, query)).collect();
            forbidden.sort_unstable();
            forbidden.dedup();
            Restraint { forbidden, avoided: Vec::new(), ends_free: true, never_blocks: true }
        };
        let [early, quick] = [1, unbound.len()].map(restraint);
        Self {
            query: query.clone(),
            fuses: reductions.has(Reduction::Begins),
            forests: forests.of(starts, ForestKey { threads: query.processes.clone(), early, quick }),
            taken: 0,
            present: None,
            open: Vec::new(),
            made: 0,
            threads_first: reductions.has(Reduction::Starts),
        }
    }

    /// The automaton of the query, perhaps with fused transitions.
    fn automaton(&self) -> &Automaton {
        let property = &self.query.property;
        property.fused_automaton().filter(|_| self.fuses).unwrap_or(property.automaton())
    }

    /// The next scenario; none if there are no more.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn next(&mut self, meter: &Meter) -> Result<Option<Scenario>, StopReason> {
        loop {
            if let Some(forest) = self.present.clone() {
                while let Some(front) = self.open.pop() {
                    meter.work_of(1 + front.len() * forest.participants.len())?;
                    if let Some(milestones) = self.extend(&forest, front) {
                        self.made += 1;
                        return Ok(Some(self.scenario(forest, &milestones)));
                    }
                }
            }
            let Some(forest) = self.forests.get(self.taken, meter)? else { return Ok(None) };
            self.taken += 1;
            self.present = Some(forest);
            self.open.push(Vec::new());
        }
    }

    /// The threads of the query alone, all of them available from the beginning; none if no scenario has starts, since
    /// then they are the only scenario. If they have no interleaving, no scenario has one.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn threads_alone(&self, meter: &Meter) -> Result<Option<Scenario>, StopReason> {
        let first = if self.threads_first { self.forests.get(0, meter)? } else { None };
        let Some(first) = first.filter(|first| !first.starts.is_empty()) else { return Ok(None) };
        let milestones: Vec<_> = (0..self.automaton().phases().len()).map(Milestone::Transition).collect();
        Ok(Some(self.scenario(Arc::new(first.threads_alone(self.query.processes.len())), &milestones)))
    }

    /// Leaves out the other scenarios of the present forest. They have the same locks.
    pub(crate) fn skip_forest(&mut self) {
        self.open.clear();
    }

    /// Enqueues the extensions of a merge by each milestone that can come next, so that no participant acts before its
    /// start. Returns the merge if it is complete: it ends with the last transition.
    fn extend(&mut self, forest: &Forest, front: Vec<Milestone>) -> Option<Vec<Milestone>> {
        let is_done = |start: usize| front.contains(&Milestone::Start(start));
        let is_present = |place: usize| forest.participants[place].start.is_none_or(is_done);
        let done = front.iter().filter(|one| matches!(one, Milestone::Transition(_))).count();
        let Some(phase) = self.automaton().phases().get(done) else { return Some(front) };
        // A start leaves the state of the automaton unchanged, so that state must not forbid its spawner all steps.
        let may_step = |place: usize| {
            let View(view) = self.automaton().view(thread(place, &self.query));
            !view[done].forbidden.contains(&ForbiddenAction::Step)
        };
        let can_come = |start: &usize| {
            let spawner = forest.starts[*start].spawner;
            !is_done(*start) && is_present(spawner) && may_step(spawner)
        };
        // Threads that exist early show most violations.
        let mut next: Vec<_> = (0..forest.starts.len()).filter(can_come).map(Milestone::Start).collect();
        if is_present(phase.event.thread.index()) {
            next.push(Milestone::Transition(done));
        }
        // The first extension is taken first.
        let longer = next.into_iter().rev().map(|milestone| front.iter().copied().chain([milestone]).collect());
        self.open.extend(longer.collect::<Vec<_>>());
        None
    }

    /// The scenario of a forest with these milestones.
    fn scenario(&self, forest: Arc<Forest>, milestones: &[Milestone]) -> Scenario {
        let (places, automaton) = (0..forest.participants.len(), self.automaton());
        let words = places.map(|place| word(&forest, place, milestones, &self.query, automaton)).collect();
        let ends = milestones.iter().map(|milestone| end(&forest, milestone, automaton)).collect();
        Scenario { participants: forest.participants.clone(), words, ends, forest, is_first: self.made <= 1 }
    }
}

fn end(forest: &Forest, milestone: &Milestone, automaton: &Automaton) -> PhaseEnd {
    match *milestone {
        Milestone::Transition(number) => {
            PhaseEnd { owner: automaton.phases()[number].event.thread.index(), starts: None }
        }
        Milestone::Start(number) => {
            let start = &forest.starts[number];
            let direct = match start.spawned[..] {
                [only] if forest.participants[only].process == start.process => Some(only),
                _ => None,
            };
            // Quick spawners have numbers after those of the participants (see `with_spawners`).
            PhaseEnd { owner: start.spawner, starts: Some(direct.unwrap_or(forest.participants.len() + number)) }
        }
    }
}

/// The word of the participant at a place of the forest.
fn word(forest: &Forest, place: usize, milestones: &[Milestone], query: &Query, automaton: &Automaton) -> LocalWord {
    let View(view) = automaton.view(thread(place, query));
    let mut present = forest.participants[place].start.is_none();
    let mut state = 0;
    let phases = milestones.iter().map(|milestone| {
        let forbidden = view[state].forbidden.iter().map(|action| bound(*action, query)).collect();
        let allowed = if present { Allowed::AllBut(forbidden) } else { Allowed::Nothing };
        let turn = match milestone {
            Milestone::Transition(number) => {
                state = (number + 1).min(view.len() - 1);
                match view[*number].turn {
                    Turn::Own(action) => Turn::Own(LocalAction::Act(bound_action(action, query))),
                    Turn::Tick => Turn::Tick,
                }
            }
            Milestone::Start(number) => {
                present |= forest.participants[place].start == Some(*number);
                let start = &forest.starts[*number];
                if start.spawner == place { Turn::Own(LocalAction::Start(start.process)) } else { Turn::Tick }
            }
        };
        LocalPhase { allowed, turn }
    });
    LocalWord(phases.collect())
}

/// The thread of the automaton to which the participant at a place is bound.
fn thread(place: usize, query: &Query) -> Option<ThreadParameter> {
    (place < query.processes.len()).then(|| ThreadParameter::new(place))
}

fn location(query: &Query, parameter: phases::LocationParameter) -> LocationId {
    query.locations[parameter.index()]
}

fn lock(query: &Query, parameter: phases::LockParameter) -> LockId {
    query.locks[parameter.index()]
}

fn bound_action(action: phases::Action, query: &Query) -> ModelAction {
    action.map(|at| location(query, at), |at| lock(query, at))
}

fn bound(action: ForbiddenAction, query: &Query) -> ForbiddenAction<ModelAction> {
    match action {
        ForbiddenAction::Every => ForbiddenAction::Every,
        ForbiddenAction::Step => ForbiddenAction::Step,
        ForbiddenAction::One(action) => ForbiddenAction::One(bound_action(action, query)),
    }
}
