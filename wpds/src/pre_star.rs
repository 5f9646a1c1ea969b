//! Backward reachability: saturation of a weighted automaton that accepts exactly the configurations from which a given
//! set of configurations can be reached.
//!
//! The saturation begins with an [`Automaton`] that accepts the targets; its transitions have the weight of the empty
//! run. Invariant, restored whenever the worklist is empty:
//!
//! - the weight of `(p, g, q)`, where `q` is a control state that accepts something, sums the runs from `<p, g>` to `q`
//!   with the empty stack;
//! - the weight of `(p, g, q)`, where `q` is an inner state of the target automaton or final, sums the runs from
//!   `<p, g>` to configurations `<p', g1 ... gn>` that the target automaton reads from `p'` to `q`;
//! - for a push rule whose upper head has a transition to `q` there is a [`Half`] at `(q, lower symbol)`, which waits
//!   for transitions there.
//!
//! A run is a product in the order of its rules, so weights are extended to the left here. As in the forward direction,
//! a transition has a pending part of its weight, and causes are older than the changes that they cause.
//!
//! *Goal-directed.* A pop rule into `q` becomes a transition only once `q` accepts the empty stack or a transition
//! leaves `q`. Other transitions into `q` would be parts of no accepting path. No run to a target is lost, by induction
//! on its length: take its first configuration `c` and its second one, `c'`, for which the automaton has a path with
//! the rest of the run. If the first rule pops, then `c'` is accepted from `q`, so `q` accepts the empty stack or a
//! transition leaves it, and the path with the pop in front is one for `c`. Steps and pushes as in the literature.
//!
//! Source: Bouajjani, Esparza, Maler 1997; Reps, Schwoon, Jha, Melski 2005, section 3.1.

use crate::automaton::{Automaton, Goal, Origin, Place};
use crate::by_right::ByRight;
use crate::index::{Control, Head, RuleId, State, Symbol, TransitionId};
use crate::link::Link;
use crate::log::{Change, ChangeId};
use crate::meeting::Side;
use crate::saturation::{Course, Progress, Saturation};
use crate::semiring::Semiring;
use crate::system::{Rank, Right, System};
use crate::transitions::Transitions;
use crate::worklist::{Next, Worklist};

/// The cause of a change of a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The transition belongs to the target automaton.
    Target,
    /// The pop rule.
    Pop(RuleId),
    /// The step rule, then runs of the transition.
    Step(RuleId, TransitionId),
    /// The push rule, then runs of the first transition, then runs of the second, which begins where the first ends.
    Push(RuleId, TransitionId, TransitionId),
}

/// A push rule whose upper symbol has been read; the transition is the one that reads it.
#[derive(Clone, Copy, Debug)]
struct Half {
    rule: RuleId,
    upper: TransitionId,
    /// The next one at the same head, by its position among all.
    next: Option<u32>,
}

/// The transitions of a head, and the halves that wait for them.
#[derive(Clone, Copy, Debug, Default)]
struct Lists {
    transitions: Link,
    halves: Option<u32>,
}

/// A backward saturation, in progress or finished: the automaton of the configurations that reach a target.
///
/// Cost: a Boolean saturation of a system with `r` rules and an automaton of `q` states, including the control states,
/// makes at most `r * q` transitions and needs `O(r * q^2)` time. With ordered weights whose best one is 1
/// ([`Semiring::IS_ORDERED`]) a transition is processed once as well, and the time grows by the logarithm of the number
/// of transitions.
///
/// ```
/// use wpds::{Automaton, Control, Goal, MinPlus, Origin, PreStar, Symbol, System};
///
/// // A function calls itself or returns; how long does it take from `main` to `back`?
/// let p = Control::new(0);
/// let (main, back, body) = (Symbol::new(0), Symbol::new(1), Symbol::new(2));
/// let mut system = System::builder();
/// system.push(p, main, p, body, back, Some(1));
/// system.push(p, body, p, body, body, Some(1));
/// system.pop(p, body, p, Some(1));
/// let mut targets = Automaton::new();
/// targets.edge(Origin::Control(p), back, Goal::Final);
///
/// let mut distances = MinPlus;
/// let mut pre = PreStar::new(&distances, system.build());
/// pre.target_at(&mut distances, &targets).unwrap();
/// pre.advance(&mut distances, usize::MAX).unwrap();
/// assert_eq!(pre.weight_of(&mut distances, p, &[main]), Ok(Some(2)));
/// let run = pre.run(&mut distances, p, &[main], &2, &mut || Ok(())).unwrap();
/// assert_eq!(run.map(|run| run.length()), Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct PreStar<S: Semiring> {
    system: System<S::Weight>,
    by_right: ByRight,
    one: S::Weight,
    transitions: Transitions<S::Weight, Cause>,
    /// Per transition, the next one with the same head.
    next: Vec<Link>,
    lists: Vec<Lists>,
    halves: Vec<Half>,
    /// The control states that the targets accept with the empty stack.
    accepting: Vec<Control>,
    /// Per control state, whether the transitions of the pop rules into it were added.
    popped_into: Vec<bool>,
    course: Course<S::Weight>,
}

