//! Automata: those of the patterns, of data races and of deadlocks, and those of files. All are read from texts.

use crate::ops::{LocationId, LockId, SomeUse};
use crate::roles::Action;
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

/// An automaton with its name. Locations and locks are numbers of parameters until it is bound.
pub(crate) struct Automaton {
    pub name: String,
    /// The numbers of threads, locations and locks.
    pub parameters: [usize; 3],
    events: Vec<Event>,
}

/// The accesses of the fourteen patterns.
const PATTERNS: [&str; 14] = [
    "T1 read l, T2 write l, T1 write l",
    "T1 read l, T2 write l, T1 read l",
    "T1 write l, T2 read l, T1 write l",
    "T1 write l, T2 write l, T1 read l",
    "T1 write l, T2 write l, T1 write l",
    "T1 write a, T2 write a, T2 write b, T1 write b",
    "T1 write a, T2 write b, T2 write a, T1 write b",
    "T1 write a, T2 write b, T1 write b, T2 write a",
    "T1 write a, T2 read a, T2 read b, T1 write b",
    "T1 write a, T2 read b, T2 read a, T1 write b",
    "T1 read a, T2 write a, T2 write b, T1 read b",
    "T1 read a, T2 write b, T2 write a, T1 read b",
    "T1 read a, T2 write b, T1 read b, T2 write a",
    "T1 write a, T2 read b, T1 write b, T2 read a",
];

/// The text of the automaton of a pattern; `both` is the mode of units.
fn pattern(accesses: &str, both: bool) -> String {
    let locations = if accesses.contains('b') { "a, b" } else { "l" };
    let accesses: Vec<&str> = accesses.split(", ").collect();
    let first = |thread: &str| accesses.iter().position(|access| access.starts_with(thread));
    let last = |thread: &str| accesses.iter().rposition(|access| access.starts_with(thread));
    let has_unit = both && first("T2") < last("T2");
    let mut text = format!("automaton pattern(T1, T2; {locations}) {{ q: on T1 begin -> q0;");
    for (at, access) in accesses.iter().enumerate() {
        let place = Some(at);
        let is_in_second = has_unit && first("T2") < place && place <= last("T2");
        let forbid = match (place <= last("T1"), is_in_second) {
            (true, true) => "forbid T1 end, T2 end;",
            (true, false) => "forbid T1 end;",
            (false, true) => "forbid T2 end;",
            (false, false) => "",
        };
        let is_atomic = has_unit && place == first("T2");
        let access = if is_atomic { access.replace("T2", "T2 atomic") } else { access.to_string() };
        text += &format!("q{at}: {forbid} on {access} -> q{};", at + 1);
    }
    text + "}"
}

/// The text of the automaton number `case` of a deadlock of locks, of which some have modes. The bits of the number say
/// for each of these, the first one in the highest bit, whether it is held (0) or wanted (1) in write mode.
fn deadlock(has_modes: &[bool], case: usize) -> String {
    let locks = has_modes.len();
    let mut bit = has_modes.iter().filter(|has| **has).count();
    let mut modes = Vec::new();
    for has in has_modes {
        bit -= usize::from(*has);
        modes.push(match (has, case >> bit & 1) {
            (false, _) => ("", ""),
            (true, 0) => ("write", ""),
            (true, _) => ("", "write"),
        });
    }
    let parameters = |letter| (0..locks).map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(", ");
    let mut text = format!("automaton deadlock({};; {}) {{", parameters('T'), parameters('l'));
    for thread in 0..locks {
        let forbidden: Vec<String> = (0..thread).map(|earlier| format!("T{earlier} step")).collect();
        let forbid = if thread == 0 { String::new() } else { format!("forbid {};", forbidden.join(", ")) };
        let next = (thread + 1) % locks;
        let (holding, wanted) = (modes[thread].0, modes[next].1);
        let event = format!("on T{thread} wants {wanted} l{next} holding {holding} l{thread}");
        text += &format!("q{thread}: {forbid} {event} -> q{};", thread + 1);
    }
    text + "}"
}

