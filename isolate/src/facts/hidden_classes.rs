//! Classes that clients cannot name, and who calls their methods.
//!
//! **Definitions.** A class is *for clients* if it and the classes around it are public and no segment of its package's
//! name says that it is internal; `impl` does not say so of a class with a public constructor, which clients often use
//! to make the parts of a library. Another class is *hidden*. A hidden class is *used by the program* if a statement
//! outside of the class calls a method of it that is no constructor. A method of a hidden class is *offered* if it
//! implements a method of a type that is for clients, or of a library type other than `Object`, and clients may have
//! an object of the class: they call the method by that type.
//!
//! **Rule** [`ProgramCallers`](crate::Rule::ProgramCallers). The methods of a hidden class that the program uses, apart
//! from the offered ones, run where the program calls them: the entries are the methods of clients that lead there, its
//! *roots*, with the locks that they hold on the way, and after the object was stored where they find it.
//!
//! *Why it suffices.* Code that cannot name the class calls a method of it by the name of another type, which makes the
//! method an offered one, or not at all. So each call that happens is in the program, and each execution of such a call
//! begins in a method that clients call, or in a task that the program starts. The search for roots goes up from all
//! callers by the call graph, so it finds the method; tasks are found where they are started.

use super::heap::Heap;
use super::subject_facts::SubjectFacts;
use crate::Rule;
use java::points_to::Object;
use java::{ClassId, MethodId, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The segments of a package's name that say that none of its classes is for clients.
const INTERNAL: [&str; 2] = ["internal", "shaded"];

/// The segment that says so of classes that clients cannot make.
const IMPLEMENTATION: &str = "impl";

/// More roots than this are not entered: the methods of the class are entries themselves.
const MOST_ROOTS: usize = 60;

/// Whether the name of a class's package does not say that it is internal. Names are separated by `.` or `/`.
pub fn is_exported(class: &str) -> bool {
    let package = class.rsplit_once(['.', '/']).map_or("", |(package, _)| package);
    !package.split(['.', '/']).any(|segment| INTERNAL.contains(&segment) || segment == IMPLEMENTATION)
}

/// Whether a class is for clients.
pub(crate) fn is_for_clients(program: &Program, class: ClassId) -> bool {
    let mut next = Some(class);
    while let Some(class) = next {
        let declared = program.class(class);
        if !declared.flags.is_public() || declared.is_hidden || declared.flags.is_synthetic() {
            return false;
        }
        next = declared.outer.and_then(|outer| program.named(outer));
    }
    let name = program.text(program.class(class).name);
    let is_part = || !name.split('/').any(|segment| INTERNAL.contains(&segment)) && is_made_by_name(program, class);
    is_exported(name) || is_part()
}

/// Whether clients that can name a class can make objects of it.
fn is_made_by_name(program: &Program, class: ClassId) -> bool {
    let mut methods = program.class(class).methods();
    methods.any(|method| program.is_constructor(method) && program.method(method).flags.is_public())
        && !program.class(class).flags.is_abstract()
}

impl Heap<'_> {
    /// Whether a method implements a method of a type that clients can name, other than `Object`.
    fn implements_offered(&self, method: MethodId) -> bool {
        let program = self.program;
        let declared = program.method(method);
        let name = program.text(declared.name);
        let of_class = |class: ClassId| {
            let of = program.class(class);
            let has_it = || {
                of.methods().any(|other| {
                    let other = program.method(other);
                    other.name == declared.name && other.descriptor == declared.descriptor && !other.flags.is_private()
                })
            };
            let of_library = |above: &java::Name| {
                let above_text = program.text(*above);
                program.named(*above).is_none()
                    && above_text != "java/lang/Object"
                    && (!self.library.has_class(above_text) || self.library.find_all(above_text, name).next().is_some())
            };
            class != declared.class && is_for_clients(program, class) && has_it()
                || of.superclass.iter().chain(&of.interfaces).any(of_library)
        };
        !declared.flags.is_static()
            && !declared.flags.is_private()
            && program.supertypes(declared.class).into_iter().any(of_class)
    }

    /// Whether clients may have an object of exactly this class that the program makes.
    pub(crate) fn gives_to_clients(&self, class: ClassId) -> bool {
        self.objects_of(class)
            .into_iter()
            .any(|object| matches!(self.points.object(object), Object::Made { .. }) && self.is_returned_by_any(object))
    }

    /// Whether calls may begin with a method: clients can call it by the name of its class or of another type, or no
    /// statement of the program calls it.
    pub(crate) fn is_root(&self, method: MethodId) -> bool {
        let declared = self.program.method(method);
        let is_open = declared.flags.is_public() || declared.flags.is_protected();
        is_open && is_for_clients(self.program, declared.class)
            || self.implements_offered(method)
            || self.points.callers(method).is_empty()
    }

    /// Whether clients get no object to call a method on, though they know it by another type than its class.
    pub(crate) fn is_kept(&self, method: MethodId) -> bool {
        let class = self.program.method(method).class;
        self.implements_offered(method) && !is_for_clients(self.program, class) && !self.gives_to_clients(class)
    }
}

