//! The weight of a configuration in the automaton of a backward saturation, and a run for one of its elements.
//!
//! A path of the automaton that reads a configuration has the product of its transitions' weights, in the order of the
//! symbols: first the runs that pop the topmost one. So an element of the product splits into one element for each
//! transition, and each of these into elements of *older* changes. This ends at pop rules and at the transitions of the
//! target automaton (see `witness`).

use crate::index::{Control, RuleId, State, Symbol, TransitionId};
use crate::log::ChangeId;
use crate::meeting::Path;
use crate::pre_star::{Cause, PreStar};
use crate::run::{Callee, Part, Run, Subruns};
use crate::saturation::Saturation;
use crate::semiring::{Semiring, Traceable};
use crate::system::Rule;

/// Per state, the sum over the paths that read the rest of a stack.
type Rest<W> = Vec<(State, W)>;

impl<S: Semiring> PreStar<S> {
    /// The weight of the configuration `<control, stack>`, the topmost symbol first: the sum over all runs from it to a
    /// target, once the saturation has finished. Linear in the stack's height times the number of states.
    ///
    /// # Errors
    /// The semiring's.
    pub fn weight_of(&self, semiring: &mut S, control: Control, stack: &[Symbol]) -> Result<S::Weight, S::Stop> {
        let rests = self.rests(semiring, control, stack)?;
        Ok(of_state(&rests[0], State::control(control)).cloned().unwrap_or_else(|| semiring.zero()))
    }

    /// Returns for each position of the stack the states that can be reached there, with the sums over the accepting
    /// paths from there.
    fn rests(&self, semiring: &mut S, control: Control, stack: &[Symbol]) -> Result<Vec<Rest<S::Weight>>, S::Stop> {
        let mut reached = vec![vec![State::control(control)]];
        for symbol in stack {
            let here = reached.last().expect("it begins with the control state");
            let next = here.iter().flat_map(|state| self.leaving(*state, *symbol)).map(|id| self.target(id));
            let mut next: Vec<_> = next.collect();
            next.sort_unstable();
            next.dedup();
            reached.push(next);
        }
        let mut rests: Vec<Rest<S::Weight>> = Vec::new();
        let last = reached.pop().expect("one more than symbols");
        let accepts =
            |state: &State| *state == State::FINAL || state.as_control().is_some_and(|c| self.accepting().contains(&c));
        rests.push(last.into_iter().filter(accepts).map(|state| (state, semiring.one())).collect());
        for (states, symbol) in reached.into_iter().zip(stack).rev() {
            let below = rests.last().expect("the end of the stack is there");
            let mut here = Vec::new();
            for state in states {
                let mut sum = semiring.zero();
                for id in self.leaving(state, *symbol) {
                    if let Some(rest) = of_state(below, self.target(id)) {
                        let whole = semiring.extend(self.weight(id), rest)?;
                        semiring.combine_into(&mut sum, &whole)?;
                    }
                }
                here.push((state, sum));
            }
            rests.push(here);
        }
        rests.reverse();
        Ok(rests)
    }

    /// Returns a run from the configuration to a target whose weight has this element; `None` if the configuration's
    /// weight does not have it. Linear in the subruns of the run, times the changes of the weights.
    ///
    /// # Errors
    /// The semiring's, or that of `watch`, which is called once for each subrun.
    pub fn run(
        &self,
        semiring: &mut S,
        control: Control,
        stack: &[Symbol],
        element: &S::Element,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        let rests = self.rests(semiring, control, stack)?;
        let (mut state, mut element) = (State::control(control), element.clone());
        let has = of_state(&rests[0], state).is_some_and(|weight| semiring.contains(weight, &element));
        let (mut whole, mut subruns) = (Vec::new(), Subruns::new());
        for (symbol, below) in stack.iter().zip(&rests[1..]).filter(|_| has) {
            let found = self.leaving(state, *symbol).find_map(|id| {
                let rest = of_state(below, self.target(id))?;
                semiring.split(&element, self.weight(id), rest).map(|(first, rest)| (id, first, rest))
            });
            let Some((transition, first, rest)) = found else { return Ok(None) };
            whole.push(Part::Subrun(subruns.of(transition, first)));
            (state, element) = (self.target(transition), rest);
        }
        if has { self.expanded(semiring, subruns, whole, watch) } else { Ok(None) }
    }

