//! What code that is not given calls, and what becomes of objects that it gets.
//!
//! **Invariant.** An object that has escaped can be everywhere where an external object of one of its types is.
//! Therefore
//! - its fields are those of all external objects ([`heap`](super::heap)), and what clients can read of them escapes,
//! - its content escapes, and holds external objects,
//! - its methods that can be called from outside are roots: they have run with external arguments, and their results
//!   escape,
//! - what an external call can select includes its class ([`external`](super::external)).
//!
//! So nothing has to flow to the external objects that variables hold, but for objects of the library, arrays and views
//! of such: of them an external object says nothing, since code of the program does not run in them, and what they hold
//! is state of those who have made them. They flow wherever the program puts them ([`masks`](super::masks)); clients
//! are assumed not to give one that they have got to others.

use crate::class_file::{ClassId, MethodId};
use crate::points_to::constraints::{Field, NodeId};
use crate::points_to::mode::Mode;
use crate::points_to::objects::{Object, ObjectId};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;

impl State<'_> {
    /// Everything that is called from the start.
    pub(in crate::points_to) fn add_roots(&mut self) {
        // What is thrown can leave every method, and everybody throws.
        let throwable = self.types.of_text("java/lang/Throwable");
        let external = self.external(throwable);
        self.add(external, self.thrown);
        self.escape(self.thrown);
        for (method, _) in self.program.methods() {
            if self.mode.is_root(self.program, method) {
                self.add_root(method, true);
            }
        }
    }

    /// Code that is not given calls a method; with any receiver, or with those that flow there otherwise.
    pub(super) fn add_root(&mut self, method: MethodId, with_receiver: bool) {
        let declared = self.program.method(method);
        let is_static = declared.flags.is_static();
        self.reach(method);
        let nodes = self.signature(method);
        let (parameters, result) = (nodes.parameters.clone(), nodes.result);
        let skipped = usize::from(!is_static && !with_receiver);
        for parameter in parameters.iter().skip(skipped).flatten() {
            let of = self.graph.type_of(self.graph.representative(*parameter));
            let external = self.external(of);
            self.add(external, *parameter);
        }
        if let Some(result) = result {
            self.escape(result);
        }
    }

    /// Objects were found to escape.
    pub(super) fn apply_escapes(&mut self, objects: SetId) {
        for object in self.objects_in(objects) {
            match *self.objects.get(object) {
                Object::Made { .. } => self.expose_object(object),
                Object::Lambda { .. } => {
                    self.expose_lambda(object);
                    self.expose_object(object);
                }
                Object::View { base, .. } => {
                    if let Some(content) = self.content(base) {
                        self.expose_content(base, content);
                    }
                }
                Object::Value(_)
                | Object::Literal(_)
                | Object::Class(_)
                | Object::Handle { .. }
                | Object::External(_) => {}
            }
        }
    }

    fn expose_object(&mut self, object: ObjectId) {
        if let Some(content) = self.heap.own(object, Field::Content) {
            self.expose_content(object, content);
        }
        let Some(class) = self.types.class(self.objects.type_of(object)) else { return };
        self.share_fields(object);
        self.make_available(class);
        for class in self.program.supertypes(class) {
            if !self.mode.is_visible(self.program, class) {
                let receivers = self.escaped_receivers(class);
                self.add(object, receivers);
            }
        }
    }

    /// The node of all receivers of a class's methods that have escaped.
    fn escaped_receivers(&mut self, class: ClassId) -> NodeId {
        if let Some(known) = self.escaped.get(&class) {
            return *known;
        }
        let node = self.node();
        self.escaped.insert(class, node);
        for method in self.program.class(class).methods() {
            if self.is_called_from_outside(class, method) {
                self.add_root(method, false);
                if let Some(receiver) = self.signature(method).parameters.first().copied().flatten() {
                    self.edge(node, receiver);
                }
            }
        }
        node
    }

    /// Whether code that is not given can call a method of an object that it gets, though it cannot name the class.
    fn is_called_from_outside(&self, class: ClassId, method: MethodId) -> bool {
        let declared = self.program.method(method);
        let name = self.program.text(declared.name);
        if declared.flags.is_static() || declared.flags.is_private() || name.starts_with('<') || !declared.has_code() {
            return false;
        }
        match self.mode {
            Mode::Client(_) => self.mode.is_callable(self.program, method),
            Mode::Main(_) => {
                const OF_ALL: [&str; 6] = ["equals", "hashCode", "toString", "compareTo", "finalize", "clone"];
                OF_ALL.contains(&name) || self.may_implement_unknown(class)
            }
        }
    }

    /// Whether a class, or one that extends it, implements something that was not given.
    fn may_implement_unknown(&self, class: ClassId) -> bool {
        let is_unknown = |class: ClassId| {
            let class = self.program.class(class);
            let missing = class.superclass.iter().chain(&class.interfaces);
            let mut missing = missing.filter(|name| self.program.named(**name).is_none());
            missing.any(|name| self.program.text(*name) != "java/lang/Object")
        };
        let subtypes = self.program.subtypes(class).into_iter();
        subtypes.flat_map(|class| self.program.supertypes(class)).any(is_unknown)
    }
}
