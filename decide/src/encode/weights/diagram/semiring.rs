//! Sets of sequences as weights.

use super::item::{Sequence, SequenceItem};
use super::nodes::DiagramId;
use super::sets::Diagrams;
use crate::encode::weights::LockWeights;
use eml::model::LocationId;
use limits::StopReason;
use lockhist::Operation;
use wpds::{Semiring, Traceable};

impl LockWeights for Diagrams {
    fn operation(&mut self, _: usize, operation: Operation) -> DiagramId {
        let item = SequenceItem::segment(self.segments_mut().of(operation));
        self.singleton(&[item])
    }

    fn boundary(&mut self, _: usize) -> Result<DiagramId, StopReason> {
        Ok(self.singleton(&[SequenceItem::EMPTY, SequenceItem::EMPTY]))
    }

    fn access(&mut self, _: usize, location: LocationId) -> Result<DiagramId, StopReason> {
        Ok(self.singleton(&[SequenceItem::EMPTY, SequenceItem::location(location), SequenceItem::EMPTY]))
    }

    fn end(&mut self, phase: usize, location: Option<LocationId>) -> Result<DiagramId, StopReason> {
        location.map_or(Ok(self.one()), |location| self.access(phase, location))
    }

    fn mark(&self) -> usize {
        self.len()
    }

    fn settle(&mut self, mark: usize, results: Vec<DiagramId>) -> Vec<DiagramId> {
        self.forget_since(mark, &results)
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn work_of(&self, units: usize) -> Result<(), StopReason> {
        self.meter().work_of(units)
    }

    fn without_last_phase(&self, element: &Sequence) -> Option<Sequence> {
        let (last, front) = element.split_last()?;
        (*last == SequenceItem::EMPTY && !front.is_empty()).then(|| front.into())
    }
}

impl Semiring for Diagrams {
    type Weight = DiagramId;
    type Stop = StopReason;

    fn zero(&self) -> DiagramId {
        DiagramId::EMPTY
    }

    fn one(&self) -> DiagramId {
        self.unit()
    }

    fn extend(&mut self, left: &DiagramId, right: &DiagramId) -> Result<DiagramId, Self::Stop> {
        self.compose(*left, *right)
    }

    fn combine_into(&mut self, into: &mut DiagramId, with: &DiagramId) -> Result<Option<DiagramId>, Self::Stop> {
        let (union, new) = self.union(*into, *with)?;
        *into = union;
        Ok((new != DiagramId::EMPTY).then_some(new))
    }

    fn combine_all(&mut self, weights: Vec<DiagramId>) -> Result<DiagramId, Self::Stop> {
        self.sum(weights)
    }
}

/// The elements are the sequences, in forward order.
impl Traceable for Diagrams {
    type Element = Sequence;

    fn contains(&self, weight: &DiagramId, element: &Sequence) -> bool {
        self.before(*weight, element) == DiagramId::LEAF
    }

    fn split(&mut self, element: &Sequence, left: &DiagramId, right: &DiagramId) -> Option<(Sequence, Sequence)> {
        if *left == DiagramId::EMPTY || *right == DiagramId::EMPTY {
            return None;
        }
        if *right == self.unit() {
            // Most steps of a path change no history.
            return self.contains(left, element).then(|| (element.clone(), self.unit_sequence().clone()));
        }
        let meet = self.length(*left) - 1;
        let (front, rest) = (&element[..meet], &element[meet..]);
        let (joined, back) = rest.split_first()?;
        let first = self.before(*right, back);
        if first == DiagramId::EMPTY {
            return None;
        }
        for i in 0..self.edges(*left).len() {
            let (end, before) = self.edges(*left)[i];
            if self.before(before, front) != DiagramId::LEAF {
                continue;
            }
            for j in 0..self.edges(first).len() {
                let (start, _) = self.edges(first)[j];
                if self.join(end, start) == *joined {
                    let (front, back) = (front.iter().copied(), back.iter().copied());
                    return Some((front.chain([end]).collect(), [start].into_iter().chain(back).collect()));
                }
            }
        }
        None
    }
}
