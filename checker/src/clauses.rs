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
    let clauses = &refutation.clauses;
    if let Some(clause) = clauses.iter().find(|clause| !clause.is_contradictory()) {
        return Err(format!("R{}: the facts of a clause about phase {} are possible", clause.condition, clause.phase));
    }
    let count = |participant: usize| ends[participant].segments.len();
    // The ends of the next choice.
    let mut next = vec![0; ends.len()];
    let mut is_complete = (0..ends.len()).any(|participant| count(participant) == 0);
    // Whether all ends of a participant have the facts of a clause.
    let mut all_hold: HashMap<(usize, usize), bool> = HashMap::new();
    let mut last = None;
    for Choice { participant, count: some, clause } in &refutation.choices {
        let later = participant + 1..ends.len();
        let is_whole = next[*participant] == 0 && *some == count(*participant) && *participant > 0;
        if is_complete
            || *some > count(*participant) - next[*participant]
            || next[later.clone()].iter().any(|at| *at > 0)
        {
            return Err("R: the list does not go through all choices in order".into());
        }
        if *some == 0 || is_whole || last == Some((*participant, *clause)) {
            return Err("F2: choices are empty, or belong to those of the same clause before".into());
        }
        let is_new = |at: &usize| !all_hold.contains_key(&(*clause, *at));
        let new: usize = later.clone().filter(is_new).map(count).sum();
        program.work((new + some + ends.len()) * clauses[*clause].facts.len())?;
        let holds = |at: usize, range: Range<usize>| clauses[*clause].holds(at, &ends[at], range);
        let mut all_later = later.clone().all(|at| {
            let holds_for_all = || holds(at, 0..count(at));
            *all_hold.entry((*clause, at)).or_insert_with(holds_for_all)
        });
        all_later &= (0..*participant).all(|at| holds(at, next[at]..next[at] + 1));
        if !all_later || !holds(*participant, next[*participant]..next[*participant] + some) {
            let reason = format!("R: a choice of ends does not have the facts of clause {clause}: {next:?}");
            return Err(reason);
        }
        next[*participant] += some;
        last = Some((*participant, *clause));
        let mut at = *participant;
        while next[at] == count(at) {
            next[at] = 0;
            last = None;
            if at == 0 {
                is_complete = true;
                break;
            }
            at -= 1;
            next[at] += 1;
        }
    }
    if is_complete { Ok(()) } else { Err("R: a choice of ends is missing".into()) }
}
