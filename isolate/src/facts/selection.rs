//! The method or row that a call selects for objects of a class.

use super::subject_facts::SubjectFacts;
use super::target::Target;
use crate::Rule;
use java::library::Attribute;
use java::points_to::ObjectId;
use java::{ClassId, Lookup, Member, MethodId, Name};
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// Whether a member is a private method, which runs regardless of the receiver's class; private interface methods
    /// are called with `invokeinterface`, so the instruction does not tell.
    pub(crate) fn is_private(&self, member: Member) -> bool {
        let found = self.heap.program.resolve_method(member).found();
        found.is_some_and(|method| self.heap.program.method(method).flags.is_private())
    }

    /// The method that a member resolves to, without dispatch.
    pub(crate) fn resolved_target(&self, member: Member) -> Target {
        match self.heap.program.resolve_method(member) {
            Lookup::Found(method) => self.program_target(method, member),
            Lookup::Outside(missing) => self.library_target(self.heap.program.text(missing)),
            Lookup::Absent => self.library_target(self.heap.program.text(member.class)),
        }
    }

    /// The target for a program method: its row if it has no code or if the table is preferred.
    pub(crate) fn program_target(&self, method: MethodId, member: Member) -> Target {
        let program = self.heap.program;
        let declared = program.method(method);
        let class = program.text(program.class(declared.class).name);
        let prefers_row =
            self.heap.library.attributes(class).has(Attribute::Preferred) && self.heap.row(class, member).is_some();
        match declared.has_code() && !prefers_row {
            true => Target::Method(method),
            false if self.heap.row(class, member).is_some() => Target::Library(class.to_string()),
            false => Target::Unknown,
        }
    }

    pub(crate) fn library_target(&self, class: &str) -> Target {
        Target::Library(class.to_string())
    }

    /// The target for a method that a program class inherits from a library type: the first supertype with a row for
    /// it, superclasses before interfaces.
    fn target_of_supertype(&self, class: ClassId, missing: Name, member: Member) -> Target {
        let program = self.heap.program;
        let outside = program.supertypes(class).into_iter().flat_map(|of| {
            let of = program.class(of);
            let all = of.superclass.iter().chain(&of.interfaces).copied();
            all.filter(|name| program.named(*name).is_none()).collect::<Vec<_>>()
        });
        let all: Vec<Name> = [missing].into_iter().chain(outside).collect();
        if let Some(other) =
            self.heap.class_reclassified_as(class).filter(|other| self.heap.row(other, member).is_some())
        {
            return self.library_target(other);
        }
        let known = all.iter().find(|name| self.heap.row(program.text(**name), member).is_some());
        match (known, self.default_method(class, member)) {
            (None, Some(method)) if self.is_modelled(class) => self.program_target(method, member),
            _ => self.library_target(program.text(*known.unwrap_or(&missing))),
        }
    }

    /// The default method of a program interface that objects of a class run if no superclass has the method; none
    /// unless exactly one interface has it.
    fn default_method(&self, class: ClassId, member: Member) -> Option<MethodId> {
        let program = self.heap.program;
        let is_default = |method: &MethodId| {
            let declared = program.method(*method);
            let is_it = declared.name == member.name && declared.descriptor == member.descriptor;
            is_it && declared.has_code() && !declared.flags.is_static() && !declared.flags.is_private()
        };
        let interfaces = program.supertypes(class).into_iter().filter(|of| program.class(*of).flags.is_interface());
        let mut found = interfaces.flat_map(|of| program.class(of).methods()).filter(is_default);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Whether the library table knows all library supertypes of a class, and so all their methods.
    fn is_modelled(&self, class: ClassId) -> bool {
        let program = self.heap.program;
        program.supertypes(class).into_iter().all(|of| {
            let of = program.class(of);
            let mut all = of.superclass.iter().chain(&of.interfaces);
            all.all(|name| {
                let text = program.text(*name);
                program.named(*name).is_some() || text.starts_with("java/") && self.heap.library.has_class(text)
            })
        })
    }

    /// Whether objects of exactly this class are certainly not of the class that a call names. Such a call is never
    /// executed: the verifier admits only objects of a class (JVMS 4.10), and calls of an interface throw (JVMS 6.5,
    /// `invokeinterface`).
    pub(crate) fn is_impossible(&self, class: ClassId, member: Member) -> bool {
        let program = self.heap.program;
        let named = program.named(member.class);
        named.is_some_and(|named| !program.is_subtype(class, named)) && self.is_modelled(class)
    }

    /// Whether neither objects of a class nor those of clients' subclasses can be the receiver of a member. Clients'
    /// subclasses may implement further interfaces, but extend no other class.
    pub(crate) fn cannot_be_receiver(&self, class: ClassId, member: Member) -> bool {
        let program = self.heap.program;
        let is_class = |named: ClassId| {
            let is_above = program.is_subtype(class, named) || program.is_subtype(named, class);
            !program.class(named).flags.is_interface() && !is_above
        };
        program.named(member.class).is_some_and(is_class) && self.is_modelled(class)
    }

    /// The target for an object of exactly this class.
    pub(crate) fn selected(&self, class: ClassId, member: Member) -> Target {
        if let Some(known) = self.known.calls.selected.get(&(class, member)) {
            return known;
        }
        let found = self.select(class, member);
        self.known.calls.selected.insert((class, member), found.clone());
        found
    }

    fn select(&self, class: ClassId, member: Member) -> Target {
        let program = self.heap.program;
        // A private method runs regardless of what subclasses declare.
        if let Lookup::Found(method) = program.resolve_method(member)
            && program.method(method).flags.is_private()
        {
            return self.program_target(method, member);
        }
        match program.resolve_in(class, member.name, member.descriptor) {
            Lookup::Found(found) => match program.select(class, found) {
                Lookup::Found(method) => self.program_target(method, member),
                Lookup::Outside(missing) => self.target_of_supertype(class, missing, member),
                Lookup::Absent => self.program_target(found, member),
            },
            Lookup::Outside(missing) => self.target_of_supertype(class, missing, member),
            Lookup::Absent => self.library_target(program.text(member.class)),
        }
    }

    /// Whether a call of an interface method runs the lambda itself and not a method that all objects have.
    pub(crate) fn is_function_call(&self, member: Member) -> bool {
        let program = self.heap.program;
        const OF_ALL: [&str; 5] = ["equals", "hashCode", "toString", "getClass", "notifyAll"];
        let is_of_object = OF_ALL.contains(&program.text(member.name));
        let has_code = program.resolve_method(member).found().is_some_and(|method| program.method(method).has_code());
        // Default methods of library interfaces have rows. Collections are iterable but no functions; `spliterator`
        // runs the lambda at once.
        let name = program.text(member.name);
        let is_default = match program.text(member.class) {
            _ if program.named(member.class).is_some() => false,
            class if self.heap.modality.omits(Rule::FunctionTypes) && self.is_no_function_type(class) => true,
            "java/lang/Iterable" => name == "forEach",
            class => self.heap.library.function(class).is_some_and(|function| function != name),
        };
        !is_of_object && !has_code && !is_default
    }

    /// Whether a name is that of a library class, or of an interface that no function implements.
    fn is_no_function_type(&self, name: &str) -> bool {
        let library = self.heap.library;
        let is_function = || library.is_interface(name) && library.function(name).is_some();
        library.has_class(name) && name != "java/lang/Iterable" && !is_function()
    }

    pub(crate) fn methods_named(&self, class: java::ClassId, method: Option<&str>) -> Vec<Target> {
        let methods = self.heap.named_methods(class, method);
        methods.into_iter().map(Target::Method).collect()
    }

    /// The methods of an abstract object of program classes, computed once.
    pub(crate) fn named(
        &self,
        object: ObjectId,
        method: Option<&str>,
        find: impl FnOnce(&Self) -> Vec<Target>,
    ) -> Rc<[Target]> {
        let key = (object, method.map(Box::from));
        if let Some(known) = self.known.calls.named.get(&key) {
            return known;
        }
        let mut found = find(self);
        found.sort_unstable();
        found.dedup();
        let found: Rc<[Target]> = found.into();
        self.known.calls.named.insert(key, found.clone());
        found
    }
}
