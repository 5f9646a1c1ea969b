//! What `asercheck java` can be told.

use super::value::{count, duration, size};
use super::{ConfirmingArguments, DecidingArguments, OutputArguments, PropertyArguments};
use asercheck::records::Shard;
use bytesize::ByteSize;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Decides for Java classes, from their class files, whether threads that use one object can break a method's unit of
/// work.
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
    /// Asks only for these methods as what is broken: `com.example.Pool.take*`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) unit: Vec<String>,
    /// Asks only for these fields: `com.example.Pool.used`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) field: Vec<String>,
    /// The program itself, its threads as it starts them, from this class's `main` on; by default any thread uses any
    /// object.
    #[arg(long, value_name = "CLASS")]
    pub(crate) main: Option<String>,
    /// What methods do that are not there, in front of the table that is built in; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) summaries: Vec<PathBuf>,
    /// A folder of sources, whose lines are then shown; can be repeated. Folders beside the class files are looked into
    /// anyway.
    #[arg(long, value_name = "DIR")]
    pub(crate) source: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) question: PropertyArguments,
    #[command(flatten)]
    pub(crate) deciding: DecidingArguments,
    /// Processor time for each class, for its model and for all its queries, for example 200s or 5m; where the system
    /// does not tell it, wall-clock time.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "10s")]
    pub(crate) timeout: Duration,
    /// Wall-clock time for everything together; what is not decided then is unknown.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,
    /// Resident memory of the process, for example 2GiB.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<ByteSize>,
    /// How many classes are decided at the same time; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Keeps answers in this folder, and takes from it what was decided before; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Looks at one part of the classes only, for example 2/8; `merge` unites the parts' reports, written with --format
    /// json.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["write_baseline", "fail_on_vacuous"])]
    pub(crate) shard: Option<Shard>,
    /// Ends with code 2 if nothing was asked, for example as no class claims to be safe for threads.
    #[arg(long)]
    pub(crate) fail_on_vacuous: bool,
    /// Takes what could be read for all there is: files and entries that could not be read leave nothing undecided.
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Hides the findings that are recorded in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Records all findings in this file, for --baseline.
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Hides the findings that this file names, each line `PATTERN : REASON`: fingerprints, classes, methods, fields.
    #[arg(long, value_name = "FILE")]
    pub(crate) suppress: Option<PathBuf>,
    /// Writes the model of each class into this folder, in the language of `check`.
    #[arg(long, value_name = "DIR")]
    pub(crate) emit: Option<PathBuf>,
    /// Runs the findings on a Java virtual machine, for at most 2 minutes or the time that is given, and tells which of
    /// them a client can see. Code of the classes runs; a Java development kit is needed.
    #[arg(long, value_name = "DURATION", value_parser = duration, num_args = 0..=1, require_equals = true, default_missing_value = "2m")]
    pub(crate) confirm: Option<Duration>,
    #[command(flatten)]
    pub(crate) confirming: ConfirmingArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Lists in JSON each query with its answer; none is spared.
    #[arg(long)]
    pub(crate) all_queries: bool,
    /// Also lists the classes that are safe, those that do not claim to be, and what the proofs rest on.
    #[arg(long, short)]
    pub(crate) verbose: bool,
}
