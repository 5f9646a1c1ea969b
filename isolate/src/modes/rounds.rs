//! The rounds of a model for findings: first the code of the class's nest, then callees that reach more and more.
//!
//! A call is omitted in a round if the callee reaches more methods than the round allows. Each round is complete or
//! thrown away; the model is that of the last complete one. A round that fails has too many states, and a deeper one
//! has more, so it is not tried. The first round is never thrown away: its executions are cut off when there are too
//! many states. If a round has omitted nothing, deeper ones would be equal. A model that lacks an execution says why
//! ([`Isolated::partial`]).
//!
//! The bounds count states and steps, so the model does not depend on time.

use super::{Analysis, Extent, FollowedByExtent, Made};
use crate::claims::Subject;
use crate::graph::{Isolated, NotIsolated, Stuck};

/// A round.
#[derive(Clone, Copy)]
struct Round {
    /// A call of another class is omitted if the callee reaches more methods than this, itself included.
    far: Option<usize>,
    /// The maximal number of states is divided by this.
    divisor: usize,
}

/// All rounds. Most last rounds that are complete have less than a sixth of the states that the first one may have.
const ROUNDS: [Round; 3] =
    [Round { far: Some(0), divisor: 1 }, Round { far: Some(20), divisor: 1 }, Round { far: None, divisor: 2 }];

/// Maximal number of nodes that inlining copies. The queries about a model with more are seldom decided, so a round
/// with fewer calls finds more.
const FIRM_COPIED: usize = 20_000;

/// The rounds for the configurations of one subject.
pub(super) struct Rounds<'r, 'p> {
    analysis: Analysis<'p>,
    subject: &'r Subject,
    followed: &'r mut FollowedByExtent<'p>,
    is_cancelled: &'r dyn Fn() -> bool,
    /// The number of rounds to try, with the reason if others had too many states for another configuration.
    tried: (usize, Option<Stuck>),
}

impl<'r, 'p> Rounds<'r, 'p> {
    pub(super) fn new(
        (analysis, subject): (Analysis<'p>, &'r Subject),
        followed: &'r mut FollowedByExtent<'p>,
        is_cancelled: &'r dyn Fn() -> bool,
    ) -> Self {
        Self { analysis, subject, followed, is_cancelled, tried: (ROUNDS.len(), None) }
    }

    /// Returns the model of one configuration, from the last complete round.
    pub(super) fn isolate(&mut self, whole: Extent<'_>) -> Result<Isolated, NotIsolated> {
        let (tried, mut partial) = self.tried.clone();
        let (mut last, mut why_none) = (None, None);
        for (number, round) in ROUNDS.iter().enumerate().take(tried) {
            let most_states = whole.most_states / round.divisor;
            let is_cut_short = number == 0;
            let extent = Extent { far: round.far, is_cut_short, most_states, most_copied: FIRM_COPIED, ..whole };
            match self.followed.isolate(self.analysis, self.subject, extent, self.is_cancelled) {
                Ok(Made { isolated, leaves_out }) => {
                    let too_large = isolated.partial.clone().filter(|cut| matches!(cut, Stuck::TooLarge { .. }));
                    last = Some(isolated);
                    if let Some(stuck) = too_large {
                        self.try_no_more_than(number + 1, &stuck);
                        break;
                    }
                    if !leaves_out {
                        partial = None;
                        break;
                    }
                }
                Err(NotIsolated::Stuck(Stuck::Cancelled)) => return Err(NotIsolated::Stuck(Stuck::Cancelled)),
                Err(NotIsolated::Stuck(stuck)) => {
                    if matches!(stuck, Stuck::TooLarge { .. }) && number > 0 {
                        self.try_no_more_than(number, &stuck);
                    }
                    partial = Some(stuck.clone());
                    why_none.get_or_insert(NotIsolated::Stuck(stuck));
                    if number > 0 {
                        break;
                    }
                }
                Err(why) => why_none = Some(why),
            }
        }
        match (last, why_none) {
            (Some(isolated), _) => Ok(Isolated { partial: isolated.partial.clone().or(partial), ..isolated }),
            (None, Some(why)) => Err(why),
            (None, None) => unreachable!("the first round is tried"),
        }
    }

    fn try_no_more_than(&mut self, rounds: usize, why: &Stuck) {
        if rounds < self.tried.0 {
            self.tried = (rounds, Some(why.clone()));
        }
    }
}
