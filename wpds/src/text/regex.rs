//! Regular expressions for sets of configurations; the module above describes them.
//!
//! The automaton is Glushkov's: a state for each place of the expression at which a symbol is read, and no edges
//! without symbols.

use super::names::Names;
use super::reader::Document;
use crate::automaton::{Automaton, Goal, Origin};
use crate::index::{Control, Inner, Symbol};
use std::collections::BTreeSet;
use std::fmt;

/// An error with its position.
#[derive(Debug, PartialEq, Eq)]
pub struct SetError {
    /// The column, from 1, in characters.
    pub column: usize,
    message: String,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.column, self.message)
    }
}

impl std::error::Error for SetError {}

impl<W> Document<W> {
    /// Reads a set of configurations of this system. At most cubic in the length of the expression, times the number of
    /// symbols. The states of the automaton get new names.
    ///
    /// # Errors
    /// The first error; names of no control state or symbol are errors as well.
    pub fn configurations(&mut self, text: &str) -> Result<Automaton, SetError> {
        let Self { controls, symbols, states, .. } = self;
        let mut parser =
            Parser { text, at: 0, controls, symbols, states, automaton: Automaton::new(), places: Vec::new() };
        loop {
            parser.configurations()?;
            if !parser.take('|') {
                break;
            }
        }
        match parser.peek() {
            None => Ok(parser.automaton),
            Some(_) => Err(parser.expected("`|` or the end")),
        }
    }
}

/// Upper bound on nested parentheses, so that the depth of recursion is bounded.
const DEPTH: usize = 200;

/// The number of a place at which one of some symbols is read.
type PlaceId = usize;

/// An expression: whether it accepts the empty word, and the places at which its words begin and end.
#[derive(Clone, Debug, Default)]
struct Expression {
    is_empty: bool,
    first: BTreeSet<PlaceId>,
    last: BTreeSet<PlaceId>,
}

/// A place: the symbols that are read there, and the places that can follow.
#[derive(Clone, Debug)]
struct Reading {
    symbols: Vec<Symbol>,
    next: BTreeSet<PlaceId>,
    /// The state after reading.
    state: Inner,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    controls: &'a Names,
    symbols: &'a Names,
    states: &'a mut Names,
    automaton: Automaton,
    places: Vec<Reading>,
}

