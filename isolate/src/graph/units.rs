//! Calls that are units of work by themselves.

use super::context::MethodContext;
use super::flow::Step;
use super::ids::ContextId;
use super::reachability::{numbered, steps};
use std::collections::BTreeSet;

/// The units of work besides those that clients and threads run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    /// In client mode, calls that enter the subject's class from a class that is not inside it.
    Entering,
    /// In program mode, calls that enter the class.
    Calls,
    /// In program mode, bodies of methods of other classes, or of loops in them, with actions that depend on the
    /// subject.
    Bodies,
}

/// The relation of a context to the subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Role {
    /// Whether its method belongs to the subject's class.
    pub(crate) is_own: bool,
    /// Whether its method belongs to a class inside the subject's class.
    pub(crate) is_inside: bool,
    /// Whether it has access to the subject: as receiver or argument, or because the subject is the static fields.
    pub(crate) gets_object: bool,
    /// Whether its method is a constructor.
    pub(crate) is_constructor: bool,
}

impl Units {
    /// Whether a call is a unit of work by itself: it enters the subject's class.
    pub(crate) fn enters(self, caller: Role, callee: Role) -> bool {
        let enters = callee.gets_object && callee.is_own && !caller.is_own;
        match self {
            Self::Entering => enters && !caller.is_inside,
            Self::Calls => enters && !callee.is_constructor,
            Self::Bodies => false,
        }
    }
}

/// The units of all contexts.
#[derive(Clone, Copy)]
pub(crate) struct UnitsOf<'a> {
    /// The roles by context.
    pub(crate) roles: &'a [Role],
    /// The kinds of units of all models made from the graphs.
    pub(crate) units: &'a [Units],
    /// The contexts that clients and threads run as units of work.
    pub(crate) roots: &'a BTreeSet<ContextId>,
}

impl UnitsOf<'_> {
    /// Whether a call is a unit of work by itself, or the body of its callee is one.
    pub(super) fn is_unit(self, contexts: &[MethodContext], caller: ContextId, callee: ContextId) -> bool {
        self.units.iter().any(|units| match units {
            Units::Bodies => contexts[callee.index()].is_unit_body,
            Units::Entering | Units::Calls => self.enters(*units, caller, callee),
        })
    }

    pub(super) fn enters(self, units: Units, caller: ContextId, callee: ContextId) -> bool {
        units.enters(self.roles[caller.index()], self.roles[callee.index()])
    }

    /// Returns the contexts that may run as a part of a unit of work. Linear in the graphs.
    pub(super) fn in_unit(self, contexts: &[MethodContext], units: Units) -> Vec<bool> {
        let mut found = vec![false; contexts.len()];
        let mut open = Vec::new();
        for (id, context) in numbered(contexts) {
            let is_body = units == Units::Bodies && context.is_unit_body;
            open.extend((is_body || self.roles[id.index()].is_own || self.roots.contains(&id)).then_some(id));
            let called = steps(context).filter_map(Step::called);
            open.extend(called.filter(|callee| self.enters(units, id, *callee)));
        }
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut found[id.index()], true) {
                open.extend(steps(&contexts[id.index()]).filter_map(Step::called));
            }
        }
        found
    }
}
