//! Method contexts: a method with the values of its arguments, its graph, and its effect on locks.

use super::flow::Flow;
use super::ids::EffectId;
use crate::value::{Lock, Value};
use eml::model::Mode;
use java::MethodId;

/// A method with the values of its arguments.
#[derive(Clone, Debug)]
pub(crate) struct MethodContext {
    pub(crate) method: MethodId,
    /// The arguments, the receiver first.
    pub(crate) arguments: Vec<Value>,
    pub(crate) flow: Flow,
    /// Its possible lock effects, by [`EffectId`]. The first one is the empty effect; most contexts have no other one,
    /// and the list may be empty then.
    pub(crate) lock_effects: Vec<LockEffect>,
    /// The lock of a synchronized method.
    pub(crate) own_lock: Option<Lock>,
    /// Whether its body is a unit of work: it acts on the subject depending on values read from it; program mode.
    pub(crate) is_unit_body: bool,
    /// The name of its function, if it differs from the name of the method.
    pub(crate) title: Option<String>,
}

/// The effect of a context on explicit locks at an exit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LockEffect {
    /// The locks of callers that it has released, in this order.
    pub(crate) closed: Vec<(Lock, Mode)>,
    /// Its own locks that it still holds, the innermost last.
    pub(crate) open: Vec<(Lock, Mode)>,
}

impl MethodContext {
    /// Returns the locks that it still holds at an exit with an effect, the innermost last.
    pub(crate) fn held_after(&self, effect: EffectId) -> &[(Lock, Mode)] {
        self.lock_effects.get(effect.index()).map_or(&[], |effect| &effect.open)
    }
}
