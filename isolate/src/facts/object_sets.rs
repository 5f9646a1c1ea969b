//! Interned sets of abstract objects.

use crate::value::SetId;
use java::points_to::ObjectId;
use rustc_hash::FxHashMap;

/// The interned sets.
#[derive(Debug, Default)]
pub(crate) struct ObjectSets {
    sets: Vec<Box<[ObjectId]>>,
    ids: FxHashMap<Box<[ObjectId]>, SetId>,
}

impl ObjectSets {
    /// The number of a set.
    pub(crate) fn id(&mut self, mut objects: Vec<ObjectId>) -> SetId {
        objects.sort_unstable();
        objects.dedup();
        let objects: Box<[ObjectId]> = objects.into();
        if let Some(known) = self.ids.get(&objects) {
            return *known;
        }
        let id = SetId(u32::try_from(self.sets.len()).expect("the number of states is bounded"));
        self.sets.push(objects.clone());
        self.ids.insert(objects, id);
        id
    }

    /// The objects of a set.
    pub(crate) fn objects(&self, id: SetId) -> &[ObjectId] {
        &self.sets[id.0 as usize]
    }
}
