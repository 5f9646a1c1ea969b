//! The compatibility check on diagrams: it chooses one sequence of each participant, so that all are compatible in
//! every phase.
//!
//! The check walks down the diagrams of all participants together, one level for each phase, from the last phase to the
//! first. Whether a choice exists depends only on the nodes reached and on the locks that each participant holds there,
//! so dead ends are remembered by these. Walking backwards, the locks held at the start of a phase are not known from
//! the path; but the sets that a participant can hold after the sequences of a diagram are few, and computed once for
//! each diagram. Within a phase the participants choose their segments one after the other, and a choice is given up as
//! soon as two of them conflict. The segments among which a participant chooses do not depend on the choices of those
//! before it, so they are computed once for each state. (Paper, Algorithm 1, lines 2 to 5, without the enumeration of
//! tuples.)
//!
//! The answer depends only on the diagrams and on the locations that each participant names. Processes that behave
//! alike have equal diagrams, so answers are kept: in a model with many such processes, most queries find theirs.

use super::weights::{DiagramId, Diagrams, SegmentId, SequenceItem};
use super::words::LocalWord;
use eml::model::LocationId;
use limits::StopReason;
use lockhist::{LockSet, Segment, last_is_compatible};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The check, with results that it keeps for the diagrams of one context.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompatibilityCheck {
    /// The sets of locks that can be held after the sequences of a diagram, for any locations.
    held: FxHashMap<DiagramId, Arc<[LockSet]>>,
    /// Choices, by what they are made from.
    known: FxHashMap<Vec<Asked>, Option<Chosen>>,
}

/// The maximal number of kept choices.
const MOST_KNOWN: usize = 1 << 14;

/// The sequences of a participant up to the last phase, and the locations that the chosen one must name.
type Asked = (DiagramId, Vec<LocationId>);

/// The segments of each participant.
type Chosen = Vec<Vec<SegmentId>>;

/// The state of a participant on the way back: the sequences of the phases without a choice, the number of locations
/// that they name, and the locks held after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Walker {
    set: DiagramId,
    locations: usize,
    held: LockSet,
}

impl CompatibilityCheck {
    /// Returns a compatible choice of one sequence for each participant, if there is one: its segments, one for each
    /// phase of the words. The sets are in the order of the words.
    ///
    /// # Errors
    /// If a limit of the diagrams is reached.
    pub(crate) fn choose(
        &mut self,
        diagrams: &Diagrams,
        sets: &[DiagramId],
        words: &[LocalWord],
    ) -> Result<Option<Chosen>, StopReason> {
        let asked = sets.iter().zip(words).map(|(set, word)| {
            // Nothing has to happen after the last phase.
            let set = if word.ends_with_access() { diagrams.before_item(*set, SequenceItem::EMPTY) } else { *set };
            (set, word.locations())
        });
        let asked: Vec<Asked> = asked.collect();
        if let Some(known) = self.known.get(&asked) {
            return Ok(known.clone());
        }
        let chosen = self.search(diagrams, &asked)?;
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(asked, chosen.clone());
        Ok(chosen)
    }

    fn search(&mut self, diagrams: &Diagrams, asked: &[Asked]) -> Result<Option<Chosen>, StopReason> {
        let mut walk = Walk {
            check: self,
            diagrams,
            asked,
            choices: FxHashMap::default(),
            dead: FxHashSet::default(),
            chosen: Vec::new(),
        };
        let starts = asked.iter().enumerate();
        let starts: Vec<_> =
            starts.map(|(place, (set, locations))| walk.follow(place, *set, locations.len())).collect();
        let found = walk.begin(&starts, &mut Vec::new())?;
        let chosen = walk.chosen;
        let sequence = |place: usize| chosen.iter().rev().map(|phase| phase[place]).collect();
        Ok(found.then(|| (0..asked.len()).map(sequence).collect()))
    }

    /// The sets of locks that can be held after the sequences of a diagram.
    fn held_after(&mut self, diagrams: &Diagrams, set: DiagramId) -> Result<Arc<[LockSet]>, StopReason> {
        if let Some(held) = self.held.get(&set) {
            return Ok(held.clone());
        }
        let mut all = if set == DiagramId::LEAF { vec![LockSet::EMPTY] } else { Vec::new() };
        for (item, before) in diagrams.edges(set) {
            let held = self.held_after(diagrams, *before)?;
            diagrams.meter().work_of(held.len())?;
            match item.as_segment() {
                Some(id) => {
                    let segment = diagrams.segments().get(id);
                    all.extend(held.iter().filter_map(|held| after(*held, segment)));
                }
                None => all.extend(held.iter()),
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(self.held.entry(set).or_insert_with(|| all.into()).clone())
    }
}

/// The locks held after a segment that begins with these; none if the segment cannot begin with them.
fn after(held: LockSet, segment: &Segment) -> Option<LockSet> {
    segment.released().is_subset(held).then(|| (held - segment.released()) | segment.acquired())
}

/// One check.
struct Walk<'a> {
    check: &'a mut CompatibilityCheck,
    diagrams: &'a Diagrams,
    asked: &'a [Asked],
    /// The choices of each participant except the first one, by its state.
    choices: FxHashMap<(usize, Walker), Rc<[Choice]>>,
    /// States without a choice.
    dead: FxHashSet<Vec<Walker>>,
    /// The choices of the phases, the last phase first.
    chosen: Vec<Vec<SegmentId>>,
}

impl Walk<'_> {
    /// Passes the next location, if the sequences of the set end with one. Returns the set before it and the number of
    /// locations left.
    fn follow(&self, place: usize, set: DiagramId, locations: usize) -> (DiagramId, usize) {
        match self.diagrams.edges(set) {
            [(item, _), ..] if item.is_location() => {
                let wanted = self.asked[place].1[locations - 1];
                (self.diagrams.before_item(set, SequenceItem::location(wanted)), locations - 1)
            }
            _ => (set, locations),
        }
    }