impl<S: Semiring> PreStar<S> {
    /// Returns a saturation without targets. Linear in the number of rules.
    pub fn new(semiring: &S, system: System<S::Weight>) -> Self {
        let mut transitions =
            if S::IS_ORDERED { Transitions::settling() } else { Transitions::changing(Worklist::fifo()) };
        transitions.reserve(system.heads.len());
        Self {
            by_right: ByRight::new(&system),
            lists: vec![Lists::default(); system.heads.len()],
            system,
            one: semiring.one(),
            transitions,
            next: Vec::new(),
            halves: Vec::new(),
            accepting: Vec::new(),
            popped_into: Vec::new(),
            course: Course::default(),
        }
    }

    /// Adds all configurations that an automaton accepts to the targets.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn target_at(&mut self, semiring: &mut S, targets: &Automaton) -> Result<(), S::Stop> {
        let one = self.one.clone();
        for (from, symbol, to) in targets.edges() {
            let source = match from {
                Origin::Control(control) => State::control(*control),
                Origin::Inner(inner) => State::given(*inner),
            };
            let target = match to {
                Goal::Inner(inner) => State::given(*inner),
                Goal::Final => State::FINAL,
            };
            let head = self.intern(source, *symbol);
            self.add(semiring, head, target, &one, Cause::Target)?;
        }
        for control in targets.accepting() {
            self.accepting.push(*control);
            self.add_pops(semiring, *control)?;
        }
        self.course.begin_with(self.transitions.len());
        Ok(())
    }

    /// Lets the saturation end when it reaches a configuration that the automaton accepts, so that a run leads from
    /// there to a target: [`advance`](Self::advance) returns [`Progress::Reached`]. With ordered weights whose best one
    /// is 1 it ends when the best run from all these configurations is known. Further starts can be added; the targets
    /// must be there before.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn aim_at(&mut self, semiring: &mut S, starts: &Automaton) -> Result<(), S::Stop> {
        self.add_aim(semiring, starts)
    }

    /// The sum of the runs found so far from the starts of [`aim_at`](Self::aim_at); `None` without starts. It is that
    /// of all runs if the saturation has finished, and the best of all if it has ended early with ordered weights whose
    /// best one is 1.
    pub fn weight_of_aim(&self) -> Option<&S::Weight> {
        self.course.weight_of_aim()
    }

    /// Makes at most `steps` steps; each processes one transition with its pending weight.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn advance(&mut self, semiring: &mut S, steps: usize) -> Result<Progress, S::Stop> {
        self.make_steps(semiring, steps)
    }

    /// The system.
    pub fn system(&self) -> &System<S::Weight> {
        &self.system
    }

    /// The number of transitions of the automaton.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The control states that are accepted with the empty stack.
    pub fn accepting(&self) -> &[Control] {
        &self.accepting
    }

    /// The automaton so far: for each transition its source, symbol, target and weight.
    pub fn automaton(&self) -> impl Iterator<Item = (Place, Symbol, Place, &S::Weight)> {
        self.transitions.ids().map(|id| {
            let (source, symbol) = self.system.heads.pair(self.transitions.head(id));
            (place(source), symbol, place(self.transitions.target(id)), self.transitions.weight(id))
        })
    }

    /// Adds the transitions of the pop rules into a control state that accepts something, once.
    fn add_pops(&mut self, semiring: &mut S, to: Control) -> Result<(), S::Stop> {
        let target = State::control(to);
        if self.popped_into.len() <= to.index() {
            self.popped_into.resize(to.index() + 1, false);
        }
        if std::mem::replace(&mut self.popped_into[to.index()], true) {
            return Ok(());
        }
        let Some(empty) = self.system.heads.find(target, Symbol::EPSILON) else { return Ok(()) };
        for place in self.by_right.rules(empty) {
            let rule = self.by_right.rule(place);
            let weight = self.system.weight(rule).clone();
            self.add(semiring, self.system.left_head(rule), target, &weight, Cause::Pop(rule))?;
        }
        Ok(())
    }

    /// Begins with a transition that is processed for the first time.
    fn begin(&mut self, semiring: &mut S, id: TransitionId, head: Head) -> Result<(), S::Stop> {
        if self.transitions.are_settling() {
            self.next[id.index()] = self.lists[head.index()].transitions.replace(id);
        }
        match self.system.heads.pair(head).0.as_control() {
            Some(control) => self.add_pops(semiring, control),
            None => Ok(()),
        }
    }

    /// Continues new runs of the upper symbol of a push with the transitions of its lower symbol.
    fn go_on_below(
        &mut self,
        semiring: &mut S,
        (rule, upper): (RuleId, &Next<S::Weight>),
        weight: &S::Weight,
        symbol: Symbol,
        middle: State,
    ) -> Result<(), S::Stop> {
        if middle == State::FINAL {
            return Ok(());
        }
        let head = self.intern(middle, symbol);
        let left = self.system.left_head(rule);
        let mut lower = self.lists[head.index()].transitions.get();
        while let Some(id) = lower {
            lower = self.next[id.index()].get();
            let whole = semiring.extend(weight, self.transitions.weight(id))?;
            self.add(semiring, left, self.transitions.target(id), &whole, Cause::Push(rule, upper.id, id))?;
        }
        if upper.is_first {
            let place = u32::try_from(self.halves.len()).expect("fewer than 2^32 halves");
            let next = self.lists[head.index()].halves.replace(place);
            self.halves.push(Half { rule, upper: upper.id, next });
        }
        Ok(())
    }

    /// Completes the pushes whose lower symbol is read by a transition with new runs.
    fn complete_halves(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        head: Head,
        target: State,
        delta: &S::Weight,
    ) -> Result<(), S::Stop> {
        let mut next = self.lists[head.index()].halves;
        while let Some(place) = next {
            let half = self.halves[place as usize];
            next = half.next;
            let upper = semiring.extend(self.system.weight(half.rule), self.transitions.weight(half.upper))?;
            let whole = semiring.extend(&upper, delta)?;
            let cause = Cause::Push(half.rule, half.upper, id);
            self.add(semiring, self.system.left_head(half.rule), target, &whole, cause)?;
        }
        Ok(())
    }

    fn intern(&mut self, state: State, symbol: Symbol) -> Head {
        let head = self.system.heads.intern(state, symbol);
        if self.lists.len() <= head.index() {
            self.lists.push(Lists::default());
        }
        head
    }

    /// Adds a weight to a transition, and the transition if it is new; it is processed again if its weight has changed.
    fn add(
        &mut self,
        semiring: &mut S,
        head: Head,
        target: State,
        weight: &S::Weight,
        cause: Cause,
    ) -> Result<(), S::Stop> {
        if let Some(id) = self.transitions.add(semiring, (head, target), weight, cause, Rank::default)? {
            let is_joined = !self.transitions.are_settling();
            let list = &mut self.lists[head.index()].transitions;
            self.next.push(if is_joined { list.replace(id) } else { Link::default() });
        }
        Ok(())
    }

    /// The transitions that leave a state over a symbol.
    pub(crate) fn leaving(&self, state: State, symbol: Symbol) -> impl Iterator<Item = TransitionId> {
        let head = self.system.heads.find(state, symbol);
        let first = head.and_then(|head| self.lists[head.index()].transitions.get());
        std::iter::successors(first, |id| self.next[id.index()].get())
    }

    pub(crate) fn target(&self, id: TransitionId) -> State {
        self.transitions.target(id)
    }

    pub(crate) fn weight(&self, id: TransitionId) -> &S::Weight {
        self.transitions.weight(id)
    }

    /// The changes of a transition that are older than `bound`; the youngest first.
    pub(crate) fn changes(
        &self,
        id: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, S::Weight, Cause>)> {
        self.transitions.changes(id, bound)
    }
}

