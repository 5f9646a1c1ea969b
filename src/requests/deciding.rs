//! The parts of requests that `check` and `java` share.

use super::error::Error;
use crate::answers::units_named;
use crate::phases::{Pattern, UnitMode, patterns};
use crate::query::{Property, automata_of, load_automata};
use crate::syntax::Source;
use crate::{Engine, Reduction, Reductions, SearchReduction, SearchReductions};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The patterns that are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Patterns {
    /// All of them: the word `all`.
    Word(AllWord),
    /// These, from 1 to 14.
    Numbers(Vec<usize>),
}

/// The word for all patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AllWord {
    /// All patterns.
    All,
}

/// The numbers of the patterns, each once and in order; all of them if nothing is asked.
pub(super) fn pattern_numbers(asked: Option<&Patterns>, asks_others: bool) -> Result<Vec<usize>, Error> {
    let all = || patterns::all().iter().map(Pattern::number).collect::<Vec<_>>();
    let mut numbers = match asked {
        Some(Patterns::Word(AllWord::All)) => all(),
        Some(Patterns::Numbers(numbers)) => numbers.clone(),
        None if asks_others => Vec::new(),
        None => all(),
    };
    if let Some(wrong) = numbers.iter().find(|number| !all().contains(number)) {
        return Err(Error::usage(format!("there is no pattern {wrong}; they have the numbers 1 to 14")));
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Reads automata: those of files, then those of texts.
pub(super) fn automata(files: &[PathBuf], texts: &[String]) -> Result<Vec<Arc<Property>>, Error> {
    let of_files = files.iter().map(|path| load_automata(path));
    let of_texts = texts.iter().map(|text| automata_of(Source::new("<automaton>", text.as_str())));
    let read: Result<Vec<_>, _> = of_files.chain(of_texts).collect();
    Ok(read?.into_iter().flatten().map(|automaton| Arc::new(Property::of_automaton(automaton))).collect())
}

/// The unit mode of a name; none is the default.
pub(super) fn units(name: Option<&str>) -> Result<UnitMode, Error> {
    let Some(name) = name else { return Ok(UnitMode::Both) };
    units_named(name).ok_or_else(|| Error::usage(format!("`{name}` is no value of units; they are `both` and `first`")))
}

/// The engine of a name; none is the default.
pub(super) fn engine(name: Option<&str>) -> Result<Engine, Error> {
    let Some(name) = name else { return Ok(Engine::default()) };
    let names = || Engine::ALL.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(", ");
    name.parse().map_err(|_| Error::usage(format!("there is no engine `{name}`; they are {}", names())))
}

/// The reductions that stay on.
pub(super) fn reductions(off: &[String]) -> Result<(Reductions, SearchReductions), Error> {
    let (mut on, mut of_search) = (Reductions::all(), SearchReductions::all());
    for name in off {
        match (name.as_str(), name.parse::<Reduction>(), name.parse::<SearchReduction>()) {
            ("all", _, _) => (on, of_search) = (Reductions::none(), SearchReductions::none()),
            (_, Ok(reduction), _) => on = on.without(reduction),
            (_, _, Ok(reduction)) => of_search = of_search.without(reduction),
            _ => return Err(Error::usage(format!("there is no reduction `{name}`"))),
        }
    }
    Ok((on, of_search))
}

/// A time in seconds.
pub(super) fn seconds(name: &str, value: Option<f64>) -> Result<Option<Duration>, Error> {
    let time = value.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| Error::usage(format!("{name}: {error}")))
}
