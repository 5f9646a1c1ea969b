//! The local words of one process that are solved together.

use crate::encode::{LocalWord, Position, WordTree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The local words of one process.
#[derive(Debug, Default)]
pub(super) struct ProcessWords {
    /// All words as a tree.
    pub(super) tree: Arc<WordTree>,
    /// The path of each word in the tree.
    pub(super) paths: FxHashMap<LocalWord, Vec<Position>>,
}
