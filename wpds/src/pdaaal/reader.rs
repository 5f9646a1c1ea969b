//! The reader of the JSON format.

use super::automaton::{FileAutomaton, FileState};
use super::parts::{Parts, Whole};
use crate::index::{Control, Inner, Symbol};
use crate::system::System;
use crate::text::{Document, Names};
use serde::Deserialize;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess};
use std::fmt;
use std::io::BufRead;

/// The least weight that PDAAAL does not accept.
const LIMIT: u64 = u32::MAX as u64;

/// An error with its position.
#[derive(Debug)]
pub struct ReadError(serde_json::Error);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column, text) = (self.0.line(), self.0.column(), self.0.to_string());
        match text.strip_suffix(&format!(" at line {line} column {column}")) {
            Some(text) => write!(f, "{line}:{column}: {text}"),
            None => f.write_str(&text),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a problem; `weight` converts the number of a rule into its weight, 1 if the file has no weights. The memory
/// for text is that of the names. Linear time, but for rules that hold for every symbol: these are made for each one.
///
/// # Errors
/// The first error in the file.
pub fn read<W: Clone>(input: impl BufRead, weight: impl Fn(u64) -> W) -> Result<Document<W>, ReadError> {
    let mut file = File::default();
    let mut json = serde_json::Deserializer::from_reader(input);
    let result = serde::de::DeserializeSeed::deserialize(Whole(Top { file: &mut file, is_read: false }), &mut json);
    result.and_then(|()| json.end()).map_err(ReadError)?;
    Ok(file.document(weight))
}

/// A state in the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Text(String),
    Number(u32),
}

/// The name of every symbol.
const ANY: &str = "*";

/// The operation of a rule.
#[derive(Clone, Copy)]
enum Operation {
    Pop,
    /// Leaves the topmost symbol as it is.
    Keep,
    Swap(Symbol),
    Push(Symbol),
}

/// A rule of the file; without a symbol, it holds for every one.
struct FileRule {
    from: Control,
    read: Option<Symbol>,
    to: Control,
    operation: Operation,
    weight: u64,
}

/// The contents of a file so far.
#[derive(Default)]
struct File {
    has_names: bool,
    has_weights: bool,
    controls: Names,
    symbols: Names,
    /// The names of states that are no control states.
    others: Names,
    rules: Vec<FileRule>,
    initial: FileAutomaton,
    target: FileAutomaton,
}

impl File {
    fn control<E: Error>(&mut self, name: Name) -> Result<Control, E> {
        let name = self.name(name)?;
        self.controls.intern(&name).map(Control::new).ok_or_else(|| E::custom("too many states"))
    }

    fn symbol<E: Error>(&mut self, name: &str) -> Result<Symbol, E> {
        self.symbols.intern(name).map(Symbol::new).ok_or_else(|| E::custom("too many symbols"))
    }

    /// A state of an automaton, now that all control states are known.
    fn state<E: Error>(&mut self, name: Name) -> Result<FileState, E> {
        let name = self.name(name)?;
        if let Some(control) = self.controls.find(&name) {
            return Ok(FileState::Control(Control::new(control)));
        }
        self.others.intern(&name).map(FileState::Other).ok_or_else(|| E::custom("too many states"))
    }

    fn name<E: Error>(&self, name: Name) -> Result<String, E> {
        match name {
            Name::Text(name) if self.has_names => Ok(name),
            Name::Number(number) if !self.has_names => Ok(number.to_string()),
            Name::Text(name) => Err(E::custom(format_args!("`{name}` is no number, but states have numbers"))),
            Name::Number(number) => Err(E::custom(format_args!("{number} is no string, but states have names"))),
        }
    }

    fn document<W: Clone>(self, weight: impl Fn(u64) -> W) -> Document<W> {
        let Self { controls, symbols, others, rules, initial, target, .. } = self;
        let mut system = System::builder();
        for FileRule { from, read, to, operation, weight: number } in rules {
            let all = 0..symbols.len() as u32;
            let read = read.map_or(all, |symbol| symbol.index() as u32..symbol.index() as u32 + 1);
            for symbol in read.map(Symbol::new) {
                let weight = weight(number);
                match operation {
                    Operation::Pop => system.pop(from, symbol, to, weight),
                    Operation::Keep => system.step(from, symbol, to, symbol, weight),
                    Operation::Swap(by) => system.step(from, symbol, to, by, weight),
                    Operation::Push(by) => system.push(from, symbol, to, by, symbol, weight),
                }
            }
        }
        let mut states = Names::default();
        let mut inner = |state| {
            let mut name = match state {
                FileState::Other(number) => others.name(number as usize).to_string(),
                FileState::Control(control) => format!("{}'", controls.name(control.index())),
            };
            while matches!(state, FileState::Control(_)) && (controls.find(&name).or(others.find(&name))).is_some() {
                name.push('\'');
            }
            Inner::new(states.intern(&name).expect("no more states than in the file"))
        };
        let (initial, target) = (initial.converted(&mut inner), target.converted(&mut inner));
        Document { system: system.build(), controls, symbols, initial, target, states }
    }
}

