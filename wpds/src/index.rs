//! One index type per kind of thing.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $visibility:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(u32);

        impl $name {
            /// The one with this number.
            $visibility const fn new(index: u32) -> Self {
                Self(index)
            }

            /// Its number.
            $visibility const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

index!(
    /// A control state; numbers below 2^31.
    pub Control
);
index!(
    /// A stack symbol; numbers below 2^32 - 1.
    pub Symbol
);
index!(
    /// A rule, in the order in which the system got them.
    pub RuleId
);
index!(
    /// A state of an [`Automaton`](crate::Automaton) that is neither a control state nor final; numbers below 2^31 - 1.
    pub Inner
);
index!(
    /// An interned pair of an automaton state and a symbol.
    pub(crate) Head
);
index!(
    /// A transition of the automaton that is being saturated, in the order of insertion.
    pub(crate) TransitionId
);

impl Symbol {
    /// Stands for no symbol in the head of a transition that reads nothing.
    pub(crate) const EPSILON: Self = Self(u32::MAX);
}

/// A state of the automaton: a control state, another one, or the final state.
///
/// One word: control states are their number, the others `2^31` and a number, and the greatest word is the final state.
/// Forwards the others belong to heads: to the one that a push enters, or to one that stands for a state of the
/// automaton that was given. Backwards they are the states of the automaton that was given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct State(u32);

const MIDDLE: u32 = 1 << 31;

impl State {
    /// The only final state.
    pub(crate) const FINAL: Self = Self(u32::MAX);

    pub(crate) fn control(control: Control) -> Self {
        debug_assert!(control.0 < MIDDLE);
        Self(control.0)
    }

    /// The state between the two symbols of a push whose upper half is `entry`.
    pub(crate) fn middle(entry: Head) -> Self {
        debug_assert!(entry.0 < MIDDLE - 1);
        Self(MIDDLE + entry.0)
    }

    pub(crate) fn as_control(self) -> Option<Control> {
        (self.0 < MIDDLE).then_some(Control(self.0))
    }

    /// A state of the automaton that a backward saturation began with.
    pub(crate) fn given(inner: Inner) -> Self {
        debug_assert!(inner.0 < MIDDLE - 1);
        Self(MIDDLE + inner.0)
    }

    /// The state of the given automaton, of a backward saturation.
    pub(crate) fn as_given(self) -> Option<Inner> {
        (self.0 >= MIDDLE && self != Self::FINAL).then(|| Inner(self.0 - MIDDLE))
    }

    /// The head to which the state belongs, of a forward saturation.
    pub(crate) fn as_middle(self) -> Option<Head> {
        (self.0 >= MIDDLE && self != Self::FINAL).then(|| Head(self.0 - MIDDLE))
    }

    pub(crate) fn word(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_control(), self.as_middle()) {
            (Some(control), _) => control.fmt(f),
            (_, Some(entry)) => write!(f, "Middle({entry:?})"),
            _ => f.write_str("Final"),
        }
    }
}
