//! The modes in which one lock is held and another one wanted.

use eml::model::Mode;

/// A set of pairs of modes: the mode in which a lock is held, and the mode in which another one is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ModePairs(u8);

impl ModePairs {
    fn bit(held: Mode, wanted: Mode) -> u8 {
        1 << (2 * (held as u8) + wanted as u8)
    }

    /// The set with this pair only.
    pub(crate) fn one(held: Mode, wanted: Mode) -> Self {
        Self(Self::bit(held, wanted))
    }

    pub(super) fn add(&mut self, held: Mode, wanted: Mode) {
        self.0 |= Self::one(held, wanted).0;
    }

    /// All pairs of the set.
    pub(crate) fn iter(self) -> impl Iterator<Item = (Mode, Mode)> {
        let modes = [Mode::Read, Mode::Write];
        let all = modes.into_iter().flat_map(move |held| modes.map(|wanted| (held, wanted)));
        all.filter(move |(held, wanted)| self.0 & Self::bit(*held, *wanted) != 0)
    }
}

impl FromIterator<ModePairs> for ModePairs {
    /// The union.
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        Self(all.into_iter().fold(0, |together, own| together | own.0))
    }
}