impl<S: Semiring> Saturation<S> for PreStar<S> {
    type Cause = Cause;

    const SIDE: Side = Side::Backward;

    fn transitions(&self) -> &Transitions<S::Weight, Cause> {
        &self.transitions
    }

    fn transitions_mut(&mut self) -> &mut Transitions<S::Weight, Cause> {
        &mut self.transitions
    }

    fn course(&self) -> &Course<S::Weight> {
        &self.course
    }

    fn course_mut(&mut self) -> &mut Course<S::Weight> {
        &mut self.course
    }

    fn accepting_at_once(&self) -> &[Control] {
        &self.accepting
    }

    fn ends(&self, id: TransitionId) -> (State, Symbol, State) {
        let (source, symbol) = self.system.heads.pair(self.transitions.head(id));
        (source, symbol, self.transitions.target(id))
    }

    fn process(&mut self, semiring: &mut S, next: &Next<S::Weight>) -> Result<(), S::Stop> {
        let (head, target) = (self.transitions.head(next.id), self.transitions.target(next.id));
        if next.is_first {
            self.begin(semiring, next.id, head)?;
        }
        for place in self.by_right.rules(head) {
            let rule = self.by_right.rule(place);
            let weight = semiring.extend(self.system.weight(rule), &next.delta)?;
            match self.system.right(rule) {
                Right::Push(_, below) => {
                    let symbol = self.system.heads.pair(below).1;
                    self.go_on_below(semiring, (rule, next), &weight, symbol, target)?;
                }
                _ => self.add(semiring, self.system.left_head(rule), target, &weight, Cause::Step(rule, next.id))?,
            }
        }
        self.complete_halves(semiring, next.id, head, target, &next.delta)
    }
}

fn place(state: State) -> Place {
    match (state.as_control(), state.as_given()) {
        (Some(control), _) => Place::Control(control),
        (_, Some(inner)) => Place::Inner(inner),
        _ => Place::Final,
    }
}
