//! Index types, one for each kind of object, and the states of automata.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $visibility:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(u32);

        impl $name {
            /// The index with this number.
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
    /// A rule, numbered in the order of addition to the system.
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
    /// A transition of the automaton under saturation, numbered in the order of insertion.
    pub(crate) TransitionId
);

impl Symbol {
    /// The symbol in the head of a transition that reads no symbol.
    pub(crate) const EPSILON: Self = Self(u32::MAX);
}

/// A state of the automaton: a control state, an inner state, or the final state.
///
/// One word: a control state is its number, an inner state is `2^31` plus a number, and the final state is the greatest
/// word. In a forward saturation an inner state belongs to a head: the head that a push enters (a *mid-state*), or a
/// head that represents a state of the starting automaton. In a backward saturation the inner states are those of the
/// target automaton.
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

    /// The mid-state of a push: between its two symbols, where `entry` is the upper head.
    pub(crate) fn middle(entry: Head) -> Self {
        debug_assert!(entry.0 < MIDDLE - 1);
        Self(MIDDLE + entry.0)
    }

    pub(crate) fn as_control(self) -> Option<Control> {
        (self.0 < MIDDLE).then_some(Control(self.0))
    }

    /// A state of the target automaton of a backward saturation.
    pub(crate) fn given(inner: Inner) -> Self {
        debug_assert!(inner.0 < MIDDLE - 1);
        Self(MIDDLE + inner.0)
    }

    /// The state of the target automaton, in a backward saturation.
    pub(crate) fn as_given(self) -> Option<Inner> {
        (self.0 >= MIDDLE && self != Self::FINAL).then(|| Inner(self.0 - MIDDLE))
    }

    /// The head to which an inner state belongs, in a forward saturation.
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
