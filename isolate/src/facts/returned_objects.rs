//! Objects that public methods return to clients.
//!
//! **Definition.** An object is *returned to clients* if the result of a method that clients can call may be the
//! object, or a collection with it in its content; the methods of a returned object that clients can call count as
//! well. Rules [`EscapedFunctions`](crate::Rule::EscapedFunctions) and [`ClientParts`](crate::Rule::ClientParts) use
//! it: clients call a returned function. Whether they can call one that was passed to other code is not known.

use super::heap::Heap;
use super::hidden_classes::is_for_clients;
use super::objects::{ObjectKind, is_visible};
use super::subject_facts::SubjectFacts;
use crate::Rule;
use java::points_to::{Field, ObjectId};
use java::{ClassId, MethodId};
use rustc_hash::FxHashSet;

impl SubjectFacts<'_> {
    /// Whether public and protected methods of the nest return an object to clients, directly or in a collection, or a
    /// public static field holds it.
    pub(super) fn is_returned_to_clients(&self, object: ObjectId) -> bool {
        self.answers.returned.get_or_init(|| self.find_returned()).contains(&object)
    }

    /// The objects that are returned to clients. Linear in the results.
    fn find_returned(&self) -> FxHashSet<ObjectId> {
        let program = self.heap.program;
        let mut classes: Vec<ClassId> = self.mode.nest.iter().copied().collect();
        classes.sort_unstable();
        classes.retain(|class| is_visible(program, *class) || self.mode.classes.contains(class));
        self.heap.returned_by(&classes, false)
    }
}

impl Heap<'_> {
    /// Whether public and protected methods of any class for clients return an object to clients.
    pub(crate) fn is_returned_by_any(&self, object: ObjectId) -> bool {
        let find = || {
            let classes = self.program.classes().map(|(class, _)| class);
            let classes = classes.filter(|class| is_for_clients(self.program, *class));
            self.returned_by(&classes.collect::<Vec<_>>(), true)
        };
        self.shared.returned.get_or_init(find).contains(&object)
    }

    /// The objects that public and protected methods of these classes return. If `is_typed`, a method that returns any
    /// object, such as that of a generic container, does not return those of other containers.
    fn returned_by(&self, classes: &[ClassId], is_typed: bool) -> FxHashSet<ObjectId> {
        let program = self.program;
        let mut methods: Vec<MethodId> = Vec::new();
        for class in classes {
            methods.extend(program.class(*class).methods().filter(|method| {
                let flags = program.method(*method).flags;
                flags.is_public() || flags.is_protected()
            }));
        }
        let fields = classes.iter().flat_map(|class| program.class(*class).fields());
        let static_fields = fields.filter(|field| {
            let flags = program.field(*field).flags;
            flags.is_static() && (flags.is_public() || flags.is_protected())
        });
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open: Vec<ObjectId> =
            static_fields.flat_map(|field| self.listed(self.points.static_field(field)).to_vec()).collect();
        let mut asked: FxHashSet<MethodId> = FxHashSet::default();
        loop {
            while let Some(method) = methods.pop() {
                if asked.insert(method) {
                    let of = self.program.text(self.program.method(method).descriptor);
                    if !is_typed || !of.ends_with(")Ljava/lang/Object;") {
                        open.extend(self.results_for_clients(method));
                    }
                }
            }
            while let Some(object) = open.pop() {
                if !found.insert(object) {
                    continue;
                }
                if self.is_container(object) {
                    open.extend(self.field(object, Field::Content));
                }
                if let ObjectKind::Program(class) = self.kind_of(object)
                    && !is_visible(program, class)
                {
                    methods.extend(self.callable_on(class));
                }
            }
            if methods.is_empty() {
                return found;
            }
        }
    }

    /// The objects that a method returns. A function is no object of a class that is not its interface: by
    /// [`FunctionTypes`](Rule::FunctionTypes), a method that returns a future returns none of the tasks in it.
    fn results_for_clients(&self, method: MethodId) -> Vec<ObjectId> {
        let mut found = self.listed(self.points.result(method)).to_vec();
        if self.modality.omits(Rule::FunctionTypes)
            && let Some(of) = self.program.result_type(self.program.method(method).descriptor)
            && let Some(of) = self.type_id(of)
        {
            let is_one = |object: &ObjectId| self.points.is_subtype(self.points.type_of_object(*object), of);
            found.retain(|object| !matches!(self.kind_of(*object), ObjectKind::Lambda) || is_one(object));
        }
        found
    }

    /// Whether clients can take the content out of an object: an array or a collection, but no future, stream or task,
    /// which keeps functions for itself.
    pub(crate) fn is_container(&self, object: ObjectId) -> bool {
        match self.kind_of(object) {
            ObjectKind::Array => true,
            ObjectKind::Library(class) | ObjectKind::View(_, class) => {
                let keeps_functions = ["/stream/", "Future", "Task", "Timer", "Executor"];
                class.starts_with("java/util/") && !keeps_functions.iter().any(|part| class.contains(part))
            }
            _ => false,
        }
    }
}
