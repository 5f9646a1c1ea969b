//! What a model declares: locks, locations, atomic sets, processes, procedures.

use std::ops::Range;

use super::ids::{LocationId, NodeId, ProcedureId, ProcessId};
use super::instances::InstanceBound;
use crate::eml::Position;
use crate::eml::ast::Multiplicity;

/// The kinds of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// Held by one process at most.
    Plain,
    /// Held by any number of processes in read mode, or by one in write mode.
    ReadWrite,
}

/// A reentrant lock.
#[derive(Clone, Debug)]
pub struct Lock {
    pub(super) name: String,
    pub(super) kind: LockKind,
    pub(super) position: Position,
    pub(super) may_overlap: bool,
}

/// A shared location.
#[derive(Clone, Debug)]
pub struct Location {
    pub(super) name: String,
    pub(super) position: Position,
}

/// Locations with a common invariant.
#[derive(Clone, Debug)]
pub struct AtomicSet {
    pub(super) name: Option<String>,
    pub(super) members: Vec<LocationId>,
}

/// A process: any number of instances run its body.
#[derive(Clone, Debug)]
pub struct Process {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) body: ProcedureId,
    pub(super) multiplicity: Multiplicity,
    pub(super) is_started: bool,
    pub(super) bound: InstanceBound,
}

/// A function or the body of a process.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) entry: NodeId,
    pub(super) nodes: Range<usize>,
    pub(super) process: Option<ProcessId>,
}

impl Lock {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a plain lock or a read-write lock.
    pub fn kind(&self) -> LockKind {
        self.kind
    }

    /// Where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Whether it need not nest with other locks and units: it may be released while what was opened after it stays
    /// open, and stay held while what was opened before it is closed.
    pub fn may_overlap(&self) -> bool {
        self.may_overlap
    }
}

impl Location {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }
}

impl AtomicSet {
    /// The name, if the set is declared; none if it follows from the rules for locations in no declared set.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The locations, each once: in the order of the set's declaration, or of theirs.
    pub fn members(&self) -> &[LocationId] {
        &self.members
    }
}

impl Process {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }

    /// What its instances execute.
    pub fn body(&self) -> ProcedureId {
        self.body
    }

    /// The number of instances as written. For a process that is started it is `Single` and says nothing.
    pub fn multiplicity(&self) -> Multiplicity {
        self.multiplicity
    }

    /// Whether some `start` names it, reachable or not: then it has no instance at first.
    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// How many instances can run at most, those that other processes start included.
    pub fn instance_bound(&self) -> InstanceBound {
        self.bound
    }

    /// How many instances run at first.
    pub fn initial_instances(&self) -> InstanceBound {
        match self.multiplicity {
            _ if self.is_started => InstanceBound::Zero,
            Multiplicity::Single | Multiplicity::Times(1) => InstanceBound::One,
            Multiplicity::Times(_) | Multiplicity::Many => InstanceBound::Several,
        }
    }
}

impl Procedure {
    /// The name of the function or of the process.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The node at which execution begins.
    pub fn entry(&self) -> NodeId {
        self.entry
    }

    /// Its nodes, which are numbered consecutively.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        self.nodes.clone().map(NodeId::new)
    }

    /// The process that this is the body of; none for a function.
    pub fn process(&self) -> Option<ProcessId> {
        self.process
    }

    /// Whether this is the body of a process.
    pub fn is_process_body(&self) -> bool {
        self.process.is_some()
    }
}
