//! Method contexts: a method with the values of its arguments, its graph, and what it does to locks.

use super::flow::Flow;
use super::ids::EffectId;
use crate::isolate::value::{Lock, Value};
use crate::model::Mode;
use java::MethodId;

/// A method with the values of its arguments.
#[derive(Clone, Debug)]
pub(in crate::isolate) struct MethodContext {
    pub(in crate::isolate) method: MethodId,
    /// The receiver first.
    pub(in crate::isolate) arguments: Vec<Value>,
    pub(in crate::isolate) flow: Flow,
    /// What it has done to locks when control leaves it, by [`EffectId`]. The first one is nothing; most contexts have
    /// no other one, and may leave the list empty.
    pub(in crate::isolate) exits_open: Vec<LockEffect>,
    /// What it locks as a synchronized method.
    pub(in crate::isolate) own_lock: Option<Lock>,
    /// Whether its body is a unit of work: it does something to the subject that depends on what it found there;
    /// program mode.
    pub(in crate::isolate) is_unit_body: bool,
    /// The name of its function, if that is not the name of the method.
    pub(in crate::isolate) title: Option<String>,
}

/// What a context has done to explicit locks when control leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::isolate) struct LockEffect {
    /// Locks of callers that it has released, in this order.
    pub(in crate::isolate) closed: Vec<(Lock, Mode)>,
    /// Its own locks that it still holds, the innermost last.
    pub(in crate::isolate) open: Vec<(Lock, Mode)>,
}

impl MethodContext {
    /// The locks that it still holds when control leaves it with an effect, the innermost last.
    pub(in crate::isolate) fn held_after(&self, effect: EffectId) -> &[(Lock, Mode)] {
        self.exits_open.get(effect.index()).map_or(&[], |effect| &effect.open)
    }
}
