//! Which models and queries can be encoded as pushdown systems.
//!
//! Pushdown systems are not made yet of modes of locks, of waiting and of lock events. Only the interleaving search executes these.

use crate::model::{LockKind, Model, Operation};
use crate::query::Query;

/// Whether all that a model has can be encoded. Linear in its size.
pub(crate) fn is_model_encodable(model: &Model) -> bool {
    model.locks().iter().all(|lock| lock.kind() == LockKind::Plain)
        && model.nodes().all(|(_, node)| is_operation_encodable(node.operation))
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
