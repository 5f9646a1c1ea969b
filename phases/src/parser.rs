//! The text form of automata.
//!
//! ```text
//! file      = { automaton } ;
//! automaton = "automaton" name "(" names [ ";" [ names ] [ ";" [ names ] ] ] ")" "{" { state } "}" ;
//! state     = name ":" [ "forbid" forbidden { "," forbidden } ";" ] "on" name action "->" name ";" ;
//! forbidden = ( name | "*" ) ( action | "*" | "step" ) ;
//! action    = [ "atomic" ] ( "read" | "write" ) name | "begin" | "end" | "wants" lock [ "holding" lock ] ;
//! lock      = [ "read" | "write" ] name ;
//! ```
//!
//! The names between the parentheses are threads, locations and locks. The words `wants`, `holding` and `step` are no
//! keywords: no name is allowed where they have a meaning.

use crate::automaton::{
    Access, Action, ActionKind, Automaton, Event, Forbidden, ForbiddenAction, LocationParameter, LockParameter,
    LockUse, Mode, Phase, ThreadParameter,
};
use crate::error::{ErrorKind, TextError};
use crate::lexer::{Token, tokens};
use std::str::FromStr;

/// Reads any number of automata. Linear in the length of the text for automata of bounded size.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Vec<Automaton>, TextError> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0 };
    let mut automata: Vec<Automaton> = Vec::new();
    while !parser.at_end() {
        let (name, automaton) = parser.automaton()?;
        if automata.iter().any(|other| other.name == automaton.name) {
            return Err(duplicate("automaton", &name));
        }
        automata.push(automaton);
    }
    Ok(automata)
}

/// Reads exactly one automaton.
impl FromStr for Automaton {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut parser = Parser { tokens: tokens(text)?, next: 0 };
        let (_, automaton) = parser.automaton()?;
        if parser.at_end() { Ok(automaton) } else { Err(parser.expected("the end of the text")) }
    }
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
}

/// The parameters of the current automaton.
struct Scope<'a> {
    threads: Vec<Token<'a>>,
    locations: Vec<Token<'a>>,
    locks: Vec<Token<'a>>,
}

