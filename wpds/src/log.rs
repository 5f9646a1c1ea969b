//! A log of the changes of weights, from which runs are reconstructed.

/// Number of a change, in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChangeId(u32);

/// One change of the weight of one thing, by `C`.
#[derive(Clone, Debug)]
pub(crate) struct Change<W, C> {
    /// What was added.
    pub(crate) delta: W,
    /// What added it.
    pub(crate) cause: C,
    /// The change before this one of the same thing.
    previous: Option<ChangeId>,
}

/// All changes in the order of time; those of one thing are linked from the last to the first.
#[derive(Clone, Debug)]
pub(crate) struct Log<W, C>(Vec<Change<W, C>>);

impl<W, C> Default for Log<W, C> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<W, C> Log<W, C> {
    /// Logs a change of a thing whose last change was `previous`.
    pub(crate) fn push(&mut self, delta: W, cause: C, previous: Option<ChangeId>) -> ChangeId {
        let id = ChangeId(u32::try_from(self.0.len()).expect("fewer than 2^32 changes"));
        self.0.push(Change { delta, cause, previous });
        id
    }

    /// The change `last` and those of the same thing before it, the youngest first, older than `bound` if there is one.
    pub(crate) fn older(
        &self,
        last: Option<ChangeId>,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, &Change<W, C>)> {
        let mut next = last;
        let all = std::iter::from_fn(move || {
            let id = next?;
            let change = &self.0[id.0 as usize];
            next = change.previous;
            Some((id, change))
        });
        all.filter(move |(id, _)| bound.is_none_or(|bound| *id < bound))
    }
}
