//! From an element of a weight back to a run: the log of changes read backwards.
//!
//! A change of a transition was caused by a rule and a transition, or by two transitions, whose own changes were all
//! logged before. So an element of the change splits into elements of *older* changes, and repeating that ends at the
//! starts after finitely many steps, in spite of loops and recursion. Source: Reps, Schwoon, Jha, Melski 2005, section
//! 4, with elements in place of sets of contributions.

use crate::index::{RuleId, State, TransitionId};
use crate::log::ChangeId;
use crate::post_star::{Cause, PostStar};
use crate::semiring::Traceable;
use crate::summary::Summary;
use crate::system::Rules;

/// What still has to be spelled out, in the order of the run.
#[derive(Debug)]
enum Task<E> {
    Emit(RuleId),
    /// The run of this transition for this element, by a change older than the bound.
    Transition(TransitionId, E, Option<ChangeId>),
    /// The run that leads into this state, by a change of the summary older than the bound.
    State(State, E, Option<ChangeId>),
}

/// Spells out runs. Costs, for each rule of the run, the changes of the transitions that it comes from.
pub(crate) struct Tracer<'a, S: Traceable, R> {
    semiring: &'a mut S,
    post: &'a PostStar<S, R>,
    summary: &'a Summary<S>,
    tasks: Vec<Task<S::Element>>,
}

impl<'a, S: Traceable, R: Rules<S::Weight>> Tracer<'a, S, R> {
    pub(crate) fn new(semiring: &'a mut S, post: &'a PostStar<S, R>, summary: &'a Summary<S>) -> Self {
        Self { semiring, post, summary, tasks: Vec::new() }
    }

    /// The rules of a run to the transition's source and symbol; `element` is in the product of the weight of the
    /// transition's target in the summary and of the transition's own.
    pub(crate) fn run(mut self, transition: TransitionId, element: &S::Element) -> Option<Vec<RuleId>> {
        let target = self.post.target(transition);
        let below = self.summary.weight(target)?;
        let (first, second) = self.semiring.split(element, below, self.post.weight(transition))?;
        self.tasks.push(Task::Transition(transition, second, None));
        self.tasks.push(Task::State(target, first, None));
        let mut rules = Vec::new();
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Emit(rule) => rules.push(rule),
                Task::Transition(id, element, bound) => self.expand_transition(id, &element, bound)?,
                Task::State(state, element, bound) => self.expand_state(state, &element, bound)?,
            }
        }
        Some(rules)
    }

    fn expand_transition(&mut self, id: TransitionId, element: &S::Element, bound: Option<ChangeId>) -> Option<()> {
        let (at, change) =
            self.post.changes(id, bound).filter(|(_, change)| self.semiring.contains(change.delta, element)).last()?;
        match Cause::from(change.cause) {
            Cause::Start => {}
            Cause::Rule(rule, from) => {
                let weight = self.post.system().weight(rule);
                let first = self
                    .post
                    .changes(from, Some(at))
                    .find_map(|(_, from)| self.semiring.split(element, from.delta, weight))?
                    .0;
                self.tasks.push(Task::Emit(rule));
                self.tasks.push(Task::Transition(from, first, Some(at)));
            }
            Cause::Join(call, callee) => {
                let (first, second) = self.post.changes(call, Some(at)).find_map(|(_, call)| {
                    self.post
                        .changes(callee, Some(at))
                        .find_map(|(_, callee)| self.semiring.split(element, call.delta, callee.delta))
                })?;
                self.tasks.push(Task::Transition(callee, second, Some(at)));
                self.tasks.push(Task::Transition(call, first, Some(at)));
            }
        }
        Some(())
    }

    fn expand_state(&mut self, state: State, element: &S::Element, bound: Option<ChangeId>) -> Option<()> {
        let (at, change) = self
            .summary
            .changes(state, bound)
            .filter(|(_, change)| self.semiring.contains(change.delta, element))
            .last()?;
        let Some(transition) = change.cause else { return Some(()) };
        let target = self.post.target(transition);
        let (first, second) = self
            .summary
            .changes(target, Some(at))
            .find_map(|(_, below)| self.semiring.split(element, below.delta, self.post.weight(transition)))?;
        self.tasks.push(Task::Transition(transition, second, None));
        self.tasks.push(Task::State(target, first, Some(at)));
        Some(())
    }
}
