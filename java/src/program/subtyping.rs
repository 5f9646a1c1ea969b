//! Superclasses, supertypes and subtypes of classes.

use super::class_table::Program;
use crate::class_file::{ClassId, Name};
use rustc_hash::FxHashSet;

impl Program {
    /// The class that a class extends, if it was given.
    pub fn superclass(&self, id: ClassId) -> Option<ClassId> {
        self.hierarchy.superclass(id)
    }

    /// The interfaces that a class implements or extends itself, of those that were given.
    pub fn interfaces(&self, id: ClassId) -> &[ClassId] {
        self.hierarchy.interfaces(id)
    }

    /// A class, the class that it extends, and so on: as far as these were given.
    pub fn superclasses(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(id), |class| self.superclass(*class))
    }

    /// A class and all classes and interfaces that it extends and implements, each once, as far as these were given.
    pub fn supertypes(&self, id: ClassId) -> Vec<ClassId> {
        self.hierarchy.supertypes(id)
    }

    /// A class and all classes and interfaces that extend or implement it, each once.
    pub fn subtypes(&self, id: ClassId) -> Vec<ClassId> {
        self.hierarchy.subtypes(id)
    }

    /// The classes that extend or implement a class themselves.
    pub fn direct_subtypes(&self, id: ClassId) -> &[ClassId] {
        self.hierarchy.direct_subtypes(id)
    }

    /// Whether all supertypes of a class were given.
    pub fn is_complete(&self, id: ClassId) -> bool {
        self.missing_supertype(id).is_none()
    }

    /// A supertype of a class that was not given, if there is one.
    pub fn missing_supertype(&self, id: ClassId) -> Option<Name> {
        let missing = |class: ClassId| {
            let class = self.class(class);
            class.superclass.iter().chain(&class.interfaces).copied().find(|name| self.named(*name).is_none())
        };
        self.supertypes(id).into_iter().find_map(missing)
    }

    /// Whether objects of one class are objects of the other, as far as the classes in between were given.
    pub fn is_subtype(&self, id: ClassId, of: ClassId) -> bool {
        let mut open = vec![id];
        let mut known: FxHashSet<ClassId> = FxHashSet::default();
        while let Some(class) = open.pop() {
            if class == of {
                return true;
            }
            open.extend(self.hierarchy.direct(class).filter(|supertype| known.insert(*supertype)));
        }
        false
    }

    /// Whether a class extends or implements one of this name, which may not have been given.
    pub fn extends(&self, id: ClassId, name: Name) -> bool {
        let is_it = |class: ClassId| {
            let class = self.class(class);
            class.name == name || class.superclass == Some(name) || class.interfaces.contains(&name)
        };
        self.supertypes(id).into_iter().any(is_it)
    }

    /// The class whose private members a class can use: its nest host, or itself.
    pub fn nest_host(&self, id: ClassId) -> Name {
        let class = self.class(id);
        class.nest_host.unwrap_or(class.name)
    }
}
