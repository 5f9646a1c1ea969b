//! Statements that store values under keys of concurrent maps: see [`single_key`](super::single_key).

use java::MethodId;
use java::ir::{StatementId, Variable};
use java::points_to::ObjectId;

/// A statement that may store a value in the content of an object of a keyed class.
#[derive(Debug)]
pub(crate) struct KeyStore {
    pub(crate) method: MethodId,
    pub(crate) statement: StatementId,
    /// The stored values.
    pub(crate) values: Vec<Variable>,
    /// If it stores results of functions: the number of their last arguments that are no new values for the map.
    pub(crate) results: Option<usize>,
    /// Whether it stores elements of other contents, or any values.
    pub(crate) copies: bool,
    /// The containers that get results and copies.
    pub(crate) targets: Vec<Variable>,
    /// Functions whose results are containers that get copies.
    pub(crate) suppliers: Vec<MethodId>,
}

/// The statements that may store a value in the content of an object of a keyed class.
#[derive(Debug, Default)]
pub struct KeyStores {
    pub(crate) all: Vec<KeyStore>,
    /// References to library methods that store in the content of their captured object.
    pub(crate) references: Vec<ObjectId>,
    /// Whether a store may be missing: a reference to a storing library method gets its object only when it runs, or
    /// code is damaged.
    pub(crate) is_unknown: bool,
}
