//! The arguments of the command line.

mod batch;
mod cache;
mod confirm;
mod java;
mod search;
mod value;

pub(crate) use batch::{BatchArguments, FailOn, MergeArguments, ReportArguments};
pub(crate) use cache::{CacheAction, CacheArguments, CacheCommand};
pub(crate) use confirm::{ConfirmArguments, ConfirmingArguments, FailOnFinding, TestsStyle};
pub(crate) use java::JavaArguments;
pub(crate) use search::SearchArguments;

use super::output::Terminal;
use crate::report::Detail;
use crate::report::forms::{FORMS, Form, How};
use asercheck::model::Model;
use asercheck::phases::{Pattern, UnitMode, patterns};
use asercheck::query::{Property, QuerySet, Selection, SelectionError};
use asercheck::requests::Kinds;
use asercheck::{Engine, Reduction, Reductions, SearchReduction, SearchReductions};
use bytesize::ByteSize;
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use value::{count, duration, pattern_range, size};

/// Decides whether a concurrent program breaks atomic-set serializability: a proof or a counterexample for each of
/// fourteen problematic access patterns, for all interleavings.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes of check: 0 all safe, 1 a violation, 2 wrong usage or input, 3 something not decided, \
                  4 internal error."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: CheckArguments,
    /// When to use colors.
    #[arg(long, global = true, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

impl Arguments {
    /// Returns the command; without a subcommand, `check`.
    pub(crate) fn command(self) -> Command {
        self.command.unwrap_or(Command::Check(self.check))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decides queries of models (the default command).
    Check(CheckArguments),
    /// Executes a witness on its model again, step by step.
    Replay(ReplayArguments),
    /// Shows stored witnesses as tables, with the source around each access.
    Show(ShowArguments),
    /// Decides Java classes, from their class files.
    Java(Box<JavaArguments>),
    /// Runs the findings of a report of `java` on a Java virtual machine.
    Confirm(ConfirmArguments),
    /// Removes old answers of a cache.
    Cache(CacheCommand),
    /// Searches small changes of a model after which all queries are safe.
    Repair(RepairArguments),
    /// Pretty-prints EML.
    Fmt(FormatArguments),
    /// Decides all queries of many models on several engines, in worker processes; can be interrupted and resumed.
    Batch(BatchArguments),
    /// Unites batches, for example the shards of one, or the reports of all shards of `java`.
    Merge(MergeArguments),
    /// Writes tables and plots of a batch.
    Report(ReportArguments),
    /// Shows a chapter, a section or a term of the book.
    Explain(ExplainArguments),
    /// Prints a script that completes commands and options in a shell.
    Completions(CompletionsArguments),
    /// Writes manual pages.
    Man(ManArguments),
    /// Decides queries for `batch`, which starts it.
    #[command(hide = true)]
    Worker,
}

/// Returns the command that a word probably stands for.
pub(crate) fn command_like(word: &str) -> Option<String> {
    let commands = <Arguments as clap::CommandFactory>::command();
    let names: Vec<_> =
        commands.get_subcommands().filter(|command| !command.is_hide_set()).map(|command| command.get_name()).collect();
    asercheck::syntax::closest(word, names).map(String::from)
}

/// The properties that are asked.
#[derive(Debug, Args)]
pub(crate) struct PropertyArguments {
    /// Asks all fourteen patterns (the default if nothing else is asked).
    #[arg(long = "patterns", visible_alias = "all-patterns")]
    pub(crate) all_patterns: bool,
    /// Asks for data races: a location that one process writes while another accesses it.
    #[arg(long)]
    pub(crate) races: bool,
    /// Asks these patterns, 1 to 14: numbers and ranges, for example 1-5,12; can be repeated.
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = pattern_range)]
    pub(crate) pattern: Vec<RangeInclusive<u8>>,
    /// Asks the phase automata in this file; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<PathBuf>,
}

