//! Which way branches go.

use super::follow::{Body, Context, Follower, Next, Outcome};
use super::frame::Frame;
use super::value::{PlaceId, Value};
use java::{Comparison, Condition, FieldId, InstructionIndex};

impl Follower<'_> {
    /// A branch: both ways, unless the condition is known, or was tested before.
    pub(super) fn branch(
        &self,
        body: &Body,
        frame: Frame,
        (condition, target): (Condition, InstructionIndex),
        taken: &[Value],
    ) -> Vec<Outcome> {
        let taken_if = known(condition, taken, &|value| self.is_null(value));
        let next = body.code.next(frame.at);
        let targets = [(taken_if != Some(true)).then_some(next), (taken_if != Some(false)).then_some(target)];
        let frames = match frame.tested(&body.pairs) {
            Some(frames) if taken_if.is_none() && self.remembers_tests => frames,
            _ => [Some(frame.clone()), Some(frame)],
        };
        let ways = targets.into_iter().zip(frames).filter_map(|(target, frame)| target.zip(frame));
        let next = ways.map(|(at, frame)| Next::To(Frame { at, ..frame }));
        vec![Outcome { pieces: Vec::new(), next: next.collect() }]
    }

    /// Whether a value is null, if that is known.
    pub(super) fn is_null(&self, value: Value) -> Option<bool> {
        let Context { program, facts, .. } = self.context;
        match value {
            Value::Place(place) if self.is_stable(place) && self.places.element(place).is_none() => {
                let always_holds = |field: &FieldId| facts.always_holds(*field, program);
                self.places.path(place).last().is_none_or(always_holds).then_some(false)
            }
            value => is_null(value),
        }
    }
}

/// Whether a condition holds, if that is known.
fn known(condition: Condition, taken: &[Value], is_null: &dyn Fn(Value) -> Option<bool>) -> Option<bool> {
    let compare = |comparison, one: i32, other: i32| match comparison {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::GreaterOrEqual => one >= other,
        Comparison::Greater => one > other,
        Comparison::LessOrEqual => one <= other,
    };
    match (condition, taken) {
        (Condition::Zero(comparison), [Value::Int(value)]) => Some(compare(comparison, *value, 0)),
        (Condition::Ints(comparison), [Value::Int(one), Value::Int(other)]) => Some(compare(comparison, *one, *other)),
        (Condition::Null, [value]) => is_null(*value),
        (Condition::NotNull, [value]) => is_null(*value).map(|is_null| !is_null),
        (Condition::Same, [one, other]) => are_same(*one, *other),
        (Condition::Different, [one, other]) => are_same(*one, *other).map(|are_same| !are_same),
        _ => None,
    }
}

fn is_null(value: Value) -> Option<bool> {
    match value {
        Value::Null => Some(true),
        Value::Place(PlaceId::OBJECT)
        | Value::Class(_)
        | Value::Lambda(_)
        | Value::Object(_)
        | Value::New(_)
        | Value::Runner
        | Value::This => Some(false),
        _ => None,
    }
}

/// Whether two values are one object: the object that is followed is no other one.
fn are_same(one: Value, other: Value) -> Option<bool> {
    const OBJECT: Value = Value::Place(PlaceId::OBJECT);
    match (one, other) {
        (OBJECT, OBJECT) => Some(true),
        (OBJECT, other) | (other, OBJECT) if is_other(other) => Some(false),
        _ => None,
    }
}

/// Whether a value is certainly another object than the one that is followed, or null.
fn is_other(value: Value) -> bool {
    matches!(value, Value::Any | Value::Foreign | Value::Element(_) | Value::Null | Value::Class(_) | Value::Object(_))
}
