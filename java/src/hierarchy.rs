//! Which class extends which.
//!
//! Invariant: following superclasses and interfaces never comes back to where it began. Class files can claim
//! otherwise; the edges that close a cycle are left out when the program is loaded, and reported.

use crate::class::{Class, ClassId};
use crate::names::Name;
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The classes that are there, joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    superclasses: Vec<Option<ClassId>>,
    interfaces: Vec<Box<[ClassId]>>,
    /// Those that extend or implement a class themselves.
    subtypes: Vec<Vec<ClassId>>,
}

impl Hierarchy {
    /// Joins classes; gives those with an edge that is left out as it closes a cycle. Linear.
    pub(crate) fn new(classes: &[Class], by_name: &FxHashMap<Name, ClassId>) -> (Self, Vec<ClassId>) {
        let find = |name: &Name| by_name.get(name).copied();
        let superclasses = classes.iter().map(|class| class.superclass.as_ref().and_then(find)).collect();
        let interfaces = classes.iter().map(|class| class.interfaces.iter().filter_map(find).collect()).collect();
        let mut hierarchy = Self { superclasses, interfaces, subtypes: Vec::new() };
        let cut = hierarchy.cut_cycles();
        hierarchy.subtypes = vec![Vec::new(); classes.len()];
        for class in (0..classes.len()).map(ClassId::new) {
            for supertype in hierarchy.direct(class).collect::<Vec<_>>() {
                let subtypes = &mut hierarchy.subtypes[supertype.index()];
                // An interface may be named twice.
                if subtypes.last() != Some(&class) {
                    subtypes.push(class);
                }
            }
        }
        (hierarchy, cut)
    }

    fn direct(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        self.superclasses[class.index()].into_iter().chain(self.interfaces[class.index()].iter().copied())
    }

    /// Searches depth first, with a stack of its own: an edge to a class that is still open closes a cycle.
    fn cut_cycles(&mut self) -> Vec<ClassId> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.superclasses.len()];
        let mut cut = Vec::new();
        for root in (0..states.len()).map(ClassId::new) {
            let mut open: Vec<(ClassId, Vec<ClassId>)> = Vec::new();
            let mut entered = (states[root.index()] == State::New).then_some(root);
            loop {
                if let Some(class) = entered.take() {
                    states[class.index()] = State::Open;
                    open.push((class, self.direct(class).collect()));
                }
                let Some((class, left)) = open.last_mut() else { break };
                let class = *class;
                let Some(next) = left.pop() else {
                    states[class.index()] = State::Done;
                    open.pop();
                    continue;
                };
                match states[next.index()] {
                    State::New => entered = Some(next),
                    State::Done => {}
                    State::Open => {
                        self.cut(class, next);
                        cut.push(class);
                    }
                }
            }
        }
        cut.dedup();
        cut
    }

    fn cut(&mut self, from: ClassId, to: ClassId) {
        let superclass = &mut self.superclasses[from.index()];
        if *superclass == Some(to) {
            *superclass = None;
        }
        let interfaces = &mut self.interfaces[from.index()];
        *interfaces = interfaces.iter().copied().filter(|interface| *interface != to).collect();
    }
}

impl Program {
    /// The class that a class extends, if it was given.
    pub fn superclass(&self, id: ClassId) -> Option<ClassId> {
        self.hierarchy.superclasses[id.index()]
    }

    /// The interfaces that a class implements or extends itself, of those that were given.
    pub fn interfaces(&self, id: ClassId) -> &[ClassId] {
        &self.hierarchy.interfaces[id.index()]
    }

    /// A class, the class that it extends, and so on: as far as these were given.
    pub fn superclasses(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(id), |class| self.superclass(*class))
    }

    /// A class and all classes and interfaces that it extends and implements, each once, as far as these were given.
    pub fn supertypes(&self, id: ClassId) -> Vec<ClassId> {
        closure(id, |class| self.hierarchy.direct(class))
    }

    /// A class and all classes and interfaces that extend or implement it, each once.
    pub fn subtypes(&self, id: ClassId) -> Vec<ClassId> {
        closure(id, |class| self.hierarchy.subtypes[class.index()].iter().copied())
    }

    /// The classes that extend or implement a class themselves.
    pub fn direct_subtypes(&self, id: ClassId) -> &[ClassId] {
        &self.hierarchy.subtypes[id.index()]
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

/// Everything that can be reached, breadth first.
fn closure<I: Iterator<Item = ClassId>>(first: ClassId, next: impl Fn(ClassId) -> I) -> Vec<ClassId> {
    let mut found = vec![first];
    let mut known: FxHashSet<ClassId> = [first].into_iter().collect();
    let mut done = 0;
    while let Some(class) = found.get(done).copied() {
        found.extend(next(class).filter(|class| known.insert(*class)));
        done += 1;
    }
    found
}
