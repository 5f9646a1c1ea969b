//! Merges local paths into an interleaving.
//!
//! A state is the progress of each participant on its path; it determines the holders of locks and the phase. A
//! participant can go on unless another one holds the lock that it needs, the phase forbids its step, or it would end a
//! phase before its turn. The search (see `order`) looks for the state in which all phases have ended. Steps that no
//! other participant can see are taken together, in one *chunk*.
//!
//! Two rules lead to that state. The flexible rule lets steps happen in any phase that allows them; in the order of the
//! number of context switches, it finds the fewest. The rigid rule keeps every step in its phase of the path. It is
//! always possible for compatible paths and leaves far fewer states, so it is the fallback if the first one has visited
//! too many.
//!
//! # Calls that are one step
//!
//! While a call that is one step of a path runs, nobody else acts: it needs all locks free that it takes, and a phase
//! that allows all its actions. The rigid rule still leads to the end. Such a call returns within its phase and ends
//! none. Locks nest, so it releases the locks that it takes and no others: the locks of its caller do not change
//! between its beginning and its return. For compatible paths there is an order of each phase in which a participant is
//! interrupted only where it releases a lock that it held when the phase began, and before it takes one that it still
//! holds when the phase ends (Kahlon, Ivancic, Gupta 2005; the construction in the proof of Theorem 1 of the paper).
//! Neither happens inside of such a call, so in this order the call runs without interruption, with the locks free that
//! it takes.
//!
//! A `wait` inside of a call that releases a lock of its caller would break this argument. So paths have no such call
//! as one step if another participant can acquire the lock.

use super::call_effects::{BITS, CallEffects, EffectContext, needed, taken};
use super::interleaving::{InterleavedStep, Interleaving};
use super::order::{Chunk, Run, Search, Track};
use super::path::{LocalStep, Part, PhaseEnd};
use crate::semantics::{Act, LockChange, OpenBlocks};
use eml::model::{LockId, Mode, Model, NodeId, Operation};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;

/// Whether a participant may take a step in a phase; for no step, whether it may exist in the phase at all.
pub(crate) type Allows<'a> = &'a dyn Fn(usize, usize, Option<&Act>) -> bool;

/// Merges the paths; `None` if they have no interleaving, which means that they are not compatible.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn schedule(
    model: &Model,
    parts: Vec<Part>,
    ends: &[PhaseEnd],
    allows: Allows<'_>,
    meter: &Meter,
) -> Result<Option<Interleaving>, StopReason> {
    let contended = contended_locks(model, &parts, meter)?;
    let cutter = Cutter { model, ends, allows, contended: &contended, meter };
    let tracks = parts.iter().enumerate().map(|(thread, part)| cutter.cut(thread, part));
    let tracks: Vec<_> = tracks.collect::<Result<_, _>>()?;
    let search = |is_rigid| Search { tracks: &tracks, phases: ends.len(), is_rigid, goes_on: true, meter };
    let mut order = search(false).fewest_switches()?;
    if order.is_none() {
        order = search(true).fewest_switches()?;
    }
    if order.is_none() {
        order = search(true).any()?;
    }
    let Some(runs) = order else { return Ok(None) };
    let (processes, calls) = parts.into_iter().map(|part| (part.process, part.path.calls)).unzip();
    let mut places = vec![0; tracks.len()];
    let mut writer =
        Writer { model, interleaving: Interleaving { processes, steps: Vec::new(), calls }, open: Vec::new() };
    for Run { thread, until } in runs {
        let taken = std::mem::replace(&mut places[thread], until);
        for chunk in &tracks[thread].chunks[taken..until] {
            meter.work_of(1 + chunk.steps.len())?;
            let starts = chunk.ends_phase.and_then(|phase| ends[phase].starts);
            for step in &chunk.steps {
                writer.write(InterleavedStep { thread, step: *step, starts }, chunk.ends_phase.is_some());
            }
        }
    }
    Ok(Some(writer.interleaving))
}

