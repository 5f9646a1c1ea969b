//! Dynamic partial-order reduction: the threads to explore in a state are determined by the races after it.
//!
//! | file | content |
//! |---|---|
//! | [`dependence`] | the shared objects of events, and which events commute |
//! | [`happens_before`] | the events on the path, the happens-before order, and races |
//! | [`wakeup_trees`] | wakeup trees |
//!
//! The search stores no states. At each state on the path it explores one thread first, and later the threads that
//! races require. An event of the path and a later one of another thread race if no events between them order them and
//! they could be swapped; then some exploration has to put the later one first. So a sequence of events is inserted at
//! the state before the first one: all events that do not happen after it, and then the second one. With `source-sets`
//! alone a thread that can begin the sequence is added unless one is there (Algorithm 1 of Abdulla et al.; Flanagan and
//! Godefroid add more). With `wakeup-trees` the whole sequence is kept and followed later. Without `source-sets` all
//! threads are explored everywhere. An explored thread sleeps as long as the executed events are independent of all its
//! possible next events.
//!
//! Algorithm 2 of Abdulla et al. inserts a sequence only if no sleeping thread is a *weak* initial of it; a thread
//! without an event in the sequence that is independent of all of it is one, too. That is right if races are searched
//! for at the end of executions, among all events. Here they are searched for when a thread is explored, among the
//! events up to then, and the condition is that of Algorithm 1 in both cases. So an exploration may still end in a
//! state in which every thread sleeps; theirs never does.
//!
//! # Conditions, and where they are checked
//!
//! - *Executions end.* A path that visits a state twice can be continued for ever. Then the search stops
//!   ([`SearchOutcome::Cyclic`]), and the query is decided with persistent sets instead, which need no such condition
//!   ([`persistent_sets`](super::persistent_sets)).
//! - *Every answer is confirmed.* An exhausted search is repeated with persistent sets
//!   ([`persistent_sets`](super::persistent_sets)). That the races found here are sufficient is argued for, not proved,
//!   if threads disable each other. A violation found only by the second search is counted
//!   ([`SearchStatistics::missed`](super::SearchStatistics::missed)).
//! - *Threads do not disable each other* (Abdulla et al., section 2). They do here, by locks and by forbidding phases.
//!   So an impossible step is considered, too: when its thread takes another one, and at the end of an execution. A
//!   race counts only if the inserted sequence can be executed; an event of a critical section that cannot be swapped
//!   does not hide the acquisition before it.
//! - *Threads are deterministic.* They are not, so all choices of an explored thread are explored. Some of its choices
//!   may be impossible where it is explored, since others hold a lock or the automaton forbids them. They are no
//!   events, so later events would not race with them. So an event remembers them ([`Label::alternatives`]), and any
//!   event that may make one of them possible is taken to depend on this event: it races with it and is explored before
//!   it. With this relation an event and an independent one can be swapped, and the thread has the same choices in both
//!   orders, as the condition requires.
//! - *Independence is symmetric.* An event that passes others in one direction only ([`effects`](super::effects)) is no
//!   reduction here. The invisible steps taken first are only those that neither take nor release a lock and that the
//!   automaton notices in no phase up to the next that waits for the thread; their order never matters. Symmetry, idle
//!   threads and dead ends are off, since they end executions before all their races are seen. Persistent sets and
//!   composed transitions are off, too.
//!
//! # With a bound on context switches
//!
//! An execution within the bound may be equivalent only to executions beyond it. So for each race a thread is added at
//! two states, before the first event and where its thread began to run without interruption, and only threads explored
//! in the same state sleep. This is the conservative rule of Coons, Musuvathi and McKinley (*Bounded partial-order
//! reduction*, OOPSLA 2013), whose bound is on preemptions. Here all switches count, so all threads are explored
//! wherever a switch has to be made. It is not shown that this finds all violations within the bound, so the answer is
//! never `safe`: it is a violation or `unknown`.
//!
//! Sources: Flanagan, Godefroid, *Dynamic partial-order reduction for model checking software* (POPL 2005); Abdulla,
//! Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction* (POPL 2014).

