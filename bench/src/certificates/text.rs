//! Certificates as JSON values, and repairs of them.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The lines of a certificate without the last one.
pub type Lines = Vec<Value>;

/// Reads the lines of a certificate.
pub fn lines(certificate: &str) -> Lines {
    let lines = certificate.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    let mut lines: Lines = lines.collect();
    lines.pop();
    lines
}

/// The text of a certificate, with a last line that is right.
pub fn sealed(lines: &[Value]) -> String {
    let before: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let queries = lines.iter().filter(|line| line.get("query").is_some()).count();
    format!("{before}{}\n", json!({"queries": queries, "digest": verify::digest(&before)}))
}

/// Repairs a certificate: lists without doubles and unused entries, sets in order, choices as their ends demand.
pub fn tidy(lines: &mut Lines) {
    for line in lines.iter_mut().filter(|line| line.get("invariant").is_some()) {
        if let Some(tidied) = tidied(line) {
            *line = tidied;
        }
    }
    let mut used: Vec<usize> = Vec::new();
    for line in lines.iter() {
        collect_invariants(line.get("cases").unwrap_or(&Value::Null), &mut used);
    }
    used.sort_unstable();
    used.dedup();
    let invariants: BTreeMap<usize, Value> =
        lines.iter().filter_map(|line| Some((line.get("invariant")?.as_u64()? as usize, line.clone()))).collect();
    for line in lines.iter_mut().filter(|line| line.get("query").is_some()) {
        renumber_invariants(&mut line["cases"], &used);
        let kept: Vec<&Value> = used.iter().filter_map(|number| invariants.get(number)).collect();
        for case in line["cases"].as_array_mut().into_iter().flatten() {
            choose(case, &kept);
        }
    }
    lines.retain(|line| number(line.get("invariant")).is_none_or(|number| used.contains(&number)));
    for (number, line) in lines.iter_mut().filter(|line| line.get("invariant").is_some()).enumerate() {
        line["invariant"] = json!(number);
    }
}

fn number(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().map(|number| number as usize)
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().into_iter().flatten().filter_map(|value| number(Some(value))).collect()
}

fn collect_invariants(cases: &Value, used: &mut Vec<usize>) {
    for case in cases.as_array().into_iter().flatten() {
        used.extend(case.get("invariants").map(numbers).unwrap_or_default());
        collect_invariants(case.get("cases").unwrap_or(&Value::Null), used);
    }
}

fn renumber_invariants(cases: &mut Value, used: &[usize]) {
    for case in cases.as_array_mut().into_iter().flatten() {
        if let Some(list) = case.get("invariants") {
            let numbers = numbers(list);
            let new: Vec<_> = numbers.iter().filter_map(|number| used.binary_search(number).ok()).collect();
            case["invariants"] = json!(new);
        }
        if case.get("cases").is_some() {
            renumber_invariants(&mut case["cases"], used);
        }
    }
}

/// The place of an entry in a list, which gets it if it is new.
fn position<T: PartialEq>(list: &mut Vec<T>, entry: T) -> usize {
    list.iter().position(|other| *other == entry).unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    })
}

fn tidied(line: &Value) -> Option<Value> {
    let [old_pieces, old_segments, old_sets] = ["pieces", "segments", "sets"].map(|name| line[name].as_array());
    let (old_pieces, old_segments, old_sets) = (old_pieces?, old_segments?, old_sets?);
    let (mut pieces, mut segments, mut sets) = (Vec::new(), Vec::new(), Vec::new());
    let mut blocks = Vec::new();
    for block in line["blocks"].as_array()? {
        let mut set_of = |set: usize| -> Option<usize> {
            let mut new = Vec::new();
            for segment in numbers(old_sets.get(set)?) {
                let mut segment_pieces = Vec::new();
                for piece in numbers(old_segments.get(segment)?) {
                    segment_pieces.push(position(&mut pieces, ordered(old_pieces.get(piece)?)));
                }
                new.push(position(&mut segments, segment_pieces));
            }
            new.sort_unstable();
            new.dedup();
            Some(position(&mut sets, new))
        };
        let mut new = block.clone();
        let at: Option<Vec<usize>> = numbers(&block["at"]).into_iter().map(&mut set_of).collect();
        new["at"] = json!(at?);
        new["ends"] = json!(set_of(number(block.get("ends"))?)?);
        position(&mut blocks, new);
    }
    let mut tidied = line.clone();
    (tidied["pieces"], tidied["segments"], tidied["sets"]) = (json!(pieces), json!(segments), json!(sets));
    tidied["blocks"] = json!(blocks);
    Some(tidied)
}

