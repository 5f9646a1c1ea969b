//! The reasons why no interleaving joins a choice of ends (R1 to R4), and the list of the choices.

use crate::certificate::{Clause, Fact, Invariant, Kind, NamedUse};
use crate::error::Refusal;
use crate::pieces::{Piece, Use};

/// The ends of a participant.
pub(crate) struct Ends<'c> {
    pub invariant: &'c Invariant,
    /// The first phase of the segments.
    pub first: usize,
    pub segments: &'c [usize],
}

impl Ends<'_> {
    fn piece(&self, end: usize, phase: usize) -> Option<&Piece> {
        let segment = &self.invariant.segments[self.segments[end]];
        segment.get(phase.checked_sub(self.first)?).map(|piece| &self.invariant.pieces[*piece])
    }
}

/// A fact about a participant.
enum Statement {
    Held(Use),
    Through(Use),
    Used(Use),
    Acquired(Use, Use),
    Released(Use, Use),
}

impl Statement {
    fn is_in(&self, piece: &Piece) -> bool {
        match self {
            Statement::Held(one) => piece.held.binary_search(one).is_ok(),
            Statement::Through(one) => piece.through.binary_search(one).is_ok(),
            Statement::Used(one) => piece.used.binary_search(one).is_ok(),
            Statement::Acquired(first, second) => piece.acquired.binary_search(&(*first, *second)).is_ok(),
            Statement::Released(first, second) => piece.released.binary_search(&(*first, *second)).is_ok(),
        }
    }
}

/// A clause whose facts exclude each other, by participant.
struct Reason {
    phase: usize,
    /// The statements about each participant.
    about: Vec<Vec<Statement>>,
    /// Whether all ends of a participant have its statements, as far as this was asked.
    all: Vec<Option<bool>>,
}

