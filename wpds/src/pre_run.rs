//! Reading the automaton of a backward saturation: the weight of a configuration, and from one of its elements a run.
//!
//! A configuration is read along paths of the automaton, whose weights are the weights of the runs in the order of the
//! symbols: first all that pops the topmost one. So an element of the product splits into one for each transition, and each of
//! these into elements of *older* changes, which ends at pop rules and at the transitions of the targets (see `witness`).

use crate::index::{Control, RuleId, State, Symbol, TransitionId};
use crate::log::ChangeId;
use crate::pre_star::{Cause, PreStar};
use crate::semiring::{Semiring, Traceable};

/// What still has to be spelled out.
#[derive(Debug)]
struct Task<E> {
    transition: TransitionId,
    element: E,
    /// Only changes that are older than this count.
    bound: Option<ChangeId>,
}

/// The sums over the ways to read the rest of a stack: per state.
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

    /// Per place of the stack, the states that can be reached there with the sums over the ways from there to acceptance.
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

    /// The rules of a run from the configuration to a target whose weight has this element; `None` if the configuration's
    /// weight does not have it, or the semiring gives up.
    pub fn run(&self, semiring: &mut S, control: Control, stack: &[Symbol], element: &S::Element) -> Option<Vec<RuleId>>
    where
        S: Traceable,
    {
        let rests = self.rests(semiring, control, stack).ok()?;
        if !semiring.contains(of_state(&rests[0], State::control(control))?, element) {
            return None;
        }
        let (mut state, mut element) = (State::control(control), element.clone());
        let mut tasks = Vec::new();
        for (symbol, below) in stack.iter().zip(&rests[1..]) {
            let (transition, first, rest) = self.leaving(state, *symbol).find_map(|id| {
                let rest = of_state(below, self.target(id))?;
                semiring.split(&element, self.weight(id), rest).map(|(first, rest)| (id, first, rest))
            })?;
            tasks.push(Task { transition, element: first, bound: None });
            (state, element) = (self.target(transition), rest);
        }
        tasks.reverse();
        let mut rules = Vec::new();
        while let Some(task) = tasks.pop() {
            self.expand(semiring, task, &mut rules, &mut tasks)?;
        }
        Some(rules)
    }

    /// Emits the first rule of a task, if it has one, and leaves the rest.
    fn expand(
        &self,
        semiring: &mut S,
        task: Task<S::Element>,
        rules: &mut Vec<RuleId>,
        tasks: &mut Vec<Task<S::Element>>,
    ) -> Option<()>
    where
        S: Traceable,
    {
        let Task { transition, element, bound } = task;
        let (at, change) =
            self.changes(transition, bound).filter(|(_, change)| semiring.contains(change.delta, &element)).last()?;
        match change.cause {
            Cause::Target => {}
            Cause::Pop(rule) => rules.push(rule),
            Cause::Step(rule, next) => {
                let weight = self.system().weight(rule);
                let mut changes = self.changes(next, Some(at));
                let rest = changes.find_map(|(_, next)| semiring.split(&element, weight, next.delta))?.1;
                rules.push(rule);
                tasks.push(Task { transition: next, element: rest, bound: Some(at) });
            }
            Cause::Push(rule, upper, lower) => {
                let weight = self.system().weight(rule);
                let (first, second) = self.changes(upper, Some(at)).find_map(|(_, upper)| {
                    let front = semiring.extend(weight, upper.delta).ok()?;
                    let mut changes = self.changes(lower, Some(at));
                    let (front, second) =
                        changes.find_map(|(_, lower)| semiring.split(&element, &front, lower.delta))?;
                    Some((semiring.split(&front, weight, upper.delta)?.1, second))
                })?;
                rules.push(rule);
                tasks.push(Task { transition: lower, element: second, bound: Some(at) });
                tasks.push(Task { transition: upper, element: first, bound: Some(at) });
            }
        }
        Some(())
    }
}

fn of_state<W>(rest: &Rest<W>, state: State) -> Option<&W> {
    rest.iter().find(|(own, _)| *own == state).map(|(_, weight)| weight)
}
