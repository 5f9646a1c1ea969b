//! The parts of processes in queries: local words, trees that join the words of many queries, and the locks they
//! mention.

mod mentions;
mod tree;
mod word;

pub(crate) use mentions::Mentions;
pub(crate) use tree::{Position, TickTarget, WordTree};
pub(crate) use word::{Allowed, LocalAction, LocalPhase, LocalWord};
