//! Certificates as they are written, with the conditions on the text alone: F1, and of F2 all that needs no role.
//!
//! Phases, participants and events are counted from 0 here, and from 1 in the text.

use crate::model::Model;
use crate::ops::{BodyId, LocationId, LockId, Op, Use};
use crate::pieces::Piece;
use crate::text::{MOST_WORDS, Place, Unread, find};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;

#[derive(Default)]
pub(crate) struct Certificate<'t> {
    /// The mode of units: both, or first.
    pub both: bool,
    pub invariants: Vec<Invariant>,
    pub queries: Vec<Query<'t>>,
}

/// Pieces, one for each phase.
pub(crate) type Segment = Vec<Rc<Piece>>;

#[derive(Default)]
pub(crate) struct Invariant {
    pub locks: Vec<LockId>,
    pieces: Vec<Rc<Piece>>,
    segments: Vec<Rc<Segment>>,
    pub sets: Vec<Vec<Rc<Segment>>>,
    pub blocks: BTreeMap<Entry, Block>,
}

/// The place of a block: a body, a context, and a phase.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub body: BodyId,
    pub holds: Vec<Use>,
    pub unit: bool,
    pub phase: usize,
}

/// The numbers of the sets of a block.
pub(crate) struct Block {
    /// That of each instruction.
    pub at: Vec<usize>,
    /// Those of returns.
    pub returns: BTreeSet<usize>,
    pub ends: usize,
}

