//! Answers about a subject that are found once.

use super::argument_flows::Extent;
use super::cache::Cache;
use super::confinement::Confined;
use super::method::Method;
use super::origins::Origins;
use super::row_effects::{ContentEffect, RegionEffect};
use super::target::Target;
use crate::value::{RegionId, SetId, Value};
use indexmap::IndexSet;
use java::ir::{StatementId, Variable};
use java::points_to::{ObjectId, SetKey};
use java::{ClassId, FieldId, Handle, Member, MethodId, Name, Type};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Known answers about calls that pass followed objects.
#[derive(Debug, Default)]
pub(crate) struct FunctionArguments {
    /// The functions in the closures of sets.
    pub(super) of_sets: FxHashMap<SetKey, Rc<Functions>>,
    /// The functions of objects.
    pub(super) of_objects: FxHashMap<ObjectId, Option<Rc<Functions>>>,
    /// Whether contents in the closure of a set may be followed, by whether the caller is foreign.
    pub(super) followed_contents: FxHashMap<(SetKey, bool), bool>,
    /// Whether a method gets a followed object among this number of last arguments.
    pub(super) gets_followed: FxHashMap<(MethodId, usize), bool>,
    /// Whether a set has followed objects among those of a type.
    pub(super) of_types: FxHashMap<(SetKey, Type), bool>,
    /// Whether a set has followed objects.
    pub(super) followed: FxHashMap<SetKey, bool>,
    /// The lists of parameter types of functions.
    pub(super) parameters: IndexSet<Box<[Type]>, FxBuildHasher>,
}

/// Parameters of a set of functions.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// The numbers of the lists of parameter types; empty if there are no functions.
    pub(super) parameters: BTreeSet<usize>,
    /// Whether one of them may get a followed object.
    pub(super) get_followed: bool,
}

impl Functions {
    pub(super) fn add(&mut self, other: &Self) {
        self.parameters.extend(&other.parameters);
        self.get_followed |= other.get_followed;
    }
}

/// The client classes and the names of their methods with code.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientClasses {
    pub(super) classes: Vec<ClassId>,
    pub(super) names: FxHashSet<Name>,
}

/// Answers for all interpretations of the same followed objects in the same mode. **Invariant.** They depend on the
/// heap, the regions, the class, and on client or program mode, not on how far calls are entered or how locks are
/// distinguished.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Whether methods may touch a followed object, by whether the caller is foreign.
    pub(super) may_touch: RefCell<FxHashMap<(MethodId, bool), bool>>,
    pub(super) function_arguments: RefCell<FunctionArguments>,
    pub(super) confined: OnceCell<Rc<Confined>>,
    /// The objects that public methods return to clients.
    pub(super) returned: OnceCell<FxHashSet<ObjectId>>,
    /// The methods of other classes that access followed fields directly, or their callers.
    pub(super) direct_accessors: OnceCell<Rc<[MethodId]>>,
    /// Library classes that the nest asks for the state of an object.
    pub(super) asked_classes: OnceCell<BTreeSet<Box<str>>>,
    /// The methods with which calls of the subject's methods begin, if only the program calls these.
    pub(super) roots: OnceCell<Option<BTreeSet<MethodId>>>,
    /// The parts that objects of a family of classes make for themselves, by its topmost class.
    pub(super) made_parts: RefCell<FxHashMap<ClassId, Rc<FxHashSet<ObjectId>>>>,
    /// The classes whose objects hold the subject.
    pub(super) holders: OnceCell<FxHashSet<ClassId>>,
}

/// The arguments that a call stores, each with its extent.
type StoredArguments = Rc<[(Variable, Extent)]>;

