//! Calls of library methods: rows of the library table that are run, their callbacks, and accesses through handles.

use super::constraints::{CallId, CallbackId, NodeId};
use super::objects::ObjectId;
use super::sets::SetId;
use super::types::TypeId;
use crate::bytecode::Constant;
use crate::class_file::{ClassId, MethodId, Name};
use crate::library::{Row, TRAVERSAL};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The identity of a row: the address of its actions.
pub(super) type RowKey = usize;

/// The rows that calls run, with their nodes.
#[derive(Default)]
pub(super) struct LibraryCalls<'p> {
    pub(super) row_cache: FxHashMap<(TypeId, Name, Name, Name), Option<Row<'p>>>,
    /// The node of the receivers of each row that a call runs.
    pub(super) receivers: FxHashMap<(CallId, RowKey), NodeId>,
    /// The nodes of the receivers, arguments and results of each row that another row runs.
    pub(super) nested: FxHashMap<(CallId, RowKey), (NodeId, NodeId, NodeId)>,
    /// Calls whose row was run without a receiver.
    pub(super) ran: FxHashSet<(CallId, RowKey)>,
    /// The calls on views of program objects, with these objects.
    pub(super) viewed: FxHashSet<(CallId, ObjectId)>,
    pub(super) callbacks: Vec<Callback>,
    pub(super) callback_links: FxHashSet<(CallbackId, MethodId)>,
    /// The targets of the callbacks of each kind for whole sets of objects: many callbacks get the same set.
    pub(super) callback_targets: FxHashMap<CallbackMethod, FxHashMap<SetId, CallbackTargets>>,
    /// The rows that callbacks of each kind run on objects of a library type, if they do anything.
    pub(super) callback_rows: FxHashMap<CallbackMethod, FxHashMap<TypeId, Arc<[Row<'p>]>>>,
    pub(super) handle_accesses: Vec<HandleAccess>,
    /// Constant arguments of the calls that make handles.
    pub(super) constant_arguments: FxHashMap<CallId, ConstantArguments>,
}

impl LibraryCalls<'_> {
    /// Forgets all sets, before their numbers are used anew.
    pub(super) fn forget_sets(&mut self) {
        self.callback_targets.clear();
    }
}

/// The target of a callback for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CallbackTarget {
    Class(ClassId),
    Lambda(ObjectId),
    Library(TypeId),
    External(TypeId),
}

/// The targets of a callback for a set of objects, each with its objects.
pub(super) type CallbackTargets = Arc<[(CallbackTarget, SetId)]>;

pub(super) fn row_key(row: &Row<'_>) -> RowKey {
    row.actions.as_ptr() as usize
}

/// The methods that a callback calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CallbackMethod {
    /// All methods of this name.
    Named(Box<str>),
    /// The methods that the functional interfaces of the object declare.
    Any,
    /// The methods by which containers show their elements.
    Traversal,
}

/// A callback: the library calls methods of the program.
#[derive(Clone, Debug)]
pub(super) struct Callback {
    /// The call of the library method that calls back.
    pub(super) call: CallId,
    pub(super) method: CallbackMethod,
    /// The possible arguments (*soup*, see [`Row`]).
    pub(super) soup: NodeId,
    /// The results.
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

/// The arguments that an access stores, by their positions after the accessed object (and index).
#[derive(Clone, Debug)]
pub(super) enum Operands {
    /// The stored values.
    Values(Vec<usize>),
    /// The function that computes the stored value.
    Function(usize),
}

/// An access through a handle.
#[derive(Clone, Debug)]
pub(super) struct HandleAccess {
    pub(super) call: CallId,
    pub(super) arguments: Box<[Option<NodeId>]>,
    pub(super) operands: Operands,
    pub(super) result: Option<NodeId>,
}
