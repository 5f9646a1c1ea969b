//! The declarations of a model: locks, locations, atomic sets, processes, procedures.

use std::ops::Range;

use super::ids::{LocationId, NodeId, ProcedureId, ProcessId};
use crate::syntax::Position;
use crate::syntax::ast::Multiplicity;

/// The number of instances of a process; two and more are not distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstanceBound {
    /// None.
    #[default]
    Zero,
    /// At most one.
    One,
    /// Perhaps two or more.
    Several,
}

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
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind: a plain lock or a read-write lock.
    pub fn kind(&self) -> LockKind {
        self.kind
    }

    /// Returns where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Whether it need not nest with other locks and units: it may be released before locks and units that were opened
    /// after it, and held longer than those opened before it.
    pub fn may_overlap(&self) -> bool {
        self.may_overlap
    }
}

impl Location {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }
}

impl AtomicSet {
    /// Returns the name of a declared set; `None` for a set that completes the declared ones.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the locations, each once, in the order of the set's declaration, or of their own declarations.
    pub fn members(&self) -> &[LocationId] {
        &self.members
    }
}

impl Process {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the procedure that its instances execute.
    pub fn body(&self) -> ProcedureId {
        self.body
    }

    /// Returns the number of instances as written. For a process that is started it is `Single` and has no meaning.
    pub fn multiplicity(&self) -> Multiplicity {
        self.multiplicity
    }

    /// Whether some `start` names it, reachable or not. Then it has no initial instance.
    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// Returns the maximal number of instances, started ones included.
    pub fn instance_bound(&self) -> InstanceBound {
        self.bound
    }

    /// Returns the number of initial instances.
    pub fn initial_instances(&self) -> InstanceBound {
        match self.multiplicity {
            _ if self.is_started => InstanceBound::Zero,
            Multiplicity::Single | Multiplicity::Times(1) => InstanceBound::One,
            Multiplicity::Times(_) | Multiplicity::Many => InstanceBound::Several,
        }
    }
}

impl Procedure {
    /// Returns the name of the function or of the process.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns where the name is declared.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the node at which execution begins.
    pub fn entry(&self) -> NodeId {
        self.entry
    }

    /// Returns its nodes, which are numbered consecutively.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        self.nodes.clone().map(NodeId::new)
    }

    /// Returns the process whose body this is; `None` for a function.
    pub fn process(&self) -> Option<ProcessId> {
        self.process
    }

    /// Whether this is the body of a process.
    pub fn is_process_body(&self) -> bool {
        self.process.is_some()
    }
}
