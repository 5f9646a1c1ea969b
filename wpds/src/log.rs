//! A log of the changes of weights, from which runs are reconstructed.

use std::num::NonZeroU32;

/// The number of a change, in chronological order, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChangeId(NonZeroU32);

impl ChangeId {
    /// The number after this one, or the first.
    pub(crate) fn after(last: Option<Self>) -> Self {
        let number = last.map_or(Some(NonZeroU32::MIN), |last| last.0.checked_add(1));
        Self(number.expect("fewer than 2^32 changes"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A change of the weight of a transition or state, with a cause of type `C`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a, W, C> {
    /// The added weight.
    pub(crate) delta: &'a W,
    /// The cause.
    pub(crate) cause: C,
}

/// All changes in chronological order; those of one weight are linked from the last to the first. Each part of a change
/// has its own vector, so that small weights need no padding.
#[derive(Clone, Debug)]
pub(crate) struct Log<W, C> {
    deltas: Vec<W>,
    causes: Vec<C>,
    /// The change of the same weight before this one.
    previous: Vec<Option<ChangeId>>,
}

impl<W, C> Default for Log<W, C> {
    fn default() -> Self {
        Self { deltas: Vec::new(), causes: Vec::new(), previous: Vec::new() }
    }
}

impl<W, C: Copy> Log<W, C> {
    /// Adds a change of a weight whose last change was `previous`.
    pub(crate) fn push(&mut self, delta: W, cause: C, previous: Option<ChangeId>) -> ChangeId {
        self.deltas.push(delta);
        self.causes.push(cause);
        self.previous.push(previous);
        let number = u32::try_from(self.deltas.len()).ok().and_then(NonZeroU32::new);
        ChangeId(number.expect("fewer than 2^32 changes"))
    }

    /// The change `last` and the earlier ones of the same weight that are older than `bound`; the youngest first.
    pub(crate) fn older(
        &self,
        last: Option<ChangeId>,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, W, C>)> {
        let mut next = last;
        let all = std::iter::from_fn(move || {
            let id = next?;
            next = self.previous[id.index()];
            Some((id, Change { delta: &self.deltas[id.index()], cause: self.causes[id.index()] }))
        });
        all.filter(move |(id, _)| bound.is_none_or(|bound| *id < bound))
    }
}
