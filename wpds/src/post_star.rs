//! Forward reachability: saturation of a weighted automaton that accepts exactly the reachable configurations.
//!
//! The automaton reads a configuration `<p, g1 g2 ... gn>` from the control state `p`; its transitions are pairs of a
//! [head](Head) and a target state. A push rule `<p, g> -> <p', g' g''>` goes through the mid-state `middle(p', g')`.
//! Invariant, restored whenever the worklist is empty:
//!
//! - the weight of `(p, g, final)` sums the runs from the start to `<p, g>`, that of `(p, g, middle(p', g'))` those
//!   from `<p', g'>` to `<p, g>` (both without what lies below), and that of `(middle(p', g'), g'', q)` those from the
//!   entry of `q` to the moment after a push of `g' g''` with control state `p'`;
//! - a transition without a symbol, `(p, -, q)`, sums in the same way the runs that have popped all symbols above `q`;
//!   it has been joined with all transitions that leave `q`.
//!
//! A transition has a pending part of its weight that has not been propagated yet, so that nothing is extended twice
//! (`changing`; `settling` if the weights are ordered). A saturation may also begin with an automaton: its inner states
//! are then mid-states that no push enters.
//!
//! Every change of a weight is logged with its cause. Causes are older than the changes that they cause, so the
//! reconstruction of runs terminates (see `witness`).
//!
//! Source: Reps, Schwoon, Jha, Melski 2005, section 3 (post*) and section 4 (witnesses).

use crate::automaton::{Automaton, Goal, Origin, Place};
use crate::index::{Control, Head, Inner, RuleId, State, Symbol, TransitionId};
use crate::link::Link;
use crate::log::{Change, ChangeId};
use crate::meeting::Side;
use crate::saturation::{Course, Progress, Saturation};
use crate::semiring::Semiring;
use crate::system::{Loaded, Right, Rules, System};
use crate::transitions::Transitions;
use crate::worklist::{Next, Worklist};

/// The cause of a change of a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The run begins here.
    Start,
    /// The rule, applied to runs of the transition.
    Rule(RuleId, TransitionId),
    /// Runs of the first transition, then runs of the second, which reads nothing and ends where the first begins.
    Join(TransitionId, TransitionId),
}

/// A cause in two words: the numbers of its parts, where 2^31 is added to the first of two transitions; a start is
/// twice the greatest word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedCause(u32, u32);

const JOIN: u32 = 1 << 31;

impl From<Cause> for PackedCause {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Start => Self(u32::MAX, u32::MAX),
            Cause::Rule(rule, from) => {
                assert!(rule.index() < JOIN as usize, "fewer than 2^31 rules");
                Self(rule.index() as u32, from.index() as u32)
            }
            Cause::Join(call, callee) => {
                assert!(call.index() < JOIN as usize - 1, "fewer than 2^31 transitions");
                Self(JOIN + call.index() as u32, callee.index() as u32)
            }
        }
    }
}

impl From<PackedCause> for Cause {
    fn from(PackedCause(first, second): PackedCause) -> Self {
        match (first, TransitionId::new(second)) {
            (u32::MAX, _) => Self::Start,
            (JOIN.., second) => Self::Join(TransitionId::new(first - JOIN), second),
            (_, second) => Self::Rule(RuleId::new(first), second),
        }
    }
}

/// The transitions at a mid-state.
#[derive(Clone, Copy, Debug, Default)]
struct Lists {
    /// The first transition that leaves the state.
    leaving: Link,
    /// The first transition without a symbol that enters it.
    empty_entering: Link,
}

/// A forward saturation, in progress or finished: the automaton of the configurations that are reachable from the
/// starts.
///
/// Cost: at most one step per transition and change of its weight; a Boolean saturation of a system with `r` rules and
/// `c` control states makes at most `r * c` transitions and needs `O(r * c^2)` time, linear in `r` for one control
/// state. With ordered weights whose best one is 1 ([`Semiring::IS_ORDERED`]) a transition is processed once as well,
/// and the time grows by the logarithm of the number of transitions.
#[derive(Clone, Debug)]
pub struct PostStar<S: Semiring, R = Loaded> {
    system: System<S::Weight, R>,
    one: S::Weight,
    transitions: Transitions<S::Weight, PackedCause>,
    /// Per transition, the next one in its list of `Lists`.
    next: Vec<Link>,
    lists: Vec<Lists>,
    course: Course<S::Weight>,
}

/// A finished saturation: see [`PostStar::saturated`].
#[derive(Debug)]
pub struct Saturated<'a, S: Semiring, R = Loaded>(&'a PostStar<S, R>);

impl<'a, S: Semiring, R> Saturated<'a, S, R> {
    /// The saturation.
    pub fn post(&self) -> &'a PostStar<S, R> {
        self.0
    }
}

