//! Roots of the analysis, and escape: the effects of external code on the objects that it gets.
//!
//! **Invariant.** An escaped object, whatever its kind, can be wherever an external object of one of its types is.
//! Therefore
//! - it shares its fields with all external objects (`heap`), and the fields that clients can read escape,
//! - its content escapes, and holds external objects,
//! - its methods that external code can call are roots: they have run with external arguments, and their results
//!   escape,
//! - external calls can select methods of its class ([`external`](super::external)).
//!
//! So a set with an external object covers escaped objects, except for objects of the library, arrays and views of
//! such. An external object does not represent these: they run no code of the program, and their contents are state of
//! the code that allocated them. They flow wherever the program puts them (`type_filter`); clients are assumed not to
//! pass one that they have got on to others.

use crate::class_file::{ClassId, MethodId};
use crate::points_to::constraints::{Field, NodeId};
use crate::points_to::mode::Mode;
use crate::points_to::objects::{Object, ObjectId};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;

impl State<'_> {
    /// Adds all roots.
    pub(in crate::points_to) fn add_roots(&mut self) {
        // An exception can leave every method, and external code can throw any.
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

    /// Lets external code call a method, with any receiver or only with those that flow there otherwise.
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

    /// Exposes new objects of the escaping node to external code.
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
                    self.expose_object(object);
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
        self.share_fields(object);
        let Some(class) = self.types.class(self.objects.type_of(object)) else { return };
        self.make_available(class);
        for class in self.program.supertypes(class) {
            if !self.mode.is_visible(self.program, class) {
                let receivers = self.escaped_receivers(class);
                self.add(object, receivers);
            }
        }
    }

    /// Returns the node of all escaped objects of a class, which are receivers of its methods.
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

    /// Whether external code can call a method of an object that it gets, although it cannot name the class.
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

    /// Whether a class, or a subclass of it, has a supertype other than `Object` that is no program class.
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
