//! Mutants: each entry dropped, doubled, changed by one, and exchanged with another one.

use super::text::Lines;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Values of other certificates, by the name of the member in which they stand.
#[derive(Default)]
pub struct Donors {
    values: BTreeMap<String, Vec<Value>>,
}

/// The greatest number of values that are kept for a name.
const MOST_DONORS: usize = 200;

impl Donors {
    /// Keeps all values of a certificate.
    pub fn add(&mut self, lines: &Lines) {
        for line in lines {
            for path in paths(line) {
                let (Some(name), Some(value)) = (name(&path), at(line, &path)) else { continue };
                let values = self.values.entry(name).or_default();
                if values.len() < MOST_DONORS {
                    values.push(value.clone());
                } else {
                    let old = fastrand::usize(..MOST_DONORS);
                    values[old] = value.clone();
                }
            }
        }
    }
}

/// A step into an object or a list.
#[derive(Clone)]
enum Step {
    Member(String),
    Entry(usize),
}

/// The name of a value: that of the innermost member, and the depth of lists in it.
fn name(path: &[Step]) -> Option<String> {
    let at = path.iter().rposition(|step| matches!(step, Step::Member(_)))?;
    let Step::Member(name) = &path[at] else { return None };
    Some(format!("{name} {}", path.len() - at))
}

/// The paths of all values in a value.
fn paths(value: &Value) -> Vec<Vec<Step>> {
    let mut all: Vec<Vec<Step>> = vec![Vec::new()];
    let mut done = 0;
    while let Some(path) = all.get(done).cloned() {
        let steps: Vec<Step> = match at(value, &path) {
            Some(Value::Object(members)) => members.keys().cloned().map(Step::Member).collect(),
            Some(Value::Array(entries)) => (0..entries.len()).map(Step::Entry).collect(),
            _ => Vec::new(),
        };
        all.extend(steps.into_iter().map(|step| [&path[..], &[step]].concat()));
        done += 1;
    }
    all.remove(0);
    all
}

fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Entry(entry) => value.get(entry),
    })
}

fn at_mut<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get_mut(name),
        Step::Entry(entry) => value.get_mut(entry),
    })
}

/// All mutants of a certificate, with up to `exchanges` exchanges of each entry.
pub fn mutants(lines: &Lines, donors: &Donors, exchanges: usize) -> Vec<Lines> {
    let mut mutants = Vec::new();
    let mut change = |line: usize, change: &dyn Fn(&mut Value) -> Option<()>| {
        let mut value = lines[line].clone();
        if change(&mut value).is_some() && value != lines[line] {
            let mut mutant = lines.clone();
            mutant[line] = value;
            mutants.push(mutant);
        }
    };
    for (line, value) in lines.iter().enumerate() {
        for path in paths(value) {
            let Some((last, outer)) = path.split_last() else { continue };
            if let Step::Entry(entry) = *last {
                let edits: [fn(&mut Vec<Value>, usize); 3] = [
                    |list, at| drop(list.remove(at)),
                    |list, at| list.insert(at, list[at].clone()),
                    |list, at| {
                        let next = (at + 1) % list.len();
                        list.swap(at, next);
                    },
                ];
                for edit in edits {
                    change(line, &|value| {
                        edit(at_mut(value, outer)?.as_array_mut()?, entry);
                        Some(())
                    });
                }
            }
            if let Step::Member(member) = last {
                change(line, &|value| {
                    at_mut(value, outer)?.as_object_mut()?.remove(member);
                    Some(())
                });
            }
            for by in [-1, 1] {
                change(line, &|value| {
                    let number = at_mut(value, &path)?;
                    *number = json!(number.as_u64()?.checked_add_signed(by)?);
                    Some(())
                });
            }
            let others = name(&path).and_then(|name| donors.values.get(&name)).map_or(&[][..], |values| values);
            for _ in 0..exchanges.min(others.len()) {
                let other = &others[fastrand::usize(..others.len())];
                change(line, &|value| at_mut(value, &path).map(|value| *value = other.clone()));
            }
        }
    }
    for (line, value) in lines.iter().enumerate().skip(1) {
        let mut mutant = lines.clone();
        mutant.remove(line);
        mutants.push(mutant);
        let mut mutant = lines.clone();
        mutant.insert(line, value.clone());
        mutants.push(mutant);
        let mut mutant = lines.clone();
        mutant.swap(line, fastrand::usize(1..lines.len()));
        mutants.push(mutant);
    }
    mutants
}
