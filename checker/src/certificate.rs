//! Certificates as they are written, with the conditions on the text alone: F1, and of F2 all that needs no role.

use crate::model::Model;
use crate::ops::{BodyId, LocationId, LockId, Use};
use crate::pieces::Piece;
use crate::text::{MOST_WORDS, Place, Unread, find};
use std::collections::{HashMap, HashSet};
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
    pub blocks: Vec<Block>,
}

/// The place of a block: a body, a context, and a phase.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub body: BodyId,
    pub holds: Vec<Use>,
    pub unit: bool,
    /// From 1.
    pub phase: usize,
}

pub(crate) struct Block {
    pub entry: Entry,
    /// The set of each instruction.
    pub at: Vec<usize>,
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
    /// Event `j`, from 0, is absent.
    Absent(usize),
    /// Participant `x`, from 0, is started.
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
    /// From 1.
    pub phase: usize,
    /// A participant, from 0, with one use (R1, R2) or two.
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
        if before.matches([' ', ',', '\n']).nth(MOST_WORDS).is_some() {
            return Err((Place { line: 1, column: 1 }, format!("there are more than {MOST_WORDS} words")));
        }
        for (number, line) in before.lines().enumerate() {
            let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
            let fields: Vec<Vec<&str>> =
                rest.split(',').map(|field| field.split(' ').filter(|word| !word.is_empty()).collect()).collect();
            let fields: Vec<&[&str]> = fields.iter().map(|field| &field[..]).collect();
            let read = certificate.line(number, keyword, &fields, model);
            read.map_err(|reason| (Place { line: number + 1, column: 1 }, reason))?;
        }
        let last = Place { line: before.lines().count() + 1, column: 1 };
        let end = format!("end {} {}", certificate.queries.len(), crate::digest(before));
        if before.is_empty() || text[before.len()..] != end {
            return Err((last, format!("F1: expected `{end}`")));
        }
        certificate.check_use().map_err(|reason| (last, reason))?;
        Ok(certificate)
    }

    /// Reads a line: a keyword, and fields between commas.
    fn line(&mut self, number: usize, word: &str, fields: &[&[&'t str]], model: &Model<'t>) -> Result<(), String> {
        let unexpected = || Err("F1: this line is not expected here".to_string());
        if (number == 0) != (word == "certificate") {
            return unexpected();
        }
        let case = self.queries.last_mut().and_then(|query| query.cases.last_mut());
        match (word, fields, self.invariants.last_mut(), case) {
            ("certificate", [["3", units @ ("both" | "first")]], ..) => self.both = *units == "both",
            ("invariant", [locks], ..) if locks.len() <= MOST_LOCKS => {
                let locks = locks.iter().map(|lock| find(&model.locks, "lock", lock)).collect::<Result<_, _>>()?;
                self.invariants.push(Invariant { locks: ascending(locks)?, ..Invariant::default() });
            }
            ("piece", lists, Some(invariant), _) if invariant.segments.is_empty() => invariant.add_piece(lists)?,
            ("segments", lists, Some(invariant), _) if invariant.segments.is_empty() => {
                invariant.add_segments(lists)?
            }
            ("sets", lists, Some(invariant), _) if invariant.sets.is_empty() => invariant.add_sets(lists)?,
            ("process" | "function", [[name], rest @ ..], Some(invariant), _) => {
                let bodies = if word == "process" { &model.processes } else { &model.functions };
                invariant.add_block(find(bodies, word, name)?, rest, model)?;
            }
            ("query", [[name], processes, locations, locks], ..) => self.queries.push(Query {
                name,
                processes: named(processes, &model.processes, "process")?,
                locations: named(locations, &model.locations, "location")?,
                locks: named(locks, &model.locks, "lock")?,
                cases: Vec::new(),
            }),
            ("absent" | "start" | "refuted", [list], ..) => {
                let Some(query) = self.queries.last_mut() else { return unexpected() };
                query.cases.push(match (word, list) {
                    ("absent", [event]) => Case::Absent(from_one(event)?),
                    ("start", [participant]) => Case::Start(from_one(participant)?),
                    ("refuted", list) => {
                        let invariants = numbers(list, self.invariants.len())?;
                        Case::Refuted(Refutation { invariants, ..Refutation::default() })
                    }
                    _ => return unexpected(),
                });
            }
            ("clause", [[condition, phase], facts @ ..], _, Some(Case::Refuted(refutation))) => {
                let (condition, phase) = (from_one(condition)? + 1, from_one(phase)? + 1);
                if condition > 4 {
                    return Err("F1: clauses are R1 to R4".into());
                }
                let fact = |fact: &&[&str]| {
                    let [participant, uses @ ..] = fact else { return Err("F1: a fact is empty".to_string()) };
                    let participant = from_one(participant)?;
                    let invariant = refutation.invariants.get(participant);
                    let invariant = invariant.ok_or_else(|| format!("F1: no participant {}", participant + 1))?;
                    Ok((participant, self.invariants[*invariant].uses(uses)?))
                };
                let facts = facts.iter().map(fact).collect::<Result<_, _>>()?;
                refutation.clauses.push(Clause { condition, phase, facts });
            }
            ("choice", [[participant, count, clause]], _, Some(Case::Refuted(refutation))) => {
                let participant = from_one(participant)?;
                let (count, clause) = (number_below(count, MOST)?, number_below(clause, refutation.clauses.len())?);
                if participant >= refutation.invariants.len() {
                    return Err("F1: there is no such participant".into());
                }
                refutation.choices.push(Choice { participant, count, clause });
            }
            _ => return unexpected(),
        }
        Ok(())
    }

    /// F2: Everything is used, and queries, blocks' sets and clauses are different.
    fn check_use(&self) -> Result<(), String> {
        all_different(self.queries.iter().map(|it| (it.name, &it.processes, &it.locations, &it.locks)), "query")?;
        for invariant in &self.invariants {
            let sets = invariant.blocks.iter().flat_map(|block| block.at.iter().chain([&block.ends]));
            all_used(invariant.sets.len(), sets.copied(), "set")?;
        }
        let mut invariants = Vec::new();
        for case in self.queries.iter().flat_map(|query| &query.cases) {
            if let Case::Refuted(refutation) = case {
                invariants.extend(&refutation.invariants);
                all_different(&refutation.clauses, "clause")?;
                let clauses = refutation.choices.iter().map(|choice| choice.clause);
                all_used(refutation.clauses.len(), clauses, "clause")?;
            }
        }
        all_used(self.invariants.len(), invariants, "invariant")
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
        let (pairs, rest) = uses.as_chunks();
        if !rest.is_empty() {
            return Err("F1: expected pairs".into());
        }
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

    fn add_segments(&mut self, lists: &[&[&str]]) -> Result<(), String> {
        let read = |list: &&[&str]| numbers(list, self.pieces.len());
        let segments: Vec<Vec<usize>> = lists.iter().map(read).collect::<Result<_, _>>()?;
        if segments.iter().any(Vec::is_empty) {
            return Err("F1: a segment has no piece".into());
        }
        all_different(&self.pieces, "piece")?;
        all_different(&segments, "segment")?;
        all_used(self.pieces.len(), segments.iter().flatten().copied(), "piece")?;
        let segment = |list: &Vec<usize>| list.iter().map(|piece| self.pieces[*piece].clone()).collect();
        self.segments = segments.iter().map(segment).map(Rc::new).collect();
        Ok(())
    }

    fn add_sets(&mut self, lists: &[&[&str]]) -> Result<(), String> {
        let read = |list: &&[&str]| ascending(numbers(list, self.segments.len())?);
        let sets: Vec<Vec<usize>> = lists.iter().map(read).collect::<Result<_, _>>()?;
        all_different(&sets, "set")?;
        all_used(self.segments.len(), sets.iter().flatten().copied(), "segment")?;
        let set = |list: &Vec<usize>| list.iter().map(|segment| self.segments[*segment].clone()).collect();
        self.sets = sets.iter().map(set).collect();
        Ok(())
    }

    fn add_block(&mut self, body: BodyId, fields: &[&[&str]], model: &Model<'_>) -> Result<(), String> {
        let [holds, [unit, phase, ends], at] = fields else { return Err("F1: expected a block".into()) };
        let (unit, phase) = (number_below(unit, 2)? == 1, from_one(phase)? + 1);
        let entry = Entry { body, holds: ascending(self.uses(holds)?)?, unit, phase };
        let (ends, at) = (number_below(ends, self.sets.len())?, numbers(at, self.sets.len())?);
        let count = model.bodies[body.0].code.instructions.len();
        if at.len() != count {
            return Err(format!("F1: there are {} sets for {count} instructions", at.len()));
        }
        self.blocks.push(Block { entry, at, ends });
        Ok(())
    }
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

fn named<'t, T: Copy>(names: &[&'t str], known: &HashMap<&str, T>, kind: &str) -> Result<Vec<(&'t str, T)>, String> {
    names.iter().map(|name| Ok((*name, find(known, kind, name)?))).collect()
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
fn all_used(count: usize, uses: impl IntoIterator<Item = usize>, kind: &str) -> Result<(), String> {
    let mut is_used = vec![false; count];
    uses.into_iter().for_each(|number| is_used[number] = true);
    let unused = is_used.iter().position(|is_used| !is_used);
    unused.map_or(Ok(()), |number| Err(format!("F2: {kind} {number} is not used")))
}
