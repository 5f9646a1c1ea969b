//! The possible targets of a call.

use crate::class_file::{MethodId, Name};

/// The possible targets of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The methods, each once.
    pub methods: Vec<MethodId>,
    /// Classes that are not loaded and may provide further methods.
    pub outside: Vec<Name>,
}
