//! The reader of the text format, line by line.

use super::error::{ReadError, ReadErrorKind};
use super::names::Names;
use crate::automaton::{Automaton, Goal, Origin};
use crate::index::{Control, Inner, Symbol};
use crate::min_plus::MinPlus;
use crate::system::{Builder, System};
use rustc_hash::FxHashSet;
use std::io::{BufRead, Read as _};

/// Upper bound on the bytes of a line, so that a file that is no text (a device, for instance) does not fill the
/// memory.
const LINE_LIMIT: u64 = 1 << 20;

/// The byte-order mark: some editors write it at the beginning of a file; it is no part of the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A system that was read, with the names of its parts.
#[derive(Clone, Debug)]
pub struct Document<W> {
    /// The rules.
    pub system: System<W>,
    /// The names of the control states.
    pub controls: Names,
    /// The names of the stack symbols.
    pub symbols: Names,
    /// The starts of forward saturation.
    pub initial: Automaton,
    /// The targets of backward saturation.
    pub target: Automaton,
    /// The names of the states of `initial` and of `target`.
    pub states: Names,
}

/// Reads a system; `weight` converts the number of a rule into its weight. Linear time; the memory for text is one line
/// and the names.
///
/// # Errors
/// The first error in the file.
pub fn read<W: Clone>(mut input: impl BufRead, weight: impl Fn(u64) -> W) -> Result<Document<W>, ReadError> {
    let mut reader = Reader::new(weight);
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        number += 1;
        let error = |column, kind| ReadError { line: number, column, kind };
        let read = input.by_ref().take(LINE_LIMIT + 1).read_until(b'\n', &mut line);
        match read.map_err(|cause| error(1, ReadErrorKind::Input(cause)))? as u64 {
            0 => return reader.finish(),
            length if length > LINE_LIMIT => return Err(error(1, ReadErrorKind::LongLine)),
            _ => {}
        }
        let text = std::str::from_utf8(&line).map_err(|cause| {
            let before = String::from_utf8_lossy(&line[..cause.valid_up_to()]).chars().count();
            error(before + 1, ReadErrorKind::NotText)
        })?;
        let text = if number == 1 { text.trim_start_matches(BYTE_ORDER_MARK) } else { text };
        let mut tokens = Tokens { text, at: 0, line: number };
        reader.line(&mut tokens)?;
    }
}

/// The tokens of one line.
#[derive(Clone, Copy)]
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    /// Moves to the next token, the comment or the end of the line.
    fn skip(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    fn peek(&self) -> Option<&'a str> {
        let mut ahead = *self;
        ahead.next()
    }

    fn next(&mut self) -> Option<&'a str> {
        self.skip();
        let rest = &self.text[self.at..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if end == 0 || rest.starts_with('#') {
            return None;
        }
        self.at += end;
        Some(&rest[..end])
    }

    /// Takes the next token, which has to be a name.
    fn name(&mut self, wanted: &'static str) -> Result<&'a str, ReadError> {
        let before = *self;
        match self.next() {
            None | Some("->" | ":") => Err(before.expected(wanted)),
            Some("*") => Err(before.error(ReadErrorKind::Star)),
            Some(token) if token.contains(BYTE_ORDER_MARK) => Err(before.error(ReadErrorKind::ByteOrderMark)),
            Some(token) => Ok(token),
        }
    }

    /// Takes this token if it is the next one.
    fn take(&mut self, token: &str) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Returns the error that another token is expected next.
    fn expected(&self, wanted: &'static str) -> ReadError {
        self.error(ReadErrorKind::Expected { wanted, found: self.peek().map(str::to_string) })
    }

    /// Returns an error at the next token.
    fn error(mut self, kind: ReadErrorKind) -> ReadError {
        self.skip();
        // A line break has no column.
        let at = self.at.min(self.text.trim_end().len());
        ReadError { line: self.line, column: self.text[..at].chars().count() + 1, kind }
    }
}

/// A transition of an automaton; whether its source is a control state is not known yet.
struct Edge {
    from: String,
    /// The symbols; none for the empty stack.
    read: Option<Read>,
    to: Goal,
    line: usize,
    column: usize,
}

#[derive(Clone, Copy)]
enum Read {
    One(Symbol),
    All,
}

struct Reader<W, F> {
    weight: F,
    builder: Builder<W>,
    controls: Names,
    symbols: Names,
    states: Names,
    initial: Vec<Edge>,
    target: Vec<Edge>,
}

impl<W: Clone, F: Fn(u64) -> W> Reader<W, F> {
    fn new(weight: F) -> Self {
        Self {
            weight,
            builder: System::builder(),
            controls: Names::default(),
            symbols: Names::default(),
            states: Names::default(),
            initial: Vec::new(),
            target: Vec::new(),
        }
    }

    fn line(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        let Some(first) = tokens.peek() else { return Ok(()) };
        let is_rule = {
            let mut ahead = *tokens;
            (ahead.next(), ahead.next(), ahead.next()).2 == Some("->")
        };
        match first {
            _ if is_rule => self.rule(tokens)?,
            "initial" | "target" => {
                tokens.next();
                let edge = self.edge(tokens)?;
                if first == "initial" { &mut self.initial } else { &mut self.target }.push(edge);
            }
            _ => {
                tokens.name("a rule, `initial` or `target`")?;
                tokens.name("a stack symbol")?;
                return Err(tokens.expected("`->`"));
            }
        }
        if tokens.peek().is_some() { Err(tokens.expected("the end of the line")) } else { Ok(()) }
    }

