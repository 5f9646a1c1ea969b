//! Refutation of choices of ends: the clauses R1 to R4.

use crate::instructions::Lock;
use crate::pieces::{Piece, Use, Uses};
use crate::roles::Participant;
use eml::syntax::ast::Mode;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A lock with a mode, apart from any invariant.
pub(crate) type NamedUse = (Lock, Mode);

/// A reason why paths cannot be interleaved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clause {
    /// From 0.
    pub(crate) phase: usize,
    pub(crate) reason: Reason,
}

/// The facts of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reason {
    /// R1: two participants hold conflicting uses at the end of the phase.
    Held([(Participant, NamedUse); 2]),
    /// R2: the first one holds its use throughout the phase, the second one acquires a conflicting one.
    Through([(Participant, NamedUse); 2]),
    /// R3: a cycle of acquisitions.
    Acquired(Vec<(Participant, NamedUse, NamedUse)>),
    /// R4: a cycle of releases.
    Released(Vec<(Participant, NamedUse, NamedUse)>),
}

/// An end of a participant, phase by phase, for the locks of its invariant. Phases in which it is absent have empty
/// pieces.
pub(crate) struct End<'a> {
    pub(crate) locks: &'a [Lock],
    pub(crate) pieces: Vec<&'a Piece>,
}

impl End<'_> {
    fn named(&self, one: Use) -> NamedUse {
        (self.locks[usize::from(one / 2)], if one % 2 == 1 { Mode::Read } else { Mode::Write })
    }

    /// The use with this name, if the lock is one of the invariant.
    fn numbered(&self, (lock, mode): NamedUse) -> Option<Use> {
        let index = self.locks.iter().position(|own| *own == lock)?;
        Some(2 * index as Use + Use::from(mode == Mode::Read))
    }

    fn has(&self, uses: Uses, named: NamedUse) -> bool {
        self.numbered(named).is_some_and(|one| uses.has(one))
    }

    fn has_pair(&self, pairs: &[(Use, Use)], first: NamedUse, second: NamedUse) -> bool {
        let pair = self.numbered(first).zip(self.numbered(second));
        pair.is_some_and(|pair| pairs.binary_search(&pair).is_ok())
    }
}

fn conflict((lock, mode): NamedUse, (other, other_mode): NamedUse) -> bool {
    lock == other && (mode == Mode::Write || other_mode == Mode::Write)
}

impl Clause {
    /// Whether all its facts belong to the chosen ends.
    pub(crate) fn holds_for(&self, ends: &[&End<'_>]) -> bool {
        let piece = |at: Participant| ends[at].pieces[self.phase];
        match &self.reason {
            Reason::Held(facts) => facts.iter().all(|(at, one)| ends[*at].has(piece(*at).held, *one)),
            Reason::Through([(through, one), (using, used)]) => {
                ends[*through].has(piece(*through).through, *one) && ends[*using].has(piece(*using).used, *used)
            }
            Reason::Acquired(facts) => {
                facts.iter().all(|(at, first, second)| ends[*at].has_pair(&piece(*at).acquired, *first, *second))
            }
            Reason::Released(facts) => {
                facts.iter().all(|(at, first, second)| ends[*at].has_pair(&piece(*at).released, *first, *second))
            }
        }
    }

    /// The locks of its facts.
    pub(crate) fn locks(&self) -> Vec<Lock> {
        match &self.reason {
            Reason::Held(facts) | Reason::Through(facts) => facts.iter().map(|(_, (lock, _))| *lock).collect(),
            Reason::Acquired(facts) | Reason::Released(facts) => {
                facts.iter().flat_map(|(_, (first, _), (second, _))| [*first, *second]).collect()
            }
        }
    }
}

/// A reason why these ends cannot come together, if there is one: the simplest of the first phase that has one.
pub(crate) fn refute(ends: &[&End<'_>]) -> Option<Clause> {
    let phases = ends.first().map_or(0, |end| end.pieces.len());
    let simple = (0..phases).find_map(|phase| simple_reason(ends, phase).map(|reason| Clause { phase, reason }));
    simple.or_else(|| {
        (0..phases).find_map(|phase| {
            let acquired = cycle(ends, |end| &end.pieces[phase].acquired).map(Reason::Acquired);
            let reason = acquired.or_else(|| cycle(ends, |end| &end.pieces[phase].released).map(Reason::Released));
            reason.map(|reason| Clause { phase, reason })
        })
    })
}

fn simple_reason(ends: &[&End<'_>], phase: usize) -> Option<Reason> {
    let pairs = || (0..ends.len()).flat_map(|first| (0..ends.len()).map(move |second| (first, second)));
    let common = |first: Participant, uses: Uses, second: Participant, others: Uses| {
        let mut own = uses.iter().map(|one| ends[first].named(one));
        own.find_map(|one| {
            let mut others = others.iter().map(|other| ends[second].named(other));
            others.find(|other| conflict(one, *other)).map(|other| [(first, one), (second, other)])
        })
    };
    let held = pairs().filter(|(first, second)| first < second).find_map(|(first, second)| {
        common(first, ends[first].pieces[phase].held, second, ends[second].pieces[phase].held)
    });
    held.map(Reason::Held).or_else(|| {
        let through = pairs().filter(|(first, second)| first != second).find_map(|(first, second)| {
            common(first, ends[first].pieces[phase].through, second, ends[second].pieces[phase].used)
        });
        through.map(Reason::Through)
    })
}

/// A shortest cycle of facts: the second use of each conflicts with the first use of the next, which belongs to
/// another participant.
fn cycle<'a>(
    ends: &'a [&'a End<'a>],
    pairs: impl Fn(&'a End<'a>) -> &'a Vec<(Use, Use)>,
) -> Option<Vec<(Participant, NamedUse, NamedUse)>> {
    let facts: Vec<_> = ends
        .iter()
        .enumerate()
        .flat_map(|(at, end)| pairs(end).iter().map(move |(first, second)| (at, end.named(*first), end.named(*second))))
        .collect();
    let mut by_lock: FxHashMap<Lock, Vec<usize>> = FxHashMap::default();
    for (number, (_, first, _)) in facts.iter().enumerate() {
        by_lock.entry(first.0).or_default().push(number);
    }
    let follows = |from: usize, to: usize| facts[from].0 != facts[to].0 && conflict(facts[from].2, facts[to].1);
    let mut best: Option<Vec<usize>> = None;
    for start in 0..facts.len() {
        let mut before = vec![None; facts.len()];
        let mut found = VecDeque::from([start]);
        'search: while let Some(from) = found.pop_front() {
            for &next in by_lock.get(&facts[from].2.0).into_iter().flatten() {
                if !follows(from, next) {
                    continue;
                }
                if next == start {
                    let mut path = vec![from];
                    while let Some(earlier) = before[*path.last().expect("it is not empty")] {
                        path.push(earlier);
                    }
                    path.reverse();
                    if best.as_ref().is_none_or(|best| path.len() < best.len()) {
                        best = Some(path);
                    }
                    break 'search;
                }
                if before[next].is_none() {
                    before[next] = Some(from);
                    found.push_back(next);
                }
            }
        }
        if best.as_ref().is_some_and(|best| best.len() == 2) {
            break;
        }
    }
    best.map(|path| path.into_iter().map(|number| facts[number]).collect())
}
