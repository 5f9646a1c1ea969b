//! From a query to local words: which process does what in which order.
//!
//! Each start of a participant is one more transition, taken by its creator, which everything that the started thread does
//! must follow. How the starts lie between the transitions of the automaton is not determined, so every merge of the two
//! that respects the order of creation is asked; each is a [`Plan`], and the query is violated iff some plan can be
//! carried out.

use super::cast::{Cast, casts};
use super::word::{Conduct, LocalAction, LocalPhase, LocalWord};
use crate::model::{LocationId, Model, ProcessId};
use crate::query::Query;
use crate::reductions::{Reduction, Reductions};
use crate::witness::PhaseEnd;
use phases::{Automaton, ForbiddenAction, ThreadParameter, Turn, View};

/// One way to violate a query: the participants, and what each has to do, phase by phase.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) cast: Cast,
    /// The part of each participant; all have as many phases.
    pub(crate) words: Vec<LocalWord>,
    /// Who ends each phase.
    pub(crate) ends: Vec<PhaseEnd>,
}

/// What ends a phase of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Milestone {
    /// The transition of the automaton with this number.
    Transition(usize),
    /// The start of the participant at this place of the cast.
    Start(usize),
}

/// All plans of a query.
pub(crate) fn plans(model: &Model, query: &Query, reductions: Reductions) -> Vec<Plan> {
    let automaton = query.property.automaton();
    let fused = if reductions.has(Reduction::Begins) { automaton.fuse_begin() } else { None };
    let automaton = fused.as_ref().unwrap_or(automaton);
    let mut plans = Vec::new();
    for cast in casts(model, &query.processes) {
        for milestones in merges(&cast, automaton) {
            let words = (0..cast.len()).map(|place| word(&cast, place, &milestones, query, automaton)).collect();
            let ends = milestones.iter().map(|milestone| end(&cast, milestone, automaton)).collect();
            plans.push(Plan { cast: cast.clone(), words, ends });
        }
    }
    plans
}

/// All orders of transitions and starts in which no participant acts before its start, ending with the last transition.
fn merges(cast: &Cast, automaton: &Automaton) -> Vec<Vec<Milestone>> {
    let mut merges = Vec::new();
    merge(cast, automaton, &mut Vec::new(), &mut merges);
    merges
}

fn merge(cast: &Cast, automaton: &Automaton, front: &mut Vec<Milestone>, merges: &mut Vec<Vec<Milestone>>) {
    let started = |place: usize| cast[place].creator.is_none() || front.contains(&Milestone::Start(place));
    let done = front.iter().filter(|one| matches!(one, Milestone::Transition(_))).count();
    let mut next = Vec::new();
    match automaton.phases().get(done) {
        Some(phase) if started(phase.event.thread.index()) => next.push(Milestone::Transition(done)),
        Some(_) => {}
        None => merges.push(front.clone()),
    }
    if done < automaton.phases().len() {
        let startable = |place: &usize| !started(*place) && cast[*place].creator.is_some_and(started);
        next.extend((0..cast.len()).filter(startable).map(Milestone::Start));
    }
    for milestone in next {
        front.push(milestone);
        merge(cast, automaton, front, merges);
        front.pop();
    }
}

fn end(cast: &Cast, milestone: &Milestone, automaton: &Automaton) -> PhaseEnd {
    match *milestone {
        Milestone::Transition(number) => {
            PhaseEnd { owner: automaton.phases()[number].event.thread.index(), starts: None }
        }
        Milestone::Start(place) => {
            PhaseEnd { owner: cast[place].creator.expect("only created participants are started"), starts: Some(place) }
        }
    }
}

/// The part of the participant at a place of the cast.
fn word(cast: &Cast, place: usize, milestones: &[Milestone], query: &Query, automaton: &Automaton) -> LocalWord {
    let thread = (place < query.processes.len()).then(|| ThreadParameter::new(place));
    let View(view) = automaton.view(thread);
    let mut present = cast[place].creator.is_none();
    let mut state = 0;
    let phases = milestones.iter().map(|milestone| {
        let forbidden = view[state].forbidden.iter().map(|action| bound(*action, query)).collect();
        let conduct = if present { Conduct::Forbidden(forbidden) } else { Conduct::Absent };
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
                let own = cast[*started].creator == Some(place);
                if own { Turn::Own(LocalAction::Start(process_of(cast, *started))) } else { Turn::Tick }
            }
        };
        LocalPhase { conduct, turn }
    });
    LocalWord(phases.collect())
}

fn process_of(cast: &Cast, place: usize) -> ProcessId {
    cast[place].process
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