/// The queries that are asked.
#[derive(Debug, Args)]
pub(crate) struct QuestionArguments {
    #[command(flatten)]
    pub(crate) of: PropertyArguments,
    /// Asks for deadlocks: each of several threads holds one lock of a cycle and wants the next one.
    #[arg(long)]
    pub(crate) deadlocks: bool,
    /// Binds the location parameters to these locations, in order, instead of to all of one atomic set.
    #[arg(long, value_name = "A[,B]", value_delimiter = ',')]
    pub(crate) locations: Option<Vec<String>>,
    /// Binds the lock parameters to these locks, in order, instead of to all.
    #[arg(long, value_name = "A[,B]", value_delimiter = ',')]
    pub(crate) locks: Option<Vec<String>>,
    /// Binds the thread parameters to instances of these processes, in order, instead of to all.
    #[arg(long, value_name = "P,Q", value_delimiter = ',')]
    pub(crate) processes: Option<Vec<String>>,
}

/// The reductions before solving.
#[derive(Debug, Args)]
pub(crate) struct ReduceArguments {
    /// Switches off a reduction, or all of them; can be repeated.
    #[arg(long, value_name = "NAME", value_parser = reduction_names())]
    pub(crate) no_reduce: Vec<NoReduce>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The models, EML files; `-` is standard input.
    #[arg(required_unless_present = "explain_pattern", value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    #[command(flatten)]
    pub(crate) deciding: DecidingArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// Wall-clock time for each query, for example 200s or 5m; that of the first query includes reading the model.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Wall-clock time for everything together; queries that are not decided by then are unknown.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,
    /// Resident memory of the process while the model is read and during each query, for example 2GiB.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<ByteSize>,
    /// Number of queries without shared work that are decided at the same time; by default the number of processors.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Ends with code 2 if no query can be violated in the model, for example because it has no process or no unit of
    /// work.
    #[arg(long)]
    pub(crate) fail_on_vacuous: bool,
    /// Says why safe queries are safe: the locks, with an interleaving that they prevent, or the order of starts.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Writes certificates of the safe queries into this file, which `asercheck-verify` checks; for one model.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificates: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Explains a pattern, 1 to 14, and decides nothing.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=14))]
    pub(crate) explain_pattern: Option<u8>,
}

/// The definition of a violation, and the engine that decides.
#[derive(Debug, Args)]
pub(crate) struct DecidingArguments {
    /// The threads of a pattern that must do all their accesses in one unit of work.
    #[arg(long, value_name = "WHICH", default_value = "both")]
    pub(crate) units: Units,
    /// The engine that decides.
    #[arg(long, value_name = "NAME", default_value_t = Engine::default(), value_parser = engine_names())]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) reduce: ReduceArguments,
}

/// The output.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// The form of the results.
    #[arg(long, value_name = "HOW", default_value = "text", value_parser = form())]
    pub(crate) format: &'static dyn Form,
    #[command(flatten)]
    pub(crate) findings: FindingArguments,
    /// Also writes all findings into this file: SARIF if its name ends in .sarif, else a page for a browser. May be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,
    /// Prints only the counts, without warnings or progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Prints the times of reading and deciding, and the peak memory, on standard error.
    #[arg(long)]
    pub(crate) statistics: bool,
}

impl OutputArguments {
    /// Returns the detail of a report as text.
    pub(crate) fn detail(&self) -> Detail {
        self.findings.detail(self.quiet)
    }

    /// Returns the detail of a report, and the style of the terminal.
    pub(crate) fn how(&self, is_verbose: bool, terminal: &Terminal) -> How {
        How {
            style: terminal.style(),
            detail: self.detail(),
            most: self.findings.most(),
            wanted: self.findings.max_findings,
            is_verbose,
            lists_open: false,
        }
    }
}

/// Default of the largest number of findings that are shown.
const SHOWN: usize = 10;

