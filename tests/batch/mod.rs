//! Tests of `batch`, `merge` and `report` as a user runs them.

mod agreement;
mod folders;
mod kills;
mod limits;
mod locks;
mod messages;
mod processes;
mod report;
mod shards;
mod support;
