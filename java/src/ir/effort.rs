//! How much is done for one method.
//!
//! Register form can be much larger than code: a subroutine has a copy for each place from which it is called, and each
//! statement that can throw has an edge to each handler around it, with as many arguments as the handler has
//! parameters. Compilers make code for which this is a small factor. For other code the work ends with an error before
//! it takes long.

use super::error::Stop;
use std::cell::Cell;

/// The most copies of instructions.
const MOST_COPIES: usize = 1 << 17;

/// The most that edges take in all, with 8 for an edge and 1 for an argument.
const MOST_EDGES: usize = 1 << 24;

/// The most steps of searches that can be more than linear.
const MOST_STEPS: usize = 1 << 26;

/// The work that was done, and whether to go on.
pub(super) struct Effort<'c> {
    is_cancelled: &'c dyn Fn() -> bool,
    steps: Cell<usize>,
    searched: Cell<usize>,
    edges: Cell<usize>,
}

impl<'c> Effort<'c> {
    pub(super) fn new(is_cancelled: &'c dyn Fn() -> bool) -> Self {
        Self { is_cancelled, steps: Cell::new(0), searched: Cell::new(0), edges: Cell::new(0) }
    }

    /// Some steps more; asks every now and then whether to go on.
    pub(super) fn steps(&self, count: usize) -> Result<(), Stop> {
        const OFTEN: usize = 4096;
        let steps = self.steps.get() + count;
        let is_due = steps >= OFTEN;
        self.steps.set(if is_due { 0 } else { steps });
        if is_due && (self.is_cancelled)() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// Some steps more of a search that can be more than linear.
    pub(super) fn search(&self, count: usize) -> Result<(), Stop> {
        self.steps(count)?;
        let searched = self.searched.get() + count;
        self.searched.set(searched);
        if searched > MOST_STEPS { Err(Stop::TooLarge) } else { Ok(()) }
    }

    /// So many copies of instructions there are.
    pub(super) fn copies(&self, count: usize) -> Result<(), Stop> {
        self.steps(1)?;
        if count > MOST_COPIES { Err(Stop::TooLarge) } else { Ok(()) }
    }

    /// Some edges more, with so many arguments in all.
    pub(super) fn edges(&self, edges: usize, arguments: usize) -> Result<(), Stop> {
        let more = edges * 8 + arguments;
        self.steps(more)?;
        let edges = self.edges.get() + more;
        self.edges.set(edges);
        if edges > MOST_EDGES { Err(Stop::TooLarge) } else { Ok(()) }
    }
}
