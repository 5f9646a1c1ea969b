//! Interleavings: the steps of the participants, in order.

use super::call_lengths::can_be_in_whole_call;
use super::path::{CallId, Calls, LocalStep};
use eml::model::{Model, NodeId, ProcessId};
use limits::{Meter, StopReason};
use phases::Automaton;

/// A step of a participant that others do not interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InterleavedStep {
    /// The participant that acts.
    pub(crate) thread: usize,
    /// The executed node or instant, or a call on its own path.
    pub(crate) step: LocalStep,
    /// The participant that the step starts, if any.
    pub(crate) starts: Option<usize>,
}

impl InterleavedStep {
    /// The node that is executed first.
    pub(crate) fn node(&self) -> NodeId {
        match self.step {
            LocalStep::Node(node) | LocalStep::Wants(node) | LocalStep::Call(node, _) => node,
        }
    }
}

/// The participants, those bound to the threads of the automaton first, and their steps in order.
#[derive(Clone, Debug)]
pub(crate) struct Interleaving {
    pub(crate) processes: Vec<ProcessId>,
    pub(crate) steps: Vec<InterleavedStep>,
    /// For each participant, its calls that are one step; participants at the end may be missing if they have none.
    pub(crate) calls: Vec<Calls>,
}

impl Interleaving {
    /// An interleaving in which no step is a whole call.
    pub(crate) fn without_calls(processes: Vec<ProcessId>, steps: Vec<InterleavedStep>) -> Self {
        Self { processes, steps, calls: Vec::new() }
    }

    /// The same interleaving with most calls expanded into their steps. A call remains one step if it has more than
    /// `longest` steps and can be one step of a witness. The steps of a call take its place, so the interleaving is
    /// still possible. Linear in the size of the result.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn expand_calls(
        self,
        model: &Model,
        automaton: &Automaton,
        longest: u64,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let lengths: Vec<_> = self.calls.iter().map(|calls| calls.lengths(model)).collect();
        let fits = |operation| can_be_in_whole_call(model, automaton, operation);
        let can_be_whole: Vec<_> = self.calls.iter().map(|calls| calls.have_only(model, fits)).collect();
        let is_expanded = |thread: usize, call: CallId| {
            lengths[thread][call.index()] <= longest || !can_be_whole[thread][call.index()]
        };
        let mut steps = Vec::with_capacity(self.steps.len());
        for InterleavedStep { thread, step, starts } in self.steps {
            let mut waiting = vec![step];
            while let Some(step) = waiting.pop() {
                meter.work_of(1)?;
                let own = |step| InterleavedStep { thread, step, starts };
                match step {
                    LocalStep::Call(node, call) if is_expanded(thread, call) => {
                        steps.push(own(LocalStep::Node(node)));
                        waiting.extend(self.calls[thread].steps(call).iter().rev());
                    }
                    step => steps.push(own(step)),
                }
            }
        }
        Ok(Self { processes: self.processes, steps, calls: self.calls })
    }
}
