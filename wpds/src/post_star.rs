//! Forward reachability: saturation of a weighted automaton that accepts exactly the reachable configurations.
//!
//! The automaton reads a configuration `<p, g1 g2 ... gn>` from the control state `p`; its transitions are pairs of a
//! [head](Head) and a target state. A push rule `<p, g> -> <p', g' g''>` goes through a state in the middle that
//! belongs to `(p', g')`. Invariant, restored whenever the worklist is empty:
//!
//! - the weight of `(p, g, final)` sums the runs from the start to `<p, g>`, that of `(p, g, middle(p', g'))` those
//!   from `<p', g'>` to `<p, g>` (both without what lies below), and that of `(middle(p', g'), g'', q)` those from the
//!   entry of `q` to the moment after a push of `g' g''` with control state `p'`;
//! - a transition without a symbol, `(p, -, q)`, says the same of runs that have popped everything above `q`; whatever
//!   leaves `q` has been joined with it.
//!
//! The worklist is first in, first out, and a transition carries the part of its weight that has not been propagated
//! yet, so that nothing is extended twice. With a last-in-first-out list the number of changes of a weight can grow
//! exponentially.
//!
//! Every change of a weight is logged with its cause; causes are older than what they cause, which is what makes the
//! reconstruction of runs terminate (see `witness`).
//!
//! Source: Reps, Schwoon, Jha, Melski 2005, section 3 (post*) and section 4 (witnesses).

use crate::heads::hash_words;
use crate::index::{Control, Head, RuleId, State, Symbol, TransitionId};
use crate::log::{Change, ChangeId, Log};
use crate::semiring::Semiring;
use crate::system::{Loaded, Right, Rules, System};
use hashbrown::HashTable;
use std::collections::VecDeque;

/// How far a saturation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left to do.
    Saturated,
    /// The given number of steps was made and there is more to do.
    Paused,
}

/// Why a weight changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The run begins here.
    Start,
    /// The rule, applied to runs of the transition.
    Rule(RuleId, TransitionId),
    /// Runs of the first transition, then runs of the second, which reads nothing and ends where the first begins.
    Join(TransitionId, TransitionId),
}

#[derive(Clone, Debug)]
struct Transition<W> {
    head: Head,
    target: State,
    weight: W,
    /// What was added to `weight` since the transition was last processed; zero iff it is not in the worklist.
    pending: W,
    last_change: ChangeId,
    /// Next in the list of `Lists` that the transition belongs to.
    next: Option<TransitionId>,
}

/// The transitions at one state in the middle.
#[derive(Clone, Copy, Debug, Default)]
struct Lists {
    /// First of those that leave the state.
    leaving: Option<TransitionId>,
    /// First of those without a symbol that enter it.
    empty_entering: Option<TransitionId>,
}

/// A saturation in progress, or finished: the automaton of all configurations that are reachable from the starts.
///
/// Cost: at most one step per transition and change of its weight; a Boolean saturation of a system with `r` rules and
/// `c` control states makes at most `r * c` transitions and needs `O(r * c^2)` time, linear in `r` for one control
/// state.
#[derive(Clone, Debug)]
pub struct PostStar<S: Semiring, R = Loaded> {
    system: System<S::Weight, R>,
    zero: S::Weight,
    one: S::Weight,
    transitions: Vec<Transition<S::Weight>>,
    index: HashTable<TransitionId>,
    lists: Vec<Lists>,
    worklist: VecDeque<TransitionId>,
    log: Log<S::Weight, Cause>,
}

impl<S: Semiring, R: Rules<S::Weight>> PostStar<S, R> {
    /// A saturation that has reached nothing yet.
    pub fn new(semiring: &S, system: System<S::Weight, R>) -> Self {
        Self {
            system,
            zero: semiring.zero(),
            one: semiring.one(),
            transitions: Vec::new(),
            index: HashTable::new(),
            lists: Vec::new(),
            worklist: VecDeque::new(),
            log: Log::default(),
        }
    }

