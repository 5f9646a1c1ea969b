//! Visible and invisible steps. A thread with invisible steps can go on before the others are explored.
//!
//! A step of a thread θ is *invisible* in a phase if it passes everything that other threads can do while θ does not
//! move, cannot be prevented by them, and prevents none of their steps (see [`effects`](super::effects)). If all steps
//! of a local state are invisible, only they have to be explored in a global state that contains it: this is Theorem 2
//! of Stoller (000, section 5.1; 002, section 4), with "passes" for "is independent of". Take a run from there that
//! drives the automaton to its end. If θ moves in it, its first step can come first; otherwise any of its steps can be
//! put before the run.
//!
//! # Invisible steps
//!
//! | reduction | steps | condition, checked here |
//! |---|---|---|
//! | always (the base model of 001, section 4.1) | accesses, calls, returns, units | the automaton notices none of them in the phases in question |
//! | `relock` (001, 4.4) | the acquisition of a lock that is already held, and its release | neither changes the owner of the lock |
//! | `unlock` (001, 4.6; 000, 3.5) | a release, also that of `wait` | none: no other thread can use the lock before |
//! | `owned` (001, 4.2) | an acquisition, an access | no other thread ever takes the lock, or has an access that this one does not pass |
//! | `protected` (001, 4.3; LD of 000) | an acquisition, an access | for every operation that the step does not pass, other threads need a lock that θ holds |
//!
//! The *phases in question* are those that other threads can reach while θ does not move: up to the first that waits
//! for θ. A step that one of them forbids is visible, since then the automaton can prevent it (NonBlockInvis of 000,
//! section 3.6). An acquisition of a protected lock additionally requires that locks nest and that no thread waits:
//! otherwise the lock can be held while its protecting lock is free. A start is visible.
//!
//! `choices` allows the steps of a choice to be invisible, as in 003 (section 1, point 3); without it a choice is
//! visible (DetermInvis of 000). Separation holds by definition: a local state is invisible if all its steps are.
//! BoundedInvis is not needed; see [`composed_transitions`](super::composed_transitions). The notify reduction (001,
//! section 4.5) does not apply: there is no notification, since a waiting thread may go on at any time. Owned variables
//! are not those of the heap (001, section 5), since there is no heap: the owner of a location follows from the
//! operations that each process can reach.

