//! Stacks of all paths at once: calls that have not returned, each procedure with what it was called with once.
//!
//! A frame is one for all calls of a procedure at one event with the same locks held; it knows who called it, and how
//! far paths were when control left it. So recursion ends, and paths with the same future are one (as the
//! graph-structured stacks of M. Tomita, 1985, or the summaries of procedures of T. Reps, S. Horwitz and M. Sagiv,
//! 1995).

use asercheck::model::{LockId, Mode, NodeId, ProcedureId};
use std::collections::{BTreeSet, HashMap};

/// The number of a frame.
pub(super) type FrameId = usize;

/// A lock that a path holds in a procedure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Held {
    pub(super) lock: LockId,
    pub(super) mode: Mode,
    pub(super) count: u8,
    /// Whether an access has happened since it was taken.
    pub(super) is_used: bool,
}

/// How far a path is with the accesses of the trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Progress {
    /// The accesses of library calls that have not happened yet.
    pub(super) due: Vec<usize>,
    /// What has become of the unit of work.
    pub(super) unit: Unit,
}

/// A unit of work of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Unit {
    /// Nothing of the trace was done.
    Fresh,
    /// The unit has done something of the trace.
    Used,
    /// It has ended since: what comes now is none of it.
    Over,
}

/// Where a path stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Item {
    /// What it executes next.
    pub(super) node: NodeId,
    pub(super) frame: FrameId,
    /// What its procedure has taken.
    pub(super) held: Vec<Held>,
    pub(super) progress: Progress,
    /// How many units of work are open.
    pub(super) units: u8,
    /// A lock that it has given up to wait.
    pub(super) waiting: Option<LockId>,
}

/// By what frames are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameKey {
    pub(super) procedure: ProcedureId,
    /// The locks that are held by those who called it.
    pub(super) around: Vec<(LockId, Mode)>,
    pub(super) progress: Progress,
    pub(super) units: u8,
    /// At which event.
    pub(super) at: usize,
}

/// Calls that have not returned.
#[derive(Debug, Default)]
pub(super) struct Frames {
    keys: Vec<FrameKey>,
    ids: HashMap<FrameKey, FrameId>,
    /// Where control goes on, for each frame.
    callers: Vec<Vec<Item>>,
    /// How far paths were when control left the frame, with the event.
    left: Vec<BTreeSet<(usize, Progress)>>,
}

impl Frames {
    /// The locks that are held around a frame.
    pub(super) fn around(&self, frame: FrameId) -> &[(LockId, Mode)] {
        &self.keys[frame].around
    }

    /// A frame, and whether it is new.
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

    /// Control goes on there when it leaves a frame. Gives what goes on at once, as control has left it at this event
    /// before.
    pub(super) fn returns_to(&mut self, frame: FrameId, caller: Item, at: usize) -> Vec<Item> {
        let known: Vec<Item> = self.left[frame]
            .iter()
            .filter(|(left, _)| *left == at)
            .map(|(_, progress)| Item { progress: progress.clone(), ..caller.clone() })
            .collect();
        self.callers[frame].push(caller);
        known
    }

    /// Control leaves a frame. Gives what goes on.
    pub(super) fn leave(&mut self, frame: FrameId, progress: &Progress, at: usize) -> Vec<Item> {
        self.left[frame].insert((at, progress.clone()));
        self.callers[frame].iter().map(|caller| Item { progress: progress.clone(), ..caller.clone() }).collect()
    }
}
