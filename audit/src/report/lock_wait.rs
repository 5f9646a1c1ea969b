//! The calls of a deadlock.

use serde::{Deserialize, Serialize};

/// A call of a deadlock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockWait {
    /// The call.
    pub call: String,
    /// The lock that it holds.
    pub holds: String,
    /// The lock for which it waits.
    pub wants: String,
    /// The method that waits.
    pub method: String,
    /// The source file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line that waits.
    pub line: u32,
}
