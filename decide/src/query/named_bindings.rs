//! The bindings of parameters that a selection specifies by name.

use eml::model::{LocationId, LockId, ProcessId};

/// The named bindings; `None` for parameters that are not named.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedBindings {
    pub(super) locations: Option<Vec<LocationId>>,
    pub(super) locks: Option<Vec<LockId>>,
    pub(super) processes: Option<Vec<ProcessId>>,
}
