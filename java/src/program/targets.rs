//! The methods that a call can run.

use crate::class_file::{MethodId, Name};

/// What a call can run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The methods, each once.
    pub methods: Vec<MethodId>,
    /// Classes that were not given and may declare or inherit others.
    pub outside: Vec<Name>,
}