/// The object with the problem.
struct Top<'a> {
    file: &'a mut File,
    is_read: bool,
}

impl Parts for Top<'_> {
    const EXPECTED: &'static str = "an object with the member `instance`";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        if name != "instance" || std::mem::replace(&mut self.is_read, true) {
            return Err(A::Error::custom(format_args!("unexpected member `{name}`")));
        }
        map.next_value_seed(Whole(Instance { file: self.file, count: 0 }))
    }

    fn finish<E: Error>(&mut self) -> Result<(), E> {
        if self.is_read { Ok(()) } else { Err(E::custom("there is no member `instance`")) }
    }
}

/// Parameters, system, initial and final automaton.
struct Instance<'a> {
    file: &'a mut File,
    count: usize,
}

impl Parts for Instance<'_> {
    const EXPECTED: &'static str = "an array of parameters, system, initial and final automaton";

    fn element<'de, A: SeqAccess<'de>>(&mut self, seq: &mut A) -> Result<bool, A::Error> {
        let file = &mut *self.file;
        let element = match self.count {
            0 => seq.next_element_seed(Whole(Parameters { file, has_type: false }))?,
            1 => seq.next_element_seed(Whole(Pda { file, has_states: false }))?,
            2 => seq.next_element_seed(Whole(Automaton { is_initial: true, file }))?,
            3 => seq.next_element_seed(Whole(Automaton { is_initial: false, file }))?,
            _ => match seq.next_element::<IgnoredAny>()? {
                None => return Ok(false),
                Some(_) => return Err(A::Error::custom("the instance has more than four elements")),
            },
        };
        self.count += 1;
        match element {
            Some(()) => Ok(true),
            None => Err(A::Error::custom("the instance has fewer than four elements")),
        }
    }
}

struct Parameters<'a> {
    file: &'a mut File,
    has_type: bool,
}

impl Parts for Parameters<'_> {
    const EXPECTED: &'static str = "an object of parameters";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "state-names" => self.file.has_names = map.next_value()?,
            "weight-type" => {
                self.has_type = true;
                self.file.has_weights = match map.next_value::<WeightType>()? {
                    WeightType::One(name) if name == "none" => false,
                    WeightType::One(name) if name == "uint" || name == "int" => true,
                    WeightType::One(name) => {
                        return Err(A::Error::custom(format_args!("unknown type of weights `{name}`")));
                    }
                    WeightType::Vector(IgnoredAny) => {
                        return Err(A::Error::custom("vectors of weights are not supported"));
                    }
                };
            }
            _ => return Err(A::Error::custom(format_args!("unexpected member `{name}`"))),
        }
        Ok(())
    }

    fn finish<E: Error>(&mut self) -> Result<(), E> {
        if self.has_type { Ok(()) } else { Err(E::custom("there is no member `weight-type`")) }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WeightType {
    One(String),
    Vector(IgnoredAny),
}

struct Pda<'a> {
    file: &'a mut File,
    has_states: bool,
}

impl Parts for Pda<'_> {
    const EXPECTED: &'static str = "a pushdown system";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        if name != "states" {
            return map.next_value::<IgnoredAny>().map(drop);
        }
        self.has_states = true;
        map.next_value_seed(Whole(States { file: self.file, count: 0 }))
    }

    fn finish<E: Error>(&mut self) -> Result<(), E> {
        if self.has_states { Ok(()) } else { Err(E::custom("there is no member `states`")) }
    }
}

struct States<'a> {
    file: &'a mut File,
    count: u32,
}

impl Parts for States<'_> {
    const EXPECTED: &'static str = "the states";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let from = self.file.control(Name::Text(name.to_string()))?;
        map.next_value_seed(Whole(State { file: self.file, from }))
    }

    fn element<'de, A: SeqAccess<'de>>(&mut self, seq: &mut A) -> Result<bool, A::Error> {
        // An array has no names, and its end makes no state.
        if self.file.has_names {
            return Err(A::Error::custom("states have names: expected an object"));
        }
        let element = seq.next_element_seed(Whole(NumberedState { file: self.file, number: self.count }))?;
        self.count += 1;
        Ok(element.is_some())
    }
}

/// A state of an array; it is added when it is there.
struct NumberedState<'a> {
    file: &'a mut File,
    number: u32,
}

impl Parts for NumberedState<'_> {
    const EXPECTED: &'static str = "a state";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let from = self.file.control(Name::Number(self.number))?;
        State { file: self.file, from }.member(name, map)
    }

    fn finish<E: Error>(&mut self) -> Result<(), E> {
        self.file.control(Name::Number(self.number)).map(drop)
    }
}

