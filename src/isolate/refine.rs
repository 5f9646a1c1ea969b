//! How exactly an object is followed: first with all elements of arrays as one, then, if it matters, with one of them.

use super::element::Uses;
use super::follow::{Follower, Stuck};
use super::partial::{FAR, Partial};

/// What is told apart.
#[derive(Clone, Debug)]
pub(super) struct Precision {
    /// Whether what was tested before is remembered; see `agree`.
    remembers_tests: bool,
    /// What the elements of arrays are used for, if one is followed; see `element`.
    elements: Option<Uses>,
    /// Which calls are left out, if not none: see `partial`.
    far: Option<usize>,
}

/// What a proof rests on if one element is followed.
const ELEMENTS: [&str; 2] = [
    "of arrays, what is read of one element and written to another is not compared, as elements have their own locks",
    "indices of arrays do not overflow",
];

/// It is tried so often to find out what elements are used for.
const ROUNDS: usize = 3;

impl Follower<'_> {
    /// Tells apart what is to be told apart.
    pub(super) fn refine(&mut self, precision: &Precision) {
        self.remembers_tests = precision.remembers_tests;
        self.elements.clone_from(&precision.elements);
        self.partial = precision.far.map(Partial::new);
        if self.elements.is_some() {
            ELEMENTS.iter().for_each(|assumption| self.assume(assumption));
        }
    }
}

/// What was followed.
pub(super) struct Refined<T> {
    pub(super) found: T,
    /// Why calls were left out, if they were.
    pub(super) partial: Option<Stuck>,
}

/// Follows an object as exactly as it helps. Each way to follow it is right by itself: one that is too large is left for a coarser one, and one in which
/// elements turn out to be used for more than was known is done again. If the object cannot be followed as a whole, calls are left out, unless that
/// is not wanted: then not all that can happen is found.
///
/// # Errors
/// If it cannot be followed, for the reason that is given.
pub(super) fn refined<T>(
    mut follow: impl FnMut(&Precision) -> Result<T, Stuck>,
    uses: impl Fn(&T) -> &Uses,
    may_leave_out: bool,
) -> Result<Refined<T>, Stuck> {
    let mut precision = Precision { remembers_tests: true, elements: None, far: None };
    let first = match follow(&precision) {
        Err(stuck @ (Stuck::TooLarge { .. } | Stuck::NotNested { .. })) if may_leave_out => {
            return in_part(follow, precision, stuck);
        }
        Err(Stuck::TooLarge { .. }) => {
            precision.remembers_tests = false;
            follow(&precision)?
        }
        first => first?,
    };
    let mut known = uses(&first).clone();
    for _ in 0..ROUNDS {
        if !known.has_locks() {
            break;
        }
        precision.elements = Some(known.clone());
        let found = match follow(&precision) {
            Err(Stuck::Cancelled) => return Err(Stuck::Cancelled),
            Err(_) => break,
            Ok(found) => found,
        };
        let all = known.clone().or(uses(&found));
        if all == known {
            return Ok(Refined { found, partial: None });
        }
        known = all;
    }
    Ok(Refined { found: first, partial: None })
}

/// Follows an object without some calls, as it cannot be followed as a whole.
fn in_part<T>(
    mut follow: impl FnMut(&Precision) -> Result<T, Stuck>,
    mut precision: Precision,
    stuck: Stuck,
) -> Result<Refined<T>, Stuck> {
    for far in FAR {
        precision.far = Some(far);
        match follow(&precision) {
            Ok(found) => return Ok(Refined { found, partial: Some(stuck) }),
            Err(Stuck::Cancelled) => return Err(Stuck::Cancelled),
            Err(_) => {}
        }
    }
    Err(stuck)
}
