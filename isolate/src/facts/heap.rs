//! The pointer analysis, the class hierarchy and the library table, as the interpreter queries them.

use super::shared::Shared;
use super::stored::Stored;
use crate::{Entering, Modality, Rule};
use java::ir::{Bodies, Body, Loops, Operation, Variable};
use java::library::{Library, Row};
use java::points_to::{Field, Mode, ObjectId, PointsTo, SetKey, Store};
use java::{ClassId, FieldId, Member, MethodId, Name, Program, Type};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Universal types: any object may be of such a type. An object known only by such a type is not considered a followed
/// one.
const UNIVERSAL: [&str; 24] = [
    "java/io/Closeable",
    "java/io/Flushable",
    "java/io/Serializable",
    "java/lang/AutoCloseable",
    "java/lang/CharSequence",
    "java/lang/Cloneable",
    "java/lang/Comparable",
    "java/lang/Iterable",
    "java/lang/Object",
    "java/lang/Runnable",
    "java/lang/Thread$UncaughtExceptionHandler",
    "java/lang/reflect/InvocationHandler",
    "java/util/Collection",
    "java/util/Comparator",
    "java/util/Enumeration",
    "java/util/EventListener",
    "java/util/Iterator",
    "java/util/concurrent/Callable",
    "java/util/concurrent/Executor",
    "java/util/concurrent/ThreadFactory",
    "java/util/function/Consumer",
    "java/util/function/Function",
    "java/util/function/Predicate",
    "java/util/function/Supplier",
];

/// Cached lists and closures of sets.
#[derive(Debug, Default)]
pub(crate) struct SetLists {
    pub(super) lists: RefCell<FxHashMap<SetKey, Rc<[ObjectId]>>>,
    pub(super) closures: RefCell<FxHashMap<SetKey, Rc<[ObjectId]>>>,
}

/// The program facts that the interpreter uses.
#[derive(Clone)]
pub(crate) struct Heap<'p> {
    pub(crate) program: &'p Program,
    pub(crate) points: &'p PointsTo<'p>,
    pub(crate) library: &'p Library,
    pub(crate) bodies: &'p Bodies<'p>,
    pub(super) constructions: Rc<RefCell<FxHashMap<FieldId, Rc<Stored>>>>,
    /// The fields that own objects, as far as queried.
    pub(super) owners: Rc<RefCell<FxHashMap<ObjectId, Option<FieldId>>>>,
    /// Cached lists of sets.
    pub(super) lists: Rc<SetLists>,
    /// Facts that do not depend on the subject.
    pub(crate) shared: &'p Shared,
    pub(crate) is_in_part: bool,
    /// The selection of calls that are entered.
    pub(crate) entering: Entering,
    /// The set of steps in the model.
    pub(crate) modality: Modality,
}

impl<'p> Heap<'p> {
    pub(crate) fn new(
        program: &'p Program,
        points: &'p PointsTo<'p>,
        library: &'p Library,
        bodies: &'p Bodies<'p>,
        shared: &'p Shared,
    ) -> Self {
        Self {
            program,
            points,
            library,
            bodies,
            constructions: Rc::default(),
            owners: Rc::default(),
            lists: Rc::default(),
            shared,
            is_in_part: false,
            entering: Entering::default(),
            modality: Modality::default(),
        }
    }

    /// A method's code; none if it is missing or damaged.
    pub(crate) fn body(&self, method: MethodId) -> Option<Arc<Body>> {
        self.bodies.get(method, &|| false).ok().flatten()
    }

    /// Selects which calls are entered.
    pub(crate) fn entering(self, entering: Entering) -> Self {
        Self { entering, ..self }
    }

    /// Selects the steps in the model.
    pub(crate) fn with_modality(self, modality: Modality) -> Self {
        Self { modality, ..self }
    }

    /// Switches to a partial analysis, on which no proof depends. If clients may have stored an object somewhere, it
    /// assumes that they did. Of the other objects it follows only those that clients cannot get.
    pub(crate) fn in_part(self) -> Self {
        Self { is_in_part: true, lists: Rc::default(), ..self }
    }

