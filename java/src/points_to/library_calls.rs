//! Calls of library methods: rows that are run, functions that they call, accesses by handles.

use super::constraints::{CallId, CallbackId, NodeId};
use super::types::TypeId;
use crate::bytecode::Constant;
use crate::class_file::{MethodId, Name};
use crate::library::{Row, TRAVERSAL};
use rustc_hash::{FxHashMap, FxHashSet};

/// A row that is known, by where its actions stand.
pub(super) type RowKey = usize;

/// LibraryCalls that are run.
#[derive(Default)]
pub(super) struct LibraryCalls<'p> {
    pub(super) row_cache: FxHashMap<(TypeId, Name, Name, Name), Option<Row<'p>>>,
    /// The receivers of the rows that calls run.
    pub(super) receivers: FxHashMap<(CallId, RowKey), NodeId>,
    /// The receivers, arguments and results of the rows that rows run.
    pub(super) nested: FxHashMap<(CallId, RowKey), (NodeId, NodeId, NodeId)>,
    /// Calls whose row was run without a receiver.
    pub(super) ran: FxHashSet<(CallId, RowKey)>,
    pub(super) callbacks: Vec<Callback>,
    pub(super) callback_links: FxHashSet<(CallbackId, MethodId)>,
    pub(super) handle_accesses: Vec<HandleAccess>,
    /// Constants among the arguments of calls that name fields.
    pub(super) constant_arguments: FxHashMap<CallId, ConstantArguments>,
}

pub(super) fn row_key(row: &Row<'_>) -> RowKey {
    row.actions.as_ptr() as usize
}

/// Which methods are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallbackMethod {
    /// All of this name.
    Named(Box<str>),
    /// What the object's functional interfaces declare.
    Any,
    /// The methods by which containers show what they hold.
    Traversal,
}

/// A call of functions.
#[derive(Clone, Debug)]
pub(super) struct Callback {
    /// The call that makes the library call them.
    pub(super) call: CallId,
    pub(super) method: CallbackMethod,
    /// What they are given.
    pub(super) soup: NodeId,
    /// What they return.
    pub(super) results: NodeId,
}

impl CallbackMethod {
    pub(super) fn fits(&self, name: &str) -> bool {
        match self {
            Self::Named(own) => **own == *name,
            Self::Any => true,
            Self::Traversal => TRAVERSAL.contains(&name),
        }
    }
}

/// The constants among the arguments of a call.
pub(super) type ConstantArguments = Box<[Option<Constant>]>;

/// What an access is given, by the places of arguments that are counted after the object (and index) that is accessed.
#[derive(Clone, Debug)]
pub(super) enum Operands {
    /// What is stored.
    Values(Vec<usize>),
    /// A function that computes it.
    Function(usize),
}

/// An access by a handle.
#[derive(Clone, Debug)]
pub(super) struct HandleAccess {
    pub(super) call: CallId,
    pub(super) arguments: Box<[Option<NodeId>]>,
    pub(super) operands: Operands,
    pub(super) result: Option<NodeId>,
}
