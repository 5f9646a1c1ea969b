//! The cases of a query: absent events, refuted choices of ends, and starts (A, R, S).

use crate::automata::{Automaton, Event, MOST_EVENTS, of_name};
use crate::certificate::{Case, Certificate, Query, Segment};
use crate::clauses::{Ends, refute};
use crate::closure;
use crate::ops::{Action, BodyId, LocationId, LockId, Phase, Role};
use crate::program::Program;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

type Checked = Result<(), String>;

/// The ends of an invariant that keeps its conditions.
type CheckedEnds<'a> = Result<&'a [Rc<Segment>], String>;

/// Participants and the order of events in which a violation is sought.
#[derive(Clone)]
struct Scenario {
    participants: Vec<Participant>,
    events: Vec<Event>,
}

#[derive(Clone, Copy)]
struct Participant {
    process: BodyId,
    /// The event that starts it, if a case S made it one.
    start: Option<usize>,
}

/// Scenarios that have no case yet, made one by one.
type Scenarios<'a> = Box<dyn Iterator<Item = Scenario> + 'a>;

/// Checks queries, and remembers the invariants that were checked.
pub(crate) struct Queries<'a> {
    pub program: &'a Program<'a>,
    pub certificate: &'a Certificate<'a>,
    pub automata: &'a HashMap<&'a str, Automaton>,
    pub invariants: HashMap<(usize, Role), CheckedEnds<'a>>,
    pub reaching: HashMap<Action, Rc<Vec<bool>>>,
}

impl<'a> Queries<'a> {
    /// Checks a query: each of its automata has a case, and all conditions hold.
    pub fn check(&mut self, query: &Query<'_>) -> Checked {
        let locations: Vec<LocationId> = query.locations.iter().map(|(_, location)| *location).collect();
        let locks: Vec<LockId> = query.locks.iter().map(|(_, lock)| *lock).collect();
        if has_doubles(&locations) || has_doubles(&locks) {
            return Err("F1: locations are different, and so are locks".into());
        }
        let modes: Vec<bool> = locks.iter().map(|lock| self.program.model.has_modes[lock.0]).collect();
        let made = of_name(query.name, self.certificate.both, &modes);
        self.program.work(made.len() * locks.len() * locks.len())?;
        let given = self.automata.get(query.name).filter(|_| made.is_empty());
        let automata: Vec<&Automaton> = made.iter().chain(given).collect();
        let counts = [query.processes.len(), locations.len(), locks.len()];
        if automata.first().is_none_or(|first| first.parameters != counts) {
            return Err(format!("F1: there is no automaton `{}` with so many parameters", query.name));
        }
        let participant = |(_, process): &(&str, BodyId)| Participant { process: *process, start: None };
        let participants: Vec<Participant> = query.processes.iter().map(participant).collect();
        let events = automata.iter().map(|automaton| automaton.bound(&locations, &locks));
        let first = events.map(move |events| Scenario { participants: participants.clone(), events });
        // Those of a case S come before the others.
        let mut open: Vec<Scenarios<'_>> = vec![Box::new(first)];
        for (number, case) in query.cases.iter().enumerate() {
            let Some(scenario) = next(&mut open) else { return Err("F1: there are more cases than needed".into()) };
            let size: usize = scenario.events.iter().map(|event| event.forbidden.len() + 1).sum();
            self.program.work(size * scenario.participants.len())?;
            match case {
                Case::Absent(event) => self.absent(&scenario, *event)?,
                Case::Refuted(refutation) => {
                    refute(self.program, &self.ends(&scenario, &refutation.invariants)?, refutation)?
                }
                Case::Start(participant) => {
                    open.push(self.starts(scenario, *participant, query.cases.len() - number - 1)?);
                }
            }
        }
        if next(&mut open).is_none() {
            return Ok(());
        }
        Err("S: an automaton, or a way to start a participant, has no case".into())
    }

    /// A: No instruction that the thread of an event reaches can perform it.
    fn absent(&mut self, scenario: &Scenario, event: usize) -> Checked {
        let number = event + 1;
        let Some(event) = scenario.events.get(event) else { return Err(format!("A: there is no event {number}")) };
        let process = scenario.participants[event.thread].process;
        if self.reaching(event.action)?[process.0] {
            let name = self.program.name(process);
            return Err(format!("A: `{name}` reaches an instruction of event {number}"));
        }
        Ok(())
    }

