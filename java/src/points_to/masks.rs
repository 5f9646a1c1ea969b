//! Which objects can be of a type: how sets are filtered as they flow.
//!
//! A variable of a type holds objects of this type only: the virtual machine verifies it for classes and arrays,
//! compilers see to it for interfaces. An external object of a type that is neither a subtype of the variable's nor
//! unrelated to it may be of both types: then the external object of the variable's type stands for it.
//!
//! An external object stands for all objects of its type that have escaped, and these are left out where it is
//! (`State::uncovered`), but for objects of the library and arrays.
//!
//! **Invariant.** The mask of a type has exactly those of the first [`Mask::objects`] objects that pass. It is extended
//! when it is asked for, by all objects that are new since then at once: most types are asked for rarely, and most
//! objects are found one by one.

use super::sets::SetId;
use super::types::TypeId;
use rustc_hash::FxHashMap;

/// What passes a filter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mask {
    /// These objects pass.
    pub(super) passes: SetId,
    /// Of these, what passes is external of the filter's type.
    pub(super) narrows: SetId,
    /// How many objects were looked at.
    pub(super) objects: usize,
}

/// How an object meets a filter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterResult {
    Passes,
    Narrows,
    Fails,
}

/// What objects that meet all filters alike have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Group {
    pub(super) of: TypeId,
    pub(super) precision: Precision,
}

/// What is known of the class of objects, beside a type that they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Precision {
    /// It is exactly this one.
    Exact,
    /// It is a class of the library.
    Bound,
    /// It may have interfaces without methods in addition.
    Lambda,
    /// It may be any subclass.
    External,
}

/// The number of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GroupId(pub(super) u32);

/// The masks of all types that were asked for.
#[derive(Default)]
pub(super) struct Masks {
    pub(super) by_type: FxHashMap<TypeId, Mask>,
    /// All groups, each with its objects.
    pub(super) groups: Vec<(Group, SetId)>,
    pub(super) group_ids: FxHashMap<Group, GroupId>,
    /// The group of each object.
    pub(super) group_of: Vec<GroupId>,
    /// All external objects.
    pub(super) externals: SetId,
    /// Objects for which an external object of their type may stand.
    pub(super) coverable: SetId,
    /// Objects that are told apart from external ones though they escape.
    pub(super) distinct: SetId,
    /// For sets of external objects, what these may stand for, as far as it was known when there were so many objects.
    pub(super) covered: FxHashMap<SetId, (usize, SetId)>,
}

impl Masks {
    /// All sets that are kept here.
    pub(super) fn sets(&self) -> impl Iterator<Item = SetId> {
        let masks = self.by_type.values().flat_map(|mask| [mask.passes, mask.narrows]);
        masks.chain(self.groups.iter().map(|(_, set)| *set)).chain([self.externals, self.coverable, self.distinct])
    }

    /// Forgets sets that are not among those that are [kept](Self::sets).
    pub(super) fn forget(&mut self) {
        self.covered.clear();
    }
}
