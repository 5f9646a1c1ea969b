//! Cases of a claim: the participants, the events in their order, and the ways in which participants are started (S).

use crate::code::Code;
use crate::instructions::{BodyId, Instances, Lock};
use crate::reach::{Calls, Reached};
use crate::roles::{Action, Event, Forbidden, Participant, Role, role};
use eml::syntax::ast::Mode;
use std::collections::BTreeSet;

/// A participant with its process.
#[derive(Clone, Copy, Debug)]
struct Member {
    process: BodyId,
    /// The number of the event that starts it, if its start has been considered.
    start: Option<usize>,
}

/// Participants and events.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    members: Vec<Member>,
    events: Vec<Event>,
}

impl Case {
    /// The case of an automaton, before starts are considered.
    pub(crate) fn new(processes: &[BodyId], events: Vec<Event>) -> Self {
        Self { members: processes.iter().map(|process| Member { process: *process, start: None }).collect(), events }
    }

    /// The process and role of each participant.
    pub(crate) fn participants(&self) -> Vec<(BodyId, Role)> {
        let members = self.members.iter().enumerate();
        let participants = members.map(|(number, member)| {
            (member.process, role(&self.events, number, member.start.map_or(0, |start| start + 1)))
        });
        participants.collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// The first event that no instruction of its participant can perform (A); only before starts are considered.
    pub(crate) fn absent_event(&self, calls: &Calls) -> Option<usize> {
        self.events.iter().position(|event| !calls.of(self.members[event.owner].process).performs(&event.action))
    }

    /// The locks that the events and the forbidden actions name.
    pub(crate) fn named_locks(&self) -> Vec<Lock> {
        let roles = self.participants();
        let mut locks: Vec<_> =
            roles.iter().flat_map(|(_, role)| role.actions()).flat_map(|action| action.locks()).collect();
        locks.sort_unstable();
        locks.dedup();
        locks
    }

    /// The locks that can refute an interleaving, first those that two participants can acquire, one of them in write
    /// mode; then those at which a participant may stay for ever, by waiting without the lock or by acquiring it in
    /// both modes.
    pub(crate) fn refuting_locks(&self, calls: &Calls) -> Vec<Lock> {
        let reached: Vec<_> = self.members.iter().map(|member| calls.of(member.process)).collect();
        let acquired = reached.iter().flat_map(|reached| reached.acquired_locks());
        let all: BTreeSet<Lock> = acquired.chain(reached.iter().flat_map(|reached| reached.waited_locks())).collect();
        let takes = |reached: &Reached, lock| [Mode::Read, Mode::Write].map(|mode| reached.acquires(lock, mode));
        let is_contended = |lock: &Lock| {
            let taken = reached.iter().map(|reached| takes(reached, *lock));
            taken.clone().filter(|modes| modes.contains(&true)).count() >= 2 && taken.into_iter().any(|modes| modes[1])
        };
        let stays = |lock: &Lock| {
            reached.iter().any(|reached| reached.waits_for(*lock) || takes(reached, *lock) == [true, true])
        };
        let (contended, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_contended);
        contended.into_iter().chain(others.into_iter().filter(stays)).collect()
    }

    /// A participant that is started and whose start has not been considered.
    pub(crate) fn started(&self, calls: &Calls) -> Option<Participant> {
        self.members.iter().position(|member| member.start.is_none() && calls.is_started(member.process))
    }

    /// The cases of the start of a participant, in the order of the format.
    pub(crate) fn starts(&self, participant: Participant, code: &Code, calls: &Calls) -> Vec<Self> {
        let process = self.members[participant].process;
        let starts = |starter: BodyId| calls.of(starter).starts(process);
        let others = (0..self.members.len())
            .filter(|other| *other != participant && starts(self.members[*other].process))
            .map(|other| (self.clone(), other));
        let all = code.ids().filter(|id| code.body(*id).is_process());
        let new = all.filter(|id| starts(*id) && calls.is_rooted(*id) && self.has_instance_left(*id, code, calls));
        let new = new.map(|id| {
            let mut case = self.clone();
            case.members.push(Member { process: id, start: None });
            (case, self.members.len())
        });
        let owned = |event: &Event| event.owner == participant;
        let last = self.events.iter().position(owned).expect("each participant has an event");
        let cases = others.chain(new).flat_map(|(case, starter)| {
            let first = case.members[starter].start.map_or(0, |start| start + 1);
            let places = (first..=last).filter(|place| self.may_step(starter, *place));
            places.map(|place| case.with_start(participant, starter, process, place)).collect::<Vec<_>>()
        });
        cases.collect()
    }

    /// Whether a participant may step in the phase that ends with this event.
    fn may_step(&self, participant: Participant, event: usize) -> bool {
        let forbidden = &self.events[event].forbidden;
        let of_it = |owner: &Option<Participant>| owner.is_none_or(|owner| owner == participant);
        !forbidden.iter().any(|(owner, action)| of_it(owner) && *action == Forbidden::Step)
    }

    fn has_instance_left(&self, process: BodyId, code: &Code, calls: &Calls) -> bool {
        let taken = self.members.iter().filter(|member| member.process == process).count();
        match code.body(process).instances {
            Instances::AtMost(number) => calls.is_started(process) || taken < number as usize,
            Instances::Any => true,
            Instances::None => false,
        }
    }

    /// The same with the start as a new event at this place.
    fn with_start(&self, participant: Participant, starter: Participant, process: BodyId, place: usize) -> Self {
        let mut case = self.clone();
        for member in &mut case.members {
            if let Some(start) = &mut member.start
                && *start >= place
            {
                *start += 1;
            }
        }
        let forbidden = case.events[place].forbidden.clone();
        case.events.insert(place, Event { owner: starter, action: Action::Start(process), forbidden });
        case.members[participant].start = Some(place);
        case
    }
}
