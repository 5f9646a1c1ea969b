//! Automata: those of the patterns, of data races and of deadlocks, and those of files.

use crate::error::Unread;
use crate::lexer::{Token, Tokens};
use crate::model::{LocationId, LockId, Mode};
use crate::roles::Action;
use std::rc::Rc;

/// The most events of an automaton, also after divisions by starts.
pub(crate) const MOST_EVENTS: usize = 1000;

/// Forbidden actions, each of a thread or of all.
type Forbidden = Vec<(Option<usize>, Action)>;

/// A phase: its forbidden actions, and the event that ends it.
#[derive(Clone)]
pub(crate) struct Event {
    pub thread: usize,
    pub action: Action,
    pub forbidden: Rc<Forbidden>,
}

/// An automaton with its name. Locations and locks are numbers of parameters until it is bound.
pub(crate) struct Automaton {
    pub name: String,
    pub threads: usize,
    pub locations: usize,
    pub locks: usize,
    pub events: Vec<Event>,
}

/// The fourteen patterns: thread, `R` or `W`, location.
const PATTERNS: [&str; 14] = [
    "1Rl 2Wl 1Wl",
    "1Rl 2Wl 1Rl",
    "1Wl 2Rl 1Wl",
    "1Wl 2Wl 1Rl",
    "1Wl 2Wl 1Wl",
    "1Wa 2Wa 2Wb 1Wb",
    "1Wa 2Wb 2Wa 1Wb",
    "1Wa 2Wb 1Wb 2Wa",
    "1Wa 2Ra 2Rb 1Wb",
    "1Wa 2Rb 2Ra 1Wb",
    "1Ra 2Wa 2Wb 1Rb",
    "1Ra 2Wb 2Wa 1Rb",
    "1Ra 2Wb 1Rb 2Wa",
    "1Wa 2Rb 1Wb 2Ra",
];

impl Automaton {
    fn new(name: &str, [threads, locations, locks]: [usize; 3], events: Vec<(usize, Action, Forbidden)>) -> Automaton {
        let event = |(thread, action, forbidden)| Event { thread, action, forbidden: Rc::new(forbidden) };
        Automaton { name: name.into(), threads, locations, locks, events: events.into_iter().map(event).collect() }
    }

    /// The automaton of a pattern; `both` is the mode of units.
    fn pattern(name: &str, accesses: &str, both: bool) -> Automaton {
        let parsed: Vec<(usize, bool, usize)> = accesses
            .split(' ')
            .map(|access| {
                let letters = access.as_bytes();
                (usize::from(letters[0] - b'1'), letters[1] == b'W', usize::from(letters[2] == b'b'))
            })
            .collect();
        let of = |thread| move |(of, _, _): &(usize, bool, usize)| *of == thread;
        let last_of_first = parsed.iter().rposition(of(0)).unwrap_or(0);
        let of_second = (parsed.iter().position(of(1)).unwrap_or(0), parsed.iter().rposition(of(1)).unwrap_or(0));
        let has_unit = both && of_second.0 < of_second.1;
        let mut events = vec![(0, Action::Begin, Vec::new())];
        for (at, &(thread, write, location)) in parsed.iter().enumerate() {
            let mut forbidden = Vec::new();
            if at <= last_of_first {
                forbidden.push((Some(0), Action::End));
            }
            if has_unit && of_second.0 < at && at <= of_second.1 {
                forbidden.push((Some(1), Action::End));
            }
            let atomic = has_unit && at == of_second.0;
            events.push((thread, Action::Access { write, location: LocationId(location), atomic }, forbidden));
        }
        let locations = 1 + usize::from(accesses.contains('b'));
        Automaton::new(name, [2, locations, 0], events)
    }

    /// The automaton of a data race whose second access is a read or a write.
    fn race(write: bool) -> Automaton {
        let access = |write| Action::Access { write, location: LocationId(0), atomic: false };
        let second = (1, access(write), vec![(Some(0), Action::Step)]);
        Automaton::new("race", [2, 1, 0], vec![(0, access(true), Vec::new()), second])
    }

