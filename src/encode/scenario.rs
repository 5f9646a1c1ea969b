//! From a query to local words: which process does what in which order.
//!
//! Each start of a participant is one more transition, taken by its creator, which everything that the started thread does
//! must follow. How the starts lie between the transitions of the automaton is not determined, so every merge of the two
//! that respects the order of creation is asked; each is a [`Scenario`], and the query is violated iff some scenario can be
//! carried out.

use super::participants::{Forests, Participants};
use super::start_graph::StartGraph;
use super::word::{Allowed, LocalAction, LocalPhase, LocalWord};
use crate::limits::{Meter, StopReason};
use crate::model::{LocationId, ProcessId};
use crate::query::Query;
use crate::reductions::{Reduction, Reductions};
use crate::witness::PhaseEnd;
use phases::{Automaton, ForbiddenAction, ThreadParameter, Turn, View};
use std::sync::Arc;

/// One way to violate a query: the participants, and what each has to do, phase by phase.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) participants: Participants,
    /// The part of each participant; all have as many phases.
    pub(crate) words: Vec<LocalWord>,
    /// Who ends each phase.
    pub(crate) ends: Vec<PhaseEnd>,
}

/// What ends a phase of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Milestone {
    /// The transition of the automaton with this number.
    Transition(usize),
    /// The start of the participant at this place of the participants.
    Start(usize),
}

/// All scenarios of a query, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Scenarios<'m> {
    query: Query,
    /// The query's automaton, perhaps with fused transitions.
    automaton: Arc<Automaton>,
    forests: Forests<'m>,
    /// The forest whose merges are asked at present.
    participants: Participants,
    /// Beginnings of merges of the forest.
    open: Vec<Vec<Milestone>>,
}

impl<'m> Scenarios<'m> {
    pub(crate) fn new(graph: &Arc<StartGraph<'m>>, query: &Query, reductions: Reductions) -> Self {
        let automaton = query.property.automaton();
        let fused = if reductions.has(Reduction::Begins) { automaton.fuse_begin() } else { None };
        Self {
            query: query.clone(),
            automaton: Arc::new(fused.unwrap_or_else(|| automaton.clone())),
            forests: Forests::new(graph.clone(), &query.processes),
            participants: Participants::new(),
            open: Vec::new(),
        }
    }

    /// The next one; none if there are no more.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn next(&mut self, meter: &Meter) -> Result<Option<Scenario>, StopReason> {
        loop {
            while let Some(front) = self.open.pop() {
                meter.work_of(1 + front.len() * self.participants.len())?;
                if let Some(milestones) = self.extend(front) {
                    return Ok(Some(self.scenario(&milestones)));
                }
            }
            let Some(participants) = self.forests.next(meter)? else { return Ok(None) };
            self.participants = participants;
            self.open.push(Vec::new());
        }
    }

    /// Adds the milestones that can come next, with which no participant acts before its start; gives the merge back if it
    /// is complete: it ends with the last transition.
    fn extend(&mut self, front: Vec<Milestone>) -> Option<Vec<Milestone>> {
        let participants = &self.participants;
        let started = |place: usize| participants[place].creator.is_none() || front.contains(&Milestone::Start(place));
        let done = front.iter().filter(|one| matches!(one, Milestone::Transition(_))).count();
        let Some(phase) = self.automaton.phases().get(done) else { return Some(front) };
        let mut next = Vec::new();
        if started(phase.event.thread.index()) {
            next.push(Milestone::Transition(done));
        }
        let startable = |place: &usize| !started(*place) && participants[*place].creator.is_some_and(started);
        next.extend((0..participants.len()).filter(startable).map(Milestone::Start));
        // The first is taken first.
        let longer = next.into_iter().rev().map(|milestone| front.iter().copied().chain([milestone]).collect());
        self.open.extend(longer.collect::<Vec<_>>());
        None
    }

    /// The scenario of the present forest with these milestones.
    fn scenario(&self, milestones: &[Milestone]) -> Scenario {
        let participants = &self.participants;
        let words = (0..participants.len())
            .map(|place| word(participants, place, milestones, &self.query, &self.automaton))
            .collect();
        let ends = milestones.iter().map(|milestone| end(participants, milestone, &self.automaton)).collect();
        Scenario { participants: participants.clone(), words, ends }
    }
}

fn end(participants: &Participants, milestone: &Milestone, automaton: &Automaton) -> PhaseEnd {
    match *milestone {
        Milestone::Transition(number) => {
            PhaseEnd { owner: automaton.phases()[number].event.thread.index(), starts: None }
        }
        Milestone::Start(place) => PhaseEnd {
            owner: participants[place].creator.expect("only created participants are started"),
            starts: Some(place),
        },
    }
}

/// The part of the participant at a place of the participants.
fn word(
    participants: &Participants,
    place: usize,
    milestones: &[Milestone],
    query: &Query,
    automaton: &Automaton,
) -> LocalWord {
    let thread = (place < query.processes.len()).then(|| ThreadParameter::new(place));
    let View(view) = automaton.view(thread);
    let mut present = participants[place].creator.is_none();
    let mut state = 0;
    let phases = milestones.iter().map(|milestone| {
        let forbidden = view[state].forbidden.iter().map(|action| bound(*action, query)).collect();
        let allowed = if present { Allowed::AllBut(forbidden) } else { Allowed::Nothing };
        let turn = match milestone {
            Milestone::Transition(number) => {
                state = (number + 1).min(view.len() - 1);
                match view[*number].turn {
                    Turn::Own(action) => Turn::Own(LocalAction::Act(action.map_location(|at| location(query, at)))),
                    Turn::Tick => Turn::Tick,
                }
            }
            Milestone::Start(started) => {
                present |= *started == place;
                let own = participants[*started].creator == Some(place);
                if own { Turn::Own(LocalAction::Start(process_of(participants, *started))) } else { Turn::Tick }
            }
        };
        LocalPhase { allowed, turn }
    });
    LocalWord(phases.collect())
}

fn process_of(participants: &Participants, place: usize) -> ProcessId {
    participants[place].process
}

fn location(query: &Query, parameter: phases::LocationParameter) -> LocationId {
    query.locations[parameter.index()]
}

fn bound(action: ForbiddenAction, query: &Query) -> ForbiddenAction<phases::ActionKind<LocationId>> {
    match action {
        ForbiddenAction::Every => ForbiddenAction::Every,
        ForbiddenAction::One(action) => ForbiddenAction::One(action.map_location(|at| location(query, at))),
    }
}
