//! The elements of matrices, and the positions of a run's steps.

use super::super::lock_weights::LockWeights;
use super::{Matrices, MatrixId};
use crate::encode::words::Position;
use std::fmt::Debug;
use std::hash::Hash;
use wpds::Traceable;

/// An element of an entry of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Crossing<E> {
    pub(crate) from: Position,
    pub(crate) to: Position,
    pub(crate) element: E,
}

/// The positions where a step or a call begins and ends, as encoded in the tags of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) from: Position,
    pub(crate) to: Position,
}

impl Ends {
    fn tag(self) -> u64 {
        (self.from.index() as u64) << 32 | self.to.index() as u64
    }

    /// Decodes a tag of a run.
    pub(crate) fn of_tag(tag: u64) -> Self {
        Self { from: Position::new((tag >> 32) as usize), to: Position::new((tag & 0xffff_ffff) as usize) }
    }
}

/// The elements are those of the entries.
impl<S: LockWeights> Traceable for Matrices<S>
where
    S::Weight: Copy + Ord + Hash + Debug,
{
    type Element = Crossing<S::Element>;

    fn contains(&self, weight: &MatrixId, Crossing { from, to, element }: &Crossing<S::Element>) -> bool {
        self.entry(*weight, *from, *to).is_some_and(|entry| self.entries.contains(&entry, element))
    }

    fn split(
        &mut self,
        Crossing { from, to, element }: &Crossing<S::Element>,
        left: &MatrixId,
        right: &MatrixId,
    ) -> Option<(Crossing<S::Element>, Crossing<S::Element>)> {
        if *right == self.one {
            // Most steps of a path change neither the history nor the position.
            let (first, second) = (self.entry(*left, *from, *to)?, self.entry(*right, *to, *to)?);
            let (before, after) = self.entries.split(element, &first, &second)?;
            let before = Crossing { from: *from, to: *to, element: before };
            return Some((before, Crossing { from: *to, to: *to, element: after }));
        }
        let row = self.row_of(*left, *from);
        for place in 0..self.rows.get(row.0).len() {
            let (middle, first) = self.rows.get(row.0)[place];
            let Some(second) = self.entry(*right, middle, *to) else { continue };
            if let Some((before, after)) = self.entries.split(element, &first, &second) {
                let before = Crossing { from: *from, to: middle, element: before };
                return Some((before, Crossing { from: middle, to: *to, element: after }));
            }
        }
        None
    }

    fn tag(&self, Crossing { from, to, .. }: &Crossing<S::Element>) -> u64 {
        Ends { from: *from, to: *to }.tag()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::diagram::SequenceItem;
    use super::super::tests::{entries, line, random};
    use super::*;
    use fastrand::Rng;
    use wpds::Semiring;

    #[test]
    fn elements_of_products_split() {
        let (mut rng, mut matrices) = (Rng::with_seed(2), line());
        let mut count = 0;
        for _ in 0..200 {
            let (a, b) = (random(&mut rng, &mut matrices), random(&mut rng, &mut matrices));
            let product = matrices.extend(&a, &b).expect("there is no limit");
            for ((from, to), mut weight) in entries(&matrices, product) {
                let mut element: Vec<SequenceItem> = Vec::new();
                while let Some((item, before)) = matrices.entries.edges(weight).last().copied() {
                    element.insert(0, item);
                    weight = before;
                }
                let (from_position, to_position, element) = (Position::new(from), Position::new(to), element.into());
                let whole = Crossing { from: from_position, to: to_position, element };
                assert!(matrices.contains(&product, &whole));
                let (before, after) = matrices.split(&whole, &a, &b).expect("it is an element of the product");
                assert!(matrices.contains(&a, &before) && matrices.contains(&b, &after));
                assert_eq!((before.from, before.to, after.to), (whole.from, after.from, whole.to));
                let ends = Ends::of_tag(matrices.tag(&after));
                assert_eq!((ends.from, ends.to), (after.from, after.to));
                count += 1;
            }
        }
        assert!(count > 300, "{count}");
    }
}
