//! A semiring whose extend does not commute.

use proptest::prelude::*;
use std::convert::Infallible;
use wpds::{Semiring, Traceable};

/// Sets of functions from {0, 1, 2} to itself, as bits; function `f` has the number `f(0) + 3 f(1) + 9 f(2)`. Extend
/// composes, which does not commute.
#[derive(Clone, Copy, Debug)]
pub struct Transformations;

/// The identity function.
pub const IDENTITY: u32 = 3 + 2 * 9;

/// Singletons.
pub fn transformation() -> impl Strategy<Value = u32> + Clone {
    (0_u32..27).prop_map(|function| 1 << function)
}

fn value(function: u32, argument: u32) -> u32 {
    function / 3_u32.pow(argument) % 3
}

/// Returns the composition: `first`, then `second`.
pub fn composed(first: u32, second: u32) -> u32 {
    (0..3).map(|argument| value(second, value(first, argument)) * 3_u32.pow(argument)).sum()
}

/// The elements of a set.
pub fn elements(set: u32) -> impl Iterator<Item = u32> {
    (0..27).filter(move |element| set >> element & 1 == 1)
}

impl Semiring for Transformations {
    type Weight = u32;
    type Stop = Infallible;

    fn zero(&self) -> u32 {
        0
    }

    fn one(&self) -> u32 {
        1 << IDENTITY
    }

    fn extend(&mut self, left: &u32, right: &u32) -> Result<u32, Infallible> {
        let pairs = elements(*left).flat_map(|l| elements(*right).map(move |r| (l, r)));
        Ok(pairs.fold(0, |set, (l, r)| set | 1 << composed(l, r)))
    }

    fn combine_into(&mut self, into: &mut u32, with: &u32) -> Result<Option<u32>, Infallible> {
        let new = with & !*into;
        *into |= with;
        Ok((new != 0).then_some(new))
    }
}

impl Traceable for Transformations {
    type Element = u32;

    fn contains(&self, weight: &u32, element: &u32) -> bool {
        weight >> element & 1 == 1
    }

    fn split(&mut self, element: &u32, left: &u32, right: &u32) -> Option<(u32, u32)> {
        elements(*left).flat_map(|l| elements(*right).map(move |r| (l, r))).find(|&(l, r)| composed(l, r) == *element)
    }
}