    /// The points-to set of a variable.
    pub(crate) fn variable(&self, method: MethodId, variable: Variable) -> Vec<ObjectId> {
        self.listed(self.points.variable(method, variable)).to_vec()
    }

    /// The points-to set of an object's field.
    pub(crate) fn field(&self, object: ObjectId, field: Field) -> Vec<ObjectId> {
        self.listed_field(object, field).to_vec()
    }

    /// The same, without a copy.
    pub(super) fn listed_field(&self, object: ObjectId, field: Field) -> Rc<[ObjectId]> {
        self.listed(self.points.field(object, field))
    }

    /// The key of the points-to set of an object's field. Equal keys have equal lists.
    pub(super) fn field_key(&self, object: ObjectId, field: Field) -> SetKey {
        self.points.field(object, field).key()
    }

    /// The points-to set of a static field.
    pub(crate) fn static_field(&self, field: FieldId) -> Vec<ObjectId> {
        self.listed(self.points.static_field(field)).to_vec()
    }

    /// Whether a field has one value from the end of the constructor or initializer on.
    pub(crate) fn is_unchanging(&self, field: FieldId) -> bool {
        self.points.assigned_once(field) || self.is_assigned_by_main(field) || self.is_assigned_by_class_only(field)
    }

    /// Whether only the constructors of its class assign a protected field, by
    /// [`ProtectedMethods`](Rule::ProtectedMethods).
    fn is_assigned_by_class_only(&self, field: FieldId) -> bool {
        let declared = self.program.field(field);
        self.modality.omits(Rule::ProtectedMethods)
            && declared.flags.is_protected()
            && !declared.flags.is_static()
            && !self.is_made_to_be_extended(declared.class)
            && !self.points.is_written(field)
    }

    /// Whether a class is made to be extended: it is abstract, or extended in the input.
    pub(crate) fn is_made_to_be_extended(&self, class: ClassId) -> bool {
        self.program.class(class).flags.is_abstract() || self.program.subtypes(class).len() > 1
    }

    /// Whether a static field is assigned by exactly one statement of `main` that runs once, so that it has one value
    /// from then on.
    fn is_assigned_by_main(&self, field: FieldId) -> bool {
        let (Mode::Main(main), [store]) = (self.points.mode(), self.points.stores(field)) else { return false };
        let is_once = |body: Arc<Body>| {
            let loops = Loops::new(&body, &|| false);
            loops.is_ok_and(|loops| loops.innermost(store.statement.block).is_none())
        };
        self.program.field(field).flags.is_static()
            && store.method == main
            && self.points.callers(main).is_empty()
            && self.body(main).is_some_and(is_once)
    }

    /// The field that a member resolves to, if it is unchanging.
    pub(super) fn unchanging_member(&self, member: Member) -> Option<FieldId> {
        self.program.resolve_field(member).found().filter(|field| self.is_unchanging(*field))
    }

    /// Whether objects of a class may be copied by `Object.clone`: the copy holds the same objects.
    pub(crate) fn is_copied(&self, class: ClassId) -> bool {
        let program = self.program;
        let is_cloneable = |name: &Name| {
            let name = program.text(*name);
            name == "java/lang/Cloneable" || self.library.supertypes(name).any(|of| of == "java/lang/Cloneable")
        };
        let supertypes = |class: ClassId| {
            let of = program.class(class);
            of.superclass.iter().chain(&of.interfaces).any(is_cloneable)
        };
        program.subtypes(class).into_iter().flat_map(|class| program.supertypes(class)).any(supertypes)
    }

    /// The constructors or initializers that assign a field, with the assigned variables.
    pub(super) fn assignments(&self, field: FieldId) -> Vec<(MethodId, Variable)> {
        let stores = self.points.stores(field).iter();
        stores
            .filter_map(|Store { method, statement, .. }| {
                let body = self.body(*method)?;
                match &body.statement(*statement).operation {
                    Operation::PutField { value, .. } | Operation::PutStatic(_, value) => Some((*method, *value)),
                    _ => None,
                }
            })
            .collect()
    }

