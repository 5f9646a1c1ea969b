//! From an element of a weight back to a run: the log of changes read backwards.
//!
//! A change of a transition was caused by a rule and a transition, or by two transitions, whose own changes were all
//! logged before. So an element of the change splits into elements of *older* changes, and repeating that ends at the
//! starts after finitely many steps, in spite of loops and recursion. Source: Reps, Schwoon, Jha, Melski 2005, section
//! 4, with elements in place of sets of contributions.
//!
//! Of the changes that have an element the oldest one is read. It is older than every change that is made of a change
//! with this element, so it serves wherever the element of the transition occurs, and each is read once ([`Run`]).

use crate::index::{Control, State, TransitionId};
use crate::log::ChangeId;
use crate::post_star::{Cause, PostStar};
use crate::run::{Callee, Part, Pieces, Run};
use crate::semiring::{Semiring, Traceable};
use crate::summary::{Ending, Summary};
use crate::system::Rules;

impl<S: Semiring> Summary<S> {
    /// A run to some configuration with this control state whose weight has this element; `None` if the total of the
    /// control state does not have it. Linear in the pieces of the run, times the changes of the weights, and in the
    /// summands.
    ///
    /// # Errors
    /// What `watch` gives, which is called once for each piece and may end the search.
    pub fn run<R: Rules<S::Weight>>(
        &self,
        semiring: &mut S,
        post: &PostStar<S, R>,
        control: Control,
        element: &S::Element,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        let mut summands = self.summands(post, control);
        let found = summands.find(|summand| semiring.split(element, summand.below, summand.top).is_some());
        found.map_or(Ok(None), |summand| self.run_to(semiring, post, summand.ending, element, watch))
    }

    /// The same for a run that ends like those of a summand, if that has the element.
    ///
    /// # Errors
    /// What `watch` gives, which is called once for each piece and may end the search.
    pub fn run_to<R: Rules<S::Weight>>(
        &self,
        semiring: &mut S,
        post: &PostStar<S, R>,
        ending: Ending,
        element: &S::Element,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        Tracer::new(semiring, post, self).run(ending.0, element, watch)
    }
}

/// Called between the parts of a long computation; an error ends it.
pub(crate) type Watch<'a, E> = &'a mut dyn FnMut() -> Result<(), E>;

/// Spells out runs. Costs, for each piece of the run, the changes of the transitions that it comes from.
pub(crate) struct Tracer<'a, S: Traceable, R> {
    semiring: &'a mut S,
    post: &'a PostStar<S, R>,
    summary: &'a Summary<S>,
    pieces: Pieces<S::Element>,
}

impl<'a, S: Traceable, R: Rules<S::Weight>> Tracer<'a, S, R> {
    pub(crate) fn new(semiring: &'a mut S, post: &'a PostStar<S, R>, summary: &'a Summary<S>) -> Self {
        Self { semiring, post, summary, pieces: Pieces::new() }
    }

    /// A run to the transition's source and symbol; `element` is in the product of the weight of the transition's
    /// target in the summary and of the transition's own. `None` if it is in fact not.
    ///
    /// # Errors
    /// What `watch` gives, which is called once for each piece.
    pub(crate) fn run(
        mut self,
        transition: TransitionId,
        element: &S::Element,
        watch: Watch<'_, S::Stop>,
    ) -> Result<Option<Run>, S::Stop> {
        let Some(whole) = self.whole(transition, element, watch)? else { return Ok(None) };
        while let Some((transition, element)) = self.pieces.next() {
            watch()?;
            let Some((parts, change)) = self.parts(transition, &element) else { return Ok(None) };
            self.pieces.spell(parts.into_iter().flatten(), change);
        }
        Ok(Some(self.pieces.finish(whole)))
    }

    /// From the bottom of the stack upwards, the runs of the calls that have not returned, then that of the transition.
    fn whole(
        &mut self,
        transition: TransitionId,
        element: &S::Element,
        watch: Watch<'_, S::Stop>,
    ) -> Result<Option<Vec<Part>>, S::Stop> {
        let mut parts = Vec::new();
        let target = self.post.target(transition);
        let Some(below) = self.summary.weight(target) else { return Ok(None) };
        let split = self.semiring.split(element, below, self.post.weight(transition));
        let Some((mut rest, last)) = split else { return Ok(None) };
        parts.push(Part::Piece(self.pieces.of(transition, last)));
        let (mut state, mut bound) = (target, None);
        loop {
            watch()?;
            let Some((before, at)) = self.below(state, &rest, bound) else { return Ok(None) };
            let Some((transition, first, second)) = before else { break };
            parts.push(Part::Piece(self.pieces.of(transition, second)));
            (state, rest, bound) = (self.post.target(transition), first, Some(at));
        }
        parts.reverse();
        Ok(Some(parts))
    }

    /// How the summary of a state got an element, by a change older than the bound: by a transition from the state,
    /// with what is left for its target and what is its own, or by nothing.
    #[allow(clippy::type_complexity, reason = "used in one place, where the parts get names")]
    fn below(
        &mut self,
        state: State,
        element: &S::Element,
        bound: Option<ChangeId>,
    ) -> Option<(Option<(TransitionId, S::Element, S::Element)>, ChangeId)> {
        let (at, change) = self
            .summary
            .changes(state, bound)
            .filter(|(_, change)| self.semiring.contains(change.delta, element))
            .last()?;
        let Some(transition) = change.cause else { return Some((None, at)) };
        let target = self.post.target(transition);
        let (first, second) = self
            .summary
            .changes(target, Some(at))
            .find_map(|(_, below)| self.semiring.split(element, below.delta, self.post.weight(transition)))?;
        Some((Some((transition, first, second)), at))
    }

    /// What the run of a transition for an element is made of, and the change that says so.
    fn parts(&mut self, id: TransitionId, element: &S::Element) -> Option<([Option<Part>; 2], ChangeId)> {
        let all = self.post.changes(id, None);
        let (at, change) = all.filter(|(_, change)| self.semiring.contains(change.delta, element)).last()?;
        let parts = match Cause::from(change.cause) {
            Cause::Start => [None, None],
            Cause::Rule(rule, from) => {
                let weight = self.post.system().weight(rule);
                let mut changes = self.post.changes(from, Some(at));
                let (first, own) = changes.find_map(|(_, from)| self.semiring.split(element, from.delta, weight))?;
                [Some(Part::Piece(self.pieces.of(from, first))), Some(Part::Rule(rule, self.semiring.tag(&own)))]
            }
            Cause::Join(call, callee) => {
                let (first, second) = self.post.changes(call, Some(at)).find_map(|(_, call)| {
                    let mut changes = self.post.changes(callee, Some(at));
                    changes.find_map(|(_, callee)| self.semiring.split(element, call.delta, callee.delta))
                })?;
                let first = Part::Piece(self.pieces.of(call, first));
                let tag = self.semiring.tag(&second);
                let piece = self.pieces.of(callee, second);
                let controls = self.post.entered_in(self.post.target(callee)).zip(self.post.source_control(callee));
                let second = match controls {
                    Some((from, to)) => Part::Callee(Callee { from, to, tag, piece }),
                    // The stack was there from the start.
                    None => Part::Piece(piece),
                };
                [Some(first), Some(second)]
            }
        };
        Some((parts, at))
    }
}