/// The automata of a pattern, a race or a deadlock; none if the name is another one. `has_modes` is of the locks.
pub(crate) fn of_name(name: &str, both: bool, has_modes: &[bool]) -> Vec<Automaton> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| number.to_string() == text);
    let is_deadlock = name.strip_prefix("deadlock").and_then(number) == Some(has_modes.len());
    let modes = has_modes.iter().filter(|has| **has).count();
    let texts: Vec<String> = if let Some(pattern_number) = number(name) {
        let accesses = PATTERNS.get(pattern_number.wrapping_sub(1));
        accesses.map(|accesses| pattern(accesses, both)).into_iter().collect()
    } else if name == "race" {
        let race = |kind| {
            format!("automaton r(T1, T2; l) {{ q0: on T1 write l -> q1; q1: forbid T1 step; on T2 {kind} l -> q2; }}")
        };
        ["read", "write"].map(race).into()
    } else if is_deadlock && (2..=MOST_LOCKS.0).contains(&has_modes.len()) && modes <= MOST_LOCKS.1 {
        (0..1 << modes).map(|case| deadlock(has_modes, case)).collect()
    } else {
        Vec::new()
    };
    texts.iter().flat_map(|text| read(text).unwrap_or_default()).collect()
}

impl Automaton {
    /// The events with the locations and locks of a query, of which there are as many as parameters.
    pub fn bound(&self, locations: &[LocationId], locks: &[LockId]) -> Vec<Event> {
        let some = |one: SomeUse| SomeUse { lock: locks[one.lock.0], ..one };
        let bind = |action| match action {
            Action::Access { write, location, atomic } => {
                Action::Access { write, location: locations[location.0], atomic }
            }
            Action::Wants { wanted, holding } => Action::Wants { wanted: some(wanted), holding: holding.map(some) },
            other => other,
        };
        let event = |event: &Event| Event {
            thread: event.thread,
            action: bind(event.action),
            forbidden: Rc::new(event.forbidden.iter().map(|(thread, action)| (*thread, bind(*action))).collect()),
        };
        self.events.iter().map(event).collect()
    }
}

const RESERVED: &str = "automaton forbid on atomic read write wants holding step";

/// Reads the automata of a text.
pub(crate) fn read(text: &str) -> Result<Vec<Automaton>, Unread> {
    let mut tokens = Tokens::new(text, RESERVED)?;
    let mut automata: Vec<Automaton> = Vec::new();
    while !tokens.peek().text.is_empty() {
        automata.push(automaton(&mut tokens)?);
    }
    Ok(automata)
}

/// The threads, locations and locks of an automaton by name, with their numbers.
type Parameters<'t> = [HashMap<&'t str, usize>; 3];

fn automaton(tokens: &mut Tokens<'_>) -> Result<Automaton, Unread> {
    tokens.expect("automaton")?;
    let name = tokens.name()?;
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    if name.text == "race" || name.text.strip_prefix("deadlock").is_some_and(is_number) {
        return name.error(format!("`{}` is a question of its own", name.text));
    }
    let mut parameters = Parameters::default();
    let mut sign = "(";
    for kind in &mut parameters {
        if !tokens.accept(sign) {
            break;
        }
        sign = ";";
        let is_empty = [";", ")"].contains(&tokens.peek().text);
        for parameter in if is_empty { Vec::new() } else { tokens.names()? } {
            let number = kind.len();
            if kind.insert(parameter.text, number).is_some() {
                return parameter.error("this parameter is there already");
            }
        }
    }
    tokens.expect(") {")?;
    let mut events = Vec::new();
    let mut states: Vec<&str> = vec![tokens.peek().text];
    while !tokens.accept("}") {
        let state = tokens.name()?;
        if states.last() != Some(&state.text) || events.len() >= MOST_EVENTS {
            return state.error("states stand in order, each leads to the next, and there are at most 1000");
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
        let action = action(tokens, &parameters)?;
        events.push(Event { thread, action, forbidden: Rc::new(forbidden) });
        tokens.expect("->")?;
        let next = tokens.name()?;
        if states.contains(&next.text) {
            return next.error("this state is there already");
        }
        states.push(next.text);
        tokens.expect(";")?;
    }
    let parameters = parameters.map(|kind| kind.len());
    if parameters[0] == 0 || !(0..parameters[0]).all(|thread| events.iter().any(|event| event.thread == thread)) {
        return name.error("each thread needs an event");
    }
    Ok(Automaton { name: name.text.into(), parameters, events })
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
    let is_read = if tokens.accept("read") { Some(true) } else { tokens.accept("write").then_some(false) };
    Ok(SomeUse { lock: LockId(tokens.name()?.known(&parameters[2], "lock")?), is_read })
}
