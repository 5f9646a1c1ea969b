//! The mode of an interpretation: clients or a program with its own threads; an object or static fields as the subject.

use super::configuration::Configuration;
use java::{ClassId, FieldId};
use rustc_hash::FxHashSet;

/// The subject of an interpretation, and how it is analysed.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    /// The class of the subject.
    pub(crate) class: ClassId,
    /// Whether static fields are followed instead of an object.
    pub(crate) is_static: bool,
    /// The followed static fields.
    pub(crate) statics: FxHashSet<FieldId>,
    /// Whether the program starts its threads itself.
    pub(crate) is_program: bool,
    /// The unchanging static field that holds the subject's object; program mode.
    pub(crate) holder: Option<FieldId>,
    /// The class and its superclasses except `Object`.
    pub(crate) classes: FxHashSet<ClassId>,
    /// The classes that share private members with these.
    pub(crate) nest: FxHashSet<ClassId>,
    /// Whether elements of arrays are distinguished by symbolic indices.
    pub(crate) has_indices: bool,
    /// Whether a lock may be released while one that was acquired after it stays held.
    pub(crate) overlaps: bool,
    /// In an analysis in part, calls are left out if more methods than this are reached from the callee.
    pub(crate) max_reached: Option<usize>,
    /// In an analysis in part, whether executions end when the limit of states is reached.
    pub(crate) is_cut_short: bool,
    /// Settings of unchanging fields of the subject's object.
    pub(crate) configuration: Configuration,
}
