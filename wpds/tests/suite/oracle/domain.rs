//! The weights of the oracle.

use crate::transformations::{Transformations, elements};
use std::convert::Infallible;
use wpds::{Boolean, MinPlus, Semiring, Traceable};

/// A semiring whose weights are made from numbers.
pub trait Domain: Traceable<Stop = Infallible> {
    const NAME: &'static str;

    fn weight(number: u64) -> Self::Weight;

    fn elements(weight: &Self::Weight) -> Vec<Self::Element>;
}

impl Domain for Boolean {
    const NAME: &'static str = "boolean";

    fn weight(_: u64) -> bool {
        true
    }

    fn elements(weight: &bool) -> Vec<()> {
        weight.then_some(()).into_iter().collect()
    }
}

impl Domain for MinPlus {
    const NAME: &'static str = "min-plus";

    fn weight(number: u64) -> Option<u64> {
        Some(number)
    }

    fn elements(weight: &Option<u64>) -> Vec<u64> {
        weight.iter().copied().collect()
    }
}

impl Domain for Transformations {
    const NAME: &'static str = "sets of transformations";

    fn weight(number: u64) -> u32 {
        1 << (number * 11 % 27)
    }

    fn elements(weight: &u32) -> Vec<u32> {
        elements(*weight).collect()
    }
}

/// The least word of a run: shorter words first, words of one length as in a dictionary. Extend does not commute, and
/// the order has no numbers.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Semiring for Words {
    type Weight = Option<Vec<u8>>;
    type Stop = Infallible;

    const IS_ORDERED: bool = true;

    fn precedes(&self, left: &Option<Vec<u8>>, right: &Option<Vec<u8>>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => (left.len(), left) < (right.len(), right),
            (left, right) => left.is_some() && right.is_none(),
        }
    }

    fn zero(&self) -> Option<Vec<u8>> {
        None
    }

    fn one(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn extend(&mut self, left: &Option<Vec<u8>>, right: &Option<Vec<u8>>) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(left.as_ref().zip(right.as_ref()).map(|(left, right)| [&left[..], right].concat()))
    }

    fn combine_into(
        &mut self,
        into: &mut Option<Vec<u8>>,
        with: &Option<Vec<u8>>,
    ) -> Result<Option<Option<Vec<u8>>>, Infallible> {
        let is_better = self.precedes(with, into);
        if is_better {
            into.clone_from(with);
        }
        Ok(is_better.then(|| with.clone()))
    }
}

impl Traceable for Words {
    type Element = Vec<u8>;

    fn contains(&self, weight: &Option<Vec<u8>>, element: &Vec<u8>) -> bool {
        weight.as_ref() == Some(element)
    }

    fn split(
        &mut self,
        element: &Vec<u8>,
        left: &Option<Vec<u8>>,
        right: &Option<Vec<u8>>,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let (left, right) = left.clone().zip(right.clone())?;
        ([&left[..], &right].concat() == *element).then_some((left, right))
    }
}

impl Domain for Words {
    const NAME: &'static str = "words";

    fn weight(number: u64) -> Option<Vec<u8>> {
        Some((0..number % 3).map(|place| b'a' + (number >> place) as u8 % 3).collect())
    }

    fn elements(weight: &Option<Vec<u8>>) -> Vec<Vec<u8>> {
        weight.iter().cloned().collect()
    }
}

/// The greatest sum. It is no bounded semiring: lengths grow around loops.
#[derive(Clone, Copy, Debug)]
pub struct MaxPlus;

impl Semiring for MaxPlus {
    type Weight = Option<u64>;
    type Stop = Infallible;

    fn zero(&self) -> Option<u64> {
        None
    }

    fn one(&self) -> Option<u64> {
        Some(0)
    }

    fn extend(&mut self, left: &Option<u64>, right: &Option<u64>) -> Result<Option<u64>, Infallible> {
        Ok(left.zip(*right).map(|(left, right)| left.saturating_add(right)))
    }

    fn combine_into(&mut self, into: &mut Option<u64>, with: &Option<u64>) -> Result<Option<Option<u64>>, Infallible> {
        // `None` is less than any length.
        let is_greater = *with > *into;
        if is_greater {
            *into = *with;
        }
        Ok(is_greater.then_some(*into))
    }
}
