//! Filters of sets by types, and cover by external objects.
//!
//! A variable of a type holds objects of this type only: the virtual machine verifies it for classes and arrays, and
//! compilers ensure it for interfaces. An external object may be of the variable's type even if its own type is no
//! subtype of that; then the external object of the variable's type stands for it.
//!
//! An external object stands for all objects of its type that have escaped: it *covers* them. Covered objects are left
//! out of sets that have the external object ([`State::uncovered`]), except for objects of the library and arrays.

use super::masks::{FilterResult, Group, GroupId, Mask, Precision};
use super::objects::{Exactness, Object, ObjectId};
use super::sets::SetId;
use super::state::State;
use super::types::{Relation, TypeId};
use rustc_hash::FxHashMap;

impl State<'_> {
    /// Returns the part of a set that can be of a type.
    pub(super) fn filter(&mut self, set: SetId, of: TypeId) -> SetId {
        if of == TypeId::OBJECT || set.is_empty() {
            return set;
        }
        self.sort_new_objects();
        let mask = self.mask(of);
        let passes = self.sets.intersection(set, mask.passes);
        if passes == set || !self.sets.intersects(set, mask.narrows) {
            return passes;
        }
        let external = self.external(of);
        self.sets.with(passes, external.0)
    }

    /// Returns a set without the objects that external objects of the set `before`, or of the set itself, cover.
    ///
    /// Nothing is lost: a node that has an external object has all objects that it covers.
    pub(super) fn uncovered(&mut self, set: SetId, before: SetId) -> SetId {
        self.sort_new_objects();
        let rest = self.without_covered(set, before);
        let own = self.sets.intersection(rest, self.masks.externals);
        if own.is_empty() || own == rest {
            return rest;
        }
        let others = self.without_covered(rest, own);
        self.sets.union(others, own)
    }

    /// Returns the part of a set without the objects that external objects of the whole set cover.
    pub(super) fn uncovered_part(&mut self, part: SetId, whole: SetId) -> SetId {
        let rest = self.without_covered(part, whole);
        let own = self.sets.intersection(part, self.masks.externals);
        self.sets.union(rest, own)
    }

    /// Returns a set without the objects that external objects of the set `by` cover.
    fn without_covered(&mut self, set: SetId, by: SetId) -> SetId {
        let externals = self.sets.intersection(by, self.masks.externals);
        if externals.is_empty() || set.is_empty() {
            return set;
        }
        let covered = self.covered(externals);
        self.sets.difference(set, covered)
    }

    /// Returns the objects that at least one of the external objects covers.
    fn covered(&mut self, externals: SetId) -> SetId {
        let objects = self.masks.group_of.len();
        let outside = self.masks.coverable;
        let all = self.external(TypeId::OBJECT);
        if self.sets.contains(externals, all.0) {
            return outside;
        }
        if let Some((known, covered)) = self.masks.covered.get(&externals)
            && known + known / 8 >= objects
        {
            return self.sets.intersection(*covered, outside);
        }
        let mut covered = SetId::EMPTY;
        for external in self.objects_in(externals) {
            let mask = self.mask(self.objects.type_of(external));
            covered = self.sets.union(covered, mask.passes);
        }
        self.masks.covered.insert(externals, (objects, covered));
        self.sets.intersection(covered, outside)
    }

    /// Returns the mask of a type, for all objects that are in groups.
    fn mask(&mut self, of: TypeId) -> Mask {
        let known = self.masks.by_type.get(&of).copied();
        let objects = self.masks.group_of.len();
        if let Some(known) = known
            && known.objects == objects
        {
            return known;
        }
        let mask = match known {
            Some(known) => self.with_new_objects(known, of),
            None => self.of_groups(of),
        };
        self.masks.by_type.insert(of, mask);
        mask
    }

    /// Computes the mask of a type from the groups. Linear in the groups and their objects.
    fn of_groups(&mut self, of: TypeId) -> Mask {
        let mut mask = Mask { objects: self.masks.group_of.len(), ..Mask::default() };
        for index in 0..self.masks.groups.len() {
            let (group, set) = self.masks.groups[index];
            match self.filter_result(group, of) {
                FilterResult::Passes => mask.passes = self.sets.union(mask.passes, set),
                FilterResult::Narrows => mask.narrows = self.sets.union(mask.narrows, set),
                FilterResult::Fails => {}
            }
        }
        mask
    }

    /// Returns a mask extended by the objects that are new since its last extension. Linear in their number.
    fn with_new_objects(&mut self, mask: Mask, of: TypeId) -> Mask {
        let objects = self.masks.group_of.len();
        let mut met: FxHashMap<GroupId, FilterResult> = FxHashMap::default();
        let [mut passes, mut narrows] = [const { Vec::new() }; 2];
        for object in mask.objects..objects {
            let group = self.masks.group_of[object];
            let result =
                *met.entry(group).or_insert_with(|| self.filter_result(self.masks.groups[group.0 as usize].0, of));
            match result {
                FilterResult::Passes => passes.push(object as u32),
                FilterResult::Narrows => narrows.push(object as u32),
                FilterResult::Fails => {}
            }
        }
        let [passes, narrows] = [(mask.passes, passes), (mask.narrows, narrows)].map(|(known, new)| {
            let new = self.sets.of(new);
            self.sets.union(known, new)
        });
        Mask { passes, narrows, objects }
    }

    /// Puts objects that are new into their groups.
    fn sort_new_objects(&mut self) {
        for index in self.masks.group_of.len()..self.objects.len() {
            let id = ObjectId(index as u32);
            let group = Group { of: self.objects.type_of(id), precision: self.precision(id) };
            if group.precision == Precision::External {
                self.masks.externals = self.sets.with(self.masks.externals, id.0);
            }
            if self.is_interchangeable(id) {
                self.masks.coverable = self.sets.with(self.masks.coverable, id.0);
            }
            if self.stays_distinct(id) {
                self.masks.distinct = self.sets.with(self.masks.distinct, id.0);
            }
            let masks = &mut self.masks;
            let group_id = *masks.group_ids.entry(group).or_insert_with(|| {
                masks.groups.push((group, SetId::EMPTY));
                GroupId(masks.groups.len() as u32 - 1)
            });
            masks.group_of.push(group_id);
            let (_, known) = &mut masks.groups[group_id.0 as usize];
            *known = self.sets.with(*known, id.0);
        }
    }

    /// Whether all masks satisfy their definition; checks each object. Linear in masks times objects.
    pub(super) fn are_masks_exact(&mut self) -> bool {
        self.sort_new_objects();
        let types: Vec<TypeId> = self.masks.by_type.keys().copied().collect();
        types.into_iter().all(|of| {
            let mask = self.mask(of);
            (0..self.objects.len()).all(|index| {
                let id = ObjectId(index as u32);
                let result =
                    self.filter_result(Group { of: self.objects.type_of(id), precision: self.precision(id) }, of);
                let is_in = |set| self.sets.contains(set, id.0);
                is_in(mask.passes) == (result == FilterResult::Passes)
                    && is_in(mask.narrows) == (result == FilterResult::Narrows)
            })
        })
    }

    /// Whether external code can have the object from the start, and objects of its type are interchangeable.
    fn is_interchangeable(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Value(_) | Object::Literal(_) | Object::Class(_) | Object::External(_) => true,
            Object::Made { .. } | Object::Lambda { .. } | Object::Handle { .. } | Object::View { .. } => false,
        }
    }

    /// Whether an object stays distinct from external ones of its type even if it has escaped: it is of the library, an
    /// array, or a view of such an object. Its content is state of the program, and clients that get it are assumed not
    /// to pass it back where the program expects another object.
    fn stays_distinct(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Made { of, .. } | Object::View { of, .. } => self.types.class(*of).is_none(),
            Object::Lambda { .. } | Object::Handle { .. } => false,
            Object::Value(_) | Object::Literal(_) | Object::Class(_) | Object::External(_) => false,
        }
    }

    /// Returns the objects of an escaping set that an external object may cover.
    pub(super) fn coverable_part(&mut self, set: SetId) -> SetId {
        self.sort_new_objects();
        self.sets.difference(set, self.masks.distinct)
    }

    fn filter_result(&self, group: Group, of: TypeId) -> FilterResult {
        let relation = self.types.relation(group.of, of);
        let passes_if = |passes| if passes { FilterResult::Passes } else { FilterResult::Fails };
        match group.precision {
            _ if relation == Relation::Yes => FilterResult::Passes,
            // A proxy implements the interfaces that its creation names.
            Precision::Exact | Precision::Bound if self.is_proxy(group.of) => passes_if(self.is_interface(of)),
            Precision::Exact => passes_if(relation == Relation::Maybe),
            Precision::Lambda => passes_if(relation == Relation::Maybe || self.may_be_added(of)),
            // No library class extends a program class.
            Precision::Bound if !self.types.is_library(of) && self.types.is_library(group.of) => FilterResult::Fails,
            // A library object that is used as a value is one.
            Precision::Bound if self.is_value_class(of) && self.types.relation(of, group.of) != Relation::No => {
                FilterResult::Narrows
            }
            Precision::Bound => passes_if(self.types.are_in_line(group.of, of)),
            Precision::External if self.types.is_compatible(group.of, of) => FilterResult::Narrows,
            Precision::External => FilterResult::Fails,
        }
    }

    fn is_proxy(&self, of: TypeId) -> bool {
        self.types.text(of) == "java/lang/reflect/Proxy"
    }

    fn is_interface(&self, of: TypeId) -> bool {
        match self.types.class(of) {
            Some(class) => self.program.class(class).flags.is_interface(),
            None => self.library.is_interface(self.types.text(of)),
        }
    }

    /// Whether an object may be of a type.
    pub(super) fn may_be(&self, object: ObjectId, of: TypeId) -> bool {
        self.filter_result(Group { of: self.objects.type_of(object), precision: self.precision(object) }, of)
            != FilterResult::Fails
    }

    /// Whether a lambda may implement a type in addition to its own interface: an interface without abstract methods.
    fn may_be_added(&self, of: TypeId) -> bool {
        match self.types.class(of) {
            Some(class) => {
                let class = self.program.class(class);
                class.flags.is_interface() && class.methods().all(|method| self.program.method(method).has_code())
            }
            None => !self.types.is_array(of) && self.library.function(self.types.text(of)).is_none(),
        }
    }

    fn precision(&self, id: ObjectId) -> Precision {
        match self.objects.get(id) {
            Object::Made { exactness: Exactness::Exact, .. } | Object::Literal(_) | Object::Class(_) => {
                Precision::Exact
            }
            Object::Made { exactness: Exactness::Bound, .. } | Object::View { .. } | Object::Handle { .. } => {
                Precision::Bound
            }
            Object::Value(of) if self.is_value_class(*of) => Precision::Exact,
            Object::Value(_) => Precision::Bound,
            Object::Lambda { .. } => Precision::Lambda,
            Object::External(_) => Precision::External,
        }
    }
}
