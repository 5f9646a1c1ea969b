//! Joins of a program's main method that complete: behind them no thread is left.

use super::context::Point;
use java::ir::BlockId;
use std::collections::BTreeSet;

/// Joins behind which the main thread is alone.
#[derive(Clone, Debug, Default)]
pub(in crate::isolate) struct Completing {
    /// Statements.
    pub(in crate::isolate) points: BTreeSet<Point>,
    /// The ends of loops that join all threads of a group.
    pub(in crate::isolate) edges: BTreeSet<(BlockId, BlockId)>,
}
