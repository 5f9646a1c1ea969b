//! Memoized queries of one interpretation.
//!
//! **Invariant.** An answer is a function of its key, of the pointer analysis, the hierarchy and the table, and of the
//! subject's mode, regions and confined objects. None of these changes while a subject is interpreted: classes are
//! merged and representatives are made before ([`Regions`](crate::facts::regions::Regions)); sets and made objects are
//! interned and never removed. So a known answer equals a recomputed one. Keys include whether the caller is foreign if
//! lambdas are among the answers: their captured values then belong to another object.

use crate::facts::target::Target;
use crate::graph::ContextId;
use crate::value::{SetId, Value};
use java::ir::Variable;
use java::points_to::SetKey;
use java::{Member, MethodId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A method name, or none for all methods.
type MethodName = Option<Box<str>>;

/// A query for the contexts of functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FunctionsKey {
    pub(crate) value: Value,
    pub(crate) objects: SetId,
    pub(crate) method: MethodName,
    /// Whether the caller is foreign.
    pub(crate) is_foreign: bool,
}

/// A query for the contexts of functions that a row runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RunKey {
    pub(crate) value: Value,
    /// The variable that holds the value, if the pointer analysis gives its objects.
    pub(crate) variable: Option<(MethodId, Variable)>,
    pub(crate) method: MethodName,
    /// Whether the functions are in the content of the value.
    pub(crate) in_content: bool,
    /// Whether the caller is foreign.
    pub(crate) is_foreign: bool,
}

/// The known answers.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The targets of a call on objects of a set, by whether the caller is foreign.
    pub(crate) targets_of_objects: FxHashMap<(SetId, Member, bool), Rc<[Target]>>,
    /// The targets of a call on clients' objects of a type.
    pub(crate) targets_of_external: FxHashMap<(Box<str>, Member), Rc<[Target]>>,
    /// The contexts of functions that rows run.
    pub(crate) run: FxHashMap<RunKey, Rc<[ContextId]>>,
    /// Whether the closure of a set has open method references.
    pub(crate) open_references: FxHashMap<SetId, bool>,
    /// The contexts of functions.
    pub(crate) contexts: FxHashMap<FunctionsKey, Rc<[ContextId]>>,
    /// Inner objects of holders and held objects, by whether the caller is foreign.
    pub(crate) inner: FxHashMap<(SetId, SetId, bool), SetId>,
    /// The contexts of a method with known first arguments.
    pub(crate) with_unknown: FxHashMap<(MethodId, Vec<Value>), Rc<[ContextId]>>,
    /// Whether the closure of a set has program objects whose class extends a library class.
    pub(crate) extends_library: FxHashMap<SetKey, bool>,
}