/// Answers about objects that the unit has made, and about objects that others get.
#[derive(Default)]
pub(super) struct EscapeAnswers {
    /// The origins of the variables of methods.
    pub(super) origins: Cache<MethodId, Rc<Origins>>,
    /// Whether variables may hold new objects.
    pub(super) may_be_new: Cache<(MethodId, Variable), bool>,
    /// The variables that become unresolved once the object of a variable escapes.
    pub(super) escaping_aliases: Cache<(MethodId, Variable, Extent), Rc<[Variable]>>,
    /// The arguments that calls store.
    pub(super) stored_arguments: Cache<(MethodId, StatementId), StoredArguments>,
    /// Whether constructors let others have what the parameter at a position reaches.
    pub(super) leaks: Cache<(MethodId, usize), bool>,
    /// Whether methods store the parameter at a position, or its content if it has some.
    pub(super) stores_parameter: Cache<(MethodId, usize, bool), bool>,
    /// Whether an unchanging field of the subject may be assigned when others have the subject already.
    pub(super) assigned_late: Cache<FieldId, bool>,
    /// Whether methods return new objects only.
    pub(super) returns_new: Cache<MethodId, bool>,
    /// Whether methods publish an object of the subject's class.
    pub(super) publishing: Cache<MethodId, bool>,
}

/// Answers about arrays.
#[derive(Default)]
pub(super) struct ArrayAnswers {
    /// For each method, the variables that index followed arrays.
    pub(super) indices: Cache<MethodId, Rc<FxHashSet<Variable>>>,
    /// Whether arrays keep their elements.
    pub(super) keeps_elements: Cache<RegionId, bool>,
    /// The classes of the elements of tables of parts.
    pub(super) parts: Cache<RegionId, Rc<[ClassId]>>,
    /// The same for all tables of parts.
    pub(super) table_parts: OnceCell<Vec<ClassId>>,
    /// Whether each element of an array is allocated for its place.
    pub(super) fills_once: Cache<RegionId, bool>,
}

/// A method name, or none for all methods.
type MethodName = Option<Box<str>>;

/// Answers about calls.
#[derive(Default)]
pub(super) struct CallAnswers {
    /// The target selected for objects of a class.
    pub(super) selected: Cache<(ClassId, Member), Target>,
    /// The methods of a name, or all, of an abstract object that is no lambda.
    pub(super) named: Cache<(ObjectId, MethodName), Rc<[Target]>>,
    /// The effects of methods of a name on the contents of the objects of a set.
    pub(super) content_effects: Cache<(SetId, Box<str>), Rc<[ContentEffect]>>,
    /// The effects of methods of a name on objects of a region.
    pub(super) region_effects: Cache<(RegionId, Box<str>), Rc<RegionEffect>>,
    /// Whether too many methods are reached from a method, so that calls of it are left out.
    pub(super) too_far: Cache<MethodId, bool>,
}

/// Answers of one interpretation.
///
/// **Invariant.** An answer is a function of its key, of the pointer analysis, the hierarchy and the table, and of the
/// subject's mode, regions and confined objects, which never change.
#[derive(Default)]
pub(crate) struct Known {
    /// The code of methods with its analyses.
    pub(super) code: Cache<MethodId, Option<Rc<Method>>>,
    pub(super) escapes: EscapeAnswers,
    pub(super) arrays: ArrayAnswers,
    pub(super) calls: CallAnswers,
    /// The points-to sets of variables.
    pub(super) variables: Cache<(MethodId, Variable), SetId>,
    /// The cases of unresolved values.
    pub(super) options: Cache<SetId, Rc<[Value]>>,
    /// The closures of sets under contents of library objects.
    pub(super) closures: Cache<SetId, SetId>,
    /// The values that lambdas of an implementation have captured, by number.
    pub(super) captured: Cache<(Handle, u16), SetId>,
    /// Whether all objects of a set have a single key.
    pub(super) single_key: Cache<SetId, bool>,
    /// For each origin, the number of statements of a method that store a value of it under keys.
    pub(super) key_store_counts: Cache<MethodId, Rc<FxHashMap<Variable, usize>>>,
    /// Whether sets are immutable.
    pub(super) immutable: Cache<SetId, bool>,
    /// The client classes.
    pub(super) client_classes: OnceCell<ClientClasses>,
}
