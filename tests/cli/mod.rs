//! Tests of the program as its users run it: its output and its exit code.

mod asked;
mod browser;
mod check;
mod confirm;
mod counts;
mod explain;
mod findings;
mod format;
mod input;
mod java;
mod java_cache;
mod java_deadlocks;
mod java_input;
mod java_shards;
mod java_verdicts;
mod json;
mod limits;
mod locks;
mod page;
mod replay;
mod sarif;
mod schemas;
mod show;
mod stable;
mod support;
mod usage;
