//! The call graph: calls and their callees.

use super::constraints::{CallId, NodeId};
use super::objects::{ObjectId, Site};
use super::types::TypeId;
use crate::class_file::{Member, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a set of callees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CalleesId(u32);

/// A call with its nodes.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The statement; none for calls by external code.
    pub(super) site: Option<Site>,
    /// The symbolic reference to the method.
    pub(super) member: Member,
    /// The program method to which the reference resolves, if any.
    pub(super) resolved: Option<MethodId>,
    /// The receiver if there is one, then the arguments; none for numbers.
    pub(super) arguments: Box<[Option<NodeId>]>,
    /// Whether there is a receiver.
    pub(super) has_receiver: bool,
    pub(super) result: Option<NodeId>,
    /// The declared type of the result.
    pub(super) result_type: Option<Type>,
    pub(super) callees: CalleesId,
}

impl Call {
    pub(super) fn receiver(&self) -> Option<NodeId> {
        if self.has_receiver { self.arguments.first().copied().flatten() } else { None }
    }

    /// The argument at a position, from 0, not counting the receiver.
    pub(super) fn argument(&self, index: usize) -> Option<NodeId> {
        self.arguments.get(index + usize::from(self.has_receiver)).copied().flatten()
    }
}

/// The callees that a call has itself, without those of its delegates.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectCallees {
    /// Methods that the call runs.
    pub(super) methods: Vec<MethodId>,
    /// Methods that the library calls back because of the call.
    pub(super) functions: Vec<MethodId>,
    /// Calls that this call stands for (of lambdas and shared external calls): their callees are callees of this one.
    pub(super) delegates: Vec<CalleesId>,
    /// Calls whose callees the library calls back because of this call.
    pub(super) function_delegates: Vec<CalleesId>,
    /// Whether the call runs rows of the library table.
    pub(super) rows: bool,
    /// Whether the call may run external code.
    pub(super) client: bool,
    /// Whether the call may run code with unknown effects.
    pub(super) unknown: bool,
}

/// The target that a call selects for a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CallTarget {
    /// A program method.
    Method(MethodId),
    /// The row of the library table for this type, or for the type that the call names.
    Row(TypeId),
    /// The implementation of a lambda.
    Lambda(ObjectId),
    /// Any method that an external object of this type may have.
    External(TypeId),
    /// No method: the call throws, as the selected method is abstract.
    Abstract,
}

/// The nodes of a lambda.
#[derive(Clone, Debug)]
pub(super) struct LambdaNodes {
    /// The parameters of its method; none for numbers.
    pub(super) parameters: Box<[Option<NodeId>]>,
    pub(super) result: Option<NodeId>,
    /// The declared types of the parameters, as the implementation has them.
    pub(super) types: Box<[Type]>,
    pub(super) callees: CalleesId,
}

/// The lambdas that are called.
pub(super) type Lambdas = FxHashMap<ObjectId, LambdaNodes>;

/// All calls.
#[derive(Default)]
pub(super) struct CallGraph {
    calls: Vec<Call>,
    callees: Vec<DirectCallees>,
    by_site: FxHashMap<Site, CalleesId>,
    /// Calls with the methods to which their arguments already flow.
    linked: FxHashSet<(CallId, MethodId)>,
    /// Calls whose arguments escape.
    unknown: FxHashSet<CallId>,
}

impl CallGraph {
    pub(super) fn add(&mut self, call: Call) -> CallId {
        let id = self.next();
        self.calls.push(call);
        id
    }

    /// The number of the next call that is added.
    pub(super) fn next(&self) -> CallId {
        CallId(u32::try_from(self.calls.len()).expect("there are fewer calls than instructions"))
    }

    pub(super) fn get(&self, id: CallId) -> &Call {
        &self.calls[id.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns the number of the callees of a statement; adds it if it is new.
    pub(super) fn callees_of(&mut self, site: Site) -> CalleesId {
        if let Some(known) = self.by_site.get(&site) {
            return *known;
        }
        let id = self.new_callees();
        self.by_site.insert(site, id);
        id
    }

    /// Adds a set of callees for a call that no statement makes.
    pub(super) fn new_callees(&mut self) -> CalleesId {
        self.callees.push(DirectCallees::default());
        CalleesId(u32::try_from(self.callees.len() - 1).expect("there are fewer calls than instructions"))
    }

    pub(super) fn callees_mut(&mut self, id: CalleesId) -> &mut DirectCallees {
        &mut self.callees[id.0 as usize]
    }

    pub(super) fn callees(&self, id: CalleesId) -> &DirectCallees {
        &self.callees[id.0 as usize]
    }

    /// All call sites.
    pub(super) fn sites(&self) -> impl Iterator<Item = (Site, CalleesId)> {
        self.by_site.iter().map(|(site, callees)| (*site, *callees))
    }

    /// Records that a call's arguments flow to a method; returns whether this is new.
    pub(super) fn link(&mut self, call: CallId, method: MethodId) -> bool {
        self.linked.insert((call, method))
    }

    /// Records that the arguments of a call escape; returns whether this is new.
    pub(super) fn mark_unknown(&mut self, call: CallId) -> bool {
        self.unknown.insert(call)
    }

    /// Frees the data that only the solver needs.
    pub(super) fn freeze(&mut self) {
        self.calls = Vec::new();
        self.linked = FxHashSet::default();
        self.unknown = FxHashSet::default();
    }
}
