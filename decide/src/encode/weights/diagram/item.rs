//! The labels of the edges of diagrams.

use super::super::segments::SegmentId;
use crate::encode::words::LocalWord;
use eml::model::LocationId;
use phases::Turn;
use std::sync::Arc;

/// A segment, or the location of an access that ended a phase. No node has edges of both kinds.
///
/// Items of one class are neighbours in the order, and locations come after all segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SequenceItem {
    class: u32,
    number: u32,
}

impl SequenceItem {
    pub(crate) const EMPTY: Self = Self::segment(SegmentId::EMPTY);

    /// The class of all locations.
    const LOCATION: u32 = u32::MAX;

    pub(crate) const fn segment(id: SegmentId) -> Self {
        Self { class: id.ends, number: id.number }
    }

    pub(crate) fn location(location: LocationId) -> Self {
        Self { class: Self::LOCATION, number: location.index() as u32 }
    }

    pub(crate) fn is_location(self) -> bool {
        self.class == Self::LOCATION
    }

    pub(crate) fn as_segment(self) -> Option<SegmentId> {
        (!self.is_location()).then_some(SegmentId { ends: self.class, number: self.number })
    }

    /// Different items can dominate each other only if they are of one class.
    pub(super) fn class(self) -> u32 {
        if self.is_location() { self.number } else { self.class }
    }
}

/// The segments of a path and the locations between them, in order; cheap to copy.
pub(crate) type Sequence = Arc<[SequenceItem]>;

/// The sequence of a path with these segments that completes a word, in the form of the elements of totals.
pub(crate) fn sequence(word: &LocalWord, segments: &[SegmentId]) -> Sequence {
    let mut sequence = Vec::new();
    for (phase, segment) in word.0.iter().zip(segments) {
        sequence.push(SequenceItem::segment(*segment));
        if let Turn::Own(action) = &phase.turn {
            sequence.extend(action.location().map(SequenceItem::location));
        }
    }
    // Nothing is kept after the last phase.
    sequence.extend(word.ends_with_access().then_some(SequenceItem::EMPTY));
    sequence.into()
}
