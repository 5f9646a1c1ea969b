//! The class hierarchy.
//!
//! **Invariant.** The supertype relation is acyclic. Class files can declare cycles; the edges that close a cycle are
//! removed on loading and reported.

use crate::class_file::{Class, ClassId, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// The direct supertypes and subtypes of all classes, as far as these are loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    superclasses: Vec<Option<ClassId>>,
    interfaces: Vec<Box<[ClassId]>>,
    /// The direct subtypes.
    subtypes: Vec<Vec<ClassId>>,
}

impl Hierarchy {
    /// Builds the hierarchy. Also returns the classes from which an edge was removed because it closed a cycle. Linear.
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
                // An interface may be listed twice.
                if subtypes.last() != Some(&class) {
                    subtypes.push(class);
                }
            }
        }
        (hierarchy, cut)
    }

    /// The superclass of a class.
    pub(super) fn superclass(&self, class: ClassId) -> Option<ClassId> {
        self.superclasses[class.index()]
    }

    /// The direct superinterfaces of a class.
    pub(super) fn interfaces(&self, class: ClassId) -> &[ClassId] {
        &self.interfaces[class.index()]
    }

    /// The direct subtypes of a class.
    pub(super) fn direct_subtypes(&self, class: ClassId) -> &[ClassId] {
        &self.subtypes[class.index()]
    }

    /// A class and all its supertypes, breadth first, each once.
    pub(super) fn supertypes(&self, class: ClassId) -> Vec<ClassId> {
        closure(class, |class| self.direct(class))
    }

    /// A class and all its subtypes, breadth first, each once.
    pub(super) fn subtypes(&self, class: ClassId) -> Vec<ClassId> {
        closure(class, |class| self.subtypes[class.index()].iter().copied())
    }

    /// The superclass and the interfaces of a class.
    pub(super) fn direct(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        self.superclasses[class.index()].into_iter().chain(self.interfaces[class.index()].iter().copied())
    }

    /// Removes back edges in a depth-first search with an explicit stack: an edge to an open class closes a cycle.
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

/// The reachable classes in breadth-first order, each once.
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
