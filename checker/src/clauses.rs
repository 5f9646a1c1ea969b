//! The reasons why no interleaving joins a choice of ends (R1 to R4), and the list of the choices.

use crate::certificate::{Choice, Clause, Refutation, Segment};
use crate::pieces::{Piece, has};
use crate::program::Program;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The ends of a participant.
pub(crate) struct Ends<'c> {
    /// The first phase of the segments.
    pub first: usize,
    pub segments: &'c [Rc<Segment>],
}

impl Ends<'_> {
    fn piece(&self, end: usize, phase: usize) -> Option<&Rc<Piece>> {
        self.segments[end].get(phase.checked_sub(self.first)?)
    }
}

impl Clause {
    /// Whether the facts exclude each other. In all of R1 to R4 each fact belongs to another participant than the next
    /// one, cyclically, and its last use conflicts with the first use of the next one.
    fn is_contradictory(&self) -> bool {
        let count = self.facts.len();
        let (has_count, uses) = if self.condition <= 2 { (count == 2, 1) } else { (count >= 2, 2) };
        let nexts = self.facts.iter().cycle().skip(1);
        has_count
            && self.facts.iter().all(|(_, fact)| fact.len() == uses)
            && self.facts.iter().zip(nexts).all(|((participant, one), (next_participant, next))| {
                participant != next_participant && one[uses - 1].conflicts(next[0])
            })
    }

    /// Whether some ends of a participant have all facts about it.
    fn holds(&self, participant: usize, ends: &Ends<'_>, some: Range<usize>) -> bool {
        self.facts.iter().enumerate().filter(|(_, (of, _))| *of == participant).all(|(number, (_, uses))| {
            let has_fact = |piece: &Rc<Piece>| match (self.condition, number) {
                (1, _) => has(&piece.held, uses[0]),
                (2, 0) => has(&piece.through, uses[0]),
                (2, _) => has(&piece.used, uses[0]),
                (3, _) => has(&piece.acquired, (uses[0], uses[1])),
                _ => has(&piece.released, (uses[0], uses[1])),
            };
            some.clone().all(|end| ends.piece(end, self.phase).is_some_and(has_fact))
        })
    }
}

/// R: Each choice of one end of each participant has a clause whose facts belong to the chosen ends. The list goes
/// through the choices in order, the ends of the last participant fastest.
pub(crate) fn refute(program: &Program<'_>, ends: &[Ends<'_>], refutation: &Refutation) -> Result<(), String> {
    let Refutation { clauses, choices, .. } = refutation;
    if let Some(Clause { condition, phase, .. }) = clauses.iter().find(|clause| !clause.is_contradictory()) {
        return Err(format!("R{condition}: the facts of a clause about phase {} are possible", phase + 1));
    }
    let counts: Vec<usize> = ends.iter().map(|ends| ends.segments.len()).collect();
    // The ends of the next choice.
    let mut next = vec![0; ends.len()];
    let mut is_complete = counts.contains(&0);
    // Whether all ends of a participant have the facts of a clause.
    let mut all_hold: HashMap<(usize, usize), bool> = HashMap::new();
    let mut last = None;
    for Choice { participant, count, clause } in choices {
        let (mut at, later) = (*participant, participant + 1..ends.len());
        if is_complete || *count > counts[at] - next[at] || later.clone().any(|later| next[later] > 0) {
            return Err("R: the list does not go through all choices in order".into());
        }
        let is_whole = next[at] == 0 && *count == counts[at] && at > 0;
        if *count == 0 || is_whole || last == Some((at, *clause)) {
            return Err("F2: choices are empty, or belong to those of the same clause before".into());
        }
        let new = later.clone().filter(|later| !all_hold.contains_key(&(*clause, *later)));
        let work = new.map(|new| counts[new]).sum::<usize>() + count + ends.len();
        program.work(work * clauses[*clause].facts.len())?;
        let holds = |at: usize, some: Range<usize>| clauses[*clause].holds(at, &ends[at], some);
        let mut all_later =
            later.map(|later| *all_hold.entry((*clause, later)).or_insert_with(|| holds(later, 0..counts[later])));
        let is_refuted = holds(at, next[at]..next[at] + count)
            && (0..at).all(|at| holds(at, next[at]..next[at] + 1))
            && all_later.all(|holds| holds);
        if !is_refuted {
            return Err(format!("R: a choice of ends does not have the facts of clause {clause}: {next:?}"));
        }
        next[at] += count;
        last = Some((at, *clause));
        while next[at] == counts[at] && !is_complete {
            last = None;
            next[at] = 0;
            is_complete = at == 0;
            at = at.saturating_sub(1);
            next[at] += usize::from(!is_complete);
        }
    }
    if is_complete { Ok(()) } else { Err("R: a choice of ends is missing".into()) }
}
