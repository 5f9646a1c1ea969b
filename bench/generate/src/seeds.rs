//! Number of random inputs of tests.
//!
//! Every input of a test has a seed. By default tests take the first half of their seeds; with the environment variable
//! [`ALL`], as in `bench/nightly`, all of them.

use std::ops::Range;

/// The environment variable that enables all seeds.
pub const ALL: &str = "ASERCHECK_NIGHTLY";

/// Returns the enabled seeds among these.
pub fn taken(all: Range<u64>) -> Range<u64> {
    let length = all.end.saturating_sub(all.start);
    match is_nightly() {
        true => all,
        false => all.start..all.start + length.div_ceil(2),
    }
}

/// Returns the required number of occurrences in the inputs of the enabled seeds, given that for all seeds: two fifths
/// in the first half, since rare occurrences are not spread evenly.
pub fn least(of_all: usize) -> usize {
    if is_nightly() { of_all } else { of_all * 2 / 5 }
}

/// Whether all seeds are enabled.
pub fn is_nightly() -> bool {
    std::env::var_os(ALL).is_some()
}
