//! Global objects: objects reachable from static fields.
//!
//! **Definition.** An abstract object is *global* if a static field of a program class may hold it, or if a field or
//! the content of a global object may. An external object *may be global* for a class if it may represent an object
//! that code outside of the program can get, and that is global even without the objects held by instances of the
//! class: a singleton's parts belong to the singleton, as other parts belong to their owner.
//!
//! *Use.* Clients are assumed to pass each object to one object of the class only. This says nothing about objects that
//! every method of the program can find, such as the constants of an `enum`.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::shared::Globals;
use java::points_to::{Object, ObjectId, TypeId};
use java::{ClassId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// The global objects as one class sees them, and for each type whether one of them may have it; both computed on first
/// use.
#[derive(Debug, Default)]
pub(crate) struct ClassGlobals {
    globals: OnceCell<Arc<Globals>>,
    of: RefCell<FxHashMap<TypeId, bool>>,
}

impl ClassGlobals {
    /// Whether an external object may be global for a class. All calls must name the same class.
    pub(super) fn may_have(&self, heap: &Heap<'_>, class: ClassId, object: ObjectId) -> bool {
        let ObjectKind::External(of) = heap.kind_of(object) else { return false };
        let globals = self.globals.get_or_init(|| Self::found(heap, class));
        let may_be = || globals.escaping.iter().any(|global| heap.may_be_external(*global, of));
        *self.of.borrow_mut().entry(of).or_insert_with(may_be)
    }

    /// The global objects without those held by objects of the class. Linear in the objects reachable from static
    /// fields, once for each class with a global object, and once for all others.
    fn found(heap: &Heap<'_>, class: ClassId) -> Arc<Globals> {
        let all = heap.shared.globals.get_or_init(|| Arc::new(heap.find_globals(&|_| false)));
        let is_own = |one: ClassId| heap.program.is_subtype(one, class);
        match all.classes.iter().any(|one| is_own(*one)) {
            true => Arc::new(heap.find_globals(&is_own)),
            false => all.clone(),
        }
    }
}

impl Heap<'_> {
    /// Whether an external object of a type may represent a global one. If a class extends an unknown class, it counts
    /// as not of a library type unless the table says so.
    fn may_be_external(&self, global: ObjectId, of: TypeId) -> bool {
        let named = self.program.name(self.points.type_name(of));
        let is_known = |class: ClassId| named.is_some_and(|name| self.is_of(class, Type::Class(name)) == Some(true));
        match self.kind_of(global) {
            ObjectKind::Program(class) if self.points.class_of(of).is_none() => is_known(class),
            _ => self.points.may_be(global, of),
        }
    }

    /// The global objects without those held by objects of these classes.
    fn find_globals(&self, ends: &dyn Fn(ClassId) -> bool) -> Globals {
        let points = self.points;
        let mut known: FxHashSet<ObjectId> = FxHashSet::default();
        let fields = self.program.classes().flat_map(|(_, class)| class.fields());
        let held = fields.filter(|field| self.program.field(*field).flags.is_static());
        let held = held.flat_map(|field| points.static_field(field).iter());
        let mut open: Vec<ObjectId> = held.filter(|object| known.insert(*object)).collect();
        let mut found = Globals::default();
        while let Some(object) = open.pop() {
            if !matches!(points.object(object), Object::Made { .. } | Object::Lambda { .. }) {
                continue;
            }
            if let ObjectKind::Program(class) = self.kind_of(object) {
                found.classes.insert(class);
                if ends(class) {
                    continue;
                }
            }
            found.escaping.extend(points.escapes(object).then_some(object));
            for field in points.fields(object) {
                open.extend(points.field(object, field).iter().filter(|held| known.insert(*held)));
            }
        }
        found.escaping.sort_unstable();
        found
    }
}
