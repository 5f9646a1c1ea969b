//! The arguments of caches.

use super::value::duration;
use crate::cli::cache_place::{CachePlace, CacheUse};
use clap::{Args, Subcommand};
use std::time::Duration;

/// The cache of a command.
#[derive(Debug, Default, Args)]
pub(crate) struct CacheArguments {
    /// Keeps answers in this folder or object store, and reuses them: `cache`, `s3://bucket/cache`; a folder is made if
    /// it does not exist.
    #[arg(long, value_name = "PLACE")]
    cache: Option<CachePlace>,
    /// Reuses answers of the cache, and keeps none there.
    #[arg(long, requires = "cache")]
    cache_only_read: bool,
}

impl CacheArguments {
    /// The place of the cache and its use, if there is one.
    pub(crate) fn place(&self) -> Option<(&CachePlace, CacheUse)> {
        let usage = if self.cache_only_read { CacheUse::ReadOnly } else { CacheUse::ReadWrite };
        self.cache.as_ref().map(|place| (place, usage))
    }
}

/// Commands about the caches of `java` and `confirm`.
#[derive(Debug, Args)]
pub(crate) struct CacheCommand {
    #[command(subcommand)]
    pub(crate) action: CacheAction,
}

/// An action on a cache.
#[derive(Debug, Subcommand)]
pub(crate) enum CacheAction {
    /// Removes answers that were kept before a time, whether or not they were reused since.
    Prune(PruneArguments),
}

/// The arguments of `cache prune`.
#[derive(Debug, Args)]
pub(crate) struct PruneArguments {
    /// The cache: a folder or the URL of an object store.
    #[arg(value_name = "PLACE")]
    pub(crate) cache: CachePlace,
    /// The smallest age of the answers that are removed, for example 30d.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) older: Duration,
}
