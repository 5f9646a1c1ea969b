//! The atomic sets that locations have in common.

use eml::model::{LocationId, Model};

/// The atomic sets that contain all of these locations and have at least `least` members.
pub(super) fn common_sets(model: &Model, chosen: &[LocationId], least: usize) -> Vec<u32> {
    let Some(first) = chosen.first() else { return Vec::new() };
    let is_common = |set: &&u32| {
        chosen.iter().all(|one| model.sets_of(*one).binary_search(set).is_ok())
            && model.atomic_sets()[**set as usize].members().len() >= least
    };
    model.sets_of(*first).iter().filter(is_common).copied().collect()
}
