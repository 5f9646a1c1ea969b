//! Certificates as they are written, with the conditions on the text alone: F1, and of F2 all that needs no model.

use crate::error::{Place, Unread};
use crate::json::{Id, Json};
use crate::pieces::{Piece, Use};
use std::collections::HashSet;
use std::hash::Hash;

/// A certificate that keeps F1.
pub(crate) struct Certificate {
    /// The mode of units: both, or first.
    pub both: bool,
    pub invariants: Vec<Invariant>,
    pub queries: Vec<Query>,
}

pub(crate) struct Invariant {
    pub locks: Vec<String>,
    pub pieces: Vec<Piece>,
    pub segments: Vec<Vec<usize>>,
    pub sets: Vec<Vec<usize>>,
    pub blocks: Vec<Block>,
}

pub(crate) struct Block {
    pub is_process: bool,
    pub body: String,
    pub holds: Vec<Use>,
    pub unit: bool,
    pub phase: usize,
    /// The set of each instruction.
    pub at: Vec<usize>,
    pub ends: usize,
}

pub(crate) struct Query {
    pub name: String,
    pub locations: Vec<String>,
    pub locks: Vec<String>,
    pub processes: Vec<String>,
    /// The number of cases, which are the first ones of `all`.
    pub cases: usize,
    pub all: Vec<Case>,
}

pub(crate) enum Case {
    /// Event `j`, from 0, is absent.
    Absent(usize),
    Refuted {
        invariants: Vec<usize>,
        clauses: Vec<Clause>,
        choices: Vec<(u128, usize)>,
    },
    /// Participant, from 0; the first of its cases in `all`, and their number.
    Start {
        participant: usize,
        first: usize,
        count: usize,
    },
}

#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Clause {
    pub phase: usize,
    pub kind: Kind,
    pub facts: Vec<Fact>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Held,
    Through,
    Acquired,
    Released,
}

/// A participant, from 0, with one use or two.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Fact {
    pub participant: usize,
    pub uses: Vec<NamedUse>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct NamedUse {
    pub lock: String,
    pub read: bool,
}

