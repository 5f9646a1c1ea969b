//! One element of the arrays that the object holds: locks for parts of a table, buckets with a lock each.
//!
//! As of the objects of a class one is followed, so of the elements of arrays one: that with the index *e*, whichever it is, the same for all arrays. What is
//! proved of it holds of every element. But what is read of one element and written to another is not compared; so arrays are followed in this way
//! only where it matters, if the elements of one of them are locked, or have methods that claim to be safe for threads. Else all elements are one location.
//!
//! An index is less than, equal to or greater than `e`, which is decided at its first use and remembered as long as it stays the same; see `agree`. It
//! grows and shrinks with a local variable, so that a loop comes to `e` once. (That indices overflow is left out.)
//!
//! - An element of an array of which only the locks of elements are used is known by an expression of `e`: `locks[e % 16]` is one
//!   lock, as the array never changes and nothing in the expression does. Of two expressions, it is not known whether they are the same; two locks that
//!   are one only add interleavings. What is decided at `locks[i % 16]` is whether `i` is `e`, if `i` itself is an index in the same method, else whether `i % 16` is.
//! - Of all other arrays, the content is the element `e`. An access with another index is none; one with an index of which nothing is known is
//!   one, or is none. An element that is an object and stays the same is the place `buckets[e]`, whose fields are locations and which
//!   is a lock. Fields of a place are reached by the index `e` only: so one object has one name.
//!
//! Which arrays are followed how is found by following the object first without all this: `Value::Element` is an element of which nothing is known, and what
//! is done with it is noted ([`Uses`]). An array in which anything is stored while it is followed has no elements that stay the same.

use super::agree::{Access, MOST, PairId, Pairs, Relation};
use super::expression::Expression;
use super::flow::Step;
use super::follow::{Body, Follower, Next, Outcome, Piece, goes_on};
use super::frame::Frame;
use super::subject;
use super::value::{Location, PlaceId, Value};
use java::{Element, FieldId, Instruction, Member, MethodId, Type};
use std::collections::BTreeSet;

/// What is done with the elements of arrays that fields of the object hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// Their locks are used.
    locked: BTreeSet<FieldId>,
    /// Their fields and methods are used.
    entered: BTreeSet<FieldId>,
    /// Others are stored in their place.
    stored: BTreeSet<FieldId>,
}

impl Uses {
    /// Whether elements have to be followed: there are locks among them that stay the same.
    pub(super) fn has_locks(&self) -> bool {
        !self.locked.is_subset(&self.stored)
    }

    /// What is used in one of the two.
    pub(super) fn or(mut self, other: &Self) -> Self {
        self.locked.extend(&other.locked);
        self.entered.extend(&other.entered);
        self.stored.extend(&other.stored);
        self
    }

    /// Whether elements of the array are locks and nothing else, and stay the same.
    fn are_locks(&self, array: FieldId) -> bool {
        self.locked.contains(&array) && !self.entered.contains(&array) && !self.stored.contains(&array)
    }

    /// Whether elements of the array stay the same and are used.
    fn are_followed(&self, array: FieldId) -> bool {
        (self.locked.contains(&array) || self.entered.contains(&array)) && !self.stored.contains(&array)
    }
}

/// What an index may be when it is decided.
const ONE: [Relation; 3] = [Relation::LESS, Relation::EQUAL, Relation::GREATER];

/// What a state knows of an index.
enum Index {
    /// It is the one that is followed; what the element is known by, if it is.
    Same(Option<Expression>),
    /// It is another one.
    Other,
    /// Nothing.
    Unknown,
}

