//! The limits of the work for one method.
//!
//! Register form can be much larger than bytecode: a subroutine is copied for each call, and each statement that can
//! throw has an edge to each covering handler, with an argument for each parameter of the handler. For code from
//! compilers this is a small factor. For other code the translation ends early with an error.

use super::error::Stop;
use std::cell::Cell;

/// The maximum number of instruction copies.
const MAX_COPIES: usize = 1 << 17;

/// The maximum total size of edges: 8 for each edge and 1 for each argument.
const MAX_EDGES: usize = 1 << 24;

/// The maximum number of steps of superlinear searches.
const MAX_STEPS: usize = 1 << 26;

/// The work done for one method, with its limits and the cancellation check.
pub(super) struct Budget<'c> {
    is_cancelled: &'c dyn Fn() -> bool,
    /// The steps since the last cancellation check.
    steps: Cell<usize>,
    searched: Cell<usize>,
    edges: Cell<usize>,
}

impl<'c> Budget<'c> {
    pub(super) fn new(is_cancelled: &'c dyn Fn() -> bool) -> Self {
        Self { is_cancelled, steps: Cell::new(0), searched: Cell::new(0), edges: Cell::new(0) }
    }

    /// Counts further steps. Checks for cancellation every 4,096 steps.
    pub(super) fn steps(&self, count: usize) -> Result<(), Stop> {
        const OFTEN: usize = 4096;
        let steps = self.steps.get() + count;
        let is_due = steps >= OFTEN;
        self.steps.set(if is_due { 0 } else { steps });
        if is_due && (self.is_cancelled)() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// Counts further steps of a superlinear search.
    pub(super) fn search(&self, count: usize) -> Result<(), Stop> {
        self.steps(count)?;
        let searched = self.searched.get() + count;
        self.searched.set(searched);
        if searched > MAX_STEPS { Err(Stop::TooLarge) } else { Ok(()) }
    }

    /// Checks the number of instruction copies.
    pub(super) fn copies(&self, count: usize) -> Result<(), Stop> {
        self.steps(1)?;
        if count > MAX_COPIES { Err(Stop::TooLarge) } else { Ok(()) }
    }

    /// Counts further edges, with their total number of arguments.
    pub(super) fn edges(&self, edges: usize, arguments: usize) -> Result<(), Stop> {
        let more = edges * 8 + arguments;
        self.steps(more)?;
        let edges = self.edges.get() + more;
        self.edges.set(edges);
        if edges > MAX_EDGES { Err(Stop::TooLarge) } else { Ok(()) }
    }
}