/// The violations that are shown.
#[derive(Debug, Args)]
pub(crate) struct FindingArguments {
    /// Shows this number of findings, and counts the others [default: 10, with --summary all; of Java classes the
    /// likely ones].
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<usize>,
    /// Shows one line for each finding, without its interleaving.
    #[arg(long, conflicts_with = "all")]
    pub(crate) summary: bool,
    /// Shows every violation with all its steps, instead of one for each finding.
    #[arg(long)]
    pub(crate) all: bool,
}

impl FindingArguments {
    /// Returns the detail of a report as text.
    pub(crate) fn detail(&self, quiet: bool) -> Detail {
        match self {
            _ if quiet => Detail::Counts,
            Self { all: true, .. } => Detail::All,
            Self { summary: true, max_findings, .. } => Detail::Summary(max_findings.unwrap_or(usize::MAX)),
            Self { .. } => Detail::Findings(self.most()),
        }
    }

    /// Returns the largest number of findings that are shown where each takes more than a line of a table.
    pub(crate) fn most(&self) -> usize {
        self.max_findings.unwrap_or(SHOWN)
    }
}

/// Parses the name of a form of reports.
fn form() -> impl clap::builder::TypedValueParser<Value = &'static dyn Form> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let names = FORMS.iter().map(|form| PossibleValue::new(form.name()).help(form.help()));
    PossibleValuesParser::new(names).map(|name| {
        let found = FORMS.into_iter().find(|form| form.name() == name);
        found.expect("only the names of forms are possible")
    })
}

pub(super) fn engine_names() -> impl clap::builder::TypedValueParser<Value = Engine> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Engine::ALL.iter().map(|engine| engine.name())).try_map(|name| name.parse::<Engine>())
}

/// A reduction that is switched off.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoReduce {
    All,
    One(Reduction),
    OfSearch(SearchReduction),
}

fn reduction_names() -> impl clap::builder::TypedValueParser<Value = NoReduce> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let of_search = SearchReduction::ALL.map(SearchReduction::name);
    let names = Reduction::ALL.map(Reduction::name).into_iter().chain(of_search).chain(["all"]);
    PossibleValuesParser::new(names).try_map(|name| match (name.as_str(), name.parse()) {
        ("all", _) => Ok(NoReduce::All),
        (_, Ok(of_search)) => Ok(NoReduce::OfSearch(of_search)),
        (name, Err(_)) => name.parse().map(NoReduce::One),
    })
}

impl PropertyArguments {
    /// Returns the numbers of the patterns that are asked, each once and in order; all of them if nothing else is
    /// asked.
    fn pattern_numbers(&self, asks_others: bool) -> Vec<usize> {
        let mut numbers: Vec<_> = self.pattern.iter().cloned().flatten().map(usize::from).collect();
        let asks_others = asks_others || self.races || !self.automaton.is_empty();
        if self.all_patterns || (numbers.is_empty() && !asks_others) {
            numbers = patterns::all().iter().map(Pattern::number).collect();
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns the same where no other properties can be asked.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        self.pattern_numbers(false)
    }
}

impl QuestionArguments {
    /// Whether the queries are selected by name, rather than all asked.
    pub(crate) fn selects(&self) -> bool {
        !(self.of.pattern.is_empty() && self.of.automaton.is_empty()) || self.names_parts()
    }

    /// Whether locations, locks or processes of the model are selected by name.
    pub(crate) fn names_parts(&self) -> bool {
        self.locations.is_some() || self.locks.is_some() || self.processes.is_some()
    }

    /// The kinds of properties that are asked.
    pub(crate) fn kinds(&self) -> Kinds {
        let PropertyArguments { races, automaton, .. } = &self.of;
        Kinds {
            patterns: !self.pattern_numbers().is_empty(),
            races: *races,
            deadlocks: self.deadlocks,
            automata: !automaton.is_empty(),
        }
    }