impl<S: Semiring, R: Rules<S::Weight>> PostStar<S, R> {
    /// Returns a saturation without starts.
    pub fn new(semiring: &S, system: System<S::Weight, R>) -> Self {
        let mut transitions = match (R::IS_RANKED, S::IS_ORDERED) {
            (true, _) => Transitions::changing(Worklist::by_rank()),
            (false, true) => Transitions::settling(),
            (false, false) => Transitions::changing(Worklist::fifo()),
        };
        transitions.reserve(system.heads.len());
        Self {
            system,
            one: semiring.one(),
            transitions,
            next: Vec::new(),
            lists: Vec::new(),
            course: Course::default(),
        }
    }

    /// Adds the configuration `<control, symbol>` to the starts, with the empty run.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn start(&mut self, semiring: &mut S, control: Control, symbol: Symbol) -> Result<(), S::Stop> {
        let one = self.one.clone();
        self.start_with(semiring, control, symbol, &one)
    }

    /// The same, with a part of the empty run as weight.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn start_with(
        &mut self,
        semiring: &mut S,
        control: Control,
        symbol: Symbol,
        weight: &S::Weight,
    ) -> Result<(), S::Stop> {
        let head = self.system.heads.intern(State::control(control), symbol);
        self.add(semiring, head, State::FINAL, weight, Cause::Start)
    }

    /// Adds all configurations that an automaton accepts to the starts, with the empty run.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn start_at(&mut self, semiring: &mut S, starts: &Automaton) -> Result<(), S::Stop> {
        let one = self.one.clone();
        for (from, symbol, to) in starts.edges() {
            let source = match from {
                Origin::Control(control) => State::control(*control),
                Origin::Inner(inner) => self.given(*inner),
            };
            let target = match to {
                Goal::Inner(inner) => self.given(*inner),
                Goal::Final => State::FINAL,
            };
            let head = self.system.heads.intern(source, *symbol);
            self.add(semiring, head, target, &one, Cause::Start)?;
        }
        for control in starts.accepting() {
            let head = self.system.heads.intern(State::control(*control), Symbol::EPSILON);
            self.add(semiring, head, State::FINAL, &one, Cause::Start)?;
        }
        self.course.begin_with(self.transitions.len());
        Ok(())
    }

    /// Returns the mid-state that represents a state of the starting automaton.
    fn given(&mut self, inner: Inner) -> State {
        State::middle(self.system.heads.intern(State::FINAL, Symbol::new(inner.index() as u32)))
    }

    /// Lets the saturation end when it reaches a configuration that the automaton accepts: [`advance`](Self::advance)
    /// returns [`Progress::Reached`]. With ordered weights whose best one is 1 it ends when the best run to all these
    /// configurations is known. Further targets can be added.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn aim_at(&mut self, semiring: &mut S, targets: &Automaton) -> Result<(), S::Stop> {
        self.add_aim(semiring, targets)
    }

    /// The sum of the runs found so far to the targets of [`aim_at`](Self::aim_at); `None` without targets. It is that
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

    /// Returns the finished saturation; `None` if it has not finished.
    pub fn saturated(&self) -> Option<Saturated<'_, S, R>> {
        self.transitions.is_done().then_some(Saturated(self))
    }

    /// The system, with the rules generated so far.
    pub fn system(&self) -> &System<S::Weight, R> {
        &self.system
    }

    /// The number of transitions of the automaton.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The weight of the configuration `<control, stack>`, the topmost symbol first: the sum over all runs to it, once
    /// the saturation has finished. Linear in the stack's height times the number of transitions.
    ///
    /// # Errors
    /// The semiring's.
    pub fn weight_of(&self, semiring: &mut S, control: Control, stack: &[Symbol]) -> Result<S::Weight, S::Stop> {
        // Runs begin at the final state, so the weights are collected from the bottom of the stack.
        let mut below = vec![(State::FINAL, self.one.clone())];
        if let Some((_, rest)) = stack.split_first() {
            for &symbol in rest.iter().rev() {
                below = self.read(semiring, symbol, &below, |source| source.as_middle().is_some())?;
            }
        }
        let top = stack.first().copied().unwrap_or(Symbol::EPSILON);
        let whole = self.read(semiring, top, &below, |source| source == State::control(control))?;
        Ok(whole.into_iter().next().map_or_else(|| semiring.zero(), |(_, weight)| weight))
    }

    /// Returns the states with a transition over `symbol` to one of `targets`, with the sums of the products.
    fn read(
        &self,
        semiring: &mut S,
        symbol: Symbol,
        targets: &[(State, S::Weight)],
        wanted: impl Fn(State) -> bool,
    ) -> Result<Vec<(State, S::Weight)>, S::Stop> {
        let mut sources: Vec<(State, S::Weight)> = Vec::new();
        for id in self.transitions.ids() {
            let (source, read) = self.system.heads.pair(self.transitions.head(id));
            let target = targets.iter().find(|(state, _)| *state == self.transitions.target(id));
            let Some((_, below)) = target.filter(|_| read == symbol && wanted(source)) else { continue };
            let weight = semiring.extend(below, self.transitions.weight(id))?;
            match sources.iter_mut().find(|(state, _)| *state == source) {
                Some((_, sum)) => drop(semiring.combine_into(sum, &weight)?),
                None => sources.push((source, weight)),
            }
        }
        Ok(sources)
    }

    /// Whether some reached configuration has this control state. Linear in the number of transitions.
    pub fn reaches(&self, control: Control) -> bool {
        let source = |id| self.system.heads.pair(self.transitions.head(id)).0;
        self.transitions.ids().any(|id| source(id) == State::control(control))
    }

    /// The automaton so far: for each transition its source, symbol (if it has one), target and weight.
    pub fn automaton(&self) -> impl Iterator<Item = (Place, Option<Symbol>, Place, &S::Weight)> {
        self.transitions.ids().map(|id| {
            let (source, symbol) = self.system.heads.pair(self.transitions.head(id));
            let symbol = (symbol != Symbol::EPSILON).then_some(symbol);
            (self.place(source), symbol, self.place(self.transitions.target(id)), self.transitions.weight(id))
        })
    }

    fn place(&self, state: State) -> Place {
        let Some(entry) = state.as_middle() else { return state.as_control().map_or(Place::Final, Place::Control) };
        let (state, symbol) = self.system.heads.pair(entry);
        match state.as_control() {
            Some(control) => Place::Middle(control, symbol),
            None => Place::Inner(Inner::new(symbol.index() as u32)),
        }
    }

    /// Applies every rule of the head to the pending weight of the transition.
    fn apply_rules(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        head: Head,
        target: State,
        delta: &S::Weight,
    ) -> Result<(), S::Stop> {
        for rule in self.system.expand(head) {
            let weight = semiring.extend(delta, self.system.weight(rule))?;
            let cause = Cause::Rule(rule, id);
            match self.system.right(rule) {
                Right::Pop(to) | Right::Step(to) => self.add(semiring, to, target, &weight, cause)?,
                Right::Push(entry, below) => {
                    let entered = semiring.entered(&weight);
                    self.add(semiring, entry, State::middle(entry), &entered, Cause::Start)?;
                    self.add(semiring, below, target, &weight, cause)?;
                }
            }
        }
        Ok(())
    }

    /// Joins new runs of a callee that has returned with all transitions that leave its mid-state.
    fn join_empty(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        control: Control,
        middle: State,
        delta: &S::Weight,
    ) -> Result<(), S::Stop> {
        let mut next = middle.as_middle().and_then(|entry| self.lists_of(entry).leaving.get());
        while let Some(leaving) = next {
            next = self.next[leaving.index()].get();
            let target = self.transitions.target(leaving);
            let weight = semiring.extend(self.transitions.weight(leaving), delta)?;
            let symbol = self.system.heads.pair(self.transitions.head(leaving)).1;
            let head = self.system.heads.intern(State::control(control), symbol);
            self.add(semiring, head, target, &weight, Cause::Join(leaving, id))?;
        }
        Ok(())
    }

    /// Joins new runs to a call with all known returns of its callee.
    fn join_leaving(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        middle: State,
        symbol: Symbol,
        target: State,
        delta: &S::Weight,
    ) -> Result<(), S::Stop> {
        let mut next = middle.as_middle().and_then(|entry| self.lists_of(entry).empty_entering.get());
        while let Some(empty) = next {
            next = self.next[empty.index()].get();
            let weight = semiring.extend(delta, self.transitions.weight(empty))?;
            let head = self.system.heads.intern(self.system.heads.pair(self.transitions.head(empty)).0, symbol);
            self.add(semiring, head, target, &weight, Cause::Join(id, empty))?;
        }
        Ok(())
    }

    /// Calls `each` for every way to derive a transition of a finished saturation from others by a rule or a join.
    /// Linear in the number of these.
    pub(crate) fn for_each_derivation(&self, each: &mut dyn FnMut(TransitionId, Cause)) {
        for id in self.transitions.ids() {
            let (head, target) = (self.transitions.head(id), self.transitions.target(id));
            let (source, symbol) = self.system.heads.pair(head);
            let Some(control) = source.as_control() else { continue };
            if symbol == Symbol::EPSILON {
                let leaving = target.as_middle().and_then(|entry| self.lists.get(entry.index())?.leaving.get());
                for leaving in std::iter::successors(leaving, |id| self.next[id.index()].get()) {
                    let symbol = self.system.heads.pair(self.transitions.head(leaving)).1;
                    let head = self.system.heads.find(State::control(control), symbol);
                    let to = head.and_then(|head| self.transitions.find(head, self.transitions.target(leaving)));
                    to.into_iter().for_each(|to| each(to, Cause::Join(leaving, id)));
                }
                continue;
            }
            for rule in self.system.rules_of(control, symbol) {
                let (Right::Pop(to) | Right::Step(to) | Right::Push(_, to)) = self.system.right(rule);
                let to = self.transitions.find(to, target);
                to.into_iter().for_each(|to| each(to, Cause::Rule(rule, id)));
            }
        }
    }

    fn lists_of(&mut self, entry: Head) -> &mut Lists {
        if self.lists.len() <= entry.index() {
            self.lists.resize(self.system.heads.len(), Lists::default());
        }
        &mut self.lists[entry.index()]
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
        let rank = || self.system.rank(head, target);
        if let Some(id) = self.transitions.add(semiring, (head, target), weight, cause.into(), rank)? {
            let is_joined = !self.transitions.are_settling();
            let next = if is_joined { self.link(head, target, id) } else { Link::default() };
            self.next.push(next);
        }
        Ok(())
    }

    /// Puts a transition at the front of the list where joins look for it; returns the former front.
    fn link(&mut self, head: Head, target: State, id: TransitionId) -> Link {
        let (source, symbol) = self.system.heads.pair(head);
        if let Some(entry) = source.as_middle() {
            self.lists_of(entry).leaving.replace(id)
        } else if symbol == Symbol::EPSILON {
            target.as_middle().map_or(Link::default(), |entry| self.lists_of(entry).empty_entering.replace(id))
        } else {
            Link::default()
        }
    }

    /// All transitions in the order in which they were made: number, source, whether it reads a symbol, target.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = (TransitionId, State, bool, State)> {
        self.transitions.ids().map(|id| {
            let (source, symbol) = self.system.heads.pair(self.transitions.head(id));
            (id, source, symbol != Symbol::EPSILON, self.transitions.target(id))
        })
    }

    pub(crate) fn target(&self, transition: TransitionId) -> State {
        self.transitions.target(transition)
    }

    /// The control state that a transition leaves, if it leaves one.
    pub(crate) fn source_control(&self, transition: TransitionId) -> Option<Control> {
        self.system.heads.pair(self.transitions.head(transition)).0.as_control()
    }

    /// The control state in which a push enters this mid-state; none for a state of the starting automaton.
    pub(crate) fn entered_in(&self, middle: State) -> Option<Control> {
        self.system.heads.pair(middle.as_middle()?).0.as_control()
    }

    pub(crate) fn weight(&self, transition: TransitionId) -> &S::Weight {
        self.transitions.weight(transition)
    }

    /// The changes of a transition that are older than `bound`; the youngest first.
    pub(crate) fn changes(
        &self,
        transition: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, S::Weight, PackedCause>)> {
        self.transitions.changes(transition, bound)
    }
}

