//! An oracle of another kind: the rules of saturation as the definitions state them, applied until nothing changes,
//! without worklists, pending weights, indices or logs; and plain exploration. The example `campaign` runs it on many
//! random systems.

mod check;
mod domain;
mod naive;
mod random;

pub use check::check;
pub use random::Case;

use proptest::prelude::*;

/// A small part of the campaign `cargo run --release -p wpds --example campaign`.
#[test]
fn small_systems_agree_with_the_definitions() {
    for seed in 0..200 {
        check(&Case::random(seed)).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn other_seeds_agree_with_the_definitions(seed: u64) {
        let checked = check(&Case::random(seed));
        prop_assert!(checked.is_ok(), "seed {}: {}", seed, checked.unwrap_err());
    }
}
