//! Atomics and maps whose content is set once.
//!
//! **Definition.** An atomic of the program that no client gets is *set once* if its *first value*, a constant, never
//! comes back: each call on it reads it, compares and sets it from the first value, or sets it to something that
//! certainly differs from the first value. So a compare-and-set from the first value succeeds at most once in the life
//! of the object. A concurrent map is *growing* if the program calls no method that removes or replaces a value, so
//! `putIfAbsent` and `computeIfAbsent` put at most one value under a key.
//!
//! **Rule** [`SettersOnce`](crate::Rule::SettersOnce). Two units that overlap do not both set such a value.
//!
//! *Why it suffices.* If both did, the second one had found the first value after the first one had replaced it.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::stored::{OnceValue, Stored};
use crate::Rule;
use java::ir::{Body, Operation, Variable};
use java::library::{Action, Argument, Attribute, Guard, Row};
use java::points_to::{Object, ObjectId};
use java::{InvokeKind, Member, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

const ATOMICS: [&str; 4] = [
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicReference",
];

/// Names of the methods that add a value to a map if its key is absent.
const ADDING: [&str; 2] = ["putIfAbsent", "computeIfAbsent"];

impl Heap<'_> {
    /// The value of atomics that are set once, by [`SettersOnce`](Rule::SettersOnce).
    pub(crate) fn once_value(&self, objects: &[ObjectId]) -> Option<OnceValue> {
        if !self.modality.omits(Rule::SettersOnce) {
            return None;
        }
        let known = self.shared.once_values.get_or_init(|| self.find_once_values());
        let mut values = objects.iter().map(|object| known.get(object));
        let first = values.next()??;
        values.all(|value| value == Some(first)).then(|| first.clone())
    }

    /// Whether all these objects are growing maps, by [`SettersOnce`](Rule::SettersOnce).
    pub(crate) fn are_growing_maps(&self, objects: &[ObjectId]) -> bool {
        if !self.modality.omits(Rule::SettersOnce) || objects.is_empty() {
            return false;
        }
        let known = self.shared.growing_maps.get_or_init(|| self.find_growing_maps());
        objects.iter().all(|object| known.contains(object))
    }

    /// Whether all these objects are concurrent maps of the library.
    pub(crate) fn are_concurrent_maps(&self, objects: &[ObjectId]) -> bool {
        let is_map = |class: &str| {
            let attributes = self.library.attributes(class);
            class.ends_with("Map") && attributes.guard() == Guard::Operations && !attributes.has(Attribute::Immutable)
        };
        let is_one = |object: &ObjectId| matches!(self.kind_of(*object), ObjectKind::Library(class) if is_map(class));
        !objects.is_empty() && objects.iter().all(is_one)
    }

    /// Whether a call adds a value to a map if its key is absent.
    pub(crate) fn adds_if_absent(&self, member: Member) -> bool {
        ADDING.contains(&self.program.text(member.name))
    }

    /// Whether a variable of a method certainly has this constant as its value.
    pub(crate) fn has_value(&self, body: &Body, method: MethodId, variable: Variable, value: &Stored) -> bool {
        self.evaluate(body, method, variable, None, 3) == *value
    }

    /// Whether a method gives a truth value or an int.
    pub(crate) fn gives_number(&self, member: Member) -> bool {
        let result = self.program.result_type(member.descriptor);
        matches!(result, Some(java::Type::Boolean | java::Type::Int))
    }

    fn find_once_values(&self) -> FxHashMap<ObjectId, OnceValue> {
        let is_candidate = |object: &ObjectId| match self.kind_of(*object) {
            ObjectKind::Library(class) => ATOMICS.contains(&class) && !self.points.escapes(*object),
            _ => false,
        };
        let candidates = self.points.objects().map(|(object, _)| object).filter(is_candidate);
        let once = |object| {
            let is_flag = matches!(self.kind_of(object), ObjectKind::Library(class) if class == ATOMICS[0]);
            Some((
                object,
                OnceValue { first: self.constructed_value(object)?, is_flag, is_final: true, is_lazy: !is_flag },
            ))
        };
        let mut found: FxHashMap<ObjectId, OnceValue> = candidates.filter_map(once).collect();
        if found.is_empty() {
            return found;
        }
        let mut taken: FxHashSet<ObjectId> = FxHashSet::default();
        let mut using: FxHashSet<(ObjectId, MethodId)> = FxHashSet::default();
        let mut setting: FxHashSet<(ObjectId, MethodId)> = FxHashSet::default();
        self.each_library_call(|body, method, member, arguments| {
            let Some(row) = self.row_of_member(member) else { return };
            let is_changing = row.actions.iter().any(|action| !matches!(action, Action::Gets | Action::Gives(_)));
            for object in self.variable(method, arguments[0]) {
                using.insert((object, method));
                let Some(once) = found.get_mut(&object).filter(|_| is_changing) else { continue };
                let value =
                    |place: &Argument| Some(self.evaluate(body, method, *arguments.get(place.index() + 1)?, None, 3));
                match self.keeps_away(&row, &once.first, value) {
                    None => drop(found.remove(&object)),
                    Some(is_from_first) => {
                        once.is_final &= once.is_flag || is_from_first;
                        if is_from_first {
                            taken.insert(object);
                            setting.insert((object, method));
                            let made = arguments.get(2).map(|new| self.evaluate(body, method, *new, None, 3));
                            once.is_lazy &= made == Some(Stored::Fresh);
                        }
                    }
                }
            }
        });
        found.retain(|object, _| taken.contains(object));
        for (object, _) in using.difference(&setting) {
            if let Some(once) = found.get_mut(object) {
                once.is_lazy = false;
            }
        }
        for once in found.values_mut() {
            once.is_lazy &= once.is_final;
        }
        found
    }

    /// Whether a row sets an atomic from its first value; none if it may set the first value again.
    fn keeps_away(&self, row: &Row<'_>, first: &Stored, value: impl Fn(&Argument) -> Option<Stored>) -> Option<bool> {
        let differs = |new: &Argument| value(new).is_some_and(|new| self.differs(first, &new));
        match row.actions.iter().find(|action| !matches!(action, Action::Keeps { .. } | Action::Gives(_)))? {
            Action::Sets(new) => differs(new).then_some(false),
            Action::GetsAndSets(new) => differs(new).then_some(true),
            Action::ComparesAndSets(pairs) => match &pairs[..] {
                [(expected, _)] if value(expected).as_ref() == Some(first) => Some(true),
                [(_, new)] => differs(new).then_some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a value certainly differs from the first one.
    fn differs(&self, first: &Stored, value: &Stored) -> bool {
        match (first, value) {
            (Stored::Null, Stored::Null | Stored::Unknown | Stored::Parameter(_) | Stored::Field(_)) => false,
            (Stored::Null, _) => true,
            (Stored::Int(one), Stored::Int(other)) => one != other,
            (Stored::Static(one), Stored::Static(other)) => one != other,
            (Stored::Static(_), Stored::Null | Stored::Fresh) => true,
            _ => false,
        }
    }

    /// The constant with which the program makes an atomic.
    fn constructed_value(&self, object: ObjectId) -> Option<Stored> {
        let Object::Made { site, .. } = self.points.object(object) else { return None };
        let body = self.body(site.method)?;
        let made = body.statement(site.statement).to?;
        let mut found = None;
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            let Operation::Invoke { kind: InvokeKind::Special, member, arguments } = &statement.operation else {
                continue;
            };
            if arguments.first() != Some(&made) {
                continue;
            }
            let value = match arguments[..] {
                [_] if self.program.text(member.class).ends_with("AtomicReference") => Stored::Null,
                [_] => Stored::Int(0),
                [_, initial] => self.evaluate(&body, site.method, initial, None, 3),
                _ => return None,
            };
            let is_constant = matches!(value, Stored::Null | Stored::Int(_) | Stored::Static(_));
            if !is_constant || found.replace(value.clone()).is_some_and(|known| known != value) {
                return None;
            }
        }
        found
    }

    fn find_growing_maps(&self) -> FxHashSet<ObjectId> {
        let is_candidate = |object: &ObjectId| self.are_concurrent_maps(&[*object]) && !self.points.escapes(*object);
        let candidates = self.points.objects().map(|(object, _)| object).filter(is_candidate);
        let mut found: FxHashSet<ObjectId> = candidates.collect();
        if found.is_empty() {
            return found;
        }
        self.each_library_call(|_, method, member, arguments| {
            let is_writing = self.row_of_member(member).is_none_or(|row| row.writes_state());
            if !is_writing || self.adds_if_absent(member) || self.program.is_constructor_name(member.name) {
                return;
            }
            for object in self.variable(method, arguments[0]) {
                found.remove(&object);
                if let ObjectKind::View(base, _) = self.kind_of(object) {
                    found.remove(&base);
                }
            }
        });
        found
    }

    /// Visits the calls of methods of library objects in reached methods of the program.
    fn each_library_call(&self, mut visit: impl FnMut(&Body, MethodId, Member, &[Variable])) {
        let methods = self.program.methods().map(|(method, _)| method);
        for method in methods.filter(|method| self.points.is_reached(*method)) {
            let Some(body) = self.body(method) else { continue };
            for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
                let Operation::Invoke { kind, member, arguments } = &statement.operation else { continue };
                let is_of_library = *kind != InvokeKind::Static
                    && !self.program.is_constructor_name(member.name)
                    && self.program.resolve_method(*member).found().is_none();
                if is_of_library && !arguments.is_empty() {
                    visit(&body, method, *member, arguments);
                }
            }
        }
    }
}
