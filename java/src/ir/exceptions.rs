//! Takes away the exception edges of statements that cannot throw, as is seen by their operands.
//!
//! The receiver of a method, a new object, a caught exception and a constant are not null; a number that is not 0
//! divides without an exception, and an array of a length that is not negative can be made.

use super::body::{Operation, Statement, Variable};
use super::draft::{Draft, Fact, Values};
use crate::bytecode::Operator;

/// Whether a statement cannot throw, though its instruction may.
fn never_throws(values: &Values, operation: &Operation) -> bool {
    let is_object = |variable: &Variable| values.fact(*variable) == Fact::NotNull;
    match operation {
        Operation::GetField { object, .. } | Operation::PutField { object, .. } => is_object(object),
        Operation::ArrayLength(object) | Operation::MonitorEnter(object) => is_object(object),
        Operation::Binary(Operator::Divide | Operator::Remainder, _, [_, by]) => {
            matches!(values.fact(*by), Fact::Number(by) if by != 0)
        }
        Operation::NewArray(_, lengths) => {
            lengths.iter().all(|length| matches!(values.fact(*length), Fact::Number(length) if length >= 0))
        }
        Operation::Constant(_)
        | Operation::Binary(..)
        | Operation::Negate(..)
        | Operation::Convert(..)
        | Operation::Narrow(..)
        | Operation::Compare(..)
        | Operation::GetStatic(_)
        | Operation::PutStatic(..)
        | Operation::LoadElement { .. }
        | Operation::StoreElement { .. }
        | Operation::New(_)
        | Operation::Invoke { .. }
        | Operation::InvokeDynamic { .. }
        | Operation::CheckCast(..)
        | Operation::InstanceOf(..)
        | Operation::MonitorExit(_) => false,
    }
}

/// Takes the edges away; whether there were any.
pub(super) fn take_away(draft: &mut Draft, order: &[u32]) -> bool {
    let mut is_changed = false;
    for id in order {
        for Statement { operation, handlers, .. } in &mut draft.blocks[*id as usize].statements {
            if !handlers.is_empty() && never_throws(&draft.values, operation) {
                *handlers = Box::default();
                is_changed = true;
            }
        }
    }
    is_changed
}
