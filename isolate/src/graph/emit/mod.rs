//! From contexts to a model: functions for contexts, processes for what clients and threads run.

mod client;
mod emitter;
mod finish;
mod functions;
mod inlined;
mod input;
mod program;

pub(crate) use client::emit_client;
pub(crate) use input::{EntryRun, Input, Naming, ProgramRun, RunsOnce};
pub(crate) use program::emit_program;

#[cfg(test)]
mod tests;
