//! Automata: those of the patterns, of data races and of deadlocks, and those of files.

use crate::ops::{Action, LocationId, LockId, SomeUse};
use crate::text::{Tokens, Unread};
use std::collections::HashMap;
use std::rc::Rc;

/// The most events of an automaton, also after divisions by starts.
pub(crate) const MOST_EVENTS: usize = 1000;

/// The most locks of a deadlock, and those among them that are read-write locks.
const MOST_LOCKS: (usize, usize) = (64, 6);

/// Forbidden actions, each of a thread or of all.
type Forbidden = Vec<(Option<usize>, Action)>;

/// The event that ends a phase, and what is forbidden until then.
#[derive(Clone)]
pub(crate) struct Event {
    pub thread: usize,
    pub action: Action,
    pub forbidden: Rc<Forbidden>,
}

/// An automaton. Locations and locks are numbers of parameters until it is bound.
pub(crate) struct Automaton {
    /// The numbers of threads, locations and locks.
    pub parameters: [usize; 3],
    events: Vec<Event>,
}

/// The accesses of the fourteen patterns: `R2b` is a read of `b` by T2. A single location is called `a`.
const PATTERNS: [&str; 14] = [
    "R1a W2a W1a",
    "R1a W2a R1a",
    "W1a R2a W1a",
    "W1a W2a R1a",
    "W1a W2a W1a",
    "W1a W2a W2b W1b",
    "W1a W2b W2a W1b",
    "W1a W2b W1b W2a",
    "W1a R2a R2b W1b",
    "W1a R2b R2a W1b",
    "R1a W2a W2b R1b",
    "R1a W2b W2a R1b",
    "R1a W2b R1b W2a",
    "W1a R2b W1b R2a",
];

/// The automaton of a pattern; `both` is the mode of units.
fn pattern(accesses: &str, both: bool) -> Automaton {
    let locations = if accesses.contains('b') { 2 } else { 1 };
    let accesses: Vec<&str> = accesses.split(' ').collect();
    let is_of = |thread: char| move |access: &&str| access.contains(thread);
    let last_of_one = accesses.iter().rposition(is_of('1'));
    let (first_of_two, last_of_two) = (accesses.iter().position(is_of('2')), accesses.iter().rposition(is_of('2')));
    let has_unit = both && first_of_two < last_of_two;
    let mut events = vec![event(0, Action::Begin, Vec::new())];
    for (at, access) in accesses.iter().enumerate() {
        let at = Some(at);
        let is_in_two = has_unit && first_of_two < at && at <= last_of_two;
        let threads = [(0, at <= last_of_one), (1, is_in_two)].into_iter().filter(|(_, is_in_unit)| *is_in_unit);
        let forbidden = threads.map(|(thread, _)| (Some(thread), Action::End)).collect();
        let location = LocationId(usize::from(access.contains('b')));
        let atomic = has_unit && at == first_of_two;
        let action = Action::Access { write: access.contains('W'), location, atomic };
        events.push(event(usize::from(access.contains('2')), action, forbidden));
    }
    Automaton { parameters: [2, locations, 0], events }
}

fn event(thread: usize, action: Action, forbidden: Forbidden) -> Event {
    Event { thread, action, forbidden: Rc::new(forbidden) }
}

/// T1 writes, and then, while it does not move, T2 reads or writes.
fn race(write: bool) -> Automaton {
    let access = |write| Action::Access { write, location: LocationId(0), atomic: false };
    let events = vec![event(0, access(true), Vec::new()), event(1, access(write), vec![(Some(0), Action::Step)])];
    Automaton { parameters: [2, 1, 0], events }
}

/// The automaton number `case` of a deadlock of locks, of which some have modes. The bits of the number say for each of
/// these, the first one in the highest bit, whether it is held (0) or wanted (1) in write mode.
fn deadlock(has_modes: &[bool], case: usize) -> Automaton {
    let count = has_modes.len();
    let some_use = |lock: usize, is_wanted: bool| {
        let later = has_modes[lock + 1..].iter().filter(|has| **has).count();
        let needs_write = has_modes[lock] && (case >> later & 1 == 1) == is_wanted;
        SomeUse { lock: LockId(lock), is_read: needs_write.then_some(false) }
    };
    let wants = |thread: usize| {
        let wanted = some_use((thread + 1) % count, true);
        let forbidden = (0..thread).map(|earlier| (Some(earlier), Action::Step)).collect();
        event(thread, Action::Wants { wanted, holding: Some(some_use(thread, false)) }, forbidden)
    };
    Automaton { parameters: [count, 0, count], events: (0..count).map(wants).collect() }
}

/// The automata of a pattern, a race or a deadlock; none if the name is another one. `has_modes` is of the locks.
pub(crate) fn of_name(name: &str, both: bool, has_modes: &[bool]) -> Vec<Automaton> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| number.to_string() == text);
    let is_deadlock = name.strip_prefix("deadlock").and_then(number) == Some(has_modes.len());
    let modes = has_modes.iter().filter(|has| **has).count();
    if let Some(number) = number(name) {
        PATTERNS.get(number.wrapping_sub(1)).map(|accesses| pattern(accesses, both)).into_iter().collect()
    } else if name == "race" {
        vec![race(false), race(true)]
    } else if is_deadlock && (2..=MOST_LOCKS.0).contains(&has_modes.len()) && modes <= MOST_LOCKS.1 {
        (0..1 << modes).map(|case| deadlock(has_modes, case)).collect()
    } else {
        Vec::new()
    }
}

