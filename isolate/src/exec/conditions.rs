//! Evaluation of conditions on abstract values.

use crate::value::Value;
use java::{Comparison, Condition};

/// Whether a condition holds, if the operands determine it.
pub(crate) fn known(condition: Condition, operands: &[Value], is_null: &dyn Fn(Value) -> Option<bool>) -> Option<bool> {
    let compare = |comparison, one: i32, other: i32| match comparison {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::GreaterOrEqual => one >= other,
        Comparison::Greater => one > other,
        Comparison::LessOrEqual => one <= other,
    };
    match (condition, operands) {
        (Condition::Zero(comparison), [Value::Int(value)]) => Some(compare(comparison, *value, 0)),
        (Condition::Ints(comparison), [Value::Int(one), Value::Int(other)]) => Some(compare(comparison, *one, *other)),
        (Condition::Null, [value]) => is_null(*value),
        (Condition::NotNull, [value]) => is_null(*value).map(|is_null| !is_null),
        (Condition::Same, [one, other]) => are_same(*one, *other),
        (Condition::Different, [one, other]) => are_same(*one, *other).map(|are_same| !are_same),
        _ => None,
    }
}

/// Whether two values are one object, if that is known. Two different regions of one alias class may be one object, so
/// they are not compared here.
fn are_same(one: Value, other: Value) -> Option<bool> {
    match (one, other) {
        (Value::Region(one), Value::Region(other)) if one == other => Some(true),
        (Value::Null, Value::Null) => Some(true),
        (
            Value::Region(_),
            Value::Other
            | Value::Foreign
            | Value::Null
            | Value::Class(_)
            | Value::Literal(_)
            | Value::Made(_)
            | Value::View(_)
            | Value::Locked(_),
        )
        | (
            Value::Other
            | Value::Foreign
            | Value::Null
            | Value::Class(_)
            | Value::Literal(_)
            | Value::Made(_)
            | Value::View(_)
            | Value::Locked(_),
            Value::Region(_),
        ) => Some(false),
        _ => None,
    }
}