impl Parser<'_> {
    /// Moves over spaces and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.at += wanted.len_utf8();
        }
        is_next
    }

    fn require(&mut self, wanted: char) -> Result<(), SetError> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    fn expected(&mut self, wanted: &str) -> SetError {
        let found = self.peek().map_or_else(|| "the end".to_string(), |found| format!("`{found}`"));
        self.error(self.at, format!("expected {wanted}, found {found}"))
    }

    fn error(&self, at: usize, message: String) -> SetError {
        SetError { column: self.text[..at].chars().count() + 1, message }
    }

    /// Reads `< controls, stack >` and adds its configurations.
    fn configurations(&mut self) -> Result<(), SetError> {
        let begin = self.places.len();
        self.require('<')?;
        let controls = self.class(self.controls, "control state")?;
        let is_long = self.take(',');
        let stack = if is_long { self.union(0)? } else { Expression { is_empty: true, ..Expression::default() } };
        self.require('>')?;
        for control in controls.into_iter().map(Control::new) {
            if stack.is_empty {
                self.automaton.accept_empty(control);
            }
            self.edges(Origin::Control(control), &stack.first, &stack.last);
        }
        for place in begin..self.places.len() {
            let (state, next) = (self.places[place].state, self.places[place].next.clone());
            self.edges(Origin::Inner(state), &next, &stack.last);
        }
        Ok(())
    }

    /// Adds the edges to these places.
    fn edges(&mut self, from: Origin, to: &BTreeSet<PlaceId>, last: &BTreeSet<PlaceId>) {
        for place in to {
            let Reading { symbols, next, state } = &self.places[*place];
            for symbol in symbols {
                if last.contains(place) {
                    self.automaton.edge(from, *symbol, Goal::Final);
                }
                if !next.is_empty() {
                    self.automaton.edge(from, *symbol, Goal::Inner(*state));
                }
            }
        }
    }

    fn union(&mut self, depth: usize) -> Result<Expression, SetError> {
        let mut union = self.sequence(depth)?;
        while self.take('|') {
            let other = self.sequence(depth)?;
            union.is_empty |= other.is_empty;
            union.first.extend(other.first);
            union.last.extend(other.last);
        }
        Ok(union)
    }

    fn sequence(&mut self, depth: usize) -> Result<Expression, SetError> {
        let mut sequence = Expression { is_empty: true, ..Expression::default() };
        while let Some('[' | '.' | '(') = self.peek() {
            let next = self.repeated(depth)?;
            self.follow(&sequence.last, &next.first);
            if sequence.is_empty {
                sequence.first.extend(&next.first);
            }
            if !next.is_empty {
                sequence.last.clear();
            }
            sequence.last.extend(next.last);
            sequence.is_empty &= next.is_empty;
        }
        Ok(sequence)
    }

    /// Lets each of the first places be followed by each of the second ones.
    fn follow(&mut self, before: &BTreeSet<PlaceId>, after: &BTreeSet<PlaceId>) {
        for place in before {
            self.places[*place].next.extend(after);
        }
    }

    /// Reads a class or an expression in parentheses, with what repeats it.
    fn repeated(&mut self, depth: usize) -> Result<Expression, SetError> {
        let mut expression = if self.peek() == Some('(') {
            if depth == DEPTH {
                return Err(self.error(self.at, format!("more than {DEPTH} parentheses are nested")));
            }
            self.require('(')?;
            let inner = self.union(depth + 1)?;
            self.require(')')?;
            inner
        } else {
            self.place()?
        };
        while let Some(repeat @ ('*' | '+' | '?')) = self.peek() {
            self.require(repeat)?;
            expression.is_empty |= repeat != '+';
            if repeat != '?' {
                self.follow(&expression.last, &expression.first);
            }
        }
        Ok(expression)
    }

    /// Reads one place.
    fn place(&mut self) -> Result<Expression, SetError> {
        let begin = self.at;
        let symbols = self.class(self.symbols, "stack symbol")?.into_iter().map(Symbol::new).collect();
        let names = (self.states.len()..).map(|number| format!("place{number}"));
        let is_new = |name: &String| self.states.find(name).is_none() && self.controls.find(name).is_none();
        let name = names.into_iter().find(is_new).expect("there are more numbers than names");
        let state = self.states.intern(&name).ok_or_else(|| self.error(begin, "too many states".to_string()))?;
        let place = self.places.len();
        self.places.push(Reading { symbols, next: BTreeSet::new(), state: Inner::new(state) });
        let one = BTreeSet::from([place]);
        Ok(Expression { is_empty: false, first: one.clone(), last: one })
    }

    /// Reads a class of names; returns their numbers.
    fn class(&mut self, names: &Names, kind: &str) -> Result<Vec<u32>, SetError> {
        let all = 0..names.len() as u32;
        if self.take('.') {
            return Ok(all.collect());
        }
        if !self.take('[') {
            return Err(self.expected("`[` or `.`"));
        }
        let (is_other, mut listed) = (self.take('^'), BTreeSet::new());
        while !self.take(']') {
            if self.take(',') {
                continue;
            }
            self.skip();
            let rest = &self.text[self.at..];
            let length = rest.find(|end: char| end.is_whitespace() || end == ',' || end == ']');
            let Some(length) = length else { return Err(self.error(self.text.len(), "`]` is missing".to_string())) };
            let name = &rest[..length];
            let number = names.find(name);
            let number = number.ok_or_else(|| self.error(self.at, format!("there is no {kind} `{name}`")))?;
            listed.insert(number);
            self.at += length;
        }
        Ok(all.filter(|number| listed.contains(number) != is_other).collect())
    }
}
