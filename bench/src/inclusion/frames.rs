//! The stacks of all paths: calls that have not returned.
//!
//! All calls of a procedure at one event with the same locks held share a frame. A frame knows its callers and the
//! progress of paths when they left it. So recursion ends, and paths with the same future are merged (as in the
//! graph-structured stacks of M. Tomita, 1985, and the procedure summaries of T. Reps, S. Horwitz and M. Sagiv, 1995).

use asercheck::model::{LockId, Mode, NodeId, ProcedureId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The number of a frame.
pub(super) type FrameId = usize;

/// A lock that a path holds in a procedure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Held {
    pub(super) lock: LockId,
    pub(super) mode: Mode,
    pub(super) count: u8,
    /// Whether an access has happened since the acquisition.
    pub(super) is_used: bool,
}

/// Progress of a path along the accesses of the trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Progress {
    /// Pending accesses of library calls.
    pub(super) due: Vec<usize>,
    /// State of the unit of work.
    pub(super) unit: Unit,
}

/// A unit of work of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Unit {
    /// No access of the trace has happened.
    Fresh,
    /// An access of the trace has happened in the open unit.
    Used,
    /// The unit with accesses of the trace has ended.
    Over,
}

/// State of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Item {
    /// The next node to execute.
    pub(super) node: NodeId,
    pub(super) frame: FrameId,
    /// Locks that the procedure has acquired.
    pub(super) held: Vec<Held>,
    pub(super) progress: Progress,
    /// Number of open units of work.
    pub(super) units: u8,
    /// The lock that the path has released to wait.
    pub(super) waiting: Option<LockId>,
}

/// Key of a frame: calls with equal keys share it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameKey {
    pub(super) procedure: ProcedureId,
    /// Locks that the callers hold.
    pub(super) around: Vec<(LockId, Mode)>,
    pub(super) progress: Progress,
    pub(super) units: u8,
    /// Number of the event.
    pub(super) at: usize,
}

/// Calls that have not returned.
#[derive(Debug, Default)]
pub(super) struct Frames {
    keys: Vec<FrameKey>,
    ids: FxHashMap<FrameKey, FrameId>,
    /// For each frame, the items after the calls.
    callers: Vec<Vec<Item>>,
    /// For each frame, the progress of paths that returned, with the event.
    left: Vec<BTreeSet<(usize, Progress)>>,
}

impl Frames {
    /// Returns the locks that the callers of a frame hold.
    pub(super) fn around(&self, frame: FrameId) -> &[(LockId, Mode)] {
        &self.keys[frame].around
    }

    /// Returns a frame, and whether it is new.
    pub(super) fn enter(&mut self, key: FrameKey) -> (FrameId, bool) {
        if let Some(known) = self.ids.get(&key) {
            return (*known, false);
        }
        let id = self.keys.len();
        self.ids.insert(key.clone(), id);
        self.keys.push(key);
        self.callers.push(Vec::new());
        self.left.push(BTreeSet::new());
        (id, true)
    }

    /// Adds a caller to a frame. Returns the items that continue at once, because paths have returned from the frame at
    /// this event before.
    pub(super) fn returns_to(&mut self, frame: FrameId, caller: Item, at: usize) -> Vec<Item> {
        let known: Vec<Item> = self.left[frame]
            .iter()
            .filter(|(left, _)| *left == at)
            .map(|(_, progress)| Item { progress: progress.clone(), ..caller.clone() })
            .collect();
        self.callers[frame].push(caller);
        known
    }

    /// Records a return from a frame. Returns the items that continue in the callers.
    pub(super) fn leave(&mut self, frame: FrameId, progress: &Progress, at: usize) -> Vec<Item> {
        self.left[frame].insert((at, progress.clone()));
        self.callers[frame].iter().map(|caller| Item { progress: progress.clone(), ..caller.clone() }).collect()
    }
}
