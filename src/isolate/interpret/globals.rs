//! Objects that all of the program shares: what static fields lead to.
//!
//! **Definition.** An abstract object is *global* if a static field of a given class may hold it, or a field or the
//! content of a global object may. An external object *may be global* if it may stand for a global one: one that code
//! which is not given can get, of its type.
//!
//! *Use.* What clients give to one object of a class they are assumed to give to no other. That says nothing of objects
//! which the program itself has where every method finds them, such as the constants of an `enum`.

use super::heap::Heap;
use super::objects::What;
use java::points_to::{Object, ObjectId};
use rustc_hash::FxHashSet;

impl Heap<'_> {
    /// Whether an object is an external one that may be global. Linear in the global objects, once for each type.
    pub(super) fn may_be_global(&self, object: ObjectId) -> bool {
        let What::External(of) = self.what(object) else { return false };
        let may_be = || self.globals().iter().any(|global| self.points.may_be(*global, of));
        self.shared.has_global.get_or_find(of, || vec![may_be()]).first().copied().unwrap_or(true)
    }

    /// The global objects that code which is not given can get.
    fn globals(&self) -> &[ObjectId] {
        self.shared.globals.get_or_init(|| {
            let points = self.points;
            let mut known: FxHashSet<ObjectId> = FxHashSet::default();
            let fields = self.program.classes().flat_map(|(_, class)| class.fields());
            let held = fields.filter(|field| self.program.field(*field).flags.is_static());
            let mut open: Vec<ObjectId> = held
                .flat_map(|field| points.static_field(field).iter())
                .filter(|object| known.insert(*object))
                .collect();
            let mut found = Vec::new();
            while let Some(object) = open.pop() {
                let is_own = matches!(points.object(object), Object::Made { .. } | Object::Lambda { .. });
                if !is_own {
                    continue;
                }
                found.extend(points.escapes(object).then_some(object));
                for field in points.fields(object) {
                    open.extend(points.field(object, field).iter().filter(|held| known.insert(*held)));
                }
            }
            found.sort_unstable();
            found.into()
        })
    }
}
