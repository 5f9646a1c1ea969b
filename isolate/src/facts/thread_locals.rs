//! Objects that belong to one thread: values of `ThreadLocal`.
//!
//! **Definition.** A *thread-local* object is a `ThreadLocal`, or an object of a subclass in the program; an
//! `InheritableThreadLocal` only if its class overrides `childValue`, so that a new thread does not get the value of
//! its parent.
//!
//! **Rule** [`ThreadLocals`](crate::Rule::ThreadLocals). The objects in the content of a thread-local object belong to
//! the thread that gets them: they are followed only if another path leads to them.

use super::heap::Heap;
use super::objects::ObjectKind;
use crate::Rule;
use java::ClassId;
use java::points_to::ObjectId;

impl Heap<'_> {
    /// Whether the content of an object belongs to threads, by [`ThreadLocals`](Rule::ThreadLocals).
    pub(crate) fn is_thread_local(&self, object: ObjectId) -> bool {
        let is_one = |class: &str| self.library.is_subtype(class, "java/lang/ThreadLocal");
        let is_inherited = |class: &str| self.library.is_subtype(class, "java/lang/InheritableThreadLocal");
        self.modality.omits(Rule::ThreadLocals)
            && match self.kind_of(object) {
                ObjectKind::Library(class) => is_one(class) && !is_inherited(class),
                ObjectKind::Program(class) => self
                    .library_superclass(class)
                    .is_some_and(|above| is_one(above) && (!is_inherited(above) || self.overrides_child_value(class))),
                _ => false,
            }
    }

    fn overrides_child_value(&self, class: ClassId) -> bool {
        let program = self.program;
        let methods = program.superclasses(class).flat_map(|class| program.class(class).methods());
        { methods }.any(|method| program.text(program.method(method).name) == "childValue")
    }
}