impl SubjectFacts<'_> {
    /// The methods outside of the nest with which calls of the subject's methods begin, if only the program calls
    /// these; computed once.
    pub(crate) fn roots_of_callers(&self) -> Option<&BTreeSet<MethodId>> {
        self.answers.roots.get_or_init(|| self.find_roots()).as_ref()
    }

    /// Whether a method of the subject's class runs only where the program calls it, by
    /// [`ProgramCallers`](Rule::ProgramCallers).
    pub(crate) fn is_run_by_program_only(&self, method: MethodId) -> bool {
        self.roots_of_callers().is_some()
            && !(self.heap.implements_offered(method) && self.heap.gives_to_clients(self.mode.class))
    }

    fn find_roots(&self) -> Option<BTreeSet<MethodId>> {
        let program = self.heap.program;
        let is_asked = self.heap.modality.omits(Rule::ProgramCallers) && !self.mode.is_static && !self.mode.is_program;
        if !is_asked || is_for_clients(program, self.mode.class) {
            return None;
        }
        let mut open = self.outer_callers();
        let mut known: FxHashSet<MethodId> = open.iter().copied().collect();
        let is_used = !open.is_empty();
        let mut found = BTreeSet::new();
        while let Some(method) = open.pop() {
            if self.mode.classes.contains(&program.method(method).class) {
                continue;
            }
            if self.heap.is_root(method) {
                // Methods of the nest are entries in any case, and tasks and functions are where they are started.
                if !self.mode.nest.contains(&program.method(method).class) {
                    found.insert(method);
                }
                continue;
            }
            open.extend(
                self.heap.points.callers(method).iter().map(|site| site.method).filter(|caller| known.insert(*caller)),
            );
        }
        (is_used && found.len() <= MOST_ROOTS).then_some(found)
    }

    /// The methods outside of the subject's classes that call a method of them other than a constructor.
    fn outer_callers(&self) -> Vec<MethodId> {
        let program = self.heap.program;
        let methods = self.mode.classes.iter().flat_map(|class| program.class(*class).methods());
        let called = methods.filter(|method| !program.is_constructor(*method));
        let callers = called.flat_map(|method| self.heap.points.callers(method)).map(|site| site.method);
        let outside = callers.filter(|caller| !self.mode.classes.contains(&program.method(*caller).class));
        let found: BTreeSet<MethodId> = outside.collect();
        found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::is_exported;

    #[test]
    fn names_of_packages_say_what_is_internal() {
        for name in ["Pool", "a.Pool", "a.implementation.Pool", "a.internal", "impl", "a/b/Pool"] {
            assert!(is_exported(name), "{name}");
        }
        for name in ["a.internal.Pool", "internal.Pool", "a.impl.b.Pool", "a.shaded.b.Pool$Entry", "a/impl/Pool"] {
            assert!(!is_exported(name), "{name}");
        }
    }
}
