//! The statements of a program that store something under keys: see [`kept_once`](super::kept_once).

use java::MethodId;
use java::ir::{StatementId, Variable};

/// A statement that may store something in the content of an object of a keyed class.
#[derive(Debug)]
pub(super) struct Storing {
    pub(super) method: MethodId,
    pub(super) statement: StatementId,
    /// The values that it stores.
    pub(super) values: Vec<Variable>,
    /// Whether it stores what functions return; of how many of their last arguments that is nothing new.
    pub(super) results: Option<usize>,
    /// What it stores otherwise is in a content.
    pub(super) copies: bool,
    /// Whose contents these are.
    pub(super) targets: Vec<Variable>,
}

/// The statements that may store something in the content of an object of a keyed class.
#[derive(Debug, Default)]
pub struct Storings {
    pub(super) all: Vec<Storing>,
    /// A method of the library that stores may be run as a function.
    pub(super) is_any_function: bool,
}
