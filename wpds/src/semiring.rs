//! Weights: bounded idempotent semirings. A semiring is a context that owns the data that its weights share.

use std::fmt::Debug;
use std::hash::Hash;

/// A bounded idempotent semiring, as a context: weights may be indices into tables that the context owns.
///
/// With `a + b` for combine and `a * b` for extend, the laws are, for all weights,
///
/// ```text
/// (a + b) + c = a + (b + c)      a + b = b + a      a + a = a      a + 0 = a
/// (a * b) * c = a * (b * c)      1 * a = a = a * 1
/// a * (b + c) = a * b + a * c    (a + b) * c = a * c + b * c       a * 0 = 0 = 0 * a
/// ```
///
/// and every ascending chain `a, a + b, a + b + c, ...` becomes constant after finitely many changes, so that
/// saturation terminates. Equality of weights may be finer than equality in the semiring, as long as the last condition
/// still holds.
pub trait Semiring {
    /// A weight. Cloning should be cheap.
    type Weight: Clone + Eq + Debug;
    /// The reason why an operation gave up; [`std::convert::Infallible`] if none does.
    type Stop: Debug;

    /// Whether the weights are totally ordered: `a + b` is `a` or `b`. Saturation then takes the transition with the
    /// best weight first, as [`precedes`](Self::precedes) compares them, and keeps one change of each weight.
    ///
    /// If also `1 + a = 1`, so that no run becomes better by a longer one, and [`entered`](Self::entered) is 1, then
    /// each transition is processed once. Sums and runs are right without this, too.
    const IS_ORDERED: bool = false;

    /// Whether `left` is better than `right`: `left + right = left`, and they differ. Called for ordered weights only.
    fn precedes(&self, _left: &Self::Weight, _right: &Self::Weight) -> bool {
        false
    }

    /// The neutral element of combine, which annihilates under extend: the weight of no run.
    fn zero(&self) -> Self::Weight;

    /// The neutral element of extend: the weight of the empty run.
    fn one(&self) -> Self::Weight;

    /// `left * right`: first `left`, then `right`.
    ///
    /// # Errors
    /// The semiring's own reason to give up.
    fn extend(&mut self, left: &Self::Weight, right: &Self::Weight) -> Result<Self::Weight, Self::Stop>;

    /// Replaces `into` by `into + with`. Returns `None` if nothing changed, otherwise a weight `d` with `old + d =
    /// new`.
    ///
    /// # Errors
    /// The semiring's own reason to give up; `into` is then unchanged.
    fn combine_into(
        &mut self,
        into: &mut Self::Weight,
        with: &Self::Weight,
    ) -> Result<Option<Self::Weight>, Self::Stop>;

    /// Returns the sum of weights. By default it is computed as a balanced tree, since in many semirings the cost of a
    /// sum is its size; a semiring may override this.
    ///
    /// # Errors
    /// The semiring's own reason to give up.
    fn combine_all(&mut self, mut weights: Vec<Self::Weight>) -> Result<Self::Weight, Self::Stop> {
        while weights.len() > 1 {
            let mut sums = Vec::with_capacity(weights.len().div_ceil(2));
            let mut rest = weights.into_iter();
            while let Some(mut first) = rest.next() {
                if let Some(second) = rest.next() {
                    self.combine_into(&mut first, &second)?;
                }
                sums.push(first);
            }
            weights = sums;
        }
        Ok(weights.pop().unwrap_or_else(|| self.zero()))
    }

    /// Returns a weight `e` with `a * e = a` and `e + 1 = 1`: the part of the empty run that can follow runs of this
    /// weight. The head that a push enters is saturated from `e`. By default [`one`](Self::one); a smaller weight if
    /// weights determine where runs end.
    fn entered(&mut self, _weight: &Self::Weight) -> Self::Weight {
        self.one()
    }

    /// The lowest stage of a weight. On cycles, lower stages are processed first. If extending never leads to a lower
    /// stage, the weights of one stage are final before the next stage begins.
    fn stage(&self, _weight: &Self::Weight) -> u32 {
        0
    }

    /// Splits a weight into the part of its lowest stage and the rest, whose stages are greater; their sum is the
    /// weight. By default the first part is the whole weight, as all weights have one stage.
    fn first_stage(&mut self, weight: &Self::Weight) -> (Self::Weight, Self::Weight) {
        (weight.clone(), self.zero())
    }

    /// Whether a weight is [`zero`](Self::zero).
    fn is_zero(&self, weight: &Self::Weight) -> bool {
        *weight == self.zero()
    }
}

/// A semiring whose weights are sets of elements (or behave like one), so that a run can be found for each element.
///
/// The laws: `e` is in `a + b` iff it is in `a` or in `b`; if `e` is in `a * b` then `split(e, a, b)` gives `l` in `a`
/// and `r` in `b` whose product is `e`.
pub trait Traceable: Semiring {
    /// One element of a weight, for example a number that is a minimum or one tuple of a relation.
    type Element: Clone + Eq + Hash + Debug;

    /// Whether the weight has this element.
    fn contains(&self, weight: &Self::Weight, element: &Self::Element) -> bool;

    /// Elements of `left` and of `right` whose product is `element`; `None` if there are none.
    fn split(
        &mut self,
        element: &Self::Element,
        left: &Self::Weight,
        right: &Self::Weight,
    ) -> Option<(Self::Element, Self::Element)>;

    /// The annotation of a run's step ([`RunStep`](crate::RunStep)) with the element of its rule or callee; by default
    /// 0.
    fn tag(&self, _element: &Self::Element) -> u64 {
        0
    }
}
