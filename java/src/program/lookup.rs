//! Resolution of fields and methods, and selection of the called method (JVMS 5.4.3, 5.4.5 and 5.4.6).

use super::class_table::Program;
use super::targets::Targets;
use crate::class_file::{ClassId, FieldId, Member, Method, MethodId, Name};
use rustc_hash::FxHashSet;

/// The result of a resolution or selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<T> {
    /// The field or method.
    Found(T),
    /// None among the loaded classes, but this class, which is not loaded, may declare it.
    Outside(Name),
    /// None at all.
    Absent,
}

impl<T> Lookup<T> {
    /// The field or method, if it was found.
    pub fn found(self) -> Option<T> {
        match self {
            Self::Found(found) => Some(found),
            Self::Outside(_) | Self::Absent => None,
        }
    }
}

impl Program {
    /// The method of this name and descriptor that a class itself declares.
    pub fn declared_method(&self, class: ClassId, name: Name, descriptor: Name) -> Option<MethodId> {
        self.methods_by_name.get(&(class, name, descriptor)).copied()
    }

    /// The field of this name and descriptor that a class itself declares.
    pub fn declared_field(&self, class: ClassId, name: Name, descriptor: Name) -> Option<FieldId> {
        self.fields_by_name.get(&(class, name, descriptor)).copied()
    }

    /// The class in which the search for a member begins: for an array, `java/lang/Object`. The error is the name of a
    /// class that is not loaded.
    fn search_from(&self, class: Name) -> Result<ClassId, Name> {
        let class = match self.text(class).starts_with('[') {
            true => self.name("java/lang/Object").unwrap_or(class),
            false => class,
        };
        self.named(class).ok_or(class)
    }

    /// Resolves a field: searches the class, its superinterfaces, then its superclass in the same way (JVMS 5.4.3.2).
    pub fn resolve_field(&self, field: Member) -> Lookup<FieldId> {
        let class = match self.search_from(field.class) {
            Ok(class) => class,
            Err(missing) => return Lookup::Outside(missing),
        };
        let declares = |class: ClassId| self.declared_field(class, field.name, field.descriptor);
        for class in self.superclasses(class) {
            let interfaces = self.interfaces(class).iter().flat_map(|interface| self.supertypes(*interface));
            if let Some(found) = declares(class).or_else(|| interfaces.into_iter().find_map(declares)) {
                return Lookup::Found(found);
            }
        }
        self.missing_supertype(class).map_or(Lookup::Absent, Lookup::Outside)
    }

    /// Resolves a method: searches the class and its superclasses, then its superinterfaces, where a maximally specific
    /// method that is not abstract takes precedence (JVMS 5.4.3.3). [`select`](Self::select) returns the method that a
    /// call executes.
    pub fn resolve_method(&self, method: Member) -> Lookup<MethodId> {
        match self.search_from(method.class) {
            Ok(class) => self.resolve_in(class, method.name, method.descriptor),
            Err(missing) => Lookup::Outside(missing),
        }
    }

    /// The declared or inherited method of a class with this name and descriptor.
    pub fn resolve_in(&self, class: ClassId, name: Name, descriptor: Name) -> Lookup<MethodId> {
        for superclass in self.superclasses(class) {
            if let Some(found) = self.declared_method(superclass, name, descriptor) {
                return Lookup::Found(found);
            }
        }
        match self.in_interfaces(class, name, descriptor) {
            Some(found) => Lookup::Found(found),
            None => self.missing_supertype(class).map_or(Lookup::Absent, Lookup::Outside),
        }
    }

    /// A maximally specific method of the superinterfaces of a class; one with code takes precedence over an abstract
    /// one.
    fn in_interfaces(&self, class: ClassId, name: Name, descriptor: Name) -> Option<MethodId> {
        let is_inherited = |method: &MethodId| {
            let flags = self.method(*method).flags;
            !flags.is_private() && !flags.is_static()
        };
        let declared = |class: ClassId| self.declared_method(class, name, descriptor).filter(is_inherited);
        let candidates: Vec<MethodId> = self
            .supertypes(class)
            .into_iter()
            .filter(|class| self.class(*class).flags.is_interface())
            .filter_map(declared)
            .collect();
        // A candidate is overridden if its class is a proper supertype of another candidate's class.
        let overridden: FxHashSet<ClassId> = match candidates.len() {
            0 | 1 => FxHashSet::default(),
            _ => {
                let classes = candidates.iter().map(|method| self.method(*method).class);
                classes.flat_map(|class| self.supertypes(class).into_iter().skip(1)).collect()
            }
        };
        let special = candidates.iter().filter(|method| !overridden.contains(&self.method(**method).class));
        special.min_by_key(|method| self.method(**method).flags.is_abstract()).copied()
    }

