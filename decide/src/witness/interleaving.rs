//! Interleavings: what the participants do, in which order.

use super::completion::can_be_inside;
use super::path::{CallId, Calls, LocalStep};
use eml::model::{Model, NodeId, ProcessId};
use limits::{Meter, StopReason};
use phases::Automaton;

/// What a participant does without others in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InterleavedStep {
    /// The participant that acts.
    pub(crate) thread: usize,
    /// What it executes; a call is one of its own path.
    pub(crate) step: LocalStep,
    /// The participant that is started, if one is.
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

/// Participants, those bound to the threads of the automaton first, and what they do in which order.
#[derive(Clone, Debug)]
pub(crate) struct Interleaving {
    pub(crate) processes: Vec<ProcessId>,
    pub(crate) steps: Vec<InterleavedStep>,
    /// What calls execute that are one step, by participant; those that are missing have none.
    pub(crate) calls: Vec<Calls>,
}

impl Interleaving {
    /// One in which no step is a whole call.
    pub(crate) fn without_calls(processes: Vec<ProcessId>, steps: Vec<InterleavedStep>) -> Self {
        Self { processes, steps, calls: Vec::new() }
    }

    /// The same with all calls spelled out but those of more steps than this that can be one step of a witness; a call
    /// of none of these keeps its place, so this is as possible as before. Linear in the result.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn spell_out(
        self,
        model: &Model,
        automaton: &Automaton,
        longest: u64,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let lengths: Vec<_> = self.calls.iter().map(|calls| calls.lengths(model)).collect();
        let fits = |operation| can_be_inside(model, automaton, operation);
        let inside: Vec<_> = self.calls.iter().map(|calls| calls.have_only(model, fits)).collect();
        let is_spelled_out =
            |thread: usize, call: CallId| lengths[thread][call.index()] <= longest || !inside[thread][call.index()];
        let mut steps = Vec::with_capacity(self.steps.len());
        for InterleavedStep { thread, step, starts } in self.steps {
            let mut waiting = vec![step];
            while let Some(step) = waiting.pop() {
                meter.work_of(1)?;
                let own = |step| InterleavedStep { thread, step, starts };
                match step {
                    LocalStep::Call(node, call) if is_spelled_out(thread, call) => {
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
