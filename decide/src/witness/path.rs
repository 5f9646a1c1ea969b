//! Local paths: the steps of each participant, phase by phase.
//!
//! A call that returns within its phase and contains no step that ends a phase is one step of a path. Its steps are
//! stored once for all calls with the same steps, so a path with 2^40 steps takes no more space than the model. Nothing
//! outside of the path depends on when, within such a call, others act; so it may be assumed that they do not (see
//! [`schedule`](super::schedule())).

use eml::model::{Model, NodeId, Operation, ProcessId};

/// The number of a call in [`Calls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CallId(u32);

/// One step of a local path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LocalStep {
    /// Executes the node.
    Node(NodeId),
    /// The instant right before the node, which takes a lock.
    Wants(NodeId),
    /// Executes the node, which is a call, and everything up to and including the return.
    Call(NodeId, CallId),
}

impl LocalStep {
    /// The node, unless it is a whole call.
    pub(crate) fn plain_node(&self) -> Option<NodeId> {
        match self {
            Self::Node(node) => Some(*node),
            Self::Wants(_) | Self::Call(..) => None,
        }
    }
}

/// The steps of the calls of a path, each from after the call to the return.
///
/// Invariant: the steps of a call contain only calls with smaller numbers, so following them ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Calls(Vec<Vec<LocalStep>>);

impl Calls {
    /// Adds a call with these steps, in which all calls are known.
    pub(crate) fn push(&mut self, steps: Vec<LocalStep>) -> CallId {
        self.0.push(steps);
        CallId(u32::try_from(self.0.len() - 1).expect("fewer than 2^32 calls"))
    }

    /// The steps of a call.
    pub(crate) fn steps(&self, call: CallId) -> &[LocalStep] {
        &self.0[call.0 as usize]
    }

    /// The steps of each call.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[LocalStep]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// Computes a value for each call, from its steps and the values of the calls in them. The second argument of
    /// `compute` returns these.
    pub(crate) fn bottom_up<T>(&self, mut compute: impl FnMut(&[LocalStep], &dyn Fn(CallId) -> T) -> T) -> Vec<T>
    where
        T: Clone,
    {
        let mut computed: Vec<T> = Vec::with_capacity(self.0.len());
        for steps in &self.0 {
            let of = |call: CallId| computed[call.0 as usize].clone();
            let new = compute(steps, &of);
            computed.push(new);
        }
        computed
    }

    /// The number of steps that each call leaves in a witness, including the call itself and its return; or the
    /// greatest number.
    pub(crate) fn lengths(&self, model: &Model) -> Vec<u64> {
        self.bottom_up(|steps, of| {
            steps.iter().fold(1_u64, |sum, step| {
                sum.saturating_add(match step {
                    LocalStep::Node(node) => u64::from(model.node(*node).operation != Operation::Skip),
                    LocalStep::Wants(_) => 0,
                    LocalStep::Call(_, call) => of(*call),
                })
            })
        })
    }
}

impl Calls {
    /// For each call, whether `fits` accepts all operations that it executes.
    pub(crate) fn have_only(&self, model: &Model, fits: impl Fn(Operation) -> bool) -> Vec<bool> {
        self.bottom_up(|steps, of| {
            steps.iter().all(|step| match step {
                LocalStep::Node(node) | LocalStep::Wants(node) => fits(model.node(*node).operation),
                LocalStep::Call(_, call) => of(*call),
            })
        })
    }
}

impl CallId {
    /// Its number, from 0.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The steps of a participant in each phase, in order; branching points may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocalPath {
    pub(crate) phases: Vec<Vec<LocalStep>>,
    pub(crate) calls: Calls,
}

impl LocalPath {
    /// The number of its phases and steps, with those of its calls, each counted once.
    pub(crate) fn size(&self) -> usize {
        self.phases.iter().chain(&self.calls.0).map(|steps| 1 + steps.len()).sum()
    }
}

/// A participant with its path.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) process: ProcessId,
    pub(crate) path: LocalPath,
}

/// How a phase ends: the last step of its owner in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PhaseEnd {
    /// The participant that takes the step.
    pub(crate) owner: usize,
    /// The participant that the step starts, if it is a start.
    pub(crate) starts: Option<usize>,
}
