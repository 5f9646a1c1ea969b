//! The classes of the collections whose content is accessed, and changes of them that keep other changes.

use super::calls::Call;
use super::effect::Place;
use super::{Case, Judge};

impl Judge<'_> {
    /// The class of the collection whose content is a location: the only one whose objects the field holds, or its
    /// declared type. None for the content of a content.
    pub(super) fn collection_class(&self, location: &str) -> Option<String> {
        let field = self.field(location).filter(|_| location.ends_with(']') && location.matches('[').count() == 1)?;
        let declared = || self.field_type(location).map(|of| of.trim_matches(['L', ';']).to_string());
        self.facts.exact_class(field, self.program).map(str::to_string).or_else(declared)
    }

    /// Whether a write of the unit keeps all changes that others have made before: it inserts an element into a
    /// concurrent queue, set or list, or removes one, and each of these is one step. A map replaces the value of a key.
    pub(super) fn keeps_changes(&self, case: &Case<'_>, place: &Place<'_>) -> bool {
        let location = case.meanings.location(place.step().object.as_deref().unwrap_or_default());
        let calls = self.calls(case, place);
        self.collection_class(location).is_some_and(|class| is_concurrent_bag(&class))
            && !calls.is_empty()
            && calls.iter().all(is_of_one_element)
    }
}

fn is_concurrent_bag(class: &str) -> bool {
    let kinds = ["Queue", "Deque", "Set", "List"];
    class.starts_with("java/util/concurrent/") && kinds.iter().any(|kind| class.ends_with(kind))
}

/// Whether a call inserts or removes one element, whichever others are there.
fn is_of_one_element(call: &Call<'_>) -> bool {
    let beginnings = ["add", "offer", "put", "push", "poll", "take", "remove", "transfer"];
    beginnings.iter().any(|begin| call.name.starts_with(begin)) && !call.name.ends_with("All")
}

#[cfg(test)]
mod tests {
    use super::{Call, is_concurrent_bag, is_of_one_element};

    #[test]
    fn a_queue_keeps_elements_and_a_map_replaces_values() {
        let call = |name: &'static str| Call { owner: "java/util/Queue", name, stores_zero: false };
        assert!(is_of_one_element(&call("offer")) && is_of_one_element(&call("pollFirst")));
        assert!(!is_of_one_element(&call("removeAll")) && !is_of_one_element(&call("clear")));
        assert!(is_concurrent_bag("java/util/concurrent/DelayQueue") && !is_concurrent_bag("java/util/ArrayDeque"));
        assert!(!is_concurrent_bag("java/util/concurrent/ConcurrentHashMap"));
    }
}