mod dependence;
mod happens_before;
mod wakeup_trees;

use super::global_state::State;
use super::local_states::{LocalId, LocalStates, StepId};
use super::outcome::SearchOutcome;
use super::reduction::SearchReduction;
use super::system::{Edge, System};
use super::witness::Trace;
use dependence::{Access, pending};
use happens_before::{Clock, Events};
use indexmap::IndexSet;
use limits::StopReason;
use rustc_hash::{FxBuildHasher, FxHashSet};
use wakeup_trees::{Choice, Label, WakeupTree, initial};

/// The identity of a thread, independent of the order in which threads are started: its number among the initial
/// threads, or the thread that started it and the number of threads that this one had started before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ThreadKey(u32);

/// All threads of the search.
#[derive(Clone, Debug, Default)]
struct Threads(IndexSet<(Option<ThreadKey>, u32), FxBuildHasher>);

impl Threads {
    fn key(&mut self, creator: Option<ThreadKey>, number: u32) -> ThreadKey {
        ThreadKey(self.0.insert_full((creator, number)).0 as u32)
    }
}

/// A state on the path.
#[derive(Debug)]
struct Node {
    state: State,
    /// The threads, by their places in the state.
    threads: Vec<ThreadKey>,
    /// The vector clock of each thread: the events that happened before its next event.
    clocks: Vec<Clock>,
    /// Threads that need not be explored, since they were explored elsewhere or here.
    asleep: Vec<ThreadKey>,
    /// The explorations to come.
    tree: WakeupTree,
    /// The edges of the thread that is being explored, each with its place and the wakeup tree after it.
    current: Vec<(usize, Edge, WakeupTree)>,
    /// The impossible choices of this thread, which other threads prevent.
    alternatives: Vec<Access>,
    /// The number of possible threads that did not sleep when the state was entered, and the number of possible threads
    /// that were explored.
    enabled: usize,
    explored: usize,
    /// Whether the only thread to explore is one whose next steps are independent of all others.
    is_invisible: bool,
    /// The number of context switches so far, and the thread that acted last.
    switches: usize,
    last: Option<ThreadKey>,
}

/// A dynamic search.
pub(super) struct Dynamic<'s, 'a> {
    system: &'s mut System<'a>,
    threads: Threads,
    path: Vec<Node>,
    events: Events,
    on_path: FxHashSet<State>,
}

impl<'s, 'a> Dynamic<'s, 'a> {
    pub(super) fn new(system: &'s mut System<'a>) -> Self {
        let (threads, events) = (Threads::default(), Events::default());
        Self { system, threads, path: Vec::new(), events, on_path: FxHashSet::default() }
    }

    /// Searches until everything is explored, the automaton accepts, a bound is met, or an execution is cyclic.
    pub(super) fn run(mut self) -> Result<SearchOutcome, StopReason> {
        let state = self.system.start();
        let threads: Vec<_> = (0..state.threads.len()).map(|place| self.threads.key(None, place as u32)).collect();
        let clocks = vec![Clock::default(); threads.len()];
        self.enter(Node::new(state, threads, clocks))?;
        let ended = self.go_on();
        self.system.counts.locals = self.system.locals.len() as u64;
        ended
    }

    fn go_on(&mut self) -> Result<SearchOutcome, StopReason> {
        while let Some(node) = self.path.last_mut() {
            let Some((place, edge, guide)) = node.current.pop() else {
                if !self.next_thread()? {
                    self.leave();
                }
                continue;
            };
            self.system.meter.work_of(1 + node.state.threads.len())?;
            if self.is_over_bound(place) {
                self.system.met_bound = true;
                continue;
            }
            self.system.counts.transitions += 1;
            let state = self.system.after(&self.path.last().expect("a state").state, place, &edge);
            if state.phase == self.system.accepting() {
                let states = self.path.iter().map(|node| node.state.clone()).chain([state]);
                return Ok(SearchOutcome::Accepted(Trace::new(states.collect())));
            }
            if self.system.counts.states >= self.system.bounds.states as u64 {
                return Ok(SearchOutcome::Full);
            }
            if self.on_path.contains(&state) {
                return Ok(SearchOutcome::Cyclic);
            }
            self.execute(place, &edge, state, guide)?;
        }
        Ok(SearchOutcome::Exhausted)
    }