impl Automaton {
    /// The events with the locations and locks of a query, of which there are as many as parameters.
    pub fn bound(&self, locations: &[LocationId], locks: &[LockId]) -> Vec<Event> {
        let bind_use = |some: &mut SomeUse| some.lock = locks[some.lock.0];
        let bind = |action: &mut Action| match action {
            Action::Access { location, .. } => *location = locations[location.0],
            Action::Wants { wanted, holding } => {
                bind_use(wanted);
                holding.iter_mut().for_each(bind_use);
            }
            _ => {}
        };
        let mut events = self.events.clone();
        for event in &mut events {
            bind(&mut event.action);
            Rc::make_mut(&mut event.forbidden).iter_mut().for_each(|(_, action)| bind(action));
        }
        events
    }
}

const RESERVED: &str = "automaton forbid on atomic read write wants holding step";

/// Reads the automata of a text; each gets a new name.
pub(crate) fn read<'t>(text: &'t str, known: &mut HashMap<&'t str, Automaton>) -> Result<(), Unread> {
    let mut tokens = Tokens::new(text, RESERVED)?;
    while !tokens.peek().text.is_empty() {
        tokens.expect("automaton")?;
        let name = tokens.name()?;
        let is_number = |text: &str| text.parse::<u64>().is_ok();
        if name.text == "race" || name.text.strip_prefix("deadlock").is_some_and(is_number) {
            return name.error(format!("`{}` is a question of its own", name.text));
        }
        let automaton = automaton(&mut tokens)?;
        let has_event = |thread| automaton.events.iter().any(|event| event.thread == thread);
        if automaton.parameters[0] == 0 || !(0..automaton.parameters[0]).all(has_event) {
            return name.error("each thread needs an event");
        }
        name.declare(known, |_| automaton)?;
    }
    Ok(())
}

/// The threads, locations and locks of an automaton by name, with their numbers.
type Parameters<'t> = [HashMap<&'t str, usize>; 3];

fn automaton(tokens: &mut Tokens<'_>) -> Result<Automaton, Unread> {
    let mut parameters = Parameters::default();
    for (kind, sign) in parameters.iter_mut().zip(["(", ";", ";"]) {
        if !tokens.accept(sign) {
            break;
        }
        let is_empty = [";", ")"].contains(&tokens.peek().text);
        for parameter in if is_empty { Vec::new() } else { tokens.names()? } {
            parameter.declare(kind, |number| number)?;
        }
    }
    tokens.expect(") {")?;
    let mut events = Vec::new();
    let mut state = tokens.peek().text;
    let mut states = HashMap::from([(state, 0)]);
    while !tokens.accept("}") {
        let name = tokens.name()?;
        if name.text != state || events.len() >= MOST_EVENTS {
            return name.error("states stand in order, each leads to the next, and there are at most 1000");
        }
        tokens.expect(":")?;
        let mut forbidden = Forbidden::new();
        if tokens.accept("forbid") {
            forbidden.push(forbidden_action(tokens, &parameters)?);
            while tokens.accept(",") {
                forbidden.push(forbidden_action(tokens, &parameters)?);
            }
            tokens.expect(";")?;
        }
        tokens.expect("on")?;
        let thread = tokens.name()?.known(&parameters[0], "thread")?;
        events.push(event(thread, action(tokens, &parameters)?, forbidden));
        tokens.expect("->")?;
        let next = tokens.name()?;
        next.declare(&mut states, |number| number)?;
        state = next.text;
        tokens.expect(";")?;
    }
    Ok(Automaton { parameters: parameters.map(|kind| kind.len()), events })
}

fn forbidden_action(tokens: &mut Tokens<'_>, parameters: &Parameters<'_>) -> Result<(Option<usize>, Action), Unread> {
    let is_any = tokens.accept("*");
    let thread = if is_any { None } else { Some(tokens.name()?.known(&parameters[0], "thread")?) };
    let action = if tokens.accept("*") {
        Action::All
    } else if tokens.accept("step") {
        Action::Step
    } else {
        action(tokens, parameters)?
    };
    Ok((thread, action))
}

fn action(tokens: &mut Tokens<'_>, parameters: &Parameters<'_>) -> Result<Action, Unread> {
    let atomic = tokens.accept("atomic");
    let token = tokens.take();
    match token.text {
        "read" | "write" => {
            let location = LocationId(tokens.name()?.known(&parameters[1], "location")?);
            Ok(Action::Access { write: token.text == "write", location, atomic })
        }
        "begin" if !atomic => Ok(Action::Begin),
        "end" if !atomic => Ok(Action::End),
        "wants" if !atomic => {
            let wanted = some_use(tokens, parameters)?;
            let is_holding = tokens.accept("holding");
            let holding = if is_holding { Some(some_use(tokens, parameters)?) } else { None };
            Ok(Action::Wants { wanted, holding })
        }
        _ => token.error("expected an action"),
    }
}

fn some_use(tokens: &mut Tokens<'_>, parameters: &Parameters<'_>) -> Result<SomeUse, Unread> {
    let is_read = tokens.mode();
    Ok(SomeUse { lock: LockId(tokens.name()?.known(&parameters[2], "lock")?), is_read })
}