pub(crate) struct Query<'t> {
    pub name: &'t str,
    pub processes: Vec<(&'t str, BodyId)>,
    pub locations: Vec<(&'t str, LocationId)>,
    pub locks: Vec<(&'t str, LockId)>,
    /// The cases of its automata; after a case S come those in it.
    pub cases: Vec<Case>,
}

pub(crate) enum Case {
    /// An event is absent.
    Absent(usize),
    /// A participant is started.
    Start(usize),
    Refuted(Refutation),
}

#[derive(Default)]
pub(crate) struct Refutation {
    pub invariants: Vec<usize>,
    pub clauses: Vec<Clause>,
    pub choices: Vec<Choice>,
}

/// Facts that exclude each other.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Clause {
    /// The number of its condition: 1 for R1.
    pub condition: usize,
    pub phase: usize,
    /// A participant with one use (R1, R2) or two.
    pub facts: Vec<(usize, Vec<Use>)>,
}

/// The next ends of a participant, with all ends of the later ones, and the number of their clause.
pub(crate) struct Choice {
    pub participant: usize,
    pub count: usize,
    pub clause: usize,
}

/// The most locks of an invariant.
const MOST_LOCKS: usize = 64;

/// Numbers of phases, participants and ends are smaller.
const MOST: usize = 1 << 31;

impl<'t> Certificate<'t> {
    pub fn new(text: &'t str, model: &Model<'t>) -> Result<Certificate<'t>, Unread> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let before = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut certificate = Certificate::default();
        let at = |line| move |reason| (Place { line, column: 1 }, reason);
        if before.matches([' ', ',', '\n']).nth(MOST_WORDS).is_some() {
            return Err(at(1)(format!("there are more than {MOST_WORDS} words")));
        }
        for (line, number) in before.lines().zip(1..) {
            let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
            let words = |field: &'t str| field.split(' ').filter(|word| !word.is_empty()).collect();
            let fields: Vec<Vec<&str>> = rest.split(',').map(words).collect();
            let fields: Vec<&[&str]> = fields.iter().map(|field| &field[..]).collect();
            certificate.line(number == 1, keyword, &fields, model).map_err(at(number))?;
        }
        let last = before.lines().count() + 1;
        let end = format!("end {} {}", certificate.queries.len(), crate::digest(before));
        if before.is_empty() || text[before.len()..] != end {
            return Err(at(last)(format!("F1: expected `{end}`")));
        }
        certificate.check_use().map_err(at(last))?;
        Ok(certificate)
    }

    /// Reads a line: a keyword, and fields between commas.
    fn line(&mut self, is_first: bool, word: &str, fields: &[&[&'t str]], model: &Model<'t>) -> Result<(), String> {
        match (word, fields, self.invariants.last_mut()) {
            ("certificate", [["3", units @ ("both" | "first")]], _) if is_first => self.both = *units == "both",
            _ if is_first => return unexpected(),
            ("invariant", [locks], _) if locks.len() <= MOST_LOCKS => {
                let locks = locks.iter().map(|lock| find(&model.locks, "lock", lock)).collect::<Result<_, _>>()?;
                self.invariants.push(Invariant { locks: ascending(locks)?, ..Invariant::default() });
            }
            ("piece", lists, Some(invariant)) if invariant.segments.is_empty() => invariant.add_piece(lists)?,
            ("segments", lists, Some(invariant)) if invariant.segments.is_empty() => {
                all_different(&invariant.pieces, "piece")?;
                let segments = parts(lists, &invariant.pieces, ["piece", "segment"], Ok)?;
                if segments.iter().any(Vec::is_empty) {
                    return Err("F1: a segment has no piece".into());
                }
                invariant.segments = segments.into_iter().map(Rc::new).collect();
            }
            ("sets", lists, Some(invariant)) if invariant.sets.is_empty() => {
                invariant.sets = parts(lists, &invariant.segments, ["segment", "set"], ascending)?;
            }
            ("process" | "function", [[name], rest @ ..], Some(invariant)) => {
                let bodies = if word == "process" { &model.processes } else { &model.functions };
                invariant.add_block(find(bodies, word, name)?, rest, model)?;
            }
            ("query", [[name], processes, locations, locks], _) => self.queries.push(Query {
                name,
                processes: named(processes, &model.processes, "process")?,
                locations: named(locations, &model.locations, "location")?,
                locks: named(locks, &model.locks, "lock")?,
                cases: Vec::new(),
            }),
            _ => return self.case(word, fields),
        }
        Ok(())
    }

    /// Reads a line of a case.
    fn case(&mut self, word: &str, fields: &[&[&str]]) -> Result<(), String> {
        let Some(Query { cases, .. }) = self.queries.last_mut() else { return unexpected() };
        match (word, fields, cases.last_mut()) {
            ("absent", [[event]], _) => cases.push(Case::Absent(from_one(event)?)),
            ("start", [[participant]], _) => cases.push(Case::Start(from_one(participant)?)),
            ("refuted", [list], _) => {
                let invariants = numbers(list, self.invariants.len())?;
                cases.push(Case::Refuted(Refutation { invariants, ..Refutation::default() }));
            }
            ("clause", [[condition, phase], facts @ ..], Some(Case::Refuted(refutation))) => {
                let (condition, phase) = (from_one(condition)? + 1, from_one(phase)?);
                if condition > 4 {
                    return Err("F1: clauses are R1 to R4".into());
                }
                let fact = |fact: &&[&str]| {
                    let [participant, uses @ ..] = fact else { return Err("F1: a fact is empty".to_string()) };
                    let participant = participant_of(participant, refutation)?;
                    Ok((participant, self.invariants[refutation.invariants[participant]].uses(uses)?))
                };
                let facts = facts.iter().map(fact).collect::<Result<_, _>>()?;
                refutation.clauses.push(Clause { condition, phase, facts });
            }
            ("choice", [[participant, count, clause]], Some(Case::Refuted(refutation))) => {
                let participant = participant_of(participant, refutation)?;
                let (count, clause) = (number_below(count, MOST)?, number_below(clause, refutation.clauses.len())?);
                refutation.choices.push(Choice { participant, count, clause });
            }
            _ => return unexpected(),
        }
        Ok(())
    }

    /// F2: Everything is used, and queries and clauses are different.
    fn check_use(&self) -> Result<(), String> {
        all_different(self.queries.iter().map(|it| (it.name, &it.processes, &it.locations, &it.locks)), "query")?;
        for invariant in &self.invariants {
            let sets = invariant.blocks.values().flat_map(|block| block.at.iter().chain([&block.ends]));
            all_used(invariant.sets.len(), sets, "set")?;
        }
        let mut invariants = Vec::new();
        for case in self.queries.iter().flat_map(|query| &query.cases) {
            if let Case::Refuted(refutation) = case {
                invariants.extend(&refutation.invariants);
                all_different(&refutation.clauses, "clause")?;
                let clauses = refutation.choices.iter().map(|choice| &choice.clause);
                all_used(refutation.clauses.len(), clauses, "clause")?;
            }
        }
        all_used(self.invariants.len(), &invariants, "invariant")
    }
}

impl Invariant {
    /// Uses: twice the number of a lock of the invariant, and 1 more in read mode.
    fn uses(&self, field: &[&str]) -> Result<Vec<Use>, String> {
        let numbers = numbers(field, 2 * self.locks.len())?;
        Ok(numbers.iter().map(|number| Use { lock: self.locks[number / 2], is_read: number % 2 == 1 }).collect())
    }

    /// Ascending pairs of uses, written one after the other.
    fn pairs(&self, field: &[&str]) -> Result<Vec<(Use, Use)>, String> {
        let uses = self.uses(field)?;
        let (pairs, []) = uses.as_chunks() else { return Err("F1: expected pairs".into()) };
        ascending(pairs.iter().map(|[first, second]| (*first, *second)).collect())
    }

    fn add_piece(&mut self, lists: &[&[&str]]) -> Result<(), String> {
        let [through, used, acquired, released, held] = lists else { return Err("F1: expected five lists".into()) };
        self.pieces.push(Rc::new(Piece {
            through: ascending(self.uses(through)?)?,
            used: ascending(self.uses(used)?)?,
            acquired: self.pairs(acquired)?,
            released: self.pairs(released)?,
            held: ascending(self.uses(held)?)?,
        }));
        Ok(())
    }

    fn add_block(&mut self, body: BodyId, fields: &[&[&str]], model: &Model<'_>) -> Result<(), String> {
        let [holds, [unit, phase, ends], at] = fields else { return Err("F1: expected a block".into()) };
        let (unit, phase) = (number_below(unit, 2)? == 1, from_one(phase)?);
        let entry = Entry { body, holds: ascending(self.uses(holds)?)?, unit, phase };
        let (ends, at) = (number_below(ends, self.sets.len())?, numbers(at, self.sets.len())?);
        let instructions = &model.bodies[body.0].code.instructions;
        if at.len() != instructions.len() {
            return Err(format!("F1: there are {} sets for {} instructions", at.len(), instructions.len()));
        }
        let returns = instructions.iter().zip(&at).filter(|(instruction, _)| instruction.op == Op::Return);
        let returns = returns.map(|(_, set)| *set).collect();
        match self.blocks.insert(entry, Block { at, returns, ends }) {
            Some(_) => Err("F2: this block is there already".into()),
            None => Ok(()),
        }
    }
}

fn unexpected() -> Result<(), String> {
    Err("F1: this line is not expected here".into())
}

fn number_below(word: &str, bound: usize) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| *number < bound);
    number.ok_or_else(|| format!("F1: `{word}` is no number below {bound}"))
}

