//! The result of searching a repair of a finding.

use serde::{Deserialize, Serialize};

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

impl RepairRecord {
    /// The result in words: a line about the queries, then a line for each change.
    pub fn lines(&self) -> Vec<String> {
        let Self { changes, queries, models, complete } = self;
        let first = match (changes.len(), models) {
            (0, 0) => "no repair was found: no lock can be held over the section".to_string(),
            (0, _) => {
                let bounds = if *complete { "" } else { "; not all changes were tried" };
                let models = count(*models, "changed model was", "changed models were");
                format!("no repair was found: {models} decided{bounds}")
            }
            (_, _) => {
                let queries = count(*queries, "violated query is safe", "violated queries are safe");
                format!("repair, after which the {queries} and no deadlock is new:")
            }
        };
        let changes = changes.iter().map(|change| format!("  {}", change.says));
        [first].into_iter().chain(changes).collect()
    }
}

fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
