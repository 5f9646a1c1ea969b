//! Removal of the exception edges of statements that cannot throw because of their operands.
//!
//! The receiver of a method, a new object, a caught exception and a constant other than `null` are not null. A division
//! by a nonzero constant and the creation of an array with constant nonnegative lengths do not throw.

use super::body::{Operation, Statement, Variable};
use super::draft::{Draft, Fact, Values};
use crate::bytecode::Operator;

/// Whether a statement cannot throw although its instruction can.
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

/// Removes these edges. Returns whether there were any.
pub(super) fn remove_impossible_edges(draft: &mut Draft, order: &[u32]) -> bool {
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
