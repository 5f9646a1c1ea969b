//! Reconstruction of a run for an element of a weight, by reading the log of changes backwards.
//!
//! A change of a transition was caused by a rule and a transition, or by two transitions, whose own changes were all
//! logged before. So an element of the change splits into elements of *older* changes, and repeating this ends at the
//! starts after finitely many steps, in spite of loops and recursion. Source: Reps, Schwoon, Jha, Melski 2005, section
//! 4, with elements instead of sets of contributions.
//!
//! The oldest change of a transition with an element is read. It is older than every change that was derived from a
//! change with this element. So it can be used wherever this element of the transition occurs, and is read once
//! ([`Run`]).

use crate::index::{Control, State, TransitionId};
use crate::log::ChangeId;
use crate::meeting::Path;
use crate::post_star::{Cause, PostStar};
use crate::run::{Callee, Part, Run, Subruns};
use crate::saturation::Saturation;
use crate::semiring::{Semiring, Traceable};
use crate::summary::{Ending, Summary};
use crate::system::Rules;

impl<S: Semiring> Summary<S> {
    /// Returns a run to some configuration with this control state whose weight has this element; `None` if the total
    /// of the control state does not have it. Linear in the summands, and in the subruns of the run times the changes
    /// of the weights.
    ///
    /// # Errors
    /// Those of `watch`, which is called once for each subrun.
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

    /// The same for a run with the last transition of a summand, if this summand has the element.
    ///
    /// # Errors
    /// Those of `watch`, which is called once for each subrun.
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
        let mut tracer = Tracer::new(semiring, post);
        let Some(whole) = tracer.whole(self, ending.0, element, watch)? else { return Ok(None) };
        tracer.run(whole, watch)
    }
}

impl<S: Semiring, R: Rules<S::Weight>> PostStar<S, R> {
    /// Returns a run to a target of [`aim_at`](Self::aim_at) for an element of [`weight_of_aim`](Self::weight_of_aim).
    /// Linear in the subruns of the run, times the changes of the weights.
    ///
    /// # Errors
    /// The semiring's, or that of `watch`, which is called once for each subrun.
    pub fn run_to_aim(
        &self,
        semiring: &mut S,
        element: &S::Element,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        let Some((path, _)) = self.course().aim().map_or(Ok(None), |aim| aim.paths(semiring, element))? else {
            return Ok(None);
        };
        self.run_along(semiring, path, watch)
    }

    /// Returns the run for elements of the transitions of a path, from the bottom of the stack.
    pub(crate) fn run_along(
        &self,
        semiring: &mut S,
        path: Path<S::Element>,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        let mut tracer = Tracer::new(semiring, self);
        let whole = path.into_iter().map(|(transition, element)| Part::Subrun(tracer.subruns.of(transition, element)));
        let whole = whole.collect();
        tracer.run(whole, watch)
    }
}

/// A function that is called regularly during a long computation; an error ends the computation.
type Watch<'a, E> = &'a mut dyn FnMut() -> Result<(), E>;

/// A reconstruction of a run. Linear in the changes of the transitions from which its subruns are read.
struct Tracer<'a, S: Traceable, R> {
    semiring: &'a mut S,
    post: &'a PostStar<S, R>,
    subruns: Subruns<S::Element>,
}

impl<'a, S: Traceable, R: Rules<S::Weight>> Tracer<'a, S, R> {
    fn new(semiring: &'a mut S, post: &'a PostStar<S, R>) -> Self {
        Self { semiring, post, subruns: Subruns::new() }
    }

    /// Returns the run of these parts, whose subruns are expanded; `None` if an element is not found.
    ///
    /// # Errors
    /// Those of `watch`, which is called once for each subrun.
    fn run(mut self, whole: Vec<Part>, watch: Watch<'_, S::Stop>) -> Result<Option<Run>, S::Stop> {
        while let Some((transition, element)) = self.subruns.next() {
            watch()?;
            let Some((parts, change)) = self.parts(transition, &element) else { return Ok(None) };
            self.subruns.expand(parts.into_iter().flatten(), change);
        }
        Ok(Some(self.subruns.finish(whole)))
    }

