//! The callers of the program: unknown clients, or only the virtual machine.
//!
//! This module decides which classes and members clients can name, call and override: see [`Access`].

use crate::class_file::{Class, ClassId, FieldId, MethodId};
use crate::program::Program;

/// The callers of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode<'p> {
    /// Any number of unknown clients: an open program.
    Client(Clients<'p>),
    /// The virtual machine calls this method: a closed program. Library code may call methods of objects that it gets.
    Main(MethodId),
}

/// The abilities of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clients<'p> {
    /// Their access to members.
    pub access: Access,
    /// Whether they extend classes and override methods; they always implement interfaces and abstract methods.
    pub override_methods: bool,
    /// Classes, in ascending order, that clients use although an outer class may keep them for itself: they claim to be
    /// thread-safe, or the user names them. Clients can name them unless the language hides them.
    pub offered: &'p [ClassId],
}

/// The access of clients to classes and members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Access from the same packages: everything but private members, hidden classes and nested classes that are not
    /// public. Such a nested class is accessible if it is [offered](Clients::offered), if its members show that it is
    /// meant to be thread-safe, or if a method of its outer class has a parameter of it.
    Package,
    /// Access from other packages: public and protected members.
    Public,
}

impl Default for Clients<'_> {
    fn default() -> Self {
        Self { access: Access::Package, override_methods: false, offered: &[] }
    }
}

impl<'p> Mode<'p> {
    fn clients(self) -> Option<Clients<'p>> {
        match self {
            Self::Client(clients) => Some(clients),
            Self::Main(_) => None,
        }
    }

    /// Whether clients can name a class, so that there may be objects of it that the program does not allocate.
    pub(super) fn is_visible(self, program: &Program, class: ClassId) -> bool {
        let id = class;
        let class = program.class(id);
        self.clients().is_some_and(|clients| {
            !class.is_hidden
                && match clients.access {
                    Access::Package => {
                        class.outer.is_none()
                            || class.flags.is_public()
                            || clients.offered.binary_search(&id).is_ok()
                            || claims(program, class)
                            || is_argument(program, class)
                    }
                    Access::Public => class.flags.is_public(),
                }
        })
    }

    /// Whether clients can use a member with these flags, of a class that they can name or of an object that they hold.
    fn is_usable(self, flags: crate::class_file::Flags) -> bool {
        self.clients().is_some_and(|clients| match clients.access {
            // Members that compilers add are not for clients.
            Access::Package if flags.is_synthetic() && !flags.is_bridge() => flags.is_public() || flags.is_protected(),
            Access::Package => !flags.is_private(),
            Access::Public => flags.is_public() || flags.is_protected(),
        })
    }

    /// Whether clients can call a method, of a class that they can name or of an object that they hold.
    pub(super) fn is_callable(self, program: &Program, method: MethodId) -> bool {
        let is_serialized = || self.clients().is_some() && program.is_called_to_serialize(method);
        self.is_usable(program.method(method).flags) || is_serialized()
    }

    /// Whether a method is an entry point: clients can call it and name its class, or it is `main`.
    pub(super) fn is_root(self, program: &Program, method: MethodId) -> bool {
        match self {
            Self::Client(_) => {
                let is_initializer = program.text(program.method(method).name) == "<clinit>";
                is_initializer
                    || self.is_visible(program, program.method(method).class) && self.is_callable(program, method)
            }
            Self::Main(main) => method == main,
        }
    }

    /// Whether clients can read a field: it is public or protected, and they can name its class.
    pub(super) fn is_readable(self, program: &Program, field: FieldId) -> bool {
        let field = program.field(field);
        (field.flags.is_public() || field.flags.is_protected()) && self.is_visible(program, field.class)
    }

    /// Whether clients can write a field.
    pub(super) fn is_writable(self, program: &Program, field: FieldId) -> bool {
        self.is_readable(program, field) && !program.field(field).flags.is_final()
    }

    /// Whether a call of a method, on an object of the class that external code may have allocated, can run client
    /// code.
    pub(super) fn may_be_overridden(self, program: &Program, class: ClassId, method: MethodId) -> bool {
        let Some(clients) = self.clients() else { return false };
        let flags = program.method(method).flags;
        let is_fixed = flags.is_final() || flags.is_static() || flags.is_private();
        if is_fixed || !self.is_extensible(program, class) || !self.is_callable(program, method) {
            return false;
        }
        clients.override_methods || flags.is_abstract() || program.class(class).flags.is_interface()
    }

    /// Whether clients can extend or implement a class.
    pub(super) fn is_extensible(self, program: &Program, class: ClassId) -> bool {
        let declared = program.class(class);
        let has_constructor =
            || declared.methods().any(|method| program.is_constructor(method) && self.is_callable(program, method));
        self.is_visible(program, class)
            && !declared.flags.is_final()
            && (declared.flags.is_interface() || has_constructor())
    }
}

/// Whether a class is apparently meant to be thread-safe: it has synchronized methods, volatile fields, or fields of
/// types from `java.util.concurrent`.
fn claims(program: &Program, class: &Class) -> bool {
    let is_concurrent = |field: FieldId| {
        let field = program.field(field);
        field.flags.is_volatile() || program.text(field.descriptor).starts_with("Ljava/util/concurrent/")
    };
    class.fields().any(is_concurrent) || class.methods().any(|method| program.method(method).flags.is_synchronized())
}

/// Whether clients have to pass objects of a nested class: an accessible method of its outer class has a parameter of
/// it.
fn is_argument(program: &Program, class: &Class) -> bool {
    let Some(outer) = class.outer.and_then(|outer| program.named(outer)) else { return true };
    let name = format!("L{};", program.text(class.name));
    program.class(outer).methods().any(|method| {
        let method = program.method(method);
        let parameters = program.text(method.descriptor).split(')').next().unwrap_or_default();
        (method.flags.is_public() || method.flags.is_protected()) && parameters.contains(&name)
    })
}