    /// The automaton number `case` of a deadlock of locks, of which some have modes. The bits of the number say for
    /// each of these, the first one in the highest bit, whether it is held (0) or wanted (1) in write mode.
    fn deadlock(name: &str, has_modes: &[bool], case: usize) -> Automaton {
        let locks = has_modes.len();
        let mut bit = has_modes.iter().filter(|has| **has).count();
        let modes: Vec<(Option<Mode>, Option<Mode>)> = has_modes
            .iter()
            .map(|has| {
                bit -= usize::from(*has);
                let write = Some(Mode::Write);
                match (has, case >> bit & 1) {
                    (false, _) => (None, None),
                    (true, 0) => (write, None),
                    (true, _) => (None, write),
                }
            })
            .collect();
        let event = |thread: usize| {
            let next = (thread + 1) % locks;
            let holding = Some((LockId(thread), modes[thread].0));
            let wants = Action::Wants { lock: LockId(next), mode: modes[next].1, holding };
            (thread, wants, (0..thread).map(|other| (Some(other), Action::Step)).collect())
        };
        Automaton::new(name, [locks, 0, locks], (0..locks).map(event).collect())
    }

    /// The automata of a pattern, a race or a deadlock, or as many of them as are needed; none if the name is another
    /// one. `has_modes` is of the locks.
    pub fn of_name(name: &str, both: bool, has_modes: &[bool], needed: usize) -> Option<Vec<Automaton>> {
        if name == "race" {
            return Some(vec![Automaton::race(false), Automaton::race(true)]);
        }
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| number.to_string() == text);
        if let Some(pattern) = number(name) {
            let accesses = PATTERNS.get(pattern.wrapping_sub(1))?;
            return Some(vec![Automaton::pattern(name, accesses, both)]);
        }
        let locks = name.strip_prefix("deadlock").and_then(number)?;
        let modes = has_modes.iter().filter(|has| **has).count();
        let is_possible = locks >= 2 && locks == has_modes.len() && locks <= 500 && modes < 60;
        let cases = || (0..1 << modes).take(needed);
        is_possible.then(|| cases().map(|case| Automaton::deadlock(name, has_modes, case)).collect())
    }

    /// The phases with the locations and locks of a query.
    pub fn bound(&self, locations: &[LocationId], locks: &[LockId]) -> Vec<Event> {
        let bind = |action| match action {
            Action::Access { write, location, atomic } => {
                Action::Access { write, location: locations[location.0], atomic }
            }
            Action::Wants { lock, mode, holding } => {
                let holding = holding.map(|(held, mode): (LockId, _)| (locks[held.0], mode));
                Action::Wants { lock: locks[lock.0], mode, holding }
            }
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

const RESERVED: &[&str] = &["automaton", "forbid", "on", "atomic", "read", "write", "wants", "holding", "step"];

/// The parameters of an automaton by name.
#[derive(Default)]
struct Parameters<'t> {
    threads: Vec<&'t str>,
    locations: Vec<&'t str>,
    locks: Vec<&'t str>,
}

/// Reads the automata of a file.
pub(crate) fn read(text: &str) -> Result<Vec<Automaton>, Unread> {
    let mut tokens = Tokens::new(text, RESERVED)?;
    let mut automata = Vec::new();
    while !tokens.peek().text.is_empty() {
        automata.push(automaton(&mut tokens)?);
    }
    Ok(automata)
}

fn automaton(tokens: &mut Tokens<'_>) -> Result<Automaton, Unread> {
    tokens.expect("automaton")?;
    let name = tokens.name()?;
    let is_taken = name.text == "race" || name.text.strip_prefix("deadlock").is_some_and(|n| n.parse::<u64>().is_ok());
    if is_taken {
        return Err((name.place, format!("`{}` is a question of its own", name.text)));
    }
    tokens.expect("(")?;
    let mut parameters = Parameters { threads: parameters(tokens)?, ..Parameters::default() };
    if tokens.accept(";") {
        parameters.locations = self::parameters(tokens)?;
        if tokens.accept(";") {
            parameters.locks = self::parameters(tokens)?;
        }
    }
    tokens.expect(")")?;
    tokens.expect("{")?;
    let (mut states, mut events): (Vec<&str>, Vec<_>) = (Vec::new(), Vec::new());
    while !tokens.accept("}") {
        let state = tokens.name()?;
        if states.last().is_some_and(|last| *last != state.text) {
            return Err((state.place, "states stand in order, and each leads to the next".into()));
        }
        if states.is_empty() {
            states.push(state.text);
        }
        tokens.expect(":")?;
        let mut forbidden = Vec::new();
        if tokens.accept("forbid") {
            forbidden.push(parameters.forbidden(tokens)?);
            while tokens.accept(",") {
                forbidden.push(parameters.forbidden(tokens)?);
            }
            tokens.expect(";")?;
        }
        tokens.expect("on")?;
        let thread = position(&parameters.threads, tokens.name()?)?;
        let action = parameters.action(tokens)?;
        tokens.expect("->")?;
        let next = tokens.name()?;
        if states.contains(&next.text) || events.len() >= MOST_EVENTS / 2 {
            return Err((next.place, "this state is there already, or there are too many".into()));
        }
        states.push(next.text);
        tokens.expect(";")?;
        events.push((thread, action, forbidden));
    }
    if (0..parameters.threads.len().max(1)).any(|thread| events.iter().all(|(of, ..)| *of != thread)) {
        return Err((name.place, "each thread needs an event".into()));
    }
    let counts = [parameters.threads.len(), parameters.locations.len(), parameters.locks.len()];
    Ok(Automaton::new(name.text, counts, events))
}

/// Different names up to the end of this kind of parameters.
fn parameters<'t>(tokens: &mut Tokens<'t>) -> Result<Vec<&'t str>, Unread> {
    if [";", ")"].contains(&tokens.peek().text) {
        return Ok(Vec::new());
    }
    let place = tokens.peek().place;
    let names: Vec<&str> = tokens.names()?.iter().map(|name| name.text).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() == names.len() { Ok(names) } else { Err((place, "a parameter is there twice".into())) }
}

