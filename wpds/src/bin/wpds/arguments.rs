//! The arguments of the command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Saturates weighted pushdown systems and measures the time.
#[derive(Debug, Parser)]
#[command(version, after_help = "Exit codes: 0 saturated or decided, 2 wrong usage or input.")]
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
    /// Decides whether one of the `target` lines is reachable from one of the `initial` lines; ends as soon as that is
    /// known.
    Reach(Question),
    /// Writes the system and both sets of configurations in another format; without weights if they are boolean.
    Convert(Conversion),
}

impl Command {
    /// The arguments that all commands have.
    pub(crate) fn input(&self) -> &Input {
        match self {
            Self::Post(task) | Self::Pre(task) => &task.input,
            Self::Reach(question) => &question.input,
            Self::Convert(conversion) => &conversion.input,
        }
    }

    pub(crate) fn semiring(&self) -> Weights {
        let default = if matches!(self, Self::Convert(_)) { Weights::MinPlus } else { Weights::Boolean };
        self.input().semiring.unwrap_or(default)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The system; `-` for the standard input.
    pub(crate) file: PathBuf,
    /// The semiring of the weights; by default boolean, and min-plus if the file is converted.
    #[arg(long, value_name = "NAME")]
    pub(crate) semiring: Option<Weights>,
    /// The format of the file; by default that of PDAAAL if its name ends in `.json`.
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<Format>,
    /// A regular expression of the initial configurations instead of those of the file: `<[p], [a] .*>`.
    #[arg(long, value_name = "SET")]
    pub(crate) initial: Option<String>,
    /// The same for the target configurations.
    #[arg(long, value_name = "SET")]
    pub(crate) target: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Task {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Prints the rules of a run: of post, to this control state with any stack; of pre, from this configuration, its
    /// names separated by commas, the topmost symbol first.
    #[arg(long, value_name = "P[,A...]", value_delimiter = ',')]
    pub(crate) witness: Option<Vec<String>>,
    /// Prints the automaton: source, symbol (`-` for none), target, weight.
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Question {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Prints the greatest sum of weights of a run, after a complete forward saturation.
    #[arg(long, conflicts_with_all = ["semiring", "direction", "witness"])]
    pub(crate) longest: bool,
    /// The direction of the saturation; by default from both ends, or forwards for the least sum of weights.
    #[arg(long, value_name = "NAME")]
    pub(crate) direction: Option<Direction>,
    /// Prints the rules of a run.
    #[arg(long)]
    pub(crate) witness: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Conversion {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The format of the output.
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A line for each rule and transition.
    Text,
    /// The JSON format of PDAAAL.
    Pdaaal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Weights {
    /// Whether there is a run; ignores the weights of the file.
    Boolean,
    /// The least sum of weights.
    MinPlus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    /// Forwards, until a target is reached.
    Post,
    /// Backwards, until a start is reached.
    Pre,
    /// From both ends in turns, until they meet.
    Dual,
}
