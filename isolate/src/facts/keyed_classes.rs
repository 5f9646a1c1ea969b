//! Objects that may be of a keyed class: a library class with methods whose functions run in the step of a key.
//!
//! If the library itself is part of the program, an object of any type may be of thousands of classes, and most sets
//! have such an object. So the answer is computed once for classes, in time linear in the pairs of a class and a
//! supertype, and once for each points-to set.

use super::heap::Heap;
use super::objects::ObjectKind;
use java::library::Action;
use java::points_to::{ObjectId, ObjectSet, SetKey};
use java::{ClassId, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Classes and sets with keyed objects.
pub(crate) struct KeyedClasses<'h> {
    heap: &'h Heap<'h>,
    /// The keyed classes, those of their views, and all their supertypes.
    types: FxHashSet<&'h str>,
    /// The program classes that extend one of these types, or have a subclass that does.
    classes: FxHashSet<ClassId>,
    /// Known answers for points-to sets.
    sets: RefCell<FxHashMap<SetKey, bool>>,
}

impl<'h> KeyedClasses<'h> {
    pub(crate) fn new(heap: &'h Heap<'h>) -> Self {
        let types = types(heap);
        Self { heap, classes: classes(heap, &types), types, sets: RefCell::default() }
    }

    /// Whether a library class is keyed, a view of a keyed class, or a supertype of one.
    pub(crate) fn has(&self, class: &str) -> bool {
        self.types.contains(class)
    }

    /// Whether a program class, or a subclass of it, extends a keyed class. True for `Object`.
    pub(super) fn is_extended_by(&self, class: ClassId) -> bool {
        self.classes.contains(&class)
    }

    /// Whether one of these objects may be of a keyed class, or a view of such an object.
    pub(super) fn may_be_in(&self, set: ObjectSet<'_>) -> bool {
        if let Some(known) = self.sets.borrow().get(&set.key()) {
            return *known;
        }
        let found = set.iter().any(|object| self.may_be(object));
        self.sets.borrow_mut().insert(set.key(), found);
        found
    }

    fn may_be(&self, object: ObjectId) -> bool {
        let points = self.heap.points;
        match self.heap.kind_of(points.viewed(object)) {
            ObjectKind::Library(class) | ObjectKind::Value(class) | ObjectKind::View(_, class) => self.has(class),
            ObjectKind::External(of) => match points.class_of(of) {
                Some(class) => self.is_extended_by(class),
                None => self.has(points.type_name(of)),
            },
            ObjectKind::Program(class) => self.is_extended_by(class),
            ObjectKind::Array | ObjectKind::Lambda | ObjectKind::Class(_) | ObjectKind::Literal(_) => false,
        }
    }
}

fn types<'h>(heap: &'h Heap<'h>) -> FxHashSet<&'h str> {
    let library = heap.library;
    let has_keys = |class: &&str| library.rows(class).any(|(_, row)| row.traits.values_of_key.is_some());
    let mut open: Vec<&str> = library.classes().filter(has_keys).collect();
    let mut found: FxHashSet<&str> = open.iter().copied().collect();
    while let Some(class) = open.pop() {
        let of_rows = library.rows(class).flat_map(|(_, row)| row.actions).filter_map(|action| match action {
            Action::Views(view) => view.class.as_deref(),
            Action::Holds(class) => Some(&**class),
            _ => None,
        });
        open.extend(of_rows.chain(library.supertypes(class)).filter(|class| found.insert(class)));
    }
    found
}

fn classes(heap: &Heap<'_>, types: &FxHashSet<&str>) -> FxHashSet<ClassId> {
    let program = heap.program;
    let named = types.iter().filter(|name| **name != "java/lang/Object");
    let names: FxHashSet<Name> = named.filter_map(|name| program.name(name)).collect();
    // Supertypes outside of the program are known by name.
    let is_one = |class: &ClassId| {
        let class = program.class(*class);
        let above = class.superclass.iter().chain(&*class.interfaces);
        above.chain([&class.name]).any(|name| names.contains(name))
    };
    let supertypes = program.classes().map(|(class, _)| program.supertypes(class));
    supertypes.filter(|supertypes| supertypes.iter().any(is_one)).flatten().collect()
}
