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
//! its elements ([`keeps_elements`](Interpreter::keeps_elements)), and numbers and lengths have one value in an
//! execution: equal expressions are one lock. Two expressions that are equal only by chance are one lock with two
//! names, which adds interleavings. A variable that is split twice covers all cases each time.

use super::context::Steps;
use super::execution::Position;
use super::interpreter::Interpreter;
use super::state::State;
use crate::Stuck;
use crate::facts::heap::Heap;
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::{AliasId, Location, Lock, NumberId, RegionId, SymbolicIndex, Value};
use java::ir::{Body, Definition, Operation, Variable};
use java::library::{Action, Attribute, Subject};
use java::points_to::{Field, ObjectId};
use java::{FieldId, InvokeKind, MethodId, Operator, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// An expression with one value in each execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    /// A followed index.
    Index(SymbolicIndex),
    /// An index that is not followed.
    Elsewhere,
    /// An index that has passed followed indices.
    Counter(Counter),
    Int(i32),
    /// The length of an array.
    Length(RegionId),
    /// The value of an unchanging field of a region.
    Held(RegionId, FieldId),
    Binary(Operator, NumberId, NumberId),
}

/// An index that counts up: it is greater than the followed indices that it has passed, so it does not reach them
/// again.
///
/// *Why it suffices.* An index at which an array was accessed is less than the array's length, so adding a positive
/// number without overflow gives a greater number; if an array is accessed between any two additions of one, none of
/// them overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Counter {
    /// Where it is, if that is decided: at a followed index, or elsewhere.
    at: Option<Option<SymbolicIndex>>,
    /// Whether it was at the followed indices before.
    past: [bool; 2],
    /// Whether an array was accessed at the present index.
    is_valid: bool,
}

impl Counter {
    fn decided(at: Option<SymbolicIndex>) -> Self {
        Self { at: Some(at), past: [false; 2], is_valid: false }
    }

    /// The simplest number with this information.
    fn number(self) -> Number {
        match (self.at, self.past, self.is_valid) {
            (Some(Some(which)), [false, false], false) => Number::Index(which),
            (Some(None), [false, false], false) => Number::Elsewhere,
            _ => Number::Counter(self),
        }
    }

    /// The cases of a split: the followed indices not yet passed, and elsewhere.
    fn cases(self) -> Vec<Self> {
        let is_new = |at: &Option<SymbolicIndex>| at.is_none_or(|which| !self.past[which as usize]);
        let cases = [Some(SymbolicIndex::First), Some(SymbolicIndex::Second), None].into_iter().filter(is_new);
        cases.map(|at| Self { at: Some(at), is_valid: false, ..self }).collect()
    }

    /// The index plus one, if an array was accessed at the index and a followed index has been passed.
    fn next(self) -> Option<Self> {
        let at = self.at.filter(|_| self.is_valid)?;
        let mut past = self.past;
        if let Some(which) = at {
            past[which as usize] = true;
        }
        past.contains(&true).then_some(Self { at: None, past, is_valid: false })
    }
}

/// Maximum depth of expressions.
const DEEPEST: usize = 6;

/// Interned numbers, and facts about arrays and methods.
#[derive(Debug, Default)]
pub(crate) struct SymbolicIndices {
    numbers: Vec<Number>,
    ids: FxHashMap<Number, NumberId>,
    /// For each method, the variables that index followed arrays.
    indices: FxHashMap<MethodId, FxHashSet<Variable>>,
    /// Whether arrays keep their elements.
    keeps: FxHashMap<RegionId, bool>,
    /// Whether each element is allocated for its place in the array.
    fills_once: FxHashMap<RegionId, bool>,
    /// Arrays that are accessed at an index, and arrays that are accessed as a whole.
    pub(crate) at_index: FxHashSet<AliasId>,
    pub(crate) as_whole: FxHashSet<AliasId>,
}

