//! Progress of a request.

/// The state of a run after one of its queries or classes.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// Number of queries or classes that are decided.
    pub done: usize,
    /// Number of all of them, if it is known.
    pub total: Option<usize>,
    /// The query or the class that was decided last; empty at the beginning.
    pub name: &'s str,
}

/// A function that is called with each step, by several threads at the same time.
pub type Progress<'p> = dyn Fn(Step<'_>) + Sync + 'p;