    /// Returns the queries about these properties in a model.
    pub(crate) fn ask<'m>(
        &self,
        model: &'m Model,
        properties: &[Arc<Property>],
    ) -> Result<QuerySet<'m>, SelectionError> {
        let Self { locations, locks, processes, .. } = self;
        let selection = Selection { locations: locations.clone(), locks: locks.clone(), processes: processes.clone() };
        match self.deadlocks {
            true => selection.ask_with_deadlocks(model, properties),
            false => selection.ask(model, properties),
        }
    }

    /// Returns the numbers of the patterns that are asked, each once and in order.
    pub(crate) fn pattern_numbers(&self) -> Vec<usize> {
        self.of.pattern_numbers(self.deadlocks)
    }
}

impl ReduceArguments {
    /// Returns the reductions that stay on.
    pub(crate) fn reductions(&self) -> Reductions {
        self.no_reduce.iter().fold(Reductions::all(), |on, off| match off {
            NoReduce::All => Reductions::none(),
            NoReduce::One(reduction) => on.without(*reduction),
            NoReduce::OfSearch(_) => on,
        })
    }

    /// Returns the reductions of the systematic search that stay on.
    pub(crate) fn search_reductions(&self) -> SearchReductions {
        self.no_reduce.iter().fold(SearchReductions::all(), |on, off| match off {
            NoReduce::All => SearchReductions::none(),
            NoReduce::One(_) => on,
            NoReduce::OfSearch(reduction) => on.without(*reduction),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Units {
    /// Both threads: two accesses of the second thread in different units may be serializable.
    Both,
    /// The first thread only, as in the paper.
    First,
}

impl From<Units> for UnitMode {
    fn from(units: Units) -> Self {
        match units {
            Units::Both => Self::Both,
            Units::First => Self::First,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The output of `check --format json`, lines of a batch, or one query of either; `-` is standard input.
    pub(crate) witness: PathBuf,
    /// The model, if the file does not name it or it has moved.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Phase automata of the queries, besides the patterns; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<PathBuf>,
    /// The unit mode of patterns, if the file does not name it.
    #[arg(long, value_name = "WHICH", default_value = "both")]
    pub(crate) units: Units,
    /// Prints each witness step by step, with the held locks and the open units.
    #[arg(long)]
    pub(crate) steps: bool,
    /// The form of the results.
    #[arg(long, value_name = "HOW", default_value = "text")]
    pub(crate) format: TextOrJson,
    /// Prints only errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// Lines for people.
    Text,
    /// One JSON object.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The output of `check --format json`, lines of a batch, or one query of either; `-` is standard input.
    pub(crate) file: PathBuf,
    /// The model, if the file does not name it or it has moved.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Phase automata of the queries, besides the patterns; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<PathBuf>,
    /// Shows this number of lines before and after that of an access.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) context: usize,
    #[command(flatten)]
    pub(crate) findings: FindingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct FormatArguments {
    /// The files; `-` is standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Compares only, names the files that are not canonical, and ends with code 1 if there are any.
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Writes the files instead of printing them.
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RepairArguments {
    /// The model, an EML file.
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    #[command(flatten)]
    pub(crate) deciding: DecidingArguments,
    /// Greatest number of changes of a repair.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) edits: usize,
    /// Number of repairs that are shown.
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    pub(crate) repairs: NonZeroUsize,
    /// Greatest number of changed models that are decided.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) models: usize,
    /// Wall-clock time for each query; queries that are not decided by then are unknown, and the change is no repair.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Wall-clock time for everything together.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) total_timeout: Option<Duration>,
    /// Writes the best repaired model into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) apply: Option<PathBuf>,
    /// Writes certificates of the queries of that model into this file, for `asercheck-verify`.
    #[arg(long, value_name = "FILE", requires = "apply")]
    pub(crate) certificates: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// A chapter, the title of a section, a term, a kind of evidence, or the number of a pattern; without one, lists
    /// the topics.
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
    /// The threads of a pattern that must do all their accesses in one unit of work.
    #[arg(long, value_name = "WHICH", default_value = "both")]
    pub(crate) units: Units,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder for the pages, one for each command; it is made if it does not exist.
    pub(crate) folder: PathBuf,
}
