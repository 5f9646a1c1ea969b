//! The bindings of parameters that a selection names.

use eml::model::{LocationId, LockId, ProcessId};

/// What the parameters of all automata are bound to, where it is named.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedBindings {
    pub(super) locations: Option<Vec<LocationId>>,
    pub(super) locks: Option<Vec<LockId>>,
    pub(super) processes: Option<Vec<ProcessId>>,
}
