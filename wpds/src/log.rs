//! A log of the changes of weights, from which runs are reconstructed.

use std::num::NonZeroU32;

/// Number of a change, in the order of time, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChangeId(NonZeroU32);

impl ChangeId {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One change of the weight of one thing, by `C`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a, W, C> {
    /// What was added.
    pub(crate) delta: &'a W,
    /// What added it.
    pub(crate) cause: C,
}

/// All changes in the order of time; those of one thing are linked from the last to the first. A vector for each part
/// of a change, so that small weights stay small.
#[derive(Clone, Debug)]
pub(crate) struct Log<W, C> {
    deltas: Vec<W>,
    causes: Vec<C>,
    /// The change before this one of the same thing.
    previous: Vec<Option<ChangeId>>,
}

impl<W, C> Default for Log<W, C> {
    fn default() -> Self {
        Self { deltas: Vec::new(), causes: Vec::new(), previous: Vec::new() }
    }
}

impl<W, C: Copy> Log<W, C> {
    /// Logs a change of a thing whose last change was `previous`.
    pub(crate) fn push(&mut self, delta: W, cause: C, previous: Option<ChangeId>) -> ChangeId {
        self.deltas.push(delta);
        self.causes.push(cause);
        self.previous.push(previous);
        let number = u32::try_from(self.deltas.len()).ok().and_then(NonZeroU32::new);
        ChangeId(number.expect("fewer than 2^32 changes"))
    }

    /// The change `last` and those of the same thing before it, the youngest first, older than `bound` if there is one.
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
