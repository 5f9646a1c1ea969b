//! Reading a table of what methods do; the first error of every line is found.

use super::{Action, Guard, Subject, SummaryError, SummaryProblem, When};
use rustc_hash::FxHashSet;

/// The classes of a text, by their names in class files.
pub(super) struct Table {
    pub(super) classes: Vec<(Box<str>, ClassRow)>,
}

/// A class and its methods.
#[derive(Clone, Debug)]
pub(super) struct ClassRow {
    pub(super) guard: Guard,
    pub(super) like: Vec<Box<str>>,
    pub(super) methods: Vec<MethodRow>,
}

/// A method and what it does.
#[derive(Clone, Debug)]
pub(super) struct MethodRow {
    pub(super) name: Box<str>,
    /// The types of its parameters; none for any.
    pub(super) parameters: Option<Box<[Parameter]>>,
    pub(super) actions: Box<[Action]>,
}

/// The type of a parameter.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    /// Any type.
    Any,
    /// `Object`, `java.util.Map`, `int[]`.
    Type(Box<str>),
}

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<Table, Vec<SummaryError>> {
    let mut parser = Parser { table: Table { classes: Vec::new() }, known: FxHashSet::default(), errors: Vec::new() };
    for (line, text) in (1..).zip(text.lines()) {
        // A comment ends with its line.
        let code = text.split('#').next().unwrap_or_default();
        if let Err((at, problem)) = parser.line(code) {
            let column = code.get(..at).unwrap_or(code).chars().count() + 1;
            parser.errors.push(SummaryError { line, column, problem });
        }
    }
    if parser.errors.is_empty() { Ok(parser.table) } else { Err(parser.errors) }
}

struct Parser {
    table: Table,
    known: FxHashSet<Box<str>>,
    errors: Vec<SummaryError>,
}

/// A problem at a byte of the line.
type Wrong = (usize, SummaryProblem);

impl Parser {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        let text = line.trim();
        let start = line.len() - line.trim_start().len();
        let mut words = text.split_whitespace().peekable();
        let guard = match words.peek() {
            Some(&"atomic") => Guard::Operations,
            Some(&"synchronized") => Guard::Monitor,
            _ => Guard::None,
        };
        words.next_if(|_| guard != Guard::None);
        match words.next() {
            None if guard == Guard::None => Ok(()),
            Some("class") => {
                let class = words.collect::<Vec<_>>().join(" ");
                self.class(&class, guard).map_err(|problem| (start, problem))
            }
            _ => self.methods(line, start),
        }
    }

    fn class(&mut self, text: &str, guard: Guard) -> Result<(), SummaryProblem> {
        let (class, like) = match text.split_once(" like") {
            Some((class, like)) => (class, Some(like)),
            None => (text, None),
        };
        let class = class_name(class)?;
        let like = like.into_iter().flat_map(|text| text.split(',')).map(class_name);
        let like = like.collect::<Result<Vec<_>, _>>()?;
        let is_new = self.known.insert(class.clone());
        let problem = SummaryProblem::DuplicateClass(class.replace('/', "."));
        self.table.classes.push((class, ClassRow { guard, like, methods: Vec::new() }));
        if is_new { Ok(()) } else { Err(problem) }
    }

    fn methods(&mut self, line: &str, start: usize) -> Result<(), Wrong> {
        let Some(colon) = line.find(':') else {
            return Err((start, SummaryProblem::NoActions));
        };
        let actions = actions(line, colon + 1)?;
        let methods = pieces(line, start, colon).map_err(|problem| (start, problem))?;
        let methods = methods.into_iter().map(|(at, text)| method(text).map_err(|problem| (at, problem)));
        let methods = methods.collect::<Result<Vec<_>, _>>()?;
        let Some((_, class)) = self.table.classes.last_mut() else {
            return Err((start, SummaryProblem::RowWithoutClass));
        };
        let row = |(name, parameters)| MethodRow { name, parameters, actions: actions.clone() };
        class.methods.extend(methods.into_iter().map(row));
        Ok(())
    }
}

/// A class's name as class files have it; between dots, a name that begins with a capital letter is the outer class of the next one
/// only if it is written with `$`.
fn class_name(text: &str) -> Result<Box<str>, SummaryProblem> {
    let text = text.trim();
    let is_name =
        |part: &str| !part.is_empty() && !part.contains(|one: char| one.is_whitespace() || "()[];/<>:,".contains(one));
    match text.split('.').all(is_name) {
        true => Ok(text.replace('.', "/").into()),
        false => Err(SummaryProblem::NoName(text.into())),
    }
}

/// The pieces of a line between commas outside of parentheses, with where they begin.
fn pieces(line: &str, start: usize, end: usize) -> Result<Vec<(usize, &str)>, SummaryProblem> {
    let mut pieces = Vec::new();
    let mut depth = 0_usize;
    let mut begin = start;
    let mut add = |begin: usize, end: usize| {
        let piece = &line[begin..end];
        pieces.push((begin + piece.len() - piece.trim_start().len(), piece.trim()));
    };
    for (at, byte) in line.bytes().enumerate().take(end).skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1).ok_or(SummaryProblem::Parenthesis)?,
            b',' if depth == 0 => {
                add(begin, at);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(SummaryProblem::Parenthesis);
    }
    add(begin, end);
    Ok(pieces)
}

