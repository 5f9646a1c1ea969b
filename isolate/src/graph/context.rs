//! Method contexts: a method with the values of its arguments, its graph, and what it does to locks.

use super::flow::Flow;
use super::ids::EffectId;
use crate::value::{Lock, Value};
use eml::model::Mode;
use java::MethodId;

/// A method with the values of its arguments.
#[derive(Clone, Debug)]
pub(crate) struct MethodContext {
    pub(crate) method: MethodId,
    /// The receiver first.
    pub(crate) arguments: Vec<Value>,
    pub(crate) flow: Flow,
    /// What it has done to locks when control leaves it, by [`EffectId`]. The first one is nothing; most contexts have
    /// no other one, and may leave the list empty.
    pub(crate) lock_effects: Vec<LockEffect>,
    /// What it locks as a synchronized method.
    pub(crate) own_lock: Option<Lock>,
    /// Whether its body is a unit of work: it does something to the subject that depends on what it found there;
    /// program mode.
    pub(crate) is_unit_body: bool,
    /// The name of its function, if that is not the name of the method.
    pub(crate) title: Option<String>,
}

/// What a context has done to explicit locks when control leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LockEffect {
    /// Locks of callers that it has released, in this order.
    pub(crate) closed: Vec<(Lock, Mode)>,
    /// Its own locks that it still holds, the innermost last.
    pub(crate) open: Vec<(Lock, Mode)>,
}

impl MethodContext {
    /// The locks that it still holds when control leaves it with an effect, the innermost last.
    pub(crate) fn held_after(&self, effect: EffectId) -> &[(Lock, Mode)] {
        self.lock_effects.get(effect.index()).map_or(&[], |effect| &effect.open)
    }
}