    /// Reads a rule: `p a -> q [b [c]] [: weight]`.
    fn rule(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        let (from, read) = (self.control(tokens)?, self.symbol(tokens)?);
        tokens.next();
        let to = self.control(tokens)?;
        let mut word = [Symbol::new(0); 2];
        let mut length = 0;
        while tokens.peek().is_some_and(|token| token != ":") {
            if length == word.len() {
                return Err(tokens.error(ReadErrorKind::LongWord));
            }
            word[length] = self.symbol(tokens)?;
            length += 1;
        }
        let number = if tokens.take(":") { number(tokens)? } else { 1 };
        let weight = (self.weight)(number);
        match length {
            0 => self.builder.pop(from, read, to, weight),
            1 => self.builder.step(from, read, to, word[0], weight),
            _ => self.builder.push(from, read, to, word[0], word[1], weight),
        }
        Ok(())
    }

    /// Reads a transition: `from [symbol] to`.
    fn edge(&mut self, tokens: &mut Tokens<'_>) -> Result<Edge, ReadError> {
        let from = tokens.name("a state")?.to_string();
        let mut ahead = *tokens;
        let is_long = (ahead.next(), ahead.next()).1.is_some();
        let read = match tokens.peek() {
            _ if !is_long => None,
            Some("*") => {
                tokens.next();
                Some(Read::All)
            }
            _ => Some(Read::One(self.symbol(tokens)?)),
        };
        let before = *tokens;
        let to = match tokens.name("a state")? {
            "final" => Goal::Final,
            _ if read.is_none() => return Err(before.expected("`final`, or a stack symbol and a state")),
            name => {
                Goal::Inner(Inner::new(self.states.intern(name).ok_or_else(|| before.error(ReadErrorKind::TooLarge))?))
            }
        };
        let position = before.error(ReadErrorKind::TooLarge);
        Ok(Edge { from, read, to, line: position.line, column: position.column })
    }

    fn control(&mut self, tokens: &mut Tokens<'_>) -> Result<Control, ReadError> {
        let before = *tokens;
        let name = tokens.name("a control state")?;
        self.controls.intern(name).map(Control::new).ok_or_else(|| before.error(ReadErrorKind::TooLarge))
    }

    fn symbol(&mut self, tokens: &mut Tokens<'_>) -> Result<Symbol, ReadError> {
        let before = *tokens;
        let name = tokens.name("a stack symbol")?;
        self.symbols.intern(name).map(Symbol::new).ok_or_else(|| before.error(ReadErrorKind::TooLarge))
    }

    fn finish(mut self) -> Result<Document<W>, ReadError> {
        let (initial, target) = (std::mem::take(&mut self.initial), std::mem::take(&mut self.target));
        let (initial, target) = (self.automaton(&initial)?, self.automaton(&target)?);
        let Self { builder, controls, symbols, states, .. } = self;
        Ok(Document { system: builder.build(), controls, symbols, initial, target, states })
    }

    /// Returns the automaton with these transitions, now that all names are known.
    fn automaton(&mut self, edges: &[Edge]) -> Result<Automaton, ReadError> {
        let mut automaton = Automaton::new();
        let targets = edges.iter().map(|edge| edge.to);
        let targets: FxHashSet<Inner> =
            targets.filter_map(|to| if let Goal::Inner(inner) = to { Some(inner) } else { None }).collect();
        let own =
            |name: &str, states: &Names| states.find(name).map(Inner::new).filter(|inner| targets.contains(inner));
        for edge in edges {
            let error = |kind| ReadError { line: edge.line, column: edge.column, kind };
            if let Goal::Inner(inner) = edge.to {
                let name = self.states.name(inner.index());
                if self.controls.find(name).is_some() {
                    return Err(error(ReadErrorKind::IntoControl(name.to_string())));
                }
            }
            let from = match own(&edge.from, &self.states) {
                Some(inner) => Origin::Inner(inner),
                None => {
                    let number = self.controls.intern(&edge.from).ok_or_else(|| error(ReadErrorKind::TooLarge))?;
                    Origin::Control(Control::new(number))
                }
            };
            match (edge.read, from) {
                (Some(Read::One(symbol)), _) => automaton.edge(from, symbol, edge.to),
                (Some(Read::All), _) => {
                    (0..self.symbols.len() as u32)
                        .for_each(|symbol| automaton.edge(from, Symbol::new(symbol), edge.to));
                }
                (None, Origin::Control(control)) => automaton.accept_empty(control),
                (None, Origin::Inner(_)) => {
                    let wanted = "a control state on the left of a line without a stack symbol";
                    return Err(error(ReadErrorKind::Expected { wanted, found: Some(edge.from.clone()) }));
                }
            }
        }
        Ok(automaton)
    }
}

fn number(tokens: &mut Tokens<'_>) -> Result<u64, ReadError> {
    let before = *tokens;
    let text = tokens.name("a weight")?;
    let weight = text.parse().ok().filter(|weight| *weight < MinPlus::MANY);
    weight.ok_or_else(|| before.error(ReadErrorKind::Weight(text.to_string())))
}