type MethodPattern = (Box<str>, Option<Box<[Parameter]>>);

fn method(text: &str) -> Result<MethodPattern, SummaryProblem> {
    let (name, parameters) = match text.split_once('(') {
        None => (text, None),
        Some((name, parameters)) => {
            let parameters = parameters.strip_suffix(')').ok_or(SummaryProblem::Parenthesis)?.trim();
            let parameters = match parameters {
                "" => Vec::new(),
                _ => parameters.split(',').map(parameter).collect::<Result<_, _>>()?,
            };
            (name, Some(parameters.into()))
        }
    };
    let name = name.trim();
    let is_name = !name.is_empty() && !name.contains(|one: char| one.is_whitespace() || ".;[/()".contains(one));
    if is_name { Ok((name.into(), parameters)) } else { Err(SummaryProblem::NoName(name.into())) }
}

fn parameter(text: &str) -> Result<Parameter, SummaryProblem> {
    let text = text.trim();
    match text {
        "_" => Ok(Parameter::Any),
        _ if text.is_empty() || text.contains(|one: char| one.is_whitespace() || "();".contains(one)) => {
            Err(SummaryProblem::NoName(text.into()))
        }
        _ => Ok(Parameter::Type(text.into())),
    }
}

fn actions(line: &str, start: usize) -> Result<Box<[Action]>, Wrong> {
    if line[start..].trim().is_empty() {
        return Err((start, SummaryProblem::NoActions));
    }
    let mut actions = Vec::new();
    let mut is_nothing = None;
    for (at, text) in pieces(line, start, line.len()).map_err(|problem| (start, problem))? {
        let (verb, object) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if verb == "nothing" && object.is_empty() {
            is_nothing = Some(at);
        } else {
            actions.extend(action(verb, object.trim()).map_err(|problem| (at, problem))?);
        }
    }
    match is_nothing {
        Some(at) if !actions.is_empty() => Err((at, SummaryProblem::NothingAndMore)),
        _ => Ok(actions.into()),
    }
}

fn action(verb: &str, object: &str) -> Result<Vec<Action>, SummaryProblem> {
    let alone = |action: Action| match object {
        "" => Ok(vec![action]),
        _ => Err(SummaryProblem::Surplus(object.into())),
    };
    let or_this = || if object.is_empty() { Ok(Subject::This) } else { subject(object) };
    match verb {
        "reads" => Ok(vec![Action::Reads(or_this()?)]),
        "writes" => Ok(vec![Action::Writes(or_this()?)]),
        "updates" => Ok(vec![Action::Reads(or_this()?), Action::Writes(or_this()?)]),
        "views" => Ok(vec![Action::Views(or_this()?)]),
        "returns" => Ok(vec![Action::Returns(subject(object)?)]),
        "keeps" => match subject(object)? {
            Subject::Argument(argument) => Ok(vec![Action::Keeps(argument)]),
            Subject::This => Err(SummaryProblem::NoSubject(object.into())),
        },
        "calls" => call(object, When::Now),
        "later" => call(object, When::Later),
        "starts" => call(object, When::OtherThread),
        "acquires" => alone(Action::Acquires),
        "tries" => alone(Action::Tries),
        "releases" => alone(Action::Releases),
        "read-lock" => alone(Action::ReadLock),
        "write-lock" => alone(Action::WriteLock),
        "condition" => alone(Action::Condition),
        "awaits" => alone(Action::Awaits),
        "waits" => alone(Action::Waits),
        "blocks" => alone(Action::Blocks),
        _ => Err(SummaryProblem::UnknownAction(verb.into())),
    }
}

fn call(object: &str, when: When) -> Result<Vec<Action>, SummaryProblem> {
    let (whom, method) = match object.split_once('.') {
        Some((whom, method)) if !method.is_empty() => (whom, Some(method.into())),
        Some(_) => return Err(SummaryProblem::NoName(String::new())),
        None => (object, None),
    };
    Ok(vec![Action::Calls { whom: subject(whom)?, method, when }])
}

fn subject(text: &str) -> Result<Subject, SummaryProblem> {
    let number = || text.parse::<usize>().ok()?.checked_sub(1).filter(|argument| *argument < 255);
    match text {
        "this" => Ok(Subject::This),
        _ => number().map(Subject::Argument).ok_or_else(|| SummaryProblem::NoSubject(text.into())),
    }
}

/// The types of a descriptor's parameters as Java writes them, inner classes with a dot; none if it is no descriptor.
pub(super) fn simple_parameters(descriptor: &str) -> Option<Vec<String>> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let (name, length) = match element.as_bytes().first()? {
            b'Z' => ("boolean", 1),
            b'B' => ("byte", 1),
            b'C' => ("char", 1),
            b'S' => ("short", 1),
            b'I' => ("int", 1),
            b'J' => ("long", 1),
            b'F' => ("float", 1),
            b'D' => ("double", 1),
            b'L' => {
                let end = element.find(';')?;
                (&element[1..end], end + 1)
            }
            _ => return None,
        };
        parameters.push(name.replace(['/', '$'], ".") + &"[]".repeat(dimensions));
        rest = &element[length..];
    }
    Some(parameters)
}
