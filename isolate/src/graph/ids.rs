//! Numbers of method contexts and of their lock effects.

/// The number of a method context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ContextId(pub(crate) u32);

impl ContextId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a lock effect of a method context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EffectId(pub(crate) u8);

impl EffectId {
    /// The empty effect: the same locks are held as at the entry.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}
