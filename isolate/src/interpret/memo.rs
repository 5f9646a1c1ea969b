//! What calls may run, found once for each question in one interpretation.
//!
//! **Invariant.** An answer is a function of its key, of what the pointer analysis, the hierarchy and the table say,
//! and of the subject's mode, regions and confined objects. None of these changes while a subject is interpreted:
//! classes are merged and representatives are made before ([`Regions`](super::regions::Regions)), sets and made objects
//! are interned and only get more. So an answer that is known is the one that would be found again. Whether the caller
//! is foreign is a part of the keys where lambdas are among the answers: what those have captured then belongs to
//! another object.

use super::dispatch::Target;
use super::library_calls::ContentEffect;
use super::origins::Origins;
use super::traversals::RegionEffect;
use super::universal_arguments::ClientClasses;
use crate::graph::ContextId;
use crate::value::{RegionId, SetId, Value};
use java::ir::Variable;
use java::points_to::{ObjectId, SetKey};
use java::{ClassId, FieldId, Handle, Member, MethodId};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// The name of a method, or all methods.
type MethodName = Option<Box<str>>;

/// Functions: a value, the objects of a set, which of their methods, and whether the caller is foreign.
type FunctionsKey = (Value, SetId, MethodName, bool);

/// Functions that a row runs: a value; the variable that holds it, if the pointer analysis says what it is; which of
/// their methods; whether they are in its content; and whether the caller is foreign.
type RunKey = (Value, Option<(MethodId, Variable)>, MethodName, bool, bool);

/// The answers that are known.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The method that objects of a class select.
    pub(super) selected: FxHashMap<(ClassId, Member), Target>,
    /// What a call on objects of a set may run, and whether there are too many targets.
    pub(super) targets_of_objects: FxHashMap<(SetId, Member, bool), Rc<[Target]>>,
    /// What clients' objects of a type may run.
    pub(super) targets_of_external: FxHashMap<(Box<str>, Member), Rc<[Target]>>,
    /// The methods of a name, or all, of an abstract object that is no lambda.
    pub(super) named: FxHashMap<(ObjectId, MethodName), Rc<[Target]>>,
    /// What variables may hold.
    pub(super) variables: FxHashMap<(MethodId, Variable), SetId>,
    /// The objects of sets with those in the contents of the objects of the library among them.
    pub(super) closures: FxHashMap<SetId, SetId>,
    /// The contexts that run the functions that a row runs.
    pub(super) run: FxHashMap<RunKey, Rc<[ContextId]>>,
    /// Whether there are open references among what a set leads to in the library.
    pub(super) open_references: FxHashMap<SetId, bool>,
    /// The contexts that run functions.
    pub(super) contexts: FxHashMap<FunctionsKey, Rc<[ContextId]>>,
    /// Inner objects: of objects that hold them, with others, and whether the caller is foreign.
    pub(super) inner: FxHashMap<(SetId, SetId, bool), SetId>,
    /// What a method of a name does to the contents of the objects of a set.
    pub(super) content_effects: FxHashMap<(SetId, Box<str>), Rc<[ContentEffect]>>,
    /// What methods of a name do to objects of a region.
    pub(super) region_effects: FxHashMap<(RegionId, Box<str>), Rc<RegionEffect>>,
    /// The contexts of a method of which the first arguments are known.
    pub(super) with_unknown: FxHashMap<(MethodId, Vec<Value>), Rc<[ContextId]>>,
    /// Where the variables of methods come from.
    pub(super) origins: FxHashMap<MethodId, Rc<Origins>>,
    /// The variables that are undecided once one is given away.
    pub(super) escaping_aliases: FxHashMap<(MethodId, Variable), Rc<[Variable]>>,
    /// Which unchanging fields of the subject are assigned when others may have it already.
    pub(super) assigned_late: FxHashMap<FieldId, bool>,
    /// Whether all objects of a set stand under one key all their life.
    pub(super) single_key: FxHashMap<SetId, bool>,
    /// How many statements of a method store a value of an origin under keys.
    pub(super) key_store_counts: FxHashMap<MethodId, Rc<FxHashMap<Variable, usize>>>,
    /// Whether objects of given classes that extend one of the library are in sets, or in contents from there.
    pub(super) extends_library: FxHashMap<SetKey, bool>,
    /// Whether sets are immutable.
    pub(super) immutable: FxHashMap<SetId, bool>,
    /// What lambdas that run a method have captured at a place.
    pub(super) captured: FxHashMap<(Handle, u16), SetId>,
    /// Which variables may hold new objects.
    pub(super) may_be_new: FxHashMap<(MethodId, Variable), bool>,
    /// The classes that clients know.
    pub(super) client_classes: OnceCell<ClientClasses>,
}