    /// Returns the runs of the calls that have not returned, from the bottom of the stack upwards, then the run of the
    /// transition, for an element of the product of the target's weight in the summary and the transition's weight;
    /// `None` if the product does not have it.
    fn whole(
        &mut self,
        summary: &Summary<S>,
        transition: TransitionId,
        element: &S::Element,
        watch: Watch<'_, S::Stop>,
    ) -> Result<Option<Vec<Part>>, S::Stop> {
        let mut parts = Vec::new();
        let target = self.post.target(transition);
        let Some(below) = summary.weight(target) else { return Ok(None) };
        let split = self.semiring.split(element, below, self.post.weight(transition));
        let Some((mut rest, last)) = split else { return Ok(None) };
        parts.push(Part::Subrun(self.subruns.of(transition, last)));
        let (mut state, mut bound) = (target, None);
        loop {
            watch()?;
            let Some((before, at)) = self.below(summary, state, &rest, bound) else { return Ok(None) };
            let Some((transition, first, second)) = before else { break };
            parts.push(Part::Subrun(self.subruns.of(transition, second)));
            (state, rest, bound) = (self.post.target(transition), first, Some(at));
        }
        parts.reverse();
        Ok(Some(parts))
    }

    /// Returns the cause of an element in the summary of a state, by a change older than the bound: a transition from
    /// the state, with the elements of its target and of itself; or none at the final state.
    #[allow(clippy::type_complexity, reason = "used in one place, where the parts get names")]
    fn below(
        &mut self,
        summary: &Summary<S>,
        state: State,
        element: &S::Element,
        bound: Option<ChangeId>,
    ) -> Option<(Option<(TransitionId, S::Element, S::Element)>, ChangeId)> {
        let (at, change) =
            summary.changes(state, bound).filter(|(_, change)| self.semiring.contains(change.delta, element)).last()?;
        let Some(transition) = change.cause else { return Some((None, at)) };
        let target = self.post.target(transition);
        let (first, second) = summary
            .changes(target, Some(at))
            .find_map(|(_, below)| self.semiring.split(element, below.delta, self.post.weight(transition)))?;
        Some((Some((transition, first, second)), at))
    }

    /// Returns the parts of a transition's run for an element, and the change from which they were read.
    fn parts(&mut self, id: TransitionId, element: &S::Element) -> Option<([Option<Part>; 2], ChangeId)> {
        let all = self.post.changes(id, None);
        let (at, change) = all.filter(|(_, change)| self.semiring.contains(change.delta, element)).last()?;
        let parts = match Cause::from(change.cause) {
            Cause::Start => [None, None],
            Cause::Rule(rule, from) => {
                let weight = self.post.system().weight(rule);
                let mut changes = self.post.changes(from, Some(at));
                let (first, own) = changes.find_map(|(_, from)| self.semiring.split(element, from.delta, weight))?;
                [Some(Part::Subrun(self.subruns.of(from, first))), Some(Part::Rule(rule, self.semiring.tag(&own)))]
            }
            Cause::Join(call, callee) => {
                let (first, second) = self.post.changes(call, Some(at)).find_map(|(_, call)| {
                    let mut changes = self.post.changes(callee, Some(at));
                    changes.find_map(|(_, callee)| self.semiring.split(element, call.delta, callee.delta))
                })?;
                let first = Part::Subrun(self.subruns.of(call, first));
                let tag = self.semiring.tag(&second);
                let subrun = self.subruns.of(callee, second);
                let controls = self.post.entered_in(self.post.target(callee)).zip(self.post.source_control(callee));
                let second = match controls {
                    Some((from, to)) => Part::Callee(Callee { from, to, tag, subrun }),
                    // This part of the stack belongs to a start.
                    None => Part::Subrun(subrun),
                };
                [Some(first), Some(second)]
            }
        };
        Some((parts, at))
    }
}
