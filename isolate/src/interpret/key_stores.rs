//! The statements of a program that store something under keys: see [`kept_once`](super::single_key).

use java::MethodId;
use java::ir::{StatementId, Variable};
use java::points_to::ObjectId;

/// A statement that may store something in the content of an object of a keyed class.
#[derive(Debug)]
pub(super) struct KeyStore {
    pub(super) method: MethodId,
    pub(super) statement: StatementId,
    /// The values that it stores.
    pub(super) values: Vec<Variable>,
    /// Whether it stores what functions return; of how many of their last arguments that is nothing new.
    pub(super) results: Option<usize>,
    /// Whether it stores what is in a content, or anything.
    pub(super) copies: bool,
    /// In whose contents it stores results and copies.
    pub(super) targets: Vec<Variable>,
    /// The functions in the contents of whose results it stores copies, too: suppliers of containers.
    pub(super) suppliers: Vec<MethodId>,
}

/// The statements that may store something in the content of an object of a keyed class.
#[derive(Debug, Default)]
pub struct KeyStores {
    pub(super) all: Vec<KeyStore>,
    /// References to methods of the library that store in the content of the object that they have captured.
    pub(super) references: Vec<ObjectId>,
    /// Some statement may store something, and it is not known where: a reference to a method of the library that
    /// stores gets its object when it is run, or code is damaged.
    pub(super) is_unknown: bool,
}
