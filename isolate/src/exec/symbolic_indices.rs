//! Symbolic indices: elements of arrays that are locked one by one (lock striping).
//!
//! If elements of an array are locks and all elements were one location, no lock would guard it. So two arbitrary,
//! different indices K and L are followed: a pattern has at most two locations, so every violation concerns elements at
//! two indices. Before an int variable that indexes an array is used, it is split into cases: K, L, or *elsewhere*.
//! Values computed from it are [expressions](Number) over K and L, array lengths and unchanging fields; the element of
//! an array of locks at such a number is a lock of its own ([`Value::Element`]). Elements elsewhere are not followed,
//! and their locks are unknown.
//!
//! **Invariant.** If an execution accesses an element at K or L, the model accesses its location; a lock that the model
//! holds at a number is held in the execution as the element at that number. *Why it suffices.* An array of locks keeps
//! its elements ([`arrays`](crate::facts::arrays)), and numbers and lengths have one value in an execution: equal
//! expressions are one lock. Two expressions that are equal only by chance are one lock with two names, which adds
//! interleavings. A variable that is split twice covers all cases each time.

use super::context::Steps;
use super::execution::Position;
use super::interpreter::Interpreter;
use super::numbers::{Counter, ElementPlace, Number};
use super::state::State;
use crate::Stuck;
use crate::graph::Step;
use crate::value::{Location, Lock, NumberId, RegionId, SymbolicIndex, Value};
use java::ir::{Statement, Variable};
use java::{FieldId, Operator};

/// Maximum depth of expressions.
const DEEPEST: usize = 6;

