//! What `asercheck java` can be told.

use super::value::{count, duration};
use super::{Units, engine_names};
use asercheck::Engine;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Decides for Java classes, from their class files, whether threads that use one object can break a method's unit of work.
#[derive(Debug, Args)]
pub(crate) struct JavaArguments {
    /// Class files, folders, and archives: jar, war, zip, jmod.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Class files, folders or archives whose classes are followed, but are no subjects; can be repeated.
    #[arg(long, value_name = "PATH")]
    pub(crate) library: Vec<PathBuf>,
    /// These classes only, whether they claim to be safe for threads or not: `com.example.Pool*`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) class: Vec<String>,
    /// What methods do that are not there, in front of the table that is built in; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) summaries: Vec<PathBuf>,
    /// Asks this pattern, 1 to 14, instead of all; can be repeated.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=14))]
    pub(crate) pattern: Vec<u8>,
    /// Which threads of a pattern must do all its accesses in one unit of work.
    #[arg(long, value_name = "WHICH", default_value = "both")]
    pub(crate) units: Units,
    /// Which engine decides.
    #[arg(long, value_name = "NAME", default_value_t = Engine::default(), value_parser = engine_names())]
    pub(crate) engine: Engine,
    /// Wall-clock time for each query, for example 200s or 5m.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "60s")]
    pub(crate) timeout: Duration,
    /// Wall-clock time for everything together; what is not decided then is unknown.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,
    /// How many classes are decided at the same time; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Also lists the classes that are safe, those that do not claim to be, and what the proofs rest on.
    #[arg(long, short)]
    pub(crate) verbose: bool,
}