impl Follower<'_> {
    /// The field that holds an array of which one element is followed.
    fn array(&self, value: Value) -> Option<(PlaceId, FieldId)> {
        let Value::Place(place) = value else { return None };
        let field = match (self.places.path(place), self.places.element(place)) {
            ([field], None) => *field,
            _ => return None,
        };
        let program = self.context.program;
        let of = program.field_type(program.field(field).descriptor);
        matches!(of, Some(Type::Array(_))).then_some((place, field))
    }

    /// The same if elements are followed.
    fn followed_array(&self, value: Value) -> Option<(PlaceId, FieldId)> {
        self.elements.as_ref().and_then(|_| self.array(value))
    }

    /// Notes that the lock of a value is used.
    pub(super) fn notes_lock(&mut self, value: Value) {
        if let Some(array) = self.array_of(value) {
            self.uses.locked.insert(array);
        }
    }

    /// Notes that a field of a value is used.
    pub(super) fn notes_entering(&mut self, value: Value) {
        if let Some(array) = self.array_of(value) {
            self.uses.entered.insert(array);
        }
    }

    /// Notes that a method of a value is called: one of a lock, or one that may use its own.
    pub(super) fn notes_call(&mut self, value: Value, member: Member) {
        let Some(array) = self.array_of(value) else { return };
        let super::follow::Context { program, facts, .. } = self.context;
        if program.text(member.class).starts_with(subject::LOCKS) {
            self.uses.locked.insert(array);
            return;
        }
        if program.text(member.class) != "java/lang/Object" {
            self.uses.entered.insert(array);
        }
        let Some(class) = program.named(member.class) else { return };
        if subject::is_lock(program, class) || subject::claim(program, facts, class).is_some() {
            self.uses.locked.insert(array);
        }
    }

    /// Notes that something is stored in an array.
    pub(super) fn notes_storing(&mut self, value: Value) {
        if let Some((_, array)) = self.array(value) {
            self.uses.stored.insert(array);
        }
    }

    /// What is known of a local variable that is assigned.
    pub(super) fn stores(&self, body: &Body, frame: &mut Frame, slot: usize, value: Value) {
        frame.assigns(&body.pairs, slot, None);
        let (Some(_), Value::Int(value), Ok(slot)) = (&self.elements, value, u16::try_from(slot)) else { return };
        if let Some(pair) = body.pairs.of_index(&Expression::Local(slot)) {
            let relation = match value {
                ..0 => Relation::LESS,
                // An index is not negative.
                0 => Relation::LESS.or(Relation::EQUAL),
                1.. => Relation::ALL,
            };
            frame.relate(pair, relation);
        }
    }

    /// The array of which a value is an element.
    fn array_of(&self, value: Value) -> Option<FieldId> {
        let place = match value {
            Value::Element(array) => array,
            Value::Place(place) if self.places.element(place).is_some() => place,
            _ => return None,
        };
        self.places.path(place).first().copied()
    }

    /// An element of which nothing is known, if the object is none.
    pub(super) fn some_element(&self, array: Value) -> Option<Value> {
        let (place, field) = self.array(array)?;
        let program = self.context.program;
        let descriptor = program.text(program.field(field).descriptor);
        let class = descriptor.strip_prefix("[L")?.strip_suffix(';')?;
        let may_be = program.name(class).is_some_and(|name| self.may_be(Type::Class(name)));
        (self.is_stable(place) && !may_be).then_some(Value::Element(place))
    }

    /// The states in which it is decided whether an index is the one that is followed, if it is to be decided.
    pub(super) fn decides_index(&self, body: &Body, instruction: Instruction, frame: &Frame) -> Option<Vec<Next>> {
        let pair = self.undecided_index(body, instruction, frame)?;
        let possible = ONE.into_iter().filter(|one| !one.and(frame.relation(pair)).is_empty());
        let frames = possible.map(|one| {
            let mut frame = frame.clone();
            frame.relate(pair, one);
            frame.forget_pairs(&body.pairs, &body.live);
            frame
        });
        let frames: Vec<Frame> = frames.collect();
        // What is forgotten at once would be decided for ever.
        let is_decided = frames.iter().all(|frame| ONE.contains(&frame.relation(pair)));
        is_decided.then(|| frames.into_iter().map(Next::To).collect())
    }

    /// The pair that is to be decided before an element is used, or passed on to a method of the object.
    fn undecided_index(&self, body: &Body, instruction: Instruction, frame: &Frame) -> Option<PairId> {
        let is_open = |pair: &PairId| !ONE.contains(&frame.relation(*pair));
        let below = match instruction {
            Instruction::ArrayLoad(_) => 2,
            Instruction::ArrayStore(_) => 3,
            Instruction::Invoke(_, member) if self.elements.is_some() && self.is_of_object(member) => {
                let arguments = body.pairs.arguments.get(&frame.at)?;
                // Of more, the first would be forgotten.
                return arguments.iter().take(MOST).map(|(_, pair)| *pair).find(is_open);
            }
            _ => return None,
        };
        let array = *frame.stack.get(frame.stack.len().checked_sub(below)?)?;
        let (_, field) = self.followed_array(array)?;
        let access = body.pairs.accesses.get(&frame.at)?;
        body.pairs.of_index(self.deciding(body, frame, access, field)).filter(is_open)
    }

    /// Whether a method is one of the object's class.
    fn is_of_object(&self, member: Member) -> bool {
        let program = self.context.program;
        let method = program.resolve_method(member).found();
        method.is_some_and(|method| self.classes.contains(&program.method(method).class))
    }

    /// The arguments of a call, with what is known of those that are indices.
    pub(super) fn with_indices(&self, body: &Body, frame: &Frame, mut arguments: Vec<Value>) -> Vec<Value> {
        if self.elements.is_none() {
            return arguments;
        }
        for (place, pair) in body.pairs.arguments.get(&frame.at).into_iter().flatten() {
            let known = frame.relation(*pair);
            if let Some(argument @ (Value::Any | Value::Int(_))) = arguments.get_mut(*place)
                && ONE.contains(&known)
            {
                *argument = Value::Index(known);
            }
        }
        arguments
    }

    /// Arguments of a clone: of indices it is known what they are if the method is one of the object's class and uses them for indices.
    pub(super) fn known_indices(&mut self, method: MethodId, mut arguments: Vec<Value>) -> Vec<Value> {
        if !arguments.iter().any(|value| matches!(value, Value::Index(_))) {
            return arguments;
        }
        let program = self.context.program;
        let declared = program.method(method);
        let body = self.body(method).filter(|_| self.classes.contains(&declared.class));
        let types = program.method_type(declared.descriptor);
        let receiver = (!declared.flags.is_static()).then_some(1);
        let parameters = types.into_iter().flat_map(|types| types.parameters.iter());
        let mut slots = receiver.into_iter().chain(parameters.map(|of| of.kind().slots()));
        let mut slot = 0;
        for value in &mut arguments {
            let local = u16::try_from(slot).ok().map(Expression::Local);
            let is_index =
                || body.as_ref().zip(local).is_some_and(|(body, local)| body.pairs.of_index(&local).is_some());
            if matches!(value, Value::Index(_)) && !is_index() {
                *value = Value::Any;
            }
            slot += slots.next().unwrap_or(1);
        }
        arguments
    }

    /// The expression that is `e` or not.
    fn deciding<'a>(&self, body: &Body, frame: &Frame, access: &'a Access, array: FieldId) -> &'a Expression {
        let are_locks = self.elements.as_ref().is_some_and(|elements| elements.are_locks(array));
        let is_known =
            |local: &&Expression| body.pairs.of_index(local).is_some_and(|pair| ONE.contains(&frame.relation(pair)));
        let part = access.part.as_ref().or_else(|| access.locals.iter().find(is_known));
        part.filter(|_| are_locks).unwrap_or(&access.index)
    }

    fn index(&self, body: &Body, frame: &Frame, array: FieldId) -> Index {
        let Some(access) = body.pairs.accesses.get(&frame.at) else { return Index::Unknown };
        let deciding = self.deciding(body, frame, access, array);
        let Some(pair) = body.pairs.of_index(deciding) else { return Index::Unknown };
        match frame.relation(pair) {
            Relation::EQUAL => Index::Same(self.known_by(access, deciding, frame)),
            Relation::LESS | Relation::GREATER => Index::Other,
            _ => Index::Unknown,
        }
    }

    /// The index of an access as an expression of `e`, in which local variables are the places that they hold, if these stay the same. None if there are
    /// others.
    fn known_by(&self, access: &Access, deciding: &Expression, frame: &Frame) -> Option<Expression> {
        let known = access.index.with(&|part| match part {
            part if part == deciding => Some(Expression::Index),
            Expression::Local(slot) => match frame.locals.get(usize::from(*slot)) {
                Some(Value::Place(place)) if self.is_stable(*place) => Some(Expression::Place(*place)),
                _ => None,
            },
            _ => None,
        });
        let is_local = |part: &Expression| matches!(part, Expression::Local(_));
        (!known.any(&is_local)).then_some(known)
    }

    /// What loading an element does and gives, if one element is followed; `other` is any other.
    pub(super) fn load_element(
        &mut self,
        body: &Body,
        frame: &Frame,
        (array, element): (Value, Element),
        other: Value,
    ) -> Option<Vec<Outcome>> {
        let (place, field) = self.followed_array(array)?;
        let elements = self.elements.as_ref()?;
        let (are_locks, are_followed) = (elements.are_locks(field), elements.are_followed(field));
        let index = self.index(body, frame, field);
        let mut outcomes = Vec::new();
        let is_same = matches!(index, Index::Same(_));
        if !matches!(index, Index::Other) {
            let by = match index {
                Index::Same(by) => by,
                Index::Other | Index::Unknown => (!are_locks).then_some(Expression::Index),
            };
            let by = by.filter(|_| element == Element::Reference && are_followed);
            let held = by.and_then(|by| self.places.element_of(place, by));
            let reads = (!are_locks).then_some(Piece::One(Step::Read(Location::Content(place))));
            outcomes.push(self.gives(body, frame, reads, held.map_or(other, Value::Place)));
        }
        if !is_same {
            outcomes.push(self.gives(body, frame, None, other));
        }
        Some(outcomes)
    }

    /// What storing an element does, if one element is followed.
    pub(super) fn store_element(&self, body: &Body, frame: &Frame, array: Value) -> Option<Vec<Outcome>> {
        let (place, field) = self.followed_array(array)?;
        let write = || {
            let mut outcomes = goes_on(body, frame.clone());
            outcomes[0].pieces.push(Piece::One(Step::Write(Location::Content(place))));
            outcomes
        };
        Some(match self.index(body, frame, field) {
            Index::Same(_) => write(),
            Index::Other => goes_on(body, frame.clone()),
            Index::Unknown => write().into_iter().chain(goes_on(body, frame.clone())).collect(),
        })
    }

    fn gives(&self, body: &Body, frame: &Frame, reads: Option<Piece>, value: Value) -> Outcome {
        let mut frame = frame.clone();
        frame.stack.push(value);
        frame.at = body.code.next(frame.at);
        Outcome { pieces: reads.into_iter().collect(), next: vec![Next::To(frame)] }
    }
}

impl Frame {
    /// Takes over what callers know of the arguments.
    pub(super) fn knows_indices(&mut self, pairs: &Pairs) {
        for slot in 0..self.locals.len() {
            let Value::Index(known) = self.locals[slot] else { continue };
            self.locals[slot] = Value::Any;
            let pair = u16::try_from(slot).ok().and_then(|slot| pairs.of_index(&Expression::Local(slot)));
            pair.into_iter().for_each(|pair| self.relate(pair, known));
        }
    }
}
