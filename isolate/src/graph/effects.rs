//! The effects of steps and calls on other threads: effect-free, waiting, or visible.
//!
//! A step is *effect-free* if it reads, acquires, releases a lock acquired since, or calls a variant whose steps are
//! all effect-free and that is no unit of work by itself. Once the thread has released the acquired locks, other
//! threads cannot observe whether it has executed the step; the thread itself can, by the values that it has read. A
//! call that is a unit of work is not effect-free: its own violations count.
//!
//! A step *waits* if it is effect-free except for waiting on a lock: then the thread releases a lock that it held
//! before.
//!
//! **Fresh contexts.** A context is *fresh* if, at every entry, the unit of work around it has accessed nothing: it has
//! only acquired locks. These are the contexts without a call that may follow an access, in the caller or around it.
//! Accesses of a thread outside of units of work and without locks do not count: the thread may pause after them.

use super::context::MethodContext;
use super::exits::{Exits, Variant};
use super::flow::{InlinedCall, Step};
use super::ids::{ContextId, EffectId};
use super::reachability::{accesses, numbered, reachable, reachable_from};
use super::units::UnitsOf;
use rustc_hash::FxHashSet;

/// The effect of a step on other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// Effect-free.
    Free,
    /// Releases a lock for a while, in a wait.
    Waits,
    /// Any other effect.
    Visible,
}

/// The effects of the steps of all contexts.
pub(super) struct Effects {
    exits: Exits,
    /// The variants with an access.
    accessing: FxHashSet<Variant>,
    /// The variants that wait or have a visible effect.
    waiting: FxHashSet<Variant>,
    /// The variants with a visible effect.
    effective: FxHashSet<Variant>,
    /// The pairs of a context and a callee whose call is a unit of work.
    units: FxHashSet<(ContextId, ContextId)>,
    /// For each context whether it is fresh.
    fresh: Vec<bool>,
}

impl Effects {
    /// Computes the effects. Linear in the variants' graphs.
    pub(super) fn new(contexts: &[MethodContext], units: UnitsOf<'_>) -> Self {
        let exits = Exits::new(contexts);
        let accessing = exits.all_variants_with(contexts, |_, step| accesses(step));
        let calls = numbered(contexts).flat_map(|(id, context)| {
            let called = context.flow.nodes.iter().filter_map(|node| node.step.called());
            called.filter(move |callee| units.is_unit(contexts, id, *callee)).map(move |callee| (id, callee))
        });
        let mut effects = Self {
            units: calls.collect(),
            exits,
            accessing,
            waiting: FxHashSet::default(),
            effective: FxHashSet::default(),
            fresh: Vec::new(),
        };
        effects.waiting = effects.exits.all_variants_with(contexts, |id, step| effects.own(id, step) >= Effect::Waits);
        effects.effective =
            effects.exits.all_variants_with(contexts, |id, step| effects.own(id, step) == Effect::Visible);
        effects.fresh = effects.fresh(contexts, units);
        effects
    }

    /// Returns the effect of a step without its callee, unless the call is a unit of work.
    fn own(&self, context: ContextId, step: Step) -> Effect {
        match step {
            Step::Skip | Step::Read(_) | Step::Acquire(..) | Step::Release(..) | Step::Cut => Effect::Free,
            Step::Return(_) | Step::ReturnWith(..) => Effect::Free,
            Step::Wait(_) => Effect::Waits,
            Step::Local | Step::Write(_) | Step::Start(_) | Step::Join => Effect::Visible,
            // The caller considers the lock effect.
            Step::ReleaseForCaller(..) => Effect::Free,
            Step::Call(callee, _) | Step::Inline(InlinedCall { callee, .. }) => {
                let is_unit = self.units.contains(&(context, callee));
                if is_unit && self.accesses(step) { Effect::Visible } else { Effect::Free }
            }
        }
    }

    /// Whether a call makes an access.
    fn accesses(&self, call: Step) -> bool {
        self.exits.variant_run_by(call).is_some_and(|called| self.accessing.contains(&called))
    }

    /// Returns the effect of a step with its callee. For releases, the caller of this function has to check that they
    /// are of locks acquired since.
    pub(super) fn of(&self, context: ContextId, step: Step) -> Effect {
        let called = self.exits.variant_run_by(step);
        let is_in = |set: &FxHashSet<Variant>| called.is_some_and(|called| set.contains(&called));
        let of_called = match (is_in(&self.waiting), is_in(&self.effective)) {
            (_, true) => Effect::Visible,
            (true, false) => Effect::Waits,
            (false, false) => Effect::Free,
        };
        let own = match step {
            // It releases a lock of a caller.
            Step::ReleaseForCaller(..) => Effect::Visible,
            step => self.own(context, step),
        };
        own.max(of_called)
    }

    /// Whether a context is fresh.
    pub(super) fn is_fresh(&self, context: ContextId) -> bool {
        self.fresh[context.index()]
    }