    /// Whether a step of the thread at this place exceeds the bound on context switches.
    fn is_over_bound(&self, place: usize) -> bool {
        let Some(most) = self.system.options.switches else { return false };
        let node = self.path.last().expect("a state");
        node.switches_after(node.threads[place]) > most
    }

    fn is_bounded(&self) -> bool {
        self.system.options.switches.is_some()
    }

    /// Executes an edge and enters the state after it.
    fn execute(&mut self, place: usize, edge: &Edge, state: State, guide: WakeupTree) -> Result<(), StopReason> {
        let node = self.path.last().expect("a state");
        let phase = node.state.phase;
        let (thread, mut threads, mut clocks) = (node.threads[place], node.threads.clone(), node.clocks.clone());
        let (asleep, switches) = (node.asleep.clone(), node.switches_after(thread));
        let alternatives = node.alternatives.clone();
        let access = self.access(edge.steps[0], phase);
        let choice = Choice { step: edge.steps[0], started: edge.started, advances: edge.phase > phase };
        let starts = edge.started.map(|_| self.threads.key(Some(thread), self.events.started_by(thread)));
        let label = Label { thread, choice: Some(choice), access, alternatives, starts };
        let before = clocks[place].clone();
        let clock = self.events.push(label.clone(), before, &mut self.system.locals);
        clocks[place] = clock.clone();
        if let Some(started) = starts {
            threads.push(started);
            clocks.push(clock);
        }
        let mut next = Node { switches, last: Some(thread), ..Node::new(state, threads, clocks) };
        if !self.is_bounded() && self.system.has(SearchReduction::Sleep) {
            next.asleep = self.left_asleep(&asleep, &label);
        }
        next.tree = guide;
        self.enter(next)
    }

    /// Returns the threads that still sleep after an event.
    fn left_asleep(&mut self, asleep: &[ThreadKey], label: &Label) -> Vec<ThreadKey> {
        let node = self.path.last().expect("a state");
        let (phase, places) = (node.state.phase, node.places(asleep));
        let mut left = Vec::new();
        for (thread, local) in places {
            let is_left = thread != label.thread
                && self
                    .pending(local, phase)
                    .iter()
                    .all(|(_, own)| !own.depends(&label.access, &mut self.system.locals));
            if is_left {
                left.push(thread);
            }
        }
        left
    }

    fn enter(&mut self, mut node: Node) -> Result<(), StopReason> {
        self.system.counts.states += 1;
        self.on_path.insert(node.state.clone());
        for thread in &node.state.threads {
            let _ = self.system.locals.steps(*thread);
            self.system.met_bound |= self.system.locals.is_cut(*thread);
        }
        let invisible = if self.is_bounded() { None } else { self.invisible(&node) };
        if let Some(place) = invisible {
            node.is_invisible = true;
            self.system.counts.saved.save(SearchReduction::InvisibleFirst, node.threads.len() as u64 - 1);
            if self.system.locals.steps(node.state.threads[place]).count() > 1 {
                self.system.counts.saved.save(SearchReduction::Choices, 1);
            }
            node.tree = WakeupTree::default();
            let label = self.any(&node, place);
            node.tree.push(label);
        }
        self.path.push(node);
        if invisible.is_none() {
            self.begin()?;
        }
        Ok(())
    }

    /// Returns a thread whose next steps are independent of all others.
    fn invisible(&mut self, node: &Node) -> Option<usize> {
        if !self.system.has(SearchReduction::InvisibleFirst) {
            return None;
        }
        let may_choose = self.system.has(SearchReduction::Choices);
        (0..node.threads.len()).find(|place| {
            let local = node.state.threads[*place];
            let pending = self.pending(local, node.state.phase);
            let is_one = pending.len() == 1 || (may_choose && !pending.is_empty());
            is_one && !self.system.locals.is_cut(local) && pending.iter().all(|(_, access)| *access == Access::NOTHING)
        })
    }