    /// Adds the configuration `<control, symbol>` to the starts, with the empty run.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn start(&mut self, semiring: &mut S, control: Control, symbol: Symbol) -> Result<(), S::Stop> {
        let head = self.system.heads.intern(State::control(control), symbol);
        let one = self.one.clone();
        self.add(semiring, head, State::FINAL, &one, Cause::Start)
    }

    /// Makes at most `steps` steps, each of which processes one transition with what is new in its weight.
    ///
    /// # Errors
    /// The semiring's; the saturation cannot be used any more.
    pub fn advance(&mut self, semiring: &mut S, steps: usize) -> Result<Progress, S::Stop> {
        for _ in 0..steps {
            let Some(transition) = self.worklist.pop_front() else { return Ok(Progress::Saturated) };
            self.process(semiring, transition)?;
        }
        Ok(if self.worklist.is_empty() { Progress::Saturated } else { Progress::Paused })
    }

    /// The system, with the rules made so far.
    pub fn system(&self) -> &System<S::Weight, R> {
        &self.system
    }

    /// How many transitions the automaton has.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The weight of the configuration `<control, stack>`, the topmost symbol first: the sum over all runs to it, once
    /// the saturation has finished. Linear in the stack's height times the number of transitions.
    ///
    /// # Errors
    /// The semiring's.
    pub fn weight_of(&self, semiring: &mut S, control: Control, stack: &[Symbol]) -> Result<S::Weight, S::Stop> {
        // Runs begin at the final state: the weights are collected from the bottom of the stack.
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

    /// The states from which one transition over `symbol` leads to one of `targets`, with the sums of the products.
    fn read(
        &self,
        semiring: &mut S,
        symbol: Symbol,
        targets: &[(State, S::Weight)],
        wanted: impl Fn(State) -> bool,
    ) -> Result<Vec<(State, S::Weight)>, S::Stop> {
        let mut sources: Vec<(State, S::Weight)> = Vec::new();
        for transition in &self.transitions {
            let (source, read) = self.system.heads.pair(transition.head);
            let target = targets.iter().find(|(state, _)| *state == transition.target);
            let Some((_, below)) = target.filter(|_| read == symbol && wanted(source)) else { continue };
            let weight = semiring.extend(below, &transition.weight)?;
            match sources.iter_mut().find(|(state, _)| *state == source) {
                Some((_, sum)) => drop(semiring.combine_into(sum, &weight)?),
                None => sources.push((source, weight)),
            }
        }
        Ok(sources)
    }

    /// Whether some reached configuration has this control state. Linear in the number of transitions.
    pub fn reaches(&self, control: Control) -> bool {
        self.transitions.iter().any(|t| self.system.heads.pair(t.head).0 == State::control(control))
    }

    fn process(&mut self, semiring: &mut S, id: TransitionId) -> Result<(), S::Stop> {
        let zero = self.zero.clone();
        let transition = &mut self.transitions[id.index()];
        let delta = std::mem::replace(&mut transition.pending, zero);
        let (head, target) = (transition.head, transition.target);
        let (source, symbol) = self.system.heads.pair(head);
        match source.as_control() {
            Some(control) if symbol == Symbol::EPSILON => self.join_empty(semiring, id, control, target, &delta),
            Some(_) => self.apply_rules(semiring, id, head, target, &delta),
            None => self.join_leaving(semiring, id, source, symbol, target, &delta),
        }
    }

    /// Applies every rule of the head to the new runs of the transition.
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
                    let one = self.one.clone();
                    self.add(semiring, entry, State::middle(entry), &one, Cause::Start)?;
                    self.add(semiring, below, target, &weight, cause)?;
                }
            }
        }
        Ok(())
    }

    /// A callee has returned with new runs: whatever leaves the state in the middle goes on from its control state.
    fn join_empty(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        control: Control,
        middle: State,
        delta: &S::Weight,
    ) -> Result<(), S::Stop> {
        let mut next = middle.as_middle().and_then(|entry| self.lists_of(entry).leaving);
        while let Some(leaving) = next {
            let transition = &self.transitions[leaving.index()];
            next = transition.next;
            let (target, weight) = (transition.target, semiring.extend(&transition.weight, delta)?);
            let symbol = self.system.heads.pair(transition.head).1;
            let head = self.system.heads.intern(State::control(control), symbol);
            self.add(semiring, head, target, &weight, Cause::Join(leaving, id))?;
        }
        Ok(())
    }

    /// There are new runs to a call: every return of the callee known so far goes on from there.
    fn join_leaving(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        middle: State,
        symbol: Symbol,
        target: State,
        delta: &S::Weight,
    ) -> Result<(), S::Stop> {
        let mut next = middle.as_middle().and_then(|entry| self.lists_of(entry).empty_entering);
        while let Some(empty) = next {
            let transition = &self.transitions[empty.index()];
            next = transition.next;
            let weight = semiring.extend(delta, &transition.weight)?;
            let head = self.system.heads.intern(self.system.heads.pair(transition.head).0, symbol);
            self.add(semiring, head, target, &weight, Cause::Join(id, empty))?;
        }
        Ok(())
    }

    fn lists_of(&mut self, entry: Head) -> &mut Lists {
        if self.lists.len() <= entry.index() {
            self.lists.resize(self.system.heads.len(), Lists::default());
        }
        &mut self.lists[entry.index()]
    }

    /// Adds runs to a transition, which is new if need be; if that changed its weight it will be processed again.
    fn add(
        &mut self,
        semiring: &mut S,
        head: Head,
        target: State,
        weight: &S::Weight,
        cause: Cause,
    ) -> Result<(), S::Stop> {
        if semiring.is_zero(weight) {
            return Ok(());
        }
        match self.find(head, target) {
            None => self.insert(head, target, weight, cause),
            Some(id) => {
                let transition = &mut self.transitions[id.index()];
                let Some(delta) = semiring.combine_into(&mut transition.weight, weight)? else { return Ok(()) };
                if semiring.is_zero(&transition.pending) {
                    self.worklist.push_back(id);
                }
                semiring.combine_into(&mut transition.pending, &delta)?;
                transition.last_change = self.log.push(delta, cause, Some(transition.last_change));
            }
        }
        Ok(())
    }

    fn find(&self, head: Head, target: State) -> Option<TransitionId> {
        let same = |id: &TransitionId| {
            let transition = &self.transitions[id.index()];
            transition.head == head && transition.target == target
        };
        self.index.find(hash_words(head.index() as u32, target.word()), same).copied()
    }

    fn insert(&mut self, head: Head, target: State, weight: &S::Weight, cause: Cause) {
        let id = TransitionId::new(u32::try_from(self.transitions.len()).expect("fewer than 2^32 transitions"));
        let last_change = self.log.push(weight.clone(), cause, None);
        let next = self.link(head, target, id);
        let (weight, pending) = (weight.clone(), weight.clone());
        self.transitions.push(Transition { head, target, weight, pending, last_change, next });
        let transitions = &self.transitions;
        self.index.insert_unique(hash_words(head.index() as u32, target.word()), id, |id| {
            let transition = &transitions[id.index()];
            hash_words(transition.head.index() as u32, transition.target.word())
        });
        self.worklist.push_back(id);
    }

    /// Puts a new transition at the front of the list where joins look for it; returns what stood there.
    fn link(&mut self, head: Head, target: State, id: TransitionId) -> Option<TransitionId> {
        let (source, symbol) = self.system.heads.pair(head);
        if let Some(entry) = source.as_middle() {
            self.lists_of(entry).leaving.replace(id)
        } else if symbol == Symbol::EPSILON {
            target.as_middle().and_then(|entry| self.lists_of(entry).empty_entering.replace(id))
        } else {
            None
        }
    }

    /// All transitions in the order in which they were made: number, source, whether it reads a symbol, target.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = (TransitionId, State, bool, State)> {
        self.transitions.iter().enumerate().map(|(index, transition)| {
            let (source, symbol) = self.system.heads.pair(transition.head);
            (TransitionId::new(index as u32), source, symbol != Symbol::EPSILON, transition.target)
        })
    }

    pub(crate) fn target(&self, transition: TransitionId) -> State {
        self.transitions[transition.index()].target
    }

    pub(crate) fn weight(&self, transition: TransitionId) -> &S::Weight {
        &self.transitions[transition.index()].weight
    }

    /// The changes of a transition that are older than `bound`, youngest first.
    pub(crate) fn changes(
        &self,
        transition: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, &Change<S::Weight, Cause>)> {
        self.log.older(Some(self.transitions[transition.index()].last_change), bound)
    }
}