impl Certificate {
    pub fn new(text: &str) -> Result<Certificate, Unread> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
        let mut certificate = Certificate { both: false, invariants: Vec::new(), queries: Vec::new() };
        let mut line = 0;
        for text in before.split('\n').filter(|_| !before.is_empty()) {
            line += 1;
            let json = Json::new(text, line)?;
            if line == 1 {
                certificate.header(&json)?;
            } else if json.has(0, "invariant") {
                certificate.invariant(&json)?;
            } else {
                certificate.query(&json)?;
            }
        }
        let json = Json::new(last, line + 1)?;
        if line == 0 {
            return json.error(0, "F1: a certificate has at least two lines");
        }
        let [queries, digest] = json.members(0, ["queries", "digest"])?.map(Option::unwrap_or_default);
        if json.large(queries)? != certificate.queries.len() as u128 {
            return json.error(queries, format!("F1: there are {} queries", certificate.queries.len()));
        }
        if json.text(digest)? != crate::digest(&text[..before.len() + 1]) {
            return json.error(digest, "F1: the digest is wrong");
        }
        certificate.is_used(line + 1)?;
        Ok(certificate)
    }

    fn header(&mut self, json: &Json) -> Result<(), Unread> {
        let [version, units] = json.members(0, ["certificate", "units"])?.map(Option::unwrap_or_default);
        if json.large(version)? != 1 {
            return json.error(version, "F1: expected version 1");
        }
        self.both = match json.text(units)? {
            "both" => true,
            "first" => false,
            _ => return json.error(units, "F1: expected `both` or `first`"),
        };
        Ok(())
    }

    fn invariant(&mut self, json: &Json) -> Result<(), Unread> {
        let names = ["invariant", "locks", "pieces", "segments", "sets", "blocks"];
        let [number, locks, pieces, segments, sets, blocks] = json.members(0, names)?.map(Option::unwrap_or_default);
        if json.large(number)? != self.invariants.len() as u128 {
            return json.error(number, format!("F1: expected number {}", self.invariants.len()));
        }
        let mut read = Invariant {
            locks: texts(json, Some(locks))?,
            pieces: Vec::new(),
            segments: Vec::new(),
            sets: Vec::new(),
            blocks: Vec::new(),
        };
        let uses = 2 * read.locks.len();
        read.pieces = each(json, pieces, |id| piece(json, id, uses))?;
        read.segments = each(json, segments, |id| numbers(json, id, read.pieces.len()))?;
        read.sets = each(json, sets, |id| ascending(json, Some(id), |id| json.number(id, read.segments.len())))?;
        read.blocks = each(json, blocks, |id| block(json, id, uses, read.sets.len()))?;
        if let Some(empty) = read.segments.iter().position(Vec::is_empty) {
            return json.error(segments, format!("F1: segment {empty} has no piece"));
        }
        different(json, locks, &read.locks)?;
        different(json, pieces, &read.pieces)?;
        different(json, segments, &read.segments)?;
        different(json, sets, &read.sets)?;
        used(json, pieces, read.pieces.len(), read.segments.iter().flatten())?;
        used(json, segments, read.segments.len(), read.sets.iter().flatten())?;
        used(json, sets, read.sets.len(), read.blocks.iter().flat_map(|block| block.at.iter().chain([&block.ends])))?;
        self.invariants.push(read);
        Ok(())
    }

    fn query(&mut self, json: &Json) -> Result<(), Unread> {
        let names = ["query", "locations?", "locks?", "processes", "cases"];
        let [query, locations, locks, processes, cases] = json.members(0, names)?;
        for id in [locations, locks].into_iter().flatten() {
            if json.list(id)?.is_empty() {
                return json.error(id, "F1: empty members are left out");
            }
        }
        let mut ids = json.optional(cases)?.to_vec();
        let mut read = Query {
            name: json.text(query.unwrap_or_default())?.into(),
            locations: texts(json, locations)?,
            locks: texts(json, locks)?,
            processes: texts(json, processes)?,
            cases: ids.len(),
            all: Vec::new(),
        };
        while let Some(&id) = ids.get(read.all.len()) {
            let case = self.case(json, id, &mut ids)?;
            read.all.push(case);
        }
        self.queries.push(read);
        Ok(())
    }

    /// Reads a case, and adds the cases in it to those that are to be read.
    fn case(&self, json: &Json, id: Id, ids: &mut Vec<Id>) -> Result<Case, Unread> {
        if json.has(id, "absent") {
            let [absent] = json.members(id, ["absent"])?.map(Option::unwrap_or_default);
            return Ok(Case::Absent(from_one(json, absent)?));
        }
        if json.has(id, "start") {
            let [start, cases] = json.members(id, ["start", "cases"])?.map(Option::unwrap_or_default);
            let first = ids.len();
            ids.extend(json.list(cases)?);
            return Ok(Case::Start { participant: from_one(json, start)?, first, count: ids.len() - first });
        }
        let names = ["invariants", "clauses", "choices"];
        let [invariants, clauses, choices] = json.members(id, names)?.map(Option::unwrap_or_default);
        let facts = each(json, clauses, |id| clause(json, id))?;
        let pairs = each(json, choices, |id| {
            let [count, clause] = json.list(id)? else { return json.error(id, "F1: expected two numbers") };
            Ok((json.large(*count)?, json.number(*clause, facts.len())?))
        })?;
        if pairs.iter().any(|(count, _)| *count == 0) || pairs.windows(2).any(|pair| pair[0].1 == pair[1].1) {
            return json.error(choices, "F2: counts are positive, and neighbours have different clauses");
        }
        different(json, clauses, &facts)?;
        used(json, clauses, facts.len(), pairs.iter().map(|(_, clause)| clause))?;
        let invariants = numbers(json, invariants, self.invariants.len())?;
        Ok(Case::Refuted { invariants, clauses: facts, choices: pairs })
    }

    /// F2: Each invariant is used by a query, and the queries are different.
    fn is_used(&self, line: u32) -> Result<(), Unread> {
        let mut seen = HashSet::new();
        let mut key = self.queries.iter().map(|it| (&it.name, &it.locations, &it.locks, &it.processes));
        if !key.all(|key| seen.insert(key)) {
            return Err((Place { line, column: 1 }, "F2: a query is there twice".into()));
        }
        let mut used = vec![false; self.invariants.len()];
        for case in self.queries.iter().flat_map(|query| &query.all) {
            if let Case::Refuted { invariants, .. } = case {
                invariants.iter().for_each(|invariant| used[*invariant] = true);
            }
        }
        match used.iter().position(|used| !used) {
            Some(unused) => Err((Place { line, column: 1 }, format!("F2: no query uses invariant {unused}"))),
            None => Ok(()),
        }
    }
}

fn each<T>(json: &Json, id: Id, read: impl FnMut(Id) -> Result<T, Unread>) -> Result<Vec<T>, Unread> {
    json.list(id)?.iter().copied().map(read).collect()
}

fn numbers(json: &Json, id: Id, bound: usize) -> Result<Vec<usize>, Unread> {
    each(json, id, |id| json.number(id, bound))
}

fn from_one(json: &Json, id: Id) -> Result<usize, Unread> {
    let number = json.number(id, u32::MAX as usize)?;
    number.checked_sub(1).map_or_else(|| json.error(id, "F1: numbers begin with 1"), Ok)
}

fn texts(json: &Json, id: Option<Id>) -> Result<Vec<String>, Unread> {
    json.optional(id)?.iter().map(|id| json.text(*id).map(String::from)).collect()
}

