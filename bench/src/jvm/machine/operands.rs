//! What instructions make of their operands.

use super::world::{Origin, Value, from};
use asercheck::java::{Comparison, Operator, StackOperation};

/// Whether two references are equal.
pub(super) fn same(one: Value, other: Value) -> bool {
    from(one, Origin::Elsewhere) == from(other, Origin::Elsewhere)
}

/// Whether a comparison of ints holds.
pub(super) fn compare(comparison: Comparison, one: i32, other: i32) -> bool {
    match comparison {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::GreaterOrEqual => one >= other,
        Comparison::Greater => one > other,
        Comparison::LessOrEqual => one <= other,
    }
}

/// The result of an operation on ints; none if it divides by zero.
pub(super) fn ints(operator: Operator, one: i32, other: i32) -> Option<i32> {
    Some(match operator {
        Operator::Add => one.wrapping_add(other),
        Operator::Subtract => one.wrapping_sub(other),
        Operator::Multiply => one.wrapping_mul(other),
        Operator::Divide if other == 0 => return None,
        Operator::Remainder if other == 0 => return None,
        Operator::Divide => one.wrapping_div(other),
        Operator::Remainder => one.wrapping_rem(other),
        Operator::ShiftLeft => one.wrapping_shl(other.cast_unsigned()),
        Operator::ShiftRight => one.wrapping_shr(other.cast_unsigned()),
        Operator::ShiftRightUnsigned => one.cast_unsigned().wrapping_shr(other.cast_unsigned()).cast_signed(),
        Operator::And => one & other,
        Operator::Or => one | other,
        Operator::Xor => one ^ other,
    })
}

/// The result of an operation on longs; none if it divides by zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "distances are taken modulo 64")]
pub(super) fn longs(operator: Operator, one: i64, other: i64) -> Option<i64> {
    Some(match operator {
        Operator::Add => one.wrapping_add(other),
        Operator::Subtract => one.wrapping_sub(other),
        Operator::Multiply => one.wrapping_mul(other),
        Operator::Divide if other == 0 => return None,
        Operator::Remainder if other == 0 => return None,
        Operator::Divide => one.wrapping_div(other),
        Operator::Remainder => one.wrapping_rem(other),
        Operator::ShiftLeft => one.wrapping_shl(other as u32),
        Operator::ShiftRight => one.wrapping_shr(other as u32),
        Operator::ShiftRightUnsigned => one.cast_unsigned().wrapping_shr(other as u32).cast_signed(),
        Operator::And => one & other,
        Operator::Or => one | other,
        Operator::Xor => one ^ other,
    })
}

/// Drops, copies or exchanges values, as far as they take one slot; `dup2` and `pop2` also on a long.
pub(super) fn rearrange(stack: &mut Vec<Value>, operation: StackOperation) -> bool {
    let is_long = |stack: &Vec<Value>, from_top: usize| {
        stack.len().checked_sub(from_top + 1).is_some_and(|index| matches!(stack[index], Value::Long(_)))
    };
    let count = match operation {
        StackOperation::Pop | StackOperation::Dup => 1,
        StackOperation::Pop2 | StackOperation::Dup2 if is_long(stack, 0) => 1,
        StackOperation::DupX1 | StackOperation::Swap | StackOperation::Pop2 | StackOperation::Dup2 => 2,
        StackOperation::Dup2X1 if is_long(stack, 0) => 2,
        StackOperation::DupX2 | StackOperation::Dup2X1 => 3,
        StackOperation::Dup2X2 => 4,
    };
    if stack.len() < count {
        return false;
    }
    let top = stack.split_off(stack.len() - count);
    let pushed: &[usize] = match (operation, count) {
        (StackOperation::Pop | StackOperation::Pop2, _) => &[],
        (StackOperation::Dup | StackOperation::Dup2, 1) => &[0, 0],
        (StackOperation::DupX1 | StackOperation::Dup2X1, 2) => &[1, 0, 1],
        (StackOperation::Swap, _) => &[1, 0],
        (StackOperation::Dup2, _) => &[0, 1, 0, 1],
        (StackOperation::DupX2, _) => &[2, 0, 1, 2],
        (StackOperation::Dup2X1, _) => &[1, 2, 0, 1, 2],
        (StackOperation::Dup2X2, _) => &[2, 3, 0, 1, 2, 3],
        _ => return false,
    };
    stack.extend(pushed.iter().map(|index| top[*index]));
    true
}
