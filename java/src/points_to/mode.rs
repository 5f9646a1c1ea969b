//! Who calls the program: clients that are not given, or nobody but the virtual machine.
//!
//! What clients can name and call is what the language lets them: see [`Access`]. All questions of this kind are asked
//! here.

use crate::class_file::{Class, ClassId, FieldId, MethodId};
use crate::program::Program;

/// Who calls the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Any number of clients, which are not given.
    Client(Clients),
    /// The virtual machine calls this method; code of the library that is not given may call back what it is given.
    Main(MethodId),
}

/// What clients do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clients {
    /// Where they stand.
    pub access: Access,
    /// Whether they extend classes and override methods; they implement interfaces and abstract methods in any case.
    pub override_methods: bool,
}

/// Where clients stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// In the same packages, too: only private members, hidden classes, and nested ones that are not public, are out of
    /// their reach. A nested class is not out of reach if it is offered ([`Program::offer`]) or makes a claim to be
    /// thread-safe that is seen at once, or if a method of the class around it wants an object of it.
    Package,
    /// In other packages: they use what is public or protected.
    Public,
}

impl Default for Clients {
    fn default() -> Self {
        Self { access: Access::Package, override_methods: false }
    }
}

impl Mode {
    fn clients(self) -> Option<Clients> {
        match self {
            Self::Client(clients) => Some(clients),
            Self::Main(_) => None,
        }
    }

    /// Whether clients can name a class, so that there may be objects of it that the program does not make.
    pub(super) fn is_visible(self, program: &Program, class: ClassId) -> bool {
        let class = program.class(class);
        self.clients().is_some_and(|clients| {
            !class.is_hidden
                && match clients.access {
                    Access::Package => {
                        class.outer.is_none()
                            || class.flags.is_public()
                            || class.is_offered
                            || claims(program, class)
                            || is_argument(program, class)
                    }
                    Access::Public => class.flags.is_public(),
                }
        })
    }

    /// Whether clients can use a member with these flags of a class that they can name or of which they hold an object.
    fn is_usable(self, flags: crate::class_file::Flags) -> bool {
        self.clients().is_some_and(|clients| match clients.access {
            // What compilers add for themselves is not for clients.
            Access::Package if flags.is_synthetic() && !flags.is_bridge() => flags.is_public() || flags.is_protected(),
            Access::Package => !flags.is_private(),
            Access::Public => flags.is_public() || flags.is_protected(),
        })
    }

    /// Whether clients can call a method of an object, or of a class, that they have.
    pub(super) fn is_callable(self, program: &Program, method: MethodId) -> bool {
        let is_serialized = || self.clients().is_some() && program.is_called_to_serialize(method);
        self.is_usable(program.method(method).flags) || is_serialized()
    }

    /// Whether a method can be called by clients from the start: of a class that they can name.
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

    /// Whether clients can read a field: a public or protected one of a class that they can name.
    pub(super) fn is_readable(self, program: &Program, field: FieldId) -> bool {
        let field = program.field(field);
        (field.flags.is_public() || field.flags.is_protected()) && self.is_visible(program, field.class)
    }

    /// Whether clients can write a field.
    pub(super) fn is_writable(self, program: &Program, field: FieldId) -> bool {
        self.is_readable(program, field) && !program.field(field).flags.is_final()
    }

    /// Whether a call of a method on an object of a class, which the program may not have made, can run code of
    /// clients.
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

/// Whether a class looks as if several threads used its objects: it has synchronized methods, volatile fields, or
/// fields of concurrent types.
fn claims(program: &Program, class: &Class) -> bool {
    let is_concurrent = |field: FieldId| {
        let field = program.field(field);
        field.flags.is_volatile() || program.text(field.descriptor).starts_with("Ljava/util/concurrent/")
    };
    class.fields().any(is_concurrent) || class.methods().any(|method| program.method(method).flags.is_synchronized())
}

/// Whether clients have to pass objects of a nested class: a method of the class around it that they can call has a
/// parameter of it.
fn is_argument(program: &Program, class: &Class) -> bool {
    let Some(outer) = class.outer.and_then(|outer| program.named(outer)) else { return true };
    let name = format!("L{};", program.text(class.name));
    program.class(outer).methods().any(|method| {
        let method = program.method(method);
        let parameters = program.text(method.descriptor).split(')').next().unwrap_or_default();
        (method.flags.is_public() || method.flags.is_protected()) && parameters.contains(&name)
    })
}
