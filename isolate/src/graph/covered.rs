//! The accesses and entries of a model, by their places in the code: the input of the [net](crate::net).

use java::ir::StatementId;
use java::{MethodId, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The parts of the code that a model covers.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// The statements at which some context accesses a location.
    pub(crate) places: FxHashSet<(MethodId, StatementId)>,
    /// The statements at which some context uses an explicit lock, which may stand for an access of a flag.
    pub(crate) locks: FxHashSet<(MethodId, StatementId)>,
    /// The methods that others call.
    pub(crate) entries: BTreeSet<MethodId>,
    /// Those of them that are queried.
    pub(crate) queried: BTreeSet<MethodId>,
    /// For each queried unit of an inherited library method, the methods that it calls.
    pub(crate) inherited: Vec<BTreeSet<MethodId>>,
}

impl Covered {
    /// The number of statements with an access.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no statement makes an access.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The statements with an access, in order.
    fn ordered(&self) -> Vec<(MethodId, StatementId)> {
        let mut places: Vec<_> = self.places.iter().copied().collect();
        places.sort_unstable();
        places
    }

    /// The same without one of the statements with an access, by its number in order; for tests.
    #[must_use]
    pub fn without(&self, number: usize) -> Self {
        let mut other = self.clone();
        other.places.remove(&self.ordered()[number]);
        other
    }

    /// The same without queried entries; for tests.
    #[must_use]
    pub fn without_queried(&self) -> Self {
        Self { queried: BTreeSet::new(), ..self.clone() }
    }

    /// The method and statement of an access, by its number in order; for tests.
    pub fn place(&self, program: &Program, number: usize) -> String {
        let (method, at) = self.ordered()[number];
        format!("{}, statement {} of block {}", program.method_name(method), at.index, at.block.index())
    }
}