impl<S: Semiring, R: Rules<S::Weight>> Saturation<S> for PostStar<S, R> {
    type Cause = PackedCause;

    const SIDE: Side = Side::Forward;

    fn transitions(&self) -> &Transitions<S::Weight, PackedCause> {
        &self.transitions
    }

    fn transitions_mut(&mut self) -> &mut Transitions<S::Weight, PackedCause> {
        &mut self.transitions
    }

    fn course(&self) -> &Course<S::Weight> {
        &self.course
    }

    fn course_mut(&mut self) -> &mut Course<S::Weight> {
        &mut self.course
    }

    fn ends(&self, id: TransitionId) -> (State, Symbol, State) {
        let (source, symbol) = self.system.heads.pair(self.transitions.head(id));
        (source, symbol, self.transitions.target(id))
    }

    fn process(&mut self, semiring: &mut S, next: &Next<S::Weight>) -> Result<(), S::Stop> {
        let (id, delta) = (next.id, &next.delta);
        let (head, target) = (self.transitions.head(id), self.transitions.target(id));
        if next.is_first && self.transitions.are_settling() {
            self.next[id.index()] = self.link(head, target, id);
        }
        let (source, symbol) = self.system.heads.pair(head);
        match source.as_control() {
            Some(control) if symbol == Symbol::EPSILON => self.join_empty(semiring, id, control, target, delta),
            Some(_) => self.apply_rules(semiring, id, head, target, delta),
            None => self.join_leaving(semiring, id, source, symbol, target, delta),
        }
    }
}
