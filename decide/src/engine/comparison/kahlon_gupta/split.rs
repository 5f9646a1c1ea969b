//! The split: all choices of one class for each participant with compatible histories (Theorem 1).

use super::backward::Class;
use super::segments::SegmentSets;
use super::tuples::Tuple;
use crate::engine::comparison::finite_sets::ElementId;
use limits::{Meter, StopReason};
use lockhist::{LockSet, Segment, last_is_compatible};

/// A class that a participant can choose, with the locks held at the beginning.
pub(super) type Choice = (LockSet, Class);

/// Returns the compatible choices of one class for each participant: the tuples of their sets, with the histories.
///
/// # Errors
/// If a limit is reached.
pub(super) fn compatible_choices(
    choices: &[Vec<Choice>],
    segments: &SegmentSets,
    meter: &Meter,
) -> Result<Vec<(Tuple, Vec<ElementId>)>, StopReason> {
    let mut split = Split { choices, segments, meter, taken: Vec::new(), chosen: Vec::new(), found: Vec::new() };
    split.choose()?;
    Ok(split.found)
}

struct Split<'a> {
    /// The possible choices of each participant.
    choices: &'a [Vec<Choice>],
    segments: &'a SegmentSets,
    meter: &'a Meter,
    taken: Vec<(LockSet, &'a Segment)>,
    chosen: Vec<Class>,
    found: Vec<(Tuple, Vec<ElementId>)>,
}

impl Split<'_> {
    /// Chooses a class for the next participant, in all compatible ways.
    fn choose(&mut self) -> Result<(), StopReason> {
        let Some(choices) = self.choices.get(self.chosen.len()) else {
            let tuple = self.chosen.iter().map(|class| class.configurations).collect();
            self.found.push((tuple, self.chosen.iter().map(|class| class.history).collect()));
            return Ok(());
        };
        self.meter.work_of(1 + choices.len())?;
        for (held, class) in choices {
            self.taken.push((*held, self.segments.element(class.history)));
            if last_is_compatible(&self.taken) {
                self.chosen.push(*class);
                self.choose()?;
                self.chosen.pop();
            }
            self.taken.pop();
        }
        Ok(())
    }
}
