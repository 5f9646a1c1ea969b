//! From contexts to a model: functions for contexts, processes for entries and threads.

mod assembly;
mod client;
mod emitter;
mod functions;
mod inlining;
mod input;
mod program;

pub(crate) use client::emit_client;
pub(crate) use inlining::MOST_COPIED;
pub(crate) use input::{EntryRun, Input, Naming, ProgramRun, RunsOnce};
pub(crate) use program::emit_program;

#[cfg(test)]
mod tests;
