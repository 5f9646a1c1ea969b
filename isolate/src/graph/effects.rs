//! What calls do to others: nothing, or more than reading.
//!
//! A step is *effect-free* if it reads, acquires, releases what was acquired since, or calls a variant whose steps are
//! all effect-free and that is no unit of work by itself. Others cannot tell whether a thread has executed it, as soon
//! as it has released what it acquired; the thread can, by the values that it has read. A call that is a unit of work
//! is none of these: its own violations count.
//!
//! A step *waits* if it is effect-free but for waiting on a lock: then the thread gives up a lock that it held before.
//!
//! **Fresh contexts.** A context is *fresh* if nothing has been accessed in the unit of work around it whenever control
//! enters it: all that the unit has done is to acquire locks. These are the contexts that are not called from where
//! something may have been accessed before, in the caller or around it. What a thread has accessed in no unit of work,
//! with nothing held, does not count: it may wait after that before it goes on.

use super::context::MethodContext;
use super::exits::{Exits, Variant};
use super::flow::{InlinedCall, Step};
use super::ids::{ContextId, EffectId};
use super::reachability::{accesses, numbered, reachable, reachable_from};
use super::units::UnitsOf;
use rustc_hash::FxHashSet;

/// What a step does to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// Nothing.
    Free,
    /// It gives a lock up and gets it back.
    Waits,
    /// More.
    Visible,
}

/// What the steps of all contexts do.
pub(super) struct Effects {
    exits: Exits,
    /// The variants that access something.
    accessing: FxHashSet<Variant>,
    /// The variants that wait or do more.
    waiting: FxHashSet<Variant>,
    /// The variants that do more.
    effective: FxHashSet<Variant>,
    /// For each context and callee, whether the call is a unit of work.
    units: FxHashSet<(ContextId, ContextId)>,
    /// Whether control enters a context only before anything is accessed in the unit of work.
    fresh: Vec<bool>,
}

impl Effects {
    /// Linear in the variants' graphs.
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

    /// What a step does without what it calls, if that is no unit of work.
    fn own(&self, context: ContextId, step: Step) -> Effect {
        match step {
            Step::Skip | Step::Read(_) | Step::Acquire(..) | Step::Release(..) | Step::Cut => Effect::Free,
            Step::Return(_) | Step::ReturnWith(..) => Effect::Free,
            Step::Wait(_) => Effect::Waits,
            Step::Local | Step::Write(_) | Step::Start(_) | Step::Join => Effect::Visible,
            // Whoever calls it looks at the lock effect.
            Step::ReleaseForCaller(..) => Effect::Free,
            Step::Call(callee, _) | Step::Inline(InlinedCall { callee, .. }) => {
                let is_unit = self.units.contains(&(context, callee));
                if is_unit && self.accesses(step) { Effect::Visible } else { Effect::Free }
            }
        }
    }

    /// Whether a call accesses something.
    fn accesses(&self, call: Step) -> bool {
        self.exits.variant_run_by(call).is_some_and(|called| self.accessing.contains(&called))
    }

    /// What a step does, with what it calls. Of releases, only that the caller's locks stay out of it is left to be
    /// seen.
    pub(super) fn of(&self, context: ContextId, step: Step) -> Effect {
        let called = self.exits.variant_run_by(step);
        let is_in = |set: &FxHashSet<Variant>| called.is_some_and(|called| set.contains(&called));
        let of_called = match (is_in(&self.waiting), is_in(&self.effective)) {
            (_, true) => Effect::Visible,
            (true, false) => Effect::Waits,
            (false, false) => Effect::Free,
        };
        let own = match step {
            // It gives up a lock that the context does not know.
            Step::ReleaseForCaller(..) => Effect::Visible,
            step => self.own(context, step),
        };
        own.max(of_called)
    }

    /// Whether control enters a context only before anything is accessed in the unit of work.
    pub(super) fn is_fresh(&self, context: ContextId) -> bool {
        self.fresh[context.index()]
    }

    /// Whether a step does nothing in a model but to acquire.
    pub(super) fn only_acquires(&self, contexts: &[MethodContext], step: Step) -> bool {
        match step {
            Step::Skip | Step::Local | Step::Acquire(..) => true,
            // What accesses nothing is left out.
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

    /// Linear in the graphs.
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

    /// The nodes of a context before which it may have done more than to acquire.
    fn late(&self, contexts: &[MethodContext], context: &MethodContext) -> fixedbitset::FixedBitSet {
        let nodes = &context.flow.nodes;
        let more = reachable(&context.flow);
        let more = more.ones().filter(|node| !self.only_acquires(contexts, nodes[*node].step));
        reachable_from(nodes.len(), more.flat_map(|node| nodes[node].next.iter().copied()), |node| &nodes[node].next)
    }

    /// How many locks of its own a step releases at least for a while and how many more are held after it; releases and
    /// acquisitions of what it calls included.
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

/// The contexts in which no lock is ever held: nobody calls them in the same thread, and they have no locks themselves.
/// What was accessed there before a call, in no unit of work, was accessed with nothing held; so the thread may as well
/// begin the call later.
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