    /// Fills the tree of the last state with the threads to explore first. If no thread can go on, searches for races
    /// of the impossible steps.
    fn begin(&mut self) -> Result<(), StopReason> {
        let node = self.path.last().expect("a state");
        let places: Vec<usize> =
            (0..node.threads.len()).filter(|place| !node.asleep.contains(&node.threads[*place])).collect();
        let state = node.state.clone();
        for (_, asleep) in node.places(&node.asleep) {
            let steps = self.system.locals.steps(asleep).count() as u64;
            self.system.counts.saved.save(SearchReduction::Sleep, steps);
        }
        let mut enabled = Vec::new();
        for place in &places {
            if self.can_go(&state, *place)? {
                enabled.push(*place);
            }
        }
        self.path.last_mut().expect("a state").enabled = enabled.len();
        if enabled.is_empty() {
            for place in places {
                self.find_races(place)?;
            }
            return Ok(());
        }
        let node = self.path.last().expect("a state");
        let goes_on = |place: &usize| node.last == Some(node.threads[*place]);
        let first = enabled.iter().copied().find(goes_on).unwrap_or(enabled[0]);
        // Within a bound, the choice of the next thread matters wherever a switch has to be made.
        let has_to_switch = self.is_bounded() && !enabled.iter().any(goes_on);
        let is_one = self.system.has(SearchReduction::SourceSets) && !has_to_switch;
        let chosen = if is_one { vec![first] } else { enabled.clone() };
        let threads: Vec<_> = chosen.into_iter().map(|place| node.threads[place]).collect();
        // An inserted sequence may begin with a sleeping thread; a thread that does not sleep has to be explored.
        let enabled: Vec<_> = enabled.into_iter().map(|place| node.threads[place]).collect();
        let is_guided = node.tree.threads().any(|thread| enabled.contains(&thread));
        let at = self.path.len() - 1;
        if !is_guided || !is_one {
            threads.into_iter().for_each(|thread| self.add(at, thread));
        }
        Ok(())
    }

    /// Whether the thread at this place has an edge.
    fn can_go(&mut self, state: &State, place: usize) -> Result<bool, StopReason> {
        let mut edges = Vec::new();
        for step in self.system.locals.steps(state.threads[place]) {
            self.system.edges(state, place, step, &mut edges)?;
        }
        Ok(!edges.is_empty())
    }

    /// Returns a label for any next event of a thread.
    fn any(&self, node: &Node, place: usize) -> Label {
        Label::of(node.threads[place], Access::NOTHING)
    }

    fn leave(&mut self) {
        if let Some(node) = self.path.pop() {
            self.on_path.remove(&node.state);
            self.events.pop(self.path.len());
            if self.system.has(SearchReduction::SourceSets) {
                let left = node.enabled.saturating_sub(node.explored) as u64;
                self.system.counts.saved.save(SearchReduction::SourceSets, left);
            }
        }
    }

    /// Prepares the next thread of the last state; returns false if there is none.
    fn next_thread(&mut self) -> Result<bool, StopReason> {
        loop {
            let node = self.path.last_mut().expect("a state");
            let Some(thread) = node.tree.threads().next() else { return Ok(false) };
            let mut branches = node.tree.take(thread);
            let place = node.threads.iter().position(|own| *own == thread);
            let Some(place) = place.filter(|_| !node.asleep.contains(&thread)) else { continue };
            node.asleep.push(thread);
            let state = node.state.clone();
            self.find_races(place)?;
            let mut edges = Vec::new();
            let mut alternatives = Vec::new();
            for (step, access) in self.pending(state.threads[place], state.phase) {
                let before = edges.len();
                self.system.edges(&state, place, step, &mut edges)?;
                if edges.len() == before {
                    alternatives.push(access);
                }
            }
            let node = self.path.last_mut().expect("a state");
            node.alternatives = alternatives;
            node.explored += usize::from(!edges.is_empty());
            for edge in edges {
                let choice = Choice { step: edge.steps[0], started: edge.started, advances: edge.phase > state.phase };
                let guided = branches.iter().position(|(label, _)| label.choice == Some(choice));
                let guide = guided.map(|own| branches.swap_remove(own).1).unwrap_or_default();
                if !guide.is_empty() {
                    self.system.counts.saved.save(SearchReduction::WakeupTrees, 1);
                }
                node.current.push((place, edge, guide));
            }
            return Ok(true);
        }
    }