    /// Returns a run from a start of [`aim_at`](Self::aim_at) for an element of [`weight_of_aim`](Self::weight_of_aim).
    /// Linear in the subruns of the run, times the changes of the weights.
    ///
    /// # Errors
    /// The semiring's, or that of `watch`, which is called once for each subrun.
    pub fn run_from_aim(
        &self,
        semiring: &mut S,
        element: &S::Element,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        let Some((_, path)) = self.course().aim().map_or(Ok(None), |aim| aim.paths(semiring, element))? else {
            return Ok(None);
        };
        self.run_along(semiring, path, watch)
    }

    /// Returns the run for elements of the transitions of a path, from the top of the stack.
    pub(crate) fn run_along(
        &self,
        semiring: &mut S,
        path: Path<S::Element>,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        let mut subruns = Subruns::new();
        let whole = path.into_iter().map(|(transition, element)| Part::Subrun(subruns.of(transition, element)));
        let whole = whole.collect();
        self.expanded(semiring, subruns, whole, watch)
    }

    /// Expands all subruns of these parts; `None` if an element is not found.
    fn expanded(
        &self,
        semiring: &mut S,
        mut subruns: Subruns<S::Element>,
        whole: Vec<Part>,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<Run>, S::Stop>
    where
        S: Traceable,
    {
        while let Some((transition, element)) = subruns.next() {
            watch()?;
            let Some((parts, change)) = self.parts(semiring, &mut subruns, transition, &element)? else {
                return Ok(None);
            };
            subruns.expand(parts.into_iter().flatten(), change);
        }
        Ok(Some(subruns.finish(whole)))
    }

    /// Returns the parts of a transition's run for an element, and the change from which they were read.
    #[allow(clippy::type_complexity, reason = "used in one place, where the parts get names")]
    fn parts(
        &self,
        semiring: &mut S,
        subruns: &mut Subruns<S::Element>,
        transition: TransitionId,
        element: &S::Element,
    ) -> Result<Option<([Option<Part>; 3], ChangeId)>, S::Stop>
    where
        S: Traceable,
    {
        let all = self.changes(transition, None);
        let oldest = all.filter(|(_, change)| semiring.contains(change.delta, element)).last();
        let Some((at, change)) = oldest else { return Ok(None) };
        let parts = match change.cause {
            Cause::Target => [None; 3],
            Cause::Pop(rule) => [Some(Part::Rule(rule, 0)), None, None],
            Cause::Step(rule, next) => {
                let weight = self.system().weight(rule);
                let mut changes = self.changes(next, Some(at));
                let split = changes.find_map(|(_, next)| semiring.split(element, weight, next.delta));
                let Some((_, rest)) = split else { return Ok(None) };
                [Some(Part::Rule(rule, 0)), Some(Part::Subrun(subruns.of(next, rest))), None]
            }
            Cause::Push(rule, upper, lower) => {
                let Some((first, second)) = self.split_push(semiring, (rule, upper, lower), element, at)? else {
                    return Ok(None);
                };
                let subrun = subruns.of(upper, first);
                // If the upper half ends in a control state, the upper symbol has been popped.
                let callee = match self.target(upper).as_control() {
                    Some(to) => Part::Callee(Callee { from: self.entered_by(rule), to, tag: 0, subrun }),
                    None => Part::Subrun(subrun),
                };
                [Some(Part::Rule(rule, 0)), Some(callee), Some(Part::Subrun(subruns.of(lower, second)))]
            }
        };
        Ok(Some((parts, at)))
    }

    /// Splits an element into elements of the two halves of a push, by changes older than the bound.
    #[allow(clippy::type_complexity, reason = "two elements, or none")]
    fn split_push(
        &self,
        semiring: &mut S,
        (rule, upper, lower): (RuleId, TransitionId, TransitionId),
        element: &S::Element,
        bound: ChangeId,
    ) -> Result<Option<(S::Element, S::Element)>, S::Stop>
    where
        S: Traceable,
    {
        let weight = self.system().weight(rule);
        for (_, upper) in self.changes(upper, Some(bound)) {
            let front = semiring.extend(weight, upper.delta)?;
            let mut changes = self.changes(lower, Some(bound));
            let split = changes.find_map(|(_, lower)| semiring.split(element, &front, lower.delta));
            if let Some((front, second)) = split {
                return Ok(semiring.split(&front, weight, upper.delta).map(|(_, first)| (first, second)));
            }
        }
        Ok(None)
    }

    /// The control state after a push.
    fn entered_by(&self, rule: RuleId) -> Control {
        match self.system().rule(rule) {
            Rule::Pop { control } | Rule::Step { control, .. } | Rule::Push { control, .. } => control,
        }
    }
}

fn of_state<W>(rest: &Rest<W>, state: State) -> Option<&W> {
    rest.iter().find(|(own, _)| *own == state).map(|(_, weight)| weight)
}
