//! The result of searching a repair of a finding.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of searching changes of the code after which the violated queries of a finding are safe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairRecord {
    /// The changes, which are made together; none if no repair was found.
    pub changes: Vec<RepairChange>,
    /// Number of queries that are violated before the changes and safe after them.
    pub queries: usize,
    /// Number of changed models that were decided.
    pub models: usize,
    /// Whether all changes within the bounds of the search were decided.
    pub complete: bool,
}

/// A change of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairChange {
    /// The change in words.
    pub says: String,
    /// The kind.
    pub kind: RepairKind,
    /// The lock that is held, or the field that is read once, as an expression.
    pub of: String,
    /// The full name of the method.
    pub method: String,
    /// The source file.
    pub file: String,
    /// The first and the last line that are changed.
    pub lines: [u32; 2],
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// A lock is held over the lines.
    Hold,
    /// A volatile field is read once, into a local variable.
    ReadOnce,
}

impl fmt::Display for RepairRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { changes, queries, models, complete } = self;
        let count = |number: &usize, one: &str, several: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {several}"),
        };
        if changes.is_empty() && *models == 0 {
            return write!(out, "no repair was found: no lock can be held over the section");
        }
        if changes.is_empty() {
            let bounds = if *complete { "" } else { "; not all changes were tried" };
            let models = count(models, "changed model was", "changed models were");
            return write!(out, "no repair was found: {models} decided{bounds}");
        }
        let says: Vec<&str> = changes.iter().map(|change| change.says.as_str()).collect();
        let queries = count(queries, "violated query is safe", "violated queries are safe");
        write!(out, "repair: {}; then the {queries} and no deadlock is new", says.join(", and "))
    }
}