fn numbers(field: &[&str], bound: usize) -> Result<Vec<usize>, String> {
    field.iter().map(|word| number_below(word, bound)).collect()
}

/// A number that is counted from 1 in the certificate and from 0 here.
fn from_one(word: &str) -> Result<usize, String> {
    number_below(word, MOST)?.checked_sub(1).ok_or_else(|| "F1: numbers begin with 1".into())
}

fn participant_of(word: &str, refutation: &Refutation) -> Result<usize, String> {
    let participant = from_one(word)?;
    let is_known = participant < refutation.invariants.len();
    if is_known { Ok(participant) } else { Err(format!("F1: there is no participant {word}")) }
}

fn named<'t, T: Copy>(names: &[&'t str], known: &HashMap<&str, T>, kind: &str) -> Result<Vec<(&'t str, T)>, String> {
    names.iter().map(|name| Ok((*name, find(known, kind, name)?))).collect()
}

/// Lists of numbers of parts. F2: They are different, each keeps an order, and all parts are used.
fn parts<T: Clone>(
    fields: &[&[&str]],
    known: &[T],
    [part, whole]: [&str; 2],
    order: fn(Vec<usize>) -> Result<Vec<usize>, String>,
) -> Result<Vec<Vec<T>>, String> {
    let lists = fields.iter().map(|field| order(numbers(field, known.len())?)).collect::<Result<Vec<_>, String>>()?;
    all_different(&lists, whole)?;
    all_used(known.len(), lists.iter().flatten(), part)?;
    Ok(lists.iter().map(|list| list.iter().map(|number| known[*number].clone()).collect()).collect())
}

/// F2: A list is strictly ascending.
fn ascending<T: Ord>(list: Vec<T>) -> Result<Vec<T>, String> {
    if list.is_sorted_by(|one, next| one < next) { Ok(list) } else { Err("F2: a list is not ascending".into()) }
}

/// F2: All entries are different.
fn all_different<T: Eq + Hash>(entries: impl IntoIterator<Item = T>, kind: &str) -> Result<(), String> {
    let mut seen = HashSet::new();
    let double = entries.into_iter().position(|entry| !seen.insert(entry));
    double.map_or(Ok(()), |number| Err(format!("F2: {kind} {number} is there already")))
}

/// F2: All entries are used.
fn all_used<'u>(count: usize, uses: impl IntoIterator<Item = &'u usize>, kind: &str) -> Result<(), String> {
    let mut is_used = vec![false; count];
    uses.into_iter().for_each(|number| is_used[*number] = true);
    let unused = is_used.iter().position(|is_used| !is_used);
    unused.map_or(Ok(()), |number| Err(format!("F2: {kind} {number} is not used")))
}
