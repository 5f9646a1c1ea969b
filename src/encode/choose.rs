//! The compatibility check on diagrams: one sequence of each participant, compatible in every phase.
//!
//! The check walks down the diagrams of all participants together, one level for each phase. Whether a choice exists depends on
//! the nodes that are reached and on the locks that each participant holds there alone, so answers are memoized by these;
//! within a phase the participants choose their segments one after the other, and a choice is given up as soon as two of
//! them conflict. (Paper, Algorithm 1, lines 2 to 5, without the enumeration of tuples.)

use super::diagram::{DiagramId, Diagrams};
use super::segments::SegmentId;
use crate::limits::StopReason;
use lockhist::{LockSet, Segment, compatible_segments};
use rustc_hash::FxHashSet;

/// A participant on its way: the rest of its sequences, and the locks that it holds.
type Walker = (DiagramId, LockSet);

/// Checks over the diagrams of one context; remembers where there is no choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chooser {
    dead: FxHashSet<Vec<Walker>>,
}

impl Chooser {
    /// A compatible choice of one sequence for each participant, if there is one; all sets have sequences of one length.
    ///
    /// # Errors
    /// If a limit of the diagrams is reached.
    pub(crate) fn choose(
        &mut self,
        diagrams: &Diagrams,
        sets: &[DiagramId],
    ) -> Result<Option<Vec<Vec<SegmentId>>>, StopReason> {
        let walkers: Vec<Walker> = sets.iter().map(|set| (*set, LockSet::EMPTY)).collect();
        let mut chosen = Vec::new();
        let found = self.walk(diagrams, &walkers, &mut chosen)?;
        let sequence = |place: usize| chosen.iter().map(|phase| phase[place]).collect();
        Ok(found.then(|| (0..sets.len()).map(sequence).collect()))
    }

    /// Chooses from this level on; the choices of the levels are pushed in order.
    fn walk(
        &mut self,
        diagrams: &Diagrams,
        walkers: &Vec<Walker>,
        chosen: &mut Vec<Vec<SegmentId>>,
    ) -> Result<bool, StopReason> {
        if walkers.iter().all(|(set, _)| *set == DiagramId::LEAF) {
            return Ok(true);
        }
        if self.dead.contains(walkers) {
            return Ok(false);
        }
        let mut phase = Phase { diagrams, walkers, taken: Vec::new(), next: Vec::new() };
        if self.take(&mut phase, chosen)? {
            return Ok(true);
        }
        self.dead.insert(walkers.clone());
        Ok(false)
    }

    /// Lets the next participant choose its segment of the phase; after the last one, goes on to the next phase.
    fn take<'a>(&mut self, phase: &mut Phase<'a>, chosen: &mut Vec<Vec<SegmentId>>) -> Result<bool, StopReason> {
        let place = phase.next.len();
        let Some((set, held)) = phase.walkers.get(place).copied() else {
            let next = phase.next.iter().map(|(_, walker)| *walker).collect();
            chosen.push(phase.next.iter().map(|(segment, _)| *segment).collect());
            let found = self.walk(phase.diagrams, &next, chosen)?;
            if !found {
                chosen.pop();
            }
            return Ok(found);
        };
        let diagrams = phase.diagrams;
        diagrams.meter().work_of(diagrams.edges(set).len())?;
        for (id, rest) in diagrams.edges(set) {
            let id = id.as_segment().expect("a query has selected its locations");
            let segment = diagrams.segments().get(id);
            phase.taken.push((held, segment));
            if compatible_segments(&phase.taken) {
                let after = (held - segment.released()) | segment.acquired();
                phase.next.push((id, (*rest, after)));
                if self.take(phase, chosen)? {
                    return Ok(true);
                }
                phase.next.pop();
            }
            phase.taken.pop();
        }
        Ok(false)
    }
}

/// A phase in which some participants have chosen.
struct Phase<'a> {
    diagrams: &'a Diagrams,
    walkers: &'a [Walker],
    /// What was chosen: the locks held before, and the segment.
    taken: Vec<(LockSet, &'a Segment)>,
    /// Where that leads.
    next: Vec<(SegmentId, Walker)>,
}
