//! The command line: arguments in, exit code out.
//!
//! Verdicts go to standard output, everything else to standard error. Exit codes are part of the interface: see
//! [`Exit`].

mod answers;
mod arguments;
mod batch;
mod cache;
mod cache_place;
mod certificates;
mod check;
mod completions;
mod confirm;
mod ending;
mod explain;
mod format;
mod interrupt;
mod java;
mod merge;
mod output;
mod progress;
mod properties;
mod reading;
mod repair;
mod replay;
mod report;
mod show;
mod stored_queries;
mod suggestions;
mod value_hash;
mod why_safe;
mod worker;

use arguments::{Arguments, Command};
use clap::Parser;
use output::Terminal;
use std::io;
use std::panic;
use std::process::ExitCode;

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every query is safe; or the command is done.
    Success,
    /// At least one violation; or a comparison found a difference.
    Violation,
    /// Wrong usage, or unreadable input; nothing was decided.
    Input,
    /// No violation, but a query was not decided; of `java`: classes may be missing, or a required
    /// proof is.
    Unknown,
    /// A fault of the program.
    Internal,
    /// The user or a scheduler ended the command; it can be continued.
    Interrupted,
}

impl Exit {
    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Violation => 1,
            Self::Input => 2,
            Self::Unknown => 3,
            Self::Internal => 4,
            // The code of shells for Ctrl-C.
            Self::Interrupted => 130,
        }
    }

    /// Returns the result of several parts: the first of a fault, unreadable input, a violation, and an undecided
    /// query.
    pub(crate) fn worse(self, other: Self) -> Self {
        let order = [Self::Interrupted, Self::Internal, Self::Input, Self::Violation, Self::Unknown];
        order.into_iter().find(|exit| [self, other].contains(exit)).unwrap_or(Self::Success)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error that ends a command: its message and its exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) error: anyhow::Error,
}

impl Failure {
    /// The user's input is at fault.
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Self {
        Self { exit: Exit::Input, error: error.into() }
    }

    /// The program is at fault.
    pub(crate) fn internal(error: impl Into<anyhow::Error>) -> Self {
        Self { exit: Exit::Internal, error: error.into() }
    }
}

/// Prints an error in the arguments, or the help or version that they ask for.
fn answered(answer: &clap::Error) -> ExitCode {
    match answer.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && !answer.use_stderr() => Exit::Internal.into(),
        _ if answer.use_stderr() => Exit::Input.into(),
        _ => Exit::Success.into(),
    }
}

/// Runs the command that the arguments name.
pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => return answered(&answer),
    };
    let terminal = Terminal::new(arguments.color);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(|| match arguments.command() {
        Command::Check(check) => check::run(&check, &terminal),
        Command::Replay(replay) => replay::run(&replay, &terminal),
        Command::Show(show) => show::run(&show, &terminal),
        Command::Java(java) => java::run(&java, &terminal),
        Command::Confirm(confirm) => confirm::run(&confirm, &terminal),
        Command::Cache(cache) => cache::run(&cache, &terminal),
        Command::Repair(repair) => repair::run(&repair, &terminal),
        Command::Fmt(format) => format::run(&format, &terminal),
        Command::Batch(batch) => batch::run(&batch, &terminal),
        Command::Merge(merge) => merge::run(&merge, &terminal),
        Command::Report(report) => report::run(&report, &terminal),
        Command::Explain(explain) => explain::run(&explain, &terminal),
        Command::Completions(completions) => completions::completions(&completions, &terminal),
        Command::Man(man) => completions::man(&man),
        Command::Worker => worker::run(),
    }));
    match result {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(Failure { exit, error })) => {
            terminal.complain(&error);
            exit.into()
        }
        // The panic has printed its message.
        Err(_) => Exit::Internal.into(),
    }
}