    /// The method that a call of `method` executes if the receiver is an object of exactly this class. It may be
    /// abstract if the program is inconsistent. [`Lookup::Outside`] if a class that may override the method is not
    /// loaded.
    pub fn select(&self, class: ClassId, method: MethodId) -> Lookup<MethodId> {
        let called = self.method(method);
        if called.flags.is_private() || called.flags.is_static() {
            return Lookup::Found(method);
        }
        let mut last = class;
        for superclass in self.superclasses(class) {
            last = superclass;
            let declared = self.declared_method(superclass, called.name, called.descriptor);
            if let Some(declared) = declared
                && (declared == method || self.overrides(self.method(declared), called))
            {
                return Lookup::Found(declared);
            }
        }
        if let Some(missing) = self.class(last).superclass
            && self.named(missing).is_none()
            && self.may_declare(missing, called)
        {
            return Lookup::Outside(missing);
        }
        match self.in_interfaces(class, called.name, called.descriptor) {
            Some(found) => Lookup::Found(found),
            None => self.missing_supertype(class).map_or(Lookup::Absent, Lookup::Outside),
        }
    }

    /// Whether a class that is not loaded may declare a method. The methods of `java/lang/Object` are known.
    fn may_declare(&self, missing: Name, method: &Method) -> bool {
        const OF_OBJECT: [(&str, &str); 11] = [
            ("clone", "()Ljava/lang/Object;"),
            ("equals", "(Ljava/lang/Object;)Z"),
            ("finalize", "()V"),
            ("getClass", "()Ljava/lang/Class;"),
            ("hashCode", "()I"),
            ("notify", "()V"),
            ("notifyAll", "()V"),
            ("toString", "()Ljava/lang/String;"),
            ("wait", "()V"),
            ("wait", "(J)V"),
            ("wait", "(JI)V"),
        ];
        self.text(missing) != "java/lang/Object"
            || OF_OBJECT.contains(&(self.text(method.name), self.text(method.descriptor)))
    }

    /// Whether a method overrides another one of a superclass with the same name and descriptor (JVMS 5.4.5).
    fn overrides(&self, method: &Method, other: &Method) -> bool {
        if method.flags.is_private() || method.flags.is_static() || other.flags.is_private() {
            return false;
        }
        let is_for_all = other.flags.is_public() || other.flags.is_protected();
        is_for_all || self.package(method.class) == self.package(other.class)
    }

    /// The package of a class, with slashes: `java/util`.
    pub fn package(&self, class: ClassId) -> &str {
        self.text(self.class(class).name).rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// The possible targets of a call of `method` if the receiver is an object of exactly one of these classes.
    pub fn targets(&self, method: MethodId, receivers: impl IntoIterator<Item = ClassId>) -> Targets {
        let mut targets = Targets::default();
        let mut known = FxHashSet::default();
        let mut known_outside = FxHashSet::default();
        for class in receivers {
            match self.select(class, method) {
                Lookup::Found(found) if known.insert(found) => targets.methods.push(found),
                Lookup::Outside(missing) if known_outside.insert(missing) => targets.outside.push(missing),
                Lookup::Found(_) | Lookup::Outside(_) | Lookup::Absent => {}
            }
        }
        targets
    }

    /// The possible targets of a call of `method` on an object of any loaded class: all overriding methods, and the
    /// method itself unless it is abstract. They are computed once, from all subclasses.
    pub fn overriders(&self, method: MethodId) -> &Targets {
        self.overriders[method.index()].get_or_init(|| Box::new(self.find_overriders(method)))
    }

    fn find_overriders(&self, method: MethodId) -> Targets {
        let subtypes = self.subtypes(self.method(method).class);
        let can_be = subtypes.into_iter().filter(|class| {
            let flags = self.class(*class).flags;
            !flags.is_abstract() && !flags.is_interface()
        });
        self.targets(method, can_be)
    }
}
