//! Numbers of method contexts and of their lock effects.

/// The number of a method context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::isolate) struct ContextId(pub(in crate::isolate) u32);

impl ContextId {
    pub(in crate::isolate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a lock effect of a method context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::isolate) struct EffectId(pub(in crate::isolate) u8);

impl EffectId {
    /// The same locks are held as at the beginning.
    pub(in crate::isolate) const NONE: Self = Self(0);

    pub(in crate::isolate) fn index(self) -> usize {
        usize::from(self.0)
    }
}
