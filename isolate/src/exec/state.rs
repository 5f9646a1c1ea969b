//! Abstract states: facts at a point of a method.

use crate::facts::terms::{Pair, Relation, TermId, Terms};
use crate::value::{Location, Lock, RegionId, SetId, Value};
use eml::model::Mode;
use java::FieldId;
use java::ir::Variable;

/// A lock or monitor that a method holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum HeldLock {
    /// A monitor of the model.
    Monitor(Lock),
    /// The monitor of an object that is not followed, as far as known, held by this variable. It is no lock of the
    /// model.
    Unmodelled(Variable),
    /// A lock of `java.util.concurrent.locks`, or an object used like one.
    Explicit(Lock, Mode),
}

/// An optimistic read of a stamped lock, from taking the stamp to its validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OptimisticRead {
    pub(crate) stamp: Variable,
    /// The side of the lock that the reads are given.
    pub(crate) side: (Lock, Mode),
    /// Whether no writer came in between.
    pub(crate) is_valid: bool,
}

/// The facts at a point.
///
/// **Invariant.** Every execution that reaches the point with the same choices has values that the state's values
/// describe. A variable that is not listed has [`Value::Any`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The values of live variables; sorted.
    values: Vec<(Variable, Value)>,
    /// The locks that are held, the innermost last.
    pub(crate) held: Vec<HeldLock>,
    /// The callers' locks that are released here, in this order.
    pub(crate) released: Vec<HeldLock>,
    /// In a constructor, the values of the unchanging fields of its object; sorted.
    pub(crate) fields: Vec<(FieldId, Value)>,
    /// The values of unchanging fields that were loaded; sorted.
    loaded: Vec<(TermId, Value)>,
    /// Relations of terms; sorted.
    relations: Vec<(Pair, Relation)>,
    /// Optimistic reads that are not validated yet.
    pub(crate) optimistic: Vec<OptimisticRead>,
    /// Fields that are set once and that the thread has found set, each of an object or static; sorted.
    settled: Vec<(Option<RegionId>, FieldId)>,
    /// Atomics whose final value the thread has set; sorted.
    own_contents: Vec<RegionId>,
    /// Atomics whose final value the thread has found or set; sorted.
    settled_contents: Vec<RegionId>,
    /// Variables with objects read from locations that some method compares and sets; the flag says whether the read is
    /// moved to the compare-and-set. In findings only.
    found: Vec<(Variable, Location, bool)>,
    /// In a constructor of the subject's object, whether others may have the object; client mode.
    pub(crate) is_published: bool,
    /// Whether control depends on data read from the subject; program mode.
    pub(crate) has_tested_derived: bool,
    /// Whether a value computed from such data was stored; program mode.
    pub(crate) has_stored_derived: bool,
}

impl State {
    /// Notes that a field that is set once is set.
    pub(crate) fn settle(&mut self, place: (Option<RegionId>, FieldId)) {
        if let Err(at) = self.settled.binary_search(&place) {
            self.settled.insert(at, place);
        }
    }

    /// Whether the thread has found a field set that is set once.
    pub(crate) fn is_settled(&self, place: (Option<RegionId>, FieldId)) -> bool {
        self.settled.binary_search(&place).is_ok()
    }

    /// Notes that a variable has an object read from a location.
    pub(crate) fn note_found(&mut self, variable: Variable, location: Location, is_moved: bool) {
        self.found.retain(|(of, ..)| *of != variable);
        self.found.push((variable, location, is_moved));
        self.found.sort_unstable();
    }

    /// Whether a variable has an object read from this location, and whether this read is moved.
    pub(crate) fn found_in(&self, variable: Variable, location: Location) -> Option<bool> {
        let is_it = |(of, from, _): &&(Variable, Location, bool)| (*of, *from) == (variable, location);
        self.found.iter().find(is_it).map(|(.., is_moved)| *is_moved)
    }

    /// Whether a variable has an object read from a location that some method compares and sets.
    pub(crate) fn is_found(&self, variable: Variable) -> bool {
        self.found.iter().any(|(of, ..)| *of == variable)
    }

    /// Notes that a variable gets the object of another one.
    pub(crate) fn copy_found(&mut self, from: Variable, to: Variable) {
        let known = self.found.iter().find(|(of, ..)| *of == from).copied();
        self.found.retain(|(of, ..)| *of != to);
        if let Some((_, location, is_moved)) = known {
            self.note_found(to, location, is_moved);
        }
    }

    /// Forgets reads from a location.
    pub(crate) fn forget_found(&mut self, location: Location) {
        self.found.retain(|(_, from, _)| *from != location);
    }

    /// Notes that an atomic has its final value.
    pub(crate) fn settle_content(&mut self, region: RegionId) {
        if let Err(at) = self.settled_contents.binary_search(&region) {
            self.settled_contents.insert(at, region);
        }
    }

    /// Notes that the thread has set an atomic.
    pub(crate) fn set_content(&mut self, region: RegionId) {
        if let Err(at) = self.own_contents.binary_search(&region) {
            self.own_contents.insert(at, region);
        }
    }

    /// The atomics that the thread has set.
    pub(crate) fn own_contents(&self) -> &[RegionId] {
        &self.own_contents
    }

