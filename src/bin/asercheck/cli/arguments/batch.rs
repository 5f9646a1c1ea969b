//! The arguments of the commands about batches.

use super::value::{count, duration, size};
use super::{QuestionArguments, ReduceArguments, Units, engine_names};
use asercheck::Engine;
use asercheck::records::Shard;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct BatchArguments {
    /// The models, EML files.
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    /// The folder for the results; it must not exist, unless they are resumed.
    #[arg(long, short, value_name = "DIR", required_unless_present = "tasks")]
    pub(crate) out: Option<PathBuf>,
    /// The engines that decide each query.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = Engine::default().name(),
          value_parser = engine_names())]
    pub(crate) engines: Vec<Engine>,
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// The threads of a pattern that must do all their accesses in one unit of work; `both,first` asks both questions.
    #[arg(long, value_name = "WHICH", value_delimiter = ',', default_value = "both")]
    pub(crate) units: Vec<Units>,
    #[command(flatten)]
    pub(crate) reduce: ReduceArguments,
    /// Wall-clock time for reading each model and for each query, for example 200s or 5m.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Memory for each worker process, at least 16MiB, for example 2GiB.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<ByteSize>,
    /// Number of worker processes at a time [default: one for each processor].
    #[arg(long, short, value_name = "N", value_parser = count)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Decides each query by itself, so that its time does not depend on earlier queries.
    #[arg(long)]
    pub(crate) separate: bool,
    /// Decides only one part of the queries, for example 2/8; the parts can run on any machines and be merged.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Continues the batch in the folder, or begins it if there is none.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Verdicts that cause an exit code: 1 if there is a violation, 3 if a query was not decided, 2 if no query can be
    /// violated in a model.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
    /// Writes a BenchExec task definition for each query into this folder, and decides nothing.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "resume", "shard", "automaton", "races", "deadlocks"])]
    pub(crate) tasks: Option<PathBuf>,
    /// Prints no warnings, progress or table.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// With less memory, no worker could read its model.
fn memory(text: &str) -> Result<ByteSize, &'static str> {
    let size = size(text)?;
    if size < ByteSize::mib(16) { Err("it must be at least 16MiB") } else { Ok(size) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// At least one violation.
    Violation,
    /// At least one query that was not decided.
    Unknown,
    /// At least one model in which no query can be violated.
    Vacuous,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// Folders of batches, or the JSON reports of all shards of `asercheck java`.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The folder for all results of batches, or the file for the report; it must not exist.
    #[arg(long, short, value_name = "PATH")]
    pub(crate) out: PathBuf,
    /// Prints only errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The folder of a batch.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The folder for the report, which is made if it does not exist [default: `report` in the batch's folder].
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Prints only errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