/// F2: A strictly ascending list.
fn ascending<T: Ord>(json: &Json, id: Option<Id>, read: impl FnMut(Id) -> Result<T, Unread>) -> Result<Vec<T>, Unread> {
    let Some(id) = id else { return Ok(Vec::new()) };
    let list = each(json, id, read)?;
    if list.windows(2).all(|pair| pair[0] < pair[1]) {
        Ok(list)
    } else {
        json.error(id, "F2: expected an ascending list")
    }
}

/// An ascending list that is left out if it is empty.
fn optional<T: Ord>(json: &Json, id: Option<Id>, read: impl FnMut(Id) -> Result<T, Unread>) -> Result<Vec<T>, Unread> {
    let list = ascending(json, id, read)?;
    match id {
        Some(id) if list.is_empty() => json.error(id, "F1: empty members are left out"),
        _ => Ok(list),
    }
}

/// F2: All entries of a list are different.
fn different<T: Eq + Hash>(json: &Json, id: Id, all: &[T]) -> Result<(), Unread> {
    let mut seen = HashSet::new();
    match all.iter().position(|one| !seen.insert(one)) {
        Some(number) => json.error(json.list(id)?[number], "F2: this entry is there already"),
        None => Ok(()),
    }
}

/// F2: All entries of a list are used.
fn used<'a>(json: &Json, id: Id, count: usize, uses: impl Iterator<Item = &'a usize>) -> Result<(), Unread> {
    let mut used = vec![false; count];
    uses.for_each(|entry| used[*entry] = true);
    match used.iter().position(|used| !used) {
        Some(number) => json.error(json.list(id)?[number], "F2: this entry is not used"),
        None => Ok(()),
    }
}

fn piece(json: &Json, id: Id, uses: usize) -> Result<Piece, Unread> {
    let names = ["through?", "used?", "acquired?", "released?", "held?"];
    let [through, used, acquired, released, held] = json.members(id, names)?;
    let one = |id| json.number(id, uses).map(|number| number as Use);
    let pair = |id| match json.list(id)? {
        [first, second] => Ok((one(*first)?, one(*second)?)),
        _ => json.error(id, "F1: expected two uses"),
    };
    Ok(Piece {
        through: optional(json, through, one)?,
        used: optional(json, used, one)?,
        acquired: optional(json, acquired, pair)?,
        released: optional(json, released, pair)?,
        held: optional(json, held, one)?,
    })
}

fn block(json: &Json, id: Id, uses: usize, sets: usize) -> Result<Block, Unread> {
    let is_process = json.has(id, "process");
    let kind = if is_process { "process" } else { "function" };
    let [body, holds, unit, phase, at, ends] = json.members(id, [kind, "holds?", "unit?", "phase", "at", "ends"])?;
    if let Some(unit) = unit
        && json.large(unit)? != 1
    {
        return json.error(unit, "F1: expected 1");
    }
    Ok(Block {
        is_process,
        body: json.text(body.unwrap_or_default())?.into(),
        holds: optional(json, holds, |id| json.number(id, uses).map(|number| number as Use))?,
        unit: unit.is_some(),
        phase: from_one(json, phase.unwrap_or_default())? + 1,
        at: numbers(json, at.unwrap_or_default(), sets)?,
        ends: json.number(ends.unwrap_or_default(), sets)?,
    })
}

fn clause(json: &Json, id: Id) -> Result<Clause, Unread> {
    let names = ["phase", "held?", "through?", "acquired?", "released?"];
    let [phase, held, through, acquired, released] = json.members(id, names)?;
    let kinds = [Kind::Held, Kind::Through, Kind::Acquired, Kind::Released];
    let given = [held, through, acquired, released].into_iter().zip(kinds);
    let given: Vec<(Id, Kind)> = given.filter_map(|(id, kind)| Some((id?, kind))).collect();
    let [(facts, kind)] = given[..] else { return json.error(id, "F1: expected one kind of facts") };
    let count = if matches!(kind, Kind::Held | Kind::Through) { 1 } else { 2 };
    let fact = |id| match json.list(id)? {
        [participant, uses @ ..] if uses.len() == count => Ok(Fact {
            participant: from_one(json, *participant)?,
            uses: uses.iter().map(|id| named_use(json, *id)).collect::<Result<_, _>>()?,
        }),
        _ => json.error(id, "F1: expected a participant and uses"),
    };
    Ok(Clause { phase: from_one(json, phase.unwrap_or_default())? + 1, kind, facts: each(json, facts, fact)? })
}

fn named_use(json: &Json, id: Id) -> Result<NamedUse, Unread> {
    let text = json.text(id)?;
    let read = text.strip_prefix("read ");
    Ok(NamedUse { lock: read.unwrap_or(text).into(), read: read.is_some() })
}
