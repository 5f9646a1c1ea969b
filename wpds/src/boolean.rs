//! Plain reachability: the semiring of truth values.

use crate::semiring::{Semiring, Traceable};
use std::convert::Infallible;

/// The Boolean semiring: a weight is whether a run exists. It makes an unweighted system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Boolean;

impl Semiring for Boolean {
    type Weight = bool;
    type Stop = Infallible;

    fn zero(&self) -> bool {
        false
    }

    fn one(&self) -> bool {
        true
    }

    fn extend(&mut self, left: &bool, right: &bool) -> Result<bool, Infallible> {
        Ok(*left && *right)
    }

    fn combine_into(&mut self, into: &mut bool, with: &bool) -> Result<Option<bool>, Infallible> {
        let new = *with && !*into;
        *into |= *with;
        Ok(new.then_some(true))
    }
}

impl Traceable for Boolean {
    type Element = ();

    fn contains(&self, weight: &bool, (): &()) -> bool {
        *weight
    }

    fn split(&mut self, (): &(), left: &bool, right: &bool) -> Option<((), ())> {
        (*left && *right).then_some(((), ()))
    }
}
