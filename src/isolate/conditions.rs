//! Which way branches go.

use super::follow::{Body, Follower, Next, Outcome};
use super::frame::Frame;
use super::value::{PlaceId, Value};
use java::{Comparison, Condition, InstructionIndex};

impl Follower<'_> {
    /// A branch: both ways, unless the condition is known.
    pub(super) fn branch(
        &self,
        body: &Body,
        frame: Frame,
        (condition, target): (Condition, InstructionIndex),
        taken: &[Value],
    ) -> Vec<Outcome> {
        let taken_if = known(condition, taken);
        let next = body.code.next(frame.at);
        let targets = [(taken_if != Some(true)).then_some(next), (taken_if != Some(false)).then_some(target)];
        let next = targets.into_iter().flatten().map(|at| Next::To(Frame { at, ..frame.clone() }));
        vec![Outcome { pieces: Vec::new(), next: next.collect() }]
    }
}

/// Whether a condition holds, if that is known.
fn known(condition: Condition, taken: &[Value]) -> Option<bool> {
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
        (OBJECT, Value::Any | Value::Foreign | Value::Null | Value::Class(_) | Value::Object(_))
        | (Value::Any | Value::Foreign | Value::Null | Value::Class(_) | Value::Object(_), OBJECT) => Some(false),
        _ => None,
    }
}