    /// The library row of a member.
    pub(crate) fn row_of_member(&self, member: Member) -> Option<Row<'p>> {
        self.row(self.program.text(member.class), member)
    }

    /// The library row of a member for an object of a class.
    pub(crate) fn row(&self, class: &str, member: Member) -> Option<Row<'p>> {
        let [name, descriptor] = [member.name, member.descriptor].map(|name| self.program.text(name));
        self.library.find(class, name, descriptor)
    }

    /// The library class that a program class extends, perhaps indirectly; none if that is `Object`.
    pub(crate) fn library_superclass(&self, class: ClassId) -> Option<&'p str> {
        let topmost = self.program.superclasses(class).last()?;
        let above = self.program.class(topmost).superclass.filter(|name| self.program.named(*name).is_none())?;
        Some(self.program.text(above)).filter(|name| *name != "java/lang/Object")
    }

    /// The topmost program superclass of a class other than `Object`.
    pub(crate) fn root(&self, class: ClassId) -> ClassId {
        let is_root = |class: &ClassId| self.program.text(self.program.class(*class).name) == "java/lang/Object";
        self.program.superclasses(class).filter(|class| !is_root(class)).last().unwrap_or(class)
    }

    /// Whether a type is universal, by its name.
    pub(crate) fn is_universal_text(&self, text: &str) -> bool {
        UNIVERSAL.binary_search(&text).is_ok()
    }

    /// Whether an object of exactly this class is of a type, if known.
    pub(crate) fn is_of(&self, class: ClassId, of: Type) -> Option<bool> {
        let Type::Class(name) = of else { return Some(false) };
        if self.program.text(name) == "java/lang/Object" || self.program.extends(class, name) {
            return Some(true);
        }
        let of_library = self.program.supertypes(class).into_iter().any(|class| {
            let class = self.program.class(class);
            let outside =
                class.superclass.iter().chain(&class.interfaces).filter(|name| self.program.named(**name).is_none());
            outside.copied().any(|outside| {
                let [outside, name] = [outside, name].map(|name| self.program.text(name));
                self.library.is_subtype(outside, name)
            })
        });
        match of_library {
            true => Some(true),
            false if self.program.is_complete(class) || self.program.named(name).is_some() => Some(false),
            false => {
                let is_known = |outside: Name| self.library.has_class(self.program.text(outside));
                let missing = self.program.missing_supertype(class);
                missing.is_none_or(is_known).then_some(false)
            }
        }
    }

    /// The name of the method that runs objects of a class as tasks.
    pub(super) fn task_method(&self, class: ClassId) -> Option<&'p str> {
        self.program.supertypes(class).into_iter().find_map(|class| {
            let class = self.program.class(class);
            let mut outside =
                class.superclass.iter().chain(&class.interfaces).filter(|name| self.program.named(**name).is_none());
            outside.find_map(|name| self.library.function(self.program.text(*name)))
        })
    }

    /// Whether a parameter of a type may get an object of exactly this class.
    pub(crate) fn is_argument_type(&self, class: ClassId, of: Type) -> bool {
        matches!(of, Type::Class(_)) && self.is_of(class, of) == Some(true)
    }

    /// Whether an argument of a type may hold others: an array, a collection, a supplier.
    pub(crate) fn may_hold_arguments(&self, of: Type) -> bool {
        match of {
            Type::Class(name) => self.program.named(name).is_none() && self.library.has_class(self.program.text(name)),
            of => of.is_reference(),
        }
    }

    /// The unchanging instance fields of reference type of a class.
    pub(super) fn unchanging_fields(&self, class: ClassId) -> Vec<FieldId> {
        let fields = self.program.superclasses(class).flat_map(|class| self.program.class(class).fields());
        let is_one = |field: &FieldId| {
            let declared = self.program.field(*field);
            let holds = self.program.field_type(declared.descriptor).is_some_and(Type::is_reference);
            holds && !declared.flags.is_static() && self.is_unchanging(*field)
        };
        fields.filter(is_one).collect()
    }

    /// Extends a path by a field.
    pub(super) fn field_name(&self, path: &str, field: Field) -> String {
        match field {
            Field::Declared(field) => {
                let name = self.program.text(self.program.field(field).name);
                if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
            }
            Field::Content => format!("{path}[]"),
            Field::Captured(number) => format!("{path}.captured{number}"),
        }
    }
}
