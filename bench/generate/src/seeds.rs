//! How many random inputs tests take.
//!
//! Every input of a test has a seed. Where changes are taken, tests take the first half of their seeds; with the
//! environment variable [`ALL`], as in `bench/nightly`, all of them.

use std::ops::Range;

/// Whoever sets this variable has time.
pub const ALL: &str = "ASERCHECK_NIGHTLY";

/// The seeds that are taken of these.
pub fn taken(all: Range<u64>) -> Range<u64> {
    let length = all.end.saturating_sub(all.start);
    match is_nightly() {
        true => all,
        false => all.start..all.start + length.div_ceil(2),
    }
}

/// So many of something have to occur in the inputs of the seeds that are taken, if so many do in those of all seeds:
/// two fifths in the first half, since what is rare is not spread evenly.
pub fn least(of_all: usize) -> usize {
    if is_nightly() { of_all } else { of_all * 2 / 5 }
}

/// Whether all seeds are taken.
pub fn is_nightly() -> bool {
    std::env::var_os(ALL).is_some()
}
