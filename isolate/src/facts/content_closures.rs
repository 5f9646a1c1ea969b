//! The objects that library objects hold, through any number of containers.
//!
//! **Invariant.** The list of a set and the closure of a list are functions of the set and of the heap's mode
//! ([`Heap::in_part`]), so a cached answer equals a recomputed one. Contents are sets that many objects share, and the
//! objects that a set adds do not depend on the holder. So each set is visited once, and a closure is linear in the
//! sets reached, not in the objects times their contents.

use super::heap::Heap;
use java::MethodId;
use java::ir::Variable;
use java::points_to::{Field, ObjectId, ObjectSet, SetKey};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Heap<'_> {
    /// The objects of a set that the heap's mode considers, in order.
    pub(crate) fn listed(&self, set: ObjectSet<'_>) -> Rc<[ObjectId]> {
        if let Some(known) = self.lists.lists.borrow().get(&set.key()) {
            return known.clone();
        }
        let found: Rc<[ObjectId]> = match self.is_in_part {
            true => self.points.without_covered(set).into(),
            false => set.iter().collect(),
        };
        self.lists.lists.borrow_mut().insert(set.key(), found.clone());
        found
    }

    /// The given objects and all objects reachable through contents of library objects, in order.
    pub(crate) fn library_closure(&self, objects: Vec<ObjectId>) -> Vec<ObjectId> {
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        let mut contents: FxHashSet<SetKey> = FxHashSet::default();
        let mut open = objects;
        while let Some(object) = open.pop() {
            if found.insert(object)
                && self.is_of_library(object)
                && contents.insert(self.field_key(object, Field::Content))
            {
                open.extend_from_slice(&self.listed_field(object, Field::Content));
            }
        }
        let mut found: Vec<ObjectId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The [closure](Self::library_closure) of the points-to set of a variable.
    pub(crate) fn closure_of_variable(&self, method: MethodId, variable: Variable) -> Rc<[ObjectId]> {
        let set = self.points.variable(method, variable);
        if let Some(known) = self.lists.closures.borrow().get(&set.key()) {
            return known.clone();
        }
        let found: Rc<[ObjectId]> = self.library_closure(self.listed(set).to_vec()).into();
        self.lists.closures.borrow_mut().insert(set.key(), found.clone());
        found
    }

    /// The objects in the contents of some objects, without duplicated sets.
    pub(crate) fn contents_of_all(&self, objects: impl IntoIterator<Item = ObjectId>) -> Vec<ObjectId> {
        let mut contents: FxHashSet<SetKey> = FxHashSet::default();
        let mut found = Vec::new();
        for object in objects {
            if contents.insert(self.field_key(object, Field::Content)) {
                found.extend_from_slice(&self.listed_field(object, Field::Content));
            }
        }
        found
    }
}
