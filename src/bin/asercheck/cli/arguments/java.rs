//! The arguments of `asercheck java`.

use super::value::{count, duration, size};
use super::{CacheArguments, ConfirmingArguments, DecidingArguments, OutputArguments, PropertyArguments};
use asercheck::records::Shard;
use bytesize::ByteSize;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Decides for Java classes, from their class files, whether threads that use one object can violate a method's unit of
/// work.
#[derive(Debug, Args)]
pub(crate) struct JavaArguments {
    /// Class files, folders, and archives: jar, war, zip, jmod.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Class files, folders or archives whose classes are analysed, but are no subjects; can be repeated.
    #[arg(long, value_name = "PATH")]
    pub(crate) library: Vec<PathBuf>,
    /// Only these classes, whether or not they claim to be thread-safe: `com.example.Pool*`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) class: Vec<String>,
    /// Not these classes: `com.example.generated.*`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Only these methods as violated units: `com.example.Pool.take*`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) unit: Vec<String>,
    /// Only these fields: `com.example.Pool.used`; can be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) field: Vec<String>,
    /// The program with the threads that it starts, from the `main` of this class; by default, any thread uses any
    /// object.
    #[arg(long, value_name = "CLASS")]
    pub(crate) main: Option<String>,
    /// Effects of methods that are missing, which take precedence over the library model; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) summaries: Vec<PathBuf>,
    /// A folder of sources, whose lines are then shown; can be repeated. Folders beside the class files are searched
    /// anyway.
    #[arg(long, value_name = "DIR")]
    pub(crate) source: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) question: PropertyArguments,
    /// Also asks for deadlocks: calls on one object that hold a lock and wait for the next one, in a cycle.
    #[arg(long, conflicts_with = "main")]
    pub(crate) deadlocks: bool,
    #[command(flatten)]
    pub(crate) deciding: DecidingArguments,
    /// Processor time for each class, for its model and for all its queries, for example 200s or 5m; wall-clock time
    /// where the system does not measure it for threads.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "10s")]
    pub(crate) timeout: Duration,
    /// Wall-clock time for everything together; classes that are not decided by then are open.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,
    /// Resident memory of the process, for example 2GiB.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<ByteSize>,
    /// Number of classes that are decided at the same time; by default the number of processors.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) cache: CacheArguments,
    /// Analyses only one part of the classes, for example 2/8; `merge` unites the reports of the parts, written with
    /// --format json.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["write_baseline", "fail_on_vacuous"])]
    pub(crate) shard: Option<Shard>,
    /// Decides parts of the classes at the request of a scheduler (see `java::parts`).
    #[arg(long, hide = true, requires = "cache", conflicts_with_all = ["shard", "emit", "certificates", "repair", "total_timeout"])]
    pub(crate) parts: bool,
    /// Ends with code 3 if a class without finding is not proved.
    #[arg(long)]
    pub(crate) require_proof: bool,
    /// Ends with code 2 if nothing was asked, for example because no class claims to be thread-safe.
    #[arg(long)]
    pub(crate) fail_on_vacuous: bool,
    /// Ignores files and entries that could not be read: they leave nothing undecided.
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Hides the findings that are recorded in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Records all findings in this file, for --baseline; not if a limit of time or memory was met.
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Hides the findings that this file names, each line `PATTERN : REASON`: fingerprints, classes, methods, fields.
    #[arg(long, value_name = "FILE")]
    pub(crate) suppress: Option<PathBuf>,
    /// Writes the model of each class into this folder, in the language of `check`.
    #[arg(long, value_name = "DIR")]
    pub(crate) emit: Option<PathBuf>,
    /// Writes the models of each proved class and their certificates into this folder, for `asercheck-verify`.
    #[arg(long, value_name = "DIR")]
    pub(crate) certificates: Option<PathBuf>,
    /// Searches for each finding the smallest change of the code after which its violations are impossible in the model.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Runs the findings on a Java virtual machine, for at most 2 minutes or this time, and reports which of them a
    /// client can observe. This executes code of the classes, and needs a Java development kit.
    #[arg(long, value_name = "DURATION", value_parser = duration, num_args = 0..=1, require_equals = true, default_missing_value = "2m")]
    pub(crate) confirm: Option<Duration>,
    #[command(flatten)]
    pub(crate) confirming: ConfirmingArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Lists each query with its answer in JSON; no query is subsumed.
    #[arg(long)]
    pub(crate) all_queries: bool,
    /// Lists the places on which each open class depends.
    #[arg(long)]
    pub(crate) why_open: bool,
    /// Also lists the proved classes, those that do not claim to be thread-safe, and the assumptions of the proofs.
    #[arg(long, short)]
    pub(crate) verbose: bool,
}