impl Reason {
    /// R1 to R4: The facts of a clause exclude each other.
    fn new(clause: &Clause, ends: &[Ends<'_>]) -> Result<Reason, Refusal> {
        let facts = &clause.facts;
        if let Some(fact) = facts.iter().find(|fact| fact.participant >= ends.len()) {
            return Err(Refusal::new("F1", format!("there is no participant {}", fact.participant + 1)));
        }
        let (condition, is_right) = match clause.kind {
            Kind::Held => ("R1", facts.len() == 2 && exclude(&facts[0], &facts[1])),
            Kind::Through => ("R2", facts.len() == 2 && exclude(&facts[0], &facts[1])),
            Kind::Acquired => ("R3", is_cycle(facts)),
            Kind::Released => ("R4", is_cycle(facts)),
        };
        if !is_right {
            let reason = format!("the facts of a clause about phase {} do not exclude each other", clause.phase);
            return Err(Refusal::new(condition, reason));
        }
        let mut about: Vec<Vec<Statement>> = ends.iter().map(|_| Vec::new()).collect();
        for (number, fact) in facts.iter().enumerate() {
            let use_of = |named: &NamedUse| number_of(named, ends[fact.participant].invariant);
            let uses = fact.uses.iter().map(use_of).collect::<Option<Vec<Use>>>();
            about[fact.participant].push(match (clause.kind, uses.as_deref()) {
                (Kind::Held, Some([one])) => Statement::Held(*one),
                (Kind::Through, Some([one])) if number == 0 => Statement::Through(*one),
                (Kind::Through, Some([one])) => Statement::Used(*one),
                (Kind::Acquired, Some([first, second])) => Statement::Acquired(*first, *second),
                (Kind::Released, Some([first, second])) => Statement::Released(*first, *second),
                _ => return Err(Refusal::new(condition, "a clause names a lock that the invariant does not name")),
            });
        }
        Ok(Reason { phase: clause.phase, about, all: vec![None; ends.len()] })
    }

    /// Whether an end of a participant has all statements about it.
    fn holds(&self, ends: &[Ends<'_>], participant: usize, end: usize) -> bool {
        let statements = &self.about[participant];
        let piece = ends[participant].piece(end, self.phase);
        statements.is_empty() || piece.is_some_and(|piece| statements.iter().all(|one| one.is_in(piece)))
    }

    /// The first of some ends that does not have the statements about its participant.
    fn missing(&self, ends: &[Ends<'_>], participant: usize, some: std::ops::Range<usize>) -> Option<usize> {
        if self.about[participant].is_empty() {
            None
        } else {
            some.into_iter().find(|end| !self.holds(ends, participant, *end))
        }
    }

    fn holds_for_all(&mut self, ends: &[Ends<'_>], participant: usize) -> bool {
        if self.all[participant].is_none() {
            self.all[participant] =
                Some(self.missing(ends, participant, 0..ends[participant].segments.len()).is_none());
        }
        self.all[participant] == Some(true)
    }
}

fn number_of(named: &NamedUse, invariant: &Invariant) -> Option<Use> {
    let lock = invariant.locks.iter().position(|lock| *lock == named.lock)?;
    Some(2 * lock as Use + Use::from(named.read))
}

/// Uses of the same lock, not both in read mode.
fn conflict(one: &NamedUse, other: &NamedUse) -> bool {
    one.lock == other.lock && !(one.read && other.read)
}

/// Two participants whose uses conflict.
fn exclude(one: &Fact, other: &Fact) -> bool {
    one.participant != other.participant && conflict(&one.uses[0], &other.uses[0])
}

/// Each pair belongs to another participant than the next one, and its second use conflicts with the first one of that.
fn is_cycle(facts: &[Fact]) -> bool {
    let nexts = facts.iter().cycle().skip(1);
    let is_step =
        |(one, next): (&Fact, &Fact)| one.participant != next.participant && conflict(&one.uses[1], &next.uses[0]);
    facts.len() >= 2 && facts.iter().zip(nexts).all(is_step)
}

/// R: Each choice of one end of each participant has a clause whose facts belong to the chosen ends. The choices of a
/// clause are split at the participants: those before it have one end, it has some, and those after it have all.
pub(crate) fn refute(ends: &[Ends<'_>], clauses: &[Clause], choices: &[(u128, usize)]) -> Result<(), Refusal> {
    let mut reasons = clauses.iter().map(|clause| Reason::new(clause, ends)).collect::<Result<Vec<_>, _>>()?;
    // How many choices the participants from each one on have; the last entry is 1.
    let mut sizes = vec![Some(1u128); ends.len() + 1];
    for at in (0..ends.len()).rev() {
        sizes[at] = sizes[at + 1].and_then(|size| size.checked_mul(ends[at].segments.len() as u128));
    }
    let is_empty = ends.iter().any(|ends| ends.segments.is_empty());
    let total = if is_empty { Some(0) } else { sizes[0] };
    let counted = choices.iter().try_fold(0u128, |sum, (count, _)| sum.checked_add(*count));
    let (true, Some(sizes)) = (counted.is_some() && counted == total, sizes.into_iter().collect::<Option<Vec<u128>>>())
    else {
        return if is_empty && choices.is_empty() {
            Ok(())
        } else {
            Err(Refusal::new("R", "the numbers of choices do not add up to the choices of ends"))
        };
    };
    let mut begin = 0;
    for (count, clause) in choices {
        let end = begin + count;
        while begin < end {
            begin += step(ends, &sizes, &mut reasons[*clause], begin, end)?;
        }
    }
    Ok(())
}

/// Checks as many choices from `begin` on as differ in one participant, and all after it, and returns their number.
fn step(ends: &[Ends<'_>], sizes: &[u128], reason: &mut Reason, begin: u128, end: u128) -> Result<u128, Refusal> {
    // The first participant such that `begin` is a first choice of those after it, and not all of them go beyond `end`.
    let is_aligned = |at: &usize| begin.is_multiple_of(sizes[at + 1]) && sizes[at + 1] <= end - begin;
    let at = (0..ends.len()).find(is_aligned).unwrap_or(ends.len().saturating_sub(1));
    let digit = |at: usize| ((begin / sizes[at + 1]) % ends[at].segments.len() as u128) as usize;
    let first = digit(at);
    let some = ((end - begin) / sizes[at + 1]).min((ends[at].segments.len() - first) as u128) as usize;
    let fails = |participant: usize, end: usize| {
        let reason = format!(
            "end {end} of participant {} does not have the facts of its clause about phase {}",
            participant + 1,
            reason.phase
        );
        Err(Refusal::new("R", reason))
    };
    if let Some(before) = (0..at).find(|before| !reason.holds(ends, *before, digit(*before))) {
        return fails(before, digit(before));
    }
    if let Some(end) = reason.missing(ends, at, first..first + some) {
        return fails(at, end);
    }
    match (at + 1..ends.len()).find(|after| !reason.holds_for_all(ends, *after)) {
        Some(after) => Err(Refusal::new("R", format!("not all ends of participant {} have the facts", after + 1))),
        None => Ok(some as u128 * sizes[at + 1]),
    }
}