fn position(names: &[&str], name: Token<'_>) -> Result<usize, Unread> {
    let found = names.iter().position(|known| *known == name.text);
    found.ok_or_else(|| (name.place, format!("there is no such parameter `{}`", name.text)))
}

impl Parameters<'_> {
    fn forbidden(&self, tokens: &mut Tokens<'_>) -> Result<(Option<usize>, Action), Unread> {
        let thread = if tokens.accept("*") { None } else { Some(position(&self.threads, tokens.name()?)?) };
        let action = if tokens.accept("*") {
            Action::All
        } else if tokens.accept("step") {
            Action::Step
        } else {
            self.action(tokens)?
        };
        Ok((thread, action))
    }

    fn action(&self, tokens: &mut Tokens<'_>) -> Result<Action, Unread> {
        let atomic = tokens.accept("atomic");
        let token = tokens.take();
        match token.text {
            "read" | "write" => {
                let location = LocationId(position(&self.locations, tokens.name()?)?);
                Ok(Action::Access { write: token.text == "write", location, atomic })
            }
            "begin" if !atomic => Ok(Action::Begin),
            "end" if !atomic => Ok(Action::End),
            "wants" if !atomic => {
                let (lock, mode) = self.lock(tokens)?;
                let holding = if tokens.accept("holding") { Some(self.lock(tokens)?) } else { None };
                Ok(Action::Wants { lock, mode, holding })
            }
            _ => Err((token.place, "expected an action".into())),
        }
    }

    fn lock(&self, tokens: &mut Tokens<'_>) -> Result<(LockId, Option<Mode>), Unread> {
        let mode = if tokens.accept("read") { Some(Mode::Read) } else { tokens.accept("write").then_some(Mode::Write) };
        Ok((LockId(position(&self.locks, tokens.name()?)?), mode))
    }
}