/// A state in the text.
struct State<'a> {
    name: Token<'a>,
    forbidden: Vec<Forbidden>,
    event: Event,
    target: Token<'a>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    fn at_end(&self) -> bool {
        self.next + 1 == self.tokens.len()
    }

    /// Takes the next token if it is this one; returns whether it is.
    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek().text == text && !self.at_end();
        self.next += usize::from(found);
        found
    }

    fn expected(&self, expected: &'static str) -> TextError {
        let token = self.peek();
        let found = if token.text.is_empty() { "the end of the text".into() } else { format!("`{}`", token.text) };
        token.error(ErrorKind::Expected { expected, found })
    }

    fn sign(&mut self, text: &str, expected: &'static str) -> Result<(), TextError> {
        if self.eat(text) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn name(&mut self, expected: &'static str) -> Result<Token<'a>, TextError> {
        let token = self.peek();
        if token.is_name() {
            self.next += 1;
            Ok(token)
        } else if crate::lexer::KEYWORDS.contains(&token.text) {
            Err(token.error(ErrorKind::Keyword(token.text.into())))
        } else {
            Err(self.expected(expected))
        }
    }

    /// Reads one or more different names.
    fn names(&mut self, what: &'static str, expected: &'static str) -> Result<Vec<Token<'a>>, TextError> {
        let mut names: Vec<Token<'a>> = Vec::new();
        loop {
            let name = self.name(expected)?;
            if names.iter().any(|other| other.text == name.text) {
                return Err(duplicate(what, &name));
            }
            names.push(name);
            if !self.eat(",") {
                return Ok(names);
            }
        }
    }

    /// Reads an optional list of names after a `;`.
    fn more_names(&mut self, what: &'static str, expected: &'static str) -> Result<Vec<Token<'a>>, TextError> {
        if self.eat(";") && ![")", ";"].contains(&self.peek().text) {
            self.names(what, expected)
        } else {
            Ok(Vec::new())
        }
    }

    fn automaton(&mut self) -> Result<(Token<'a>, Automaton), TextError> {
        self.sign("automaton", "`automaton`")?;
        let name = self.name("the name of the automaton")?;
        self.sign("(", "`(` and the parameters")?;
        let threads = self.names("thread", "the name of a thread parameter")?;
        let locations = self.more_names("location", "the name of a location parameter, `;` or `)`")?;
        let locks = self.more_names("lock", "the name of a lock parameter or `)`")?;
        self.sign(")", "`,`, `;` or `)`")?;
        self.sign("{", "`{`")?;
        let scope = Scope { threads, locations, locks };
        let mut states = Vec::new();
        while self.peek().text != "}" {
            states.push(self.state(&scope)?);
        }
        let end = self.peek();
        self.next += 1;
        let accepting = chained(&states, &end)?;
        idle_thread(&scope, &states)?;
        let texts = |names: &[Token<'_>]| names.iter().map(|name| name.text.to_string()).collect();
        let phases = states.iter().map(|state| Phase {
            name: state.name.text.into(),
            forbidden: state.forbidden.clone(),
            event: state.event,
        });
        let automaton = Automaton {
            name: name.text.into(),
            threads: texts(&scope.threads),
            locations: texts(&scope.locations),
            locks: texts(&scope.locks),
            phases: phases.collect(),
            accepting,
        };
        Ok((name, automaton))
    }

    fn state(&mut self, scope: &Scope<'a>) -> Result<State<'a>, TextError> {
        let second = self.peek().text == "on";
        let name = self.name("the name of a state or `}`").map_err(|error| match second {
            true => TextError { kind: ErrorKind::SecondTransition, ..error },
            false => error,
        })?;
        self.sign(":", "`:`")?;
        let mut forbidden = Vec::new();
        if self.eat("forbid") {
            forbidden.push(self.forbidden(scope)?);
            while self.eat(",") {
                forbidden.push(self.forbidden(scope)?);
            }
            self.sign(";", "`,` or `;`")?;
        }
        self.sign("on", if forbidden.is_empty() { "`forbid` or `on`" } else { "`on`" })?;
        if self.peek().text == "*" {
            return Err(self.peek().error(ErrorKind::AnyThreadActs));
        }
        let thread = self.thread(scope)?;
        let action = self.action(scope)?;
        self.sign("->", "`->`")?;
        let target = self.name("the name of the next state")?;
        self.sign(";", "`;`")?;
        Ok(State { name, forbidden, event: Event { thread, action }, target })
    }

    fn forbidden(&mut self, scope: &Scope<'a>) -> Result<Forbidden, TextError> {
        let thread = if self.eat("*") { None } else { Some(self.thread(scope)?) };
        let action = if self.eat("*") {
            ForbiddenAction::Every
        } else if self.eat("step") {
            ForbiddenAction::Step
        } else {
            ForbiddenAction::One(self.action(scope)?)
        };
        Ok(Forbidden { thread, action })
    }

    fn thread(&mut self, scope: &Scope<'a>) -> Result<ThreadParameter, TextError> {
        let name = self.name("a thread parameter")?;
        parameter("thread", &scope.threads, &name).map(ThreadParameter::new)
    }

    fn action(&mut self, scope: &Scope<'a>) -> Result<Action, TextError> {
        let in_unit = self.eat("atomic");
        let access = if self.eat("read") {
            Access::Read
        } else if self.eat("write") {
            Access::Write
        } else if in_unit {
            return Err(self.expected("`read` or `write`"));
        } else if self.eat("begin") {
            return Ok(ActionKind::Begin);
        } else if self.eat("end") {
            return Ok(ActionKind::End);
        } else if self.eat("wants") {
            let wanted = self.lock(scope)?;
            let holding = if self.eat("holding") { Some(self.lock(scope)?) } else { None };
            return Ok(ActionKind::Wants { wanted, holding });
        } else if self.peek().text == "step" {
            return Err(self.peek().error(ErrorKind::StepActs));
        } else {
            return Err(self.expected("`read`, `write`, `atomic`, `begin`, `end` or `wants`"));
        };
        let name = self.name("a location parameter")?;
        let location = parameter("location", &scope.locations, &name).map(LocationParameter::new)?;
        Ok(ActionKind::Access { access, location, in_unit })
    }

    fn lock(&mut self, scope: &Scope<'a>) -> Result<LockUse, TextError> {
        let mode = if self.eat("read") {
            Some(Mode::Read)
        } else if self.eat("write") {
            Some(Mode::Write)
        } else {
            None
        };
        let name = self.name("a lock parameter")?;
        let lock = parameter("lock", &scope.locks, &name).map(LockParameter::new)?;
        Ok(LockUse { lock, mode })
    }
}

fn duplicate(what: &'static str, name: &Token<'_>) -> TextError {
    name.error(ErrorKind::Duplicate { what, name: name.text.into() })
}

fn parameter(what: &'static str, known: &[Token<'_>], name: &Token<'_>) -> Result<usize, TextError> {
    known.iter().position(|other| other.text == name.text).ok_or_else(|| {
        let known = known.iter().map(|known| known.text.into()).collect();
        name.error(ErrorKind::Unknown { what, name: name.text.into(), known })
    })
}

/// Checks that the states have different names and each leads to the next; returns the name of the accepting state.
fn chained(states: &[State<'_>], end: &Token<'_>) -> Result<String, TextError> {
    for (place, state) in states.iter().enumerate() {
        if states[..place].iter().any(|other| other.name.text == state.name.text) {
            return Err(duplicate("state", &state.name));
        }
    }
    for (place, state) in states.iter().enumerate() {
        let next = states.get(place + 1).map(|next| next.name.text);
        let leads_on = match next {
            Some(next) => state.target.text == next,
            None => states.iter().all(|other| other.name.text != state.target.text),
        };
        if !leads_on {
            let (target, next) = (state.target.text.into(), next.map(Into::into));
            return Err(state.target.error(ErrorKind::NotNext { target, next }));
        }
    }
    states.last().map(|last| last.target.text.into()).ok_or_else(|| end.error(ErrorKind::NoState))
}

fn idle_thread(scope: &Scope<'_>, states: &[State<'_>]) -> Result<(), TextError> {
    let acts = |place| states.iter().any(|state| state.event.thread.index() == place);
    match scope.threads.iter().enumerate().find(|(place, _)| !acts(*place)) {
        Some((_, name)) => Err(name.error(ErrorKind::IdleThread(name.text.into()))),
        None => Ok(()),
    }
}