impl SymbolicIndices {
    fn id(&mut self, number: Number) -> NumberId {
        if let Some(known) = self.ids.get(&number) {
            return *known;
        }
        let id = NumberId(u32::try_from(self.numbers.len()).expect("the number of states is bounded"));
        self.numbers.push(number);
        self.ids.insert(number, id);
        id
    }

    fn number(&self, id: NumberId) -> Number {
        self.numbers[id.0 as usize]
    }

    fn depth(&self, id: NumberId) -> usize {
        // The recursion ends, as the depth of numbers is bounded.
        match self.number(id) {
            Number::Binary(_, one, other) => 1 + self.depth(one).max(self.depth(other)),
            Number::Index(_) | Number::Elsewhere | Number::Counter(_) => 0,
            Number::Int(_) | Number::Length(_) | Number::Held(..) => 0,
        }
    }
}

/// The case of an element access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementPlace {
    /// Elements are not distinguished.
    All,
    /// At a followed index.
    At(SymbolicIndex),
    /// At another index.
    Elsewhere,
}

impl Interpreter<'_> {
    /// The cases of the first operand that indexes an array and is not split yet; none if there is no such operand.
    pub(crate) fn index_cases(&mut self, at: Position<'_>, operands: &[Variable], state: &State) -> Option<Vec<State>> {
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
        let states = cases.into_iter().map(|case| {
            let mut state = state.clone();
            state.set(index, Value::Number(self.indices.id(case.number())));
            state
        });
        Some(states.collect())
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
    pub(crate) fn note_valid_index(&mut self, state: &mut State, index: Variable) {
        if let Some(counter) = self.counter(state.value(index)).filter(|counter| counter.at.is_some()) {
            let valid = Counter { is_valid: true, ..counter };
            state.set(index, Value::Number(self.indices.id(valid.number())));
        }
    }

    /// Joins a value at a control-flow join: a number keeps only the followed indices that it has passed.
    pub(crate) fn join_number(&mut self, value: Value) -> Value {
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

    /// Whether a method uses a variable as an index of a followed array, or passes it to a method that does.
    fn is_index(&mut self, method: MethodId, variable: Variable) -> bool {
        if !self.indices.indices.contains_key(&method) {
            let found = self.indices_of(method);
            self.indices.indices.insert(method, found);
        }
        self.indices.indices[&method].contains(&variable)
    }

    fn indices_of(&mut self, method: MethodId) -> FxHashSet<Variable> {
        // A recursive query during the computation finds no indices.
        self.indices.indices.insert(method, FxHashSet::default());
        let Some(body) = self.heap.body(method) else { return FxHashSet::default() };
        let mut found = FxHashSet::default();
        for (_, block) in body.blocks() {
            for statement in &*block.statements {
                match &statement.operation {
                    Operation::LoadElement { array, index, .. } | Operation::StoreElement { array, index, .. } => {
                        let arrays = self.heap.variable(method, *array);
                        if arrays.into_iter().any(|array| self.may_be_followed(array)) {
                            found.insert(*index);
                        }
                    }
                    Operation::Invoke { member, arguments, kind } if *kind != InvokeKind::Interface => {
                        found.extend(self.index_arguments(*member, arguments));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// The arguments that a program method uses as indices.
    fn index_arguments(&mut self, member: java::Member, arguments: &[Variable]) -> Vec<Variable> {
        let Some(callee) = self.heap.program.resolve_method(member).found() else { return Vec::new() };
        let Some(body) = self.heap.body(callee) else { return Vec::new() };
        let parameters: Vec<(Variable, Variable)> =
            body.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        let is_int = |parameter: Variable| !body.variable(parameter).of.is_some_and(Type::is_reference);
        parameters
            .into_iter()
            .filter(|(parameter, _)| is_int(*parameter) && self.is_index(callee, *parameter))
            .map(|(_, argument)| argument)
            .collect()
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
    pub(crate) fn binary_number(&mut self, operator: Operator, values: [Value; 2]) -> Option<Value> {
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
    pub(crate) fn length_of(&mut self, array: Value) -> Option<Value> {
        match array {
            Value::Region(region) if self.mode.has_indices => {
                Some(Value::Number(self.indices.id(Number::Length(region))))
            }
            _ => None,
        }
    }

    /// The number in an unchanging field.
    pub(crate) fn field_number(&mut self, region: RegionId, field: FieldId) -> Option<Value> {
        self.mode.has_indices.then(|| Value::Number(self.indices.id(Number::Held(region, field))))
    }

    /// The cases of an element access with this index.
    pub(crate) fn element_places(&mut self, state: &State, index: Variable) -> Vec<ElementPlace> {
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
    pub(crate) fn element_location(&mut self, region: RegionId, which: SymbolicIndex) -> Location {
        let alias = self.regions.alias(region);
        if self.regions.is_deep(alias) {
            return Location::Deep;
        }
        self.indices.at_index.insert(alias);
        Location::Element(alias, which)
    }

    /// The element of an array of locks at an index, as a lock of its own. None if the array does not hold locks or
    /// does not keep its elements.
    pub(crate) fn lock_at(&mut self, state: &State, region: RegionId, index: Variable) -> Option<Value> {
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
    /// representative of their class, as K may be any index; elsewhere another object. The representative is reached
    /// from the subject through this array only, so it stays at one of its indices.
    pub(crate) fn owned_element(&mut self, region: RegionId, place: ElementPlace) -> Option<Value> {
        if place == ElementPlace::All {
            return None;
        }
        let element = self.owned_elements(region)?;
        Some(match place == ElementPlace::At(SymbolicIndex::First) {
            true => Value::Region(self.regions.representative(element)),
            false => Value::Other,
        })
    }

    /// The element of an array that is certainly not followed: never a followed object, if the followed array of its
    /// kind owns its elements as in [`Self::owned_element`].
    pub(crate) fn unfollowed_array_element(&mut self, at: Position<'_>, array: Variable) -> Option<Value> {
        let arrays = self.heap.variable(self.contexts[at.id.index()].method, array);
        let alias = self.regions.alias_of_all(&self.heap, &arrays)?;
        let region = self.regions.regions.iter().position(|region| region.alias == alias)?;
        self.owned_elements(RegionId(u16::try_from(region).ok()?)).map(|_| Value::Other)
    }

    /// The alias class of the elements of an array that holds them alone, each at one index for ever.
    fn owned_elements(&mut self, region: RegionId) -> Option<AliasId> {
        let array = self.regions.alias(region);
        if !self.mode.has_indices || !self.is_only_array(region) || !self.keeps_elements(region) {
            return None;
        }
        let held = self.field_objects(region, Field::Content);
        let element = self.regions.alias_of_all(&self.heap, &held)?;
        let is_own = self.regions.sources(element).eq([&(array, Field::Content)]);
        (is_own && self.fills_once(region)).then_some(element)
    }

    /// Whether the arrays of an alias class are reached from the subject by exactly one unchanging field.
    fn is_only_array(&self, region: RegionId) -> bool {
        let mut sources = self.regions.sources(self.regions.alias(region));
        let anchor = self.regions.regions[region.index()].anchor;
        let is_it = |(holder, by): &&(AliasId, Field)| {
            anchor
                == Some((
                    RegionId::SUBJECT,
                    *match by {
                        Field::Declared(by) => by,
                        Field::Content | Field::Captured(_) => return false,
                    },
                ))
                && *holder == self.regions.alias(RegionId::SUBJECT)
        };
        sources.next().is_some_and(|source| is_it(&source)) && sources.next().is_none()
    }

    /// Whether each object stored in an array is allocated for that place: each store is in the block of the
    /// allocation, and the object is stored in no other place.
    fn fills_once(&mut self, region: RegionId) -> bool {
        if let Some(known) = self.indices.fills_once.get(&region) {
            return *known;
        }
        let arrays = self.regions.aliases[self.regions.alias(region).index()].objects.clone();
        let heap = &self.heap;
        let fills = heap.program.methods().all(|(method, declared)| {
            !declared.has_code() || !heap.points.is_reached(method) || puts_new(heap, method, &arrays)
        });
        self.indices.fills_once.insert(region, fills);
        fills
    }

    /// Whether all elements of an array are objects without content visible to threads: locks.
    fn holds_locks(&self, region: RegionId) -> bool {
        let held = self.field_objects(region, java::points_to::Field::Content);
        let is_lock = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::Library(class) => {
                class == "java/lang/Object" || self.heap.library.attributes(class).has(Attribute::Lock)
            }
            _ => false,
        };
        !held.is_empty() && held.iter().all(is_lock)
    }

    /// Whether elements are stored into an array only where it is created, by constructors and initializers, before
    /// others have it.
    fn keeps_elements(&mut self, region: RegionId) -> bool {
        if let Some(known) = self.indices.keeps.get(&region) {
            return *known;
        }
        let alias = self.regions.alias(region);
        let arrays = self.regions.aliases[alias.index()].objects.clone();
        let is_made = |object: &ObjectId| matches!(self.heap.kind_of(*object), ObjectKind::Array);
        let keeps = self.regions.regions[region.index()].anchor.is_some()
            && arrays.iter().all(is_made)
            && self.heap.program.methods().all(|(method, declared)| {
                !declared.has_code() || !self.heap.points.is_reached(method) || puts_none(&self.heap, method, &arrays)
            });
        self.indices.keeps.insert(region, keeps);
        keeps
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

/// Whether a method stores nothing into these arrays, except for constructors and initializers that fill a new array.
fn puts_none(heap: &Heap<'_>, method: MethodId, arrays: &[ObjectId]) -> bool {
    let Some(body) = heap.body(method) else { return false };
    let may_be = |variable: Variable| heap.variable(method, variable).iter().any(|object| arrays.contains(object));
    let name = heap.program.text(heap.program.method(method).name);
    let is_beginning = name == "<init>" || name == "<clinit>";
    body.blocks().flat_map(|(_, block)| &*block.statements).all(|statement| match &statement.operation {
        Operation::StoreElement { array, .. } if may_be(*array) => is_beginning && is_own_array(&body, *array),
        Operation::Invoke { kind, member, arguments } if arguments.iter().any(|argument| may_be(*argument)) => {
            let is_given = heap.program.resolve_method(*member).found().is_some();
            let shift = usize::from(*kind != InvokeKind::Static);
            is_given
                || heap.row_of_member(*member).is_some_and(|row| {
                    row.actions.iter().filter_map(Action::written).all(|subject| {
                        let place = match subject {
                            Subject::This => (shift == 1).then_some(0),
                            Subject::Argument(argument) => Some(argument.index() + shift),
                        };
                        !place.and_then(|place| arguments.get(place)).is_some_and(|argument| may_be(*argument))
                    })
                })
        }
        _ => true,
    })
}

/// Whether each object that a method stores into these arrays is allocated for one place.
fn puts_new(heap: &Heap<'_>, method: MethodId, arrays: &[ObjectId]) -> bool {
    let Some(body) = heap.body(method) else { return false };
    let is_one = |variable: Variable| heap.variable(method, variable).iter().any(|object| arrays.contains(object));
    let mut stored = FxHashSet::default();
    body.blocks().all(|(block, of)| {
        of.statements.iter().all(|statement| match &statement.operation {
            Operation::StoreElement { array, value, .. } if is_one(*array) => {
                let is_made_here = match body.variable(*value).definition {
                    Definition::Statement(id) => {
                        id.block == block && matches!(body.statement(id).operation, Operation::New(_))
                    }
                    _ => false,
                };
                is_made_here && stored.insert(*value)
            }
            _ => true,
        })
    })
}

/// Whether a variable of a constructor holds an array that it has created, or that it loads from a field of its object.
fn is_own_array(body: &Body, array: Variable) -> bool {
    let Definition::Statement(id) = body.variable(array).definition else { return false };
    match &body.statement(id).operation {
        Operation::NewArray(..) | Operation::GetStatic(_) => true,
        Operation::GetField { object, .. } => body.parameters.first() == Some(object),
        _ => false,
    }
}