    /// Returns the shared access of a step executed in a phase.
    fn access(&mut self, step: StepId, phase: usize) -> Access {
        let is_unnoticed = is_unnoticed(&mut self.system.locals, step, phase);
        Access::of(&self.system.locals, step, is_unnoticed)
    }

    fn pending(&mut self, local: LocalId, phase: usize) -> Vec<(StepId, Access)> {
        pending(&mut self.system.locals, local, |locals, step| is_unnoticed(locals, step, phase))
    }

    /// Finds the events that race with the next steps of a thread of the last state, and inserts the explorations that
    /// they require.
    fn find_races(&mut self, place: usize) -> Result<(), StopReason> {
        if !self.system.has(SearchReduction::SourceSets) {
            return Ok(());
        }
        let node = self.path.last().expect("a state");
        let (thread, clock, phase) = (node.threads[place], node.clocks[place].clone(), node.state.phase);
        for (step, access) in self.pending(node.state.threads[place], phase) {
            let last = Label::of(thread, access);
            let mut reversed: Vec<usize> = Vec::new();
            for first in (0..self.events.len()).rev() {
                self.system.meter.work_of(1)?;
                let is_race = self.events.is_race(first, &last, &clock, &mut self.system.locals)
                    && !reversed.iter().any(|later| self.events.is_before(first, *later));
                if !is_race {
                    continue;
                }
                let Some(mut sequence) = self.reversal(first, &last, &clock, step)? else { continue };
                reversed.push(first);
                if self.is_bounded() {
                    self.add_or_all(first, thread)?;
                    self.add_or_all(self.events.block_of(first), thread)?;
                } else {
                    sequence.push(last.clone());
                    self.insert(first, sequence);
                }
            }
        }
        Ok(())
    }

    /// Returns a sequence that puts a step before an event with which it races. It has all events that do not happen
    /// after the event. If the step is not possible then, it has only those that do not happen after other racing
    /// events either, such as those of several readers of one lock.
    fn reversal(
        &mut self,
        first: usize,
        last: &Label,
        known: &Clock,
        step: StepId,
    ) -> Result<Option<Vec<Label>>, StopReason> {
        let all = self.events.not_after(&[first]);
        if self.can_execute(first, &all, (last.thread, step))? {
            return Ok(Some(all));
        }
        let mut rivals = vec![first];
        for later in first + 1..self.events.len() {
            if self.events.is_race(later, last, known, &mut self.system.locals) {
                rivals.push(later);
            }
        }
        let fewer = self.events.not_after(&rivals);
        let is_possible = fewer.len() < all.len() && self.can_execute(first, &fewer, (last.thread, step))?;
        Ok(is_possible.then_some(fewer))
    }

    /// Whether a sequence of events and then a step of a thread can be executed at a state of the path.
    fn can_execute(&mut self, at: usize, sequence: &[Label], last: (ThreadKey, StepId)) -> Result<bool, StopReason> {
        let node = &self.path[at];
        let (mut state, mut threads) = (node.state.clone(), node.threads.clone());
        let mut edges = Vec::new();
        for label in sequence {
            let Some(place) = threads.iter().position(|own| *own == label.thread) else { return Ok(false) };
            let Some(choice) = label.choice else { return Ok(false) };
            if self.system.locals.step(choice.step).from != state.threads[place] {
                return Ok(false);
            }
            edges.clear();
            self.system.edges(&state, place, choice.step, &mut edges)?;
            let is_it = |edge: &&Edge| edge.started == choice.started && (edge.phase > state.phase) == choice.advances;
            let Some(edge) = edges.iter().find(is_it) else { return Ok(false) };
            state = self.system.after(&state, place, edge);
            threads.extend(label.starts);
        }
        let Some(place) = threads.iter().position(|own| *own == last.0) else { return Ok(false) };
        edges.clear();
        if self.system.locals.step(last.1).from == state.threads[place] {
            self.system.edges(&state, place, last.1, &mut edges)?;
        }
        Ok(!edges.is_empty())
    }