    /// R: Each participant has an invariant; returns the ends.
    fn ends(&mut self, scenario: &Scenario, numbers: &[usize]) -> Result<Vec<Ends<'a>>, String> {
        if numbers.len() != scenario.participants.len() {
            return Err(format!("R: expected an invariant for each of {} participants", scenario.participants.len()));
        }
        let mut ends = Vec::new();
        for (participant, number) in numbers.iter().enumerate() {
            let role = scenario.role(participant);
            let first = role.first;
            let (program, invariant) = (self.program, &self.certificate.invariants[*number]);
            let checked = self.invariants.entry((*number, role)).or_insert_with_key(|(_, role)| {
                closure::check(program, invariant, role).map_err(|reason| format!("{reason} (invariant {number})"))
            });
            ends.push(Ends { first, segments: checked.clone()? });
        }
        Ok(ends)
    }

    /// S: The scenarios for all ways in which a participant can be started, at most so many.
    fn starts(&mut self, scenario: Scenario, started: usize, most: usize) -> Result<Scenarios<'a>, String> {
        let program = self.program;
        let participants = &scenario.participants;
        let can_start = |it: &&Participant| it.start.is_none() && program.is_started[it.process.0];
        let Some(Participant { process, .. }) = participants.get(started).filter(can_start) else {
            return Err(format!("S: participant {} is started already, or by nothing", started + 1));
        };
        if scenario.events.len() >= MOST_EVENTS {
            return Err(format!("S: there are more than {MOST_EVENTS} events"));
        }
        let reaching = self.reaching(Action::Start(*process))?;
        program.work(program.model.bodies.len() * participants.len())?;
        let is_left = |starter: &BodyId| {
            let count = participants.iter().filter(|participant| participant.process == *starter).count();
            let instances = program.model.bodies[starter.0].instances.unwrap_or(0);
            program.is_rooted[starter.0] && (program.is_started[starter.0] || instances > count)
        };
        let others = participants.iter().copied().enumerate().filter(|(number, _)| *number != started);
        let new = |process| (participants.len(), Participant { process, start: None });
        let starters = others.chain(program.processes().filter(is_left).map(new));
        let first = scenario.events.iter().position(|event| event.thread == started).unwrap_or(0);
        let ways = starters.filter(|(_, starter)| reaching[starter.process.0]).flat_map(|(number, starter)| {
            let places = starter.start.map_or(0, |start| start + 1)..=first;
            let may_step = |place: &usize| scenario.forbidden(number, *place).all(|action| action != Action::Step);
            places.filter(may_step).map(move |place| (number, starter, place)).collect::<Vec<_>>()
        });
        let ways: Vec<(usize, Participant, usize)> = ways.take(most.saturating_add(1)).collect();
        if ways.len() > most {
            return Err(format!("S: not every way to start participant {} has a case", started + 1));
        }
        Ok(Box::new(ways.into_iter().map(move |(number, starter, at)| scenario.divided(started, number, starter, at))))
    }

    /// The bodies that reach an instruction that can perform an action.
    fn reaching(&mut self, action: Action) -> Result<Rc<Vec<bool>>, String> {
        if let Some(known) = self.reaching.get(&action) {
            return Ok(known.clone());
        }
        let reaching = Rc::new(self.program.reaching(|op| action.can_be(op))?);
        self.reaching.insert(action, reaching.clone());
        Ok(reaching)
    }
}

/// The next scenario that has no case.
fn next(open: &mut Vec<Scenarios<'_>>) -> Option<Scenario> {
    while let Some(last) = open.last_mut() {
        if let Some(scenario) = last.next() {
            return Some(scenario);
        }
        open.pop();
    }
    None
}

impl Scenario {
    /// The actions of a participant that are forbidden in the phase that ends with an event.
    fn forbidden(&self, participant: usize, event: usize) -> impl Iterator<Item = Action> {
        let is_own = move |thread: Option<usize>| thread.is_none_or(|thread| thread == participant);
        self.events[event].forbidden.iter().filter(move |(thread, _)| is_own(*thread)).map(|(_, action)| *action)
    }

    /// The scenario in which a participant is started by another one, or by a new one, which is the last. The start
    /// divides the phase that ends with an event.
    fn divided(&self, started: usize, number: usize, starter: Participant, event: usize) -> Scenario {
        let mut divided = self.clone();
        for participant in &mut divided.participants {
            participant.start = participant.start.map(|start| start + usize::from(start >= event));
        }
        if number == divided.participants.len() {
            divided.participants.push(starter);
        }
        divided.participants[started].start = Some(event);
        let action = Action::Start(self.participants[started].process);
        divided.events.insert(event, Event { thread: number, action, forbidden: self.events[event].forbidden.clone() });
        divided
    }

    fn role(&self, participant: usize) -> Role {
        let phase = |(number, event): (usize, &Event)| {
            let forbidden: BTreeSet<Action> = self.forbidden(participant, number).collect();
            let own = (event.thread == participant).then_some(event.action);
            Phase { forbidden: forbidden.into_iter().collect(), own }
        };
        let Participant { process, start } = self.participants[participant];
        let phases = self.events.iter().enumerate().map(phase).collect();
        Role { process, first: start.map_or(0, |start| start + 1), phases }
    }
}

fn has_doubles<T: Ord + Copy>(all: &[T]) -> bool {
    all.iter().collect::<BTreeSet<_>>().len() < all.len()
}
