//! Messages about selections that do not fit a model: a suggestion, or the names of the model.

use crate::model::Model;
use crate::query::{Property, SelectionError};
use crate::syntax::closest;
use std::sync::Arc;

/// Largest number of names that are listed.
const LISTED: usize = 12;

/// Returns the message of an error, with a similar name, with the names of the model, or with the numbers of parameters
/// of the automata that are asked.
pub fn described(error: &SelectionError, model: &Model, properties: &[Arc<Property>]) -> String {
    let names = |kind: &str, name: &str, all: Vec<&str>| {
        let meant = closest(name, all.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
        format!("{error}{}", meant.unwrap_or_else(|| listed(kind, &all)))
    };
    match error {
        SelectionError::UnknownLocation(name) => {
            names("locations", name, model.locations().iter().map(|location| location.name()).collect())
        }
        SelectionError::UnknownLock(name) => {
            names("locks", name, model.locks().iter().map(|lock| lock.name()).collect())
        }
        SelectionError::UnknownProcess(name) => {
            names("processes", name, model.processes().iter().map(|process| process.name()).collect())
        }
        SelectionError::LocationCount(_) => {
            format!(
                "{error}: {}",
                about(properties, ["location", "locations"], |property| property.automaton().locations().len())
            )
        }
        SelectionError::LockCount(_) => {
            format!("{error}: {}", about(properties, ["lock", "locks"], |property| property.automaton().locks().len()))
        }
        SelectionError::ProcessCount(_) => {
            format!(
                "{error}: {}",
                about(properties, ["process", "processes"], |property| property.automaton().threads().len())
            )
        }
        _ => error.to_string(),
    }
}

fn listed(kind: &str, names: &[&str]) -> String {
    match names.len() {
        0 => format!("; it has no {kind}"),
        count => {
            let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
            format!("; its {kind} are {}{more}", names[..count.min(LISTED)].join(", "))
        }
    }
}

/// Describes the numbers of parameters: `pattern 12 is about 2 locations`, or the same of several.
fn about(properties: &[Arc<Property>], [one, many]: [&str; 2], count: impl Fn(&Property) -> usize) -> String {
    let mut by_count: Vec<(usize, Vec<&str>)> = Vec::new();
    for property in properties {
        match by_count.iter_mut().find(|(own, _)| *own == count(property)) {
            Some((_, labels)) => labels.push(property.label()),
            None => by_count.push((count(property), vec![property.label()])),
        }
    }
    let part = |(count, labels): &(usize, Vec<&str>)| {
        let verb = if labels.len() == 1 { "is" } else { "are" };
        format!("{} {verb} about {count} {}", labels.join(", "), if *count == 1 { one } else { many })
    };
    by_count.iter().map(part).collect::<Vec<_>>().join("; ")
}