    /// Ensures that a sequence is explored from a state of the path, up to swaps.
    fn insert(&mut self, at: usize, sequence: Vec<Label>) {
        if self.path[at].is_invisible {
            return;
        }
        if self.is_begun(at, &sequence) {
            return;
        }
        if self.system.has(SearchReduction::WakeupTrees) {
            self.path[at].tree.insert(sequence, &mut self.system.locals);
        } else {
            self.add_initial(at, &sequence);
        }
    }

    /// Whether a thread that sleeps in a state, or was explored there, can begin a sequence.
    fn is_begun(&mut self, at: usize, sequence: &[Label]) -> bool {
        let node = &self.path[at];
        node.asleep.iter().any(|thread| initial(sequence, *thread, &mut self.system.locals).is_some())
    }

    /// Adds a thread that can begin a sequence, unless there is one.
    fn add_initial(&mut self, at: usize, sequence: &[Label]) {
        let (tree, locals) = (&self.path[at].tree, &mut self.system.locals);
        if !tree.threads().any(|thread| initial(sequence, thread, locals).is_some()) {
            self.add(at, sequence[0].thread);
        }
    }

    /// Adds a thread to explore in a state, or all threads if it cannot go on there.
    fn add_or_all(&mut self, at: usize, thread: ThreadKey) -> Result<(), StopReason> {
        let state = self.path[at].state.clone();
        let place = self.path[at].threads.iter().position(|own| *own == thread);
        let can_go = match place {
            Some(place) => self.can_go(&state, place)?,
            None => false,
        };
        let threads = if can_go { vec![thread] } else { self.path[at].threads.clone() };
        threads.into_iter().for_each(|thread| self.add(at, thread));
        Ok(())
    }

    /// Adds a thread to explore in a state, unless it was explored there.
    fn add(&mut self, at: usize, thread: ThreadKey) {
        let node = &mut self.path[at];
        if !node.asleep.contains(&thread) && !node.tree.threads().any(|own| own == thread) {
            node.tree.push(Label::of(thread, Access::NOTHING));
        }
    }
}

/// Whether the automaton notices a step in no phase up to the next one that waits for the thread of the step.
fn is_unnoticed(locals: &mut LocalStates<'_>, step: StepId, phase: usize) -> bool {
    let (effect, role) = (locals.step(step).effect, locals.role(locals.step(step).from));
    let last = locals.effects.horizon(phase, |awaited| Some(awaited) == role);
    locals.effects.is_unnoticed(effect, 0..=last)
}

impl Node {
    fn new(state: State, threads: Vec<ThreadKey>, clocks: Vec<Clock>) -> Self {
        Self {
            state,
            threads,
            clocks,
            asleep: Vec::new(),
            tree: WakeupTree::default(),
            current: Vec::new(),
            alternatives: Vec::new(),
            enabled: 0,
            explored: 0,
            is_invisible: false,
            switches: 0,
            last: None,
        }
    }

    /// Returns the local states of these threads.
    fn places(&self, threads: &[ThreadKey]) -> Vec<(ThreadKey, LocalId)> {
        let all = self.threads.iter().copied().zip(self.state.threads.iter().copied());
        all.filter(|(thread, _)| threads.contains(thread)).collect()
    }

    /// Returns the number of context switches if this thread goes on.
    fn switches_after(&self, thread: ThreadKey) -> usize {
        self.switches + usize::from(self.last.is_some_and(|last| last != thread))
    }
}