/// Writes an interleaving down. Every call during which nobody else acts and no phase ends becomes one step, also if
/// another participant might have interrupted it.
struct Writer<'a> {
    model: &'a Model,
    interleaving: Interleaving,
    /// The places of the calls that may become one step, the innermost last.
    open: Vec<usize>,
}

impl Writer<'_> {
    fn write(&mut self, step: InterleavedStep, ends_phase: bool) {
        let steps = &mut self.interleaving.steps;
        if ends_phase || steps.last().is_some_and(|last| last.thread != step.thread) {
            self.open.clear();
        }
        let operation = step.step.plain_node().map(|node| self.model.node(node).operation);
        if let Some(Operation::Call(_)) = operation {
            self.open.push(steps.len());
        }
        steps.push(step);
        let returned = if operation == Some(Operation::Return) { self.open.pop() } else { None };
        if let Some(place) = returned {
            let inside = steps.drain(place + 1..).map(|step| step.step).collect();
            let call = self.interleaving.calls[step.thread].push(inside);
            steps[place].step = LocalStep::Call(steps[place].node(), call);
        }
    }
}

/// The locks that several participants acquire, with their numbers.
fn contended_locks(model: &Model, parts: &[Part], meter: &Meter) -> Result<FxHashMap<LockId, usize>, StopReason> {
    // For each lock, the first participant that acquires it, and whether another one does.
    let mut users: FxHashMap<LockId, (usize, bool)> = FxHashMap::default();
    for (thread, part) in parts.iter().enumerate() {
        for steps in part.path.phases.iter().map(Vec::as_slice).chain(part.path.calls.all()) {
            meter.work_of(1 + steps.len())?;
            for node in steps.iter().filter_map(LocalStep::plain_node) {
                if let Operation::Acquire(lock, _) = model.node(node).operation {
                    let (first, is_shared) = users.entry(lock).or_insert((thread, false));
                    *is_shared |= *first != thread;
                }
            }
        }
    }
    let shared = users.into_iter().filter(|(_, (_, is_shared))| *is_shared);
    let mut contended: Vec<_> = shared.map(|(lock, _)| lock).collect();
    contended.sort_unstable();
    Ok(contended.into_iter().enumerate().map(|(number, lock)| (lock, number)).collect())
}

struct Cutter<'a> {
    model: &'a Model,
    ends: &'a [PhaseEnd],
    allows: Allows<'a>,
    contended: &'a FxHashMap<LockId, usize>,
    meter: &'a Meter,
}

/// The requirements of a step, and whether others should be able to act after it.
struct StepNeeds {
    locks: FixedBitSet,
    allowed: FixedBitSet,
    gives_back: bool,
}

impl StepNeeds {
    /// No requirements yet, in these phases.
    fn reset(&mut self, present: &FixedBitSet) {
        self.locks.clear();
        self.allowed.clone_from(present);
        self.gives_back = false;
    }
}

