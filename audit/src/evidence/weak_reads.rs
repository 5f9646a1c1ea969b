//! Calls that only observe a weakly consistent container.
//!
//! An iteration over a concurrent collection promises no more than to see each element that is there all the time (the
//! package `java.util.concurrent` calls this *weakly consistent*). A unit that only iterates over one such collection
//! gives what its documentation promises, so a change in between is possibly benign.

use super::effect::Place;
use super::{Case, Judge, only_reads};
use crate::violations::section::own_accesses;

/// The methods of one observation of a collection.
const OBSERVING: [&str; 16] = [
    "iterator",
    "descendingIterator",
    "hasNext",
    "next",
    "hasMoreElements",
    "nextElement",
    "keySet",
    "entrySet",
    "values",
    "keys",
    "elements",
    "forEach",
    "toArray",
    "spliterator",
    "stream",
    "size",
];

impl Judge<'_> {
    /// The reason why a violation is possibly benign, if the unit only observes one concurrent collection.
    pub(super) fn weak_read(&self, case: &Case<'_>) -> Option<String> {
        let own = own_accesses(case.witness);
        let (first, last) = (*own.first()?, *own.last()?);
        if !only_reads(case.witness) || !own.iter().all(|place| self.is_same_object(case, first, *place)) {
            return None;
        }
        let location = case.meanings.location(case.witness.steps[first].object.as_deref()?);
        let class = self.collection_class(location)?;
        let is_collection = ["Map", "Set", "List", "Queue", "Deque"].iter().any(|kind| class.ends_with(kind));
        if !class.starts_with("java/util/concurrent/") || !is_collection {
            return None;
        }
        let observes = |place: &Place<'_>| {
            let calls = self.calls(case, place);
            !calls.is_empty() && calls.iter().all(|call| OBSERVING.contains(&call.name))
        };
        let places = [first, last].map(|place| self.place(case, place));
        let is_one_look = places.iter().all(|place| place.as_ref().is_some_and(observes));
        is_one_look.then(|| "an iteration over a concurrent collection may see changes, or not".to_string())
    }
}
