//! Interned sets of abstract objects.

use crate::value::SetId;
use java::points_to::ObjectId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The interned sets. A set is never removed, so its number stands for it for ever.
#[derive(Debug, Default)]
pub(crate) struct ObjectSets {
    sets: RefCell<Vec<Rc<[ObjectId]>>>,
    ids: RefCell<FxHashMap<Rc<[ObjectId]>, SetId>>,
}

impl ObjectSets {
    /// The number of a set.
    pub(crate) fn id(&self, mut objects: Vec<ObjectId>) -> SetId {
        objects.sort_unstable();
        objects.dedup();
        if let Some(known) = self.ids.borrow().get(&*objects) {
            return *known;
        }
        let objects: Rc<[ObjectId]> = objects.into();
        let mut sets = self.sets.borrow_mut();
        let id = SetId(u32::try_from(sets.len()).expect("the number of states is bounded"));
        sets.push(objects.clone());
        self.ids.borrow_mut().insert(objects, id);
        id
    }

    /// The objects of a set.
    pub(crate) fn objects(&self, id: SetId) -> Rc<[ObjectId]> {
        self.sets.borrow()[id.0 as usize].clone()
    }
}