/// A piece whose members are ascending, without empty ones.
fn ordered(piece: &Value) -> Value {
    let members = piece.as_object().into_iter().flatten().filter_map(|(name, list)| {
        let mut list = list.as_array()?.clone();
        list.sort_by_key(|entry| entry.as_u64().map_or_else(|| numbers(entry), |number| vec![number as usize]));
        list.dedup();
        (!list.is_empty()).then(|| (name.clone(), Value::Array(list)))
    });
    Value::Object(members.collect())
}

/// The ends of an invariant, each as a list of pieces, with the first phase.
pub(super) fn ends(invariant: &Value) -> Option<(usize, Vec<Vec<&Value>>)> {
    let block = invariant["blocks"].as_array()?.iter().find(|block| block.get("process").is_some())?;
    let set = numbers(invariant["sets"].get(number(block.get("ends"))?)?);
    let segment = |segment: usize| {
        let pieces = numbers(invariant["segments"].get(segment)?);
        pieces.into_iter().map(|piece| invariant["pieces"].get(piece)).collect::<Option<Vec<_>>>()
    };
    Some((number(block.get("phase"))?, set.into_iter().map(segment).collect::<Option<_>>()?))
}

/// Writes the choices of a case of clauses anew: for each choice the first clause whose facts it has, or else the first
/// one. Clauses that no choice needs are left out.
pub(super) fn choose(case: &mut Value, invariants: &[&Value]) -> Option<usize> {
    let of_case: Option<Vec<&&Value>> =
        numbers(case.get("invariants")?).into_iter().map(|at| invariants.get(at)).collect();
    let of_case = of_case?;
    let all: Vec<(usize, Vec<Vec<&Value>>)> = of_case.iter().map(|invariant| ends(invariant)).collect::<Option<_>>()?;
    let total = all.iter().map(|(_, ends)| ends.len()).try_fold(1usize, usize::checked_mul)?;
    if total > 3000 {
        return None;
    }
    let clauses = case["clauses"].as_array()?.clone();
    let (mut used, mut choices, mut missing) = (Vec::new(), Vec::<(usize, usize)>::new(), 0);
    for choice in 0..total {
        let mut rest = choice;
        let mut chosen = vec![0; all.len()];
        for at in (0..all.len()).rev() {
            chosen[at] = rest % all[at].1.len();
            rest /= all[at].1.len();
        }
        let has = |fact: &Value, kind: &str, phase: usize, place: usize| -> Option<bool> {
            let at = number(fact.get(0))?.checked_sub(1)?;
            let locks = of_case.get(at)?["locks"].as_array()?;
            let use_of = |name: &Value| {
                let name = name.as_str()?;
                let lock = name.strip_prefix("read ").unwrap_or(name);
                let lock = locks.iter().position(|other| other == lock)?;
                Some(2 * lock + usize::from(name.starts_with("read ")))
            };
            let (first, ends) = &all[at];
            let piece = ends[chosen[at]].get(phase.checked_sub(*first)?)?;
            let kind = if kind == "through" && place == 1 { "used" } else { kind };
            let uses: Option<Vec<usize>> = fact.as_array()?[1..].iter().map(use_of).collect();
            let wanted = match &uses?[..] {
                [one] => json!(one),
                two => json!(two),
            };
            Some(piece.get(kind)?.as_array()?.contains(&wanted))
        };
        let holds = |clause: &Value| {
            let phase = number(clause.get("phase")).unwrap_or(0);
            let kind = ["held", "through", "acquired", "released"].into_iter().find(|kind| clause.get(kind).is_some());
            let facts = kind.and_then(|kind| clause[kind].as_array().map(|facts| (kind, facts)));
            facts.is_some_and(|(kind, facts)| {
                facts.iter().enumerate().all(|(place, fact)| has(fact, kind, phase, place) == Some(true))
            })
        };
        let found = clauses.iter().position(holds);
        missing += usize::from(found.is_none());
        if clauses.is_empty() {
            continue;
        }
        let clause = position(&mut used, found.unwrap_or(0));
        match choices.last_mut() {
            Some((count, last)) if *last == clause => *count += 1,
            _ => choices.push((1, clause)),
        }
    }
    case["clauses"] = used.iter().map(|clause| clauses[*clause].clone()).collect();
    case["choices"] = json!(choices);
    Some(missing)
}
