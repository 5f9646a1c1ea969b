//! The arguments of the command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Saturates weighted pushdown systems and measures the time.
#[derive(Debug, Parser)]
#[command(version, after_help = "Exit codes: 0 saturated, 2 wrong usage or input.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Computes the configurations that are reachable from those of the `initial` lines.
    Post(Task),
    /// Computes the configurations that reach those of the `target` lines.
    Pre(Task),
}

#[derive(Debug, Args)]
pub(crate) struct Task {
    /// The system; `-` for the standard input.
    pub(crate) file: PathBuf,
    /// The semiring of the weights.
    #[arg(long, value_name = "NAME", default_value = "boolean")]
    pub(crate) semiring: Weights,
    /// Prints the rules of a run: of post, to this control state with any stack; of pre, from this configuration, its
    /// names separated by commas, the topmost symbol first.
    #[arg(long, value_name = "P[,A...]", value_delimiter = ',')]
    pub(crate) witness: Option<Vec<String>>,
    /// Prints the automaton: source, symbol (`-` for none), target, weight.
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Weights {
    /// Whether there is a run; ignores the weights of the file.
    Boolean,
    /// The least sum of weights.
    MinPlus,
}