use super::effects::{EffectId, Phase, Role};
use super::future_operations::FutureOperations;
use super::local_states::{LocalId, LocalState, LocalStates, Step};
use super::locking_discipline::Discipline;
use super::reduction::{SearchReduction, SearchReductions};
use crate::semantics::LockChange;
use eml::model::{Model, Multiplicity, Operation, ProcessId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Decides which local states are invisible.
#[derive(Clone, Debug)]
pub(super) struct Visibility {
    reductions: SearchReductions,
    /// Whether locks nest: a lock can be held only while the locks taken before it are held.
    nests: bool,
    /// For each role (the last entry is for no role): the operations of all other threads.
    others: Vec<Rc<[u32]>>,
    known: FxHashMap<(LocalId, Phase), Option<SearchReductions>>,
    /// The discipline that is assumed for accesses and checked while they are executed.
    discipline: Option<Discipline>,
}

impl Visibility {
    pub(super) fn new(
        locals: &LocalStates<'_>,
        futures: &FutureOperations,
        reductions: SearchReductions,
        discipline: Option<Discipline>,
    ) -> Self {
        let model = locals.model;
        let waits = model.nodes().any(|(_, node)| matches!(node.operation, Operation::Wait(_)));
        let roles = locals.effects.roles();
        let of_role = |role: Role| futures.of_process(model, locals.effects.process_of(role), Some(role));
        let of_others: Vec<u32> =
            unbound(locals).flat_map(|process| futures.of_process(model, process, None)).collect();
        let others = (0..=roles).map(|own| {
            let bound = (0..roles).filter(|role| *role != own).flat_map(|role| of_role(Role(role)));
            let mut ops: Vec<_> = bound.chain(of_others.iter().copied()).collect();
            ops.sort_unstable();
            ops.dedup();
            Rc::from(ops)
        });
        let nests = !waits && !model.locks_overlap();
        Self { reductions, nests, others: others.collect(), known: FxHashMap::default(), discipline }
    }

    /// Returns the reductions that make all steps of a local state invisible in a phase; `None` if some step is visible
    /// or there is no step.
    pub(super) fn invisible_by(
        &mut self,
        locals: &mut LocalStates<'_>,
        futures: &FutureOperations,
        id: LocalId,
        phase: Phase,
    ) -> Option<SearchReductions> {
        if let Some(known) = self.known.get(&(id, phase)) {
            return *known;
        }
        let steps: Vec<_> = locals.steps(id).map(|step| locals.step(step).clone()).collect();
        let needed = match steps.len() {
            _ if locals.is_cut(id) => None,
            0 => None,
            1 => Some(SearchReductions::none()),
            _ => self.if_on(SearchReduction::Choices),
        };
        let found = needed.and_then(|needed| {
            let mut steps = steps.iter();
            steps.try_fold(needed, |all, step| Some(all.and(self.step_invisible_by(locals, futures, step, phase)?)))
        });
        self.known.insert((id, phase), found);
        found
    }

    /// Returns the reductions that make a step invisible.
    fn step_invisible_by(
        &self,
        locals: &mut LocalStates<'_>,
        futures: &FutureOperations,
        step: &Step,
        phase: Phase,
    ) -> Option<SearchReductions> {
        let role = locals.role(step.from);
        let last = locals.effects.horizon(phase, |awaited| Some(awaited) == role);
        if step.starts.is_some() || !locals.effects.is_allowed(step.effect, phase..=last) {
            return None;
        }
        let none = SearchReductions::none();
        let (takes, needed) = match step.lock {
            LockChange::Nothing if self.is_relock(locals, step) => return self.if_on(SearchReduction::Relock),
            LockChange::Nothing => (None, none),
            LockChange::Gives(..) | LockChange::Lowers(_) => (None, self.if_on(SearchReduction::Unlock)?),
            LockChange::Takes(lock, mode) => (Some((lock, mode)), none),
            LockChange::Never => return None,
        };
        if takes.is_none() && locals.effects.is_unnoticed(step.effect, phase..=last) {
            return Some(needed);
        }
        let is_assumed = self.discipline.as_ref().is_some_and(|discipline| discipline.is_assumed(step.effect));
        let held = locals.held(step.from).to_vec();
        let (mut is_owned, mut is_protected) = (true, takes.is_none() || self.nests);
        for op in self.others[role.map_or(self.others.len() - 1, |role| role.0)].iter() {
            let op = futures.op(*op);
            let contends =
                takes.zip(op.takes).is_some_and(|((own, mode), (other, wanted))| own == other && mode.excludes(wanted));
            let mut meets =
                || op.effects.iter().any(|other| locals.effects.conflicts(step.effect, *other, phase, last));
            if contends || (!is_assumed && meets()) {
                is_owned = false;
                is_protected &= op.is_kept_off(&held);
            }
        }
        let by = match (is_owned, is_protected) {
            (true, _) if is_assumed => return Some(needed),
            (true, _) => SearchReduction::Owned,
            (false, true) => SearchReduction::Protected,
            (false, false) => return None,
        };
        self.if_on(by).map(|by| needed.and(by))
    }

    /// Returns the set with this reduction alone, if it is on.
    fn if_on(&self, reduction: SearchReduction) -> Option<SearchReductions> {
        self.reductions.has(reduction).then(|| SearchReductions::none().with(reduction))
    }

    /// Records that a thread executes a step with this effect, or is about to.
    pub(super) fn note(&mut self, locals: &LocalStates<'_>, from: LocalId, effect: EffectId) {
        if let Some(discipline) = &mut self.discipline {
            discipline.note(locals, from, effect);
        }
    }

    /// Returns the discipline, if one is assumed.
    pub(super) fn discipline(&self) -> Option<&Discipline> {
        self.discipline.as_ref()
    }

    /// Whether a step that leaves the locks unchanged acquires or releases a lock that is held before and after it.
    fn is_relock(&self, locals: &LocalStates<'_>, step: &Step) -> bool {
        let operation = locals.model.node(step.node).operation;
        !step.wants
            && matches!(operation, Operation::Acquire(..) | Operation::Release(..))
            && matches!(locals.get(step.from), LocalState::Running(_))
    }
}

/// Returns the processes that take part and can have an instance without a role.
fn unbound<'a>(locals: &'a LocalStates<'_>) -> impl Iterator<Item = ProcessId> + 'a {
    let model: &Model = locals.model;
    let processes = model.processes().iter().enumerate().filter(|(index, _)| locals.takes_part[*index]);
    let unbound = processes.filter(|(index, process)| {
        let bound = locals.effects.roles_of(ProcessId::new(*index)).count();
        process.is_started()
            || match process.multiplicity() {
                Multiplicity::Single => bound < 1,
                Multiplicity::Times(count) => bound < (count as usize).min(locals.effects.roles()),
                Multiplicity::Many => bound < locals.effects.roles(),
            }
    });
    unbound.map(|(index, _)| ProcessId::new(index))
}
