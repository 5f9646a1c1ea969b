//! The semirings of the command.

use std::cell::Cell;
use std::convert::Infallible;
use wpds::{Boolean, MinPlus, Traceable};

/// The text of a sum that is too large to be exact.
const MANY: &str = "2^64-1+";

/// A semiring whose weights have at most one element, with texts.
pub(crate) trait Plain: Traceable<Stop = Infallible> {
    /// The weight of a rule with this number.
    fn weight(number: u64) -> Self::Weight;

    /// The number of a rule's weight; none if weights are no numbers.
    fn number(weight: &Self::Weight) -> Option<u64>;

    fn element(weight: &Self::Weight) -> Option<Self::Element>;

    fn show(element: &Self::Element, warnings: &Warnings) -> String;

    fn show_weight(weight: &Self::Weight, warnings: &Warnings) -> String {
        Self::element(weight).map_or_else(|| "0".to_string(), |element| Self::show(&element, warnings))
    }
}

impl Plain for Boolean {
    fn weight(_: u64) -> bool {
        true
    }

    fn number(_: &bool) -> Option<u64> {
        None
    }

    fn element(weight: &bool) -> Option<()> {
        weight.then_some(())
    }

    fn show((): &(), _: &Warnings) -> String {
        "1".to_string()
    }
}

impl Plain for MinPlus {
    fn weight(number: u64) -> Option<u64> {
        Some(number)
    }

    fn number(weight: &Option<u64>) -> Option<u64> {
        *weight
    }

    fn element(weight: &Option<u64>) -> Option<u64> {
        *weight
    }

    fn show(length: &u64, warnings: &Warnings) -> String {
        if *length == Self::MANY {
            warnings.met_many.set(true);
            return MANY.to_string();
        }
        length.to_string()
    }
}

/// What the user is warned of at the end.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    met_many: Cell<bool>,
}

impl Warnings {
    pub(crate) fn print(&self) {
        if self.met_many.get() {
            eprintln!(
                "wpds: warning: {MANY} stands for any sum of 2^64 - 1 or more; such a run need not be the shortest"
            );
        }
    }
}
