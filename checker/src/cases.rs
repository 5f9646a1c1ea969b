//! The cases of a query: absent events, refuted choices of ends, and starts (A, R, S).

use crate::automata::{Automaton, Event, MOST_EVENTS};
use crate::certificate::{Case, Certificate, Query};
use crate::clauses::{Ends, refute};
use crate::closure;
use crate::error::Refusal;
use crate::model::{BodyId, LocationId, LockId, Op};
use crate::program::Program;
use crate::roles::{Action, Role};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::rc::Rc;

type Checked = Result<(), Refusal>;

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

/// A way in which a participant can be started.
struct Way {
    starter: Participant,
    /// The number of the starter; a new one is the last.
    number: usize,
    /// The place of the start in the order of events.
    place: usize,
}

/// Checks queries, and remembers the invariants that are checked.
pub(crate) struct Queries<'a> {
    pub program: &'a Program<'a>,
    pub certificate: &'a Certificate,
    pub automata: &'a [Automaton],
    invariants: HashMap<(usize, Role), Checked>,
    reaching: HashMap<Vec<Op>, Rc<Vec<bool>>>,
}

impl<'a> Queries<'a> {
    pub fn new(program: &'a Program<'a>, certificate: &'a Certificate, automata: &'a [Automaton]) -> Queries<'a> {
        Queries { program, certificate, automata, invariants: HashMap::new(), reaching: HashMap::new() }
    }

    /// Checks a query: each of its automata has a case, and all conditions hold.
    pub fn check(&mut self, query: &Query) -> Checked {
        let model = &self.program.model;
        let locations: Vec<LocationId> = bindings(&query.locations, &model.locations, "location")?;
        let locks: Vec<LockId> = bindings(&query.locks, &model.locks, "lock")?;
        if has_doubles(&locations) || has_doubles(&locks) {
            return Err(Refusal::new("F1", "locations are different, and so are locks"));
        }
        let processes: Vec<BodyId> = bindings(&query.processes, &model.processes, "process")?;
        let modes: Vec<bool> = locks.iter().map(|lock| model.has_modes[lock.0]).collect();
        let made = Automaton::of_name(&query.name, self.certificate.both, &modes, query.cases.saturating_add(1));
        let given = || self.automata.iter().find(|automaton| automaton.name == query.name);
        let automata: Vec<&Automaton> = match &made {
            Some(made) => made.iter().collect(),
            None => given().into_iter().collect(),
        };
        let Some(first) = automata.first() else {
            return Err(Refusal::new("F1", format!("there is no automaton `{}` with these parameters", query.name)));
        };
        let counts = [processes.len(), locations.len(), locks.len()];
        if counts != [first.threads, first.locations, first.locks] {
            return Err(Refusal::new("F1", "the automaton has other numbers of parameters"));
        }
        if automata.len() != query.cases {
            return Err(Refusal::new("F1", "expected one case for each automaton of the query"));
        }
        let participants: Vec<_> =
            processes.iter().map(|process| Participant { process: *process, start: None }).collect();
        for (case, automaton) in automata.iter().enumerate() {
            let events = automaton.bound(&locations, &locks);
            self.cases(query, case, Scenario { participants: participants.clone(), events })?;
        }
        Ok(())
    }

    /// Checks a case and all cases in it, one after the other.
    fn cases(&mut self, query: &Query, case: usize, scenario: Scenario) -> Checked {
        let mut work = vec![(case, Rc::new(scenario), None::<(usize, Way)>)];
        while let Some((case, scenario, way)) = work.pop() {
            let scenario = match way {
                Some((started, way)) => Rc::new(scenario.divided(started, &way)),
                None => scenario,
            };
            match &query.all[case] {
                Case::Absent(event) => self.absent(&scenario, *event)?,
                Case::Refuted { invariants, clauses, choices } => {
                    let ends = self.invariants(&scenario, invariants)?;
                    refute(&ends, clauses, choices)?;
                }
                Case::Start { participant, first, count } => {
                    let ways = self.ways(&scenario, *participant, *count)?;
                    let inner =
                        (*first..).zip(ways).map(|(case, way)| (case, scenario.clone(), Some((*participant, way))));
                    work.extend(inner.collect::<Vec<_>>().into_iter().rev());
                }
            }
        }
        Ok(())
    }

    /// A: No instruction that the thread of an event reaches can perform it.
    fn absent(&mut self, scenario: &Scenario, event: usize) -> Checked {
        let Some(Event { thread, action, .. }) = scenario.events.get(event) else {
            return Err(Refusal::new("A", format!("there is no event {}", event + 1)));
        };
        let process = scenario.participants[*thread].process;
        if self.reaching(action.instructions())[process.0] {
            let name = self.program.model.bodies[process.0].name;
            return Err(Refusal::new("A", format!("`{name}` reaches an instruction of event {}", event + 1)));
        }
        Ok(())
    }

    /// R: Each participant has an invariant; returns the ends.
    fn invariants(&mut self, scenario: &Scenario, numbers: &[usize]) -> Result<Vec<Ends<'a>>, Refusal> {
        if numbers.len() != scenario.participants.len() {
            let reason = format!("expected an invariant for each of {} participants", scenario.participants.len());
            return Err(Refusal::new("R", reason));
        }
        let mut ends = Vec::new();
        for (participant, number) in numbers.iter().enumerate() {
            let role = scenario.role(participant);
            let invariant = &self.certificate.invariants[*number];
            let key = (*number, role.clone());
            let check = || closure::check(self.program, invariant, &role);
            self.invariants.entry(key).or_insert_with(check).clone().map_err(|mut refusal| {
                refusal.message = format!("invariant {number} of participant {}: {}", participant + 1, refusal.message);
                refusal
            })?;
            ends.push(Ends { invariant, first: role.first, segments: closure::ends(self.program, invariant, &role) });
        }
        Ok(ends)
    }

    /// S: All ways in which a participant can be started, if there are as many as cases.
    fn ways(&mut self, scenario: &Scenario, started: usize, cases: usize) -> Result<Vec<Way>, Refusal> {
        let Some(Participant { process, start }) = scenario.participants.get(started).copied() else {
            return Err(Refusal::new("S", format!("there is no participant {}", started + 1)));
        };
        let name = self.program.model.bodies[process.0].name;
        if start.is_some() || !self.program.is_started(process) {
            let reason = format!("participant {} is split already, or nothing starts `{name}`", started + 1);
            return Err(Refusal::new("S", reason));
        }
        if scenario.events.len() >= MOST_EVENTS {
            return Err(Refusal::new("S", format!("there are more than {MOST_EVENTS} events")));
        }
        let reaching = self.reaching(vec![Op::Start(process)]);
        let first = scenario.events.iter().position(|event| event.thread == started).unwrap_or(0);
        let by_participants =
            scenario.participants.iter().copied().enumerate().filter(|(number, _)| *number != started);
        let is_left = |starter: BodyId| {
            let count =
                scenario.participants.iter().filter(|participant| participant.process == starter).count() as u64;
            let instances = self.program.model.bodies[starter.0].instances.unwrap_or(0);
            self.program.is_rooted(starter) && (self.program.is_started(starter) || instances > count)
        };
        let new = self.program.processes().filter(|starter| is_left(*starter));
        let new = new.map(|process| (scenario.participants.len(), Participant { process, start: None }));
        let starters = by_participants.chain(new).filter(|(_, starter)| reaching[starter.process.0]);
        let places = |(number, starter): (usize, Participant)| {
            let begin = starter.start.map_or(0, |start| start + 1);
            let stays = move |thread: Option<usize>| thread.is_none_or(|thread| thread == number);
            let may_step = move |place: &usize| {
                let mut forbidden = scenario.events[*place].forbidden.iter();
                !forbidden.any(|(thread, action)| *action == Action::Step && stays(*thread))
            };
            (begin..=first).filter(may_step).map(move |place| Way { starter, number, place })
        };
        let ways: Vec<Way> = starters.flat_map(places).take(cases.saturating_add(1)).collect();
        if ways.len() == cases {
            return Ok(ways);
        }
        let reason =
            format!("{cases} cases are not all ways in which `{name}` (participant {}) is started", started + 1);
        Err(Refusal::new("S", reason))
    }

    fn reaching(&mut self, ops: Vec<Op>) -> Rc<Vec<bool>> {
        let reaching = || Rc::new(self.program.reaching(ops.iter().copied()));
        self.reaching.entry(ops.clone()).or_insert_with(reaching).clone()
    }
}

