//! The decisions of engines about queries.

use crate::witness::Interleaving;
use limits::StopReason;

/// The decision of an engine about a query.
#[derive(Clone, Debug)]
pub(crate) enum Decision {
    /// No interleaving violates the query.
    Safe,
    /// This interleaving violates the query; it is still to be replayed.
    Violation(Interleaving),
    /// A bound of the engine was met.
    Bound,
    /// The engine cannot decide queries like this one.
    Unsupported(Unsupported),
}

/// The reason why an engine cannot decide a query, whatever the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsupported {
    /// More locks are contended than a set of locks has room for.
    ManyLocks,
    /// A check needs more variables than a binary decision diagram may have.
    ManyVariables,
    /// A process waits for a relevant lock that is not its innermost relevant one.
    Nesting,
    /// A scenario is too long to be encoded.
    ManyPhases,
    /// One of the reasons above, and the systematic search found nothing with at most this number of threads, within
    /// its bounds.
    NoneWithin(usize),
}

/// Decides a query by its cases, one after the other. The first case that is violated or meets a bound decides the
/// query; if there is none, the query is safe only if every case is.
///
/// `next` returns the cases until there are no more; `carry_out` decides one. Both share the state.
pub(crate) fn any_of<S, C>(
    state: &mut S,
    mut next: impl FnMut(&mut S) -> Result<Option<C>, Failure>,
    mut carry_out: impl FnMut(&mut S, C) -> Result<Decision, Failure>,
) -> Result<Decision, Failure> {
    let mut together = Decision::Safe;
    while let Some(case) = next(state)? {
        match carry_out(state, case)? {
            Decision::Safe => {}
            unsupported @ Decision::Unsupported(_) => together = unsupported,
            decided @ (Decision::Violation(_) | Decision::Bound) => return Ok(decided),
        }
    }
    Ok(together)
}

/// The reason why an engine returns no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A limit was reached.
    Stopped(StopReason),
    /// The engine contradicts itself: a defect of the program.
    Internal(&'static str),
}

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the decision for cases with these decisions, and the number of cases that were decided.
    fn together(findings: &[Decision]) -> (Decision, usize) {
        let mut carried_out = 0;
        let found = any_of(
            &mut findings.iter().cloned(),
            |left| Ok(left.next()),
            |_, finding| {
                carried_out += 1;
                Ok(finding)
            },
        );
        (found.expect("no case fails"), carried_out)
    }

    #[test]
    fn only_safe_cases_make_a_query_safe() {
        let unsupported = Decision::Unsupported(Unsupported::ManyLocks);
        assert!(matches!(together(&[]), (Decision::Safe, 0)));
        assert!(matches!(together(&[Decision::Safe, Decision::Safe]), (Decision::Safe, 2)));
        for cases in [vec![unsupported.clone(), Decision::Safe], vec![Decision::Safe, unsupported.clone()]] {
            assert!(matches!(together(&cases), (Decision::Unsupported(Unsupported::ManyLocks), 2)));
        }
        assert!(matches!(together(&[unsupported, Decision::Bound, Decision::Safe]), (Decision::Bound, 2)));
    }
}