    /// Whether the thread has found an atomic with its final value.
    pub(crate) fn is_settled_content(&self, region: RegionId) -> bool {
        self.settled_contents.binary_search(&region).is_ok()
    }

    /// The value of a variable.
    pub(crate) fn value(&self, variable: Variable) -> Value {
        match self.values.binary_search_by_key(&variable, |(of, _)| *of) {
            Ok(place) => self.values[place].1,
            Err(_) => Value::Any,
        }
    }

    /// Assigns a value to a variable; forgets facts about terms with the variable.
    pub(crate) fn assign(&mut self, terms: &Terms, variable: Variable, value: Value) {
        self.relations.retain(|((one, other), _)| !terms.has(*one, variable) && !terms.has(*other, variable));
        self.loaded.retain(|(term, _)| !terms.has(*term, variable));
        self.set(variable, value);
    }

    /// Refines the value of a variable.
    pub(crate) fn set(&mut self, variable: Variable, value: Value) {
        match (self.values.binary_search_by_key(&variable, |(of, _)| *of), value) {
            (Ok(place), Value::Any) => drop(self.values.remove(place)),
            (Ok(place), value) => self.values[place].1 = value,
            (Err(_), Value::Any) => {}
            (Err(place), value) => self.values.insert(place, (variable, value)),
        }
    }

    /// Forgets all variables except live ones.
    pub(crate) fn retain(&mut self, is_live: impl Fn(Variable) -> bool) {
        self.values.retain(|(variable, _)| is_live(*variable));
        self.optimistic.retain(|read| is_live(read.stamp));
        self.found.retain(|(variable, ..)| is_live(*variable));
        self.renumber();
    }

    /// The value of an unchanging field from an earlier load.
    pub(super) fn known_load(&self, term: TermId) -> Option<Value> {
        self.loaded.iter().find(|(known, _)| *known == term).map(|(_, value)| *value)
    }

    /// Remembers the value of a load of an unchanging field.
    pub(super) fn remember_load(&mut self, term: TermId, value: Value) {
        if let Err(place) = self.loaded.binary_search_by_key(&term, |(known, _)| *known) {
            self.loaded.insert(place, (term, value));
        }
    }

    /// Forgets loads of terms with variables that are dead.
    pub(super) fn retain_loads(&mut self, is_live: impl Fn(TermId) -> bool) {
        self.loaded.retain(|(term, _)| is_live(*term));
    }

    /// Forgets relations of terms with variables that are dead.
    pub(super) fn retain_relations(&mut self, is_live: impl Fn(Pair) -> bool) {
        self.relations.retain(|(pair, _)| is_live(*pair));
    }

    /// Replaces a value in all variables and fields.
    pub(crate) fn replace(&mut self, old: Value, new: Value) {
        let fields = self.fields.iter_mut().map(|(_, value)| value);
        let loaded = self.loaded.iter_mut().map(|(_, value)| value);
        for value in self.values.iter_mut().map(|(_, value)| value).chain(fields).chain(loaded) {
            if *value == old {
                *value = new;
            }
        }
        self.values.retain(|(_, value)| *value != Value::Any);
    }

    /// All values.
    pub(super) fn all_values(&self) -> impl Iterator<Item = Value> {
        let fields = self.fields.iter().map(|(_, value)| *value);
        let loaded = self.loaded.iter().map(|(_, value)| *value);
        self.values.iter().map(|(_, value)| *value).chain(fields).chain(loaded)
    }

    /// A value that a case split resolves when it is used.
    pub(crate) fn unresolved(&self, of: SetId) -> Value {
        let is_free =
            |number: &u32| !self.all_values().any(|value| matches!(value, Value::Open(_, it) if it == *number));
        Value::Open(of, (0..).find(is_free).expect("there are fewer values than numbers"))
    }

    /// An object whose constructor has not run.
    pub(crate) fn fresh(&self) -> Value {
        let is_free = |number: &u32| !self.all_values().any(|value| value == Value::Fresh(*number));
        Value::Fresh((0..).find(is_free).expect("there are fewer values than numbers"))
    }

    /// Renumbers unresolved values in order of occurrence, so that states that differ only in numbers are equal.
    fn renumber(&mut self) {
        let mut known: Vec<u32> = Vec::new();
        let fields = self.fields.iter_mut().map(|(_, value)| value);
        let loaded = self.loaded.iter_mut().map(|(_, value)| value);
        for value in self.values.iter_mut().map(|(_, value)| value).chain(fields).chain(loaded) {
            if let Value::Open(_, number) = value {
                let place = known.iter().position(|it| it == number).unwrap_or_else(|| {
                    known.push(*number);
                    known.len() - 1
                });
                *number = u32::try_from(place).expect("there are few");
            }
        }
    }

    /// The known relation of two terms.
    pub(crate) fn relation(&self, terms: &Terms, pair: Pair) -> Relation {
        let known = self.relations.iter().find(|(known, _)| *known == pair).map_or(Relation::ANY, |(_, it)| *it);
        known.and(terms.always(pair))
    }

    /// Sets the relation of two terms.
    pub(super) fn relate(&mut self, pair: Pair, relation: Relation) {
        match self.relations.binary_search_by_key(&pair, |(known, _)| *known) {
            Ok(place) => self.relations[place].1 = relation,
            Err(place) => self.relations.insert(place, (pair, relation)),
        }
    }
}
