//! Forgeries: certificates for violated queries, made of true ones.
//!
//! The invariants of a query come from safe queries in which a process has the same role; the clauses come from safe
//! queries with the same automaton. What then is not refuted is made to vanish: ends are dropped, segments that lead to
//! them are dropped, and facts are added.

use super::text::{Lines, choose, tidy};
use serde_json::{Value, json};

/// Certificates for a query that are made of these certificates of one model, each with one query.
pub fn forgeries(query: &Value, true_ones: &[Lines]) -> Vec<Lines> {
    let Some(base) = spliced(query, true_ones) else { return Vec::new() };
    let mut forged = vec![base.clone()];
    let cases = base.last().and_then(|line| line["cases"].as_array()).map_or(0, Vec::len);
    for case in 0..cases {
        let Some(invariants) = base.last().and_then(|line| line["cases"][case]["invariants"].as_array()) else {
            continue;
        };
        for invariant in invariants.iter().filter_map(Value::as_u64) {
            let line = 1 + invariant as usize;
            forged.extend(vanished(&base, line));
            forged.extend(invented(&base, line, case));
        }
    }
    for lines in &mut forged {
        tidy(lines);
    }
    forged
}

/// The claimed query with invariants and clauses of others. Its automata have no starts.
fn spliced(query: &Value, true_ones: &[Lines]) -> Option<Lines> {
    let processes = query["processes"].as_array()?;
    let cases = true_ones.iter().find_map(|one| same(query, one)?["cases"].as_array().map(Vec::len))?;
    let mut lines = vec![true_ones[0][0].clone()];
    let mut made = Vec::new();
    for case in 0..cases {
        let mut invariants = Vec::new();
        for (thread, process) in processes.iter().enumerate() {
            let found = true_ones.iter().find_map(|one| {
                let line = same(query, one)?;
                let number = line["cases"][case].get("invariants")?.get(thread)?.as_u64()? as usize;
                (line["processes"][thread] == *process).then(|| one[1 + number].clone())
            });
            let mut invariant = found?;
            invariant["invariant"] = json!(lines.len() - 1);
            invariants.push(lines.len() - 1);
            lines.push(invariant);
        }
        let mut clauses = Vec::new();
        for line in true_ones.iter().filter_map(|one| same(query, one)) {
            for clause in line["cases"][case].get("clauses").and_then(Value::as_array).into_iter().flatten() {
                if !clauses.contains(clause) {
                    clauses.push(clause.clone());
                }
            }
        }
        made.push(json!({"invariants": invariants, "clauses": clauses, "choices": []}));
    }
    let mut line = query.clone();
    line["cases"] = json!(made);
    lines.push(line);
    Some(lines)
}

/// The query of a certificate, if its automata and locations are those of another one.
fn same<'v>(query: &Value, one: &'v Lines) -> Option<&'v Value> {
    let line = one.last()?;
    (line["query"] == query["query"] && line.get("locations") == query.get("locations")).then_some(line)
}

/// Certificates in which ends of an invariant, and the segments of later phases, are dropped.
fn vanished(base: &Lines, line: usize) -> Vec<Lines> {
    let mut all = Vec::new();
    let invariant = &base[line];
    let lengths: Vec<usize> =
        invariant["segments"].as_array().into_iter().flatten().map(|it| it.as_array().map_or(0, Vec::len)).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let ends: Vec<usize> = invariant["blocks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it["ends"].as_u64())
        .map(|it| it as usize)
        .collect();
    let keep = |set: usize, is_kept: &dyn Fn(usize) -> bool| {
        let kept = invariant["sets"][set]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|it| is_kept(it.as_u64().unwrap_or(0) as usize));
        Value::Array(kept.cloned().collect())
    };
    let count = invariant["sets"].as_array().map_or(0, Vec::len);
    let with_sets = |set: &dyn Fn(usize) -> Value| {
        let mut lines = base.clone();
        lines[line]["sets"] = Value::Array((0..count).map(set).collect());
        lines
    };
    // All segments of at least so many pieces, in the ends and elsewhere.
    for least in 1..=longest + 1 {
        all.push(with_sets(&|set| {
            let is_end = ends.contains(&set);
            keep(set, &|segment| !is_end && lengths[segment] < least)
        }));
    }
    // Each segment alone, everywhere; and all but one.
    for one in 0..lengths.len() {
        for others in [false, true] {
            all.push(with_sets(&|set| {
                let is_end = ends.contains(&set);
                keep(set, &|segment| (segment != one) != others || (others && !is_end))
            }));
        }
    }
    all
}

/// Certificates in which all ends of an invariant have a fact more, with a clause that uses it.
fn invented(base: &Lines, line: usize, case: usize) -> Vec<Lines> {
    let mut all = Vec::new();
    let locks = base[line]["locks"].as_array().cloned().unwrap_or_default();
    let phases =
        base[line]["segments"].as_array().into_iter().flatten().map(|it| it.as_array().map_or(0, Vec::len)).max();
    for (number, lock) in locks.iter().enumerate() {
        for (member, fact) in [("held", json!(2 * number)), ("through", json!(2 * number)), ("used", json!(2 * number))]
        {
            let mut lines = base.clone();
            let pieces = lines[line]["pieces"].as_array_mut();
            for piece in pieces.into_iter().flatten() {
                match piece.get_mut(member).and_then(Value::as_array_mut) {
                    Some(list) if !list.contains(&fact) => list.push(fact.clone()),
                    Some(_) => {}
                    None => piece[member] = json!([fact]),
                }
            }
            let query = lines.len() - 1;
            for phase in 1..=phases.unwrap_or(1) {
                for kind in ["held", "through"] {
                    for facts in [json!([[1, lock], [2, lock]]), json!([[2, lock], [1, lock]])] {
                        if let Some(clauses) = lines[query]["cases"][case]["clauses"].as_array_mut() {
                            clauses.push(json!({"phase": phase, kind: facts}));
                        }
                    }
                }
            }
            let invariants: Vec<Value> = lines.iter().filter(|line| line.get("invariant").is_some()).cloned().collect();
            choose(&mut lines[query]["cases"][case], &invariants.iter().collect::<Vec<_>>());
            all.push(lines);
        }
    }
    all
}
