//! Combinations of modes in which each thread of a cycle of locks can block the one before it.
//!
//! There can be two to the power of the number of locks, for each of many thousand queries. So they are made one at a
//! time, on demand, and never stored. A combination is only begun if it can be completed, so each takes time in
//! proportion to the number of locks.

use super::sequences::Sequences;
use crate::locking::ModePairs;
use eml::model::Mode;
use phases::Exclusion;

/// The combinations: for each lock of the cycle an exclusion. `pairs[i]` has the modes in which thread `i` holds lock
/// `i` and wants lock `i + 1`.
pub(super) fn combinations(pairs: &[ModePairs]) -> impl Iterator<Item = Vec<Exclusion>> + use<> {
    let count = pairs.len();
    let options: Vec<Vec<Exclusion>> = (0..count).map(|lock| options(pairs, lock)).collect();
    // For each exclusion at the first lock, the remaining options at each lock.
    let completions = options.first().into_iter().flatten();
    let completions: Vec<_> = completions.map(|first| (*first, completable(pairs, &options, *first))).collect();
    let pairs = pairs.to_vec();
    Sequences::new(count, move |chosen: &[Exclusion]| {
        let mut begun = completions.iter().filter(|(first, _)| chosen.first().is_none_or(|chosen| chosen == first));
        let Some((place, last)) = chosen.len().checked_sub(1).map(|last| (last, chosen[last])) else {
            return begun.filter(|(first, left)| left[0].contains(first)).map(|(first, _)| *first).collect();
        };
        let left = begun.next().map_or(&[][..], |(_, left)| &left[place + 1]);
        left.iter().copied().filter(|next| can_be(pairs[place], last, *next)).collect()
    })
}

/// The ways in which one thread can block another one at a lock.
fn options(pairs: &[ModePairs], lock: usize) -> Vec<Exclusion> {
    let (holder, wanter) = (pairs[lock], pairs[(lock + pairs.len() - 1) % pairs.len()]);
    let is_held = |mode| holder.iter().any(|(held, _)| held == mode);
    let is_wanted = |mode| wanter.iter().any(|(_, wanted)| wanted == mode);
    if !is_held(Mode::Read) || !is_wanted(Mode::Read) {
        return vec![Exclusion::Plain];
    }
    let held = is_held(Mode::Write).then_some(Exclusion::HeldInWrite);
    held.into_iter().chain(is_wanted(Mode::Write).then_some(Exclusion::WantedInWrite)).collect()
}

/// The options at each lock from which the cycle can be closed, if the first lock excludes in this way.
fn completable(pairs: &[ModePairs], options: &[Vec<Exclusion>], first: Exclusion) -> Vec<Vec<Exclusion>> {
    let mut next = vec![first];
    let mut left: Vec<_> = (0..pairs.len())
        .rev()
        .map(|place| {
            let is_left = |own: &&Exclusion| next.iter().any(|next| can_be(pairs[place], **own, *next));
            next = options[place].iter().filter(is_left).copied().collect();
            next.clone()
        })
        .collect();
    left.reverse();
    left
}

/// Whether a thread with these modes can hold its lock and want the next one under these exclusions.
fn can_be(pairs: ModePairs, own: Exclusion, next: Exclusion) -> bool {
    pairs.iter().any(|(held, wanted)| {
        (own != Exclusion::HeldInWrite || held == Mode::Write)
            && (next != Exclusion::WantedInWrite || wanted == Mode::Write)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Mode; 2] = [Mode::Read, Mode::Write];

    fn pairs(bits: usize) -> ModePairs {
        let all = MODES.iter().flat_map(|held| MODES.map(|wanted| (*held, wanted)));
        all.enumerate()
            .filter(|(bit, _)| bits & 1 << bit != 0)
            .map(|(_, (held, wanted))| ModePairs::one(held, wanted))
            .collect()
    }

    /// Tries all sequences of options one by one.
    #[test]
    fn combinations_are_those_that_fit_all_around() {
        for bits in 0..16_usize.pow(3) {
            let pairs = [bits % 16, bits / 16 % 16, bits / 256].map(pairs);
            let options: Vec<_> = (0..3).map(|lock| options(&pairs, lock)).collect();
            let all = Sequences::new(3, |chosen: &[Exclusion]| options[chosen.len()].clone());
            let fits = |chosen: &Vec<Exclusion>| (0..3).all(|at| can_be(pairs[at], chosen[at], chosen[(at + 1) % 3]));
            assert!(combinations(&pairs).eq(all.filter(fits)), "{bits}");
        }
    }

    /// The last thread cannot hold its lock and want the first one in the required modes, whatever sixty others do.
    #[test]
    fn impossible_combinations_are_not_begun() {
        let any = pairs(15);
        let holds_read = pairs(0b0011);
        let wants_read = pairs(0b0101);
        let different = pairs(0b0110);
        let cycle: Vec<_> = std::iter::once(holds_read).chain(vec![any; 60]).chain([wants_read, different]).collect();
        assert_eq!(combinations(&cycle).next(), None);
        assert_eq!(combinations(&[any; 60]).take(1 << 12).count(), 1 << 12);
    }
}
