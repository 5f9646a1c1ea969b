//! Shortest runs: the tropical semiring.

use crate::semiring::{Semiring, Traceable};
use std::convert::Infallible;

/// The min-plus semiring over the natural numbers with infinity: extend adds, combine takes the minimum.
///
/// A weight is `Some(length)`, or `None` for infinity, the weight of no run. Lengths below [`MinPlus::MANY`] are exact;
/// `MANY` represents every sum that is not less, so a run with this weight need not be the shortest one.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinPlus;

impl MinPlus {
    /// The length that represents itself and all greater ones: 2^64 - 1.
    pub const MANY: u64 = u64::MAX;
}

impl Semiring for MinPlus {
    type Weight = Option<u64>;
    type Stop = Infallible;

    const IS_ORDERED: bool = true;

    fn precedes(&self, left: &Option<u64>, right: &Option<u64>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => left < right,
            (left, right) => left.is_some() && right.is_none(),
        }
    }

    fn zero(&self) -> Option<u64> {
        None
    }

    fn one(&self) -> Option<u64> {
        Some(0)
    }

    fn extend(&mut self, left: &Option<u64>, right: &Option<u64>) -> Result<Option<u64>, Infallible> {
        Ok(left.zip(*right).map(|(l, r)| l.saturating_add(r)))
    }

    fn combine_into(&mut self, into: &mut Option<u64>, with: &Option<u64>) -> Result<Option<Option<u64>>, Infallible> {
        let shorter = self.precedes(with, into);
        if shorter {
            *into = *with;
        }
        Ok(shorter.then_some(*with))
    }
}

/// The one element of a finite weight is its length.
impl Traceable for MinPlus {
    type Element = u64;

    fn contains(&self, weight: &Option<u64>, element: &u64) -> bool {
        *weight == Some(*element)
    }

    fn split(&mut self, element: &u64, left: &Option<u64>, right: &Option<u64>) -> Option<(u64, u64)> {
        let (left, right) = left.zip(*right)?;
        (left.saturating_add(right) == *element).then_some((left, right))
    }
}
