//! Masks of types: the data of [`type_filter`](super::type_filter).
//!
//! **Invariant.** The mask of a type has exactly those of the first [`Mask::objects`] objects that pass its filter. It
//! is extended on demand, by all new objects at once: most types are used rarely, and most objects are found one by
//! one.

use super::sets::SetId;
use super::types::TypeId;
use rustc_hash::FxHashMap;

/// The objects that pass the filter of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mask {
    /// Objects that pass.
    pub(super) passes: SetId,
    /// Objects for which the external object of the filter's type passes.
    pub(super) narrows: SetId,
    /// Number of objects that were examined.
    pub(super) objects: usize,
}

/// The result of a filter for an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterResult {
    Passes,
    Narrows,
    Fails,
}

/// A type and a precision; all objects of a group have the same results in all filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Group {
    pub(super) of: TypeId,
    pub(super) precision: Precision,
}

/// How precisely a type describes the class of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Precision {
    /// The class is exactly the type.
    Exact,
    /// The class is a library class and a subtype.
    Bound,
    /// The class implements the type, and possibly interfaces without methods.
    Lambda,
    /// The class is any subtype.
    External,
}

/// The number of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GroupId(pub(super) u32);

/// The masks of all types that were used.
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
    /// Objects that an external object of their type may cover.
    pub(super) coverable: SetId,
    /// Objects that stay distinct from external ones even if they escape.
    pub(super) distinct: SetId,
    /// For sets of external objects, the objects that they may cover, computed when there were this many objects.
    pub(super) covered: FxHashMap<SetId, (usize, SetId)>,
}

impl Masks {
    /// All sets of the masks and groups.
    pub(super) fn sets(&self) -> impl Iterator<Item = SetId> {
        let masks = self.by_type.values().flat_map(|mask| [mask.passes, mask.narrows]);
        masks.chain(self.groups.iter().map(|(_, set)| *set)).chain([self.externals, self.coverable, self.distinct])
    }

    /// Drops the cached sets, which are not among [`Self::sets`].
    pub(super) fn forget(&mut self) {
        self.covered.clear();
    }
}
