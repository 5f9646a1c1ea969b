//! Calls, and what they run.

use super::constraints::{CallId, NodeId};
use super::objects::{ObjectId, Site};
use super::types::TypeId;
use crate::class_file::{Member, MethodId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of what a call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CalleesId(u32);

/// A call with its nodes.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The statement; for calls by code that is not given, none.
    pub(super) site: Option<Site>,
    /// The method as the code names it.
    pub(super) member: Member,
    /// The method that this name means, if it was given.
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

    /// An argument, from 0, without the receiver.
    pub(super) fn argument(&self, index: usize) -> Option<NodeId> {
        self.arguments.get(index + usize::from(self.has_receiver)).copied().flatten()
    }
}

/// What a call runs.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectCallees {
    /// Methods that the call runs.
    pub(super) methods: Vec<MethodId>,
    /// Methods that the library runs because of the call.
    pub(super) functions: Vec<MethodId>,
    /// What else runs all that these run.
    pub(super) delegates: Vec<CalleesId>,
    pub(super) function_delegates: Vec<CalleesId>,
    pub(super) rows: bool,
    pub(super) client: bool,
    pub(super) unknown: bool,
}

/// What a call runs on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CallTarget {
    /// This method.
    Method(MethodId),
    /// What the table says of this type, or of that which the call names.
    Row(TypeId),
    /// The implementation of this lambda.
    Lambda(ObjectId),
    /// What an external object of this type may be.
    External(TypeId),
    /// It throws, as the method is abstract.
    Abstract,
}

/// The nodes of a lambda.
#[derive(Clone, Debug)]
pub(super) struct LambdaNodes {
    /// What its method is given; none for numbers.
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
    /// Calls whose receivers and arguments escape.
    unknown: FxHashSet<CallId>,
}

impl CallGraph {
    pub(super) fn add(&mut self, call: Call) -> CallId {
        let id = self.next();
        self.calls.push(call);
        id
    }

    /// The number of the call that is added next.
    pub(super) fn next(&self) -> CallId {
        CallId(u32::try_from(self.calls.len()).expect("there are fewer calls than instructions"))
    }

    pub(super) fn get(&self, id: CallId) -> &Call {
        &self.calls[id.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    /// What the calls of a statement run.
    pub(super) fn callees_of(&mut self, site: Site) -> CalleesId {
        if let Some(known) = self.by_site.get(&site) {
            return *known;
        }
        let id = self.new_callees();
        self.by_site.insert(site, id);
        id
    }

    /// What some other call runs.
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

    /// All statements that call something.
    pub(super) fn sites(&self) -> impl Iterator<Item = (Site, CalleesId)> {
        self.by_site.iter().map(|(site, callees)| (*site, *callees))
    }

    /// Notes that a call's arguments flow to a method; no if it is known.
    pub(super) fn link(&mut self, call: CallId, method: MethodId) -> bool {
        self.linked.insert((call, method))
    }

    /// Notes that all of a call escapes; no if it is known.
    pub(super) fn mark_unknown(&mut self, call: CallId) -> bool {
        self.unknown.insert(call)
    }

    /// Frees what only the solver needs.
    pub(super) fn freeze(&mut self) {
        self.calls = Vec::new();
        self.linked = FxHashSet::default();
        self.unknown = FxHashSet::default();
    }
}
