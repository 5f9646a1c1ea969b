//! The parser of tables: lines, classes and the left sides of rows. It reports the first error of every line.

use super::attributes::{Attribute, Attributes};
use super::error::{TableError, TableProblem};
use super::parse_action;
use super::syntax::{LocatedProblem, class_name, is_method_name, list_items};
use super::table::{ClassRow, MethodRow, Parameter, Pattern};
use rustc_hash::FxHashSet;

/// The classes of a text, by their names in class files.
pub(super) struct Table {
    pub(super) classes: Vec<(Box<str>, ClassRow)>,
}

/// Parses a text.
pub(super) fn parse(text: &str) -> Result<Table, Vec<TableError>> {
    let mut parser = Parser { table: Table { classes: Vec::new() }, known: FxHashSet::default(), errors: Vec::new() };
    for line in lines(text) {
        if let Err((at, problem)) = parser.line(&line.code) {
            let (line, column) = line.position(at);
            parser.errors.push(TableError { line, column, problem });
        }
    }
    if parser.errors.is_empty() { Ok(parser.table) } else { Err(parser.errors) }
}

/// A logical line without comments: a line with its continuations. All physical lines but the last one end with a
/// comma.
#[derive(Default)]
struct Line<'t> {
    code: String,
    /// The physical lines: the start in `code`, the line number and the text.
    parts: Vec<(usize, usize, &'t str)>,
}

impl Line<'_> {
    /// The line and column, from 1, of a byte of the code.
    fn position(&self, at: usize) -> (usize, usize) {
        let part = self.parts.iter().rev().find(|(start, ..)| *start <= at).copied();
        let (start, line, text) = part.unwrap_or_default();
        let before = text.get(..at - start).unwrap_or(text);
        (line, before.chars().count() + 1)
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut all = Vec::new();
    let mut current = Line::default();
    for (number, text) in (1..).zip(text.lines()) {
        // A comment extends to the end of the physical line.
        let code = text.split('#').next().unwrap_or_default();
        current.parts.push((current.code.len(), number, code));
        current.code.push_str(code);
        if !code.trim_end().ends_with(',') {
            all.push(std::mem::take(&mut current));
        }
    }
    all.push(current);
    all
}

struct Parser {
    table: Table,
    known: FxHashSet<Box<str>>,
    errors: Vec<TableError>,
}

impl Parser {
    fn line(&mut self, line: &str) -> Result<(), LocatedProblem> {
        let start = line.len() - line.trim_start().len();
        let mut row = ClassRow::default();
        let mut attributes = Attributes::default();
        let mut words = line.split_whitespace();
        loop {
            match words.next() {
                None if row.function.is_none() && attributes == Attributes::default() => return Ok(()),
                Some(word @ ("class" | "interface")) => {
                    row.attributes = attributes;
                    row.is_interface = word == "interface";
                    let rest = words.collect::<Vec<_>>().join(" ");
                    return self.class(&rest, row).map_err(|problem| (start, problem));
                }
                Some(word) if function(word).is_some() => row.function = function(word),
                Some(word) => match Attribute::named(word) {
                    Some(attribute) => attributes.insert(attribute),
                    None => return self.methods(line, start),
                },
                None => return self.methods(line, start),
            }
        }
    }

    fn class(&mut self, text: &str, mut row: ClassRow) -> Result<(), TableProblem> {
        let (class, like) = match text.split_once(" like") {
            Some((class, like)) => (class, Some(like)),
            None => (text, None),
        };
        let class = class_name(class)?;
        let like = like.into_iter().flat_map(|text| text.split(',')).map(class_name);
        row.like = like.collect::<Result<Vec<_>, _>>()?;
        let is_new = self.known.insert(class.clone());
        let problem = TableProblem::DuplicateClass(class.replace('/', "."));
        self.table.classes.push((class, row));
        if is_new { Ok(()) } else { Err(problem) }
    }

    fn methods(&mut self, line: &str, start: usize) -> Result<(), LocatedProblem> {
        let Some(colon) = line.find(':') else {
            return Err((start, TableProblem::NoActions));
        };
        let body = parse_action::body(line, colon + 1)?;
        let methods = list_items(line, start, colon).map_err(|problem| (start, problem))?;
        let methods = methods.into_iter().map(|(at, text)| pattern(text).map_err(|problem| (at, problem)));
        let methods = methods.collect::<Result<Vec<_>, _>>()?;
        let Some((_, class)) = self.table.classes.last_mut() else {
            return Err((start, TableProblem::RowWithoutClass));
        };
        class.methods.extend(methods.into_iter().map(|pattern| MethodRow { pattern, body: body.clone() }));
        Ok(())
    }
}

/// The method name in `function(apply)`.
fn function(word: &str) -> Option<Box<str>> {
    let name = word.strip_prefix("function(")?.strip_suffix(')')?;
    is_method_name(name).then(|| name.into())
}

fn pattern(text: &str) -> Result<Pattern, TableProblem> {
    let (name, parameters) = match text.split_once('(') {
        None => (text, None),
        Some((name, parameters)) => {
            let parameters = parameters.strip_suffix(')').ok_or(TableProblem::Parenthesis)?.trim();
            let parameters = match parameters {
                "" => Vec::new(),
                _ => parameters.split(',').map(parameter).collect::<Result<_, _>>()?,
            };
            (name, Some(parameters.into()))
        }
    };
    let name = name.trim();
    match is_method_name(name) {
        true => Ok(Pattern { name: name.into(), parameters }),
        false => Err(TableProblem::NoName(name.into())),
    }
}

fn parameter(text: &str) -> Result<Parameter, TableProblem> {
    let text = text.trim();
    match text {
        "_" => Ok(Parameter::Any),
        _ if text.is_empty() || text.contains(|one: char| one.is_whitespace() || "();".contains(one)) => {
            Err(TableProblem::NoName(text.into()))
        }
        _ => Ok(Parameter::Type(text.into())),
    }
}