struct State<'a> {
    file: &'a mut File,
    from: Control,
}

impl Parts for State<'_> {
    const EXPECTED: &'static str = "an object of rules by symbol";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let read = if name == ANY { None } else { Some(self.file.symbol(name)?) };
        map.next_value_seed(Whole(Rules { file: self.file, from: self.from, read, rule: Partial::default() }))
    }
}

/// A rule or an array of rules.
struct Rules<'a> {
    file: &'a mut File,
    from: Control,
    read: Option<Symbol>,
    rule: Partial,
}

/// The members of a rule so far.
#[derive(Default)]
struct Partial {
    is_rule: bool,
    to: Option<Control>,
    operation: Option<Operation>,
    weight: Option<u64>,
}

impl Parts for Rules<'_> {
    const EXPECTED: &'static str = "a rule or an array of rules";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        self.rule.is_rule = true;
        let operation = match name {
            "to" => {
                let name = map.next_value()?;
                self.rule.to = Some(self.file.control(name)?);
                return Ok(());
            }
            "weight" if self.file.has_weights => {
                self.rule.weight = Some(weight(map)?);
                return Ok(());
            }
            "pop" if map.next_value::<String>()?.is_empty() => Operation::Pop,
            "swap" => match map.next_value::<String>()? {
                name if name == ANY => Operation::Keep,
                name => Operation::Swap(self.file.symbol(&name)?),
            },
            "push" => match map.next_value::<String>()? {
                name if name == ANY => return Err(A::Error::custom("a rule pushes one symbol, not `*`")),
                name => Operation::Push(self.file.symbol(&name)?),
            },
            "pop" => return Err(A::Error::custom("the value of `pop` is the empty string")),
            _ => return Err(A::Error::custom(format_args!("unexpected member `{name}` of a rule"))),
        };
        match self.rule.operation.replace(operation) {
            None => Ok(()),
            Some(_) => Err(A::Error::custom("a rule has one of `pop`, `swap` and `push`")),
        }
    }

    fn element<'de, A: SeqAccess<'de>>(&mut self, seq: &mut A) -> Result<bool, A::Error> {
        let rule = Rules { file: self.file, from: self.from, read: self.read, rule: Partial::default() };
        seq.next_element_seed(Whole(OneRule(rule))).map(|element| element.is_some())
    }

    fn finish<E: Error>(&mut self) -> Result<(), E> {
        if !self.rule.is_rule {
            return Ok(());
        }
        let to = self.rule.to.ok_or_else(|| E::custom("a rule has a member `to`"))?;
        let operation = self.rule.operation.ok_or_else(|| E::custom("a rule has one of `pop`, `swap` and `push`"))?;
        let weight = match (self.rule.weight, self.file.has_weights) {
            (Some(weight), _) => weight,
            (None, false) => 1,
            (None, true) => return Err(E::custom("a rule has a member `weight`")),
        };
        self.file.rules.push(FileRule { from: self.from, read: self.read, to, operation, weight });
        Ok(())
    }
}

/// A rule of an array, which is no array itself.
struct OneRule<'a>(Rules<'a>);

impl Parts for OneRule<'_> {
    const EXPECTED: &'static str = "a rule";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        self.0.member(name, map)
    }

    fn finish<E: Error>(&mut self) -> Result<(), E> {
        self.0.rule.is_rule = true;
        self.0.finish()
    }
}

fn weight<'de, A: MapAccess<'de>>(map: &mut A) -> Result<u64, A::Error> {
    let number: serde_json::Number = map.next_value()?;
    let weight = number.as_u64().filter(|weight| *weight < LIMIT);
    weight.ok_or_else(|| A::Error::custom(format_args!("`{number}` is no weight: a natural number below 2^32 - 1")))
}

struct Automaton<'a> {
    file: &'a mut File,
    is_initial: bool,
}

impl Automaton<'_> {
    fn automaton(&mut self) -> &mut FileAutomaton {
        if self.is_initial { &mut self.file.initial } else { &mut self.file.target }
    }
}

impl Parts for Automaton<'_> {
    const EXPECTED: &'static str = "an automaton";

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "accepting" => {
                for name in map.next_value::<Vec<Name>>()? {
                    let state = self.file.state(name)?;
                    self.automaton().accepting.insert(state);
                }
            }
            "edges" => {
                for (from, label, to) in map.next_value::<Vec<(Name, String, Name)>>()? {
                    let (from, to) = (self.file.state(from)?, self.file.state(to)?);
                    let symbol = if label.is_empty() { None } else { Some(self.file.symbol(&label)?) };
                    self.automaton().edges.push((from, symbol, to));
                }
            }
            // They have no effect: all control states of the system are initial.
            "initial" => drop(map.next_value::<IgnoredAny>()?),
            _ => return Err(A::Error::custom(format_args!("unexpected member `{name}` of an automaton"))),
        }
        Ok(())
    }
}