    /// Whether a step only acquires locks in the model.
    pub(super) fn only_acquires(&self, contexts: &[MethodContext], step: Step) -> bool {
        match step {
            Step::Skip | Step::Local | Step::Acquire(..) => true,
            // A call without accesses is omitted.
            Step::Call(..) => !self.accesses(step),
            Step::Inline(InlinedCall { callee, .. }) => {
                let is_plain = |step: Step| match step {
                    Step::Skip | Step::Local | Step::Acquire(..) | Step::Return(_) | Step::ReturnWith(..) => true,
                    Step::Call(..) => !self.accesses(step),
                    Step::Read(_) | Step::Write(_) | Step::Wait(_) | Step::Inline(_) | Step::Start(_) => false,
                    Step::Release(..) | Step::ReleaseForCaller(..) | Step::Join | Step::Cut => false,
                };
                contexts[callee.index()].flow.nodes.iter().all(|node| is_plain(node.step))
            }
            Step::Read(_) | Step::Write(_) | Step::Wait(_) | Step::Start(_) | Step::Join | Step::Cut => false,
            Step::Release(..) | Step::ReleaseForCaller(..) | Step::Return(_) | Step::ReturnWith(..) => false,
        }
    }

    /// Computes the fresh contexts. Linear in the graphs.
    fn fresh(&self, contexts: &[MethodContext], units: UnitsOf<'_>) -> Vec<bool> {
        let mut fresh = vec![true; contexts.len()];
        let holds_nothing = holds_nothing(contexts);
        for of in units.units {
            let in_unit = units.in_unit(contexts, *of);
            let outside: Vec<bool> =
                in_unit.iter().zip(&holds_nothing).map(|(unit, nothing)| !unit && *nothing).collect();
            let mut open = Vec::new();
            let mut calls: Vec<Vec<ContextId>> = vec![Vec::new(); contexts.len()];
            for (id, context) in numbered(contexts) {
                let late = self.late(contexts, context);
                for node in reachable(&context.flow).ones() {
                    let Some(callee) = context.flow.nodes[node].step.called() else { continue };
                    if units.enters(*of, id, callee) && !in_unit[id.index()] {
                        continue;
                    }
                    calls[id.index()].push(callee);
                    open.extend((late.contains(node) && !outside[id.index()]).then_some(callee));
                }
            }
            let mut stale = vec![false; contexts.len()];
            while let Some(id) = open.pop() {
                if !std::mem::replace(&mut stale[id.index()], true) {
                    open.append(&mut calls[id.index()]);
                }
            }
            fresh.iter_mut().zip(stale).for_each(|(fresh, stale)| *fresh &= !stale);
        }
        fresh
    }

    /// Returns the nodes of a context before which it may have done more than to acquire locks.
    fn late(&self, contexts: &[MethodContext], context: &MethodContext) -> fixedbitset::FixedBitSet {
        let nodes = &context.flow.nodes;
        let more = reachable(&context.flow);
        let more = more.ones().filter(|node| !self.only_acquires(contexts, nodes[*node].step));
        reachable_from(nodes.len(), more.flat_map(|node| nodes[node].next.iter().copied()), |node| &nodes[node].next)
    }

    /// Returns the number of its own locks that a step releases, at least for a while, and the number of locks that it
    /// acquires; the callee's releases and acquisitions included.
    pub(super) fn locks(contexts: &[MethodContext], step: Step) -> (usize, usize) {
        match step {
            Step::Acquire(..) => (0, 1),
            Step::Release(..) => (1, 0),
            Step::Inline(InlinedCall { callee, effect, .. }) if effect != EffectId::NONE => {
                let effect = contexts[callee.index()].lock_effects.get(effect.index());
                effect.map_or((0, 0), |effect| (effect.closed.len(), effect.open.len()))
            }
            Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::ReleaseForCaller(..) | Step::Wait(_) => {
                (0, 0)
            }
            Step::Call(..) | Step::Inline(_) | Step::Start(_) | Step::Join | Step::Cut => (0, 0),
            Step::Return(_) | Step::ReturnWith(..) => (0, 0),
        }
    }
}

/// Returns the contexts in which no lock is ever held: they have no callers in the same thread and no locks themselves.
/// Their accesses before a call, outside of units of work, hold no lock, so the thread may as well begin the call
/// later.
fn holds_nothing(contexts: &[MethodContext]) -> Vec<bool> {
    let mut nothing: Vec<bool> = contexts
        .iter()
        .map(|context| {
            let is_plain =
                |step: Step| !matches!(step, Step::Acquire(..) | Step::Inline(_) | Step::ReleaseForCaller(..));
            context.own_lock.is_none() && context.flow.nodes.iter().all(|node| is_plain(node.step))
        })
        .collect();
    for context in contexts {
        for callee in context.flow.nodes.iter().filter_map(|node| node.step.called()) {
            nothing[callee.index()] = false;
        }
    }
    nothing
}
