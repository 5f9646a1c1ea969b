//! The parts of processes in queries: local words, the words of many queries as a tree, and the locks they mention.

mod mentions;
mod tree;
mod word;

pub(crate) use mentions::Mentions;
pub(crate) use tree::{Position, Reached, WordTree};
pub(crate) use word::{Allowed, LocalAction, LocalPhase, LocalWord};