impl Interpreter<'_> {
    /// The cases of the first operand that indexes an array and is not split yet; none if there is no such operand.
    pub(super) fn index_cases(&mut self, at: Position<'_>, operands: &[Variable], state: &State) -> Option<Vec<State>> {
        if !self.mode.has_indices {
            return None;
        }
        let method = self.contexts[at.id.index()].method;
        let is_open = |operand: &&Variable| match state.value(**operand) {
            Value::Any | Value::Derived | Value::Int(_) => true,
            value => self.counter(value).is_some_and(|counter| counter.at.is_none()),
        };
        let open: Vec<Variable> = operands.iter().filter(is_open).copied().collect();
        let index = open.into_iter().find(|operand| self.is_index(method, *operand))?;
        let unknown = Counter { at: None, past: [false; 2], is_valid: false };
        let cases = self.counter(state.value(index)).unwrap_or(unknown).cases();
        let term = at.code.terms.of(index);
        let is_shared = at.code.terms.is_shared(term);
        let states = cases.into_iter().map(|case| {
            let mut state = state.clone();
            let number = Value::Number(self.indices.id(case.number()));
            state.set(index, number);
            if is_shared {
                state.remember_load(term, number);
            }
            state
        });
        Some(states.collect())
    }

    /// The number of an expression that was split into cases where another variable had it: `locks[h & 15]`, then
    /// `table[h & 15]`.
    pub(super) fn known_index(&self, at: Position<'_>, state: &State, statement: &Statement) -> Option<Value> {
        state.known_load(at.code.terms.of(statement.to?)).filter(|value| matches!(value, Value::Number(_)))
    }

    /// The value as an index that may count up.
    fn counter(&self, value: Value) -> Option<Counter> {
        let Value::Number(number) = value else { return None };
        match self.indices.number(number) {
            Number::Index(which) => Some(Counter::decided(Some(which))),
            Number::Elsewhere => Some(Counter::decided(None)),
            Number::Counter(counter) => Some(counter),
            Number::Int(_) | Number::Length(_) | Number::Held(..) | Number::Binary(..) => None,
        }
    }

    /// Notes that an array was accessed at an index, so that the index is less than a length.
    pub(super) fn note_valid_index(&mut self, state: &mut State, index: Variable) {
        if let Some(counter) = self.counter(state.value(index)).filter(|counter| counter.at.is_some()) {
            let valid = Counter { is_valid: true, ..counter };
            state.set(index, Value::Number(self.indices.id(valid.number())));
        }
    }

    /// Joins a value at a control-flow join: a number keeps only the followed indices that it has passed.
    pub(super) fn join_number(&mut self, value: Value) -> Value {
        let Value::Number(_) = value else { return value };
        match self.counter(value).filter(|counter| counter.past.contains(&true)) {
            Some(counter) => {
                let counter = Counter { at: None, is_valid: false, ..counter };
                Value::Number(self.indices.id(counter.number()))
            }
            None => Value::Any,
        }
    }

    /// The successor of an index at which an array was accessed.
    fn incremented(&mut self, operator: Operator, values: [Value; 2]) -> Option<Value> {
        let index = match (operator, values) {
            (Operator::Add, [index, Value::Int(1)] | [Value::Int(1), index]) => index,
            _ => return None,
        };
        let next = self.counter(index)?.next()?;
        Some(Value::Number(self.indices.id(next.number())))
    }

    /// The number of an abstract value.
    fn number_of(&mut self, value: Value) -> Option<NumberId> {
        match value {
            Value::Number(number) => match self.indices.number(number) {
                Number::Counter(counter) => Some(self.indices.id(counter.at?.map_or(Number::Elsewhere, Number::Index))),
                _ => Some(number),
            },
            Value::Int(number) => Some(self.indices.id(Number::Int(number))),
            _ => None,
        }
    }

    /// The result of a binary operation on numbers, if it has one value in each execution.
    pub(super) fn binary_number(&mut self, operator: Operator, values: [Value; 2]) -> Option<Value> {
        if !self.mode.has_indices {
            return None;
        }
        if let Some(incremented) = self.incremented(operator, values) {
            return Some(incremented);
        }
        let [one, other] = values.map(|value| self.number_of(value));
        let (one, other) = (one?, other?);
        let elsewhere = self.indices.id(Number::Elsewhere);
        let are_constant = [one, other].iter().all(|id| matches!(self.indices.number(*id), Number::Int(_)));
        let depth = self.indices.depth(one).max(self.indices.depth(other));
        if one == elsewhere || other == elsewhere || are_constant || depth >= DEEPEST {
            return None;
        }
        Some(Value::Number(self.indices.id(Number::Binary(operator, one, other))))
    }

    /// The length of an array.
    pub(super) fn length_of(&mut self, array: Value) -> Option<Value> {
        match array {
            Value::Region(region) if self.mode.has_indices => {
                Some(Value::Number(self.indices.id(Number::Length(region))))
            }
            _ => None,
        }
    }

    /// The number in an unchanging field.
    pub(super) fn field_number(&mut self, region: RegionId, field: FieldId) -> Option<Value> {
        self.mode.has_indices.then(|| Value::Number(self.indices.id(Number::Held(region, field))))
    }

    /// The cases of an element access with this index.
    pub(super) fn element_places(&mut self, state: &State, index: Variable) -> Vec<ElementPlace> {
        if !self.mode.has_indices {
            return vec![ElementPlace::All];
        }
        let anywhere = || {
            vec![
                ElementPlace::At(SymbolicIndex::First),
                ElementPlace::At(SymbolicIndex::Second),
                ElementPlace::Elsewhere,
            ]
        };
        match self.counter(state.value(index)).and_then(|counter| counter.at) {
            Some(Some(which)) => vec![ElementPlace::At(which)],
            Some(None) => vec![ElementPlace::Elsewhere],
            None => anywhere(),
        }
    }

    /// The locations of the content of a region; for an array, its followed elements. An access to a whole array visits
    /// the elements in an unknown order; as K and L are any two indices, either order is the order of some pair.
    pub(crate) fn content_locations(&mut self, region: RegionId) -> Vec<Location> {
        let objects = &self.regions.aliases[self.regions.alias(region).index()].objects;
        let is_array = !objects.is_empty() && objects.iter().all(|object| self.heap.is_array(*object));
        match self.mode.has_indices && is_array {
            true => {
                [SymbolicIndex::First, SymbolicIndex::Second].map(|which| self.element_location(region, which)).into()
            }
            false => vec![self.content_location(region)],
        }
    }

    /// The location of an element.
    pub(super) fn element_location(&mut self, region: RegionId, which: SymbolicIndex) -> Location {
        let alias = self.regions.alias(region);
        if self.regions.is_deep(alias) {
            return Location::Deep;
        }
        self.indices.at_index.insert(alias);
        Location::Element(alias, which)
    }

    /// The element of an array of locks at an index, as a lock of its own. None if the array does not hold locks or
    /// does not keep its elements.
    pub(super) fn lock_at(&mut self, state: &State, region: RegionId, index: Variable) -> Option<Value> {
        if !self.mode.has_indices || !self.holds_locks(region) || !self.keeps_elements(region) {
            return None;
        }
        let number = self.number_of(state.value(index));
        let elsewhere = self.indices.id(Number::Elsewhere);
        match number.filter(|number| *number != elsewhere) {
            Some(number) => Some(Value::Element(region, number)),
            None => Some(Value::Other),
        }
    }

    /// The element at an index of an array whose elements are held by it alone, each at one index: at K the
    /// representative of their class, as K may be any index; at L and elsewhere another object, of which only the
    /// monitor is known, as that of the element at L. The representative is reached from the subject through this array
    /// only, so it stays at one of its indices.
    pub(super) fn owned_element(&mut self, region: RegionId, place: ElementPlace) -> Option<Value> {
        if place == ElementPlace::All {
            return None;
        }
        let element = self.owned_elements(region)?;
        Some(match place {
            ElementPlace::At(SymbolicIndex::First) => Value::Region(self.regions.representative(element)),
            ElementPlace::At(which) => Value::Element(region, self.indices.id(Number::Index(which))),
            ElementPlace::All | ElementPlace::Elsewhere => Value::Other,
        })
    }

    /// The element at an index of a [table of parts](crate::facts::element_parts), if it is not followed.
    pub(super) fn part_at(&self, region: RegionId, place: ElementPlace) -> Option<Value> {
        let is_followed = match place {
            ElementPlace::Elsewhere | ElementPlace::At(SymbolicIndex::Second) => false,
            ElementPlace::All | ElementPlace::At(SymbolicIndex::First) => true,
        };
        (!is_followed && self.is_table_of_parts(region)).then_some(Value::Other)
    }

    /// The element of an array that is certainly not followed: never a followed object, if the followed array of its
    /// kind owns its elements as in [`Self::owned_element`].
    pub(super) fn unfollowed_array_element(&mut self, at: Position<'_>, array: Variable) -> Option<Value> {
        let arrays = self.heap.variable(self.contexts[at.id.index()].method, array);
        let alias = self.regions.alias_of_all(&self.heap, &arrays)?;
        let region = self.regions.regions.iter().position(|region| region.alias == alias)?;
        self.owned_elements(RegionId(u16::try_from(region).ok()?)).map(|_| Value::Other)
    }

    /// Checks that no array is accessed both at a symbolic index and as a whole in a way that does not distinguish
    /// elements.
    ///
    /// # Errors
    /// With the path of such an array.
    pub(crate) fn check_array_accesses(&self) -> Result<(), Stuck> {
        let mixed = self.indices.at_index.iter().find(|alias| self.indices.as_whole.contains(alias));
        match mixed {
            Some(alias) => Err(Stuck::Elements { path: format!("this.{}", self.regions.aliases[alias.index()].path) }),
            None => Ok(()),
        }
    }

    /// Checks that no elements of arrays or collections are locked: nothing is known about which other elements such a
    /// lock guards.
    ///
    /// # Errors
    /// With the path of the elements.
    pub(crate) fn check_element_locks(&self) -> Result<(), Stuck> {
        let is_element = |region: RegionId| {
            let info = &self.regions.regions[region.index()];
            info.anchor.is_none() && self.regions.aliases[info.alias.index()].path.ends_with("[]")
        };
        let steps = self
            .contexts
            .iter()
            .flat_map(|context| context.trees.iter().flatten())
            .filter_map(|branch| branch.steps.as_ref());
        let locked = steps.filter_map(|steps| match steps {
            Steps::One(Step::Acquire(Lock::Monitor(region) | Lock::Explicit(region), _)) => Some(*region),
            _ => None,
        });
        match { locked }.find(|region| is_element(*region)) {
            Some(region) => Err(Stuck::Elements { path: self.regions.regions[region.index()].name.clone() }),
            None => Ok(()),
        }
    }
}
