//! Certificates as JSON values, and repairs of them.
//!
//! A value has the members of the format with their names; the facts of clauses name their locks.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The head of a certificate, its invariants and its queries.
pub type Lines = Vec<Value>;

/// Reads a certificate without its last line.
pub fn lines(certificate: &str) -> Lines {
    let mut lines = Lines::new();
    for line in certificate.lines().filter(|line| !line.starts_with("end ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let fields: Vec<Vec<&str>> = rest.split(',').map(|field| field.split_whitespace().collect()).collect();
        read(&mut lines, word, &fields);
    }
    lines
}

fn read(lines: &mut Lines, word: &str, fields: &[Vec<&str>]) {
    let field = |at: usize| -> &[&str] { fields.get(at).map_or(&[], Vec::as_slice) };
    let parsed = |words: &[&str]| words.iter().map(|word| word.parse().expect("a number")).collect::<Vec<usize>>();
    let lists: Vec<Vec<usize>> = if matches!(word, "piece" | "segments" | "sets") {
        fields.iter().map(|field| parsed(field)).collect()
    } else {
        Vec::new()
    };
    let count = lines.iter().filter(|line| line.get("invariant").is_some()).count();
    match word {
        "certificate" => lines.push(json!({"certificate": parsed(&field(0)[..1])[0], "units": field(0)[1]})),
        "invariant" => lines.push(json!({"invariant": count, "locks": field(0), "pieces": [], "blocks": []})),
        "query" => lines.push(json!({
            "query": field(0)[0], "processes": field(1), "locations": field(2), "locks": field(3), "cases": []
        })),
        "piece" => {
            let pairs = |list: &[usize]| list.chunks(2).map(<[usize]>::to_vec).collect::<Vec<_>>();
            let piece = json!({
                "through": lists[0], "used": lists[1], "acquired": pairs(&lists[2]), "released": pairs(&lists[3]),
                "held": lists[4]
            });
            add(lines, "pieces", piece);
        }
        "segments" | "sets" => lines.last_mut().expect("an invariant")[word] = json!(lists),
        "process" | "function" => {
            let numbers = parsed(field(2));
            let (unit, phase, ends) = (numbers[0], numbers[1], numbers[2]);
            let block = json!({
                word: field(0)[0], "holds": parsed(field(1)), "unit": unit, "phase": phase, "at": parsed(field(3)),
                "ends": ends
            });
            add(lines, "blocks", block);
        }
        "absent" | "start" => add(lines, "cases", json!({word: parsed(field(0))[0]})),
        "refuted" => add(lines, "cases", json!({"invariants": parsed(field(0)), "clauses": [], "choices": []})),
        "clause" => {
            let of_case = case(lines)["invariants"].clone();
            let fact = |fact: &Vec<&str>| {
                let fact = parsed(fact);
                let locks = &lines[1 + numbers(&of_case)[fact[0] - 1]]["locks"];
                let name = |number: &usize| {
                    let read = if number % 2 == 1 { "read " } else { "" };
                    json!(format!("{read}{}", locks[number / 2].as_str().expect("a lock")))
                };
                let names = fact[1..].iter().map(name);
                Value::Array([json!(fact[0])].into_iter().chain(names).collect())
            };
            let head = parsed(field(0));
            let facts: Vec<Value> = fields[1..].iter().map(fact).collect();
            let clause = json!({"phase": head[1], KINDS[head[0] - 1]: facts});
            case(lines)["clauses"].as_array_mut().expect("clauses").push(clause);
        }
        "choice" => case(lines)["choices"].as_array_mut().expect("choices").push(json!(parsed(field(0)))),
        _ => panic!("an unknown line: {word}"),
    }
}

/// The facts of R1 to R4.
const KINDS: [&str; 4] = ["held", "through", "acquired", "released"];

fn add(lines: &mut Lines, member: &str, value: Value) {
    lines.last_mut().and_then(|line| line[member].as_array_mut()).expect("a list").push(value);
}

/// The last case.
fn case(lines: &mut Lines) -> &mut Value {
    lines.last_mut().and_then(|line| line["cases"].as_array_mut()?.last_mut()).expect("a case")
}

/// The text of a certificate, with a last line that is right.
pub fn sealed(lines: &[Value]) -> String {
    let invariants: Vec<&Value> = lines.iter().filter(|line| line.get("invariant").is_some()).collect();
    let before: String = lines.iter().map(|line| written(line, &invariants)).collect();
    let queries = lines.iter().filter(|line| line.get("query").is_some()).count();
    format!("{before}end {queries} {}\n", verify::digest(&before))
}

/// The lines of an invariant, a query or the head. Values that do not belong there give lines that are none.
fn written(line: &Value, invariants: &[&Value]) -> String {
    let mut text = String::new();
    let entries = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let lists = |list: &Value| entries(list).iter().map(words).collect::<Vec<_>>().join(",");
    if line.get("certificate").is_some() {
        text += &format!("certificate {} {}\n", words(&line["certificate"]), words(&line["units"]));
    } else if line.get("invariant").is_some() {
        text += &format!("invariant {}\n", words(&line["locks"]));
        for piece in entries(&line["pieces"]) {
            let members = ["through", "used", "acquired", "released", "held"].map(|member| words(&piece[member]));
            text += &format!("piece {}\n", members.join(","));
        }
        text += &format!("segments {}\nsets {}\n", lists(&line["segments"]), lists(&line["sets"]));
        for block in entries(&line["blocks"]) {
            let kind = if block.get("process").is_some() { "process" } else { "function" };
            let members = ["holds", "unit", "phase", "ends", "at"].map(|member| words(&block[member]));
            let [holds, unit, phase, ends, at] = members;
            text += &format!("{kind} {},{holds},{unit} {phase} {ends},{at}\n", words(&block[kind]));
        }
    } else {
        let names = ["query", "processes", "locations", "locks"].map(|member| words(&line[member]));
        text += &format!("query {}\n", names.join(","));
        for case in entries(&line["cases"]) {
            text += &written_case(&case, invariants);
        }
    }
    text
}

fn written_case(case: &Value, invariants: &[&Value]) -> String {
    for word in ["absent", "start"] {
        if let Some(number) = case.get(word) {
            return format!("{word} {}\n", words(number));
        }
    }
    let mut text = format!("refuted {}\n", words(&case["invariants"]));
    let number_of = |participant: &Value, name: &Value| {
        let at = participant.as_u64()?.checked_sub(1)? as usize;
        let locks = invariants.get(*numbers(&case["invariants"]).get(at)?)?["locks"].as_array()?;
        let lock = name.as_str()?;
        let place = locks.iter().position(|own| own == lock.strip_prefix("read ").unwrap_or(lock))?;
        Some(2 * place + usize::from(lock.starts_with("read ")))
    };
    for clause in case["clauses"].as_array().into_iter().flatten() {
        let Some(kind) = KINDS.iter().position(|kind| clause.get(kind).is_some()) else { continue };
        text += &format!("clause {} {}", kind + 1, words(&clause["phase"]));
        for fact in clause[KINDS[kind]].as_array().into_iter().flatten() {
            let fact = fact.as_array().cloned().unwrap_or_default();
            let names =
                fact.iter().skip(1).map(|name| number_of(&fact[0], name).map_or("none".into(), |it| it.to_string()));
            let names: Vec<String> = fact.first().map(words).into_iter().chain(names).collect();
            text += &format!(",{}", names.join(" "));
        }
        text.push('\n');
    }
    for choice in case["choices"].as_array().into_iter().flatten() {
        text += &format!("choice {}\n", words(choice));
    }
    text
}

/// The words in a value, with spaces in between.
fn words(value: &Value) -> String {
    match value {
        Value::Array(entries) => entries.iter().map(words).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
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
    }
}

fn renumber_invariants(cases: &mut Value, used: &[usize]) {
    for case in cases.as_array_mut().into_iter().flatten() {
        if let Some(list) = case.get("invariants") {
            let numbers = numbers(list);
            let new: Vec<_> = numbers.iter().filter_map(|number| used.binary_search(number).ok()).collect();
            case["invariants"] = json!(new);
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

/// A piece whose members are ascending.
fn ordered(piece: &Value) -> Value {
    let members = piece.as_object().into_iter().flatten().filter_map(|(name, list)| {
        let mut list = list.as_array()?.clone();
        list.sort_by_key(|entry| entry.as_u64().map_or_else(|| numbers(entry), |number| vec![number as usize]));
        list.dedup();
        Some((name.clone(), Value::Array(list)))
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
    let sizes: Vec<usize> = all.iter().map(|(_, ends)| ends.len()).collect();
    case["choices"] = json!(grouped(&choices, &sizes));
    Some(missing)
}

/// Runs of choices as ends of a participant with all ends of the later ones.
fn grouped(runs: &[(usize, usize)], sizes: &[usize]) -> Vec<[usize; 3]> {
    let after = |at: usize| sizes[at + 1..].iter().product::<usize>();
    let (mut grouped, mut begin) = (Vec::new(), 0);
    for (count, clause) in runs {
        let end = begin + count;
        while begin < end {
            let fits = |at: &usize| begin % after(*at) == 0 && after(*at) <= end - begin;
            let at = (0..sizes.len()).find(fits).unwrap_or(sizes.len() - 1);
            let some = (sizes[at] - begin / after(at) % sizes[at]).min((end - begin) / after(at));
            grouped.push([at + 1, some, *clause]);
            begin += some * after(at);
        }
    }
    grouped
}