    /// Chooses the locks held at the end, then walks.
    fn begin(&mut self, starts: &[(DiagramId, usize)], walkers: &mut Vec<Walker>) -> Result<bool, StopReason> {
        let Some((set, locations)) = starts.get(walkers.len()).copied() else { return self.walk(walkers) };
        for held in self.check.held_after(self.diagrams, set)?.iter().copied() {
            if walkers.iter().all(|other| !other.held.meets(held)) {
                walkers.push(Walker { set, locations, held });
                if self.begin(starts, walkers)? {
                    return Ok(true);
                }
                walkers.pop();
            }
        }
        Ok(false)
    }

    /// Chooses segments from this level on.
    fn walk(&mut self, walkers: &Vec<Walker>) -> Result<bool, StopReason> {
        if walkers.iter().all(|walker| walker.set == DiagramId::LEAF) {
            return Ok(true);
        }
        if self.dead.contains(walkers) {
            return Ok(false);
        }
        if self.take(&mut Phase { walkers, taken: Vec::new(), next: Vec::new() })? {
            return Ok(true);
        }
        self.dead.insert(walkers.clone());
        Ok(false)
    }

    /// Lets the next participant choose its segment of the phase. After the last one, goes on to the phase before.
    fn take(&mut self, phase: &mut Phase<'_>) -> Result<bool, StopReason> {
        let place = phase.next.len();
        let Some(walker) = phase.walkers.get(place) else {
            self.chosen.push(phase.next.iter().map(|(segment, _)| *segment).collect());
            let next = phase.next.iter().map(|(_, walker)| *walker).collect();
            let found = self.walk(&next)?;
            if !found {
                self.chosen.pop();
            }
            return Ok(found);
        };
        // The first participant comes here once for each phase and state.
        let choices = if place == 0 { self.choices(place, *walker)? } else { self.known_choices(place, *walker)? };
        self.diagrams.meter().work_of(choices.len())?;
        for Choice { segment, before } in choices.iter().copied() {
            phase.taken.push((before.held, segment));
            if self.is_compatible(&phase.taken) {
                phase.next.push((segment, before));
                if self.take(phase)? {
                    return Ok(true);
                }
                phase.next.pop();
            }
            phase.taken.pop();
        }
        Ok(false)
    }

    /// The choices of a participant in a state, computed at the first use.
    fn known_choices(&mut self, place: usize, walker: Walker) -> Result<Rc<[Choice]>, StopReason> {
        if let Some(known) = self.choices.get(&(place, walker)) {
            return Ok(known.clone());
        }
        let choices = self.choices(place, walker)?;
        self.choices.insert((place, walker), choices.clone());
        Ok(choices)
    }

    /// The segments that lead a participant to a state, each with the state before it.
    fn choices(&mut self, place: usize, walker: Walker) -> Result<Rc<[Choice]>, StopReason> {
        let edges = self.diagrams.edges(walker.set);
        self.diagrams.meter().work_of(edges.len())?;
        let mut choices = Vec::new();
        for (item, before) in edges {
            let id = item.as_segment().expect("locations were passed");
            let segment = self.diagrams.segments().get(id);
            if !segment.acquired().is_subset(walker.held) {
                continue;
            }
            let (set, locations) = self.follow(place, *before, walker.locations);
            let held = self.check.held_after(self.diagrams, set)?;
            self.diagrams.meter().work_of(held.len())?;
            let fits = held.iter().filter(|held| after(**held, segment) == Some(walker.held));
            let choice = |held: &LockSet| Choice { segment: id, before: Walker { set, locations, held: *held } };
            choices.extend(fits.map(choice));
        }
        Ok(choices.into())
    }

    /// Whether the last of these choices is compatible with the others, which are compatible.
    fn is_compatible(&self, taken: &[(LockSet, SegmentId)]) -> bool {
        let of = |(held, id): &(LockSet, SegmentId)| (*held, self.diagrams.segments().get(*id));
        match taken {
            [one] => last_is_compatible(&[of(one)]),
            [first, second] => last_is_compatible(&[of(first), of(second)]),
            all => last_is_compatible(&all.iter().map(of).collect::<Vec<_>>()),
        }
    }
}

/// A segment that a participant can choose for a phase, and its state before the phase.
#[derive(Clone, Copy, Debug)]
struct Choice {
    segment: SegmentId,
    before: Walker,
}

/// A phase in which some participants have chosen a segment.
struct Phase<'a> {
    walkers: &'a [Walker],
    /// The choices: the locks held before, and the segment.
    taken: Vec<(LockSet, SegmentId)>,
    /// The state of each of these participants before the phase.
    next: Vec<(SegmentId, Walker)>,
}
