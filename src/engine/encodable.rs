//! Which models and queries can be encoded as pushdown systems.
//!
//! Pushdown systems are not made yet of modes of locks, of waiting and of lock events. Only the interleaving search executes these.

use crate::limits::{Meter, StopReason};
use crate::model::{LockKind, Model, Operation};
use crate::query::Query;

/// Whether all that a model has can be encoded. Linear in its size.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn is_model_encodable(model: &Model, meter: &Meter) -> Result<bool, StopReason> {
    for (_, node) in model.nodes() {
        meter.work_of(1)?;
        if !is_operation_encodable(node.operation) {
            return Ok(false);
        }
    }
    Ok(model.locks().iter().all(|lock| lock.kind() == LockKind::Plain))
}

/// Whether all that the automaton of a query speaks of can be encoded.
pub(crate) fn is_query_encodable(query: &Query) -> bool {
    !query.property.automaton().speaks_of_wanting()
}

fn is_operation_encodable(operation: Operation) -> bool {
    match operation {
        Operation::Wait(_) | Operation::Resume(_) => false,
        Operation::Skip
        | Operation::Read(_)
        | Operation::Write(_)
        | Operation::Acquire(..)
        | Operation::Release(..)
        | Operation::Begin
        | Operation::End
        | Operation::Call(_)
        | Operation::Start(_)
        | Operation::Return => true,
    }
}
