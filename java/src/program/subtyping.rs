//! Superclasses, supertypes and subtypes of classes.

use super::class_table::Program;
use crate::class_file::{ClassId, Name};
use rustc_hash::FxHashSet;

impl Program {
    /// The superclass of a class, if it is loaded.
    pub fn superclass(&self, id: ClassId) -> Option<ClassId> {
        self.hierarchy.superclass(id)
    }

    /// The direct superinterfaces of a class that are loaded.
    pub fn interfaces(&self, id: ClassId) -> &[ClassId] {
        self.hierarchy.interfaces(id)
    }

    /// A class, its superclass, and so on, as far as these are loaded.
    pub fn superclasses(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(id), |class| self.superclass(*class))
    }

    /// A class and all its supertypes, breadth first, each once, as far as these are loaded.
    pub fn supertypes(&self, id: ClassId) -> Vec<ClassId> {
        self.hierarchy.supertypes(id)
    }

    /// A class and all its subtypes, breadth first, each once.
    pub fn subtypes(&self, id: ClassId) -> Vec<ClassId> {
        self.hierarchy.subtypes(id)
    }

    /// The direct subtypes of a class.
    pub fn direct_subtypes(&self, id: ClassId) -> &[ClassId] {
        self.hierarchy.direct_subtypes(id)
    }

    /// Whether all supertypes of a class are loaded.
    pub fn is_complete(&self, id: ClassId) -> bool {
        self.missing_supertype(id).is_none()
    }

    /// A supertype of a class that is not loaded, if there is one.
    pub fn missing_supertype(&self, id: ClassId) -> Option<Name> {
        let missing = |class: ClassId| {
            let class = self.class(class);
            class.superclass.iter().chain(&class.interfaces).copied().find(|name| self.named(*name).is_none())
        };
        self.supertypes(id).into_iter().find_map(missing)
    }

    /// Whether a class is equal to or a subtype of another one, as far as the classes in between are loaded.
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

    /// Whether a class is equal to or a subtype of the class with this name, which need not be loaded.
    pub fn extends(&self, id: ClassId, name: Name) -> bool {
        let is_it = |class: ClassId| {
            let class = self.class(class);
            class.name == name || class.superclass == Some(name) || class.interfaces.contains(&name)
        };
        self.supertypes(id).into_iter().any(is_it)
    }

    /// The name of the nest host of a class, whose private members it can use.
    pub fn nest_host(&self, id: ClassId) -> Name {
        let class = self.class(id);
        class.nest_host.unwrap_or(class.name)
    }
}