impl Scenario {
    /// The scenario in which a participant is started in a way; the start divides a phase.
    fn divided(&self, started: usize, way: &Way) -> Scenario {
        let mut divided = self.clone();
        for participant in &mut divided.participants {
            participant.start = participant.start.map(|start| start + usize::from(start >= way.place));
        }
        if way.number == divided.participants.len() {
            divided.participants.push(way.starter);
        }
        let action = Action::Start(self.participants[started].process);
        let forbidden = self.events[way.place].forbidden.clone();
        divided.events.insert(way.place, Event { thread: way.number, action, forbidden });
        divided.participants[started].start = Some(way.place);
        divided
    }

    fn role(&self, participant: usize) -> Role {
        let phase = |event: &Event| {
            let is_own = |thread: &Option<usize>| thread.is_none_or(|thread| thread == participant);
            let forbidden = event.forbidden.iter().filter(|(thread, _)| is_own(thread)).map(|(_, action)| *action);
            let forbidden: BTreeSet<Action> = forbidden.collect();
            (forbidden.into_iter().collect(), (event.thread == participant).then_some(event.action))
        };
        let Participant { process, start } = self.participants[participant];
        Role { process, first: start.map_or(1, |start| start + 2), phases: self.events.iter().map(phase).collect() }
    }
}

fn bindings<T: Copy>(names: &[String], known: &HashMap<&str, T>, kind: &str) -> Result<Vec<T>, Refusal> {
    let find = |name: &String| known.get(name.as_str()).copied();
    let missing = |name: &String| Refusal::new("F1", format!("the model has no {kind} `{name}`"));
    names.iter().map(|name| find(name).ok_or_else(|| missing(name))).collect()
}

fn has_doubles<T: Eq + Hash + Copy>(all: &[T]) -> bool {
    all.iter().collect::<std::collections::HashSet<_>>().len() < all.len()
}