impl Cutter<'_> {
    /// Cuts before each step that needs a lock that others can hold, after each step that releases one, around each
    /// step that ends a phase, and wherever the set of phases that allow the steps changes.
    fn cut(&self, thread: usize, part: &Part) -> Result<Track, StopReason> {
        let number = |lock: LockId| self.contended.get(&lock).copied();
        let allows = |phase, act: &Act| (self.allows)(thread, phase, Some(act));
        let context = EffectContext {
            model: self.model,
            locks: self.contended.len(),
            number: &number,
            phases: self.ends.len(),
            allows: &allows,
            meter: self.meter,
        };
        let effects = CallEffects::new(&part.path.calls, &context)?;
        let mut present = FixedBitSet::with_capacity(self.ends.len());
        present.extend((0..self.ends.len()).filter(|phase| (self.allows)(thread, *phase, None)));
        let mut open = OpenBlocks::default();
        let mut held = FixedBitSet::with_capacity(BITS * self.contended.len());
        let mut track = Track { chunks: Vec::new(), held: vec![held.clone()] };
        let locks = FixedBitSet::with_capacity(BITS * self.contended.len());
        let mut needs = StepNeeds { locks, allowed: present.clone(), gives_back: false };
        for (phase, steps) in part.path.phases.iter().enumerate() {
            let mut must_cut = true;
            for (place, step) in steps.iter().enumerate() {
                self.meter.work_of(1)?;
                let ends = self.ends[phase].owner == thread && place + 1 == steps.len();
                needs.reset(&present);
                match *step {
                    LocalStep::Node(node) => self.execute(node, (&mut open, &mut held), &context, &mut needs),
                    LocalStep::Wants(node) => {
                        if let Some(act) = open.wants(self.model.node(node).operation) {
                            context.keep_phases_for(&act, &mut needs.allowed);
                        }
                    }
                    LocalStep::Call(_, call) => {
                        let effect = effects.of(call, open.in_unit());
                        needs.allowed.intersect_with(&effect.allowed);
                        needs.locks.union_with(&effect.takes);
                        needs.gives_back = !effect.takes.is_clear();
                    }
                }
                let same = track.chunks.last().is_some_and(|last| last.allowed == needs.allowed);
                if must_cut || ends || !needs.locks.is_clear() || !same {
                    let ends_phase = ends.then_some(phase);
                    let (locks, allowed) = (needs.locks.clone(), needs.allowed.clone());
                    track.chunks.push(Chunk { steps: Vec::new(), needs: locks, ends_phase, phase, allowed });
                    track.held.push(held.clone());
                }
                track.chunks.last_mut().expect("the first step is cut off").steps.push(*step);
                track.held.last_mut().expect("one more than chunks").clone_from(&held);
                must_cut = needs.gives_back;
            }
        }
        Ok(track)
    }

    fn execute(
        &self,
        node: NodeId,
        (open, held): (&mut OpenBlocks, &mut FixedBitSet),
        context: &EffectContext<'_>,
        needs: &mut StepNeeds,
    ) {
        let operation = self.model.node(node).operation;
        // A branching point is no step.
        if operation != Operation::Skip {
            context.keep_phases_for(&open.act(operation), &mut needs.allowed);
        }
        match open.execute(operation) {
            LockChange::Nothing | LockChange::Never => {}
            LockChange::Takes(lock, mode) => {
                if let Some(lock) = self.contended.get(&lock) {
                    needs.locks.insert(needed(*lock, mode));
                    held.extend(taken(*lock, mode));
                }
            }
            LockChange::Lowers(lock) => {
                if let Some(lock) = self.contended.get(&lock) {
                    taken(*lock, Mode::Write).for_each(|bit| held.remove(bit));
                    held.extend(taken(*lock, Mode::Read));
                    needs.gives_back = true;
                }
            }
            LockChange::Gives(lock, mode) => {
                if let Some(lock) = self.contended.get(&lock) {
                    taken(*lock, mode).for_each(|bit| held.remove(bit));
                    needs.gives_back = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::{Calls, LocalPath};
    use eml::model::ProcessId;
    use limits::Limits;
    use std::time::Duration;

    #[test]
    fn the_limits_hold() {
        let model = eml::model::from_text("made.eml", "process P { skip; }").expect("a model").model;
        let first = model.procedure(model.process(ProcessId::new(0)).body()).entry();
        let steps = |limits: Limits| {
            let path = LocalPath { phases: vec![vec![LocalStep::Node(first); 10_000]], calls: Calls::default() };
            let parts = vec![Part { process: ProcessId::new(0), path }];
            let ends = [PhaseEnd { owner: 0, starts: None }];
            let found = schedule(&model, parts, &ends, &|_, _, _| true, &Meter::start(&limits));
            found.map(|found| found.expect("one thread alone").steps.len())
        };
        assert_eq!(steps(Limits::default()), Ok(10_000));
        let limits = Limits::default().with_timeout(Duration::ZERO);
        assert_eq!(steps(limits), Err(StopReason::Timeout));
        let limits = Limits::default().with_memory(1);
        assert_eq!(steps(limits), Err(StopReason::Memory));
    }
}
