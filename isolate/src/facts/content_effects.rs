//! The effects of library methods on the contents of followed objects.

use super::objects::ObjectKind;
use super::row_effects::{ContentEffect, RegionEffect};
use super::subject_facts::SubjectFacts;
use crate::value::{RegionId, SetId};
use java::library::{Action, Attribute, Guard, Row, Source, Subject};
use java::points_to::ObjectId;
use std::collections::BTreeSet;
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// The names of the methods that rows of this name call on the elements of their object.
    pub(super) fn called_of_content(&self, class: &str, name: &str) -> BTreeSet<Box<str>> {
        let actions = self.heap.library.find_all(class, name).flat_map(|row| row.actions);
        let called = actions.filter_map(|action| match action {
            Action::Calls(call) if matches!(call.whom, Source::Content(Subject::This)) => call.method.clone(),
            _ => None,
        });
        called.collect()
    }

    /// The representatives of the followed library objects.
    pub(crate) fn regions_of(&self, objects: &[ObjectId]) -> BTreeSet<RegionId> {
        let mut found = BTreeSet::new();
        for object in objects.iter().filter(|object| self.heap.is_of_library(**object)) {
            for (alias, _) in self.regions.alias_of(&self.heap, *object) {
                let region = self.regions.representative(alias);
                if !self.is_program_object(region) {
                    found.insert(region);
                }
            }
        }
        found
    }

    /// The effect of methods of a name on a region.
    fn content_effect(&self, region: RegionId, name: &str) -> ContentEffect {
        let (mut reads, mut writes) = (false, false);
        for object in &self.regions.regions[region.index()].objects {
            // The inherited methods of arrays read nothing that changes.
            let Some(class) = self.heap.library_class(*object) else { continue };
            if !self.heap.library.has_class(class) {
                (reads, writes) = (true, true);
            }
            for row in self.heap.library.find_all(class, name) {
                // A view, or a copy, is read where it is used, which is not tracked.
                let is_view = row.actions.iter().any(|action| match action {
                    Action::Views(_) => true,
                    Action::Makes(making) => making.holds.iter().any(|it| it.subject() == Some(Subject::This)),
                    _ => false,
                });
                reads |= row.reads_state() || is_view;
                writes |= row.writes_state();
            }
        }
        ContentEffect { region, reads, writes }
    }

    /// Whether the content of a region has no guard: it is an array, or of a class that is neither atomic nor
    /// synchronized.
    pub(crate) fn is_unguarded(&self, region: RegionId) -> bool {
        self.any_object(region, |_, guard| guard == Guard::None)
    }

    /// Whether an object of a region is a structure of several parts that its methods change without a guard: a plain
    /// collection, a text that is built, a set of bits.
    pub(crate) fn is_plain_structure(&self, region: RegionId) -> bool {
        const OTHERS: [Attribute; 12] = [
            Attribute::Condition,
            Attribute::Executor,
            Attribute::Handle,
            Attribute::Immutable,
            Attribute::Lock,
            Attribute::ReadWriteLock,
            Attribute::Stateless,
            Attribute::Task,
            Attribute::Thread,
            Attribute::ThreadSafe,
            Attribute::Unchanging,
            Attribute::Value,
        ];
        self.any_object(region, |what, guard| {
            let (ObjectKind::Library(class) | ObjectKind::View(_, class)) = what else { return false };
            let attributes = self.heap.library.attributes(class);
            guard == Guard::None && !OTHERS.iter().any(|other| attributes.has(*other))
        })
    }

    /// Whether methods of an object of a region hold its monitor.
    pub(crate) fn has_monitor(&self, region: RegionId) -> bool {
        self.any_object(region, |_, guard| guard == Guard::Monitor)
    }

    /// Whether a visit to all elements of an object of a region may see a state that the object never had: each step is
    /// atomic, but not the visit. A container whose iterator is made of a copy shows one state.
    pub(crate) fn is_weakly_consistent(&self, region: RegionId, is_at_once: bool) -> bool {
        let library = self.heap.library;
        self.any_object(region, |what, guard| {
            let (ObjectKind::Library(class) | ObjectKind::View(_, class)) = what else { return false };
            let is_copied = || {
                let mut iterators = library.find_all(class, "iterator").peekable();
                let is_view = |row: &Row<'_>| row.actions.iter().any(|action| matches!(action, Action::Views(_)));
                iterators.peek().is_some() && !iterators.any(|row| is_view(&row))
            };
            let has_array = || {
                let row = library.find(class, "toArray", "()[Ljava/lang/Object;");
                row.is_some_and(|row| !row.traits.several && row.guard() == Guard::Operations)
            };
            guard == Guard::Operations && !(is_at_once && has_array()) && !is_copied()
        })
    }

    /// Whether a region has no program object, and an object of this kind and guard.
    fn any_object(&self, region: RegionId, is_it: impl Fn(ObjectKind<'_>, Guard) -> bool) -> bool {
        let mut kinds = self.regions.regions[region.index()].objects.iter().map(|object| self.heap.kind_of(*object));
        !self.is_program_object(region) && kinds.any(|what| is_it(what, self.guard_of(what)))
    }

    fn guard_of(&self, what: ObjectKind<'_>) -> Guard {
        match what {
            ObjectKind::Library(class) => self.heap.library.attributes(class).guard(),
            ObjectKind::View(base, class) => match self.heap.library.attributes(class).guard() {
                Guard::None => self.guard_of(self.heap.kind_of(base)),
                guard => guard,
            },
            ObjectKind::Array => Guard::None,
            ObjectKind::Program(_)
            | ObjectKind::Lambda
            | ObjectKind::External(_)
            | ObjectKind::Class(_)
            | ObjectKind::Literal(_)
            | ObjectKind::Value(_) => Guard::Operations,
        }
    }

    /// The effect of the methods of a name on any object of a region; computed once.
    pub(crate) fn region_effect(&self, region: RegionId, name: &str) -> Rc<RegionEffect> {
        let key = (region, Box::from(name));
        if let Some(known) = self.known.calls.region_effects.get(&key) {
            return known;
        }
        let (mut reads, mut writes, mut guard) = (false, false, None);
        let mut called = BTreeSet::new();
        for object in self.regions.regions[region.index()].objects.clone() {
            // Methods of program objects are contexts; the inherited methods of arrays and values read nothing that
            // changes.
            let Some(class) = self.heap.library_class(object) else { continue };
            if self.heap.library.find_all(class, name).next().is_none() {
                // An unknown method may read and write.
                (reads, writes) = (true, true);
            }
            called.extend(self.called_of_content(class, name));
            for row in self.heap.library.find_all(class, name) {
                reads |= row.reads(Subject::This);
                writes |= row.writes(Subject::This);
            }
            let own = self.guard_of(self.heap.kind_of(object));
            guard = Some(guard.map_or(own, |known| if known == own { own } else { Guard::None }));
        }
        let found = Rc::new(RegionEffect { reads, writes, guard, called });
        self.known.calls.region_effects.insert(key, found.clone());
        found
    }

    /// The effects of methods of a name on the contents of the objects of a set; computed once.
    pub(crate) fn content_effects(&self, objects: SetId, name: &str) -> Rc<[ContentEffect]> {
        let key = (objects, Box::from(name));
        if let Some(known) = self.known.calls.content_effects.get(&key) {
            return known;
        }
        let regions = self.regions_of(&self.sets.objects(objects)).into_iter();
        let effects: Rc<[ContentEffect]> = regions.map(|region| self.content_effect(region, name)).collect();
        self.known.calls.content_effects.insert(key, effects.clone());
        effects
    }
}
